// Array of rank 4, with names for its sizes and fills for its planes.
#ifndef XLA_CORE_ARRAY_ARRAY4D_H_
#define XLA_CORE_ARRAY_ARRAY4D_H_

#include <cstdint>
#include <initializer_list>

#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/core/array/array.h"
#include "xla/core/array/array2d.h"
#include "xla/core/array/array_lists.h"

namespace xla {

// Dimensions are called plane (p), depth (z), height (y) and width (x).
template <typename T>
class Array4D : public Array<T> {
 public:
  Array4D() : Array<T>(absl::Span<const int64_t>{0, 0, 0, 0}) {}
  Array4D(int64_t planes, int64_t depth, int64_t height, int64_t width)
      : Array<T>(absl::Span<const int64_t>{planes, depth, height, width}) {}
  Array4D(int64_t planes, int64_t depth, int64_t height, int64_t width, T value)
      : Array<T>(absl::Span<const int64_t>{planes, depth, height, width},
                 value) {}
  // Takes the values from any container of T, in row-major order.
  template <typename Container = std::initializer_list<T>>
  Array4D(int64_t planes, int64_t depth, int64_t height, int64_t width,
          const Container& values)
      : Array4D(planes, depth, height, width) {
    this->SetValues(values);
  }
  Array4D(NestedList4<T> values) : Array<T>(values) {}
  template <typename D, typename Array<T>::template ListOf<D> = 0>
  Array4D(std::initializer_list<std::initializer_list<
              std::initializer_list<std::initializer_list<D>>>>
              values)
      : Array<T>(values) {}

  int64_t n1() const { return this->dim(0); }
  int64_t n2() const { return this->dim(1); }
  int64_t n3() const { return this->dim(2); }
  int64_t n4() const { return this->dim(3); }
  int64_t planes() const { return n1(); }
  int64_t depth() const { return n2(); }
  int64_t height() const { return n3(); }
  int64_t width() const { return n4(); }

  // Sets each y, x plane to `value`, of size [height, width].
  void FillWithYX(const Array2D<T>& value) { FillPlanes(value, 2, 3); }
  // Like FillWithYX, for [depth, height].
  void FillWithZY(const Array2D<T>& value) { FillPlanes(value, 1, 2); }
  // Like FillWithYX, for [planes, depth].
  void FillWithPZ(const Array2D<T>& value) { FillPlanes(value, 0, 1); }
  // Fills each y, x plane with its number, counted from 0 over plane and depth.
  void FillWithMinorDimNum() {
    this->Each([this](absl::Span<const int64_t> index, T* element) {
      *element = static_cast<T>(index[0] * depth() + index[1]);
    });
  }

 private:
  void FillPlanes(const Array2D<T>& value, int row, int column) {
    CHECK_EQ(value.n1(), this->dim(row));
    CHECK_EQ(value.n2(), this->dim(column));
    this->Each([&](absl::Span<const int64_t> index, T* element) {
      *element = value(index[row], index[column]);
    });
  }
};

}  // namespace xla

#endif  // XLA_CORE_ARRAY_ARRAY4D_H_
