// The conversions of small floats that LLVM calls where the processor has no
// instruction for them; GCC 12's runtime lacks some.
#ifndef XLA_BASE_PROCESSOR_SMALL_FLOAT_CALLS_H_
#define XLA_BASE_PROCESSOR_SMALL_FLOAT_CALLS_H_

#include <cstdint>
#include <cstring>

#include "xla/base/types.h"

namespace xla::small_float_calls {

// Both ABIs pass and return a small float in the low 16 bits of a float's
// register; C++ has no type for it that GCC 12 knows.
template <typename Small>
float InRegister(Small value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(value));
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}
template <typename Small>
Small FromRegister(float value) {
  Small result;
  std::memcpy(static_cast<void*>(&result), &value, sizeof(result));
  return result;
}

inline float FloatToHalf(float value) { return InRegister(half(value)); }
inline float DoubleToHalf(double value) { return InRegister(half(value)); }
inline float HalfToFloat(float bits) {
  return static_cast<float>(FromRegister<half>(bits));
}
inline float FloatToBfloat16(float value) {
  return InRegister(bfloat16(value));
}
inline float DoubleToBfloat16(double value) {
  return InRegister(bfloat16(value));
}
inline float Bfloat16ToFloat(float bits) {
  return static_cast<float>(FromRegister<bfloat16>(bits));
}

}  // namespace xla::small_float_calls

#endif  // XLA_BASE_PROCESSOR_SMALL_FLOAT_CALLS_H_
