// What the parser accepts beyond jaxlib's own text (which round_trip_test.py
// covers), and the errors for what it refuses.
#include "xla/hlo/parser/hlo_parser.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string ErrorOf(absl::string_view text) {
  auto module = ParseAndReturnUnverifiedModule(text);
  return module.ok() ? "" : std::string(module.status().message());
}

// Returns the module's text, or the error.
std::string Printed(absl::string_view text, HloPrintOptions options = {}) {
  auto module = ParseAndReturnUnverifiedModule(text);
  if (!module.ok()) return std::string(module.status().message());
  options.set_print_large_constants(true);
  return (*module)->ToString(options);
}

// Returns an entry computation with p = f32[8,4] and `body`.
std::string Entry(absl::string_view body) {
  return absl::StrCat("HloModule m\nENTRY e {\n  p = f32[8,4] parameter(0)\n",
                      body, "\n}\n");
}

// Expects `line` to be an instruction that prints unchanged; `after` has
// further computations.
void ExpectStable(absl::string_view line, absl::string_view after = "") {
  const std::string text = Printed(absl::StrCat(Entry(line), after));
  EXPECT_THAT(text, HasSubstr(line.substr(line.find("ROOT"))));
  EXPECT_EQ(Printed(text), text);
}

constexpr absl::string_view kSum =
    "sum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
    "  ROOT c = f32[] add(a, b)\n}\n";

// Forms of a module ----------------------------------------------------------

TEST(HloParserTest, PrintsWhatJaxlibPrints) {
  EXPECT_EQ(Printed(Entry("  ROOT r = f32[8,4] negate(p)")),
            "HloModule m, entry_computation_layout="
            "{(f32[8,4]{1,0})->f32[8,4]{1,0}}\n\n"
            "ENTRY %e (p: f32[8,4]) -> f32[8,4] {\n"
            "  %p = f32[8,4]{1,0} parameter(0)\n"
            "  ROOT %r = f32[8,4]{1,0} negate(%p)\n"
            "}\n\n");
}

TEST(HloParserTest, LastComputationIsTheEntry) {
  auto module = ParseAndReturnUnverifiedModule(
      absl::StrCat("HloModule m\n", kSum, "e { ROOT p = f32[] parameter(0) }"));
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ((*module)->entry_computation()->name(), "e");
}

TEST(HloParserTest, HeaderMayBeMissing) {
  EXPECT_THAT(Printed("ENTRY e { ROOT p = f32[] parameter(0) }"),
              StartsWith("HloModule module_e, "));
}

TEST(HloParserTest, OneInstructionMakesItsParameters) {
  EXPECT_THAT(Printed("r = f32[8] add(f32[8] %x, f32[8] %y)"),
              HasSubstr("ENTRY %_ (x: f32[8], y: f32[8]) -> f32[8] {"));
  EXPECT_THAT(Printed("f32[8] add(f32[8] %x, f32[8] %x)"),
              HasSubstr("(x: f32[8]) -> f32[8] {"));
}

TEST(HloParserTest, AnyOrderOfDefinition) {
  const std::string text = Printed(
      "HloModule m\nENTRY e {\n"
      "  ROOT s = f32[] call(r, q), to_apply=f\n  r = f32[] negate(q)\n"
      "  q = f32[] parameter(1)\n  p = f32[] parameter(0)\n}\n"
      "f {\n  b = f32[] parameter(1)\n  a = f32[] parameter(0)\n"
      "  ROOT c = f32[] add(a, b)\n}\n");
  EXPECT_THAT(text, HasSubstr("%f (a: f32[], b: f32[]) -> f32[] {"));
  EXPECT_THAT(text, HasSubstr("ROOT %s = f32[] call(%r, %q), to_apply=%f"));
}

TEST(HloParserTest, MissingShapesAreInferred) {
  EXPECT_THAT(Printed(Entry("  ROOT r = add(n, n)\n  n = negate(p)")),
              HasSubstr("ROOT %r = f32[8,4]{1,0} add(%n, %n)"));
  EXPECT_THAT(
      Printed(absl::StrCat("HloModule m\n", kSum,
                           "ENTRY e {\n p = f32[4] parameter(0)\n z = f32[] "
                           "constant(0)\n r = reduce(p, z), dimensions={0}, "
                           "to_apply=sum\n}")),
      HasSubstr("%r = f32[] reduce("));
  EXPECT_THAT(Printed(Entry("  r = iota(), iota_dimension=0")),
              HasSubstr("4:7: the shape of a iota cannot be inferred"));
}

