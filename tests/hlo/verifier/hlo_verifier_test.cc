// One invalid module per rule of the verifier.
#include "xla/hlo/verifier/hlo_verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/hlo/rule_matcher.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using testing::HasSubstr;

std::unique_ptr<HloModule> Parse(absl::string_view text) {
  auto module = ParseAndReturnUnverifiedModule(text);
  EXPECT_TRUE(module.ok()) << module.status().message();
  return module.ok() ? *std::move(module) : std::make_unique<HloModule>("none");
}

// Returns the message of verifying `module`, which must fail.
std::string ErrorOf(const HloModule& module) {
  const absl::Status status = HloVerifier().Verify(module);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

constexpr absl::string_view kGood = R"(
HloModule m
double {
  x = f32[] parameter(0)
  ROOT y = f32[] add(x, x)
}
ENTRY e {
  a = f32[] parameter(0)
  b = f32[] call(a), to_apply=double
  ROOT c = f32[] negate(b)
}
)";

TEST(HloVerifierTest, AcceptsAGoodModule) {
  const absl::Status status = HloVerifier().Verify(*Parse(kGood));
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(HloVerifierTest, OnlyTheVerifierTakesUnknownSizes) {
  const auto module = Parse(R"(
HloModule m
ENTRY e {
  ROOT p = f32[?] parameter(0)
}
)");
  EXPECT_TRUE(HloVerifier().Run(module.get()).ok());
  HloPassPipeline checks("checks"), passes("passes");
  checks.AddInvariantChecker<HloVerifier>();
  EXPECT_TRUE(checks.Run(module.get()).ok());
  passes.AddPass<HloVerifier>();
  const absl::Status refused = passes.Run(module.get()).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("p is f32[?]"));
}

TEST(HloVerifierTest, module_c1) {
  EXPECT_THAT(ErrorOf(HloModule("empty")), BreaksRule("module_c1"));
}

TEST(HloVerifierTest, module_c2) {
  auto module = Parse(kGood);
  HloComputation* twice = module->GetComputationWithName("double");
  twice->AddInstruction(
      HloInstruction::Create(HloOpcode::kCall, ShapeUtil::MakeShape(F32, {}),
                             {twice->parameter_instruction(0)}, {}, {twice}));
  EXPECT_THAT(ErrorOf(*module), BreaksRule("module_c2"));
}

TEST(HloVerifierTest, module_c3) {
  auto module = Parse(kGood);
  auto other = Parse(kGood);
  module->entry_computation()
      ->root_instruction()
      ->mutable_operand(0)
      ->set_called_computation(0, other->GetComputationWithName("double"));
  EXPECT_THAT(ErrorOf(*module), BreaksRule("module_c3"));
}

TEST(HloVerifierTest, module_c4) {
  auto module = Parse(kGood);
  *module->mutable_entry_computation_layout()->mutable_result_layout() =
      ShapeLayout(ShapeUtil::MakeShape(S32, {}));
  EXPECT_THAT(ErrorOf(*module), BreaksRule("module_c4"));
}

