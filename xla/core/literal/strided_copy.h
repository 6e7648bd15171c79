// Moves elements between two strided boxes of memory: the one loop behind
// relayout, slice, transpose and broadcast. It knows element widths, not types.
#ifndef XLA_CORE_LITERAL_STRIDED_COPY_H_
#define XLA_CORE_LITERAL_STRIDED_COPY_H_

#include <cstdint>

#include "absl/types/span.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/shape.h"

namespace xla {

// Copies a box of `sizes` elements of `width` bytes (1, 2, 4, 8 or 16).
// Strides are in elements, may be 0 (in `src`) or negative, and have one entry
// per size. The two boxes do not overlap.
void StridedCopy(int width, absl::Span<const int64_t> sizes, const void* src,
                 absl::Span<const int64_t> src_strides, void* dst,
                 absl::Span<const int64_t> dst_strides);

// Returns the distance in elements between neighbours in each logical dimension
// of a dense array with the layout of `shape`.
DimensionVector DenseStrides(const Shape& shape);

}  // namespace xla

#endif  // XLA_CORE_LITERAL_STRIDED_COPY_H_
