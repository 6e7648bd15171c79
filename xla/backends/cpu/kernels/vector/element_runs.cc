// Has one loop for each frequent pair of types; all others go through the
// widest type of their family, in chunks that stay in the L1 cache.
#include "xla/backends/cpu/kernels/vector/element_runs.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/base/convert_value.h"
#include "xla/core/primitive_types.h"
#include "xla/core/primitive_util.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace xla::cpu {
namespace {

using primitive_util::ArrayTypeSwitch;
using primitive_util::NativeTypeOf;

// The baseline's loops are as fast as memory except those for floats of 16 bits
// and for numbers of fewer, which wider vectors speed up. Without another type,
// the other side is F32.
struct SmallTable {
  RunConverter from_bf16, to_bf16, to_bf16_exactly, from_f16, to_f16;
  RunConverter from_s4, from_u4, from_f4e2m1fn, from_f8e4m3fn, from_f8e5m2,
      from_f8e8m0fnu;
};
#define XLA_VECTOR_BODY "xla/backends/cpu/kernels/vector/small_runs.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

template <typename From, typename To>
void Convert(const void* from, void* to, int64_t count) {
  const From* in = static_cast<const From*>(from);
  To* out = static_cast<To*>(to);
  for (int64_t i = 0; i < count; ++i) out[i] = ConvertValue<To>(in[i]);
}

template <int kBytes>
void Copy(const void* from, void* to, int64_t count) {
  std::memcpy(to, from, count * kBytes);
}

// The type that holds all values of the family of T.
template <typename T>
struct WidestOf {
  static constexpr PrimitiveType kType = is_complex_v<T> ? C128
                                         : is_specialized_floating_point_v<T>
                                             ? F64
                                         : std::is_same_v<T, uint64_t> ? U64
                                                                       : S64;
};

// Converters between any type and C128, F64, U64 or S64.
RunConverter ToWide(PrimitiveType from, PrimitiveType wide) {
  return ArrayTypeSwitch<RunConverter>(
      [&](auto constant) -> RunConverter {
        using From = NativeTypeOf<decltype(constant)::value>;
        if (wide == C128) return &Convert<From, complex128>;
        if (wide == F64) return &Convert<From, double>;
        if (wide == U64) return &Convert<From, uint64_t>;
        return &Convert<From, int64_t>;
      },
      from);
}

RunConverter FromWide(PrimitiveType wide, PrimitiveType to) {
  return ArrayTypeSwitch<RunConverter>(
      [&](auto constant) -> RunConverter {
        using To = NativeTypeOf<decltype(constant)::value>;
        if (wide == C128) return &Convert<complex128, To>;
        if (wide == F64) return &Convert<double, To>;
        if (wide == U64) return &Convert<uint64_t, To>;
        return &Convert<int64_t, To>;
      },
      to);
}

// Converts between types neither of which is a widest one.
template <PrimitiveType kFrom, PrimitiveType kTo>
void ConvertThroughWide(const void* from, void* to, int64_t count) {
  constexpr int64_t kPiece = 256;  // elements: at most 4 KB of the widest type
  constexpr PrimitiveType kWide = WidestOf<NativeTypeOf<kFrom>>::kType;
  NativeTypeOf<kWide> wide[kPiece];
  const RunConverter first = ToWide(kFrom, kWide);
  const RunConverter second = FromWide(kWide, kTo);
  const char* in = static_cast<const char*>(from);
  char* out = static_cast<char*>(to);
  for (int64_t i = 0; i < count; i += kPiece) {
    const int64_t piece = std::min(kPiece, count - i);
    first(in + i * sizeof(NativeTypeOf<kFrom>), wide, piece);
    second(wide, out + i * sizeof(NativeTypeOf<kTo>), piece);
  }
}

RunConverter CopierOf(PrimitiveType type) {
  switch (primitive_util::ByteWidth(type)) {
    case 1:
      return &Copy<1>;
    case 2:
      return &Copy<2>;
    case 4:
      return &Copy<4>;
    case 8:
      return &Copy<8>;
    default:
      return &Copy<16>;
  }
}

const SmallTable& Small() {
  return TableOf(baseline::kSmallTable, avx2::kSmallTable, avx512::kSmallTable);
}

// Returns the converter of a type of at most 8 bits to F32, if it has one of
// its own, else null.
RunConverter BytesToF32(PrimitiveType from) {
  switch (from) {
    case S4:
      return Small().from_s4;
    case U4:
      return Small().from_u4;
    case S8:
      return &Convert<int8_t, float>;
    case U8:
      return &Convert<uint8_t, float>;
    case F4E2M1FN:
      return Small().from_f4e2m1fn;
    case F8E4M3FN:
      return Small().from_f8e4m3fn;
    case F8E5M2:
      return Small().from_f8e5m2;
    case F8E8M0FNU:
      return Small().from_f8e8m0fnu;
    default:
      return nullptr;
  }
}

// Converts numbers of bytes, of which all are bfloat16s.
template <PrimitiveType kFrom>
void BytesToBf16(const void* from, void* to, int64_t count) {
  constexpr int64_t kPiece = 1024;
  float wide[kPiece];
  const RunConverter convert = BytesToF32(kFrom);
  for (int64_t i = 0; i < count; i += kPiece) {
    const int64_t piece = std::min(kPiece, count - i);
    convert(static_cast<const char*>(from) + i, wide, piece);
    Small().to_bf16_exactly(wide, static_cast<uint16_t*>(to) + i, piece);
  }
}

RunConverter BytesToBf16Of(PrimitiveType from) {
  switch (from) {
    case S4:
      return &BytesToBf16<S4>;
    case U4:
      return &BytesToBf16<U4>;
    case S8:
      return &BytesToBf16<S8>;
    case U8:
      return &BytesToBf16<U8>;
    case F4E2M1FN:
      return &BytesToBf16<F4E2M1FN>;
    case F8E4M3FN:
      return &BytesToBf16<F8E4M3FN>;
    case F8E5M2:
      return &BytesToBf16<F8E5M2>;
    default:
      return nullptr;
  }
}

// Returns the converter of a pair of types that large arrays have; null for
// others.
RunConverter FrequentConverter(PrimitiveType from, PrimitiveType to) {
  if (from == BF16 && to == F32) return Small().from_bf16;
  if (from == F32 && to == BF16) return Small().to_bf16;
  if (from == F16 && to == F32) return Small().from_f16;
  if (from == F32 && to == F16) return Small().to_f16;
  if (from == S8 && to == S16) return &Convert<int8_t, int16_t>;
  if (from == U8 && to == S16) return &Convert<uint8_t, int16_t>;
  if (to == F32 && BytesToF32(from) != nullptr) return BytesToF32(from);
  if (to == BF16 && BytesToBf16Of(from) != nullptr) return BytesToBf16Of(from);
  if (from == U32 && to == S32) return &Copy<4>;
  if (from == S32 && to == U32) return &Copy<4>;
  if (from == U32 && to == S8) return &Convert<uint32_t, int8_t>;
  if (from == S32 && to == F32) return &Convert<int32_t, float>;
  if (from == F32 && to == C64) return &Convert<float, complex64>;
  return nullptr;
}

}  // namespace

