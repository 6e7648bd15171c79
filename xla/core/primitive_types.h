// The C++ type that holds an element of each PrimitiveType, and switches that
// call a generic function for a type known only at run time.
#ifndef XLA_CORE_PRIMITIVE_TYPES_H_
#define XLA_CORE_PRIMITIVE_TYPES_H_

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "xla/base/types.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::primitive_util {

template <PrimitiveType kType>
using PrimitiveTypeConstant = std::integral_constant<PrimitiveType, kType>;

template <PrimitiveType kType>
struct PrimitiveTypeToNative;

namespace internal {
template <typename T>
struct NativeToPrimitive;
}  // namespace internal

#define XLA_NATIVE_TYPE_(primitive, native)  \
  template <>                                \
  struct PrimitiveTypeToNative<primitive> {  \
    using type = native;                     \
  };                                         \
  template <>                                \
  struct internal::NativeToPrimitive<native> \
      : PrimitiveTypeConstant<primitive> {}
XLA_NATIVE_TYPE_(PRED, bool);
XLA_NATIVE_TYPE_(S1, s1);
XLA_NATIVE_TYPE_(S2, s2);
XLA_NATIVE_TYPE_(S4, s4);
XLA_NATIVE_TYPE_(S8, int8_t);
XLA_NATIVE_TYPE_(S16, int16_t);
XLA_NATIVE_TYPE_(S32, int32_t);
XLA_NATIVE_TYPE_(S64, int64_t);
XLA_NATIVE_TYPE_(U1, u1);
XLA_NATIVE_TYPE_(U2, u2);
XLA_NATIVE_TYPE_(U4, u4);
XLA_NATIVE_TYPE_(U8, uint8_t);
XLA_NATIVE_TYPE_(U16, uint16_t);
XLA_NATIVE_TYPE_(U32, uint32_t);
XLA_NATIVE_TYPE_(U64, uint64_t);
XLA_NATIVE_TYPE_(F4E2M1FN, float4_e2m1fn);
XLA_NATIVE_TYPE_(F6E2M3FN, float6_e2m3fn);
XLA_NATIVE_TYPE_(F6E3M2FN, float6_e3m2fn);
XLA_NATIVE_TYPE_(F8E3M4, float8_e3m4);
XLA_NATIVE_TYPE_(F8E4M3, float8_e4m3);
XLA_NATIVE_TYPE_(F8E4M3B11FNUZ, float8_e4m3b11fnuz);
XLA_NATIVE_TYPE_(F8E4M3FN, float8_e4m3fn);
XLA_NATIVE_TYPE_(F8E4M3FNUZ, float8_e4m3fnuz);
XLA_NATIVE_TYPE_(F8E5M2, float8_e5m2);
XLA_NATIVE_TYPE_(F8E5M2FNUZ, float8_e5m2fnuz);
XLA_NATIVE_TYPE_(F8E8M0FNU, float8_e8m0fnu);
XLA_NATIVE_TYPE_(F16, half);
XLA_NATIVE_TYPE_(BF16, bfloat16);
XLA_NATIVE_TYPE_(F32, float);
XLA_NATIVE_TYPE_(F64, double);
XLA_NATIVE_TYPE_(C64, complex64);
XLA_NATIVE_TYPE_(C128, complex128);
#undef XLA_NATIVE_TYPE_

// The type that holds one element. Types narrower than 8 bits take a byte.
template <PrimitiveType kType>
using NativeTypeOf = typename PrimitiveTypeToNative<kType>::type;

template <typename NativeT>
constexpr PrimitiveType NativeToPrimitiveType() {
  return internal::NativeToPrimitive<NativeT>::value;
}

// Ends the process: a type switch got a type that it has no case for.
[[noreturn]] void TypeSwitchFailure(const char* expected, PrimitiveType type);

