// BitCast: the same bits as a value of another type of the same size.
#ifndef COMPAT_XLA_BIT_CAST_H_
#define COMPAT_XLA_BIT_CAST_H_

#include <cstring>

#include "xla/types.h"  // IWYU pragma: export

namespace xla {

// Takes the element types of programs, which need not be trivially copyable:
// a half of Eigen's, for example. T has a default constructor.
template <typename T, typename U>
T BitCast(U source) {
  static_assert(sizeof(T) == sizeof(U), "BitCast needs types of equal size");
  T target;
  std::memcpy(static_cast<void*>(&target), static_cast<const void*>(&source),
              sizeof(T));
  return target;
}

}  // namespace xla

#endif  // COMPAT_XLA_BIT_CAST_H_
