// The interface of XLA's HloEvaluator, and the interpreter's limits.
#include "xla/hlo/evaluator/hlo_evaluator.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/hlo/evaluator/evaluator_test_base.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<HloModule> SubtractModule() {
  return ParseModule(R"(HloModule m
ENTRY e {
  p = f32[2,2]{1,0} parameter(0)
  q = f32[2,2]{1,0} parameter(1)
  c = f32[2,2]{1,0} constant({{1, 1}, {1, 1}})
  d = f32[2,2]{1,0} add(c, c)
  s = f32[2,2]{1,0} subtract(p, q)
  ROOT r = f32[2,2]{0,1} add(s, d)
})");
}

TEST(HloEvaluatorTest, ArgumentsOfAnyLayoutAndForm) {
  std::unique_ptr<HloModule> module = SubtractModule();
  ASSERT_NE(module, nullptr);
  std::vector<Literal> arguments;
  arguments.push_back(LiteralUtil::CreateR2WithLayout<float>(
      {{1, 2}, {3, 4}}, LayoutUtil::MakeLayout({0, 1})));
  arguments.push_back(LiteralUtil::CreateR2<float>({{0, 0}, {0, 1}}));
  const std::string expected = "f32[2,2] { { 3, 4 }, { 5, 5 } }";
  HloEvaluator evaluator;
  auto result = evaluator.Evaluate(*module, absl::MakeConstSpan(arguments));
  EXPECT_EQ(Text(result), expected);
  // The layout is the root's.
  EXPECT_EQ(result->shape().layout(), LayoutUtil::MakeLayout({0, 1}));
  EXPECT_EQ(Text(evaluator.Evaluate(*module->entry_computation(),
                                    {&arguments[0], &arguments[1]})),
            expected);
  EXPECT_EQ(Text(evaluator.EvaluateSlices(
                *module->entry_computation(),
                {LiteralSlice(arguments[0]), LiteralSlice(arguments[1])})),
            expected);
}

