// Comparisons of literals that say what differs: exactly, or within an error,
// with the worst elements first. Yes or no alone: LiteralBase::Equal.
#ifndef XLA_CORE_LITERAL_COMPARISON_LITERAL_COMPARISON_H_
#define XLA_CORE_LITERAL_COMPARISON_LITERAL_COMPARISON_H_

#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "xla/core/literal/comparison/error_spec.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace literal_comparison {

// Errors of all: InvalidArgument that names the part of the tuple and the
// elements.

// The shapes are compatible, layouts aside.
absl::Status EqualShapes(const Shape& expected, const Shape& actual);

// As EqualShapes, and the same dynamic sizes.
absl::Status EqualDynamicShapesAndDimensions(const LiteralSlice& expected,
                                             const LiteralSlice& actual);

// The same elements. Any nan equals any nan, and 0 equals -0 only if both have
// the sign.
absl::Status Equal(const LiteralSlice& expected, const LiteralSlice& actual);

// Called for each part that differs.
using MiscompareCallback = absl::FunctionRef<void(
    const LiteralSlice& expected, const LiteralSlice& actual,
    const LiteralSlice& mismatches, const ShapeIndex& shape_index)>;

// Floating-point and complex elements agree within `error`, others exactly.
// The message lists the worst elements with index, expected and actual value,
// absolute and relative error, and how many are beyond which error. With
// `detailed_message`, the largest values too. `miscompare_callback` gets the
// disagreeing elements as PRED.
absl::Status Near(const LiteralSlice& expected, const LiteralSlice& actual,
                  const ErrorSpec& error,
                  std::optional<bool> detailed_message = std::nullopt);
absl::Status Near(const LiteralSlice& expected, const LiteralSlice& actual,
                  const ErrorSpec& error, std::optional<bool> detailed_message,
                  MiscompareCallback miscompare_callback);

// The literal, or what it looks like when it is large.
std::string ToStringTruncated(const LiteralSlice& literal);

}  // namespace literal_comparison
}  // namespace xla

#endif  // XLA_CORE_LITERAL_COMPARISON_LITERAL_COMPARISON_H_
