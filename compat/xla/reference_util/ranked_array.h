// Arrays of the type that a rank has: Array2D, Array3D or Array4D.
#ifndef COMPAT_XLA_REFERENCE_UTIL_RANKED_ARRAY_H_
#define COMPAT_XLA_REFERENCE_UTIL_RANKED_ARRAY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>

#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/core/array/array2d.h"
#include "xla/core/array/array3d.h"
#include "xla/core/array/array4d.h"

namespace xla::reference {

template <typename T, size_t kRank>
struct RankedArrayOf;
template <typename T>
struct RankedArrayOf<T, 2> {
  using Type = Array2D<T>;
};
template <typename T>
struct RankedArrayOf<T, 3> {
  using Type = Array3D<T>;
};
template <typename T>
struct RankedArrayOf<T, 4> {
  using Type = Array4D<T>;
};
template <typename T, size_t kRank>
using RankedArray = typename RankedArrayOf<T, kRank>::Type;

template <size_t kRank>
using Sizes = std::array<int64_t, kRank>;

// The sizes of an array of this rank (CHECK).
template <size_t kRank, typename T>
Sizes<kRank> SizesOf(const Array<T>& array) {
  CHECK_EQ(array.num_dimensions(), static_cast<int64_t>(kRank));
  Sizes<kRank> sizes;
  for (size_t i = 0; i < kRank; ++i) sizes[i] = array.dim(i);
  return sizes;
}

// An array of these sizes; f(index) gives its elements.
template <typename T, size_t kRank, typename F>
std::unique_ptr<RankedArray<T, kRank>> MakeArray(const Sizes<kRank>& sizes,
                                                 F&& f) {
  auto result = std::apply(
      [](auto... size) {
        return std::make_unique<RankedArray<T, kRank>>(size...);
      },
      sizes);
  result->Each([&](absl::Span<const int64_t> index, T* element) {
    *element = f(index);
  });
  return result;
}

}  // namespace xla::reference

#endif  // COMPAT_XLA_REFERENCE_UTIL_RANKED_ARRAY_H_