// Only passes may see the entry's arrays as buffers.
TEST(HloVerifierTest, EntryBuffersAreForPasses) {
  auto module = Parse(R"(
HloModule m, entry_computation_layout={(f32[3,5]{1,0:T(2,2)})->f32[24]{0}}
ENTRY e {
  x = f32[24]{0} parameter(0)
  ROOT n = f32[24]{0} negate(x)
}
)");
  EXPECT_THAT(ErrorOf(*module), BreaksRule("module_c4"));
  const absl::Status status =
      HloVerifier({.allow_entry_buffers = true}).Verify(*module);
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(HloVerifierTest, module_c5) {
  auto module = Parse(kGood);
  module->entry_computation()->root_instruction()->SetName("a");
  EXPECT_THAT(ErrorOf(*module), BreaksRule("module_c5"));
}

TEST(HloVerifierTest, computation_c1) {
  auto module = Parse(kGood);
  module->entry_computation()->set_root_instruction(
      module->GetComputationWithName("double")->root_instruction());
  EXPECT_THAT(ErrorOf(*module), BreaksRule("computation_c1"));
}

TEST(HloVerifierTest, computation_c2) {
  auto module = Parse(kGood);
  HloInstruction* root = module->entry_computation()->root_instruction();
  ASSERT_TRUE(root->AddControlDependencyTo(root->mutable_operand(0)).ok());
  EXPECT_THAT(ErrorOf(*module), BreaksRule("computation_c2"));
}

TEST(HloVerifierTest, instruction_c1) {
  auto module = Parse(kGood);
  HloInstruction* root = module->entry_computation()->root_instruction();
  *root->mutable_shape() = Shape();
  EXPECT_THAT(ErrorOf(*module), BreaksRule("instruction_c1"));
}

TEST(HloVerifierTest, instruction_c2) {
  auto module = Parse(kGood);
  HloComputation* entry = module->entry_computation();
  HloComputation* twice = module->GetComputationWithName("double");
  ASSERT_TRUE(entry->root_instruction()
                  ->ReplaceOperandWith(0, twice->parameter_instruction(0))
                  .ok());
  EXPECT_THAT(ErrorOf(*module), BreaksRule("instruction_c2"));
}

TEST(HloVerifierTest, instruction_c3) {
  EXPECT_THAT(
      ErrorOf(*Parse(R"(
HloModule m
ENTRY e {
  a = f32[4]{0} parameter(0)
  ROOT b = f32[3]{0} negate(a)
}
)")),
      testing::AllOf(HasSubstr("instruction b"), HasSubstr("f32[3]"),
                     HasSubstr("f32[4]"), BreaksRule("instruction_c3")));
}

std::string CallOfThread(absl::string_view call) {
  return absl::StrCat(R"(
HloModule m
f {
  x = f32[2] parameter(0)
  ROOT y = f32[2] negate(x)
}, execution_thread="worker"
g {
  x = f32[2] parameter(0)
  ROOT y = pred[] constant(false)
}
ENTRY e {
  a = f32[2] parameter(0)
  b = s32[] constant(0)
  ROOT c = f32[2] )",
                      call, "\n}\n");
}

TEST(HloVerifierTest, instruction_c4) {
  EXPECT_THAT(ErrorOf(*Parse(R"(
HloModule m
f {
  x = f32[2] parameter(0)
  ROOT y = f32[2] negate(x)
}, execution_thread="other"
ENTRY e {
  a = f32[2] parameter(0)
  ROOT c = f32[2] fusion(a), kind=kLoop, calls=f
}
)")),
              BreaksRule("instruction_c4"));
  const HloVerifier strict(
      {.verify_call_nested_computation_thread_name = true});
  for (absl::string_view call :
       {"while(a), condition=g, body=f", "fusion(a), kind=kLoop, calls=f",
        "conditional(b, a), branch_computations={f}"}) {
    const auto module = Parse(CallOfThread(call));
    EXPECT_THAT(ErrorOf(*module), BreaksRule("instruction_c4")) << call;
    EXPECT_FALSE(strict.Verify(*module).ok()) << call;
  }
  // As in XLA, these are refused on demand.
  for (absl::string_view call :
       {"call(a), to_apply=f",
        "custom-call(a), custom_call_target=\"t\", called_computations={f}"}) {
    const auto module = Parse(CallOfThread(call));
    EXPECT_EQ(HloVerifier().Verify(*module), absl::OkStatus()) << call;
    EXPECT_THAT(std::string(strict.Verify(*module).message()),
                BreaksRule("instruction_c4"))
        << call;
  }
}

TEST(HloVerifierTest, ThreadsStartAsynchronously) {
  const auto module = Parse(R"(
HloModule m
f {
  x = f32[2] parameter(0)
  ROOT y = f32[2] negate(x)
}, execution_thread="worker"
ENTRY e {
  a = f32[2] parameter(0)
  s = ((f32[2]), f32[2], u32[]) async-start(a), async_execution_thread="worker", calls=f
  ROOT d = f32[2] async-done(s)
}
)");
  EXPECT_EQ(HloVerifier({.verify_call_nested_computation_thread_name = true})
                .Verify(*module),
            absl::OkStatus());
}

// composite_call_c1 to composite_call_c3.
TEST(HloVerifierTest, CompositesHaveNames) {
  EXPECT_THAT(ErrorOf(*Parse(R"(
HloModule m
f {
  x = f32[2] parameter(0)
  ROOT y = f32[2] negate(x)
}
ENTRY e {
  a = f32[2] parameter(0)
  ROOT c = f32[2] call(a), to_apply=f, is_composite=true
}
)")),
              BreaksRule("composite_call_c1"));
  EXPECT_THAT(ErrorOf(*Parse(R"(
HloModule m
f {
  x = f32[2] parameter(0)
  ROOT y = f32[2] negate(x)
}
ENTRY e {
  a = f32[2] parameter(0)
  ROOT c = f32[2] call(a), to_apply=f, is_composite=true,
    frontend_attributes={composite.name="n",composite.attributes=""}
}
)")),
              BreaksRule("composite_call_c2"));
  EXPECT_THAT(ErrorOf(*Parse(R"(
HloModule m
f {
  x = f32[2] parameter(0)
  ROOT y = f32[2] negate(x)
}
ENTRY e {
  a = f32[2] parameter(0)
  ROOT c = f32[2] call(a), to_apply=f, is_composite=true,
    frontend_attributes={composite.name="n",composite.version="-1"}
}
)")),
              BreaksRule("composite_call_c3"));
  const auto frontend = [](absl::string_view attributes) {
    return absl::StrCat(R"(
HloModule m
f {
  x = f32[2] parameter(0)
  ROOT y = f32[2] negate(x)
}
ENTRY e {
  a = f32[2] parameter(0)
  ROOT c = f32[2] call(a), to_apply=f, is_composite=true,
    frontend_attributes={)",
                        attributes, "}\n}\n");
  };
  EXPECT_THAT(ErrorOf(*Parse(frontend("composite.name=\"\""))),
              BreaksRule("composite_call_c1"));
  EXPECT_THAT(
      ErrorOf(*Parse(frontend("composite.name=\"n\",composite.version=\"x\""))),
      BreaksRule("composite_call_c3"));
  EXPECT_EQ(HloVerifier().Verify(*Parse(frontend("composite.name=\"n\""))),
            absl::OkStatus());
}

TEST(HloVerifierTest, alias_c1) {
  EXPECT_THAT(ErrorOf(*Parse(R"(
HloModule m, input_output_alias={ {0}: (7, {}, may-alias) }
ENTRY e {
  a = f32[4]{0} parameter(0)
  b = s8[4]{0} parameter(1)
  ROOT t = (f32[4]{0}, s8[4]{0}) tuple(a, b)
}
)")),
              BreaksRule("alias_c1"));
}

TEST(HloVerifierTest, alias_c2) {
  EXPECT_THAT(ErrorOf(*Parse(R"(
HloModule m, input_output_alias={ {5}: (0, {}, may-alias) }
ENTRY e {
  a = f32[4]{0} parameter(0)
  b = s8[4]{0} parameter(1)
  ROOT t = (f32[4]{0}, s8[4]{0}) tuple(a, b)
}
)")),
              BreaksRule("alias_c2"));
}

TEST(HloVerifierTest, alias_c3) {
  EXPECT_THAT(ErrorOf(*Parse(R"(
HloModule m, input_output_alias={ {1}: (0, {}, may-alias) }
ENTRY e {
  a = f32[4]{0} parameter(0)
  b = s8[4]{0} parameter(1)
  ROOT t = (f32[4]{0}, s8[4]{0}) tuple(a, b)
}
)")),
              BreaksRule("alias_c3"));
}

// Once aborted, since such arrays have no size.
TEST(HloVerifierTest, ArraysWithoutBoundAreAliased) {
  auto module = Parse(R"(
HloModule m, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY e {
  a = f32[?] parameter(0)
  ROOT b = f32[?] negate(a)
}
)");
  module->set_config(HloModuleConfig());
  EXPECT_EQ(HloVerifier().Verify(*module), absl::OkStatus());
}

TEST(HloVerifierTest, alias_c4) {
  EXPECT_THAT(ErrorOf(*Parse(R"(
HloModule m, input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (0, {}) }
ENTRY e {
  a = f32[4]{0} parameter(0)
  b = s8[4]{0} parameter(1)
  ROOT t = (f32[4]{0}, s8[4]{0}) tuple(a, b)
}
)")),
              BreaksRule("alias_c4"));
}

TEST(HloVerifierTest, schedule_c1) {
  auto module = Parse(R"(
HloModule m, is_scheduled=true
ENTRY e {
  a = f32[] parameter(0)
  ROOT c = f32[] negate(b)
  b = f32[] add(a, a)
}
)");
  EXPECT_THAT(ErrorOf(*module), BreaksRule("schedule_c1"));
}

// Ops that compute convert to the declared type; ops that move elements would
// reinterpret them and read beyond the operand.
TEST(HloVerifierTest, PrecisionMixesWhereElementsAreComputed) {
  const auto with = [](absl::string_view op) {
    return absl::StrCat("HloModule m\n",
                        "sum {\n  a = bf16[] parameter(0)\n"
                        "  b = bf16[] parameter(1)\n"
                        "  ROOT c = bf16[] add(a, b)\n}\n"
                        "ENTRY e {\n  x = bf16[2]{0} parameter(0)\n"
                        "  z = bf16[] parameter(1)\n"
                        "  s = s32[] parameter(2)\n"
                        "  t = (bf16[2]{0}) tuple(x)\n  ROOT r = ",
                        op, "\n}\n");
  };
  for (absl::string_view op :
       {"f32[2]{0} negate(x)", "f32[2]{0} add(x, x)", "f64[2]{0} sine(x)",
        "f32[] reduce(x, z), dimensions={0}, to_apply=sum",
        "f32[1]{0} reduce-window(x, z), window={size=2}, to_apply=sum"}) {
    const absl::Status status = HloVerifier().Verify(*Parse(with(op)));
    EXPECT_TRUE(status.ok()) << op << ": " << status.message();
  }
  for (absl::string_view op :
       {"f32[2]{0} all-reduce(x), replica_groups={}, to_apply=sum",
        "f32[2]{0} all-to-all(x), replica_groups={{0}}, dimensions={0}",
        "f32[2]{0} collective-permute(x), source_target_pairs={{0,0}}",
        "f32[4]{0} concatenate(x, x), dimensions={0}", "f32[2]{0} copy(x)",
        "f32[1]{0} dynamic-slice(x, s), dynamic_slice_sizes={1}",
        "f32[2]{0} get-tuple-element(t), index=0", "f32[2]{0} opt-barrier(x)",
        "f32[3]{0} pad(x, z), padding=0_1",
        "f32[2]{0} reduce-precision(x), exponent_bits=5, mantissa_bits=3",
        "f32[2]{0} reverse(x), dimensions={0}",
        "f32[1]{0} slice(x), slice={[0:1]}",
        "(f32[1]{0}, s32[1]{0}) topk(x), k=1, largest=true",
        "f32[2]{0} transpose(x), dimensions={0}", "(f32[2]{0}) tuple(x)"}) {
    EXPECT_THAT(ErrorOf(*Parse(with(op))), BreaksRule("instruction_c3")) << op;
  }
}

TEST(HloVerifierTest, async_c1) {
  EXPECT_THAT(ErrorOf(*Parse(R"(
HloModule m
ENTRY e {
  a = f32[4]{0} parameter(0)
  start = (f32[4]{0}, f32[4]{0}, u32[]) copy-start(a)
  done = f32[4]{0} copy-done(start)
  again = f32[4]{0} copy-done(start)
  ROOT r = f32[4]{0} add(done, again)
}
)")),
              BreaksRule("async_c1"));
}

TEST(HloVerifierTest, async_c2) {
  EXPECT_THAT(ErrorOf(*Parse(R"(
HloModule m
ENTRY e {
  p = (f32[4]{0}, f32[4]{0}, u32[]) parameter(0)
  ROOT done = f32[4]{0} copy-done(p)
}
)")),
              BreaksRule("async_c2"));
}

TEST(HloVerifierTest, layout_c1) {
  auto module = Parse(R"(
HloModule m
ENTRY e {
  x = f32[2,3]{0,1} parameter(0)
  ROOT n = f32[2,3]{1,0} negate(x)
}
)");
  EXPECT_TRUE(HloVerifier().Verify(*module).ok());
  const absl::Status status =
      HloVerifier(/*layout_sensitive=*/true, /*allow_mixed_precision=*/true)
          .Verify(*module);
  EXPECT_THAT(std::string(status.message()), BreaksRule("layout_c1"));
}

bool CopiesChangeLayouts(const HloInstruction* instruction) {
  return instruction->opcode() == HloOpcode::kCopy;
}

TEST(HloVerifierTest, layout_c2) {
  const auto wrong = Parse(R"(
HloModule m
ENTRY e {
  x = f32[4,5]{0,1} parameter(0)
  ROOT n = f32[3,5]{1,0} slice(x), slice={[0:3], [0:5]}
}
)");
  // CopiesChangeLayouts holds for copies, which may change the layout.
  const HloVerifier strict(/*layout_sensitive=*/true,
                           /*allow_mixed_precision=*/true, CopiesChangeLayouts);
  EXPECT_THAT(std::string(strict.Verify(*wrong).message()),
              BreaksRule("layout_c2"));
  auto verify = [](absl::string_view root) {
    auto module = Parse(absl::StrCat(R"(
HloModule m
ENTRY e {
  x = f32[4,5]{0,1} parameter(0)
  v = f32[20]{0} reshape(x)
  ROOT n = )",
                                     root, "\n}\n"));
    EXPECT_TRUE(HloVerifier(/*layout_sensitive=*/true,
                            /*allow_mixed_precision=*/true)
                    .Verify(*module)
                    .ok());
    return HloVerifier(/*layout_sensitive=*/true,
                       /*allow_mixed_precision=*/true, CopiesChangeLayouts)
        .Verify(*module);
  };
  EXPECT_TRUE(verify("f32[4,5]{1,0} copy(x)").ok());
  EXPECT_TRUE(verify("f32[3,5]{0,1} slice(x), slice={[0:3], [0:5]}").ok());
  const absl::Status status =
      verify("f32[3,5]{1,0} slice(x), slice={[0:3], [0:5]}");
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("Instruction shouldn't change layouts"));
}

TEST(HloVerifierTest, PredicatesOfLayoutsNeedLayouts) {
  auto module = Parse("HloModule m ENTRY e { ROOT x = f32[4] parameter(0) }");
  const absl::Status status =
      HloVerifier(/*layout_sensitive=*/false, /*allow_mixed_precision=*/true,
                  CopiesChangeLayouts)
          .Verify(*module);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
}

TEST(HloVerifierTest, layout_c3) {
  auto module = Parse(R"(
HloModule m
ENTRY e {
  x = f32[2,4]{1,0} parameter(0)
  ROOT b = f32[8]{0} bitcast(x)
}
)");
  HloVerifierOptions options;
  options.layout_sensitive = true;
  // Each row begins at a multiple of 64 bytes.
  options.shape_size = [](const Shape& shape) {
    const int64_t row = shape.dimensions(shape.rank() - 1) * 4;
    return ShapeUtil::ElementsIn(shape) * 4 / row * ((row + 63) / 64 * 64);
  };
  const absl::Status status = HloVerifier(options).Verify(*module);
  EXPECT_THAT(std::string(status.message()), BreaksRule("layout_c3"));
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("output (64) and operand (128)"));
  options.allow_bitcast_to_have_different_size = true;
  EXPECT_TRUE(HloVerifier(options).Verify(*module).ok());
  options.allow_bitcast_to_have_different_size = false;
  options.layout_sensitive = false;
  EXPECT_TRUE(HloVerifier(options).Verify(*module).ok());
}

// Returns the message of verifying `text` with an option that refuses it and
// without which it is accepted.
std::string ErrorWith(bool HloVerifierOptions::* option,
                      absl::string_view text) {
  const auto module = Parse(text);
  HloVerifierOptions options;
  options.layout_sensitive = true;
  EXPECT_EQ(HloVerifier(options).Verify(*module), absl::OkStatus());
  options.*option = true;
  return std::string(HloVerifier(options).Verify(*module).message());
}

TEST(HloVerifierTest, layout_c4) {
  const std::string error =
      ErrorWith(&HloVerifierOptions::verify_reshape_is_bitcast, R"(
HloModule m
ENTRY e {
  x = f32[2,4]{1,0} parameter(0)
  same = f32[8]{0} reshape(x)
  ROOT r = f32[4,2]{0,1} reshape(x)
})");
  EXPECT_THAT(error, HasSubstr("instruction r"));
  EXPECT_THAT(error, BreaksRule("layout_c4"));
}

TEST(HloVerifierTest, instruction_c5) {
  const std::string error =
      ErrorWith(&HloVerifierOptions::verify_instruction_name_unchanged, R"(
HloModule m
ENTRY e {
  x = f32[2]{0} parameter(0), metadata={scheduling_name="x"}
  y.clone = f32[2]{0} negate(x), metadata={scheduling_name="y"}
  ROOT z = f32[2]{0} negate(y.clone), metadata={scheduling_name="r"}
})");
  EXPECT_THAT(error, BreaksRule("instruction_c5"));
  EXPECT_THAT(error, HasSubstr("Was 'r' is 'z'"));
}

TEST(HloVerifierTest, instruction_c6) {
  EXPECT_THAT(
      ErrorWith(&HloVerifierOptions::verify_broadcast_dimensions_order, R"(
HloModule m
ENTRY e {
  x = f32[2,3]{1,0} parameter(0)
  ROOT r = f32[3,2]{1,0} broadcast(x), dimensions={1,0}
})"),
      BreaksRule("instruction_c6"));
}

// Reading and verifying are linear: each link knows its start from the link
// before. Following the chain back from each link would take minutes.
TEST(HloVerifierTest, LongAsyncChains) {
  const std::string shape = "((f32[4]), f32[4], u32[])";
  std::string text = absl::StrCat(
      "HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  a0 = ", shape,
      " negate-start(x)\n");
  constexpr int kLinks = 100000;
  for (int i = 0; i < kLinks; ++i) {
    absl::StrAppend(&text, "  a", i + 1, " = ", shape, " negate-update(a", i,
                    ")\n");
  }
  absl::StrAppend(&text, "  ROOT r = f32[4] negate-done(a", kLinks, ")\n}\n");
  const std::clock_t start = std::clock();
  const absl::Status status = HloVerifier().Verify(*Parse(text));
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_LT(std::clock() - start, 30 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace xla
