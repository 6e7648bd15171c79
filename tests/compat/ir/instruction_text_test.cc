// Texts of single instructions and of chains of asynchronous ones, and what is
// refused when text and protos are read.
#include <memory>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/printer.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class InstructionTextTest : public ParsedModuleTest {
 protected:
  // Returns the entry's root `negate`, now the done of a chain of its own.
  static HloInstruction* MakeAsync(HloModule& module) {
    HloComputation* entry = module.entry_computation();
    return entry
        ->CreateAsyncInstructions(entry->root_instruction(),
                                  {ShapeUtil::MakeScalarShape(U32)}, "host")
        .value();
  }
  static constexpr absl::string_view kNegate = R"(
HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  ROOT n = f32[4] negate(x)
})";
};

TEST_F(InstructionTextTest, RootIsOfTheComputation) {
  auto module = Chain();
  const HloInstruction* root = module->entry_computation()->root_instruction();
  EXPECT_THAT(root->ToString(), StartsWith("%t = "));
  EXPECT_THAT(module->ToString(), HasSubstr("ROOT %t = "));
  // Canonical names are those of a computation.
  EXPECT_THAT(Find(module, "b")->ToString(HloPrintOptions::Canonical()),
              StartsWith("f32[4]{0} add("));
}

TEST_F(InstructionTextTest, CanonicalNamesOfAMap) {
  auto module = Chain();
  auto options = HloPrintOptions::Canonical();
  options.set_is_in_nested_computation(true);
  EXPECT_EQ(Find(module, "a")->ToString(options),
            "tmp_0 = f32[4]{0} negate(f32[4]{0} tmp_1)");
  CanonicalNameMap names;
  const auto text = [&](absl::string_view name) {
    StringPrinter printer;
    Find(module, name)->PrintWithCanonicalNameMap(&printer, options, &names);
    return std::move(printer).ToString();
  };
  EXPECT_EQ(text("y"), "tmp_0 = f32[4]{0} parameter(1)");
  EXPECT_EQ(text("b"),
            "tmp_1 = f32[4]{0} add(f32[4]{0} tmp_2, f32[4]{0} tmp_0)");
  EXPECT_EQ(text("c"),
            "tmp_3 = f32[4]{0} multiply(f32[4]{0} tmp_1, f32[4]{0} tmp_1)");
  options.set_is_in_nested_computation(false);
  EXPECT_EQ(text("a"), "f32[4]{0} negate(f32[4]{0})");
}

TEST_F(InstructionTextTest, ChainsThatNameTheirComputationAreRead) {
  auto module = Parse(kNegate);
  HloInstruction* done = MakeAsync(*module);
  done->ReplaceCalledComputations(done->operand(0)->called_computations());
  ASSERT_TRUE(verifier().Run(module.get()).ok());
  EXPECT_EQ(done->async_execution_thread(), "host");
  const std::string text = module->ToString();
  EXPECT_THAT(text, HasSubstr("negate-done("));
  auto again = ParseAndReturnVerifiedModule(text);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((*again)->ToString(), text);
  done = (*again)->entry_computation()->root_instruction();
  EXPECT_EQ(done->async_execution_thread(), "host");
  done->set_async_execution_thread("other");
  EXPECT_EQ(done->async_execution_thread(), "other");
  EXPECT_TRUE(verifier().Run(again->get()).ok());
}

TEST_F(InstructionTextTest, ShortFormsDropNothing) {
  auto module = Parse(kNegate);
  module->entry_computation()->root_instruction()->set_sharding(
      HloSharding::Replicate());
  HloInstruction* done = MakeAsync(*module);
  ASSERT_TRUE(done->async_wrapped_instruction()->has_sharding());
  const std::string text = module->ToString();
  EXPECT_THAT(text, Not(HasSubstr("negate-start(")));
  auto again = ParseAndReturnVerifiedModule(text);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE((*again)
                  ->entry_computation()
                  ->root_instruction()
                  ->async_wrapped_instruction()
                  ->has_sharding());
}

TEST_F(InstructionTextTest, ShardingsThatMeanNothingAreRefused) {
  const auto module = ParseAndReturnUnverifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[4,4] parameter(0), sharding={devices=[2,2,2]<=[8] last_tile_dims={manual} last_tile_dim_replicate}
})");
  EXPECT_EQ(module.status().code(), absl::StatusCode::kInvalidArgument);
  HloModuleProto proto = Parse(kNegate)->ToProto();
  OpSharding& sharding = *proto.mutable_computations(0)
                              ->mutable_instructions(0)
                              ->mutable_sharding();
  sharding.set_type(OpSharding::OTHER);
  sharding.add_tile_assignment_dimensions(2);
  EXPECT_FALSE(HloModule::CreateFromProto(proto).ok());
}

TEST_F(InstructionTextTest, WalksStayInTheComputation) {
  auto module = Parse(kNegate);
  HloInstruction* x = Find(module, "x");
  // It uses x, but belongs to nobody.
  const std::unique_ptr<HloInstruction> loose =
      HloInstruction::CreateUnary(x->shape(), HloOpcode::kAbs, x);
  EXPECT_EQ(module->entry_computation()->MakeInstructionPostOrder().size(), 2u);
  EXPECT_EQ(module->Clone()->instruction_count(), 2);
}

}  // namespace
}  // namespace xla
