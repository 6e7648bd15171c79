// One small loop per type and direction instead of one per pair of types:
// elements are decoded into a chunk of a wide type and encoded from there.
#include "xla/core/literal/element_convert.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "xla/base/convert_value.h"
#include "xla/base/logging.h"
#include "xla/base/types.h"
#include "xla/core/primitive_util.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {
namespace {

// Elements per chunk: few enough that a chunk, 2 KiB per kind of number, stays
// in the first cache.
constexpr int64_t kChunk = 256;

// All elements of a chunk in the wide type that represents them exactly.
struct WideChunk {
  enum Kind { kSigned, kUnsigned, kReal } kind = kSigned;
  union {
    int64_t s[kChunk];
    uint64_t u[kChunk];
    double d[kChunk];
  };
};

template <typename T, typename WideT>
void DecodeRun(const void* src, WideT* wide, int64_t count) {
  const T* from = static_cast<const T*>(src);
  for (int64_t i = 0; i < count; ++i) wide[i] = ConvertValue<WideT>(from[i]);
}

template <typename T, typename WideT>
void EncodeRun(const WideT* wide, void* dst, int64_t count) {
  T* to = static_cast<T*>(dst);
  for (int64_t i = 0; i < count; ++i) to[i] = ConvertValue<T>(wide[i]);
}

void Decode(PrimitiveType type, const void* src, int64_t count,
            WideChunk& chunk) {
  primitive_util::ArrayTypeSwitch<void>(
      [&](auto constant) {
        using T = primitive_util::NativeTypeOf<constant>;
        if constexpr (std::is_same_v<T, uint64_t>) {
          chunk.kind = WideChunk::kUnsigned;
          DecodeRun<T>(src, chunk.u, count);
        } else if constexpr (is_complex_v<T>) {
          log_internal::LogAt(absl::LogSeverity::kFatal, __FILE__, __LINE__,
                              "complex elements are decoded by their parts");
        } else if constexpr (is_specialized_integral_v<T>) {
          chunk.kind = WideChunk::kSigned;
          DecodeRun<T>(src, chunk.s, count);
        } else {
          chunk.kind = WideChunk::kReal;
          DecodeRun<T>(src, chunk.d, count);
        }
      },
      type);
}

void Encode(const WideChunk& chunk, PrimitiveType type, void* dst,
            int64_t count) {
  primitive_util::ArrayTypeSwitch<void>(
      [&](auto constant) {
        using T = primitive_util::NativeTypeOf<constant>;
        if constexpr (is_complex_v<T>) {
          log_internal::LogAt(absl::LogSeverity::kFatal, __FILE__, __LINE__,
                              "complex elements are encoded by their parts");
        } else {
          switch (chunk.kind) {
            case WideChunk::kSigned:
              return EncodeRun<T>(chunk.s, dst, count);
            case WideChunk::kUnsigned:
              return EncodeRun<T>(chunk.u, dst, count);
            case WideChunk::kReal:
              return EncodeRun<T>(chunk.d, dst, count);
          }
        }
      },
      type);
}

int Bytes(PrimitiveType type) { return std::max(ElementBits(type) / 8, 1); }

void ConvertReals(PrimitiveType from, const void* src, PrimitiveType to,
                  void* dst, int64_t count) {
  if (from == to) {
    std::memcpy(dst, src, count * Bytes(to));
    return;
  }
  WideChunk chunk;
  for (int64_t i = 0; i < count; i += kChunk) {
    int64_t n = std::min(kChunk, count - i);
    Decode(from, static_cast<const char*>(src) + i * Bytes(from), n, chunk);
    Encode(chunk, to, static_cast<char*>(dst) + i * Bytes(to), n);
  }
}

PrimitiveType PartType(PrimitiveType complex_type) {
  return complex_type == C64 ? F32 : F64;
}

void RealsToComplex(PrimitiveType from, const void* src, PrimitiveType to,
                    void* dst, int64_t count) {
  double parts[kChunk];
  char* out = static_cast<char*>(dst);
  const int part_bytes = Bytes(to) / 2;
  for (int64_t i = 0; i < count; i += kChunk) {
    int64_t n = std::min(kChunk, count - i);
    ConvertReals(from, static_cast<const char*>(src) + i * Bytes(from),
                 PartType(to), parts, n);
    for (int64_t j = 0; j < n; ++j, out += 2 * part_bytes) {
      std::memcpy(out, reinterpret_cast<char*>(parts) + j * part_bytes,
                  part_bytes);
      std::memset(out + part_bytes, 0, part_bytes);
    }
  }
}

void ComplexToReals(PrimitiveType from, const void* src, PrimitiveType to,
                    void* dst, int64_t count) {
  complex128 values[kChunk];
  const char* in = static_cast<const char*>(src);
  for (int64_t i = 0; i < count; i += kChunk) {
    int64_t n = std::min(kChunk, count - i);
    ConvertElements(from, in + i * Bytes(from), C128, values, n);
    WideChunk chunk;
    chunk.kind = WideChunk::kReal;
    for (int64_t j = 0; j < n; ++j) {
      bool flag = to == PRED;
      chunk.d[j] = flag ? ConvertValue<bool>(values[j]) : values[j].real();
    }
    Encode(chunk, to, static_cast<char*>(dst) + i * Bytes(to), n);
  }
}

}  // namespace

void ConvertElements(PrimitiveType from, const void* src, PrimitiveType to,
                     void* dst, int64_t count) {
  const bool from_complex = primitive_util::IsComplexType(from);
  const bool to_complex = primitive_util::IsComplexType(to);
  if (from_complex && to_complex) {
    ConvertReals(PartType(from), src, PartType(to), dst, 2 * count);
  } else if (to_complex) {
    RealsToComplex(from, src, to, dst, count);
  } else if (from_complex) {
    ComplexToReals(from, src, to, dst, count);
  } else {
    ConvertReals(from, src, to, dst, count);
  }
}

int ElementBits(PrimitiveType type) {
  return type == PRED ? 8 : primitive_util::BitWidth(type);
}

int UnusedBits(PrimitiveType type) {
  return primitive_util::IsSubByteNonPredType(type)
             ? 8 - primitive_util::BitWidth(type)
             : 0;
}

void NormalizeElements(PrimitiveType type, void* data, int64_t count) {
  uint8_t* bytes = static_cast<uint8_t*>(data);
  if (type == PRED) {
    for (int64_t i = 0; i < count; ++i) bytes[i] = bytes[i] != 0;
    return;
  }
  const int bits = ElementBits(type);
  if (bits >= 8) return;
  const uint8_t mask = static_cast<uint8_t>((1 << bits) - 1);
  for (int64_t i = 0; i < count; ++i) bytes[i] &= mask;
}

}  // namespace xla
