// Edits of computations, written as for XLA: parameters, removal, replacement,
// copies, outlining, clones, comparison, walks.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/ir/dfs_hlo_visitor_with_default.h"
#include "xla/hlo/ir/hlo_clone_context.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/ir/name_uniquer.h"
#include "xla/service/pattern_matcher.h"
#include "xla/service/pattern_matcher_gmock.h"
#include "xla/shape_tree.h"
#include "xla/shape_util.h"
#include "xla/tsl/lib/core/status_test_util.h"
#include "xla/tsl/platform/statusor.h"

namespace xla {
namespace {

namespace m = match;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ComputationEditsTest : public ParsedModuleTest {
 protected:
  // x and y, twice their sum, and a value that nothing uses.
  std::unique_ptr<HloModule> Sum() {
    return Parse(R"(
HloModule sum
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  dead = f32[4] negate(y)
  s = f32[4] add(x, y)
  ROOT r = f32[4] multiply(s, s)
})");
  }
  std::unique_ptr<HloModule> Fusion() {
    return Parse(R"(
HloModule fusion
fused {
  p = f32[4] parameter(0)
  unused = f32[4] parameter(1)
  q = f32[4] parameter(2)
  ROOT f = f32[4] add(p, q)
}
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  n = f32[4] negate(y)
  ROOT r = f32[4] fusion(x, n, y), kind=kLoop, calls=fused
})");
  }
  static std::vector<std::string> Names(
      const std::vector<HloInstruction*>& instructions) {
    std::vector<std::string> names;
    for (const HloInstruction* hlo : instructions) {
      names.push_back(std::string(hlo->name()));
    }
    return names;
  }
  static std::unique_ptr<HloInstruction> Parameter(int64_t number,
                                                   const std::string& name,
                                                   int64_t size = 4) {
    return HloInstruction::CreateParameter(
        number, ShapeUtil::MakeShape(F32, {size}), name);
  }
};

// Removal --------------------------------------------------------------------

TEST_F(ComputationEditsTest, RemovedInstructionsStayReadableUntilCleanup) {
  auto module = Parse(R"(
HloModule constant
ENTRY main {
  x = f32[4] parameter(0)
  c = f32[4] constant({1, 2, 3, 4})
  d = f32[4] add(x, c)
  ROOT n = f32[4] negate(x)
})");
  HloComputation* entry = module->entry_computation();
  HloInstruction* c = Find(module, "c");
  HloInstruction* d = Find(module, "d");
  EXPECT_FALSE(entry->IsMarkedAsDead(d));
  TF_EXPECT_OK(entry->RemoveInstructionAndUnusedOperands(d));
  EXPECT_TRUE(entry->IsMarkedAsDead(d));
  EXPECT_TRUE(entry->IsMarkedAsDead(c));
  EXPECT_EQ(d->parent(), nullptr);
  EXPECT_EQ(d->opcode(), HloOpcode::kAdd);
  EXPECT_EQ(d->operand_count(), 0);
  EXPECT_FALSE(c->HasLiteral());
  EXPECT_EQ(entry->instruction_count(), 2);
  EXPECT_EQ(Find(module, "x")->user_count(), 1);
  module->Cleanup();
  EXPECT_EQ(entry->instruction_count(), 2);
}

TEST_F(ComputationEditsTest, InstructionsThatAreNeverAddedLeaveTheirOperands) {
  auto module = Sum();
  HloInstruction* x = Find(module, "x");
  {
    auto copy = HloInstruction::CreateUnary(x->shape(), HloOpcode::kCopy, x);
    EXPECT_EQ(x->user_count(), 2);
  }
  EXPECT_EQ(x->user_count(), 1);
  auto copy = HloInstruction::CreateUnary(x->shape(), HloOpcode::kCopy, x);
  module.reset();
  EXPECT_EQ(copy->operand(0), nullptr);
}

