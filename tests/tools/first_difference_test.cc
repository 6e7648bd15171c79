// The search for the first difference between two versions of a program, in
// loops, branches and calls.
#include "xla/tools/debugging/first_difference.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::tools {
namespace {

using ::testing::HasSubstr;

// A loop of LIMIT iterations that calls a function, in which a branch is taken
// from iteration 3 on, in which a loop of 4 iterations runs.
constexpr absl::string_view kNested = R"(HloModule nested
inner_cond {
  c = (s32[], s32[]) parameter(0)
  j = s32[] get-tuple-element(c), index=0
  n = s32[] constant(4)
  ROOT lt = pred[] compare(j, n), direction=LT
}
inner_body {
  c = (s32[], s32[]) parameter(0)
  j = s32[] get-tuple-element(c), index=0
  a = s32[] get-tuple-element(c), index=1
  one = s32[] constant(1)
  next = s32[] add(j, one)
  two = s32[] constant(2)
  low = s32[] minimum(j, two), metadata={op_name="low" source_file="model.py" source_line=12}
  b = s32[] add(a, low)
  ROOT t = (s32[], s32[]) tuple(next, b)
}
double {
  x = s32[] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], s32[]) tuple(zero, x)
  u = (s32[], s32[]) while(t), condition=inner_cond, body=inner_body, metadata={op_name="inner" source_file="model.py" source_line=10}
  ROOT y = s32[] get-tuple-element(u), index=1
}
same {
  x = s32[] parameter(0)
  ROOT y = s32[] negate(x)
}
step {
  i = s32[] parameter(0)
  a = s32[] parameter(1)
  three = s32[] constant(3)
  late = pred[] compare(i, three), direction=GE
  ROOT k = s32[] conditional(late, a, a), true_computation=double, false_computation=same
}
cond {
  c = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(c), index=0
  n = s32[] constant(LIMIT)
  ROOT lt = pred[] compare(i, n), direction=LT
}
body {
  c = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(c), index=0
  a = s32[] get-tuple-element(c), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  f = s32[] call(i, a), to_apply=step
  ROOT out = (s32[], s32[]) tuple(next, f)
}
ENTRY e {
  x = s32[] parameter(0)
  zero = s32[] constant(0)
  start = (s32[], s32[]) tuple(zero, x)
  w = (s32[], s32[]) while(start), condition=cond, body=body, metadata={op_name="outer" source_file="model.py" source_line=8}
  r = s32[] get-tuple-element(w), index=1
  ROOT q = s32[] negate(r)
})";

using Replacements = std::vector<std::pair<std::string, std::string>>;

std::unique_ptr<HloModule> Nested(const Replacements& replacements = {},
                                  const std::string& limit = "10") {
  std::string text = absl::StrReplaceAll(kNested, replacements);
  text = absl::StrReplaceAll(text, {{"LIMIT", limit}});
  return ParseAndReturnUnverifiedModule(text).value();
}

std::vector<Literal> Argument() {
  std::vector<Literal> arguments;
  arguments.push_back(LiteralUtil::CreateR0<int32_t>(5));
  return arguments;
}

// The report on the differences that `replacements` make.
std::string Report(const HloModule& before, const HloModule& after,
                   int max_levels = 100) {
  const absl::StatusOr<FirstDifference> first =
      FindFirstDifference(before, after, Argument(), {}, max_levels);
  return first.ok() ? DescribeDifference(*first) : first.status().ToString();
}

TEST(FirstDifferenceTest, GoesIntoLoopsCallsAndBranches) {
  // The inner loop's iteration 3 alone differs, in which j is 3.
  const auto before = Nested();
  const auto after =
      Nested({{"minimum(j, two)", "add(j, zero)"},
              {"two = s32[] constant(2)", "zero = s32[] constant(0)"}});
  EXPECT_EQ(
      Report(*before, *after),
      "the first instruction with another value is low (model.py:12) of "
      "computation inner_body\n"
      "  in the body of while u (model.py:10) of computation double, in "
      "iteration 3\n"
      "  in branch 0 of conditional k of computation step\n"
      "  in what is called by call f of computation body\n"
      "  in the body of while w (model.py:8) of computation e, in "
      "iteration 3\n"
      "  before: %low = s32[] minimum(%j.1, %two), metadata={op_name=\"low\" "
      "source_file=\"model.py\" source_line=12}\n"
      "  after:  %low = s32[] add(%j.1, %zero), metadata={op_name=\"low\" "
      "source_file=\"model.py\" source_line=12}\n"
      "  new:    %zero = s32[] constant(0)\n");
  const auto first =
      FindFirstDifference(*before, *after, Argument(), {}, /*max_levels=*/100);
  ASSERT_TRUE(first.ok()) << first.status();
  // -5 after three negations, and 0 + 1 + 2 in the inner loop.
  ASSERT_EQ(first->arguments.size(), 1);
  EXPECT_EQ(first->arguments[0].ToStringWithoutShapeOneline(), "( 3, -2 )");
}

