// Array of rank 3, with names for its sizes.
#ifndef XLA_CORE_ARRAY_ARRAY3D_H_
#define XLA_CORE_ARRAY_ARRAY3D_H_

#include <cstdint>
#include <initializer_list>

#include "absl/types/span.h"
#include "xla/core/array/array.h"
#include "xla/core/array/array_lists.h"

namespace xla {

template <typename T>
class Array3D : public Array<T> {
 public:
  Array3D() : Array<T>(absl::Span<const int64_t>{0, 0, 0}) {}
  Array3D(int64_t n1, int64_t n2, int64_t n3)
      : Array<T>(absl::Span<const int64_t>{n1, n2, n3}) {}
  Array3D(int64_t n1, int64_t n2, int64_t n3, T value)
      : Array<T>(absl::Span<const int64_t>{n1, n2, n3}, value) {}
  Array3D(NestedList3<T> values) : Array<T>(values) {}
  template <typename D, typename Array<T>::template ListOf<D> = 0>
  Array3D(std::initializer_list<std::initializer_list<std::initializer_list<D>>>
              values)
      : Array<T>(values) {}

  // Like Array2D's, with the number of the plane in front.
  void FillUnique(T start_value = 0) {
    this->TemplatedEach([&](absl::Span<const int64_t> at, T* element) {
      const int64_t row = (at[0] << ArrayIndexBits(n2())) | at[1];
      *element =
          static_cast<T>(((row << ArrayIndexBits(n3())) | at[2]) + start_value);
    });
  }

  int64_t n1() const { return this->dim(0); }
  int64_t n2() const { return this->dim(1); }
  int64_t n3() const { return this->dim(2); }
};

}  // namespace xla

#endif  // XLA_CORE_ARRAY_ARRAY3D_H_
