// WhileUtil: loops read, widened and made; and what brings gathers into simpler
// forms.
#include "xla/service/while_util.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/testlib/pattern_matcher_gmock.h"
#include "xla/literal_util.h"
#include "xla/service/gather_scatter_utils.h"
#include "xla/service/hlo_creation_utils.h"
#include "xla/service/pattern_matcher.h"

namespace xla {
namespace {

namespace m = match;
using ::testing::ElementsAre;
using ::testing::Pair;

class WhileUtilTest : public LoadedModuleTest {
 protected:
  // Adds k and then 1 to x, n times.
  void LoadLoop() {
    Load(R"(
HloModule loop
body {
  p = (s32[], s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = s32[] get-tuple-element(p), index=1
  k = s32[] get-tuple-element(p), index=2
  k2 = s32[] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = s32[] add(x, k2)
  z = s32[] add(y, one)
  ROOT t = (s32[], s32[], s32[]) tuple(j, z, k)
}
condition {
  q = (s32[], s32[], s32[]) parameter(0)
  c = s32[] get-tuple-element(q), index=0
  n = s32[] constant(3)
  ROOT less = pred[] compare(c, n), direction=LT
}
ENTRY main {
  zero = s32[] constant(0)
  start = s32[] parameter(0)
  step = s32[] parameter(1)
  hundred = s32[] constant(100)
  first = s32[] negate(step)
  init = (s32[], s32[], s32[]) tuple(zero, start, step)
  w = (s32[], s32[], s32[]) while(init), condition=condition, body=body, metadata={op_name="w"}, control-predecessors={first}, backend_config={"known_trip_count":{"n":"3"}}
  ROOT r = s32[] get-tuple-element(w), index=1
})");
  }
  void ExpectResult(int32_t expected) {
    EXPECT_TRUE(verifier().Run(module_.get()).ok());
    const Literal start = LiteralUtil::CreateR0<int32_t>(5);
    const Literal step = LiteralUtil::CreateR0<int32_t>(10);
    EXPECT_EQ(HloEvaluator().Evaluate(*module_, {&start, &step}).value(),
              LiteralUtil::CreateR0<int32_t>(expected));
  }
};

TEST_F(WhileUtilTest, ElementsOfTheCarry) {
  LoadLoop();
  const HloInstruction* loop = Find("w");
  EXPECT_THAT(WhileUtil::GetInvariantGTEsForWhileBody(*loop->while_body()),
              ElementsAre(Find("k"), Find("k2")));
  const auto elements =
      WhileUtil::GetGTEsMapForWhileConditional(*loop->while_condition());
  ASSERT_EQ(elements.size(), 1);
  EXPECT_THAT(elements.at(0), ElementsAre(Find("c")));
}

TEST_F(WhileUtilTest, InstructionsAreMadeLiveIn) {
  LoadLoop();
  ExpectResult(5 + 3 * 11);
  HloInstruction* loop = Find("w");
  HloInstruction* one = Find("one");
  const HloInstruction* less = Find("less");
  TF_ASSERT_OK_AND_ASSIGN(
      WhileUtil::MakeInstructionsLiveInResult result,
      WhileUtil::MakeInstructionsLiveIn(loop, {Find("hundred")}));
  ExpectResult(5 + 3 * 11);
  const HloInstruction* wide = result.new_while_instr;
  EXPECT_EQ(wide->shape().tuple_shapes_size(), 4);
  EXPECT_EQ(wide->metadata().op_name(), "w");
  EXPECT_EQ(wide->raw_backend_config_string(),
            R"({"known_trip_count":{"n":"3"}})");
  EXPECT_THAT(wide->control_predecessors(), ElementsAre(Find("first")));
  EXPECT_EQ(Find("r")->operand(0), result.replacement_instr);
  EXPECT_EQ(result.while_condition_instruction_map.at(
                const_cast<HloInstruction*>(less)),
            wide->while_condition()->root_instruction());
  ASSERT_EQ(result.while_body_live_in_values.size(), 1);
  EXPECT_THAT(result.while_body_live_in_values[0],
              GmockMatch(m::GetTupleElement(m::Parameter(0), 3)));
  // The loop now counts in hundreds where it counted by ones.
  HloInstruction* body_one = result.while_body_instruction_map.at(one);
  HloInstruction* z = result.while_body_instruction_map.at(Find("z"));
  ASSERT_EQ(z->operand(1), body_one);
  EXPECT_TRUE(
      z->ReplaceOperandWith(1, result.while_body_live_in_values[0]).ok());
  ExpectResult(5 + 3 * 110);
}

TEST_F(WhileUtilTest, CountedLoopsAreMade) {
  Load(R"(
HloModule sums
ENTRY main {
  start = s32[] parameter(0)
  ROOT step = s32[] parameter(1)
})");
  HloComputation* entry = module_->entry_computation();
  OpMetadata metadata;
  metadata.set_op_name("sum");
  const auto add_count = [](HloInstruction* count,
                            const WhileUtil::LoopStateTy& state)
      -> absl::StatusOr<WhileUtil::LoopStateTy> {
    TF_ASSIGN_OR_RETURN(HloInstruction * product,
                        MakeBinaryHlo(HloOpcode::kMultiply, count, state[1]));
    TF_ASSIGN_OR_RETURN(HloInstruction * sum,
                        MakeBinaryHlo(HloOpcode::kAdd, state[0], product));
    return WhileUtil::LoopStateTy{sum, state[1]};
  };
  TF_ASSERT_OK_AND_ASSIGN(
      WhileUtil::LoopStateTy results,
      WhileUtil::MakeCountedLoop(entry, 4, {Find("start"), Find("step")},
                                 add_count, metadata));
  ASSERT_EQ(results.size(), 2);
  EXPECT_EQ(results[0]->operand(0)->metadata().op_name(), "sum");
  entry->set_root_instruction(results[0]);
  ExpectResult(5 + (0 + 1 + 2 + 3) * 10);
}

TEST_F(WhileUtilTest, IndicesBecomeRowsOfVectors) {
  Load(R"(
HloModule indices
ENTRY main {
  a = s32[4,2,3] parameter(0)
  b = s32[5] parameter(1)
  ROOT c = s32[] parameter(2)
})");
  const auto rows = [&](absl::string_view name, int64_t vector_dim) {
    HloInstruction* result =
        TransformStartIndices(Find(name), vector_dim).value();
    return std::vector<int64_t>(result->shape().dimensions().begin(),
                                result->shape().dimensions().end());
  };
  EXPECT_THAT(rows("a", 1), ElementsAre(12, 2));
  EXPECT_THAT(rows("a", 3), ElementsAre(24, 1));
  EXPECT_THAT(rows("b", 0), ElementsAre(1, 5));
  EXPECT_THAT(rows("b", 1), ElementsAre(5, 1));
  EXPECT_THAT(rows("c", 0), ElementsAre(1, 1));
  HloInstruction* a = Find("a");
  EXPECT_EQ(MaybeTranspose(a, {0, 1, 2}).value(), a);
  EXPECT_THAT(MaybeTranspose({a, a}, {1, 0, 2}).value()[1],
              GmockMatch(m::Transpose(m::Op().Is(a))));
  EXPECT_EQ(MoveDimensionToEnd(a, 2, 3).value(), a);
  EXPECT_THAT(MoveDimensionToEnd(a, 0, 3).value()->dimensions(),
              ElementsAre(1, 2, 0));
  EXPECT_THAT(MakeOperandStartIndexPermutations({2, 0}, 4),
              Pair(ElementsAre(2, 0, 1, 3), ElementsAre(1, 2, 0, 3)));
  EXPECT_TRUE(IsCollapsedOrBatchingDim({1}, {3}, 3));
  EXPECT_FALSE(IsCollapsedOrBatchingDim({1}, {3}, 2));
}

}  // namespace
}  // namespace xla
