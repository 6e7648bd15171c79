// Members of modules and of single classes, written as for XLA.
#include <memory>
#include <optional>
#include <string>
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
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

TEST(ModuleMembersTest, PayloadsOfTheModule) {
  auto module = ParseAndReturnUnverifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[] parameter(0)
  y = f32[] custom-call(x), custom_call_target="t"
  ROOT z = f32[] custom-call(y), custom_call_target="t"
})")
                    .value();
  HloModuleProto proto = module->ToProto();
  proto.add_payloads("none");
  proto.add_payloads("long");
  HloComputationProto& entry = *proto.mutable_computations(0);
  entry.mutable_instructions(1)->mutable_backend_config_payload()->set_id(1);
  entry.mutable_instructions(2)->mutable_backend_config_payload()->set_value(
      "short");
  Payload& frames = *entry.mutable_instructions(2)
                         ->mutable_metadata()
                         ->mutable_metadata_payload();
  frames.set_id(0);
  const auto read = [&] { return HloModule::CreateFromProto(proto, {}); };
  auto copy = read().value();
  const HloInstruction* z = copy->entry_computation()->root_instruction();
  EXPECT_EQ(z->operand(0)->raw_backend_config_string(), "long");
  EXPECT_EQ(z->raw_backend_config_string(), "short");
  EXPECT_EQ(z->metadata().metadata_payload().value(), "none");
  frames.set_id(5);
  EXPECT_THAT(std::string(read().status().message()),
              HasSubstr("Invalid metadata payload id 5"));
  frames.set_value("none");
  entry.mutable_instructions(2)->set_backend_config("another");
  EXPECT_THAT(std::string(read().status().message()),
              HasSubstr("two backend configs"));
}

TEST(ModuleMembersTest, DeviceTypesOfProtos) {
  HloModuleConfig config;
  config.set_device_type("TPU");
  auto module = ParseAndReturnUnverifiedModule(
                    "HloModule m\nENTRY e {\n  ROOT x = f32[] parameter(0)\n}")
                    .value();
  HloModuleProto proto = module->ToProto();
  proto.set_device_type("GPU");
  auto copy = HloModule::CreateFromProto(proto, config).value();
  EXPECT_EQ(copy->config().device_type(), "GPU");
  copy->mutable_config().set_device_type("CPU");
  EXPECT_EQ(copy->ToProto().device_type(), "CPU");
}

}  // namespace
}  // namespace xla