TEST_F(ComputationEditsTest, OnlyWhatIsUnusedCanBeRemoved) {
  auto module = Sum();
  HloComputation* entry = module->entry_computation();
  EXPECT_FALSE(entry->RemoveInstruction(Find(module, "s")).ok());
  EXPECT_FALSE(entry->RemoveInstruction(Find(module, "r")).ok());
  HloInstruction* dead = Find(module, "dead");
  TF_EXPECT_OK(Find(module, "s")->AddControlDependencyTo(dead));
  EXPECT_FALSE(entry->RemoveInstruction(dead).ok());
  EXPECT_FALSE(entry->ForceRemoveInstruction(dead).ok());
  TF_EXPECT_OK(dead->DropAllControlDeps());
  TF_EXPECT_OK(entry->RemoveInstruction(dead));
  EXPECT_EQ(Find(module, "dead"), nullptr);
}

TEST_F(ComputationEditsTest, IgnoredControlEdgesGoAroundWhatIsRemoved) {
  auto module = Parse(R"(
HloModule edges
ENTRY main {
  x = f32[4] parameter(0)
  a = f32[4] negate(x)
  b = f32[4] exponential(x), control-predecessors={a}
  ROOT c = f32[4] add(x, a), control-predecessors={b}
})");
  HloComputation* entry = module->entry_computation();
  HloInstruction* b = Find(module, "b");
  EXPECT_FALSE(entry->IsSafelyRemovable(b));
  EXPECT_TRUE(entry->IsSafelyRemovable(b, /*ignore_control_dependency=*/true));
  EXPECT_FALSE(entry->RemoveInstructionAndUnusedOperands(b).ok());
  std::vector<std::string> cleaned;
  TF_EXPECT_OK(entry->RemoveInstructionAndUnusedOperands(
      b,
      [&](HloInstruction* hlo) { cleaned.push_back(std::string(hlo->name())); },
      /*ignore_control_dependencies=*/true));
  EXPECT_THAT(cleaned, ElementsAre("b"));
  EXPECT_THAT(Find(module, "c")->control_predecessors(),
              ElementsAre(Find(module, "a")));
}

TEST_F(ComputationEditsTest, ParametersOfFusionsGoWithTheOperand) {
  auto module = Fusion();
  HloInstruction* fusion = Find(module, "r");
  HloComputation* fused = fusion->fused_instructions_computation();
  HloInstruction* unused = fused->parameter_instruction(1);
  EXPECT_TRUE(fused->IsSafelyRemovable(unused));
  EXPECT_FALSE(
      module->entry_computation()->IsSafelyRemovable(Find(module, "x")));
  TF_EXPECT_OK(fused->RemoveInstructionAndUnusedOperands(unused));
  EXPECT_EQ(fused->num_parameters(), 2);
  EXPECT_THAT(fusion->operands(),
              ElementsAre(Find(module, "x"), Find(module, "y")));
  EXPECT_EQ(fused->GetInstructionWithName("q")->parameter_number(), 1);
  // The negation had no other user.
  EXPECT_EQ(Find(module, "n"), nullptr);
}

TEST_F(ComputationEditsTest, CallersThatAreGivenLoseOperands) {
  auto module = Parse(R"(
HloModule call
callee {
  p = f32[4] parameter(0)
  unused = f32[4] parameter(1)
  ROOT f = f32[4] negate(p)
}
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  ROOT r = f32[4] call(x, y), to_apply=callee
})");
  HloInstruction* call = Find(module, "r");
  HloComputation* callee = call->to_apply();
  HloInstruction* unused = callee->parameter_instruction(1);
  const auto callers = [&](const HloComputation* computation) {
    return computation == callee ? std::vector<HloInstruction*>{call}
                                 : std::vector<HloInstruction*>();
  };
  EXPECT_FALSE(callee->IsSafelyRemovable(unused));
  EXPECT_TRUE(callee->IsSafelyRemovable(unused, false, callers));
  TF_EXPECT_OK(callee->RemoveInstructionAndUnusedOperands(unused, std::nullopt,
                                                          false, callers));
  EXPECT_THAT(call->operands(), ElementsAre(Find(module, "x")));
  EXPECT_EQ(callee->num_parameters(), 1);
}