RunConverter RunConverterOf(PrimitiveType from, PrimitiveType to) {
  if (from == to) return CopierOf(from);
  if (RunConverter found = FrequentConverter(from, to)) return found;
  const auto is_widest = [](PrimitiveType type) {
    return type == C128 || type == F64 || type == U64 || type == S64;
  };
  if (is_widest(to)) return ToWide(from, to);
  if (is_widest(from)) return FromWide(from, to);
  // In the remaining pairs, one side has one of a few kernel types.
  return ArrayTypeSwitch<RunConverter>(
      [&](auto from_constant) -> RunConverter {
        constexpr PrimitiveType kFrom = decltype(from_constant)::value;
        switch (to) {
          case F32:
            return &ConvertThroughWide<kFrom, F32>;
          case C64:
            return &ConvertThroughWide<kFrom, C64>;
          case BF16:
            return &ConvertThroughWide<kFrom, BF16>;
          case S8:
            return &ConvertThroughWide<kFrom, S8>;
          case U8:
            return &ConvertThroughWide<kFrom, U8>;
          case S16:
            return &ConvertThroughWide<kFrom, S16>;
          case U32:
            return &ConvertThroughWide<kFrom, U32>;
          default:
            break;
        }
        // These convert from a kernel type.
        if constexpr (kFrom == F32 || kFrom == C64 || kFrom == U32) {
          return ArrayTypeSwitch<RunConverter>(
              [](auto to_constant) -> RunConverter {
                return &ConvertThroughWide<kFrom, decltype(to_constant)::value>;
              },
              to);
        }
        return nullptr;
      },
      from);
}

}  // namespace xla::cpu
