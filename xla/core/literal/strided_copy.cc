// The box is simplified first: dimensions of size 1 are dropped and neighbours
// that are contiguous on both sides merged. A kernel then copies the two inner
// dimensions.
#include "xla/core/literal/strided_copy.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/shape.h"

namespace xla {
namespace {

struct Dim {
  int64_t size = 1;
  int64_t src = 0;
  int64_t dst = 0;
};
using Dims = absl::InlinedVector<Dim, 6>;

struct Wide {
  uint64_t part[2];
};

// Lists the merged dimensions, outermost first; empty when there is nothing to
// copy.
Dims Reduce(absl::Span<const int64_t> sizes,
            absl::Span<const int64_t> src_strides,
            absl::Span<const int64_t> dst_strides) {
  Dims dims;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 1) continue;
    const Dim dim = {sizes[i], src_strides[i], dst_strides[i]};
    // The largest strides of dst come first, equal ones in order.
    auto place = dims.end();
    while (place != dims.begin() &&
           std::abs((place - 1)->dst) < std::abs(dim.dst)) {
      --place;
    }
    dims.insert(place, dim);
  }
  Dims merged;
  for (const Dim& dim : dims) {
    if (!merged.empty() && merged.back().src == dim.src * dim.size &&
        merged.back().dst == dim.dst * dim.size) {
      merged.back() = {merged.back().size * dim.size, dim.src, dim.dst};
    } else {
      merged.push_back(dim);
    }
  }
  // The kernel copies the last two dimensions: the best neighbour of the
  // innermost is the one along which the source is contiguous.
  if (merged.size() > 2) {
    auto nearest = std::min_element(merged.begin(), merged.end() - 1,
                                    [](const Dim& a, const Dim& b) {
                                      return std::abs(a.src) < std::abs(b.src);
                                    });
    std::rotate(nearest, nearest + 1, merged.end() - 1);
  }
  while (merged.size() < 2) merged.insert(merged.begin(), Dim());
  return merged;
}

template <typename T>
void CopyTile(const Dim& rows, const Dim& cols, const T* src, T* dst) {
  if (cols.src == 1 && cols.dst == 1) {
    for (int64_t r = 0; r < rows.size; ++r) {
      std::memcpy(dst + r * rows.dst, src + r * rows.src,
                  cols.size * sizeof(T));
    }
    return;
  }
  for (int64_t r = 0; r < rows.size; ++r) {
    const T* from = src + r * rows.src;
    T* to = dst + r * rows.dst;
    for (int64_t c = 0; c < cols.size; ++c)
      to[c * cols.dst] = from[c * cols.src];
  }
}

// Copies in blocks, which keep the cache lines of both sides in the cache when
// the source runs along the rows and the destination along the columns.
template <typename T>
void CopyPlane(const Dim& rows, const Dim& cols, const T* src, T* dst) {
  // Elements along each side of a block: a cache line of 4-byte elements.
  constexpr int64_t kBlock = 16;
  if (std::abs(rows.src) >= std::abs(cols.src) || cols.src == 0) {
    return CopyTile(rows, cols, src, dst);
  }
  for (int64_t r = 0; r < rows.size; r += kBlock) {
    Dim tile_rows = rows;
    tile_rows.size = std::min(kBlock, rows.size - r);
    for (int64_t c = 0; c < cols.size; c += kBlock) {
      Dim tile_cols = cols;
      tile_cols.size = std::min(kBlock, cols.size - c);
      CopyTile(tile_rows, tile_cols, src + r * rows.src + c * cols.src,
               dst + r * rows.dst + c * cols.dst);
    }
  }
}

template <typename T>
void CopyBox(const Dims& dims, const void* src_bytes, void* dst_bytes) {
  const T* src = static_cast<const T*>(src_bytes);
  T* dst = static_cast<T*>(dst_bytes);
  const size_t outer = dims.size() - 2;
  DimensionVector index(outer, 0);
  while (true) {
    CopyPlane(dims[outer], dims[outer + 1], src, dst);
    size_t i = outer;
    for (; i-- > 0;) {
      src += dims[i].src;
      dst += dims[i].dst;
      if (++index[i] < dims[i].size) break;
      src -= dims[i].src * dims[i].size;
      dst -= dims[i].dst * dims[i].size;
      index[i] = 0;
    }
    if (i == static_cast<size_t>(-1)) return;
  }
}

}  // namespace

void StridedCopy(int width, absl::Span<const int64_t> sizes, const void* src,
                 absl::Span<const int64_t> src_strides, void* dst,
                 absl::Span<const int64_t> dst_strides) {
  for (int64_t size : sizes) {
    if (size == 0) return;
  }
  Dims dims = Reduce(sizes, src_strides, dst_strides);
  switch (width) {
    case 1:
      return CopyBox<uint8_t>(dims, src, dst);
    case 2:
      return CopyBox<uint16_t>(dims, src, dst);
    case 4:
      return CopyBox<uint32_t>(dims, src, dst);
    case 8:
      return CopyBox<uint64_t>(dims, src, dst);
    case 16:
      return CopyBox<Wide>(dims, src, dst);
    default:
      log_internal::LogAt(
          absl::LogSeverity::kFatal, __FILE__, __LINE__,
          absl::StrCat("no elements are ", width, " bytes wide"));
  }
}

DimensionVector DenseStrides(const Shape& shape) {
  DimensionVector strides(shape.dimensions_size(), 0);
  int64_t stride = 1;
  for (int64_t dim : shape.layout().minor_to_major()) {
    strides[dim] = stride;
    stride *= shape.dimensions(dim);
  }
  return strides;
}

}  // namespace xla
