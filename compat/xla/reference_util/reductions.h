// The part of ReferenceUtil that reduces arrays and windows of them.
#ifndef COMPAT_XLA_REFERENCE_UTIL_REDUCTIONS_H_
#define COMPAT_XLA_REFERENCE_UTIL_REDUCTIONS_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/base/checked_math.h"
#include "xla/base/logging.h"
#include "xla/core/window_math.h"
#include "xla/hlo/builder/padding.h"
#include "xla/reference_util/ranked_array.h"

namespace xla::reference {

// Elements are reduced in row-major order, from `init` on. Windows, strides and
// paddings have an entry for each dimension (CHECK).
class Reductions {
 public:
  using Reducer = absl::FunctionRef<float(float, float)>;
  using Dims = absl::Span<const int64_t>;
  using Paddings = absl::Span<const std::pair<int64_t, int64_t>>;

  // Each row, or each column, to a number.
  static std::unique_ptr<std::vector<float>> ReduceToColArray2D(
      const Array2D<float>& matrix, float init, Reducer f) {
    return std::make_unique<std::vector<float>>(
        ReduceR2ToR1<float>(matrix, 1, init, f));
  }
  static std::unique_ptr<std::vector<float>> ReduceToRowArray2D(
      const Array2D<float>& matrix, float init, Reducer f) {
    return std::make_unique<std::vector<float>>(
        ReduceR2ToR1<float>(matrix, 0, init, f));
  }
  template <typename T>
  static std::vector<T> ReduceR2ToR1(
      const Array2D<T>& input, int dimension_to_reduce, T init,
      std::type_identity_t<absl::FunctionRef<T(T, T)>> f) {
    CHECK(dimension_to_reduce == 0 || dimension_to_reduce == 1);
    const int kept = 1 - dimension_to_reduce;
    std::vector<T> result(input.dim(kept), init);
    input.Each([&](absl::Span<const int64_t> index, T element) {
      result[index[kept]] = f(result[index[kept]], element);
    });
    return result;
  }
  // `dims` has three dimensions, or one.
  static std::vector<float> Reduce4DTo1D(const Array4D<float>& array,
                                         float init, Dims dims, Reducer f) {
    const std::vector<int64_t> kept = OtherDims(4, dims);
    CHECK_EQ(kept.size(), 1u);
    std::vector<float> result(array.dim(kept[0]), init);
    array.Each([&](absl::Span<const int64_t> index, float element) {
      float& sum = result[index[kept[0]]];
      sum = f(sum, element);
    });
    return result;
  }
  static std::unique_ptr<Array2D<float>> Reduce3DTo2D(
      const Array3D<float>& array, float init, Dims dims, Reducer f) {
    const std::vector<int64_t> kept = OtherDims(3, dims);
    CHECK_EQ(kept.size(), 2u);
    auto result = std::make_unique<Array2D<float>>(array.dim(kept[0]),
                                                   array.dim(kept[1]), init);
    array.Each([&](absl::Span<const int64_t> index, float element) {
      float& sum = (*result)(index[kept[0]], index[kept[1]]);
      sum = f(sum, element);
    });
    return result;
  }

  // The number of windows along a dimension.
  static int64_t WindowCount(int64_t unpadded_width, int64_t window_len,
                             int64_t stride, Padding padding) {
    if (padding == Padding::kSame) return CeilOfRatio(unpadded_width, stride);
    return window_util::StridedBound(unpadded_width, window_len, stride);
  }

  static std::unique_ptr<std::vector<float>> ReduceWindow1DAdd(
      absl::Span<const float> operand, float init, Dims window, Dims stride,
      Padding padding) {
    const int64_t size = operand.size();
    return ReduceWindow1DGeneric(operand, init, Add, window, stride,
                                 MakePadding({size}, window, stride, padding));
  }
  static std::unique_ptr<Array3D<float>> ReduceWindow3DAdd(
      const Array3D<float>& operand, float init, Dims window, Dims stride,
      Padding padding) {
    return OfWindows<3>(
        operand, init, Add, window, stride,
        MakePadding(operand.dimensions(), window, stride, padding));
  }
  static std::unique_ptr<Array4D<float>> ReduceWindow4DAdd(
      const Array4D<float>& operand, float init, Dims window, Dims stride,
      Padding padding) {
    return ReduceWindow4DGeneric(operand, init, Add, window, stride, padding);
  }
  static std::unique_ptr<std::vector<float>> ReduceWindow1DGeneric(
      absl::Span<const float> operand, float init, Reducer f, Dims window,
      Dims stride, Paddings padding) {
    const int64_t size = operand.size();
    Array<float> values({size});
    std::copy(operand.begin(), operand.end(), values.begin());
    auto result = std::make_unique<std::vector<float>>();
    EachWindow({size}, window, stride, padding, [&](const Positions& places) {
      result->push_back(Reduced(values, places, init, f));
    });
    return result;
  }
  static std::unique_ptr<Array4D<float>> ReduceWindow4DGeneric(
      const Array4D<float>& operand, float init, Reducer f, Dims window,
      Dims stride, Padding padding) {
    return ReduceWindow4DGeneric(
        operand, init, f, window, stride,
        MakePadding(operand.dimensions(), window, stride, padding));
  }
  static std::unique_ptr<Array4D<float>> ReduceWindow4DGeneric(
      const Array4D<float>& operand, float init, Reducer f, Dims window,
      Dims stride, Paddings padding) {
    return OfWindows<4>(operand, init, f, window, stride, padding);
  }

