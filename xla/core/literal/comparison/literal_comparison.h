// Comparisons of literals, exact or within an error, that report what differs,
// the worst elements first. LiteralBase::Equal just returns true or false.
#ifndef XLA_CORE_LITERAL_COMPARISON_LITERAL_COMPARISON_H_
#define XLA_CORE_LITERAL_COMPARISON_LITERAL_COMPARISON_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "xla/core/literal/comparison/error_spec.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace literal_comparison {

// All functions return InvalidArgument that names the part of the tuple and the
// elements.

// The shapes must be compatible; layouts do not matter.
absl::Status EqualShapes(const Shape& expected, const Shape& actual);

// Like EqualShapes; the dynamic sizes must also be the same.
absl::Status EqualDynamicShapesAndDimensions(const LiteralSlice& expected,
                                             const LiteralSlice& actual);

// How the errors of elements are distributed: how many are at least 1e-4, 1e-3,
// 1e-2, 0.1 and 1. Relative errors of those whose absolute error is beyond what
// is allowed, and the reverse; empty where elements have no errors.
struct ErrorBuckets {
  explicit ErrorBuckets(const std::vector<int64_t>& absolute_error_buckets = {},
                        const std::vector<int64_t>& rel_error_buckets = {})
      : abs_error_buckets(absolute_error_buckets),
        rel_error_buckets(rel_error_buckets) {}

  const std::vector<int64_t> abs_error_buckets;
  const std::vector<int64_t> rel_error_buckets;
};

// Called for each part that differs; may be null.
using MiscompareCallback = std::function<void(
    const LiteralSlice& expected, const LiteralSlice& actual,
    const LiteralSlice& mismatches, const ShapeIndex& shape_index,
    const ErrorBuckets& error_buckets)>;

// The elements must be the same. Any NaN equals any NaN, but 0 does not equal
// -0. `miscompare_callback` gets the others as PRED; with it, all parts of a
// tuple are compared.
absl::Status Equal(const LiteralSlice& expected, const LiteralSlice& actual,
                   const MiscompareCallback& miscompare_callback = nullptr);

// Floating-point and complex elements must agree within `error`, others
// exactly. The message lists the worst elements with index, expected and actual
// value, absolute and relative error, and how many are beyond which error. With
// `detailed_message`, by default for 64 elements or more, the values too.
// `miscompare_callback` gets the disagreeing elements as PRED.
absl::Status Near(const LiteralSlice& expected, const LiteralSlice& actual,
                  const ErrorSpec& error,
                  std::optional<bool> detailed_message = std::nullopt);
absl::Status Near(const LiteralSlice& expected, const LiteralSlice& actual,
                  const ErrorSpec& error, std::optional<bool> detailed_message,
                  const MiscompareCallback& miscompare_callback);

// Returns the literal as text or, if it is large, a summary.
std::string ToStringTruncated(const LiteralSlice& literal);

}  // namespace literal_comparison
}  // namespace xla

#endif  // XLA_CORE_LITERAL_COMPARISON_LITERAL_COMPARISON_H_
