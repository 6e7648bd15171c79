// The floating-point half of literal_comparison: errors of one pair of arrays
// and the report on them.
#ifndef XLA_CORE_LITERAL_COMPARISON_NEAR_COMPARISON_H_
#define XLA_CORE_LITERAL_COMPARISON_NEAR_COMPARISON_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/core/literal/comparison/error_spec.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"

namespace xla {
namespace literal_comparison {

// Like Near, for two arrays of the same floating-point or complex shape.
absl::Status NearArray(const LiteralSlice& expected, const LiteralSlice& actual,
                       const ErrorSpec& error, bool detailed_message,
                       const MiscompareCallback& callback,
                       const ShapeIndex& shape_index);

// Sets the flag of an element; the first time, makes flags for `shape`.
void MarkMismatch(const Shape& shape, absl::Span<const int64_t> at,
                  std::optional<Literal>& mismatches);

}  // namespace literal_comparison
}  // namespace xla

#endif  // XLA_CORE_LITERAL_COMPARISON_NEAR_COMPARISON_H_
