// IndexLoops: loops over the indices of an array.
#include "xla/core/shape/index_loops.h"

#include <cstdint>

#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/dimension_vector.h"

namespace xla {

absl::Status IndexLoops::ForEachIndexWithStatus(const Shape& shape,
                                                absl::Span<const int64_t> base,
                                                absl::Span<const int64_t> count,
                                                absl::Span<const int64_t> incr,
                                                ForEachVisitorFunction fn) {
  const int64_t rank = shape.rank();
  CHECK(static_cast<int64_t>(base.size()) == rank &&
        static_cast<int64_t>(count.size()) == rank &&
        static_cast<int64_t>(incr.size()) == rank);
  for (int64_t dim = 0; dim < rank; ++dim) {
    CHECK_GE(incr[dim], 0);
    // An increment of 0 pins the dimension, even one without indices.
    if (count[dim] < (incr[dim] == 0 ? 0 : 1)) return absl::OkStatus();
  }
  DimensionVector index(base.begin(), base.end());
  while (true) {
    TF_ASSIGN_OR_RETURN(bool more, fn(index));
    if (!more) return absl::OkStatus();
    int64_t i = 0;
    for (; i < rank; ++i) {
      const int64_t dim =
          shape.has_layout() ? shape.layout().minor_to_major(i) : rank - 1 - i;
      // Compare differences, since base + count may overflow.
      if (incr[dim] != 0 && index[dim] - base[dim] < count[dim] - incr[dim]) {
        index[dim] += incr[dim];
        break;
      }
      index[dim] = base[dim];
    }
    if (i == rank) return absl::OkStatus();
  }
}

absl::Status IndexLoops::ForEachIndexWithStatus(const Shape& shape,
                                                ForEachVisitorFunction fn) {
  const DimensionVector zeros(shape.rank(), 0), ones(shape.rank(), 1);
  return ForEachIndexWithStatus(shape, zeros, shape.dimensions(), ones, fn);
}

void IndexLoops::ForEachIndexNoStatus(const Shape& shape,
                                      absl::Span<const int64_t> base,
                                      absl::Span<const int64_t> count,
                                      absl::Span<const int64_t> incr,
                                      ForEachVisitorFunctionNoStatus fn) {
  ForEachIndexWithStatus(
      shape, base, count, incr,
      [&](absl::Span<const int64_t> index) -> absl::StatusOr<bool> {
        return fn(index);
      })
      .IgnoreError();
}

void IndexLoops::ForEachIndexNoStatus(const Shape& shape,
                                      ForEachVisitorFunctionNoStatus fn) {
  const DimensionVector zeros(shape.rank(), 0), ones(shape.rank(), 1);
  ForEachIndexNoStatus(shape, zeros, shape.dimensions(), ones, fn);
}

void IndexLoops::ForEachIndex(const Shape& shape,
                              absl::Span<const int64_t> base,
                              absl::Span<const int64_t> count,
                              absl::Span<const int64_t> incr,
                              ForEachVisitorFunction fn) {
  ForEachIndexWithStatus(shape, base, count, incr, fn).IgnoreError();
}

void IndexLoops::ForEachIndex(const Shape& shape, ForEachVisitorFunction fn) {
  ForEachIndexWithStatus(shape, fn).IgnoreError();
}

void IndexLoops::ForEachIndexParallel(const Shape& shape,
                                      absl::Span<const int64_t> base,
                                      absl::Span<const int64_t> count,
                                      absl::Span<const int64_t> incr,
                                      ForEachParallelVisitorFunction fn) {
  CHECK_OK(ForEachIndexParallelWithStatus(shape, base, count, incr, fn));
}

void IndexLoops::ForEachIndexParallel(const Shape& shape,
                                      ForEachParallelVisitorFunction fn) {
  CHECK_OK(ForEachIndexParallelWithStatus(shape, fn));
}

absl::Status IndexLoops::ForEachIndexParallelWithStatus(
    const Shape& shape, absl::Span<const int64_t> base,
    absl::Span<const int64_t> count, absl::Span<const int64_t> incr,
    ForEachParallelVisitorFunction fn) {
  return ForEachIndexWithStatus(
      shape, base, count, incr,
      [&](absl::Span<const int64_t> index) { return fn(index, 0); });
}

absl::Status IndexLoops::ForEachIndexParallelWithStatus(
    const Shape& shape, ForEachParallelVisitorFunction fn) {
  return ForEachIndexWithStatus(
      shape, [&](absl::Span<const int64_t> index) { return fn(index, 0); });
}

}  // namespace xla
