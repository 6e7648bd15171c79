// Exact comparison, and the walk over tuples that both comparisons share. The
// error statistics are in near_comparison.cc.
#include "xla/core/literal/comparison/literal_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "xla/base/status_macros.h"
#include "xla/base/types.h"
#include "xla/core/literal/comparison/near_comparison.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace literal_comparison {
namespace {

bool IsNan(PrimitiveType type, const void* element) {
  complex128 value;
  ConvertElements(type, element, C128, &value, 1);
  return std::isnan(value.real()) || std::isnan(value.imag());
}

// Returns true for the same bits or two NaNs; for complex numbers, if this
// holds for both parts.
bool SameElement(PrimitiveType type, const char* a, const char* b) {
  const int width = LiteralElementBytes(type);
  if (std::memcmp(a, b, width) == 0) return true;
  if (primitive_util::IsComplexType(type)) {
    const PrimitiveType part = type == C64 ? F32 : F64;
    return SameElement(part, a, b) &&
           SameElement(part, a + width / 2, b + width / 2);
  }
  if (!primitive_util::IsFloatingPointType(type)) return false;
  return IsNan(type, a) && IsNan(type, b);
}

// Compares elements of integers as the type that holds all of its sign.
template <typename T>
bool AtMostOneApart(PrimitiveType type, PrimitiveType wide, const char* a,
                    const char* b) {
  T x, y;
  ConvertElements(type, a, wide, &x, 1);
  ConvertElements(type, b, wide, &y, 1);
  return static_cast<uint64_t>(std::max(x, y)) -
             static_cast<uint64_t>(std::min(x, y)) <=
         1;
}

bool AtMostOneApart(PrimitiveType type, const char* a, const char* b) {
  return primitive_util::IsUnsignedIntegralType(type)
             ? AtMostOneApart<uint64_t>(type, U64, a, b)
             : AtMostOneApart<int64_t>(type, S64, a, b);
}

std::string PathPrefix(const ShapeIndex& index) {
  return index.empty()
             ? ""
             : absl::StrCat("at tuple index ", index.ToString(), ": ");
}

using ElementPredicate = bool (*)(PrimitiveType, const char*, const char*);

absl::Status EqualArray(const LiteralSlice& expected,
                        const LiteralSlice& actual, ElementPredicate agree,
                        const MiscompareCallback& callback,
                        const ShapeIndex& index) {
  if (expected == actual) return absl::OkStatus();
  const PrimitiveType type = expected.shape().element_type();
  const LiteralPiece& other = actual.root_piece();
  const int width = LiteralElementBytes(type);
  // The most elements that a report lists.
  constexpr int kMaxReported = 10;
  int64_t mismatches = 0;
  std::string report;
  std::optional<Literal> flags;
  expected.EachElement([&](absl::Span<const int64_t> at, const void* element) {
    const char* found = other.buffer + other.LinearIndex(at) * width;
    if (agree(type, static_cast<const char*>(element), found)) {
      return true;
    }
    if (callback) MarkMismatch(expected.shape(), at, flags);
    if (++mismatches <= kMaxReported) {
      absl::StrAppend(&report, "\n  [", absl::StrJoin(at, ","), "] expected ",
                      expected.GetAsString(at), ", actual ",
                      actual.GetAsString(at));
    }
    return true;
  });
  if (mismatches == 0) return absl::OkStatus();
  if (callback) callback(expected, actual, *flags, index, ErrorBuckets());
  return absl::InvalidArgumentError(absl::StrCat(
      PathPrefix(index), mismatches, " of ", expected.element_count(),
      " elements of ", expected.shape().ToString(), " differ:", report,
      mismatches > kMaxReported ? "\n  ..." : "", "\nExpected literal:\n",
      ToStringTruncated(expected), "\nActual literal:\n",
      ToStringTruncated(actual)));
}

absl::Status EqualPart(const LiteralSlice& expected, const LiteralSlice& actual,
                       const MiscompareCallback& callback, ShapeIndex& index) {
  if (expected.shape().IsArray()) {
    return EqualArray(expected, actual, SameElement, callback, index);
  }
  absl::Status result;
  for (int i = 0; i < expected.shape().tuple_shapes_size(); ++i) {
    index.push_back(i);
    result.Update(EqualPart(LiteralSlice(expected, {i}),
                            LiteralSlice(actual, {i}), callback, index));
    index.pop_back();
    if (!result.ok() && !callback) break;
  }
  return result;
}

absl::Status NearPart(const LiteralSlice& expected, const LiteralSlice& actual,
                      const ErrorSpec& error,
                      std::optional<bool> detailed_message,
                      const MiscompareCallback& callback, ShapeIndex& index) {
  const Shape& shape = expected.shape();
  if (shape.IsTuple()) {
    // Look at all parts, since the report lists all that differ.
    std::string messages;
    for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
      index.push_back(i);
      absl::Status status =
          NearPart(LiteralSlice(expected, {i}), LiteralSlice(actual, {i}),
                   error, detailed_message, callback, index);
      if (!status.ok()) absl::StrAppend(&messages, status.message(), "\n");
      index.pop_back();
    }
    if (messages.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(messages);
  }
  if (primitive_util::IsFloatingPointType(shape.element_type()) ||
      primitive_util::IsComplexType(shape.element_type())) {
    absl::Status status =
        NearArray(expected, actual, error,
                  detailed_message.value_or(expected.element_count() >= 64),
                  callback, index);
    if (status.ok()) return status;
    return absl::InvalidArgumentError(
        absl::StrCat(PathPrefix(index), status.message()));
  }
  if (error.allow_integer_rounding_difference &&
      primitive_util::IsIntegralType(shape.element_type())) {
    return EqualArray(expected, actual, AtMostOneApart, callback, index);
  }
  return EqualPart(expected, actual, callback, index);
}

}  // namespace

