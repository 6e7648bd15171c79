// Orders of instructions and live ranges of values, as passes written for XLA
// ask for them.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/analysis/hlo_dataflow_analysis.h"
#include "xla/hlo/analysis/hlo_ordering.h"
#include "xla/hlo/analysis/hlo_reachability.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_schedule.h"

namespace xla {
namespace {

using ::testing::HasSubstr;
using Constraint = HloOrdering::ExecutionConstraint;

class OrderingTest : public LoadedModuleTest {
 protected:
  // The entry in the given order, all else in post order.
  HloSchedule Schedule(std::vector<absl::string_view> entry) {
    HloSchedule schedule(module_.get());
    for (HloComputation* computation : module_->MakeNonfusionComputations()) {
      schedule.set_sequence(computation,
                            computation->MakeInstructionPostOrder());
    }
    std::vector<HloInstruction*> order;
    for (const absl::string_view name : entry) order.push_back(Find(name));
    schedule.set_sequence(module_->entry_computation(), order);
    return schedule;
  }
};

constexpr absl::string_view kDiamond = R"(
HloModule diamond
ENTRY e {
  x = f32[4] parameter(0)
  neg = f32[4] negate(x)
  ex = f32[4] exponential(x)
  sum = f32[4] add(neg, ex)
  ROOT last = f32[4] sine(sum)
})";

TEST_F(OrderingTest, Reachability) {
  Load(kDiamond);
  const auto map = HloReachabilityMap::Build(module_->entry_computation());
  EXPECT_TRUE(map->IsReachable(Find("x"), Find("last")));
  EXPECT_TRUE(map->IsReachable(Find("neg"), Find("neg")));
  EXPECT_FALSE(map->IsReachable(Find("last"), Find("x")));
  EXPECT_TRUE(map->IsConnected(Find("last"), Find("x")));
  EXPECT_FALSE(map->IsConnected(Find("neg"), Find("ex")));
  EXPECT_TRUE(map->IsPresent(Find("sum")));

  ASSERT_TRUE(Find("neg")->AddControlDependencyTo(Find("ex")).ok());
  map->UpdateReachabilityThroughInstruction(Find("ex"));
  EXPECT_TRUE(map->IsReachable(Find("neg"), Find("ex")));
  EXPECT_TRUE(HloReachabilityMap::Build(module_->entry_computation())
                  ->IsReachable(Find("neg"), Find("ex")));

  HloInstruction* added =
      module_->entry_computation()->AddInstruction(HloInstruction::CreateUnary(
          Find("x")->shape(), HloOpcode::kAbs, Find("x")));
  EXPECT_FALSE(map->IsPresent(added));
  map->Replace(Find("neg"), added);
  EXPECT_TRUE(map->IsReachable(added, Find("sum")));
  EXPECT_FALSE(map->IsPresent(Find("neg")));
}

TEST_F(OrderingTest, ReachabilityByHand) {
  Load(kDiamond);
  const HloInstruction* x = Find("x");
  const HloInstruction* neg = Find("neg");
  const HloInstruction* ex = Find("ex");
  HloReachabilityMap map({x, neg, ex});
  EXPECT_FALSE(map.IsReachable(x, x));
  map.SetReachable(x, neg);
  EXPECT_TRUE(map.IsReachable(x, neg));
  EXPECT_TRUE(map.SetReachabilityToUnion({neg}, ex));
  EXPECT_FALSE(map.SetReachabilityToUnion({neg}, ex));
  EXPECT_TRUE(map.IsReachable(x, ex));
  EXPECT_FALSE(map.IsReachable(neg, ex));  // it does not reach itself
  map.FastSetReachabilityToUnion({map.GetIndex(x)}, map.GetIndex(ex));
  EXPECT_FALSE(map.IsReachable(x, ex));
  EXPECT_TRUE(map.IsReachable(map.GetIndex(ex), map.GetIndex(ex)));
  // Only through the first operand.
  const auto restricted = HloReachabilityMap::BuildWithRestrictions(
      module_->entry_computation(),
      [](const HloInstruction* hlo, std::vector<HloInstruction*>* inputs) {
        if (hlo->operand_count() > 0) inputs->push_back(hlo->operands()[0]);
      });
  EXPECT_TRUE(restricted->IsReachable(neg, Find("last")));
  EXPECT_FALSE(restricted->IsReachable(ex, Find("last")));
}

TEST_F(OrderingTest, DependenciesOrderPartially) {
  Load(kDiamond);
  DependencyHloOrdering order(module_.get());
  EXPECT_TRUE(order.ExecutesBefore(Find("x"), Find("last")));
  EXPECT_FALSE(order.ExecutesBefore(Find("neg"), Find("ex")));
  EXPECT_FALSE(order.ExecutesBefore(Find("ex"), Find("neg")));
  EXPECT_FALSE(order.ExecutesBefore(Find("x"), Find("x")));
  EXPECT_EQ(order.GetExecutionConstraint(Find("neg"), Find("ex")),
            Constraint::kUnordered);
  EXPECT_EQ(order.GetExecutionConstraint(Find("sum"), Find("neg")),
            Constraint::kRunAfter);
  EXPECT_EQ(order.GetExecutionConstraint(Find("sum"), Find("sum")),
            Constraint::kIsSame);
  EXPECT_EQ(order.SequentialOrder(*module_->entry_computation()), nullptr);
  EXPECT_TRUE(order.reachability_map(module_->entry_computation())
                  .IsReachable(Find("x"), Find("ex")));
  EXPECT_THAT(order.ToString(), HasSubstr("DependencyHloOrdering"));
}

TEST_F(OrderingTest, SchedulesOrderAll) {
  Load(kDiamond);
  SequentialHloOrdering order(Schedule({"x", "ex", "neg", "sum", "last"}));
  EXPECT_TRUE(order.ExecutesBefore(Find("ex"), Find("neg")));
  EXPECT_FALSE(order.ExecutesBefore(Find("neg"), Find("ex")));
  // The root lives on.
  EXPECT_FALSE(order.ExecutesBefore(Find("last"), Find("x")));
  const HloInstructionSequence* sequence =
      order.SequentialOrder(*module_->entry_computation());
  ASSERT_NE(sequence, nullptr);
  EXPECT_EQ(sequence->instructions()[1], Find("ex"));
}

TEST_F(OrderingTest, MoreOrderMeansLessInterference) {
  Load(kDiamond);
  const auto flow =
      HloDataflowAnalysis::Run(*module_, /*ssa_form=*/true).value();
  const AliasInfo aliases;
  const auto value = [&](absl::string_view name) -> const HloValue& {
    return flow->GetValueDefinedAt(Find(name));
  };
  DependencyHloOrdering partial(module_.get());
  EXPECT_TRUE(partial.MayInterfere(value("x"), value("ex"), *flow, &aliases));
  EXPECT_TRUE(partial.MayInterfere(value("neg"), value("ex"), *flow, &aliases));
  EXPECT_FALSE(
      partial.MayInterfere(value("neg"), value("sum"), *flow, &aliases));
  EXPECT_FALSE(partial.MayInterfere(value("x"), value("sum"), *flow, &aliases));

  SequentialHloOrdering total(Schedule({"x", "neg", "ex", "sum", "last"}));
  // The exponential is the last to read x, and may write over it.
  EXPECT_FALSE(total.MayInterfere(value("x"), value("ex"), *flow, &aliases));
  EXPECT_TRUE(total.MayInterfere(value("x"), value("neg"), *flow, &aliases));
  EXPECT_TRUE(
      total.LiveRangeStrictlyBefore(value("x"), value("ex"), *flow, &aliases));
  EXPECT_FALSE(
      total.LiveRangeStrictlyBefore(value("ex"), value("x"), *flow, &aliases));
  EXPECT_TRUE(total.IsDefinedBefore(value("x"), value("neg")));
  EXPECT_FALSE(total.IsDefinedBefore(value("neg"), value("x")));
}

TEST_F(OrderingTest, UsesAtTheSameInstruction) {
  Load(R"(
HloModule reverse
ENTRY e {
  x = f32[4] parameter(0)
  neg = f32[4] negate(x)
  r = f32[4] reverse(neg), dimensions={0}
  ROOT last = f32[4] sine(r)
})");
  const auto flow =
      HloDataflowAnalysis::Run(*module_, /*ssa_form=*/true).value();
  const AliasInfo aliases;
  DependencyHloOrdering order(module_.get());
  const HloValue& neg = flow->GetValueDefinedAt(Find("neg"));
  const HloValue& r = flow->GetValueDefinedAt(Find("r"));
  EXPECT_TRUE(order.MayInterfere(neg, r, *flow, &aliases));
  EXPECT_FALSE(order.LiveRangeStrictlyBefore(neg, r, *flow, &aliases));
  EXPECT_TRUE(order.LiveRangeStrictlyBefore(
      neg, r, *flow, &aliases,
      /*use_is_always_before_def_in_same_instr=*/true));
  const HloUse use(Find("r"), 0);
  EXPECT_FALSE(order.UsesBeforeValueDefinition({&use}, r, *flow, &aliases));
  EXPECT_TRUE(order.UsesBeforeValueDefinition(
      {&use}, flow->GetValueDefinedAt(Find("last")), *flow, &aliases));
}

TEST_F(OrderingTest, LoopsAndWhatTheyRun) {
  Load(R"(
HloModule loop
condition {
  q = (s32[], f32[4]) parameter(0)
  j = s32[] get-tuple-element(q), index=0
  n = s32[] constant(3)
  ROOT lt = pred[] compare(j, n), direction=LT
}
body {
  p = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[4] get-tuple-element(p), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  y = f32[4] negate(x)
  ROOT t = (s32[], f32[4]) tuple(next, y)
}
ENTRY main {
  a = f32[4] parameter(0)
  zero = s32[] constant(0)
  b = f32[4] abs(a)
  init = (s32[], f32[4]) tuple(zero, b)
  w = (s32[], f32[4]) while(init), condition=condition, body=body
  r = f32[4] get-tuple-element(w), index=1
  ROOT out = f32[4] negate(r)
})");
  DependencyHloOrdering order(module_.get());
  EXPECT_EQ(order.GetExecutionConstraint(Find("lt"), Find("y")),
            Constraint::kRunBeforeEnd);
  EXPECT_EQ(order.GetExecutionConstraint(Find("b"), Find("y")),
            Constraint::kRunBeforeStart);
  EXPECT_EQ(order.GetExecutionConstraint(Find("out"), Find("y")),
            Constraint::kRunAfter);
  const auto flow =
      HloDataflowAnalysis::Run(*module_, /*ssa_form=*/true).value();
  const AliasInfo aliases;
  const HloValue& init = flow->GetUniqueValueAt(Find("b"));
  const HloValue& carry = flow->GetUniqueValueAt(Find("p"), {1});
  const HloValue& tested = flow->GetUniqueValueAt(Find("q"), {1});
  const HloValue& made = flow->GetUniqueValueAt(Find("y"));
  const HloValue& result = flow->GetUniqueValueAt(Find("w"), {1});
  ASSERT_TRUE(carry.is_phi());
  EXPECT_TRUE(order.IsDefinedBefore(carry, made));
  EXPECT_FALSE(order.IsDefinedBefore(made, carry));
  EXPECT_TRUE(order.IsDefinedBefore(made, result));
  // All of these may share memory, as the loop works in place.
  const std::vector<const HloValue*> all = {&init, &tested, &carry, &made,
                                            &result};
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = i + 1; j < all.size(); ++j) {
      EXPECT_FALSE(order.MayInterfere(*all[i], *all[j], *flow, &aliases))
          << all[i]->ToShortString() << " " << all[j]->ToShortString();
    }
  }
  const HloValue& limit = flow->GetUniqueValueAt(Find("n"));
  EXPECT_TRUE(order.MayInterfere(flow->GetUniqueValueAt(Find("j")), limit,
                                 *flow, &aliases));
}