TEST(FirstDifferenceTest, FindsConditions) {
  const auto before = Nested();
  const auto after = Nested({{"lt = pred[] compare(j, n), direction=LT",
                              "lt = pred[] compare(j, n), direction=LE"}});
  EXPECT_THAT(Report(*before, *after),
              HasSubstr("the first instruction with another value is lt of "
                        "computation inner_cond\n"
                        "  in the condition of while u (model.py:10) of "
                        "computation double, before iteration 4\n"));
}

TEST(FirstDifferenceTest, LoopsOfManyIterations) {
  // The last iteration alone differs, where i - min(i, 1998) is not 0.
  const auto before = Nested({}, "2000");
  const auto after =
      Nested({{"ROOT out = (s32[], s32[]) tuple(next, f)",
               "m = s32[] constant(1998)\n  k = s32[] minimum(i, m)\n"
               "  d = s32[] subtract(i, k)\n  g = s32[] add(f, d)\n"
               "  ROOT out = (s32[], s32[]) tuple(next, g)"}},
             "2000");
  EXPECT_THAT(Report(*before, *after),
              HasSubstr("is out of computation body\n"
                        "  in the body of while w (model.py:8) of computation "
                        "e, in iteration 1999\n"));
}

TEST(FirstDifferenceTest, TellsWhyItEnds) {
  const auto before = Nested();
  const auto after = Nested({{"minimum(j, two)", "maximum(j, two)"}});
  EXPECT_THAT(Report(*before, *after, /*max_levels=*/1),
              HasSubstr("with another value is f of computation body"));
  EXPECT_THAT(Report(*before, *after, /*max_levels=*/1),
              HasSubstr("\n  what it runs was not looked into\n"));
  EXPECT_THAT(Report(*before, *after, /*max_levels=*/0),
              HasSubstr("with another value is w (model.py:8)\n"));
  const auto other_state =
      Nested({{"start = (s32[], s32[]) tuple(zero, x)",
               "start = (s32[], s32[]) tuple(zero, zero)"}});
  EXPECT_THAT(Report(*before, *other_state), HasSubstr("is start\n"));
  EXPECT_THAT(Report(*before, *Nested()), HasSubstr("NOT_FOUND"));
}

TEST(FirstDifferenceTest, PairsLoopsThatGotAnotherName) {
  const auto before = Nested();
  const auto after = Nested({{"minimum(j, two)", "maximum(j, two)"},
                             {"  w = (", "  loop = ("},
                             {"element(w)", "element(loop)"}});
  EXPECT_THAT(Report(*before, *after),
              HasSubstr("is low (model.py:12) of computation inner_body"));
}

TEST(FirstDifferenceTest, ShowsComputationsOfReductions) {
  constexpr absl::string_view kReduction = R"(HloModule reduction
f {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY e {
  x = f32[3] constant({1, 2, 3})
  v = f32[] constant(0)
  ROOT r = f32[] reduce(x, v), dimensions={0}, to_apply=f
})";
  const auto before = ParseAndReturnUnverifiedModule(kReduction).value();
  const auto after = ParseAndReturnUnverifiedModule(
                         absl::StrReplaceAll(kReduction, {{"add", "maximum"}}))
                         .value();
  const absl::StatusOr<FirstDifference> first =
      FindFirstDifference(*before, *after, {}, {}, /*max_levels=*/100);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_THAT(DescribeDifference(*first), HasSubstr("  applied after:  %f ("));
}

}  // namespace
}  // namespace xla::tools
