// Members of instructions, written as for XLA: annotations, control edges,
// comparison, properties, attributes, factories.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/ir/hlo_casting_utils.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/ir/hlo_sharding.h"
#include "xla/layout_util.h"
#include "xla/literal_util.h"
#include "xla/service/pattern_matcher.h"
#include "xla/service/pattern_matcher_gmock.h"
#include "xla/shape_util.h"
#include "xla/tsl/lib/core/status_test_util.h"
#include "xla/tsl/platform/statusor.h"

namespace xla {
namespace {

namespace m = match;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using InstructionMembersTest = ParsedModuleTest;

// Annotations ----------------------------------------------------------------

TEST_F(InstructionMembersTest, Metadata) {
  auto module = Chain();
  HloInstruction* a = Find(module, "a");
  a->set_metadata_op_name("model/a");
  a->set_metadata_deduplicated_name("twin");
  a->set_metadata_scheduling_name("a.1");
  a->set_size_of_generated_code_in_bytes(64);
  a->set_size_of_memory_working_set_in_bytes(128);
  a->mutable_metadata().set_source_line(7);
  EXPECT_EQ(a->metadata().op_name(), "model/a");
  EXPECT_EQ(a->metadata().deduplicated_name(), "twin");
  EXPECT_EQ(a->metadata().scheduling_name(), "a.1");
  EXPECT_EQ(a->metadata().size_of_generated_code_in_bytes(), 64);
  EXPECT_EQ(a->metadata().size_of_memory_working_set_in_bytes(), 128);
  EXPECT_EQ(a->metadata().source_line(), 7);
}

TEST_F(InstructionMembersTest, Shardings) {
  auto module = Chain();
  HloInstruction* a = Find(module, "a");
  HloInstruction* b = Find(module, "b");
  HloInstruction* t = Find(module, "t");
  EXPECT_EQ(a->sharding_ptr(), nullptr);
  EXPECT_EQ(a->sharding_unique_device(), std::nullopt);
  EXPECT_TRUE(a->has_compatible_sharding(b));
  EXPECT_TRUE(a->sharding_or_default(HloSharding::Replicate()).IsReplicated());
  a->set_sharding(HloSharding::IotaTile({2}));
  EXPECT_EQ(a->sharding(), HloSharding::IotaTile({2}));
  EXPECT_EQ(&a->sharding(), a->sharding_ptr().get());
  EXPECT_EQ(a->sharding_proto().tile_assignment_dimensions(0), 2);
  EXPECT_FALSE(a->has_compatible_sharding(b));
  EXPECT_FALSE(a->sharding_or_default(HloSharding::Replicate()).IsReplicated());
  b->copy_sharding(a);
  EXPECT_TRUE(a->has_compatible_sharding(b));
  EXPECT_EQ(b->sharding_ptr(), a->sharding_ptr());
  b->set_device_sharding(3);
  EXPECT_FALSE(a->has_compatible_sharding(b));
  EXPECT_EQ(b->sharding_unique_device(), 3);
  t->set_single_sharding(HloSharding::Replicate());
  EXPECT_TRUE(t->sharding().IsTuple());
  EXPECT_EQ(t->sharding().tuple_elements().size(), 2);
  const auto held = std::make_shared<const HloSharding>(HloSharding::Manual());
  a->set_sharding(held);
  EXPECT_EQ(a->sharding_ptr(), held);
  EXPECT_EQ(a->sharding_proto().type(), OpSharding::MANUAL);
  a->set_sharding(std::shared_ptr<const HloSharding>());
  EXPECT_FALSE(a->has_sharding());
  t->copy_sharding(a);
  EXPECT_FALSE(t->has_sharding());
}

TEST_F(InstructionMembersTest, FrontendAttributesAndConfigs) {
  auto module = Chain();
  HloInstruction* a = Find(module, "a");
  HloInstruction* b = Find(module, "b");
  FrontendAttributes attributes;
  (*attributes.mutable_map())["k"] = "new";
  (*attributes.mutable_map())["l"] = "w";
  a->set_frontend_attribute("k", "old");
  a->add_frontend_attributes(attributes);
  EXPECT_EQ(a->get_frontend_attribute("k"), "old");
  EXPECT_EQ(a->get_frontend_attribute("l"), "w");
  EXPECT_EQ(a->erase_frontend_attribute("k"), 1);
  EXPECT_EQ(a->erase_frontend_attribute("k"), 0);
  EXPECT_EQ(b->erase_frontend_attribute("k"), 0);

  TF_EXPECT_OK(a->MutateBackendConfig<WindowDimension>([](WindowDimension* d) {
    d->set_size(3);
    return absl::OkStatus();
  }));
  TF_EXPECT_OK(a->MutateBackendConfig<WindowDimension>([](WindowDimension* d) {
    d->set_size(d->size() + 1);
    return absl::OkStatus();
  }));
  EXPECT_EQ(a->backend_config<WindowDimension>()->size(), 4);
  EXPECT_FALSE(a->MutateBackendConfig<WindowDimension>([](WindowDimension* d) {
                  d->set_size(9);
                  return absl::InternalError("no");
                }).ok());
  EXPECT_EQ(a->backend_config<WindowDimension>()->size(), 4);
  b->CopyBackendConfigFrom(a);
  EXPECT_EQ(b->raw_backend_config_string(), a->raw_backend_config_string());
  b->clear_backend_config();
  EXPECT_FALSE(b->has_backend_config());
  EXPECT_TRUE(a->has_backend_config());
}

TEST_F(InstructionMembersTest, Statistics) {
  auto module = Chain();
  HloInstruction* a = Find(module, "a");
  EXPECT_FALSE(a->has_statistics());
  Statistic nans;
  nans.set_stat_name("nans");
  nans.set_stat_val(2);
  Statistic infs;
  infs.set_stat_name("infs");
  infs.set_stat_val(0.5);
  a->add_single_statistic(nans);
  a->add_single_statistic(infs);
  a->set_stat_index_to_visualize(1);
  EXPECT_TRUE(a->has_statistics());
  EXPECT_EQ(a->statistic_to_visualize().stat_name(), "infs");
  EXPECT_FALSE(a->module_has_statistics());
  EXPECT_EQ(StatisticsVizToString(a->statistics_viz()),
            "{visualizing_index=1,nans=2,infs=0.5}");
  EXPECT_EQ(StatisticsVizToString(StatisticsViz()), "{}");
  a->set_stat_index_to_visualize(-1);
  EXPECT_TRUE(a->module_has_statistics());
}

// Control edges and uses -----------------------------------------------------

TEST_F(InstructionMembersTest, ControlEdges) {
  auto module = Chain();
  HloInstruction* x = Find(module, "x");
  HloInstruction* a = Find(module, "a");
  HloInstruction* b = Find(module, "b");
  HloInstruction* c = Find(module, "c");
  TF_EXPECT_OK(x->AddControlDependencyTo(a));
  TF_EXPECT_OK(a->AddControlDependencyTo(b));
  EXPECT_TRUE(a->HasSuccessorControlDependencies());
  EXPECT_FALSE(b->HasSuccessorControlDependencies());
  TF_EXPECT_OK(c->CopyAllControlDepsFrom(a));
  EXPECT_THAT(c->control_predecessors(), ElementsAre(x));
  EXPECT_THAT(c->control_successors(), ElementsAre(b));
  TF_EXPECT_OK(c->DropAllControlDeps());
  TF_EXPECT_OK(a->CopyAllControlDepsTo(a, c));
  EXPECT_THAT(c->control_successors(), ElementsAre(b));
  TF_EXPECT_OK(c->DropAllControlDeps());
  TF_EXPECT_OK(a->SafelyDropAllControlDependencies());
  EXPECT_FALSE(a->HasControlDependencies());
  EXPECT_THAT(x->control_successors(), ElementsAre(b));
}

TEST_F(InstructionMembersTest, UsesOfOneOperand) {
  auto module = Chain();
  HloInstruction* x = Find(module, "x");
  HloInstruction* y = Find(module, "y");
  HloInstruction* b = Find(module, "b");
  HloInstruction* c = Find(module, "c");
  EXPECT_THAT(c->operand_indices(b), ElementsAre(0, 1));
  EXPECT_THAT(c->operand_indices(x), IsEmpty());
  TF_EXPECT_OK(b->ReplaceUseWith(c, 1, y));
  EXPECT_THAT(c->operands(), ElementsAre(b, y));
  EXPECT_EQ(y->UserId(b), 0);
  EXPECT_EQ(y->UserId(c), 1);
  EXPECT_EQ(x->UserId(c), -1);
  EXPECT_FALSE(b->ReplaceUseWith(c, 1, x).ok());
  TF_EXPECT_OK(y->ReplaceUseWithDifferentShape(c, 1, x));
  EXPECT_THAT(c->operands(), ElementsAre(b, x));
  auto copies = c->mutable_operands();
  copies[0] = y;
  EXPECT_EQ(c->operand(0), b);
  TF_EXPECT_OK(b->ReplaceAllUsesWithDifferentShape({c}, y));
  EXPECT_THAT(c->operands(), ElementsAre(y, x));
  EXPECT_EQ(b->user_count(), 0);
  EXPECT_FALSE(c->HasConstantOperand());
  HloInstruction* constant =
      c->AddInstruction(HloInstruction::CreateConstant(
                            LiteralUtil::CreateR1<float>({1, 2, 3, 4})),
                        "one two");
  EXPECT_EQ(constant->name(), "one_two");
  TF_EXPECT_OK(c->ReplaceOperandWith(1, constant));
  EXPECT_TRUE(c->HasConstantOperand());

  auto half = HloInstruction::CreateParameter(
      2, ShapeUtil::MakeShape(BF16, {4}), "half");
  HloInstruction* added =
      module->entry_computation()->AddInstruction(std::move(half));
  TF_EXPECT_OK(c->ReplaceOperandWith(1, added));
  EXPECT_EQ(c->operand(1), added);
}

TEST_F(InstructionMembersTest, AncestorsOfElements) {
  auto module = Parse(R"(
HloModule nested
ENTRY main {
  t = (f32[4], (s32[], f32[2])) parameter(0)
  u = (s32[], f32[2]) get-tuple-element(t), index=1
  ROOT v = f32[2] get-tuple-element(u), index=1
})");
  HloInstruction* v = Find(module, "v");
  const auto [ancestor, index] = v->LatestNonGteAncestorAndIndex();
  EXPECT_EQ(ancestor, Find(module, "t"));
  EXPECT_EQ(index, ShapeIndex({1, 1}));
  EXPECT_EQ(v->LatestNonGteAncestor(), Find(module, "t"));
  const HloInstruction* t = Find(module, "t");
  EXPECT_EQ(t->LatestNonGteAncestor(), t);
}

// Comparison -----------------------------------------------------------------

TEST_F(InstructionMembersTest, Comparison) {
  auto module = Parse(R"(
HloModule same
sum {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT s = f32[] add(p, q)
}
twin {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT s = f32[] add(p, q)
}
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  a = f32[4] add(x, y)
  b = f32[4] add(y, x)
  c = f32[4] subtract(x, y)
  d = f32[4] subtract(y, x)
  r1 = f32[4] all-reduce(x), channel_id=1, replica_groups={}, to_apply=sum
  r2 = f32[4] all-reduce(x), channel_id=2, replica_groups={}, to_apply=sum
  r3 = f32[4] all-reduce(x), replica_groups={}, to_apply=sum
  r4 = f32[4] all-reduce(x), channel_id=1, replica_groups={}, to_apply=twin
  t1 = token[] after-all()
  t2 = token[] after-all()
  ROOT n = f32[4] negate(x)
})");
  const auto at = [&](absl::string_view name) -> const HloInstruction& {
    return *Find(module, name);
  };
  EXPECT_FALSE(at("a").Identical(at("b")));
  EXPECT_TRUE(at("a").IdenticalIgnoringCommutativeOperandOrder(at("b")));
  EXPECT_FALSE(at("c").IdenticalIgnoringCommutativeOperandOrder(at("d")));
  EXPECT_TRUE(at("a").SameOp(at("b")));
  EXPECT_FALSE(at("a").SameOp(at("c")));
  EXPECT_TRUE(at("c").Identical(
      at("d"),
      [](const HloInstruction*, const HloInstruction*) { return true; }));
  EXPECT_FALSE(at("r1").Identical(at("r2")));
  EXPECT_TRUE(at("r1").IdenticalIgnoringChannelIdValues(at("r2")));
  EXPECT_FALSE(at("r1").IdenticalIgnoringChannelIdValues(at("r3")));
  // Computations are compared by address unless the caller says otherwise.
  EXPECT_FALSE(at("r1").Identical(at("r4")));
  EXPECT_TRUE(
      at("r1").Identical(at("r4"), std::equal_to<const HloInstruction*>(),
                         [](const HloComputation* p, const HloComputation* q) {
                           return *p == *q;
                         }));
  EXPECT_FALSE(at("t1").Identical(at("t2")));
  EXPECT_TRUE(at("t1").Identical(at("t1")));