TEST_F(OrderingTest, BranchesExcludeEachOther) {
  Load(R"(
HloModule branches
left {
  lp = f32[4] parameter(0)
  ls = f32[4] sine(lp)
  ROOT lr = f32[4] negate(ls)
}
right {
  rp = f32[4] parameter(0)
  rs = f32[4] cosine(rp)
  ROOT rr = f32[4] negate(rs)
}
ENTRY main {
  a = f32[4] parameter(0)
  which = pred[] parameter(1)
  chosen = f32[4] conditional(which, a, a), true_computation=left,
    false_computation=right
  ROOT out = f32[4] negate(chosen)
})");
  DependencyHloOrdering order(module_.get());
  EXPECT_EQ(order.GetExecutionConstraint(Find("ls"), Find("rs")),
            Constraint::kRunExclusiveBefore);
  EXPECT_EQ(order.GetExecutionConstraint(Find("rs"), Find("ls")),
            Constraint::kRunExclusiveAfter);
  EXPECT_EQ(order.GetExecutionConstraint(Find("ls"), Find("chosen")),
            Constraint::kRunBeforeEnd);
  EXPECT_EQ(order.GetExecutionConstraint(Find("chosen"), Find("rs")),
            Constraint::kRunAfter);
  EXPECT_TRUE(order.ExecutesBefore(Find("ls"), Find("rr")));
  const auto flow =
      HloDataflowAnalysis::Run(*module_, /*ssa_form=*/true).value();
  const AliasInfo aliases;
  EXPECT_FALSE(order.MayInterfere(flow->GetUniqueValueAt(Find("ls")),
                                  flow->GetUniqueValueAt(Find("rs")), *flow,
                                  &aliases));
}

}  // namespace
}  // namespace xla