// Each switch calls f(PrimitiveTypeConstant<type>()) and returns what it
// returns. `type` must belong to the family; callers check types that come
// from input first.
template <typename R, typename F>
constexpr R IntegralTypeSwitch(F&& f, PrimitiveType type) {
  switch (type) {
    case S1:
      return std::forward<F>(f)(PrimitiveTypeConstant<S1>());
    case S2:
      return std::forward<F>(f)(PrimitiveTypeConstant<S2>());
    case S4:
      return std::forward<F>(f)(PrimitiveTypeConstant<S4>());
    case S8:
      return std::forward<F>(f)(PrimitiveTypeConstant<S8>());
    case S16:
      return std::forward<F>(f)(PrimitiveTypeConstant<S16>());
    case S32:
      return std::forward<F>(f)(PrimitiveTypeConstant<S32>());
    case S64:
      return std::forward<F>(f)(PrimitiveTypeConstant<S64>());
    case U1:
      return std::forward<F>(f)(PrimitiveTypeConstant<U1>());
    case U2:
      return std::forward<F>(f)(PrimitiveTypeConstant<U2>());
    case U4:
      return std::forward<F>(f)(PrimitiveTypeConstant<U4>());
    case U8:
      return std::forward<F>(f)(PrimitiveTypeConstant<U8>());
    case U16:
      return std::forward<F>(f)(PrimitiveTypeConstant<U16>());
    case U32:
      return std::forward<F>(f)(PrimitiveTypeConstant<U32>());
    case U64:
      return std::forward<F>(f)(PrimitiveTypeConstant<U64>());
    default:
      TypeSwitchFailure("an integer type", type);
  }
}

template <typename R, typename F>
constexpr R FloatingPointTypeSwitch(F&& f, PrimitiveType type) {
  switch (type) {
    case F4E2M1FN:
      return std::forward<F>(f)(PrimitiveTypeConstant<F4E2M1FN>());
    case F6E2M3FN:
      return std::forward<F>(f)(PrimitiveTypeConstant<F6E2M3FN>());
    case F6E3M2FN:
      return std::forward<F>(f)(PrimitiveTypeConstant<F6E3M2FN>());
    case F8E3M4:
      return std::forward<F>(f)(PrimitiveTypeConstant<F8E3M4>());
    case F8E4M3:
      return std::forward<F>(f)(PrimitiveTypeConstant<F8E4M3>());
    case F8E4M3B11FNUZ:
      return std::forward<F>(f)(PrimitiveTypeConstant<F8E4M3B11FNUZ>());
    case F8E4M3FN:
      return std::forward<F>(f)(PrimitiveTypeConstant<F8E4M3FN>());
    case F8E4M3FNUZ:
      return std::forward<F>(f)(PrimitiveTypeConstant<F8E4M3FNUZ>());
    case F8E5M2:
      return std::forward<F>(f)(PrimitiveTypeConstant<F8E5M2>());
    case F8E5M2FNUZ:
      return std::forward<F>(f)(PrimitiveTypeConstant<F8E5M2FNUZ>());
    case F8E8M0FNU:
      return std::forward<F>(f)(PrimitiveTypeConstant<F8E8M0FNU>());
    case F16:
      return std::forward<F>(f)(PrimitiveTypeConstant<F16>());
    case BF16:
      return std::forward<F>(f)(PrimitiveTypeConstant<BF16>());
    case F32:
      return std::forward<F>(f)(PrimitiveTypeConstant<F32>());
    case F64:
      return std::forward<F>(f)(PrimitiveTypeConstant<F64>());
    default:
      TypeSwitchFailure("a floating-point type", type);
  }
}

template <typename R, typename F>
constexpr R ComplexTypeSwitch(F&& f, PrimitiveType type) {
  switch (type) {
    case C64:
      return std::forward<F>(f)(PrimitiveTypeConstant<C64>());
    case C128:
      return std::forward<F>(f)(PrimitiveTypeConstant<C128>());
    default:
      TypeSwitchFailure("a complex type", type);
  }
}

constexpr bool IsFloatingPointType(PrimitiveType type) {
  return type == F16 || type == F32 || type == F64 || type == BF16 ||
         type == F8E5M2 || type == F8E4M3 || type == F8E4M3FN ||
         type == F8E4M3B11FNUZ || type == F8E5M2FNUZ || type == F8E4M3FNUZ ||
         type == F8E3M4 || type == F8E8M0FNU || type == F6E3M2FN ||
         type == F6E2M3FN || type == F4E2M1FN;
}

