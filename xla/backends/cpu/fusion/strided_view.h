// StridedView: an array that reshapes, transposes and broadcasts make of one in
// memory, without moving its elements.
#ifndef XLA_BACKENDS_CPU_FUSION_STRIDED_VIEW_H_
#define XLA_BACKENDS_CPU_FUSION_STRIDED_VIEW_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// `size` indices, whose elements lie `stride` elements apart.
struct StridedDim {
  int64_t size, stride;
};

// A dimension, as the dimensions of memory that it consists of, major ones
// first: none of them has the size 1, and no two could be one.
using StridedDims = std::vector<StridedDim>;

class StridedView {
 public:
  // The array itself, which is static and in row-major layout.
  static StridedView Of(const Shape& shape);

  const std::vector<StridedDims>& dimensions() const { return dimensions_; }

  // Result dimension i is dimension permutation[i].
  StridedView Transposed(absl::Span<const int64_t> permutation) const;
  // Dimension i becomes dimension places[i] of the result.
  StridedView Broadcast(const Shape& result,
                        absl::Span<const int64_t> places) const;
  // Nullopt if dimensions do not divide each other.
  std::optional<StridedView> Reshaped(absl::Span<const int64_t> sizes) const;

  // The view of the result of `hlo` if this is the view of its operand. Nullopt
  // if it is no reshape, bitcast to the same type, transpose or broadcast, nor
  // a loop fusion of such ops one after the other, or if there is none.
  std::optional<StridedView> Through(const HloInstruction& hlo) const;
  // The view of the operand of `hlo`, of which this is the result's. Nullopt
  // for broadcasts, too.
  std::optional<StridedView> Before(const HloInstruction& hlo) const;

 private:
  std::optional<StridedView> ThroughFusion(const HloInstruction& fusion) const;

  std::vector<StridedDims> dimensions_;
};

// Splits dimensions of memory so that the sizes of both are the same; false if
// that cannot be.
bool SplitAlike(StridedDims& x, StridedDims& y);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_FUSION_STRIDED_VIEW_H_
