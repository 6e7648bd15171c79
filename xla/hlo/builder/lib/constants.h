// Scalars, and arrays of one value, whose element type is known only at run
// time. The builder keeps errors of all functions.
#ifndef XLA_HLO_BUILDER_LIB_CONSTANTS_H_
#define XLA_HLO_BUILDER_LIB_CONSTANTS_H_

#include <cstdint>
#include <type_traits>

#include "xla/base/types.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {
namespace constants_internal {

// Returns T[]: the value converted to `type`, integers modulo its range.
// Errors: constant_r0_c1, constant_r0_c2.
XlaOp OfInteger(XlaBuilder* builder, PrimitiveType type, int64_t value);
XlaOp OfUnsigned(XlaBuilder* builder, PrimitiveType type, uint64_t value);
XlaOp OfReal(XlaBuilder* builder, PrimitiveType type, double value);
XlaOp OfComplex(XlaBuilder* builder, PrimitiveType type, complex128 value);
// Returns the element type of `prototype`.
PrimitiveType TypeLike(XlaOp prototype);
// Broadcasts the scalar to the dimensions of `prototype`. Errors: full_like_c1.
XlaOp Fill(XlaOp prototype, XlaOp scalar);
// Returns the position along a dimension in an array of the dimensions of
// `prototype`, an array that has it. That dimension has a bound (iota_c1).
XlaOp IotaLike(XlaOp prototype, PrimitiveType type, int64_t dimension);

}  // namespace constants_internal

// Returns T[]: `value` as a scalar of `type`. A real number for an integer
// type, or a complex number for a real one, is an error (constant_r0_c2).
template <typename T>
XlaOp ConstantR0WithType(XlaBuilder* builder, PrimitiveType type, T value) {
  namespace internal = constants_internal;
  if constexpr (is_complex_v<T>) {
    return internal::OfComplex(builder, type,
                               complex128(value.real(), value.imag()));
  } else if constexpr (is_specialized_floating_point_v<T>) {
    return internal::OfReal(builder, type, static_cast<double>(value));
  } else if constexpr (std::is_unsigned_v<T>) {
    return internal::OfUnsigned(builder, type, static_cast<uint64_t>(value));
  } else {
    return internal::OfInteger(builder, type, static_cast<int64_t>(value));
  }
}

// Returns T[]: `value` as a scalar of the element type of `prototype`.
template <typename T>
XlaOp ScalarLike(XlaOp prototype, T value) {
  return ConstantR0WithType(prototype.builder(),
                            constants_internal::TypeLike(prototype), value);
}

// Like ScalarLike, broadcast to `prototype`, an array (full_like_c1).
template <typename T>
XlaOp FullLike(XlaOp prototype, T value) {
  return constants_internal::Fill(prototype, ScalarLike(prototype, value));
}

// Return 0 and 1 as T[].
XlaOp Zero(XlaBuilder* builder, PrimitiveType type);
XlaOp One(XlaBuilder* builder, PrimitiveType type);
// Return arrays of zeros.
XlaOp Zeros(XlaBuilder* builder, const Shape& shape);
XlaOp ZerosLike(XlaOp prototype);

// Return limits of `type` as T[]. Errors: limit_c1 if the type has no such
// limit. Floating-point types only: the distance from 1 to the next larger
// number, and the smallest positive normal number.
XlaOp Epsilon(XlaBuilder* builder, PrimitiveType type);
XlaOp MinPositiveNormalValue(XlaBuilder* builder, PrimitiveType type);
// Return the least and greatest value: infinities where they exist.
XlaOp MinValue(XlaBuilder* builder, PrimitiveType type);
XlaOp MaxValue(XlaBuilder* builder, PrimitiveType type);
XlaOp MinFiniteValue(XlaBuilder* builder, PrimitiveType type);
XlaOp MaxFiniteValue(XlaBuilder* builder, PrimitiveType type);
// Returns a quiet NaN.
XlaOp NanValue(XlaBuilder* builder, PrimitiveType type);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_CONSTANTS_H_
