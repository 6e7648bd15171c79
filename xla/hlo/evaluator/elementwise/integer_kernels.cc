// Element-wise ops on pred and on integers, all in 64 bits.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "xla/hlo/evaluator/elementwise/kernels.h"

namespace xla {
namespace {

using U = uint64_t;

// Truncates; x / 0 has all bits set, and the lowest number / -1 wraps around.
template <typename T>
T Divide(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return static_cast<T>(U{0} - static_cast<U>(a));
  }
  return a / b;
}

template <typename T>
T Remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return a % b;
}

// With a negative exponent only 1 and -1 have integer results; others are 0.
template <typename T>
T Power(T base, T exponent) {
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) {
      if (base == 1) return 1;
      if (base == -1) return exponent % 2 == 0 ? 1 : -1;
      return 0;
    }
  }
  U result = 1;
  U square = static_cast<U>(base);
  for (U rest = static_cast<U>(exponent); rest != 0; rest >>= 1) {
    if (rest & 1) result *= square;
    square *= square;
  }
  return static_cast<T>(result);
}

U ShiftLeft(U x, U amount) { return amount < 64 ? x << amount : 0; }
U ShiftRightLogical(U x, U amount) { return amount < 64 ? x >> amount : 0; }

void ShiftRightArithmetic(const void* const* inputs, void* output, size_t n,
                          const KernelParams&) {
  const int64_t* x = static_cast<const int64_t*>(inputs[0]);
  const U* amount = static_cast<const U*>(inputs[1]);
  int64_t* out = static_cast<int64_t*>(output);
  for (size_t i = 0; i < n; ++i) out[i] = x[i] >> std::min<U>(amount[i], 63);
}

void CountLeadingZeros(const void* const* inputs, void* output, size_t n,
                       const KernelParams& params) {
  const U* x = static_cast<const U*>(inputs[0]);
  U* out = static_cast<U*>(output);
  for (size_t i = 0; i < n; ++i) {
    out[i] = std::countl_zero(x[i]) - (64 - params.width);
  }
}

template <typename T>
void MultiplyHigh(const void* const* inputs, void* output, size_t n,
                  const KernelParams& params) {
  using Wide =
      std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  const T* a = static_cast<const T*>(inputs[0]);
  const T* b = static_cast<const T*>(inputs[1]);
  T* out = static_cast<T*>(output);
  for (size_t i = 0; i < n; ++i) {
    out[i] = static_cast<T>(Wide{a[i]} * Wide{b[i]} >> params.width);
  }
}

// Returns kernels of ops that need only the low bits of their operands.
KernelFn ModularKernel(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAdd:
      return Map2<U, U, U, [](U a, U b) { return a + b; }>;
    case HloOpcode::kAnd:
      return Map2<U, U, U, [](U a, U b) { return a & b; }>;
    case HloOpcode::kClz:
      return CountLeadingZeros;
    case HloOpcode::kMultiply:
      return Map2<U, U, U, [](U a, U b) { return a * b; }>;
    case HloOpcode::kNegate:
      return Map1<U, U, U, [](U a) { return U{0} - a; }>;
    case HloOpcode::kNot:
      return Map1<U, U, U, [](U a) { return ~a; }>;
    case HloOpcode::kOr:
      return Map2<U, U, U, [](U a, U b) { return a | b; }>;
    case HloOpcode::kPopulationCount:
      return Map1<U, U, U, [](U a) { return std::popcount(a); }>;
    case HloOpcode::kShiftLeft:
      return Map2<U, U, U, [](U a, U b) { return ShiftLeft(a, b); }>;
    case HloOpcode::kShiftRightArithmetic:
      return ShiftRightArithmetic;
    case HloOpcode::kShiftRightLogical:
      return Map2<U, U, U, [](U a, U b) { return ShiftRightLogical(a, b); }>;
    case HloOpcode::kSubtract:
      return Map2<U, U, U, [](U a, U b) { return a - b; }>;
    case HloOpcode::kXor:
      return Map2<U, U, U, [](U a, U b) { return a ^ b; }>;
    default:
      return nullptr;
  }
}

template <typename T>
KernelFn SignedKernel(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAbs:
      return Map1<T, T, T, [](T x) {
        return x < T{0} ? static_cast<T>(U{0} - static_cast<U>(x)) : x;
      }>;
    case HloOpcode::kClamp:
      return Map3<T, [](T low, T x, T high) {
        return std::min(std::max(low, x), high);
      }>;
    case HloOpcode::kDivide:
      return Map2<T, T, T, [](T a, T b) { return Divide(a, b); }>;
    case HloOpcode::kMaximum:
      return Map2<T, T, T, [](T a, T b) { return std::max(a, b); }>;
    case HloOpcode::kMinimum:
      return Map2<T, T, T, [](T a, T b) { return std::min(a, b); }>;
    case HloOpcode::kMulhi:
      return MultiplyHigh<T>;
    case HloOpcode::kPower:
      return Map2<T, T, T, [](T a, T b) { return Power(a, b); }>;
    case HloOpcode::kRemainder:
      return Map2<T, T, T, [](T a, T b) { return Remainder(a, b); }>;
    case HloOpcode::kSign:
      return Map1<T, T, T, [](T x) { return (x > T{0}) - (x < T{0}); }>;
    default:
      return nullptr;
  }
}

}  // namespace

KernelFn IntegerKernel(HloOpcode opcode, PrimitiveType type) {
  if (KernelFn fn = ModularKernel(opcode)) return fn;
  return type == S64 ? SignedKernel<int64_t>(opcode)
                     : SignedKernel<uint64_t>(opcode);
}

KernelFn PredKernel(HloOpcode opcode) {
  using B = bool;
  switch (opcode) {
    case HloOpcode::kAdd:
    case HloOpcode::kMaximum:
    case HloOpcode::kOr:
      return Map2<B, B, B, [](B a, B b) { return a || b; }>;
    case HloOpcode::kAnd:
    case HloOpcode::kMinimum:
    case HloOpcode::kMultiply:
      return Map2<B, B, B, [](B a, B b) { return a && b; }>;
    case HloOpcode::kClamp:
      return Map3<B, [](B low, B x, B high) { return (low || x) && high; }>;
    case HloOpcode::kNot:
      return Map1<B, B, B, [](B a) { return !a; }>;
    case HloOpcode::kXor:
      return Map2<B, B, B, [](B a, B b) { return a != b; }>;
    default:
      return nullptr;
  }
}

}  // namespace xla