// Parameters -----------------------------------------------------------------

TEST_F(ComputationEditsTest, UnusedParametersAreDropped) {
  auto module = Fusion();
  HloComputation* fused = Find(module, "r")->fused_instructions_computation();
  TF_EXPECT_OK(fused->RemoveUnusedParametersFromFusedComputation());
  EXPECT_EQ(fused->num_parameters(), 2);
  EXPECT_EQ(fused->root_instruction()->operand(1)->parameter_number(), 1);
  auto sum = Sum();
  HloComputation* entry = sum->entry_computation();
  TF_EXPECT_OK(entry->RemoveUnusedParametersFromAnyComputation());
  EXPECT_EQ(entry->num_parameters(), 2);
}

TEST_F(ComputationEditsTest, ParametersArePermuted) {
  auto module = Fusion();
  HloComputation* fused = Find(module, "r")->fused_instructions_computation();
  TF_EXPECT_OK(fused->PermuteParameters({2, 0, 1}));
  EXPECT_EQ(fused->parameter_instruction(2)->name(), "p");
  EXPECT_EQ(fused->parameter_instruction(0)->name(), "unused");
  EXPECT_EQ(fused->parameter_instruction(1)->name(), "q");
  EXPECT_EQ(fused->root_instruction()->operand(0)->parameter_number(), 2);
  EXPECT_FALSE(fused->PermuteParameters({0, 1}).ok());
  EXPECT_FALSE(fused->PermuteParameters({0, 1, 1}).ok());
}

TEST_F(ComputationEditsTest, ParametersAreReplaced) {
  auto module = Fusion();
  HloComputation* fused = Find(module, "r")->fused_instructions_computation();
  HloInstruction* wide = fused->ReplaceParameter(0, Parameter(0, "wide", 8));
  EXPECT_EQ(fused->parameter_instruction(0), wide);
  EXPECT_EQ(fused->root_instruction()->operand(0), wide);
  EXPECT_EQ(fused->GetInstructionWithName("p"), nullptr);
  EXPECT_EQ(fused->instruction_count(), 4);
}

TEST_F(ComputationEditsTest, ParametersOfTheEntryChangeItsLayout) {
  auto module = Sum();
  HloComputation* entry = module->entry_computation();
  HloInstruction* added =
      entry->AddEntryComputationParameter(Parameter(2, "z"));
  EXPECT_EQ(entry->num_parameters(), 3);
  EXPECT_EQ(entry->parameter_instruction(2), added);
  EXPECT_EQ(module->entry_computation_layout().parameter_count(), 3);

  TF_EXPECT_OK(
      entry->ReplaceEntryComputationParameter(2, added, Parameter(2, "w", 6)));
  EXPECT_EQ(entry->parameter_instruction(2)->name(), "w");
  EXPECT_EQ(module->entry_computation_layout().parameter_shape(2).dimensions(0),
            6);

  TF_EXPECT_OK(entry->ReplaceWithNewEntryComputationParameter(
      Find(module, "s"), Parameter(3, "sum")));
  EXPECT_THAT(entry->root_instruction(),
              GmockMatch(m::Multiply(m::Parameter(3), m::Parameter(3))));
  EXPECT_EQ(module->entry_computation_layout().parameter_count(), 4);
}

// Replacement ----------------------------------------------------------------

TEST_F(ComputationEditsTest, ReplacementInheritsWhatItLacks) {
  auto module = Sum();
  HloComputation* entry = module->entry_computation();
  HloInstruction* s = Find(module, "s");
  s->set_metadata_op_name("model/sum");
  s->set_frontend_attribute("key", "value");
  s->set_device_sharding(0);
  HloInstruction* swapped = entry->AddInstruction(HloInstruction::CreateBinary(
      s->shape(), HloOpcode::kAdd, Find(module, "y"), Find(module, "x")));
  TF_ASSERT_OK_AND_ASSIGN(
      bool replaced,
      entry->ReplaceInstruction(s, swapped, /*preserve_sharding=*/true));
  EXPECT_TRUE(replaced);
  EXPECT_EQ(swapped->name(), "s");
  EXPECT_EQ(swapped->metadata().op_name(), "model/sum");
  EXPECT_EQ(swapped->get_frontend_attribute("key"), "value");
  EXPECT_EQ(swapped->sharding_unique_device(), 0);
  EXPECT_EQ(entry->root_instruction()->operand(0), swapped);
}

