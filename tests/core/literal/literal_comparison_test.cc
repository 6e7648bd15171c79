// Reports on literals that differ.
#include "xla/core/literal/comparison/literal_comparison.h"

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/core/literal/literal_util.h"

namespace xla {
namespace literal_comparison {
namespace {

using ::testing::HasSubstr;

TEST(LiteralComparisonTest, EqualNamesTheElementAndThePart) {
  Literal a = LiteralUtil::MakeTupleOwned(
      LiteralUtil::CreateR1<int32_t>({1, 2}), LiteralUtil::CreateR0<float>(1));
  Literal b = a.Clone();
  EXPECT_TRUE(Equal(a, b).ok());
  b.Set<int32_t>({1}, {0}, 5);
  const std::string message(Equal(a, b).message());
  EXPECT_THAT(message, HasSubstr("{0}"));
  EXPECT_THAT(message, HasSubstr("[1] expected 2, actual 5"));
}

TEST(LiteralComparisonTest, EqualTakesNansForEqualAndSignsOfZeroForDifferent) {
  EXPECT_TRUE(Equal(LiteralUtil::CreateR0<float>(NAN),
                    LiteralUtil::CreateR0<float>(-NAN))
                  .ok());
  EXPECT_FALSE(Equal(LiteralUtil::CreateR0<float>(0.0f),
                     LiteralUtil::CreateR0<float>(-0.0f))
                   .ok());
  EXPECT_FALSE(
      Equal(LiteralUtil::CreateR0<float>(0), LiteralUtil::CreateR0<int32_t>(0))
          .ok());
}

TEST(LiteralComparisonTest, NearReportsTheWorst) {
  Literal a = LiteralUtil::CreateR1<float>({1, 2, 3, 4});
  Literal b = LiteralUtil::CreateR1<float>({1, 2.001f, 3.5f, 4});
  EXPECT_TRUE(Near(a, b, ErrorSpec(0.6)).ok());
  EXPECT_TRUE(Near(a, b, ErrorSpec(0, 0.2)).ok());
  const std::string message(Near(a, b, ErrorSpec(1e-4, 1e-4)).message());
  EXPECT_THAT(message, HasSubstr("2 of 4 elements"));
  EXPECT_THAT(message, HasSubstr("[2] expected 3, actual 3.5, abs error 0.5"));
}

// Returns the line that says which bounds would do.
std::string WiderBoundsOf(const Literal& a, const Literal& b,
                          const ErrorSpec& error) {
  const std::string message(Near(a, b, error).message());
  const size_t start = message.find("ErrorSpec{");
  if (start == std::string::npos) return "";
  return message.substr(start, message.find('\n', start) - start);
}

TEST(LiteralComparisonTest, NearSaysWhatWouldDo) {
  const Literal a = LiteralUtil::CreateR1<float>({8, 100, 0.5f, 3});
  const Literal b = LiteralUtil::CreateR1<float>({8.5f, 104, 0.75f, 3});
  EXPECT_EQ(WiderBoundsOf(a, b, ErrorSpec(0.01, 0.02)),
            "ErrorSpec{0.01, 0.02} would have to be ErrorSpec{0.01, 0.5} or "
            "ErrorSpec{0.5, 0.04} or ErrorSpec{4, 0.02}");
  EXPECT_TRUE(Near(a, b, ErrorSpec(0.01, 0.5)).ok());
  EXPECT_TRUE(Near(a, b, ErrorSpec(0.5, 0.04)).ok());
  EXPECT_TRUE(Near(a, b, ErrorSpec(4, 0.02)).ok());

  const auto one = [](float value) {
    return LiteralUtil::CreateR1<float>({value});
  };
  EXPECT_EQ(WiderBoundsOf(one(0), one(0.25f), ErrorSpec(0.1, 0.1)),
            "ErrorSpec{0.1, 0.1} would have to be ErrorSpec{0.3, 0.1}");
  EXPECT_EQ(WiderBoundsOf(one(0), one(1e-40f), ErrorSpec(0)),
            "ErrorSpec{0, 0} would have to be ErrorSpec{1e-40, 0}");
  EXPECT_EQ(WiderBoundsOf(one(NAN), one(1), ErrorSpec(0.1, 0.1)), "");
  EXPECT_EQ(WiderBoundsOf(LiteralUtil::CreateR1<complex64>({{3, 4}}),
                          LiteralUtil::CreateR1<complex64>({{3, 5}}),
                          ErrorSpec(0.5, 0.125)),
            "ErrorSpec{0.5, 0.125} would have to be ErrorSpec{0.5, 0.3} or "
            "ErrorSpec{1, 0.125}");
}

TEST(LiteralComparisonTest, WiderBoundsOfManyErrors) {
  std::vector<float> b;
  for (int i = 1; i <= 20000; ++i) b.push_back(i);
  const Literal ones =
      LiteralUtil::CreateR1<float>(std::vector<float>(b.size(), 1));
  EXPECT_EQ(WiderBoundsOf(ones, LiteralUtil::CreateR1<float>(b), ErrorSpec(0)),
            "ErrorSpec{0, 0} would have to be ErrorSpec{0, 20000} or "
            "ErrorSpec{20000, 0}");
}

TEST(LiteralComparisonTest, NearKnowsInfinitiesAndNans) {
  const float inf = std::numeric_limits<float>::infinity();
  Literal a = LiteralUtil::CreateR1<float>({inf, NAN, 1});
  EXPECT_TRUE(Near(a, a, ErrorSpec(0)).ok());
  Literal b = LiteralUtil::CreateR1<float>({3e38f, NAN, 1});
  EXPECT_FALSE(Near(a, b, ErrorSpec(1e30, 1e-3)).ok());
  Literal c = LiteralUtil::CreateR1<float>({inf, 1, 1});
  EXPECT_FALSE(Near(a, c, ErrorSpec(1e30, 1e30)).ok());
  EXPECT_FALSE(Near(c, a, ErrorSpec(1e30, 1e30)).ok());
}

TEST(LiteralComparisonTest, RelaxedNansAreExpectedOnes) {
  const Literal nan = LiteralUtil::CreateR1<float>({NAN});
  const Literal other = LiteralUtil::CreateR1<float>({-NAN});
  const Literal one = LiteralUtil::CreateR1<float>({1});
  ErrorSpec error(0);
  EXPECT_FALSE(error.relaxed_nans);
  EXPECT_TRUE(Near(nan, other, error).ok());
  EXPECT_FALSE(Near(nan, one, error).ok());
  error.relaxed_nans = true;
  EXPECT_TRUE(Near(nan, one, error).ok());
  EXPECT_FALSE(Near(one, nan, error).ok());
}

TEST(LiteralComparisonTest, NumbersOfFewBitsBySteps) {
  const auto bf16 = [](std::initializer_list<float> values) {
    std::vector<bfloat16> numbers;
    for (const float value : values) numbers.push_back(bfloat16(value));
    return LiteralUtil::CreateR1<bfloat16>(numbers);
  };
  ErrorSpec error(0);
  error.low_precision_fp_error_spec = {BF16, 2};
  // Numbers after 1 are 1/128 apart, and -0 is 0.
  const Literal a = bf16({1, 0}), b = bf16({1 + 2.0f / 128, -0.0f});
  EXPECT_TRUE(Near(a, b, error).ok());
  EXPECT_FALSE(Near(a, bf16({1 + 3.0f / 128, 0}), error).ok());
  EXPECT_TRUE(Near(bf16({1e-40f}), bf16({-1e-40f}), ErrorSpec(1e-39)).ok());
  // In numbers of the type that is given, eight times as close in F16.
  error.low_precision_fp_error_spec.type = F16;
  EXPECT_FALSE(Near(a, b, error).ok());
  error.low_precision_fp_error_spec.within_n_values = 16;
  EXPECT_TRUE(Near(a, b, error).ok());
}

TEST(LiteralComparisonTest, InfinitiesAndLargeNumbers) {
  const float inf = std::numeric_limits<float>::infinity();
  const Literal finite = LiteralUtil::CreateR1<float>({3.4e38f, -1});
  const Literal infinite = LiteralUtil::CreateR1<float>({inf, -1});
  ErrorSpec error(0, 1e-2);
  EXPECT_FALSE(Near(finite, infinite, error).ok());
  error.fewer_infs_ok = true;
  EXPECT_TRUE(Near(finite, infinite, error).ok());
  EXPECT_FALSE(Near(infinite, finite, error).ok());
  EXPECT_FALSE(
      Near(finite, LiteralUtil::CreateR1<float>({-inf, -1}), error).ok());
  error.fewer_infs_ok = false;
  error.more_infs_ok = true;
  EXPECT_TRUE(Near(infinite, finite, error).ok());
  EXPECT_FALSE(Near(finite, infinite, error).ok());
}

TEST(LiteralComparisonTest, PartsOfComplexNumbersOrTheWhole) {
  const auto number = [](float real, float imag) {
    return LiteralUtil::CreateR0<complex64>(complex64(real, imag));
  };
  EXPECT_TRUE(Near(number(1, 1), number(1.09f, 1.09f), ErrorSpec(0.1)).ok());
  EXPECT_TRUE(Near(number(1e3f, 1), number(1e3f, 2), ErrorSpec(0, 0.1)).ok());
  EXPECT_FALSE(Near(number(5, 1), number(5, 2), ErrorSpec(0, 0.1)).ok());
  EXPECT_FALSE(Near(number(1, 1), number(1, 1.2f), ErrorSpec(0.1)).ok());
  // An infinity is near itself alone.
  const Literal one = number(1, 0);
  const ErrorSpec relative(0, 1e-3);
  EXPECT_FALSE(Near(number(INFINITY, 0), one, relative).ok());
  EXPECT_FALSE(Near(number(-INFINITY, 0), one, relative).ok());
  EXPECT_FALSE(Near(number(INFINITY, NAN), one, relative).ok());
  EXPECT_TRUE(Near(number(INFINITY, 0), number(INFINITY, 0), relative).ok());
}

TEST(LiteralComparisonTest, NansOfOtherBits) {
  const Literal nan = LiteralUtil::CreateR1<float>({NAN});
  const Literal other = LiteralUtil::CreateR1<float>({-NAN});
  ErrorSpec error(0);
  EXPECT_TRUE(Near(nan, other, error).ok());
  error.all_nans_are_equivalent = false;
  EXPECT_FALSE(Near(nan, other, error).ok());
  EXPECT_TRUE(Near(nan, nan, error).ok());
  EXPECT_TRUE(Near(nan, other, ErrorSpec(0, 0, /*relaxed_nans=*/true)).ok());
}

TEST(LiteralComparisonTest, IntegersAreExact) {
  EXPECT_FALSE(Near(LiteralUtil::CreateR0<int32_t>(1),
                    LiteralUtil::CreateR0<int32_t>(2), ErrorSpec(10))
                   .ok());
}

template <typename T>
void ExpectRoundingDifference(T expected, T actual, bool agrees) {
  ErrorSpec error(0);
  const Literal a = LiteralUtil::CreateR1<T>({T(0), expected});
  const Literal b = LiteralUtil::CreateR1<T>({T(0), actual});
  EXPECT_FALSE(Near(a, b, error).ok());
  error.allow_integer_rounding_difference = true;
  EXPECT_EQ(Near(a, b, error).ok(), agrees);
  EXPECT_EQ(Near(b, a, error).ok(), agrees);
  const Literal part = LiteralUtil::MakeTuple({&a});
  EXPECT_EQ(Near(part, LiteralUtil::MakeTuple({&b}), error).ok(), agrees);
}

TEST(LiteralComparisonTest, IntegersOfOtherRounding) {
  ExpectRoundingDifference<int8_t>(-1, 0, true);
  ExpectRoundingDifference<int8_t>(-1, 1, false);
  ExpectRoundingDifference<int8_t>(-128, 127, false);
  ExpectRoundingDifference<s4>(s4(-8), s4(-7), true);
  ExpectRoundingDifference<u4>(u4(15), u4(0), false);
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  constexpr uint64_t kMaxUnsigned = std::numeric_limits<uint64_t>::max();
  ExpectRoundingDifference<int64_t>(kMin, kMax, false);
  ExpectRoundingDifference<int64_t>(kMax - 1, kMax, true);
  ExpectRoundingDifference<uint64_t>(kMaxUnsigned - 1, kMaxUnsigned, true);
  ExpectRoundingDifference<uint64_t>(kMaxUnsigned, 0, false);
  ExpectRoundingDifference<bool>(true, false, false);
}

TEST(LiteralComparisonTest, MismatchesAreHandedOver) {
  Literal a = LiteralUtil::CreateR1<float>({1, 2});
  Literal b = LiteralUtil::CreateR1<float>({1, 3});
  std::string flags;
  std::vector<int64_t> beyond;
  auto note = [&](const LiteralSlice&, const LiteralSlice&,
                  const LiteralSlice& mismatches, const ShapeIndex&,
                  const ErrorBuckets& buckets) {
    flags = mismatches.ToStringOneline();
    beyond = buckets.rel_error_buckets;
  };
  EXPECT_FALSE(Near(a, b, ErrorSpec(0.1), std::nullopt, note).ok());
  EXPECT_EQ(flags, "pred[2] {0, 1}");
  // The one relative error, 0.5, is at least 1e-4, ..., 1e-1, and less than 1.
  EXPECT_EQ(beyond, std::vector<int64_t>({1, 1, 1, 1, 0}));
  EXPECT_FALSE(Near(a, b, ErrorSpec(0.1), true, nullptr).ok());
}

}  // namespace
}  // namespace literal_comparison
}  // namespace xla
