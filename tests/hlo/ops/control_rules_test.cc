// Rules of control flow and value ops that no HLO text can break: the parser
// refuses the text, or it would have to be very long.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/hlo/rule_matcher.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/values.h"

namespace xla {
namespace {

std::string Error(const absl::StatusOr<Shape>& shape) {
  return shape.ok() ? "none" : std::string(shape.status().message());
}

bool Breaks(const absl::StatusOr<Shape>& shape, const std::string& rule) {
  EXPECT_EQ(shape.status().code(), absl::StatusCode::kInvalidArgument);
  return testing::Value(Error(shape), BreaksRule(rule));
}

const Shape kVector = ShapeUtil::MakeShape(F32, {2});

TEST(ValueRulesTest, ParameterNumberIsNotNegative) {
  InferArgs args;
  args.declared = &kVector;
  ParameterAttrs attrs;
  attrs.number = -1;
  EXPECT_TRUE(Breaks(InferParameter(args, attrs), "parameter_c1"));
}

TEST(ValueRulesTest, ConstantHasALiteral) {
  EXPECT_TRUE(Breaks(InferConstant({}, ConstantAttrs()), "constant_c1"));
  ConstantAttrs attrs{SharedLiteral(LiteralUtil::CreateR0<float>(1))};
  EXPECT_EQ(*InferConstant({}, attrs), ShapeUtil::MakeShape(F32, {}));
}

TEST(ValueRulesTest, TuplesDoNotNestTooDeep) {
  Shape shape = kVector;
  for (int depth = 0; depth < Shape::kMaxNesting; ++depth) {
    const Shape* operands[] = {&shape};
    absl::StatusOr<Shape> tuple = InferTuple({operands});
    ASSERT_TRUE(tuple.ok()) << tuple.status();
    shape = *tuple;
  }
  const Shape* operands[] = {&shape};
  EXPECT_TRUE(Breaks(InferTuple({operands}), "tuple_c1"));
}

TEST(ControlFlowRulesTest, APredicateChoosesBetweenTwo) {
  const Shape pred = ShapeUtil::MakeShape(PRED, {});
  const Shape* operands[] = {&pred, &kVector};
  const ProgramShape same({kVector}, kVector, {"x"});
  const ProgramShape* computations[] = {&same};
  EXPECT_TRUE(
      Breaks(InferConditional({operands, computations}), "conditional_c2"));
  const Shape index = ShapeUtil::MakeShape(S32, {});
  const Shape* none[] = {&index};
  EXPECT_TRUE(Breaks(InferConditional({none}), "conditional_c2"));
}

TEST(ControlFlowRulesTest, BranchesMakeDimensionsDynamic) {
  const Shape index = ShapeUtil::MakeShape(S32, {});
  const Shape dynamic = ShapeUtil::MakeShape(F32, {2}, {true});
  const Shape* operands[] = {&index, &kVector, &kVector};
  const ProgramShape first({kVector}, kVector, {"x"});
  const ProgramShape second({kVector}, dynamic, {"x"});
  const ProgramShape* computations[] = {&first, &second};
  absl::StatusOr<Shape> result = InferConditional({operands, computations});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->is_dynamic_dimension(0));
}

TEST(ControlFlowRulesTest, AsyncOpsTakeWhatAsyncStartGives) {
  const Shape wrong = ShapeUtil::MakeTupleShape({kVector, kVector});
  const Shape* operands[] = {&wrong};
  EXPECT_TRUE(Breaks(InferAsyncUpdate({operands}, {}), "async_update_c1"));
  EXPECT_TRUE(Breaks(InferAsyncDone({operands}, {}), "async_done_c1"));
}

TEST(ControlFlowRulesTest, LayoutConstraintsAreOnePerOperand) {
  const Shape* operands[] = {&kVector, &kVector};
  InferArgs args{operands};
  args.declared = &kVector;
  CustomCallAttrs attrs;
  attrs.operand_layout_constraints = {kVector};
  EXPECT_TRUE(Breaks(InferCustomCall(args, attrs), "custom_call_c1"));
}

}  // namespace
}  // namespace xla