TEST_F(ComputationEditsTest, ReplacementMayBeRefused) {
  auto module = Sum();
  HloComputation* entry = module->entry_computation();
  HloInstruction* s = Find(module, "s");
  HloInstruction* x = Find(module, "x");
  s->set_device_sharding(0);
  x->set_device_sharding(1);
  EXPECT_EQ(entry->ReplaceInstruction(s, x, /*preserve_sharding=*/true).value(),
            false);
  HloInstruction* dead = Find(module, "dead");
  TF_EXPECT_OK(dead->AddControlDependencyTo(s));
  EXPECT_EQ(entry->ReplaceInstruction(s, x, false).value(), false);
  EXPECT_EQ(s->user_count(), 1);
  HloInstruction* copy = entry->AddInstruction(
      HloInstruction::CreateUnary(s->shape(), HloOpcode::kCopy, x));
  EXPECT_EQ(entry
                ->ReplaceInstruction(s, copy, false,
                                     /*relay_control_dependency=*/true)
                .value(),
            true);
  EXPECT_THAT(copy->control_predecessors(), ElementsAre(dead));
  HloInstruction* wide = entry->AddInstruction(HloInstruction::CreateBroadcast(
      ShapeUtil::MakeShape(F32, {2, 4}), copy, {1}));
  EXPECT_FALSE(entry->ReplaceInstruction(Find(module, "r"), wide).ok());
  TF_EXPECT_OK(
      entry->ReplaceInstructionWithDifferentShape(Find(module, "r"), wide));
  EXPECT_EQ(entry->root_instruction(), wide);
}

// Copies and outlining -------------------------------------------------------

TEST_F(ComputationEditsTest, DeepCopiesCopyLeaves) {
  auto module = Parse(R"(
HloModule tuples
ENTRY main {
  ROOT t = (f32[4], (s32[], f32[2])) parameter(0)
})");
  HloComputation* entry = module->entry_computation();
  HloInstruction* t = entry->root_instruction();
  ShapeTree<bool> indices(t->shape(), true);
  *indices.mutable_element({1, 0}) = false;
  ShapeTree<HloInstruction*> copies(t->shape(), nullptr);
  TF_ASSERT_OK_AND_ASSIGN(HloInstruction * copy,
                          entry->DeepCopyInstruction(t, &indices, &copies));
  EXPECT_THAT(copy,
              GmockMatch(m::Tuple(
                  m::Copy(m::GetTupleElement(m::Parameter(0), 0)),
                  m::Tuple(m::GetTupleElement(
                               m::GetTupleElement(m::Parameter(0), 1), 0),
                           m::Copy(m::GetTupleElement(
                               m::GetTupleElement(m::Parameter(0), 1), 1))))));
  EXPECT_EQ(copies.element({0}), copy->operand(0));
  EXPECT_EQ(copies.element({1, 0}), nullptr);

  std::vector<std::string> leaves;
  TF_ASSERT_OK_AND_ASSIGN(
      HloInstruction * same,
      entry->DeepCopyInstructionWithCustomCopier(
          t, [&](HloInstruction* leaf, const ShapeIndex& index,
                 HloComputation* computation) {
            EXPECT_EQ(computation, entry);
            leaves.push_back(index.ToString());
            return leaf;
          }));
  EXPECT_THAT(leaves, ElementsAre("{0}", "{1,0}", "{1,1}"));
  EXPECT_TRUE(ShapeUtil::Equal(same->shape(), t->shape()));

  ShapeTree<bool> other(ShapeUtil::MakeShape(F32, {1}), true);
  EXPECT_FALSE(entry->DeepCopyInstruction(t, &other).ok());
  EXPECT_FALSE(Sum()->entry_computation()->DeepCopyInstruction(t).ok());
}