TEST(HloEvaluatorTest, ArgumentsMustFit) {
  std::unique_ptr<HloModule> module = SubtractModule();
  ASSERT_NE(module, nullptr);
  HloEvaluator evaluator;
  EXPECT_EQ(evaluator.Evaluate(*module, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
  const Literal scalar = LiteralUtil::CreateR0<float>(1);
  EXPECT_THAT(Text(evaluator.Evaluate(*module, {&scalar, &scalar})),
              HasSubstr("must be f32[2,2], got f32[]"));
}

TEST(HloEvaluatorTest, SingleInstructions) {
  std::unique_ptr<HloModule> module = SubtractModule();
  ASSERT_NE(module, nullptr);
  const HloInstruction* root = module->entry_computation()->root_instruction();
  const HloInstruction* difference = root->operand(0);
  const HloInstruction* sum = root->operand(1);
  HloEvaluator evaluator;
  EXPECT_EQ(Text(evaluator.Evaluate(sum)), "f32[2,2] { { 2, 2 }, { 2, 2 } }");
  Literal literal;
  EXPECT_TRUE(evaluator.TryEvaluate(sum, &literal));
  EXPECT_FALSE(evaluator.TryEvaluate(root, &literal));
  EXPECT_FALSE(evaluator.TryEvaluate(root, &literal, true));
  EXPECT_THAT(Text(evaluator.Evaluate(difference)),
              HasSubstr("is not a constant"));
  const Literal value = LiteralUtil::CreateR2<float>({{5, 6}, {7, 8}});
  EXPECT_EQ(Text(evaluator.EvaluateWithSubstitutions(
                root, {{difference, &value}}, true)),
            "f32[2,2] { { 7, 8 }, { 9, 10 } }");
  EXPECT_EQ(Text(evaluator.EvaluateWithSubstitutions(
                root, {{difference, &value}, {sum, &value}})),
            "f32[2,2] { { 10, 12 }, { 14, 16 } }");
}

TEST(HloEvaluatorTest, OneOp) {
  HloEvaluator evaluator;
  const Literal a = LiteralUtil::CreateR1<float>({1, -2});
  const Literal b = LiteralUtil::CreateR1<float>({3, 4});
  EXPECT_EQ(Text(evaluator.EvaluateElementwiseUnaryOp(HloOpcode::kNegate, a)),
            "f32[2] {-1, 2}");
  EXPECT_EQ(
      Text(evaluator.EvaluateElementwiseBinaryOp(HloOpcode::kMultiply, a, b)),
      "f32[2] {3, -8}");
  EXPECT_EQ(
      Text(evaluator.EvaluateElementwiseTernaryOp(HloOpcode::kClamp, a, a, b)),
      "f32[2] {1, -2}");
  EXPECT_EQ(Text(evaluator.EvaluateElementwiseCompareOp(
                ComparisonDirection::kLt, a, b)),
            "pred[2] {1, 1}");
  DotDimensionNumbers dims;
  dims.add_lhs_contracting_dimensions(0);
  dims.add_rhs_contracting_dimensions(0);
  EXPECT_EQ(Text(evaluator.EvaluateDotOp(dims, PrecisionConfig(), a, b)),
            "f32[] -5");
  EXPECT_FALSE(evaluator.EvaluateElementwiseUnaryOp(HloOpcode::kAdd, a).ok());
}

TEST(HloEvaluatorTest, CustomCallHandler) {
  std::unique_ptr<HloModule> module = ParseModule(R"(HloModule m
ENTRY e {
  c = s32[] constant(3)
  ROOT r = s32[] custom-call(c), custom_call_target="anything"
})");
  ASSERT_NE(module, nullptr);
  const HloInstruction* root = module->entry_computation()->root_instruction();
  HloEvaluator evaluator;
  EXPECT_FALSE(evaluator.Evaluate(root).ok());
  evaluator.set_custom_call_handler(
      [](const HloInstruction* call, absl::Span<const Literal*> operands) {
        return operands[0]->Clone();
      });
  EXPECT_EQ(Text(evaluator.Evaluate(root)), "s32[] 3");
}

TEST(HloEvaluatorTest, LoopsMayBeBounded) {
  std::unique_ptr<HloModule> module = ParseModule(R"(HloModule m
cond {
  p = s32[] parameter(0)
  n = s32[] constant(10)
  ROOT r = pred[] compare(p, n), direction=LT
}

body {
  p = s32[] parameter(0)
  one = s32[] constant(1)
  ROOT r = s32[] add(p, one)
}

ENTRY e {
  zero = s32[] constant(0)
  ROOT w = s32[] while(zero), condition=cond, body=body
})");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(Text(HloEvaluator().Evaluate(*module, {})), "s32[] 10");
  EXPECT_EQ(Text(HloEvaluator(10).Evaluate(*module, {})), "s32[] 10");
  EXPECT_EQ(HloEvaluator(9).Evaluate(*module, {}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

// Returns `depth` computations, each of which calls the next through `op`.
std::string Nested(int depth, absl::string_view op) {
  std::string text =
      "HloModule m\nfn0 {\n  p = f32[] parameter(0)\n"
      "  ROOT r = f32[] negate(p)\n}\n";
  for (int i = 1; i < depth - 1; ++i) {
    absl::StrAppend(&text, "fn", i,
                    " {\n  p = f32[] parameter(0)\n  ROOT r = ", "f32[] ", op,
                    "(p), to_apply=fn", i - 1, "\n}\n");
  }
  absl::StrAppend(&text,
                  "ENTRY e {\n  p = f32[] constant(1)\n  ROOT r = ", "f32[] ",
                  op, "(p), to_apply=fn", depth - 2, "\n}\n");
  return text;
}

TEST(InterpreterTest, CallsMayNestToTheLimit) {
  for (const char* op : {"call", "map"}) {
    std::unique_ptr<HloModule> module =
        ParseModule(Nested(Interpreter::kMaxCallDepth, op));
    ASSERT_NE(module, nullptr);
    EXPECT_EQ(Text(HloEvaluator().Evaluate(*module, {})), "f32[] -1");
  }
  std::unique_ptr<HloModule> module =
      ParseModule(Nested(Interpreter::kMaxCallDepth + 1, "call"));
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(HloEvaluator().Evaluate(*module, {}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(InterpreterTest, ChainsMayBeLong) {
  std::string text = "HloModule m\nENTRY e {\n  v0 = s32[] constant(1)\n";
  for (int i = 1; i < 50000; ++i) {
    absl::StrAppend(&text, "  v", i, " = s32[] negate(v", i - 1, ")\n");
  }
  absl::StrAppend(&text, "  ROOT r = s32[] negate(v49999)\n}\n");
  std::unique_ptr<HloModule> module = ParseModule(text);
  ASSERT_NE(module, nullptr);
  HloEvaluator evaluator;
  EXPECT_EQ(Text(evaluator.Evaluate(*module, {})), "s32[] 1");
  EXPECT_EQ(Text(evaluator.Evaluate(
                module->entry_computation()->root_instruction(), true)),
            "s32[] 1");
}

TEST(InterpreterTest, UnneededInstructionsDoNotRun) {
  std::unique_ptr<HloModule> module = ParseModule(R"(HloModule m
ENTRY e {
  c = s32[] constant(3)
  unused = s32[] custom-call(c), custom_call_target="no.such.function"
  ROOT r = s32[] negate(c)
})");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(Text(HloEvaluator().Evaluate(*module, {})), "s32[] -3");
}

}  // namespace
}  // namespace xla
