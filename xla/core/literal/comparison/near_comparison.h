// The floating-point half of literal_comparison: errors of one pair of arrays
// and the report on them.
#ifndef XLA_CORE_LITERAL_COMPARISON_NEAR_COMPARISON_H_
#define XLA_CORE_LITERAL_COMPARISON_NEAR_COMPARISON_H_

#include "absl/status/status.h"
#include "xla/core/literal/comparison/error_spec.h"
#include "xla/core/literal/comparison/literal_comparison.h"

namespace xla {
namespace literal_comparison {

// Like Near, for two arrays of the same floating-point or complex shape.
absl::Status NearArray(const LiteralSlice& expected, const LiteralSlice& actual,
                       const ErrorSpec& error, bool detailed_message,
                       const MiscompareCallback& callback,
                       const ShapeIndex& shape_index);

}  // namespace literal_comparison
}  // namespace xla

#endif  // XLA_CORE_LITERAL_COMPARISON_NEAR_COMPARISON_H_