TEST_F(ComputationEditsTest, InstructionsBecomeAsynchronous) {
  auto module = Sum();
  HloComputation* entry = module->entry_computation();
  HloInstruction* s = Find(module, "s");
  s->set_metadata_op_name("model/sum");
  HloInstruction* dead = Find(module, "dead");
  TF_EXPECT_OK(dead->AddControlDependencyTo(s));
  TF_ASSERT_OK_AND_ASSIGN(
      HloInstruction * done,
      entry->CreateAsyncInstructions(s, {ShapeUtil::MakeScalarShape(U32)},
                                     "parallel", /*replace=*/true,
                                     /*override_names=*/true));
  const HloInstruction* start = done->operand(0);
  EXPECT_EQ(done->opcode(), HloOpcode::kAsyncDone);
  EXPECT_EQ(ShapeUtil::HumanString(start->shape()),
            "((f32[4], f32[4]), f32[4], u32[])");
  EXPECT_EQ(start->async_execution_thread(), "parallel");
  EXPECT_EQ(start->async_wrapped_opcode(), HloOpcode::kAdd);
  HloComputation* wrapped = start->async_wrapped_computation();
  EXPECT_EQ(wrapped->execution_thread(), "parallel");
  EXPECT_FALSE(wrapped->IsMainThread());
  EXPECT_TRUE(entry->IsMainThread());
  EXPECT_TRUE(wrapped->IsAsyncComputation());
  EXPECT_TRUE(wrapped->CanExpandIntoSingleInstruction());
  EXPECT_EQ(wrapped->root_instruction()->name(), "s.cloned");
  EXPECT_EQ(start->name(), "s.cloned.call-start");
  EXPECT_EQ(done->name(), "s.cloned.call-done");
  EXPECT_EQ(done->metadata().op_name(), "model/sum");
  EXPECT_THAT(start->control_predecessors(), ElementsAre(dead));
  EXPECT_EQ(Find(module, "s"), nullptr);
  EXPECT_TRUE(start->IsAsyncInstructionWithExecutionThread("parallel"));
}

TEST_F(ComputationEditsTest, CopiesBecomeAsynchronous) {
  auto module = Parse(R"(
HloModule copies
ENTRY main {
  x = f32[4] parameter(0)
  ROOT c = f32[4] copy(x)
})");
  HloComputation* entry = module->entry_computation();
  TF_ASSERT_OK_AND_ASSIGN(
      HloInstruction * done,
      entry->CreateAsyncInstructions(Find(module, "c"),
                                     {ShapeUtil::MakeScalarShape(U32)},
                                     HloInstruction::kMainExecutionThread,
                                     /*replace=*/false));
  EXPECT_THAT(done, GmockMatch(m::CopyDone(m::CopyStart(m::Parameter(0)))));
  EXPECT_EQ(ShapeUtil::HumanString(done->operand(0)->shape()),
            "(f32[4], f32[4], u32[])");
  EXPECT_EQ(entry->root_instruction(), Find(module, "c"));
}

TEST_F(ComputationEditsTest, CompositesNameWhatTheyDo) {
  auto module = Sum();
  HloInstruction* r = Find(module, "r");
  HloInstruction* s = Find(module, "s");
  HloInstruction* call =
      module->entry_computation()->CreateCompositeCallInstruction(
          {r, s}, "my.square", "{n = 1 : i64}", 3);
  EXPECT_TRUE(call->is_composite());
  EXPECT_TRUE(call->IsRoot());
  EXPECT_EQ(call->get_frontend_attribute("composite.name"), "my.square");
  EXPECT_EQ(call->get_frontend_attribute("composite.attributes"),
            "{n = 1 : i64}");
  EXPECT_EQ(call->get_frontend_attribute("composite.version"), "3");
  EXPECT_THAT(call->to_apply()->root_instruction(),
              GmockMatch(m::Multiply(m::Add(m::Parameter(0), m::Parameter(1)),
                                     m::Add())));
  EXPECT_EQ(call->to_apply()->GetUniqueCaller(HloOpcode::kCall), call);
  EXPECT_EQ(call->to_apply()->GetUniqueCaller(HloOpcode::kFusion),
            std::nullopt);
}

