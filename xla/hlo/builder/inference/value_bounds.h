// Interval arithmetic: bounds of an integer result that follow from the bounds
// of its operands.
#ifndef XLA_HLO_BUILDER_INFERENCE_VALUE_BOUNDS_H_
#define XLA_HLO_BUILDER_INFERENCE_VALUE_BOUNDS_H_

#include <optional>

#include "absl/numeric/int128.h"
#include "absl/types/span.h"
#include "xla/core/comparison.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Inclusive bounds with low <= high, of types of at most 64 bits.
struct ValueBounds {
  absl::int128 low;
  absl::int128 high;
};

// Returns all numbers of an integer type, or {0, 1} for PRED.
ValueBounds RangeOf(PrimitiveType type);

// Returns the bounds of the element-wise `opcode`, with a result of type
// `type`, for elements within the operands' bounds; `direction` is that of a
// comparison. Returns nullopt if the result may be any number: the op has no
// rule here, or the result may wrap around.
std::optional<ValueBounds> BoundsOf(HloOpcode opcode, PrimitiveType type,
                                    absl::Span<const ValueBounds> operands,
                                    ComparisonDirection direction);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_INFERENCE_VALUE_BOUNDS_H_
