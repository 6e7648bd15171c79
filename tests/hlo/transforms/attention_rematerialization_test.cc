// Attention and its gradients in blocks: the values, and what is divided.
#include "xla/hlo/transforms/linear/attention_rematerialization.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {
namespace {

// Two heads of eight tokens with two features.
constexpr absl::string_view kScores =
    "  q = T[2,8,2] parameter(0)\n"
    "  k = T[2,8,2] parameter(1)\n"
    "  v = T[2,8,2] parameter(2)\n"
    "  s = T[2,8,8] dot(q, k), lhs_batch_dims={0}, lhs_contracting_dims={2}, "
    "rhs_batch_dims={0}, rhs_contracting_dims={2}\n";
constexpr absl::string_view kProbabilities =
    "  lowest = T[] constant(-inf)\n"
    "  zero = T[] constant(0)\n"
    "  most = T[2,8] reduce(MASKED, lowest), dimensions={2}, to_apply=max\n"
    "  mosts = T[2,8,8] broadcast(most), dimensions={0,1}\n"
    "  low = T[2,8,8] subtract(MASKED, mosts)\n"
    "  e = T[2,8,8] exponential(low)\n"
    "  sum = T[2,8] reduce(e, zero), dimensions={2}, to_apply=add\n"
    "  sums = T[2,8,8] broadcast(sum), dimensions={0,1}\n"
    "  p = T[2,8,8] divide(e, sums)\n"
    "  o = T[2,8,2] dot(p, v), lhs_batch_dims={0}, lhs_contracting_dims={2}, "
    "rhs_batch_dims={0}, rhs_contracting_dims={1}\n";
// The gradients for the loss sum(o^2) / 2.
constexpr absl::string_view kScoreGradients =
    "  dp = T[2,8,8] dot(o, v), lhs_batch_dims={0}, lhs_contracting_dims={2}, "
    "rhs_batch_dims={0}, rhs_contracting_dims={2}\n"
    "  pdp = T[2,8,8] multiply(p, dp)\n"
    "  row = T[2,8] reduce(pdp, zero), dimensions={2}, to_apply=add\n"
    "  rows = T[2,8,8] broadcast(row), dimensions={0,1}\n"
    "  less = T[2,8,8] subtract(dp, rows)\n"
    "  ds = T[2,8,8] multiply(p, less)\n"
    "  dq = T[2,8,2] dot(ds, k), lhs_batch_dims={0}, lhs_contracting_dims={2}, "
    "rhs_batch_dims={0}, rhs_contracting_dims={1}\n";
constexpr absl::string_view kOtherGradients =
    "  dv = T[2,8,2] dot(p, o), lhs_batch_dims={0}, lhs_contracting_dims={1}, "
    "rhs_batch_dims={0}, rhs_contracting_dims={1}\n"
    "  dk = T[2,8,2] dot(ds, q), lhs_batch_dims={0}, lhs_contracting_dims={1}, "
    "rhs_batch_dims={0}, rhs_contracting_dims={1}\n"
    "  ROOT t = (T[2,8,2], T[2,8,2], T[2,8,2], T[2,8,2]) tuple(o, dq, dk, "
    "dv)\n";

std::string Program(absl::string_view lines, absl::string_view type = "f32",
                    absl::string_view masked = "s") {
  return absl::StrReplaceAll(
      absl::StrCat("HloModule m\n"
                   "max { a = T[] parameter(0) b = T[] parameter(1)\n"
                   "  ROOT c = T[] maximum(a, b) }\n"
                   "add { a = T[] parameter(0) b = T[] parameter(1)\n"
                   "  ROOT c = T[] add(a, b) }\n"
                   "ENTRY e {\n",
                   lines, "}\n"),
      {{"T[", absl::StrCat(type, "[")}, {"MASKED", masked}});
}

// A training step, in which `change` makes `masked` of the scores.
std::string Training(absl::string_view change = "",
                     absl::string_view masked = "s",
                     absl::string_view type = "f32") {
  return Program(absl::StrCat(kScores, change, kProbabilities, kScoreGradients,
                              kOtherGradients),
                 type, masked);
}

Literal ResultOf(const HloModule& module) {
  std::vector<Literal> values;
  for (const HloInstruction* parameter :
       module.entry_computation()->parameter_instructions()) {
    std::vector<float> numbers(ShapeUtil::ElementsIn(parameter->shape()));
    for (size_t i = 0; i < numbers.size(); ++i) {
      const int64_t number = parameter->parameter_number();
      numbers[i] = static_cast<float>((i * i + 3 * i + 5 * number) % 11) / 8;
    }
    values.push_back(*LiteralUtil::CreateR1<float>(numbers)
                          .Reshape(parameter->shape().dimensions())
                          ->Convert(parameter->shape().element_type()));
  }
  std::vector<const Literal*> arguments;
  for (const Literal& value : values) arguments.push_back(&value);
  auto result = HloEvaluator().Evaluate(module, arguments);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *std::move(result) : Literal();
}

// Returns the text after the pass with blocks of so many elements, which must
// keep the values.
std::string Divided(const std::string& text, int64_t block_elements,
                    double tolerance = 1e-5) {
  auto module = ParseAndReturnUnverifiedModule(text);
  if (!module.ok()) ADD_FAILURE() << module.status();
  if (!module.ok()) return "";
  const Literal before = ResultOf(**module);
  AttentionRematerialization pass(/*min_elements=*/128, block_elements,
                                  /*block_rows=*/2);
  const std::string old = (*module)->ToString();
  const auto changed = pass.Run(module->get());
  EXPECT_TRUE(changed.ok()) << changed.status();
  const absl::Status valid = HloVerifier().Verify(**module);
  EXPECT_TRUE(valid.ok()) << valid;
  EXPECT_EQ(changed.value_or(false), old != (*module)->ToString());
  const absl::Status near = literal_comparison::Near(
      before, ResultOf(**module), ErrorSpec(tolerance, tolerance));
  EXPECT_TRUE(near.ok()) << near;
  return (*module)->ToString();
}

// Returns the number of loops of a program.
int Loops(absl::string_view text) {
  int loops = 0;
  for (size_t at = text.find(" while("); at != absl::string_view::npos;
       at = text.find(" while(", at + 1)) {
    ++loops;
  }
  return loops;
}

TEST(AttentionRematerializationTest, ForwardAloneStays) {
  const std::string text =
      Divided(Program(absl::StrCat(kScores, kProbabilities,
                                   "  ROOT t = (T[2,8,2]) tuple(o)")),
              64);
  EXPECT_EQ(Loops(text), 0);
}

TEST(AttentionRematerializationTest, GradientsByHeads) {
  const std::string text = Divided(Training(), 64);
  EXPECT_EQ(Loops(text), 1);
  // The forward pass keeps its own scores, which it alone reads.
  EXPECT_TRUE(absl::StrContains(text, "%s = f32[2,8,8]"));
  EXPECT_FALSE(absl::StrContains(text, "%dp = f32[2,8,8]"));
  EXPECT_TRUE(absl::StrContains(text, "constant(2)"));
}

TEST(AttentionRematerializationTest, GradientsByRows) {
  for (const int block : {1, 16, 32}) {
    const std::string text = Divided(Training(), block);
    EXPECT_EQ(Loops(text), 1);
    EXPECT_TRUE(absl::StrContains(
        text, absl::StrCat("f32[1,", block == 32 ? 4 : 2, ",8]")));
  }
}

TEST(AttentionRematerializationTest, SumsOfSmallFloatsAreF32) {
  const std::string text =
      Divided(Training("", "s", "bf16"), 16, /*tolerance=*/0.05);
  EXPECT_EQ(Loops(text), 1);
  EXPECT_TRUE(absl::StrContains(text, "f32[1,8,2]"));
}

// A mask of iotas becomes one of each block's indices.
TEST(AttentionRematerializationTest, CausalMask) {
  constexpr absl::string_view kMask =
      "  i = s32[8,8] iota(), iota_dimension=0\n"
      "  j = s32[8,8] iota(), iota_dimension=1\n"
      "  c = pred[8,8] compare(i, j), direction=GE\n"
      "  m = pred[2,8,8] broadcast(c), dimensions={1,2}\n"
      "  big = T[] constant(-1000)\n"
      "  bigs = T[2,8,8] broadcast(big), dimensions={}\n"
      "  x = T[2,8,8] select(m, s, bigs)\n";
  const std::string text = Divided(Training(kMask, "x"), 16);
  EXPECT_EQ(Loops(text), 1);
  EXPECT_FALSE(absl::StrContains(text, "pred[8,8]"));
  EXPECT_TRUE(absl::StrContains(text, "pred[1,2,8]"));
}

// An argument that is added is read block by block.
TEST(AttentionRematerializationTest, Bias) {
  constexpr absl::string_view kBias =
      "  b = T[8,8] parameter(3)\n"
      "  bs = T[2,8,8] broadcast(b), dimensions={1,2}\n"
      "  x = T[2,8,8] add(s, bs)\n";
  const std::string text = Divided(Training(kBias, "x"), 16);
  EXPECT_EQ(Loops(text), 1);
  EXPECT_TRUE(absl::StrContains(text, "dynamic_slice_sizes={2,8}"));
}

// Sums of rows that are results, too.
TEST(AttentionRematerializationTest, SumsOfRows) {
  const std::string program = absl::StrReplaceAll(
      Training(), {{"ROOT t = (", "ROOT t = (f32[2,8], f32[2,8], "},
                   {"tuple(o", "tuple(sum, row, o"}});
  const std::string text = Divided(program, 16);
  // With o, the sums are two results of the first product.
  EXPECT_EQ(Loops(text), 2);
  EXPECT_FALSE(absl::StrContains(text, "%s = f32[2,8,8]"));
}

// Scores that are a result are in memory anyway.
TEST(AttentionRematerializationTest, ScoresThatAreReadStay) {
  const std::string program = absl::StrReplaceAll(
      Training(),
      {{"ROOT t = (", "ROOT t = (f32[2,8,8], "}, {"tuple(o", "tuple(p, o"}});
  EXPECT_EQ(Loops(Divided(program, 16)), 0);
}

// A gradient of q alone has three dots, one of them again.
TEST(AttentionRematerializationTest, FewDotsStay) {
  const std::string program =
      Program(absl::StrCat(kScores, kProbabilities, kScoreGradients,
                           "  ROOT t = (T[2,8,2], T[2,8,2]) tuple(o, dq)\n"));
  EXPECT_EQ(Loops(Divided(program, 16)), 0);
}

// Rows and columns that are one and the same cannot be divided.
TEST(AttentionRematerializationTest, SymmetricScoresAreDividedByHeadsAlone) {
  constexpr absl::string_view kBoth =
      "  u = T[2,8,8] transpose(s), dimensions={0,2,1}\n"
      "  x = T[2,8,8] add(s, u)\n";
  const std::string text = Divided(Training(kBoth, "x"), 16);
  EXPECT_EQ(Loops(text), 1);
  EXPECT_TRUE(absl::StrContains(text, "f32[1,8,8]"));
}

}  // namespace
}  // namespace xla
