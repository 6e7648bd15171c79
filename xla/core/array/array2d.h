// Array of rank 2, with names for its sizes.
#ifndef XLA_CORE_ARRAY_ARRAY2D_H_
#define XLA_CORE_ARRAY_ARRAY2D_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <type_traits>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/core/array/array.h"
#include "xla/core/array/array_lists.h"

namespace xla {

template <typename T>
class Array2D : public Array<T> {
 public:
  Array2D() : Array<T>(absl::Span<const int64_t>{0, 0}) {}
  Array2D(int64_t n1, int64_t n2)
      : Array<T>(absl::Span<const int64_t>{n1, n2}) {}
  Array2D(int64_t n1, int64_t n2, T value)
      : Array<T>(absl::Span<const int64_t>{n1, n2}, value) {}
  Array2D(NestedList2<T> values) : Array<T>(values) {}
  template <typename D, typename Array<T>::template ListOf<D> = 0>
  Array2D(std::initializer_list<std::initializer_list<D>> values)
      : Array<T>(values) {}

  int64_t n1() const { return this->dim(0); }
  int64_t n2() const { return this->dim(1); }
  int64_t height() const { return n1(); }
  int64_t width() const { return n2(); }

  // Fills with values that show where they are: the row number, shifted by the
  // bits that column numbers take, or the column number, plus `start_value`.
  void FillUnique(T start_value = 0) {
    this->TemplatedEach([&](absl::Span<const int64_t> at, T* element) {
      *element = static_cast<T>(((at[0] << ArrayIndexBits(n2())) | at[1]) +
                                start_value);
    });
  }

  using Array<T>::Each;
  void Each(absl::FunctionRef<void(int64_t, int64_t, T*)> f) {
    this->TemplatedEach([&](absl::Span<const int64_t> at, T* element) {
      f(at[0], at[1], element);
    });
  }

  // Returns `n1` x `n2` evenly spaced values, the first `from`, the last `to`,
  // which an only one is too.
  static std::unique_ptr<Array2D<T>> LinspaceArray2D(double from, double to,
                                                     int64_t n1, int64_t n2) {
    auto array = std::make_unique<Array2D<T>>(n1, n2);
    int64_t count = n1 * n2;
    double step = count > 1 ? (to - from) / static_cast<double>(count - 1) : 0;
    int64_t i = 0;
    for (T& element : *array) {
      element = static_cast<T>(from + static_cast<double>(i++) * step);
    }
    if (count > 0) (*array)(n1 - 1, n2 - 1) = static_cast<T>(to);
    return array;
  }
};

template <typename T = float>
std::unique_ptr<Array2D<T>> MakeLinspaceArray2D(double from, double to,
                                                int64_t n1, int64_t n2) {
  return Array2D<T>::LinspaceArray2D(from, to, n1, n2);
}

}  // namespace xla

#endif  // XLA_CORE_ARRAY_ARRAY2D_H_
