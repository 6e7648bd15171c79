// Members of modules and of single classes, written as for XLA.
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/hlo_casting_utils.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

std::unique_ptr<HloComputation> Negation(absl::string_view name) {
  const Shape shape = ShapeUtil::MakeShape(F32, {4});
  HloComputation::Builder builder(name);
  builder.AddInstruction(HloInstruction::CreateUnary(
      shape, HloOpcode::kNegate,
      builder.AddInstruction(HloInstruction::CreateParameter(0, shape, "x"))));
  return builder.Build();
}

TEST(ModuleMembersTest, ClonesHaveTheSuffixEverywhere) {
  HloModuleConfig config;
  config.set_device_memory_size(int64_t{1} << 30);
  HloModule module("module", config);
  HloComputation* entry = module.AddEntryComputation(Negation("e"));
  entry->CreateCallInstruction({entry->root_instruction()}, "callee");
  module.metadata()->set_module_group_name("group");
  const std::unique_ptr<HloModule> clone = module.Clone("copy");
  EXPECT_EQ(clone->name(), "module-copy");
  EXPECT_EQ(clone->entry_computation()->name(), "e.copy");
  EXPECT_NE(clone->GetComputationWithName("callee.copy"), nullptr);
  EXPECT_EQ(clone->metadata()->proto().module_group_name(), "group");
  EXPECT_EQ(clone->config().device_memory_size(), int64_t{1} << 30);
  EXPECT_EQ(module.Clone("")->entry_computation()->name(), "e");
}

TEST(ModuleMembersTest, PostOrdersOfAllowedComputations) {
  HloModule module("module", HloModuleConfig());
  HloComputation* entry = module.AddEntryComputation(Negation("e"));
  HloInstruction* call =
      entry->CreateCallInstruction({entry->root_instruction()});
  EXPECT_THAT(module.MakeComputationPostOrder(/*execution_threads=*/{},
                                              {call->to_apply()}),
              ElementsAre(call->to_apply()));
  EXPECT_THAT(module.MakeComputationPostOrder({}, {call->to_apply(), entry}),
              ElementsAre(call->to_apply(), entry));
  EXPECT_THAT(module.MakeComputationPostOrder({"host"}, {entry}),
              ElementsAre());
  EXPECT_EQ(Cast<HloCallableInstruction>(call)->called_computation(),
            call->to_apply());
  EXPECT_EQ(Cast<HloCallableInstruction>(call)->called_computation_root(),
            call->to_apply()->root_instruction());
  module.CleanupComputations();
  EXPECT_EQ(module.computation_count(), 2);
}

TEST(ModuleMembersTest, ComparisonsAndPermutes) {
  HloModule module("module", HloModuleConfig());
  HloComputation* entry = module.AddEntryComputation(Negation("e"));
  HloInstruction* x = entry->parameter_instruction(0);
  const auto* less = Cast<HloCompareInstruction>(
      entry->AddInstruction(HloInstruction::CreateCompare(
          ShapeUtil::MakeShape(PRED, {4}), x, x, ComparisonDirection::kLt)));
  EXPECT_EQ(less->direction(), ComparisonDirection::kLt);
  EXPECT_EQ(less->order(), ComparisonOrder::kPartial);
  EXPECT_EQ(less->type(), Comparison::Type::kFloat);
  const std::vector<std::pair<int64_t, int64_t>> pairs = {{0, 1}, {1, 0}};
  const std::vector<HloInstruction*> operands = {x, entry->root_instruction()};
  HloInstruction* permute =
      entry->AddInstruction(HloInstruction::CreateCollectivePermute(
          ShapeUtil::MakeTupleShape({x->shape(), x->shape()}), operands, pairs,
          /*channel_id=*/std::nullopt));
  EXPECT_EQ(permute->operand_count(), 2);
  EXPECT_EQ(permute->source_target_pairs(), pairs);
}

}  // namespace
}  // namespace xla