  Find(module, "a")->set_device_sharding(0);
  Find(module, "b")->set_device_sharding(1);
  EXPECT_TRUE(at("a").IdenticalIgnoringCommutativeOperandOrder(at("b")));
  EXPECT_FALSE(at("a").IdenticalIgnoringCommutativeOperandOrder(
      at("b"), std::equal_to<const HloInstruction*>(),
      std::equal_to<const HloComputation*>(), true,
      /*sharding_sensitive=*/true));
  EXPECT_TRUE(at("a").equal_result_accuracy(&at("b")));

  EXPECT_TRUE(at("r1").IsCrossModuleAllReduce());
  EXPECT_FALSE(at("r1").IsCrossReplicaAllReduce());
  EXPECT_TRUE(at("r3").IsCrossReplicaAllReduce());
  EXPECT_FALSE(at("a").IsCrossModuleAllReduce());
}

// Properties -----------------------------------------------------------------

TEST_F(InstructionMembersTest, Properties) {
  auto module = Parse(R"(
HloModule properties
ENTRY main {
  x = f32[1,4]{1,0} parameter(0)
  r = f32[4]{0} reshape(x)
  s = f32[2,2]{1,0} reshape(x)
  move = f32[4,1]{0,1} transpose(x), dimensions={1,0}
  turn = f32[2,2]{1,0} transpose(s), dimensions={1,0}
  add = f32[4]{0} add(r, r)
  zero = f32[] constant(0)
  rng = f32[4]{0} rng(zero, zero), distribution=rng_uniform
  ROOT t = (f32[4], f32[4,1], f32[2,2]) tuple(add, move, turn)
})");
  EXPECT_TRUE(Find(module, "add")->IsElementwiseBinary());
  EXPECT_FALSE(Find(module, "t")->IsElementwiseBinary());
  EXPECT_TRUE(Find(module, "move")->IsEffectiveBitcast());
  EXPECT_FALSE(Find(module, "turn")->IsEffectiveBitcast());
  EXPECT_TRUE(Find(module, "turn")->IsEffectiveBitcast(HloOpcode::kBitcast));
  const auto moved =
      Find(module, "r")->ReshapeMerelyInsertsOrDeletes1SizedDimensions();
  ASSERT_TRUE(moved.has_value());
  EXPECT_THAT(moved->deleted_dimensions, ElementsAre(0));
  EXPECT_THAT(moved->inserted_dimensions, IsEmpty());
  EXPECT_FALSE(Find(module, "s")
                   ->ReshapeMerelyInsertsOrDeletes1SizedDimensions()
                   .has_value());
  EXPECT_FALSE(Find(module, "add")
                   ->ReshapeMerelyInsertsOrDeletes1SizedDimensions()
                   .has_value());
  EXPECT_FALSE(Find(module, "x")->IsFusible());
  EXPECT_TRUE(Find(module, "rng")->IsFusible());
  EXPECT_EQ(Find(module, "add")->ToShortString(), "%add = add(%r, %r)");
  EXPECT_EQ(Find(module, "add")->SignatureString(),
            "(f32[4], f32[4]) -> f32[4]");
  EXPECT_EQ(Find(module, "add")->ToCategory(), "non-fusion elementwise");
  EXPECT_EQ(Find(module, "move")->ToCategory(), "data formatting");
  EXPECT_EQ(Find(module, "t")->ToCategory(), "tuple");

  EXPECT_TRUE(HloInstruction::IsOpElementwise(HloOpcode::kClamp));
  EXPECT_TRUE(HloInstruction::IsOpElementwise(HloOpcode::kBitcastConvert));
  EXPECT_FALSE(HloInstruction::IsOpElementwise(HloOpcode::kMap));
  EXPECT_FALSE(HloInstruction::IsOpElementwise(HloOpcode::kBroadcast));
  EXPECT_TRUE(HloInstruction::MightHaveCalledComputations(HloOpcode::kScan));
  EXPECT_FALSE(HloInstruction::MightHaveCalledComputations(HloOpcode::kAdd));
  EXPECT_TRUE(HloInstruction::IsThreadIncluded("main", {}));
  EXPECT_TRUE(HloInstruction::IsThreadIncluded("host", {"host"}));
  EXPECT_FALSE(HloInstruction::IsThreadIncluded(
      HloInstruction::kMainExecutionThread, {HloInstruction::kHostThread}));
  EXPECT_TRUE(IsUnaryOpWithResultAccuracy(HloOpcode::kTanh));
  EXPECT_FALSE(IsUnaryOpWithResultAccuracy(HloOpcode::kNegate));
}

TEST_F(InstructionMembersTest, NamesAndSets) {
  auto module = Chain();
  HloInstruction* a = Find(module, "a");
  a->SetAndSanitizeName("1 a");
  EXPECT_EQ(a->name(), "_1_a");
  a->SetAndSanitizeName("b");
  a->UniquifyName(module.get());
  EXPECT_EQ(a->name(), "b.1");
  EXPECT_FALSE(a->has_called_computations());

  HloInstruction* x = Find(module, "x");
  HloInstruction* y = Find(module, "y");
  HloInstructionSet set = {y, nullptr, x};
  EXPECT_THAT(set, ElementsAre(x, y, nullptr));
  HloInstructionMap<int> map = {{y, 2}, {x, 1}};
  EXPECT_EQ(map.begin()->second, 1);
  EXPECT_FALSE(HloPtrComparator()(x, x));
}

// Attributes and calls -------------------------------------------------------

TEST_F(InstructionMembersTest, Attributes) {
  auto module = Parse(R"(
HloModule attributes
ENTRY main {
  t = (f32[4], f32[4]) parameter(0), parameter_replication={true,false}
  p = f32[4,4] parameter(1)
  g = f32[4] get-tuple-element(t), index=0
  s = f32[2,2] slice(p), slice={[0:4:2],[1:3]}
  cs = (f32[4], f32[4], u32[]) copy-start(g), cross_program_prefetch_index=2
  cd = f32[4] copy-done(cs)
  ROOT r = (f32[2,2], f32[4]) tuple(s, cd)
})");
  HloInstruction* t = Find(module, "t");
  EXPECT_THAT(*t->parameter_replicated_at_leaf_buffers(),
              ElementsAre(true, false));
  t->set_parameter_replicated_at_leaf_buffers(std::vector<bool>{false, true});
  EXPECT_THAT(*t->parameter_replicated_at_leaf_buffers(),
              ElementsAre(false, true));
  EXPECT_EQ(Find(module, "p")->parameter_replicated_at_leaf_buffers(),
            std::nullopt);
  HloInstruction* g = Find(module, "g");
  g->set_tuple_index(1);
  EXPECT_EQ(g->tuple_index(), 1);
  HloInstruction* s = Find(module, "s");
  (*s->mutable_slice_starts())[1] = 2;
  s->mutable_slice_limits()->at(1) = 4;
  (*s->mutable_slice_strides())[0] = 1;
  EXPECT_THAT(s->slice_starts(), ElementsAre(0, 2));
  EXPECT_THAT(s->slice_limits(), ElementsAre(4, 4));
  EXPECT_THAT(s->slice_strides(), ElementsAre(1, 1));
  EXPECT_EQ(Find(module, "cs")->cross_program_prefetch_index(), 2);
}

TEST_F(InstructionMembersTest, ConstantsChangeTheirLayout) {
  auto module = CreateNewUnverifiedModule();
  HloComputation::Builder builder("main");
  HloInstruction* c = builder.AddInstruction(HloInstruction::CreateConstant(
      LiteralUtil::CreateR2<float>({{1, 2}, {3, 4}})));
  module->AddEntryComputation(builder.Build());
  c->RelayoutConstant(LayoutUtil::MakeLayout({0, 1}));
  EXPECT_EQ(c->shape().layout(), LayoutUtil::MakeLayout({0, 1}));
  EXPECT_EQ(c->literal().shape().layout(), LayoutUtil::MakeLayout({0, 1}));
  EXPECT_EQ(c->literal().Get<float>({0, 1}), 2);
  EXPECT_THAT(c->literal().data<float>(), ElementsAre(1, 3, 2, 4));
}

TEST_F(InstructionMembersTest, CalledComputations) {
  auto module = Parse(R"(
HloModule branches
inner {
  p = f32[] parameter(0)
  ROOT n = f32[] negate(p)
}
one {
  p = f32[] parameter(0)
  ROOT n = f32[] call(p), to_apply=inner
}
two {
  ROOT p = f32[] parameter(0)
}
ENTRY main {
  i = s32[] parameter(0)
  x = f32[] parameter(1)
  ROOT c = f32[] conditional(i, x, x), branch_computations={one, two}
})");
  HloInstruction* c = Find(module, "c");
  HloComputation* one = module->GetComputationWithName("one");
  HloComputation* two = module->GetComputationWithName("two");
  EXPECT_EQ(c->branch_index(two), 1);
  EXPECT_TRUE(c->has_called_computations());
  c->set_called_computations_execution_thread("side");
  EXPECT_EQ(one->execution_thread(), "side");
  EXPECT_EQ(module->GetComputationWithName("inner")->execution_thread(),
            "side");
  EXPECT_EQ(module->entry_computation()->execution_thread(), "main");
  c->ReplaceCalledComputations(
      [&](HloComputation* called) { return called == one ? two : called; });
  EXPECT_THAT(c->called_computations(), ElementsAre(two, two));
  c->ClearCalledComputations();
  EXPECT_FALSE(c->has_called_computations());
}

TEST_F(InstructionMembersTest, ThreadsOfAsynchronousOps) {
  auto module = Chain();
  TF_ASSERT_OK_AND_ASSIGN(HloInstruction * done,
                          module->entry_computation()->CreateAsyncInstructions(
                              Find(module, "b"), {}));
  EXPECT_EQ(done->operand(0)->async_execution_thread(), "main");
  done->set_async_execution_thread("parallel");
  EXPECT_EQ(done->operand(0)->async_execution_thread(), "parallel");
  EXPECT_EQ(done->async_wrapped_computation()->execution_thread(), "parallel");
}

// Factories ------------------------------------------------------------------

TEST_F(InstructionMembersTest, BroadcastSequences) {
  auto module = Parse(R"(
HloModule broadcasts
ENTRY main {
  scalar = s32[] parameter(0)
  thin = s32[2,1,3] parameter(1)
  ROOT t = (s32[], s32[2,1,3]) tuple(scalar, thin)
})");
  HloComputation* entry = module->entry_computation();
  const auto adder = [&](std::unique_ptr<HloInstruction> hlo) {
    return entry->AddInstruction(std::move(hlo));
  };
  const Shape wide = ShapeUtil::MakeShape(F32, {2, 5, 3});
  Find(module, "thin")->set_metadata_op_name("thin");
  HloInstruction* from_scalar =
      entry->AddInstruction(HloInstruction::CreateBroadcastSequence(
          wide, Find(module, "scalar"), adder));
  EXPECT_THAT(
      from_scalar,
      GmockMatch(m::Broadcast(m::Parameter(0)).WithShape(S32, {2, 5, 3})));
  HloInstruction* from_thin =
      entry->AddInstruction(HloInstruction::CreateBroadcastSequence(
          wide, Find(module, "thin"), adder));
  EXPECT_THAT(from_thin,
              GmockMatch(m::Broadcast(
                             m::Reshape(m::Parameter(1)).WithShape(S32, {2, 3}))
                             .WithShape(S32, {2, 5, 3})));
  EXPECT_THAT(from_thin->dimensions(), ElementsAre(0, 2));
  EXPECT_EQ(from_thin->metadata().op_name(), "thin");
  EXPECT_EQ(from_thin->operand(0)->metadata().op_name(), "thin");
}

TEST_F(InstructionMembersTest, CallsAndScans) {
  auto module = Chain();
  HloComputation* entry = module->entry_computation();
  HloInstruction* b = Find(module, "b");
  HloInstruction* fusion = entry->CreateFusionInstruction(
      {Find(module, "c")}, HloInstruction::FusionKind::kInput);
  EXPECT_EQ(fusion->ToCategory(), "input fusion");
  HloInstruction* call =
      entry->AddInstruction(HloInstruction::CreateCall(b->shape(), b));
  EXPECT_THAT(call->operands(),
              ElementsAre(Find(module, "a"), Find(module, "y")));
  EXPECT_THAT(call->to_apply()->root_instruction(),
              GmockMatch(m::Add(m::Parameter(0), m::Parameter(1))));
  HloInstruction* composite = entry->AddInstruction(
      HloInstruction::CreateCompositeCall(b->shape(), b, "my.sum", "{}", 1));
  EXPECT_TRUE(composite->is_composite());
  EXPECT_EQ(composite->get_frontend_attribute("composite.version"), "1");
  HloInstruction* same =
      entry->AddInstruction(HloInstruction::CreateCompositeCall(
          b->shape(), call->operands(), call->to_apply(), "my.sum", "{}", 2));
  EXPECT_EQ(same->to_apply(), call->to_apply());
  EXPECT_EQ(same->get_frontend_attribute("composite.name"), "my.sum");

  HloInstruction* init = entry->AddInstruction(
      HloInstruction::CreateConstant(LiteralUtil::CreateR0<float>(0)));
  HloInstruction* scan = entry->AddInstruction(HloInstruction::CreateScan(
      ShapeUtil::MakeTupleShape({b->shape(), init->shape()}), {b}, {init},
      call->to_apply(), /*scan_dimension=*/0, /*is_reverse=*/true));
  EXPECT_EQ(scan->opcode(), HloOpcode::kScan);
  EXPECT_THAT(scan->operands(), ElementsAre(b, init));
  EXPECT_THAT(scan->dimensions(), ElementsAre(0));
  EXPECT_THAT(scan->ToString(), HasSubstr("is_reverse=true"));
}

TEST_F(InstructionMembersTest, ClonesAndProtos) {
  auto module = Chain();
  HloInstruction* x = Find(module, "x");
  HloInstruction* y = Find(module, "y");
  HloInstruction* b = Find(module, "b");
  auto clone = b->CloneWithNewOperands(b->shape(), {y, x}, "twin");
  EXPECT_EQ(clone->name(), "b.twin");
  EXPECT_EQ(clone->operand(0), y);

  HloInstructionProto proto = b->ToProto();
  const absl::flat_hash_map<int64_t, HloInstruction*> operands = {
      {Find(module, "a")->local_id(), x}, {y->local_id(), y}};
  TF_ASSERT_OK_AND_ASSIGN(auto read,
                          HloInstruction::CreateFromProto(proto, operands));
  EXPECT_EQ(read->opcode(), HloOpcode::kAdd);
  EXPECT_EQ(read->operand(0), x);
  EXPECT_FALSE(HloInstruction::CreateFromProto(proto, {}).ok());
  HloInstructionProto constant;
  constant.set_opcode("constant");
  *constant.mutable_shape() = ShapeUtil::MakeShape(F32, {2}).ToProto();
  EXPECT_FALSE(HloInstruction::CreateFromProto(constant, {}).ok());
  TF_ASSERT_OK_AND_ASSIGN(
      auto empty, HloInstruction::CreateFromProto(
                      constant, {}, {}, /*prohibit_empty_literal=*/false));
  EXPECT_FALSE(empty->HasLiteral());
}

TEST_F(InstructionMembersTest, DetachedInstructionsHaveNoOperands) {
  auto module = Chain();
  HloInstruction* x = Find(module, "x");
  auto copy = HloInstruction::CreateUnary(x->shape(), HloOpcode::kCopy, x);
  EXPECT_EQ(x->user_count(), 2);
  copy->DetachFromOperandsAndUsers();
  EXPECT_EQ(x->user_count(), 1);
  EXPECT_EQ(copy->operand_count(), 0);
}

TEST_F(InstructionMembersTest, OperandsAreLeftAndUsersStay) {
  auto module = Chain();
  HloInstruction* b = Find(module, "b");
  HloInstruction* c = Find(module, "c");
  HloInstruction* t = Find(module, "t");
  c->DetachFromOperands();
  EXPECT_EQ(c->operand_count(), 0);
  EXPECT_EQ(b->user_count(), 0);
  EXPECT_EQ(t->operand(1), c);
  EXPECT_THAT(c->users(), ElementsAre(t));
}

TEST_F(InstructionMembersTest, ConstantsAreMadeByTheirClass) {
  const Shape shape = ShapeUtil::MakeShape(S32, {2});
  HloConstantInstruction unknown(shape);
  EXPECT_EQ(unknown.opcode(), HloOpcode::kConstant);
  EXPECT_EQ(unknown.shape(), shape);
  EXPECT_EQ(unknown.ToString(), "%constant = s32[2]{0} constant({...})");
  HloConstantInstruction known(LiteralUtil::CreateR1<int32_t>({3, 4}));
  EXPECT_EQ(known.literal().Get<int32_t>({1}), 4);
  const auto shared =
      std::make_shared<Literal>(LiteralUtil::CreateR1<int32_t>({5, 6}));
  HloConstantInstruction sharing(shared, shape);
  EXPECT_EQ(&sharing.literal(), shared.get());
  EXPECT_EQ(HloConstantInstruction(shared->Clone(), shape).literal(), *shared);
  sharing.DropLiteral();
  EXPECT_FALSE(sharing.HasLiteral());
}

// Properties of single ops ---------------------------------------------------

TEST_F(InstructionMembersTest, DimensionsOfTheOperand) {
  auto module = Parse(R"(
HloModule m
ENTRY e {
  x = f32[1,5,7] parameter(0)
  n = f32[1,5,7] negate(x)
  r = f32[5,7] reshape(x)
  b = f32[7,1,2,5] broadcast(r), dimensions={3,0}
  q = f32[5,1,7,1] reshape(x)
  w = f32[35] reshape(x)
  t = f32[7,1,5] transpose(x), dimensions={2,0,1}
  v = f32[1,5,7] reverse(x), dimensions={1}
  ROOT all = (f32[1,5,7], f32[7,1,2,5], f32[5,1,7,1], f32[35], f32[7,1,5], f32[1,5,7]) tuple(n, b, q, w, t, v)
})");
  const auto map = [&](absl::string_view name) {
    const HloInstruction* hlo = Find(module, name);
    std::vector<int64_t> dims;  // -1: none
    for (int64_t i = 0; i < hlo->shape().rank(); ++i) {
      dims.push_back(hlo->MapUnaryOutputDimToOperandDim(i).value_or(-1));
    }
    return dims;
  };
  EXPECT_THAT(map("n"), ElementsAre(0, 1, 2));
  EXPECT_THAT(map("b"), ElementsAre(1, -1, -1, 0));
  EXPECT_THAT(map("r"), ElementsAre(1, 2));
  EXPECT_THAT(map("q"), ElementsAre(1, -1, 2, -1));
  EXPECT_THAT(map("w"), ElementsAre(-1));
  EXPECT_THAT(map("t"), ElementsAre(2, 0, 1));
  EXPECT_THAT(map("v"), ElementsAre(-1, -1, -1));
}

TEST_F(InstructionMembersTest, SettersOfSingleOps) {
  // Not verified: there is one device.
  auto module = ParseAndReturnUnverifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[4,4] parameter(0)
  i = s32[2,1] parameter(1)
  d = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  g = f32[2,4] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}
  r = u64[1] rng-get-and-update-state(), delta=1
  n = s32[] constant(4)
  y = f32[<=4,<=4] dynamic-reshape(x, n, n)
  c = f32[4] custom-call(x), custom_call_target="c"
  a = f32[8,4] all-gather(x), channel_id=1, replica_groups={{0,1}}, dimensions={0}
  t = f32[4,4] all-to-all(x), channel_id=2, replica_groups={{0,1}}, dimensions={0}
  ROOT all = (f32[4,4], f32[2,4], u64[1], f32[4], f32[8,4], f32[4,4]) tuple(d, g, r, c, a, t)
})")
                    .value();
  Find(module, "d")
      ->mutable_dot_dimension_numbers()
      ->set_lhs_contracting_dimensions(0, 0);
  EXPECT_EQ(
      Find(module, "d")->dot_dimension_numbers().lhs_contracting_dimensions(0),
      0);
  Find(module, "g")->set_indices_are_sorted(true);
  EXPECT_TRUE(Find(module, "g")->indices_are_sorted());
  Find(module, "r")->set_delta(5);
  EXPECT_EQ(Find(module, "r")->delta(), 5);
  auto* reshape = Cast<HloDynamicReshapeInstruction>(Find(module, "y"));
  HloInstruction* n = Find(module, "n");
  EXPECT_THAT(reshape->dim_sizes(), ElementsAre(n, n));
  EXPECT_EQ(reshape->dim_sizes(1), n);
  HloInstruction* call = Find(module, "c");
  call->set_custom_call_schedule(CustomCallSchedule::SCHEDULE_EARLIEST);
  EXPECT_EQ(call->custom_call_schedule(), SCHEDULE_EARLIEST);
  call->set_padding_type(PaddingType::PADDING_SAME);
  EXPECT_EQ(call->padding_type(), PADDING_SAME);
  auto* gather = Cast<HloAllGatherInstruction>(Find(module, "a"));
  gather->set_all_gather_dimension(1);
  EXPECT_EQ(gather->all_gather_dimension(), 1);
  gather->set_use_global_device_ids(true);
  EXPECT_TRUE(gather->use_global_device_ids());
  auto* exchange = Cast<HloAllToAllInstruction>(Find(module, "t"));
  exchange->set_split_dimension(1);
  EXPECT_EQ(exchange->split_dimension(), 1);
}

TEST_F(InstructionMembersTest, PrecisionsAndPayloads) {
  auto module = Parse(R"(
HloModule m
ENTRY e {
  x = f32[3,3] parameter(0), metadata={metadata_payload="p\"q"}
  ROOT d = f32[3,3] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})");
  EXPECT_FALSE(Find(module, "x")->SupportsPrecisionConfig());
  EXPECT_TRUE(Find(module, "d")->SupportsPrecisionConfig());
  EXPECT_TRUE(Find(module, "x")->has_metadata_payload());
  EXPECT_EQ(Find(module, "x")->metadata_payload_string(), "p\"q");
  EXPECT_FALSE(Find(module, "d")->has_metadata_payload());
  EXPECT_EQ(Find(module, "d")->metadata_payload_string(), "");
  auto again = ParseAndReturnVerifiedModule(module->ToString()).value();
  EXPECT_EQ(FindInstruction(again.get(), "x")->metadata_payload_string(),
            "p\"q");
}

}  // namespace
}  // namespace xla