constexpr bool IsComplexType(PrimitiveType type) {
  return type == C64 || type == C128;
}

// Call f(PrimitiveTypeConstant<type>()) for every type of the family.
template <typename F>
constexpr void IntegralTypeForEach(F&& f) {
  const auto each = [&]<PrimitiveType... kTypes>() {
    (f(PrimitiveTypeConstant<kTypes>()), ...);
  };
  each.template
  operator()<S1, S2, S4, S8, S16, S32, S64, U1, U2, U4, U8, U16, U32, U64>();
}
template <typename F>
constexpr void FloatingPointTypeForEach(F&& f) {
  const auto each = [&]<PrimitiveType... kTypes>() {
    (f(PrimitiveTypeConstant<kTypes>()), ...);
  };
  each.template operator()<F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3,
                           F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2,
                           F8E5M2FNUZ, F8E8M0FNU, F16, BF16, F32, F64>();
}

// Switches over the types of array elements.
template <typename R, typename F>
constexpr R ArrayTypeSwitch(F&& f, PrimitiveType type) {
  if (type == PRED) return std::forward<F>(f)(PrimitiveTypeConstant<PRED>());
  if (IsFloatingPointType(type)) {
    return FloatingPointTypeSwitch<R>(std::forward<F>(f), type);
  }
  if (IsComplexType(type)) {
    return ComplexTypeSwitch<R>(std::forward<F>(f), type);
  }
  return IntegralTypeSwitch<R>(std::forward<F>(f), type);
}

// The same switches, with the type that `f` returns.
template <typename F>
  requires std::invocable<F, PrimitiveTypeConstant<S32>>
constexpr decltype(auto) IntegralTypeSwitch(F&& f, PrimitiveType type) {
  using R = std::invoke_result_t<F, PrimitiveTypeConstant<S32>>;
  return IntegralTypeSwitch<R>(std::forward<F>(f), type);
}
template <typename F>
  requires std::invocable<F, PrimitiveTypeConstant<F32>>
constexpr decltype(auto) FloatingPointTypeSwitch(F&& f, PrimitiveType type) {
  using R = std::invoke_result_t<F, PrimitiveTypeConstant<F32>>;
  return FloatingPointTypeSwitch<R>(std::forward<F>(f), type);
}
template <typename F>
  requires std::invocable<F, PrimitiveTypeConstant<C64>>
constexpr decltype(auto) ComplexTypeSwitch(F&& f, PrimitiveType type) {
  using R = std::invoke_result_t<F, PrimitiveTypeConstant<C64>>;
  return ComplexTypeSwitch<R>(std::forward<F>(f), type);
}
template <typename F>
  requires std::invocable<F, PrimitiveTypeConstant<F32>>
constexpr decltype(auto) ArrayTypeSwitch(F&& f, PrimitiveType type) {
  using R = std::invoke_result_t<F, PrimitiveTypeConstant<F32>>;
  return ArrayTypeSwitch<R>(std::forward<F>(f), type);
}

// Switches over all types but PRIMITIVE_TYPE_INVALID.
template <typename R, typename F>
constexpr R PrimitiveTypeSwitch(F&& f, PrimitiveType type) {
  switch (type) {
    case TUPLE:
      return std::forward<F>(f)(PrimitiveTypeConstant<TUPLE>());
    case OPAQUE_TYPE:
      return std::forward<F>(f)(PrimitiveTypeConstant<OPAQUE_TYPE>());
    case TOKEN:
      return std::forward<F>(f)(PrimitiveTypeConstant<TOKEN>());
    case BUFFER:
      return std::forward<F>(f)(PrimitiveTypeConstant<BUFFER>());
    default:
      return ArrayTypeSwitch<R>(std::forward<F>(f), type);
  }
}

}  // namespace xla::primitive_util

#endif  // XLA_CORE_PRIMITIVE_TYPES_H_
