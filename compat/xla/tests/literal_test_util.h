// LiteralTestUtil: comparisons of literals as GoogleTest assertions.
#ifndef COMPAT_XLA_TESTS_LITERAL_TEST_UTIL_H_
#define COMPAT_XLA_TESTS_LITERAL_TEST_UTIL_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "xla/core/array/array2d.h"
#include "xla/core/array/array3d.h"
#include "xla/core/array/array4d.h"
#include "xla/core/literal/comparison/error_spec.h"  // IWYU pragma: export
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"

namespace xla {

class LiteralTestUtil {
 public:
  LiteralTestUtil() = delete;

  [[nodiscard]] static ::testing::AssertionResult EqualShapes(
      const Shape& expected, const Shape& actual) {
    return Result(literal_comparison::EqualShapes(expected, actual));
  }
  [[nodiscard]] static ::testing::AssertionResult EqualShapesAndLayouts(
      const Shape& expected, const Shape& actual) {
    if (ShapeUtil::Equal(expected, actual))
      return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << "expected " << expected.ToString(true) << ", got "
           << actual.ToString(true);
  }
  [[nodiscard]] static ::testing::AssertionResult Equal(
      const LiteralSlice& expected, const LiteralSlice& actual) {
    return Result(literal_comparison::Equal(expected, actual));
  }
  [[nodiscard]] static ::testing::AssertionResult NotEqual(
      const LiteralSlice& expected, const LiteralSlice& actual) {
    if (!literal_comparison::Equal(expected, actual).ok()) {
      return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure()
           << "both are " << literal_comparison::ToStringTruncated(actual);
  }
  [[nodiscard]] static ::testing::AssertionResult Near(
      const LiteralSlice& expected, const LiteralSlice& actual,
      const ErrorSpec& error,
      std::optional<bool> detailed_message = std::nullopt) {
    return Result(
        literal_comparison::Near(expected, actual, error, detailed_message));
  }
  [[nodiscard]] static ::testing::AssertionResult NearOrEqual(
      const LiteralSlice& expected, const LiteralSlice& actual,
      const std::optional<ErrorSpec>& error) {
    return error.has_value() ? Near(expected, actual, *error)
                             : Equal(expected, actual);
  }

  // Compares elements with expected values, by rank.
  template <typename T>
  static void ExpectR0Equal(T expected, const LiteralSlice& actual) {
    EXPECT_TRUE(Equal(LiteralUtil::CreateR0<T>(expected), actual));
  }
  template <typename T>
  static void ExpectR1Equal(absl::Span<const T> expected,
                            const LiteralSlice& actual) {
    EXPECT_TRUE(Equal(LiteralUtil::CreateR1<T>(expected), actual));
  }
  template <typename T>
  static void ExpectR2Equal(
      std::initializer_list<std::initializer_list<T>> expected,
      const LiteralSlice& actual) {
    EXPECT_TRUE(Equal(LiteralUtil::CreateR2<T>(expected), actual));
  }
  template <typename T>
  static void ExpectR3Equal(
      std::initializer_list<std::initializer_list<std::initializer_list<T>>>
          expected,
      const LiteralSlice& actual) {
    EXPECT_TRUE(Equal(LiteralUtil::CreateR3<T>(expected), actual));
  }
  template <typename T>
  static void ExpectR2EqualArray2D(const Array2D<T>& expected,
                                   const LiteralSlice& actual) {
    EXPECT_TRUE(Equal(LiteralUtil::CreateR2FromArray2D(expected), actual));
  }
  template <typename T>
  static void ExpectR3EqualArray3D(const Array3D<T>& expected,
                                   const LiteralSlice& actual) {
    EXPECT_TRUE(Equal(LiteralUtil::CreateR3FromArray3D(expected), actual));
  }
  template <typename T>
  static void ExpectR4EqualArray4D(const Array4D<T>& expected,
                                   const LiteralSlice& actual) {
    EXPECT_TRUE(Equal(LiteralUtil::CreateR4FromArray4D(expected), actual));
  }

  // Compares within an error.
  template <typename T>
  static void ExpectR0Near(T expected, const LiteralSlice& actual,
                           const ErrorSpec& error) {
    EXPECT_TRUE(Near(LiteralUtil::CreateR0<T>(expected), actual, error));
  }
  template <typename T>
  static void ExpectR1Near(absl::Span<const T> expected,
                           const LiteralSlice& actual, const ErrorSpec& error) {
    EXPECT_TRUE(Near(LiteralUtil::CreateR1<T>(expected), actual, error));
  }
  template <typename T>
  static void ExpectR2Near(
      std::initializer_list<std::initializer_list<T>> expected,
      const LiteralSlice& actual, const ErrorSpec& error) {
    EXPECT_TRUE(Near(LiteralUtil::CreateR2<T>(expected), actual, error));
  }
  template <typename T>
  static void ExpectR3Near(
      std::initializer_list<std::initializer_list<std::initializer_list<T>>>
          expected,
      const LiteralSlice& actual, const ErrorSpec& error) {
    EXPECT_TRUE(Near(LiteralUtil::CreateR3<T>(expected), actual, error));
  }
  template <typename T>
  static void ExpectR4Near(std::initializer_list<std::initializer_list<
                               std::initializer_list<std::initializer_list<T>>>>
                               expected,
                           const LiteralSlice& actual, const ErrorSpec& error) {
    EXPECT_TRUE(Near(LiteralUtil::CreateR4<T>(expected), actual, error));
  }
  template <typename T>
  static void ExpectR2NearArray2D(const Array2D<T>& expected,
                                  const LiteralSlice& actual,
                                  const ErrorSpec& error) {
    EXPECT_TRUE(
        Near(LiteralUtil::CreateR2FromArray2D(expected), actual, error));
  }
  template <typename T>
  static void ExpectR3NearArray3D(const Array3D<T>& expected,
                                  const LiteralSlice& actual,
                                  const ErrorSpec& error) {
    EXPECT_TRUE(
        Near(LiteralUtil::CreateR3FromArray3D(expected), actual, error));
  }
  template <typename T>
  static void ExpectR4NearArray4D(const Array4D<T>& expected,
                                  const LiteralSlice& actual,
                                  const ErrorSpec& error) {
    EXPECT_TRUE(
        Near(LiteralUtil::CreateR4FromArray4D(expected), actual, error));
  }

 private:
  static ::testing::AssertionResult Result(const absl::Status& status) {
    if (status.ok()) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << status.message();
  }
};

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_LITERAL_TEST_UTIL_H_