TEST(HloParserTest, ShapesOfProductsAreInferred) {
  EXPECT_THAT(Printed(Entry("  r = dot(p, p), lhs_contracting_dims={1}, "
                            "rhs_contracting_dims={1}")),
              HasSubstr("%r = f32[8,8]{1,0} dot(%p, %p)"));
  EXPECT_THAT(Printed(Entry("  k = s8[4,2] parameter(1)\n  r = dot(p, k), "
                            "lhs_contracting_dims={1}, "
                            "rhs_contracting_dims={0}")),
              HasSubstr("%r = f32[8,2]{1,0} dot(%p, %k)"));
  EXPECT_THAT(
      Printed(Entry("  a = f32[1,9,2] parameter(1)\n  k = f32[3,2,5] "
                    "parameter(2)\n  r = convolution(a, k), window={size=3}, "
                    "dim_labels=b0f_0io->b0f")),
      HasSubstr("%r = f32[1,7,5]{2,1,0} convolution(%a, %k)"));
  EXPECT_THAT(Printed(Entry("  z = f32[] constant(0)\n  r = broadcast(z), "
                            "dimensions={}")),
              HasSubstr("%r = f32[] broadcast(%z), dimensions={}"));
}

TEST(HloParserTest, ShapesOfSlicesAreWritten) {
  EXPECT_THAT(ErrorOf(Entry("  r = slice(p), slice={[0:2], [0:4]}")),
              StartsWith("4:7: the shape of a slice cannot be inferred"));
  EXPECT_THAT(ErrorOf(Entry("  z = s32[] constant(0)\n  r = "
                            "dynamic-slice(p, z, z), "
                            "dynamic_slice_sizes={1,1}")),
              StartsWith("5:7: the shape of a dynamic-slice cannot be"));
}

// The verifier refuses them, in text and in protos.
TEST(HloParserTest, SliceSizesThatDoNotFitStayInProtos) {
  const auto module = ParseAndReturnUnverifiedModule(
      Entry("  i = (f32[8,4]) tuple(p)\n"
            "  ROOT r = f32[8,4] collective-permute(i, p, i, i), "
            "source_target_pairs={{0,1}}, slice_sizes={{1}}"));
  ASSERT_TRUE(module.ok()) << module.status();
  const auto again = HloModule::CreateFromProto((*module)->ToProto());
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_THAT((*again)->ToString(), HasSubstr("slice_sizes={{1}}"));
  EXPECT_FALSE(HloVerifier().Verify(**again).ok());
}

TEST(HloParserTest, LayoutsOfOtherProgramsStayInProtos) {
  for (const char* layout : {"()->f32[]", "(f32[], f32[])->f32[]"}) {
    const auto module = ParseAndReturnUnverifiedModule(
        absl::StrCat("HloModule m, entry_computation_layout={", layout,
                     "}\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n"));
    ASSERT_TRUE(module.ok()) << module.status();
    const auto again = HloModule::CreateFromProto((*module)->ToProto());
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ((*again)->ToString(), (*module)->ToString());
    EXPECT_FALSE(HloVerifier().Verify(**again).ok());
  }
}

TEST(HloParserTest, DefinedNamesMayEndInAColon) {
  EXPECT_EQ(Printed("HloModule m:, replica_count=2\nENTRY e: {\n"
                    "  p: = f32[] parameter(0)\n  ROOT r: = f32[] negate(p)\n"
                    "}\n"),
            Printed("HloModule m, replica_count=2\nENTRY e {\n"
                    "  p = f32[] parameter(0)\n  ROOT r = f32[] negate(p)\n"
                    "}\n"));
  EXPECT_THAT(ErrorOf("HloModule m\nENTRY e {\n  %p: = f32[] parameter(0)\n}"),
              StartsWith("3:5: expected \"=\""));
}

TEST(HloParserTest, TypesAreNoNames) {
  EXPECT_THAT(ErrorOf(Entry("  s2 = f32[8,4] negate(p)")),
              StartsWith("4:3: expected a name, got the type 's2'"));
  EXPECT_THAT(ErrorOf(Entry("  r = f32[8,4] negate(u8)")),
              StartsWith("4:23: expected a name, got the type 'u8'"));
  EXPECT_THAT(ErrorOf("HloModule m\nf32 { p = f32[] parameter(0) }"),
              StartsWith("2:1: expected a name, got the type 'f32'"));
  EXPECT_THAT(Printed(Entry("  %s2 = f32[8,4] negate(p)")),
              HasSubstr("%s2_ = f32[8,4]{1,0} negate(%p)"));
  // XLA prints this one as it is.
  EXPECT_THAT(Printed(Entry("  tuple = f32[8,4] negate(p)")),
              HasSubstr("%tuple = f32[8,4]{1,0} negate(%p)"));
}

