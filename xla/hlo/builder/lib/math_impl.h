// The arc sine by kinds of element types, under the names of XLA's
// implementation.
#ifndef XLA_HLO_BUILDER_LIB_MATH_IMPL_H_
#define XLA_HLO_BUILDER_LIB_MATH_IMPL_H_

#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {
namespace math_impl {

// Return asin of complex numbers with parts of type FloatType, and of real ones
// of that type. One op serves all types.
template <typename FloatType>
XlaOp AsinComplex(XlaOp z) {
  return Asin(z);
}
template <typename FloatType>
XlaOp AsinReal(XlaOp x) {
  return Asin(x);
}

}  // namespace math_impl
}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_MATH_IMPL_H_
