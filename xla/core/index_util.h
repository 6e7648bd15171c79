// IndexUtil converts multi-dimensional indices to linear ones and back by the
// dimension order of a layout. It ignores tiles and padding (see tiling.h),
// since it serves literals, which are dense.
#ifndef XLA_CORE_INDEX_UTIL_H_
#define XLA_CORE_INDEX_UTIL_H_

#include <cstdint>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"

namespace xla {

// Indices have one entry per dimension and are in bounds. Shapes without a
// layout count as major to minor.
class IndexUtil {
 public:
  IndexUtil(const IndexUtil&) = delete;
  IndexUtil& operator=(const IndexUtil&) = delete;

  static int64_t MultidimensionalIndexToLinearIndex(
      const Shape& shape, absl::Span<const int64_t> multi_index) {
    if (!shape.has_layout()) {
      int64_t linear = 0;
      for (int i = 0; i < shape.dimensions_size(); ++i) {
        linear = linear * shape.dimensions(i) + multi_index[i];
      }
      return linear;
    }
    return MultidimensionalIndexToLinearIndex(
        shape, shape.layout().minor_to_major(), multi_index);
  }
  static int64_t MultidimensionalIndexToLinearIndex(
      const Shape& shape, absl::Span<const int64_t> minor_to_major,
      absl::Span<const int64_t> multi_index) {
    int64_t linear = 0;
    int64_t stride = 1;
    for (int64_t dim : minor_to_major) {
      linear += stride * multi_index[dim];
      stride *= shape.dimensions(dim);
    }
    return linear;
  }

  static DimensionVector LinearIndexToMultidimensionalIndex(
      const Shape& shape, int64_t linear_index);

  // Advances `indices`, last dimension fastest; returns false, and leaves them,
  // if they are the last ones.
  static bool BumpIndices(const Shape& shape, absl::Span<int64_t> indices);

  // Returns the number of elements between neighbours in `dimension`.
  static int64_t GetDimensionStride(const Shape& shape, int64_t dimension);

  static bool IndexInBounds(const Shape& shape,
                            absl::Span<const int64_t> index);

  // Orders indices of the same rank, first entry most significant: -1 if `lhs`
  // comes first, 1 if `rhs` does, 0 if they are the same.
  static int CompareIndices(absl::Span<const int64_t> lhs,
                            absl::Span<const int64_t> rhs);
};

// Cuts two lists of sizes with the same product into as many pieces with equal
// products as possible. Returns pairs of positions, from (0,0) to both ends.
// For [6,4] and [2,3,4]: (0,0), (1,2), (2,3).
absl::InlinedVector<std::pair<int64_t, int64_t>, 8> CommonFactors(
    absl::Span<const int64_t> a, absl::Span<const int64_t> b);

}  // namespace xla

#endif  // XLA_CORE_INDEX_UTIL_H_