// Rules that reading the text checks, without the verifier.
TEST(HloParserTest, RulesOfText) {
  struct Case {
    std::string text;
    absl::string_view rule;
  };
  const Case cases[] = {
      {Entry("  r = f32[8,4] custom-call(p), custom_call_target=\"f\", "
             "operand_layout_constraints={f32[8,4]{1,0}, f32[8,4]{1,0}}"),
       "(custom_call_c1)"},
      {Entry("  r = f32[8,4] custom-call(p), custom_call_target=\"f\", "
             "operand_layout_constraints={}"),
       "(custom_call_c1)"},
      {Entry("  r = f32[8,4] custom-call(p), custom_call_target=\"f\", "
             "operand_layout_constraints={f32[8,5]{1,0}}"),
       "(custom_call_c2)"},
      {absl::StrCat("HloModule m\nf { x = f32[] parameter(0) }\nENTRY e {\n"
                    "  i = f32[] parameter(0)\n  ROOT r = f32[] "
                    "conditional(i, i, i), branch_computations={f, f}\n}"),
       "(conditional_c1)"},
      {absl::StrCat("HloModule m\nf { x = f32[] parameter(0) }\nENTRY e {\n"
                    "  i = s32[1] parameter(0)\n  z = f32[] constant(0)\n  "
                    "ROOT r = f32[] conditional(i, z, z), "
                    "branch_computations={f, f}\n}"),
       "(conditional_c1)"},
      {absl::StrCat("HloModule m\n", kSum,
                    "ENTRY e {\n  p = f32[4] parameter(0)\n  ROOT r = f32[4] "
                    "all-reduce(p), replica_groups={{0}}, "
                    "use_global_device_ids=true, to_apply=sum\n}"),
       "(replica_groups_c5)"},
      {Entry("  s = ((f32[8,4]), f32[8,4], u32[]) negate-start(p)\n"
             "  ROOT d = f32[8,4] abs-done(s)"),
       "(async_c3)"},
      {Entry("  s = ((f32[8,4]), f32[8,4], u32[]) negate-start(p)\n  u = "
             "((f32[8,4]), f32[8,4], u32[]) negate-update(s), "
             "async_execution_thread=\"t\"\n"
             "  ROOT d = f32[8,4] negate-done(u)"),
       "(async_c4)"},
      {absl::StrCat("HloModule m\nf {\n  x = f32[] parameter(0)\n  ROOT n = "
                    "f32[] negate(x)\n}\nENTRY e {\n  p = f32[] "
                    "parameter(0)\n  s = ((f32[]), f32[], u32[]) "
                    "async-start(p), calls=f\n  t = ((f32[]), f32[], u32[]) "
                    "negate-start(p), calls=f\n}"),
       "(async_c6)"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(ErrorOf(c.text), HasSubstr(c.rule)) << c.text;
    EXPECT_THAT(ErrorOf(c.text), ContainsRegex("^[0-9]+:[0-9]+: ")) << c.text;
  }
}

// Programs with dimensions without a bound are read, verified and printed,
// though none runs.
TEST(HloParserTest, SizesMayBeUnknown) {
  const absl::string_view roots[] = {
      "add(f32[?,4]{1,0} p, f32[?,4]{1,0} p)",
      "f32[?,4]{1,0} add(f32[?,4]{1,0} p, f32[8,4]{1,0} q)",
      "f32[?,3,4]{2,1,0} broadcast(p), dimensions={0,2}",
      "f32[2,16]{1,0} reshape(p)",
      "f32[4,?]{1,0} transpose(p), dimensions={1,0}",
      "f32[?,4]{1,0} concatenate(p, q), dimensions={0}",
      "f32[2,4]{1,0} slice(p), slice={[0:2], [0:4]}",
      "f32[?,8]{1,0} pad(p, z), padding=1_1x2_2",
      "f32[4]{0} reduce(p, z), dimensions={0}, to_apply=sum",
      "f32[?,?]{1,0} dot(p, p), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={1}",
      "f32[?,4]{1,0} all-gather(p), replica_groups={{0,1}}, dimensions={0}",
      "f32[?,4]{1,0} custom-call(p), custom_call_target=\"f\"",
      "s32[] get-dimension-size(p), dimensions={0}",
      "(f32[?,4]{1,0}, f32[8,4]{1,0}) tuple(p, q)",
  };
  for (absl::string_view root : roots) {
    const std::string text = absl::StrCat(
        "HloModule m\n", kSum, "ENTRY e {\n  p = f32[?,4] parameter(0)\n",
        "  q = f32[8,4] parameter(1)\n  z = f32[] parameter(2)\n  ROOT r = ",
        root, "\n}\n");
    const auto module = ParseAndReturnUnverifiedModule(text);
    ASSERT_TRUE(module.ok()) << root << ": " << module.status();
    const absl::Status verified = HloVerifier().Verify(**module);
    EXPECT_TRUE(verified.ok()) << root << ": " << verified;
    const std::string printed = Printed(text);
    EXPECT_EQ(Printed(printed), printed);
    const auto again = HloModule::CreateFromProto((*module)->ToProto());
    ASSERT_TRUE(again.ok()) << root << ": " << again.status();
    EXPECT_EQ((*again)->ToString(), (*module)->ToString());
  }
}

TEST(HloParserTest, OperandsMayBeInstructions) {
  const std::string text =
      Printed(Entry("  ROOT r = negate(f32[8,4] add(p, negate(p)))"));
  EXPECT_THAT(text, HasSubstr("%negate.anon = f32[8,4]{1,0} negate(%p)"));
  EXPECT_THAT(text, HasSubstr("ROOT %r = f32[8,4]{1,0} negate(%add.anon)"));
}

TEST(HloParserTest, ComputationsMayStandInside) {
  const std::string text = Printed(
      Entry("  z = f32[] constant(0)\n"
            "  ROOT r = f32[] reduce(p, z), dimensions={0,1}, to_apply={\n"
            "    a = f32[] parameter(0)\n    b = f32[] parameter(1)\n"
            "    ROOT c = f32[] add(a, b)\n  }"));
  EXPECT_THAT(text, HasSubstr("to_apply=%_"));
  HloPrintOptions options;
  options.set_inline_computations(true);
  const std::string inside = Printed(text, options);
  EXPECT_THAT(inside, HasSubstr("to_apply={\n"));
  EXPECT_EQ(Printed(inside), text);
}

TEST(HloParserTest, NamesAreUniqueInTheModule) {
  EXPECT_THAT(Printed("HloModule m\nf { p = f32[] parameter(0) }\n"
                      "ENTRY e { p = f32[] parameter(0)\n"
                      "  c = f32[] call(p), to_apply=f }"),
              HasSubstr("ENTRY %e (p.1: f32[]) -> f32[] {"));
}

TEST(HloParserTest, CommentsAndOperandShapes) {
  EXPECT_EQ(Printed("// first\nHloModule m /* x */\nENTRY %e (q: f32[9]) -> "
                    "f32[8,4] { // y\n %p = f32[8,4]{1,0} parameter(0)\n ROOT "
                    "%r = f32[8,4]{1,0} negate(f32[8,4]{1,0} /*index=0*/%p) "
                    "}"),
            Printed(Entry("  ROOT r = f32[8,4] negate(p)")));
}

TEST(HloParserTest, ModuleAttributes) {
  const std::string text =
      "HloModule m, is_scheduled=true, "
      "input_output_alias={ {}: (0, {}, must-alias) }, "
      "buffer_donor={ (0, {}) }, alias_passthrough_params=true, "
      "entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]{1,0}}, "
      "allow_spmd_sharding_propagation_to_parameters={true,false}, "
      "allow_spmd_sharding_propagation_to_output={true}, replica_count=2, "
      "num_partitions=3, frontend_attributes={a=\"b\",c={\"d\": 1}}\n";
  const std::string body = "ENTRY e { ROOT p = f32[2,3] parameter(0) }";
  EXPECT_THAT(Printed(text + body), StartsWith(text));
}

TEST(HloParserTest, StackFrames) {
  const std::string tables =
      "FileNames\n1 \"a.py\"\n\nFunctionNames\n1 \"f\"\n\nFileLocations\n"
      "1 {file_name_id=1 function_name_id=1 line=7 end_line=7 column=4 "
      "end_column=46}\n\nStackFrames\n1 {file_location_id=1 "
      "parent_frame_id=1}\n2 {file_location_id=1 parent_frame_id=2}\n\n\n";
  const std::string text =
      absl::StrCat("HloModule m\n\n", tables,
                   "ENTRY e { ROOT p = f32[] parameter(0), "
                   "metadata={op_name=\"x\" stack_frame_id=2} }");
  auto module = ParseAndReturnUnverifiedModule(text);
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ((*module)->stack_frame_index()->stack_frames(1).parent_frame_id(),
            1);
  EXPECT_THAT((*module)->ToString(), HasSubstr(tables));
  EXPECT_THAT((*module)->ToString(), HasSubstr("stack_frame_id=2}"));
}

// Asynchronous forms ---------------------------------------------------------

TEST(HloParserTest, ShortAsyncFormsRoundTrip) {
  const std::string text =
      Printed(Entry("  s = ((f32[8,4]), f32[2,4], s32[]) slice-start(p), "
                    "async_execution_thread=\"t\", slice={[0:2], [0:4]}\n"
                    "  u = ((f32[8,4]), f32[2,4], s32[]) slice-update(s)\n"
                    "  ROOT d = f32[2,4] slice-done(u)"));
  EXPECT_THAT(text,
              HasSubstr("s32[]) slice-start(%p), async_execution_thread=\"t\", "
                        "slice={[0:2], [0:4]}\n"));
  EXPECT_THAT(text, HasSubstr("slice-update(%s)\n"));
  EXPECT_THAT(text, HasSubstr("ROOT %d = f32[2,4]{1,0} slice-done(%u)\n"));
  EXPECT_EQ(Printed(text), text);
  auto module = ParseAndReturnUnverifiedModule(text);
  ASSERT_TRUE(module.ok());
  EXPECT_EQ((*module)->computation_count(), 2);
  const HloInstruction* done =
      (*module)->entry_computation()->root_instruction();
  EXPECT_EQ(done->opcode(), HloOpcode::kAsyncDone);
  const HloInstruction* start = done->operand(0)->operand(0);
  EXPECT_EQ(start->called_computations()[0]->execution_thread(), "t");
}

TEST(HloParserTest, LongAsyncFormStaysIfItSaysMore) {
  const std::string text = Printed(
      "HloModule m\nw {\n  q = f32[] parameter(0)\n  n = f32[] negate(q)\n"
      "  ROOT z = f32[] negate(n)\n}\nENTRY e {\n  p = f32[] parameter(0)\n"
      "  s = ((f32[]), f32[], s32[]) async-start(p), calls=w\n"
      "  ROOT d = f32[] async-done(s), calls=w\n}\n");
  EXPECT_THAT(text, HasSubstr("async-start(%p), calls=%w\n"));
  EXPECT_THAT(text, HasSubstr("async-done(%s)\n"));
  EXPECT_EQ(Printed(text), text);
}

// Attributes -----------------------------------------------------------------

TEST(HloParserTest, Annotations) {
  ExpectStable(
      "ROOT %x = f32[8,4]{1,0} negate(%p), sharding={replicated}, "
      "frontend_attributes={a=\"b\"}, control-predecessors={%p}, "
      "statistics={visualizing_index=0,a=1}, origin={{\"a\" {1}}}, "
      "metadata={op_name=\"a\"}, backend_config={}");
  ExpectStable(
      "ROOT %x = f32[8,4]{1,0} call(%p), to_apply=%f, "
      "is_composite=true",
      "f { q = f32[8,4] parameter(0) }");
}

TEST(HloParserTest, Attributes) {
  for (absl::string_view line : {
           "%x = f32[9,3]{1,0} pad(%p, %z), padding=0_1x-1_0",
           "%x = f32[15,4]{1,0} pad(%p, %z), padding=0_0_1x0_0_0",
           "%x = f32[2,2]{1,0} slice(%p), slice={[0:4:2], [2:4:1]}",
           "%x = pred[8,4]{1,0} compare(%p, %p), direction=LT, "
           "type=TOTALORDER",
           "%x = f32[8,4]{1,0} exponential(%p), "
           "result_accuracy={mode=highest}",
           "%x = f32[8,8]{1,0} dot(%p, %p), lhs_contracting_dims={1}, "
           "rhs_contracting_dims={1}, operand_precision={high,highest}, "
           "algorithm=dot_bf16_bf16_f32",
           "%x = f32[8,4]{1,0} all-gather(%p), channel_id=1, "
           "replica_groups=[2,2]<=[2,2]T(1,0), dimensions={0}, "
           "use_global_device_ids=true",
           "%x = f32[8,4]{1,0} collective-permute(%p), "
           "source_target_pairs={{0,1},{1,0}}",
           "%x = f32[8,4]{1,0} domain(%p), domain={kind=\"sharding\", "
           "entry={replicated}, exit={maximal device=1}}",
           "%x = f32[8,4]{1,0} custom-call(%p), custom_call_target=\"a\\\"b\", "
           "operand_layout_constraints={f32[8,4]{0,1}}, "
           "custom_call_has_side_effect=true, "
           "output_to_operand_aliasing={{}: (0, {})}, "
           "api_version=API_VERSION_TYPED_FFI",
           "%x = f32[8,4]{1,0} transpose(%p), dimensions={0,1}",
           "%x = c64[8,3]{1,0} fft(%p), fft_type=RFFT, fft_length={4}",
           "%x = f32[8,4]{1,0} rng(%z, %z), distribution=rng_uniform",
           "%x = f32[] constant(-nan(0x400001))",
           "%x = s4[2]{0:E(4)} constant({-8, 7})",
           "%x = f32[8,4]{0,1} custom-call(), custom_call_target=\"a\", "
           "operand_layout_constraints={}",
           "%x = f32[8,4]{1,0} custom-call(%p), custom_call_target=\"a\", "
           "literal=s32[] 42",
           "%x = f32[8,4]{1,0} custom-call(%p), custom_call_target=\"a\", "
           "literal=s32[2]{0} {42, 3}",
           "%x = f32[8,4]{1,0} custom-call(%p), custom_call_target=\"a\", "
           "literal=( ( s32[2]{0} {42, 3} ), f32[1,2]{1,0} { { 2, 3 } } )",
           "%x = f32[8,4]{1,0} custom-call(%p), custom_call_target=\"a\", "
           "literal=(  )",
           "%x = f32[8,4]{1,0} all-gather(%p), "
           "replica_groups=mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0)) "
           "{'y':(2)2,'x'}, dimensions={0}",
           "%x = f32[8,4]{1,0} all-gather(%p), replica_groups=mesh['x'=2] "
           "{'x'}, dimensions={0}",
           "%x = f32[8,4]{1,0} collective-permute(%p, %p, %z, %z), "
           "source_target_pairs={{0,1}}, slice_sizes={{1,3},{2,2}}",
           "%x = f32[8,4]{1,0} convolution(%p, %p), window={size=3x3}, "
           "dim_labels=?b01f_0?1io->b01?f, feature_group_count=2, "
           "convolution_kind=dgrad, operand_precision={high,high}, "
           "sparsity_config={lhs={sparsity=2x4 dimension=3 stride=7} "
           "rhs={sparsity=1x4 dimension=0 stride=0}}",
           "%x = (f32[8,2]{1,0}, s32[8,2]{1,0}) topk(%p), k=2, largest=true, "
           "is_stable=true",
           "%x = f32[8,4]{1,0} rng(%z, %z, %z), distribution=rng_uniform",
       }) {
    ExpectStable(absl::StrCat("%z = f32[] constant(0)\n  ROOT ", line));
  }
}

TEST(HloParserTest, Errors) {
  struct Case {
    absl::string_view body;
    absl::string_view error;
  };
  const Case cases[] = {
      {"  r = f32[8,4] foo(p)", "4:16: unknown op 'foo'"},
      {"  r = f32[8,4] negate(q)", "4:23: no instruction 'q'"},
      {"  r = f32[8,4] negate(p, p)", "4:16: negate takes 1 operands, got 2"},
      {"  r = f32[8,4] add(p)", "4:16: add takes 2 operands, got 1"},
      {"  p = f32[8,4] negate(p)", "4:3: instruction 'p' is defined twice"},
      {"  ROOT q = f32[8,4] negate(p)\n  ROOT r = f32[8,4] negate(p)",
       "5:3: the computation has a ROOT already"},
      {"  r = f32[8,4] negate(p), foo=1", "4:27: negate has no attribute"},
      {"  r = f32[8,4] negate(p), metadata={}, metadata={}",
       "4:40: attribute 'metadata' occurs twice"},
      {"  r = f32[8,4] get-tuple-element(p)",
       "4:16: attribute 'index' of get-tuple-element is missing"},
      {"  q = f32[8,4] parameter(2)",
       "4:16: parameter 2, but the computation has no parameter 1"},
      {"  q = f32[8,4] parameter(0)",
       "4:16: the computation has two parameters 0"},
      {"  q = f32[8,4] parameter(-1)",
       "4:16: parameter -1, but the computation has no parameter 0"},
      {"  a = f32[8,4] negate(b)\n  b = f32[8,4] negate(a)",
       "4:3: instruction 'a' is part of a cycle"},
      {"  a = f32[8,4] negate(p), control-predecessors={b}\n"
       "  b = f32[8,4] negate(a)",
       "4:3: instruction 'a' is part of a cycle"},
      {"  r = f32[8,4] negate(f32[8,5] p)",
       "4:32: operand 0 is said to be f32[8,5] but is f32[8,4]"},
      {"  r = f32[8,4] call(p), to_apply=g", "4:34: no computation 'g'"},
      {"  r = f32[8,4] call(p), to_apply=e",
       "4:34: computation 'e' calls itself"},
      {"  r = f32[8,4] call(p)", "4:16: call calls 1 computations"},
      {"  r = f32[4] constant({...})", "4:2"},
      {"  r = f32[4] constant({1, 2, 3})", "4:"},
      {"  r = f32[1000000000000] constant({1})", "4:"},
      {"  r = f32[1000000000000,1000000000000] constant({1})", "4:"},
      {"  r = f32[8,4] negate(p), sharding={devices=[2,2]0,1}",
       "4:37: the sharding has 4 tiles but 2 devices"},
      {"  r = ((f32[8,4])) negate-start(p)", "4:20: negate-start needs"},
      {"  r f32[8,4] negate(p)", "4:5: expected \"=\""},
      {"  r = f32[8,4] all-gather(p), replica_groups=mesh['x'=2] {'z'}, "
       "dimensions={0}",
       "4:59: the mesh has no axis of this name"},
      {"  r = f32[8,4] all-gather(p), replica_groups=mesh['x'=2] {}, "
       "dimensions={0}",
       "4:46: replica groups by mesh axes: a group must have more"},
      {"  r = f32[8,4] all-gather(p), replica_groups=mesh['x'=4] "
       "{'x':(1)2,'x'}, dimensions={0}",
       "4:46: replica groups by mesh axes: axes of mesh['x'=4] overlap"},
      {"  r = f32[8,4] all-gather(p), replica_groups=mesh['x'=4] {'x':(3)2}, "
       "dimensions={0}",
       "4:46: replica groups by mesh axes: 'x':(3)2 is no part"},
      {"  r = f32[8,4] all-gather(p), replica_groups=mesh['x'=2], "
       "device_ids=(0,0) {'x'}, dimensions={0}",
       "4:46: replica groups by mesh axes: mesh: device_ids must be 0 to 1"},
      {"  r = f32[8,4] all-gather(p), replica_groups=mesh['x'=2], "
       "device_ids=([5]) {'x'}, dimensions={0}",
       "4:72: there must be as many device_ids as devices in the mesh"},
      {"  r = f32[8,4] all-gather(p), replica_groups=mesh['x'=99999999] {'x'}, "
       "dimensions={0}",
       "4:46: replica groups by mesh axes: mesh: axes must have positive"},
      {"  r = f32[8,4] convolution(p, p), dim_labels=b0f_01io->b0f",
       "4:46: expected dimension labels"},
      {"  r = f32[8,4] convolution(p, p), dim_labels=b0f_0io->b0f, "
       "sparsity_config={rhs={sparsity=1x2x3}}",
       "4:82: expected sparsity=nonzeros"},
      {"  r = f32[8,4] negate(p", "5:1: expected \")\""},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(ErrorOf(Entry(c.body)), StartsWith(c.error)) << c.body;
  }
}

TEST(HloParserTest, ModuleErrors) {
  struct Case {
    absl::string_view text;
    absl::string_view error;
  };
  const Case cases[] = {
      {"", "1:1: expected an HLO module"},
      {"HloModule m", "1:12: expected a computation"},
      {"HloModule m, foo=1\ne { p = f32[] parameter(0) }",
       "1:14: a module has no attribute 'foo'"},
      {"HloModule m, replica_count=2, replica_count=2", "1:31: attribute"},
      {"HloModule m, replica_count=-1", "1:28: expected a number from 0"},
      {"HloModule m\ne {}", "2:3: a computation needs an instruction"},
      {"HloModule m\ne { p = f32[] parameter(0) }\ne { q = f32[] "
       "parameter(0) }",
       "3:1: computation 'e' is defined twice"},
      {"ENTRY e { p = f32[] parameter(0) }\nENTRY f { q = f32[] "
       "parameter(0) }",
       "2:1: the module has two ENTRY computations"},
      {"r = f32[] negate(x)", "1:18: an operand of a single instruction"},
      {"r = f32[] negate(f32[] x) s = f32[] negate(r)",
       "1:27: expected the end of the text"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(ErrorOf(c.text), StartsWith(c.error)) << c.text;
  }
}

TEST(HloParserTest, ErrorsShowTheLineAndACaret) {
  EXPECT_THAT(ErrorOf(Entry("  r = f32[8,4] foo(p)")),
              HasSubstr("\n  r = f32[8,4] foo(p)\n               ^"));
}

// Hostile text ---------------------------------------------------------------

std::string Repeat(absl::string_view text, int n) {
  std::string all;
  all.reserve(text.size() * n);
  for (int i = 0; i < n; ++i) absl::StrAppend(&all, text);
  return all;
}

TEST(HloParserTest, DeepNestingIsRefused) {
  constexpr int kDeep = 1000000;
  const std::string nests[] = {
      Repeat("negate(", kDeep),
      "f32[8,4] call(p), to_apply={ x = f32[] parameter(0)\n y = " +
          Repeat("f32[] call(x), to_apply={ x = f32[] parameter(0) y = ",
                 kDeep),
      Repeat("(", kDeep) + "f32[]",
      "f32[8,4] negate(p), sharding=" + Repeat("{", kDeep),
      "f32[8,4] negate(p), origin={" + Repeat("(", kDeep),
      "f32[8,4] negate(p), backend_config=" + Repeat("{", kDeep),
      "f32[8,4] negate(p), frontend_attributes={a=" + Repeat("{", kDeep),
      "f32[8] constant(" + Repeat("{", kDeep),
      Repeat("(", 90) + "f32[]" + Repeat(")", 90) + " constant(" +
          Repeat("(", kDeep),
  };
  for (const std::string& nest : nests) {
    EXPECT_THAT(ErrorOf(Entry("  r = " + nest)), HasSubstr(": "))
        << nest.substr(0, 60);
  }
}

TEST(HloParserTest, InferredShapesStaySmall) {
  std::string doubling = "  x0 = tuple(p, p)\n";
  std::string nesting = "  x0 = tuple(p)\n";
  for (int i = 1; i < 1000; ++i) {
    absl::StrAppend(&doubling, "  x", i, " = tuple(x", i - 1, ", x", i - 1,
                    ")\n");
    absl::StrAppend(&nesting, "  x", i, " = tuple(x", i - 1, ")\n");
  }
  EXPECT_THAT(ErrorOf(Entry(doubling)),
              HasSubstr("the inferred shapes are too large"));
  EXPECT_THAT(ErrorOf(Entry(nesting)),
              HasSubstr("the inferred shape is nested too deeply"));
}

TEST(HloParserTest, LongChainsAreFine) {
  std::string chain = "  ROOT r = f32[8,4] negate(x0)\n";
  constexpr int kLong = 20000;
  for (int i = 0; i < kLong; ++i) {
    absl::StrAppend(&chain, "  x", i, " = negate(",
                    i + 1 < kLong ? absl::StrCat("x", i + 1) : "p", ")\n");
  }
  EXPECT_EQ(ErrorOf(Entry(chain)), "");
  std::string calls = "HloModule m\n";
  for (int i = 0; i < kLong; ++i) {
    absl::StrAppend(&calls, "g", i,
                    " { p = f32[] parameter(0) ROOT c = call(p)",
                    ", to_apply=g", i + 1, " }\n");
  }
  absl::StrAppend(&calls, "g", kLong, " { p = f32[] parameter(0) }\n",
                  "ENTRY e { p = f32[] parameter(0) c = f32[] call(p), "
                  "to_apply=g0 }\n");
  HloPrintOptions inline_all;
  inline_all.set_inline_computations(true);
  EXPECT_THAT(Printed(calls), StartsWith("HloModule m"));
  const std::string inside = Printed(calls, inline_all);
  EXPECT_THAT(Printed(inside), StartsWith("HloModule m"));
}

// Options -----------------------------------------------------------------

TEST(HloParserTest, MissingLayouts) {
  const std::string text =
      "HloModule m, entry_computation_layout={(f32[2,3], f32[2]{0})->f32[2,3]}"
      "\nENTRY e { p = f32[2,3] parameter(0) q = f32[2] parameter(1) "
      "ROOT r = f32[2,3] add(p, p) }";
  const auto layouts = [&](const HloParserOptions& options) {
    auto module =
        ParseAndReturnUnverifiedModule(text, HloModuleConfig(), options);
    CHECK_OK(module.status());
    const ComputationLayout& entry = (*module)->entry_computation_layout();
    return std::vector<bool>{
        entry.parameter_layout(0).LayoutIsSet(),
        entry.parameter_layout(1).LayoutIsSet(),
        entry.result_layout().LayoutIsSet(),
        (*module)
            ->entry_computation()
            ->root_instruction()
            ->shape()
            .has_layout(),
    };
  };
  using testing::ElementsAre;
  EXPECT_THAT(layouts({}), ElementsAre(true, true, true, true));
  EXPECT_THAT(layouts(HloParserOptions().set_keep_module_auto_layouts(true)),
              ElementsAre(false, true, false, true));
  EXPECT_THAT(layouts(HloParserOptions().set_fill_missing_layouts(false)),
              ElementsAre(false, true, false, false));
}

// Single attributes ----------------------------------------------------------

TEST(HloParserTest, SingleAttributes) {
  EXPECT_EQ(ParseWindow("size=3x2 pad=0_1x2_0")->dimensions(1).padding_low(),
            2);
  EXPECT_EQ(ParseWindow("{size=3}")->dimensions(0).stride(), 1);
  EXPECT_EQ(ParseSharding("{{replicated}, {manual}}")->tuple_elements().size(),
            2);
  EXPECT_EQ(ParsePaddingConfig("1_2x3_4_5")->dimensions(1).interior_padding(),
            5);
  EXPECT_EQ(ParseConvolutionDimensionNumbers("b01f_01io->bf01")
                ->output_feature_dimension(),
            1);
  EXPECT_EQ(ParseReplicaGroupsOnly("[2,2]<=[2,2]T(1,0)")->at(0).replica_ids(1),
            2);
  EXPECT_EQ(ParseStatisticsViz("{visualizing_index=1,a=2.5}")
                ->statistics(0)
                .stat_val(),
            2.5);
  EXPECT_THAT(*ParseParameterReplication("{true,false}"),
              testing::ElementsAre(true, false));
  EXPECT_EQ(ParseFrontendAttributes("{a=\"b\"}")->map().at("a"), "b");
  EXPECT_EQ(ParseShape("f32[2]{0}")->dimensions(0), 2);
  EXPECT_FALSE(ParseWindow("size=3 x").ok());
  EXPECT_FALSE(ParseWindow("size=3 rhs_reversal=2").ok());
  EXPECT_FALSE(ParseSharding("{replicated").ok());
  EXPECT_FALSE(ParsePaddingConfig("1_2 x").ok());
}

}  // namespace
}  // namespace xla