absl::Status EqualShapes(const Shape& expected, const Shape& actual) {
  if (ShapeUtil::Compatible(expected, actual)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("shapes differ: expected ", expected.ToString(), ", actual ",
                   actual.ToString()));
}

absl::Status EqualDynamicShapesAndDimensions(const LiteralSlice& expected,
                                             const LiteralSlice& actual) {
  TF_RETURN_IF_ERROR(EqualShapes(expected.shape(), actual.shape()));
  return ShapeUtil::ForEachSubshapeWithStatus(
      expected.shape(),
      [&](const Shape& part, const ShapeIndex& index) -> absl::Status {
        if (!part.IsArray()) return absl::OkStatus();
        for (int i = 0; i < part.dimensions_size(); ++i) {
          const int64_t want = expected.GetDynamicSize(i, index);
          const int64_t have = actual.GetDynamicSize(i, index);
          if (want == have) continue;
          return absl::InvalidArgumentError(absl::StrCat(
              PathPrefix(index), "dimension ", i, " of ", part.ToString(),
              " has size ", have, ", expected ", want));
        }
        return absl::OkStatus();
      });
}

void MarkMismatch(const Shape& shape, absl::Span<const int64_t> at,
                  std::optional<Literal>& mismatches) {
  if (!mismatches.has_value()) {
    Shape flags = ShapeUtil::MakeStaticShape(shape);
    flags.set_element_type(PRED);
    mismatches.emplace(flags);
  }
  mismatches->Set<bool>(at, true);
}

absl::Status Equal(const LiteralSlice& expected, const LiteralSlice& actual,
                   const MiscompareCallback& miscompare_callback) {
  TF_RETURN_IF_ERROR(EqualDynamicShapesAndDimensions(expected, actual));
  ShapeIndex index;
  return EqualPart(expected, actual, miscompare_callback, index);
}

absl::Status Near(const LiteralSlice& expected, const LiteralSlice& actual,
                  const ErrorSpec& error, std::optional<bool> detailed_message,
                  const MiscompareCallback& miscompare_callback) {
  TF_RETURN_IF_ERROR(EqualDynamicShapesAndDimensions(expected, actual));
  ShapeIndex index;
  return NearPart(expected, actual, error, detailed_message,
                  miscompare_callback, index);
}

absl::Status Near(const LiteralSlice& expected, const LiteralSlice& actual,
                  const ErrorSpec& error,
                  std::optional<bool> detailed_message) {
  return Near(expected, actual, error, detailed_message, nullptr);
}

std::string ToStringTruncated(const LiteralSlice& literal) {
  // The most elements that are printed.
  constexpr int64_t kMaxElements = 1000;
  if (ShapeUtil::ElementsInRecursive(literal.shape()) <= kMaxElements) {
    return literal.ToString();
  }
  return absl::StrCat("[TRUNCATED, ", literal.shape().ToString(), "]");
}

}  // namespace literal_comparison
}  // namespace xla