// Clones ---------------------------------------------------------------------

TEST_F(ComputationEditsTest, ClonesReplaceInstructions) {
  auto module = Sum();
  HloComputation* entry = module->entry_computation();
  HloInstruction* s = Find(module, "s");
  auto product = HloInstruction::CreateBinary(
      s->shape(), HloOpcode::kSubtract, Find(module, "x"), Find(module, "y"));
  auto clone = entry->CloneWithReplacementPairs({s, std::move(product)},
                                                {Find(module, "dead"), nullptr},
                                                /*context=*/nullptr, "special");
  EXPECT_EQ(clone->name(), "main.special");
  EXPECT_EQ(clone->instruction_count(), 4);
  EXPECT_THAT(
      clone->root_instruction(),
      GmockMatch(m::Multiply(m::Subtract(m::Parameter(0), m::Parameter(1)),
                             m::Subtract())));
  EXPECT_EQ(entry->root_instruction()->operand(0), s);
}

TEST_F(ComputationEditsTest, ClonesTakeOtherRootsAndParameters) {
  auto module = Sum();
  HloComputation* entry = module->entry_computation();
  HloInstruction* s = Find(module, "s");
  auto extra = Parameter(2, "extra");
  HloCloneContext context(module.get());
  auto clone = entry->CloneWithReplacements(
      /*replacements=*/nullptr, {extra.get()}, &context, "clone", s);
  EXPECT_EQ(clone->num_parameters(), 3);
  EXPECT_EQ(clone->root_instruction(), context.GetInstruction(s));
  // New parameters come behind the old ones, all else as it was.
  std::vector<HloOpcode> opcodes;
  for (const HloInstruction* hlo : clone->instructions()) {
    opcodes.push_back(hlo->opcode());
  }
  EXPECT_THAT(opcodes, ElementsAre(HloOpcode::kParameter, HloOpcode::kParameter,
                                   HloOpcode::kParameter, HloOpcode::kNegate,
                                   HloOpcode::kAdd, HloOpcode::kMultiply));
  const std::vector<HloInstruction*> roots = {s, Find(module, "dead")};
  HloCloneContext tuple_context(module.get());
  const HloComputation* const_entry = entry;
  auto tuple =
      const_entry->CloneInContext(tuple_context, nullptr, {}, "tuple",
                                  absl::Span<HloInstruction* const>(roots));
  EXPECT_THAT(tuple->root_instruction(),
              GmockMatch(m::Tuple(m::Add(), m::Negate())));
  EXPECT_EQ(tuple_context.GetComputation(entry), tuple.get());
}

// Comparison -----------------------------------------------------------------

TEST_F(ComputationEditsTest, ComparisonFollowsXla) {
  const auto channel = [](absl::string_view id) {
    return absl::StrCat(R"(
HloModule channels
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  x = f32[4] parameter(0)
  ROOT r = f32[4] all-reduce(x), channel_id=)",
                        id, ", replica_groups={}, to_apply=sum\n}");
  };
  auto one = Parse(channel("1"));
  auto two = Parse(channel("2"));
  const HloComputation& a = *one->entry_computation();
  const HloComputation& b = *two->entry_computation();
  EXPECT_TRUE(a.Equal(*Parse(channel("1"))->entry_computation(), true));
  EXPECT_FALSE(a.Equal(b, /*is_layout_sensitive=*/true));
  EXPECT_TRUE(a.EqualIgnoringChannelIdValues(b, true));
  // Called computations are the comparator's matter.
  int calls = 0;
  EXPECT_FALSE(a.EqualIgnoringChannelIdValues(
      b, true, [&](const HloComputation*, const HloComputation*) {
        ++calls;
        return false;
      }));
  EXPECT_EQ(calls, 1);
  two->entry_computation()->SetExecutionThread("other");
  EXPECT_FALSE(a.EqualIgnoringChannelIdValues(b, true));
  EXPECT_TRUE(a.EqualIgnoringExecutionThread(b, true, true));
  EXPECT_FALSE(a.EqualIgnoringExecutionThread(b, true, false));
}

