// The part of ReferenceUtil that computes each element by itself.
#ifndef COMPAT_XLA_REFERENCE_UTIL_ELEMENTWISE_H_
#define COMPAT_XLA_REFERENCE_UTIL_ELEMENTWISE_H_

#include <cmath>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/reference_util/ranked_array.h"

namespace xla::reference {

// Arrays of one call have the same sizes (CHECK).
class Elementwise {
 public:
  static std::unique_ptr<Array2D<double>> Array2DF32ToF64(
      const Array2D<float>& input) {
    return MakeArray<double>(SizesOf<2>(input), input);
  }

  static std::unique_ptr<Array2D<float>> MapArray2D(
      const Array2D<float>& matrix, absl::FunctionRef<float(float)> f) {
    return Map<2>(f, matrix);
  }
  static std::unique_ptr<Array2D<float>> MapArray2D(
      const Array2D<float>& lhs, const Array2D<float>& rhs,
      absl::FunctionRef<float(float, float)> f) {
    return Map<2>(f, lhs, rhs);
  }
  static std::unique_ptr<Array3D<float>> MapArray3D(
      const Array3D<float>& array, absl::FunctionRef<float(float)> f) {
    return Map<3>(f, array);
  }
  static std::unique_ptr<Array3D<float>> MapArray3D(
      const Array3D<float>& lhs, const Array3D<float>& rhs,
      absl::FunctionRef<float(float, float)> f) {
    return Map<3>(f, lhs, rhs);
  }
  template <typename F>
  static std::unique_ptr<Array4D<float>> MapArray4D(const Array4D<float>& input,
                                                    F&& f) {
    return Map<4>(f, input);
  }
  template <typename F>
  static std::unique_ptr<Array4D<float>> MapArray4D(const Array4D<float>& lhs,
                                                    const Array4D<float>& rhs,
                                                    F&& f) {
    return Map<4>(f, lhs, rhs);
  }

  // The functions take the elements, then their index.
  static std::unique_ptr<Array2D<float>> MapWithIndexArray2D(
      const Array2D<float>& matrix,
      absl::FunctionRef<float(float, int64_t, int64_t)> f) {
    return MakeArray<float>(SizesOf<2>(matrix),
                            [&](auto i) { return f(matrix(i), i[0], i[1]); });
  }
  template <typename F>
  static std::unique_ptr<Array4D<float>> MapWithIndexArray4D(
      const Array4D<float>& input, F&& f) {
    return MakeArray<float>(SizesOf<4>(input), [&](auto i) {
      return f(input(i), i[0], i[1], i[2], i[3]);
    });
  }
  template <typename F>
  static std::unique_ptr<Array4D<float>> MapWithIndexArray4D(
      const Array4D<float>& lhs, const Array4D<float>& rhs, F&& f) {
    CHECK(lhs.dimensions() == rhs.dimensions());
    return MakeArray<float>(SizesOf<4>(lhs), [&](auto i) {
      return f(lhs(i), rhs(i), i[0], i[1], i[2], i[3]);
    });
  }

  template <typename F, typename T, typename... Ts>
  static std::unique_ptr<Array2D<T>> ApplyElementwise2D(
      F&& f, const Array2D<T>& array, const Array2D<Ts>&... arrays) {
    static_assert((std::is_same_v<T, Ts> && ...));
    return Map<2>(f, array, arrays...);
  }

  // (input - mean) / sqrt(var + epsilon) * scale + offset, in this order.
  static std::unique_ptr<Array4D<float>> BatchNorm4D(
      const Array4D<float>& input, const Array4D<float>& mean,
      const Array4D<float>& var, const Array4D<float>& scale,
      const Array4D<float>& offset, float epsilon) {
    return Map<4>(
        [&](float x, float m, float v, float s, float o) {
          return (x - m) / std::sqrt(v + epsilon) * s + o;
        },
        input, mean, var, scale, offset);
  }

 private:
  template <size_t kRank, typename F, typename T, typename... Ts>
  static std::unique_ptr<RankedArray<T, kRank>> Map(
      F&& f, const Array<T>& array, const Array<Ts>&... arrays) {
    CHECK(((arrays.dimensions() == array.dimensions()) && ...));
    return MakeArray<T>(SizesOf<kRank>(array), [&](auto index) {
      return f(array(index), arrays(index)...);
    });
  }
};

}  // namespace xla::reference

#endif  // COMPAT_XLA_REFERENCE_UTIL_ELEMENTWISE_H_
