// Index arithmetic on the order of a layout.
#include "xla/core/index_util.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "xla/base/checked_math.h"
#include "xla/base/logging.h"

namespace xla {

DimensionVector IndexUtil::LinearIndexToMultidimensionalIndex(
    const Shape& shape, int64_t linear_index) {
  const int rank = shape.dimensions_size();
  DimensionVector index(rank);
  for (int i = 0; i < rank; ++i) {
    const int64_t dim =
        shape.has_layout() ? shape.layout().minor_to_major(i) : rank - 1 - i;
    const int64_t size = shape.dimensions(dim);
    index[dim] = linear_index % size;
    linear_index /= size;
  }
  return index;
}

bool IndexUtil::BumpIndices(const Shape& shape, absl::Span<int64_t> indices) {
  for (int64_t dim = shape.rank() - 1; dim >= 0; --dim) {
    if (indices[dim] + 1 >= shape.dimensions(dim)) continue;
    ++indices[dim];
    std::fill(indices.begin() + dim + 1, indices.end(), 0);
    return true;
  }
  return false;
}

int64_t IndexUtil::GetDimensionStride(const Shape& shape, int64_t dimension) {
  int64_t stride = 1;
  if (!shape.has_layout()) {
    for (int64_t d = dimension + 1; d < shape.rank(); ++d) {
      stride *= shape.dimensions(d);
    }
    return stride;
  }
  for (int64_t dim : shape.layout().minor_to_major()) {
    if (dim == dimension) break;
    stride *= shape.dimensions(dim);
  }
  return stride;
}

bool IndexUtil::IndexInBounds(const Shape& shape,
                              absl::Span<const int64_t> index) {
  if (shape.rank() != static_cast<int64_t>(index.size())) return false;
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] < 0 || index[i] >= shape.dimensions(i)) return false;
  }
  return true;
}

int IndexUtil::CompareIndices(absl::Span<const int64_t> lhs,
                              absl::Span<const int64_t> rhs) {
  CHECK_EQ(lhs.size(), rhs.size());
  for (size_t i = 0; i < lhs.size(); ++i) {
    if (lhs[i] != rhs[i]) return lhs[i] < rhs[i] ? -1 : 1;
  }
  return 0;
}

absl::InlinedVector<std::pair<int64_t, int64_t>, 8> CommonFactors(
    absl::Span<const int64_t> a, absl::Span<const int64_t> b) {
  CHECK_EQ(Product(a), Product(b));
  const int64_t a_size = a.size();
  const int64_t b_size = b.size();
  absl::InlinedVector<std::pair<int64_t, int64_t>, 8> cuts;
  // Sizes that both begin with are groups of their own.
  int64_t i = 0, j = 0;
  while (i < a_size && j < b_size && a[i] == b[j]) cuts.emplace_back(i++, j++);
  const int64_t rest = Product(a.subspan(i));
  if (rest != Product(b.subspan(j))) {
    return {std::make_pair(0, 0), std::make_pair(a_size, b_size)};
  }
  if (rest == 0) {
    cuts.emplace_back(i, j);
    cuts.emplace_back(a_size, b_size);
    return cuts;
  }
  int64_t product_a = 1, product_b = 1;
  int64_t cut_i = -1, cut_j = -1;
  while (true) {
    if (product_a == product_b && (i > cut_i || j > cut_j)) {
      cuts.emplace_back(i, j);
      cut_i = i;
      cut_j = j;
      product_a = product_b = 1;
    }
    const bool more_a = i < a_size, more_b = j < b_size;
    if (!more_a && !more_b) break;
    // Multiply the next size into the smaller product; on a tie into the one
    // whose next size is smaller, or into both if these are equal, so that
    // sizes of 1 pair up.
    const bool tie = product_a == product_b;
    const bool take_a =
        more_a && (product_a < product_b || (tie && (!more_b || a[i] <= b[j])));
    const bool take_b =
        more_b && (product_b < product_a || (tie && (!more_a || b[j] <= a[i])));
    if (take_a) product_a *= a[i++];
    if (take_b) product_b *= b[j++];
    if (!take_a && !take_b) break;  // unequal products: not reached
  }
  return cuts;
}

}  // namespace xla