TEST_F(ComputationEditsTest, ComparisonMayIgnoreLayoutsAndSeesNoDeadCode) {
  auto rows = Parse(R"(
HloModule rows
ENTRY main {
  x = f32[2,3]{1,0} parameter(0)
  dead = f32[2,3]{1,0} negate(x)
  ROOT r = f32[2,3]{1,0} exponential(x)
})");
  auto columns = Parse(R"(
HloModule columns
ENTRY main {
  x = f32[2,3]{0,1} parameter(0)
  ROOT r = f32[2,3]{0,1} exponential(x)
})");
  const HloComputation& a = *rows->entry_computation();
  const HloComputation& b = *columns->entry_computation();
  EXPECT_FALSE(a.Equal(b, /*is_layout_sensitive=*/true));
  EXPECT_TRUE(a.Equal(b, /*is_layout_sensitive=*/false));
}

// Walks and properties -------------------------------------------------------

class Recorder : public DfsHloVisitorWithDefault {
 public:
  absl::Status DefaultAction(HloInstruction* hlo) override {
    names.push_back(std::string(hlo->name()));
    return absl::OkStatus();
  }
  absl::Status FinishVisit(HloInstruction* root) override {
    names.push_back(absl::StrCat("end ", root->name()));
    return absl::OkStatus();
  }
  std::vector<std::string> names;
};

TEST_F(ComputationEditsTest, WalksHaveTheOrderThatIsAskedFor) {
  auto module = Sum();
  HloComputation* entry = module->entry_computation();
  Recorder by_name;
  TF_EXPECT_OK(entry->AcceptWithOperandOrder(
      &by_name, [](const HloInstruction* a, const HloInstruction* b) {
        return a->name() > b->name();
      }));
  EXPECT_THAT(by_name.names, ElementsAre("y", "dead", "x", "s", "r", "end r"));
  Recorder ordered;
  const std::vector<HloInstruction*> order = {
      Find(module, "y"), Find(module, "x"), Find(module, "s"),
      Find(module, "r"), Find(module, "dead")};
  TF_EXPECT_OK(entry->AcceptOrdered(&ordered, order));
  EXPECT_THAT(ordered.names, ElementsAre("y", "x", "s", "r", "dead", "end r"));
  Recorder refused;
  EXPECT_FALSE(entry->AcceptOrdered(&refused, {order[0], order[1]}).ok());
  EXPECT_THAT(refused.names, IsEmpty());

  std::vector<HloInstruction*> visited;
  entry->ForEachInstructionPostOrder(
      [&](HloInstruction* hlo) { visited.push_back(hlo); });
  EXPECT_EQ(visited, entry->MakeInstructionPostOrder());
  EXPECT_THAT(Names(entry->MakeInstructionPostOrderFrom(*Find(module, "dead"))),
              ElementsAre("y", "dead"));
}

