// The in-place form of collective-permute, which sends slices of one array into
// another.
//
//   r = collective-permute(input, output, input_starts, output_starts),
//       slice_sizes={{..}}
//
// is the device's output in which the slice that it receives, if any, has taken
// the place of what was at output_starts. The slice is that of the sender's
// input at the sender's input_starts. Starts are clamped like those of
// dynamic-slice: where all devices receive,
//
//   r = dynamic-update-slice(output, collective-permute(
//           dynamic-slice(input, input_starts)), output_starts)
//
// Start indices are a tuple of scalars or, for n slices of the array, a tuple
// of n such tuples. Input and output may be tuples of arrays; each tuple of
// start indices is then one of those of each array, and slice_sizes first has
// the slices of the first array. With n slices source_target_pairs consists of
// n lists of equal length, one after the other: those for the first slice, for
// the second, ... Slices are written in this order.
#ifndef XLA_HLO_OPS_DEVICE_PERMUTED_SLICES_H_
#define XLA_HLO_OPS_DEVICE_PERMUTED_SLICES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

inline bool IsInPlace(const CollectivePermuteAttrs& attrs) {
  return !attrs.slice_sizes.empty();
}

// The slices of an op that keeps the rules; refers to its attributes.
class PermutedSlices {
 public:
  // `input`: the shape of the first operand.
  PermutedSlices(const CollectivePermuteAttrs& attrs, const Shape& input);

  int64_t array_count() const { return array_count_; }
  // The number of slices of each array.
  int64_t slice_count() const { return slice_count_; }
  const std::vector<int64_t>& sizes(int64_t array, int64_t slice) const {
    return attrs_.slice_sizes[array * slice_count_ + slice];
  }
  // Returns the source-target pairs of slice `slice` of all arrays.
  SourceTargetPairs pairs(int64_t slice) const;

 private:
  const CollectivePermuteAttrs& attrs_;
  const int64_t array_count_;
  const int64_t slice_count_;
};

// The shape of the output. Errors: collective_permute_c1 to _c3, _c5 to _c10.
absl::StatusOr<Shape> InferInPlacePermute(const InferArgs& args,
                                          const CollectivePermuteAttrs& attrs);

// Checks that no number in `pairs` is negative, a source twice or a target
// twice. Errors: collective_permute_c1 to _c3.
absl::Status CheckPairs(const SourceTargetPairs& pairs);

}  // namespace xla

#endif  // XLA_HLO_OPS_DEVICE_PERMUTED_SLICES_H_
