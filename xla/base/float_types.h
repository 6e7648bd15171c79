// The small floating-point formats by name.
// Source: ml_dtypes, whose bits and rounding these reproduce; the OCP documents
// on 8-bit floating point and on microscaling formats.
#ifndef XLA_BASE_FLOAT_TYPES_H_
#define XLA_BASE_FLOAT_TYPES_H_

#include <type_traits>

#include "xla/base/mini_float.h"
#include "xla/base/mini_float_limits.h"

namespace xla {

//                        exponent and mantissa bits, bias, special codes
using half = MiniFloat<5, 10, 15, MiniFloatKind::kIeee>;
using bfloat16 = MiniFloat<8, 7, 127, MiniFloatKind::kIeee>;
using float8_e5m2 = MiniFloat<5, 2, 15, MiniFloatKind::kIeee>;
using float8_e4m3 = MiniFloat<4, 3, 7, MiniFloatKind::kIeee>;
using float8_e3m4 = MiniFloat<3, 4, 3, MiniFloatKind::kIeee>;
using float8_e4m3fn = MiniFloat<4, 3, 7, MiniFloatKind::kFiniteNan>;
using float8_e4m3b11fnuz = MiniFloat<4, 3, 11, MiniFloatKind::kUnsignedZero>;
using float8_e4m3fnuz = MiniFloat<4, 3, 8, MiniFloatKind::kUnsignedZero>;
using float8_e5m2fnuz = MiniFloat<5, 2, 16, MiniFloatKind::kUnsignedZero>;
using float8_e8m0fnu = MiniFloat<8, 0, 127, MiniFloatKind::kPower>;
using float6_e3m2fn = MiniFloat<3, 2, 3, MiniFloatKind::kFinite>;
using float6_e2m3fn = MiniFloat<2, 3, 1, MiniFloatKind::kFinite>;
using float4_e2m1fn = MiniFloat<2, 1, 1, MiniFloatKind::kFinite>;

template <typename T>
struct is_mini_float : std::false_type {};
template <int kE, int kM, int kBias, MiniFloatKind kK>
struct is_mini_float<MiniFloat<kE, kM, kBias, kK>> : std::true_type {};
template <typename T>
inline constexpr bool is_mini_float_v = is_mini_float<T>::value;

}  // namespace xla

#endif  // XLA_BASE_FLOAT_TYPES_H_