TEST_F(ComputationEditsTest, PropertiesOfComputations) {
  auto module = Fusion();
  HloComputation* entry = module->entry_computation();
  HloInstruction* fusion = Find(module, "r");
  HloComputation* fused = fusion->fused_instructions_computation();
  EXPECT_EQ(fused->FusionInstruction(), fusion);
  EXPECT_EQ(entry->FusionInstruction(), nullptr);
  EXPECT_FALSE(fused->IsDeadComputation());
  EXPECT_FALSE(entry->IsDeadComputation());
  EXPECT_FALSE(fused->IsAsyncComputation());
  EXPECT_TRUE(fused->CanExpandIntoSingleInstruction());
  EXPECT_FALSE(entry->HasSideEffect());
  EXPECT_FALSE(entry->OnlyContainsSendRecv());
  EXPECT_EQ(entry->GetInstructionWithLocalId(fusion->local_id()), fusion);
  EXPECT_EQ(entry->GetInstructionWithLocalId(100000), nullptr);
  EXPECT_THAT(fused->caller_instructions(HloOpcode::kFusion),
              ElementsAre(fusion));
  EXPECT_THAT(fused->caller_instructions(HloOpcode::kCall), IsEmpty());

  fused->SetAndSanitizeName("1 fused!");
  EXPECT_EQ(fused->name(), "_1_fused_");
  fused->UniquifyName(module.get());
  EXPECT_EQ(fused->name(), "_1_fused_");
  NameUniquer uniquer;
  uniquer.GetUniqueName("_1_fused_");
  fused->UniquifyName(&uniquer);
  EXPECT_EQ(fused->name(), "_1_fused_.1");

  auto transfers = Parse(R"(
HloModule transfers
ENTRY main {
  x = f32[4] parameter(0)
  tok = token[] after-all()
  s = (f32[4], u32[], token[]) send(x, tok), channel_id=1
  ROOT d = token[] send-done(s), channel_id=1
})");
  EXPECT_TRUE(transfers->entry_computation()->HasSideEffect());
  EXPECT_FALSE(transfers->entry_computation()->OnlyContainsSendRecv());
}

TEST_F(ComputationEditsTest, TextHasTheOrderThatIsAskedFor) {
  auto module = Sum();
  HloComputation* entry = module->entry_computation();
  const std::vector<HloInstruction*> order = {
      Find(module, "y"), Find(module, "x"), Find(module, "dead"),
      Find(module, "s"), Find(module, "r")};
  const auto options = HloPrintOptions::ShortParsable();
  const std::string text = entry->ToString(options, order);
  EXPECT_LT(text.find("y = "), text.find("x = "));
  EXPECT_EQ(std::string(entry->ToCord(options, order)), text);
  EXPECT_EQ(std::string(entry->ToCord(options)), entry->ToString(options));
  EXPECT_THAT(entry->ComputeProgramShape().ToString(), HasSubstr("x: f32[4]"));
}

TEST_F(ComputationEditsTest, Builders) {
  HloComputation::Builder builder("named");
  const Shape shape = ShapeUtil::MakeShape(F32, {4});
  HloInstruction* p = builder.AddInstruction(Parameter(0, "p"));
  builder.AddInstruction(
      HloInstruction::CreateUnary(shape, HloOpcode::kNegate, p), "2 neg");
  std::vector<std::string> names;
  TF_EXPECT_OK(builder.ForEachInstruction([&](const HloInstruction* hlo) {
    names.push_back(std::string(hlo->name()));
    return absl::OkStatus();
  }));
  EXPECT_THAT(names, ElementsAre("p", "_2_neg"));
  auto module = CreateNewUnverifiedModule();
  HloComputation* entry = module->AddEntryComputation(builder.Build());
  OpMetadata metadata;
  metadata.set_op_name("model/copy");
  HloComputation::MetadataBuilder with_metadata(entry, metadata);
  HloInstruction* copy = with_metadata.AddInstruction(
      HloInstruction::CreateUnary(shape, HloOpcode::kCopy, p));
  EXPECT_EQ(copy->metadata().op_name(), "model/copy");
  FrontendAttributes attributes;
  (*attributes.mutable_map())["a"] = "b";
  HloInstruction* other = entry->AddInstruction(
      HloInstruction::CreateUnary(shape, HloOpcode::kCopy, p), &metadata,
      &attributes);
  EXPECT_EQ(other->get_frontend_attribute("a"), "b");
  entry->set_root_instruction(other, /*accept_different_shape=*/false);
  EXPECT_TRUE(other->IsRoot());
}

}  // namespace
}  // namespace xla