  // Adds each element of `source` to the first of the largest elements of its
  // window of `operand`; other elements are `init`.
  static std::unique_ptr<Array4D<float>> SelectAndScatter4DGePlus(
      const Array4D<float>& operand, const Array4D<float>& source, float init,
      Dims window, Dims stride, bool same_padding) {
    const auto padding =
        MakePadding(operand.dimensions(), window, stride,
                    same_padding ? Padding::kSame : Padding::kValid);
    auto result = std::make_unique<Array4D<float>>(
        operand.n1(), operand.n2(), operand.n3(), operand.n4(), init);
    int64_t next = 0;
    EachWindow(operand.dimensions(), window, stride, padding,
               [&](const Positions& places) {
                 CHECK_LT(next, source.num_elements());
                 const float value = source.data()[next++];
                 if (places.empty()) return;
                 const std::vector<int64_t>* largest = &places[0];
                 for (const std::vector<int64_t>& place : places) {
                   if (operand(place) > operand(*largest)) largest = &place;
                 }
                 (*result)(*largest) += value;
               });
    CHECK_EQ(next, source.num_elements());
    return result;
  }

 private:
  // The indices of the elements of a window.
  using Positions = std::vector<std::vector<int64_t>>;

  static float Add(float a, float b) { return a + b; }

  static std::vector<int64_t> OtherDims(int64_t rank, Dims dims) {
    std::vector<int64_t> others;
    for (int64_t i = 0; i < rank; ++i) {
      if (!absl::c_linear_search(dims, i)) others.push_back(i);
    }
    CHECK_EQ(others.size() + dims.size(), static_cast<size_t>(rank));
    return others;
  }

  static std::vector<int64_t> WindowCounts(Dims sizes, Dims window, Dims stride,
                                           Paddings padding) {
    CHECK(window.size() == sizes.size() && stride.size() == sizes.size() &&
          padding.size() == sizes.size());
    std::vector<int64_t> counts;
    for (size_t i = 0; i < sizes.size(); ++i) {
      counts.push_back(window_util::StridedBound(
          padding[i].first + sizes[i] + padding[i].second, window[i],
          stride[i]));
    }
    return counts;
  }

  // Calls f with the positions inside of the array that each window covers.
  static void EachWindow(Dims sizes, Dims window, Dims stride, Paddings padding,
                         absl::FunctionRef<void(const Positions&)> f) {
    const Array<char> windows(WindowCounts(sizes, window, stride, padding));
    const Array<char> offsets(window);
    windows.Each([&](absl::Span<const int64_t> number, char) {
      Positions places;
      offsets.Each([&](absl::Span<const int64_t> offset, char) {
        std::vector<int64_t> place(sizes.size());
        for (size_t i = 0; i < sizes.size(); ++i) {
          place[i] = number[i] * stride[i] - padding[i].first + offset[i];
          if (place[i] < 0 || place[i] >= sizes[i]) return;
        }
        places.push_back(std::move(place));
      });
      f(places);
    });
  }

  static float Reduced(const Array<float>& values, const Positions& places,
                       float init, Reducer f) {
    float sum = init;
    for (const std::vector<int64_t>& place : places) {
      sum = f(sum, values(place));
    }
    return sum;
  }

  template <size_t kRank>
  static std::unique_ptr<RankedArray<float, kRank>> OfWindows(
      const Array<float>& operand, float init, Reducer f, Dims window,
      Dims stride, Paddings padding) {
    const std::vector<int64_t> counts =
        WindowCounts(operand.dimensions(), window, stride, padding);
    Sizes<kRank> sizes;
    std::copy(counts.begin(), counts.end(), sizes.begin());
    auto result = MakeArray<float>(sizes, [](auto) { return 0.0f; });
    float* next = result->begin();
    EachWindow(operand.dimensions(), window, stride, padding,
               [&](const Positions& places) {
                 *next++ = Reduced(operand, places, init, f);
               });
    return result;
  }
};

}  // namespace xla::reference

#endif  // COMPAT_XLA_REFERENCE_UTIL_REDUCTIONS_H_
