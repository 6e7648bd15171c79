// Has one loop per width, order and direction.
#include "xla/backends/cpu/kernels/sort_keys.h"

#include <type_traits>

#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

enum class Numbers { kUnsigned, kSigned, kTotal, kNanLast };

template <typename U>
inline constexpr U kSign = static_cast<U>(U{1} << (sizeof(U) * 8 - 1));

// Makes keys of numbers with the bits U, where kInfinity is infinity.
template <typename U, U kInfinity, Numbers kNumbers, bool kDescending>
struct Codec {
  using Key = std::conditional_t<sizeof(U) == 8, uint64_t, uint32_t>;

  static bool IsZero(U bits) { return (bits & ~kSign<U>) == 0; }
  static bool IsNan(U bits) {
    return static_cast<U>(bits & ~kSign<U>) > kInfinity;
  }
  static Key KeyOf(U bits) {
    if constexpr (kNumbers == Numbers::kSigned) bits ^= kSign<U>;
    if constexpr (kNumbers == Numbers::kNanLast) {
      bits = IsZero(bits) ? 0 : bits;
      bits = IsNan(bits) ? static_cast<U>(kInfinity + 1) : bits;
    }
    if constexpr (kNumbers == Numbers::kTotal ||
                  kNumbers == Numbers::kNanLast) {
      // Flip all bits of negative numbers, and the sign of others.
      using S = std::make_signed_t<U>;
      const U negative =
          static_cast<U>(static_cast<S>(bits) >> (sizeof(U) * 8 - 1));
      bits ^= negative | kSign<U>;
    }
    return kDescending ? static_cast<U>(~bits) : bits;
  }
  static U BitsOf(Key key) {
    U bits = static_cast<U>(key);
    if constexpr (kDescending) bits = ~bits;
    if constexpr (kNumbers == Numbers::kSigned) bits ^= kSign<U>;
    if constexpr (kNumbers == Numbers::kTotal ||
                  kNumbers == Numbers::kNanLast) {
      bits = bits & kSign<U> ? static_cast<U>(bits ^ kSign<U>)
                             : static_cast<U>(~bits);
    }
    return bits;
  }

  static void Encode(const void* from, int64_t stride, int64_t count,
                     void* keys) {
    const U* in = static_cast<const U*>(from);
    Key* out = static_cast<Key*>(keys);
    if (stride == 1) {
      for (int64_t i = 0; i < count; ++i) out[i] = KeyOf(in[i]);
    } else {
      for (int64_t i = 0; i < count; ++i) out[i] = KeyOf(in[i * stride]);
    }
  }
  static void Decode(const void* keys, int64_t count, void* to,
                     int64_t stride) {
    const Key* in = static_cast<const Key*>(keys);
    U* out = static_cast<U*>(to);
    if (stride == 1) {
      for (int64_t i = 0; i < count; ++i) out[i] = BitsOf(in[i]);
    } else {
      for (int64_t i = 0; i < count; ++i) out[i * stride] = BitsOf(in[i]);
    }
  }
  static void EncodeEqual(const void* from, int64_t stride, int64_t count,
                          void* keys, void* equal, int64_t* zeros,
                          int64_t* nans) {
    Encode(from, stride, count, keys);
    *zeros = *nans = 0;
    const U* in = static_cast<const U*>(from);
    U special = 0;
    for (int64_t i = 0; i < count; ++i) {
      const U bits = in[i * stride];
      special |= (bits == kSign<U>) | IsNan(bits);
    }
    if (special == 0) return;
    U* out = static_cast<U*>(equal);
    for (int64_t i = 0; i < count; ++i) {
      const U bits = in[i * stride];
      if (IsZero(bits)) out[(*zeros)++] = bits;
      if (IsNan(bits)) out[count - 1 - (*nans)++] = bits;
    }
  }

  static KeyCodec Make() {
    KeyCodec codec;
    codec.bytes = sizeof(U);
    codec.wide = sizeof(U) == 8;
    codec.encode = &Encode;
    codec.decode = &Decode;
    codec.encode_equal = kNumbers == Numbers::kNanLast ? &EncodeEqual : nullptr;
    codec.zero_key = KeyOf(0);
    codec.nan_key = KeyOf(static_cast<U>(kInfinity + 1));
    return codec;
  }
};

template <typename U, U kInfinity, Numbers kNumbers>
KeyCodec Make(bool descending) {
  return descending ? Codec<U, kInfinity, kNumbers, true>::Make()
                    : Codec<U, kInfinity, kNumbers, false>::Make();
}

template <typename U, U kInfinity>
KeyCodec MakeFloat(SortOrder order, bool descending) {
  return order == SortOrder::kFloatTotal
             ? Make<U, kInfinity, Numbers::kTotal>(descending)
             : Make<U, kInfinity, Numbers::kNanLast>(descending);
}

template <typename U>
KeyCodec MakeInteger(PrimitiveType type, bool descending) {
  return primitive_util::IsSignedIntegralType(type)
             ? Make<U, 0, Numbers::kSigned>(descending)
             : Make<U, 0, Numbers::kUnsigned>(descending);
}

}  // namespace

KeyCodec KeyCodecOf(PrimitiveType type, SortOrder order, bool descending) {
  if (order == SortOrder::kInteger) {
    // Types below 8 bits are stored with their high bits clear.
    if (type == PRED || primitive_util::IsUnsignedIntegralType(type) ||
        (primitive_util::IsSignedIntegralType(type) &&
         primitive_util::BitWidth(type) >= 8)) {
      switch (primitive_util::ByteWidth(type)) {
        case 1:
          return MakeInteger<uint8_t>(type, descending);
        case 2:
          return MakeInteger<uint16_t>(type, descending);
        case 4:
          return MakeInteger<uint32_t>(type, descending);
        default:
          return MakeInteger<uint64_t>(type, descending);
      }
    }
    return {};
  }
  switch (type) {
    case F16:
      return MakeFloat<uint16_t, 0x7c00>(order, descending);
    case BF16:
      return MakeFloat<uint16_t, 0x7f80>(order, descending);
    case F32:
      return MakeFloat<uint32_t, 0x7f800000>(order, descending);
    case F64:
      return MakeFloat<uint64_t, 0x7ff0000000000000>(order, descending);
    default:
      return {};
  }
}

}  // namespace xla::cpu
