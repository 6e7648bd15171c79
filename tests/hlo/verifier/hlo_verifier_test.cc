// One broken module per rule of the verifier.
#include "xla/hlo/verifier/hlo_verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

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

// The message of verifying `module`, which must fail.
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

TEST(HloVerifierTest, module_c1) {
  EXPECT_THAT(ErrorOf(HloModule("empty")), HasSubstr("(module_c1)"));
}

TEST(HloVerifierTest, module_c2) {
  auto module = Parse(kGood);
  HloComputation* twice = module->GetComputationWithName("double");
  twice->AddInstruction(
      HloInstruction::Create(HloOpcode::kCall, ShapeUtil::MakeShape(F32, {}),
                             {twice->parameter_instruction(0)}, {}, {twice}));
  EXPECT_THAT(ErrorOf(*module), HasSubstr("(module_c2)"));
}

TEST(HloVerifierTest, module_c3) {
  auto module = Parse(kGood);
  auto other = Parse(kGood);
  module->entry_computation()
      ->root_instruction()
      ->mutable_operand(0)
      ->set_called_computation(0, other->GetComputationWithName("double"));
  EXPECT_THAT(ErrorOf(*module), HasSubstr("(module_c3)"));
}

TEST(HloVerifierTest, module_c4) {
  auto module = Parse(kGood);
  *module->mutable_config().entry_computation_layout.mutable_result() =
      ShapeUtil::MakeShape(S32, {});
  EXPECT_THAT(ErrorOf(*module), HasSubstr("(module_c4)"));
}

TEST(HloVerifierTest, module_c5) {
  auto module = Parse(kGood);
  module->entry_computation()->root_instruction()->SetName("a");
  EXPECT_THAT(ErrorOf(*module), HasSubstr("(module_c5)"));
}

TEST(HloVerifierTest, computation_c1) {
  auto module = Parse(kGood);
  module->entry_computation()->set_root_instruction(
      module->GetComputationWithName("double")->root_instruction());
  EXPECT_THAT(ErrorOf(*module), HasSubstr("(computation_c1)"));
}

TEST(HloVerifierTest, computation_c2) {
  auto module = Parse(kGood);
  HloInstruction* root = module->entry_computation()->root_instruction();
  ASSERT_TRUE(root->AddControlDependencyTo(root->mutable_operand(0)).ok());
  EXPECT_THAT(ErrorOf(*module), HasSubstr("(computation_c2)"));
}

TEST(HloVerifierTest, instruction_c1) {
  auto module = Parse(kGood);
  HloInstruction* root = module->entry_computation()->root_instruction();
  *root->mutable_shape() = Shape();
  EXPECT_THAT(ErrorOf(*module), HasSubstr("(instruction_c1)"));
}

TEST(HloVerifierTest, instruction_c2) {
  auto module = Parse(kGood);
  HloComputation* entry = module->entry_computation();
  HloComputation* twice = module->GetComputationWithName("double");
  ASSERT_TRUE(entry->root_instruction()
                  ->ReplaceOperandWith(0, twice->parameter_instruction(0))
                  .ok());
  EXPECT_THAT(ErrorOf(*module), HasSubstr("(instruction_c2)"));
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
                     HasSubstr("f32[4]"), HasSubstr("(instruction_c3)")));
}

std::unique_ptr<HloModule> WithAliases(absl::string_view attributes) {
  return Parse(absl::StrCat("HloModule m, ", attributes, R"(
ENTRY e {
  a = f32[4]{0} parameter(0)
  b = s8[4]{0} parameter(1)
  ROOT t = (f32[4]{0}, s8[4]{0}) tuple(a, b)
}
)"));
}

TEST(HloVerifierTest, alias_c1) {
  EXPECT_THAT(
      ErrorOf(*WithAliases("input_output_alias={ {0}: (7, {}, may-alias) }")),
      HasSubstr("(alias_c1)"));
}

TEST(HloVerifierTest, alias_c2) {
  EXPECT_THAT(
      ErrorOf(*WithAliases("input_output_alias={ {5}: (0, {}, may-alias) }")),
      HasSubstr("(alias_c2)"));
}

TEST(HloVerifierTest, alias_c3) {
  EXPECT_THAT(
      ErrorOf(*WithAliases("input_output_alias={ {1}: (0, {}, may-alias) }")),
      HasSubstr("(alias_c3)"));
}

TEST(HloVerifierTest, alias_c4) {
  EXPECT_THAT(
      ErrorOf(*WithAliases("input_output_alias={ {0}: (0, {}, may-alias) }, "
                           "buffer_donor={ (0, {}) }")),
      HasSubstr("(alias_c4)"));
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
  EXPECT_THAT(ErrorOf(*module), HasSubstr("(schedule_c1)"));
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
              HasSubstr("(async_c1)"));
}

TEST(HloVerifierTest, async_c2) {
  EXPECT_THAT(ErrorOf(*Parse(R"(
HloModule m
ENTRY e {
  p = (f32[4]{0}, f32[4]{0}, u32[]) parameter(0)
  ROOT done = f32[4]{0} copy-done(p)
}
)")),
              HasSubstr("(async_c2)"));
}

}  // namespace
}  // namespace xla
