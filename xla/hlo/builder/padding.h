// The two named paddings of windows, and the amounts that they mean.
#ifndef XLA_HLO_BUILDER_PADDING_H_
#define XLA_HLO_BUILDER_PADDING_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace xla {

enum class Padding {
  kSame,   // as many windows as elements / stride, rounded up
  kValid,  // no padding
};

// Errors: padding_c1 to padding_c3: the lists have different lengths, a size
// of a window or a stride is not positive, a size of the input is negative;
// Shape::kUnboundedSize is none of these.
absl::Status ValidatePaddingValues(absl::Span<const int64_t> input_dimensions,
                                   absl::Span<const int64_t> window_dimensions,
                                   absl::Span<const int64_t> window_strides);

// Returns (low, high) of each dimension; if kSame needs an odd amount, the high
// side gets the extra element. A size that is not known counts as a multiple of
// the stride. The arguments must be valid, as above (CHECK). Source: section
// "Conv".
std::vector<std::pair<int64_t, int64_t>> MakePadding(
    absl::Span<const int64_t> input_dimensions,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides, Padding padding);

namespace builder_internal {

// The same, for any arguments. Errors: those above; padding_c4 where the amount
// depends on a size that is not known.
absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> PaddingOf(
    absl::Span<const int64_t> input_dimensions,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides, Padding padding);

}  // namespace builder_internal

}  // namespace xla

#endif  // XLA_HLO_BUILDER_PADDING_H_
