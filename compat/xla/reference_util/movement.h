// The part of ReferenceUtil that moves elements.
#ifndef COMPAT_XLA_REFERENCE_UTIL_MOVEMENT_H_
#define COMPAT_XLA_REFERENCE_UTIL_MOVEMENT_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "xla/base/checked_math.h"
#include "xla/base/logging.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/reference_util/ranked_array.h"

namespace xla::reference {

// Arguments must fit (CHECK).
class Movement {
 public:
  template <typename T>
  static std::unique_ptr<Array2D<T>> TransposeArray2D(
      const Array2D<T>& operand) {
    return MakeArray<T>(Sizes<2>{operand.width(), operand.height()},
                        [&](auto i) { return operand(i[1], i[0]); });
  }

  // `array` along one dimension, the same along the others.
  static std::unique_ptr<Array4D<float>> Broadcast1DTo4D(
      const std::vector<float>& array, const std::vector<int64_t>& bounds,
      int64_t broadcast_from_dim) {
    CHECK(broadcast_from_dim >= 0 && broadcast_from_dim < 4);
    CHECK_EQ(static_cast<int64_t>(array.size()), bounds[broadcast_from_dim]);
    return MakeArray<float>(
        Sizes<4>{bounds[0], bounds[1], bounds[2], bounds[3]},
        [&](auto i) { return array[i[broadcast_from_dim]]; });
  }

  template <typename T>
  static std::unique_ptr<Array2D<T>> Concat2D(const Array2D<T>& lhs,
                                              const Array2D<T>& rhs,
                                              int concatenate_dimension) {
    return Concat<2>(lhs, rhs, concatenate_dimension);
  }
  template <typename T>
  static std::unique_ptr<Array3D<T>> Concat3D(const Array3D<T>& lhs,
                                              const Array3D<T>& rhs,
                                              int concatenate_dimension) {
    return Concat<3>(lhs, rhs, concatenate_dimension);
  }
  template <typename T>
  static std::unique_ptr<Array4D<T>> Concat4D(const Array4D<T>& lhs,
                                              const Array4D<T>& rhs,
                                              int concatenate_dimension) {
    return Concat<4>(lhs, rhs, concatenate_dimension);
  }

  // `size` elements from `start`, or from where they are all inside.
  template <typename T>
  static std::vector<T> ClampSlice1D(absl::Span<const T> input, int64_t start,
                                     int64_t size) {
    CHECK_LE(size, static_cast<int64_t>(input.size()));
    const int64_t last = static_cast<int64_t>(input.size()) - size;
    const auto first =
        input.begin() + std::min(std::max<int64_t>(start, 0), last);
    return std::vector<T>(first, first + size);
  }
  template <typename T>
  static std::unique_ptr<Array2D<T>> Slice2D(const Array2D<T>& input,
                                             std::array<int64_t, 2> starts,
                                             std::array<int64_t, 2> limits,
                                             std::array<int64_t, 2> strides) {
    return Slice<2>(input, starts, limits, strides);
  }
  template <typename T>
  static std::unique_ptr<Array3D<T>> Slice3D(const Array3D<T>& input,
                                             std::array<int64_t, 3> starts,
                                             std::array<int64_t, 3> limits,
                                             std::array<int64_t, 3> strides) {
    return Slice<3>(input, starts, limits, strides);
  }
  template <typename T>
  static std::unique_ptr<Array4D<T>> Slice4D(const Array4D<T>& input,
                                             std::array<int64_t, 4> starts,
                                             std::array<int64_t, 4> limits,
                                             std::array<int64_t, 4> strides) {
    return Slice<4>(input, starts, limits, strides);
  }

  // Edge padding may be negative.
  template <typename T>
  static std::unique_ptr<Array2D<T>> PadArray2D(const Array2D<T>& operand,
                                                const PaddingConfig& padding,
                                                const T pad) {
    return Pad<2>(operand, padding, pad);
  }
  template <typename T>
  static Array3D<T> PadArray3D(const Array3D<T>& operand,
                               const PaddingConfig& padding, const T pad) {
    return std::move(*Pad<3>(operand, padding, pad));
  }
  template <typename T>
  static Array4D<T> PadArray4D(const Array4D<T>& operand,
                               const PaddingConfig& padding, const T pad) {
    return std::move(*Pad<4>(operand, padding, pad));
  }

 private:
  template <size_t kRank, typename T>
  static std::unique_ptr<RankedArray<T, kRank>> Concat(const Array<T>& lhs,
                                                       const Array<T>& rhs,
                                                       size_t dimension) {
    CHECK_LT(dimension, kRank);
    Sizes<kRank> sizes = SizesOf<kRank>(lhs);
    for (size_t i = 0; i < kRank; ++i) {
      CHECK(i == dimension || rhs.dim(i) == sizes[i]);
    }
    const int64_t split = sizes[dimension];
    sizes[dimension] += rhs.dim(dimension);
    return MakeArray<T>(sizes, [&](absl::Span<const int64_t> index) {
      if (index[dimension] < split) return lhs(index);
      Sizes<kRank> source;
      std::copy(index.begin(), index.end(), source.begin());
      source[dimension] -= split;
      return rhs(absl::MakeConstSpan(source));
    });
  }

  template <size_t kRank, typename T>
  static std::unique_ptr<RankedArray<T, kRank>> Slice(
      const Array<T>& input, const Sizes<kRank>& starts,
      const Sizes<kRank>& limits, const Sizes<kRank>& strides) {
    Sizes<kRank> sizes;
    for (size_t i = 0; i < kRank; ++i) {
      CHECK(starts[i] >= 0 && starts[i] <= limits[i]);
      CHECK_LE(limits[i], input.dim(i));
      CHECK_GE(strides[i], 1);
      sizes[i] = CeilOfRatio(limits[i] - starts[i], strides[i]);
    }
    return MakeArray<T>(sizes, [&](absl::Span<const int64_t> index) {
      Sizes<kRank> source;
      for (size_t i = 0; i < kRank; ++i) {
        source[i] = starts[i] + index[i] * strides[i];
      }
      return input(absl::MakeConstSpan(source));
    });
  }

  template <size_t kRank, typename T>
  static std::unique_ptr<RankedArray<T, kRank>> Pad(
      const Array<T>& operand, const PaddingConfig& padding, const T pad) {
    CHECK_EQ(padding.dimensions_size(), static_cast<int>(kRank));
    Sizes<kRank> sizes;
    for (size_t i = 0; i < kRank; ++i) {
      const auto& edges = padding.dimensions(i);
      CHECK_GE(edges.interior_padding(), 0);
      const int64_t gaps = std::max<int64_t>(operand.dim(i) - 1, 0);
      sizes[i] = edges.edge_padding_low() + operand.dim(i) +
                 gaps * edges.interior_padding() + edges.edge_padding_high();
      CHECK_GE(sizes[i], 0);
    }
    return MakeArray<T>(sizes, [&](absl::Span<const int64_t> index) {
      Sizes<kRank> source;
      for (size_t i = 0; i < kRank; ++i) {
        const auto& edges = padding.dimensions(i);
        const int64_t step = edges.interior_padding() + 1;
        const int64_t at = index[i] - edges.edge_padding_low();
        source[i] = at / step;
        if (at < 0 || at % step != 0 || source[i] >= operand.dim(i)) return pad;
      }
      return operand(absl::MakeConstSpan(source));
    });
  }
};

}  // namespace xla::reference

#endif  // COMPAT_XLA_REFERENCE_UTIL_MOVEMENT_H_
