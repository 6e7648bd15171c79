// To float: the fields of a format are moved to those of a wider one and
// scaled, which normalizes subnormal numbers. From float: adding a number whose
// last bit is the format's rounds subnormal results.
#include "xla/backends/cpu/codegen/elementwise/small_float.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "llvm/IR/PatternMatch.h"
#include "xla/backends/cpu/codegen/elementwise/values.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

// The bits of an infinite float.
constexpr uint32_t kFloatInfinity = 0x7f800000;

template <int kE, int kM, int kBias, MiniFloatKind kKind>
constexpr SmallFormat Format(MiniFloat<kE, kM, kBias, kKind>) {
  return {kE, kM, kBias, kKind};
}

// The bits of the largest finite magnitude.
uint32_t MaxFinite(SmallFormat f) {
  const uint32_t all = (1u << f.magnitude_bits()) - 1;
  switch (f.kind) {
    case MiniFloatKind::kIeee:
      return all - (1u << f.mantissa_bits);
    case MiniFloatKind::kFiniteNan:
    case MiniFloatKind::kPower:
      return all - 1;
    case MiniFloatKind::kFinite:
    case MiniFloatKind::kUnsignedZero:
      return all;
  }
  return all;
}

llvm::Value* AsFloat(llvm::IRBuilder<>& b, llvm::Value* bits) {
  return b.CreateBitCast(bits, LanesLike(bits, b.getFloatTy()));
}

llvm::Value* AsBits(llvm::IRBuilder<>& b, llvm::Value* x) {
  return b.CreateBitCast(x, IntLike(b, x, BitsOf(x)));
}

// LLVM's optimizer narrows computations that begin and end with halves to
// halves. On a processor that only converts halves, these are then split into
// scalars, and llvm.maximum and llvm.minimum expand to code that takes NaN for
// 0. Behind a fence the optimizer sees only floats.
llvm::Value* Fence(EmitContext& context, llvm::Value* x) {
  const TargetInfo& target = context.target;
  const bool computes_halves =
      target.is_aarch64 ? target.Has("fullfp16") : target.has_avx512_fp16;
  if (computes_halves || llvm::isa<llvm::Constant>(x)) return x;
  return context.b.CreateArithmeticFence(x, x->getType());
}

llvm::Value* HalfToFloat(EmitContext& context, llvm::Value* half) {
  llvm::IRBuilder<>& b = context.b;
  return Fence(context, b.CreateFPExt(half, LanesLike(half, b.getFloatTy())));
}

llvm::Value* FloatToHalf(EmitContext& context, llvm::Value* x) {
  llvm::IRBuilder<>& b = context.b;
  return b.CreateFPTrunc(Fence(context, x), LanesLike(x, b.getHalfTy()));
}

// Source: MiniFloat::ToFloat for powers of two.
llvm::Value* PowerToFloat(llvm::IRBuilder<>& b, llvm::Value* bits) {
  llvm::Value* code = b.CreateZExt(bits, IntLike(b, bits, 32));
  llvm::Value* wide = b.CreateShl(code, 23);
  wide = b.CreateSelect(b.CreateICmpEQ(code, Const(code, 0)),
                        Const(code, 0x00400000), wide);
  wide = b.CreateSelect(b.CreateICmpEQ(code, Const(code, 0xff)),
                        Const(code, 0x7fc00000), wide);
  return AsFloat(b, wide);
}

// The wider IEEE format that holds the fields of a small one.
struct Host {
  int bits, mantissa_bits, bias;
  uint32_t infinity() const {
    return ((1u << (bits - 1)) - 1) >> mantissa_bits << mantissa_bits;
  }
  uint32_t sign() const { return 1u << (bits - 1); }
};

// `placed` has its fields at the host's positions; returns it with infinities
// and NaNs as the host encodes them. Their exponent must not be scaled.
llvm::Value* MarkSpecials(llvm::IRBuilder<>& b, SmallFormat f, Host host,
                          llvm::Value* placed) {
  const uint32_t magnitude = ((1u << f.magnitude_bits()) - 1)
                             << (host.mantissa_bits - f.mantissa_bits);
  const uint32_t exponent = ((1u << f.exponent_bits) - 1) << host.mantissa_bits;
  auto mark = [&](uint32_t mask) {
    llvm::Constant* all = Const(placed, mask);
    llvm::Value* special = b.CreateICmpEQ(b.CreateAnd(placed, all), all);
    return b.CreateSelect(
        special, b.CreateOr(placed, Const(placed, host.infinity())), placed);
  };
  switch (f.kind) {
    case MiniFloatKind::kIeee:
      return exponent == host.infinity() ? placed : mark(exponent);
    case MiniFloatKind::kFiniteNan:
      return mark(magnitude);
    case MiniFloatKind::kUnsignedZero:
      return b.CreateSelect(
          b.CreateICmpEQ(placed, Const(placed, host.sign())),
          Const(placed, host.sign() | host.infinity() | host.infinity() >> 1),
          placed);
    case MiniFloatKind::kFinite:
    case MiniFloatKind::kPower:
      return placed;
  }
  return placed;
}

llvm::Value* FieldsToFloat(EmitContext& context, SmallFormat f,
                           llvm::Value* bits) {
  llvm::IRBuilder<>& b = context.b;
  // Processors that convert halves do so at full speed for subnormal ones; a
  // multiplication of subnormal floats is slow.
  const bool through_half =
      context.target.has_f16c && f.mantissa_bits < 10 &&
      (f.exponent_bits < 5 || f.kind == MiniFloatKind::kIeee);
  const Host host = through_half ? Host{16, 10, 15} : Host{32, 23, 127};
  const int shift = host.mantissa_bits - f.mantissa_bits;
  // Sign extension puts a copy of the sign bit at the host's position.
  llvm::Value* placed = b.CreateSExt(bits, IntLike(b, bits, host.bits));
  placed = b.CreateShl(placed, shift);
  const uint32_t fields = host.sign() | ((1u << f.magnitude_bits()) - 1)
                                            << shift;
  placed = b.CreateAnd(placed, Const(placed, fields));
  placed = MarkSpecials(b, f, host, placed);
  llvm::Value* x;
  if (through_half) {
    x = HalfToFloat(context,
                    b.CreateBitCast(placed, LanesLike(placed, b.getHalfTy())));
  } else {
    x = AsFloat(b, placed);
  }
  if (host.bias == f.bias) return x;
  return b.CreateFMul(x, FloatConst(x, std::ldexp(1.0, host.bias - f.bias)));
}

// Adds half of the last place of a bf16 number, less where that would round a
// tie to an odd number, and drops what is behind that place.
llvm::Value* RoundUpperHalf(llvm::IRBuilder<>& b, llvm::Value* bits) {
  llvm::Value* last = b.CreateAnd(b.CreateLShr(bits, 16), Const(bits, 1));
  return b.CreateLShr(b.CreateAdd(b.CreateAdd(bits, last), Const(bits, 0x7fff)),
                      16);
}

llvm::Value* FloatToBfloat16(llvm::IRBuilder<>& b, llvm::Value* x) {
  llvm::Value* bits = AsBits(b, x);
  llvm::Value* quiet = b.CreateOr(b.CreateLShr(bits, 16), Const(bits, 0x40));
  llvm::Value* result =
      b.CreateSelect(b.CreateFCmpUNO(x, x), quiet, RoundUpperHalf(b, bits));
  return b.CreateTrunc(result, IntLike(b, x, 16));
}

// The upper (`half` 1) or the lower halves of 32-bit lanes. The shuffle has two
// operands, since LLVM makes a slower truncation of one that has one.
llvm::Value* EverySecondHalf(llvm::IRBuilder<>& b, llvm::Value* bits,
                             int half) {
  const int lanes = LanesOf(bits);
  llvm::Type* halves = WithLanes(b.getInt16Ty(), lanes);
  llvm::Value* parts[2];
  std::vector<int> kept(lanes);
  for (int p = 0; p < 2; ++p) {
    std::vector<int> part(lanes / 2);
    std::iota(part.begin(), part.end(), p * lanes / 2);
    parts[p] = b.CreateBitCast(b.CreateShuffleVector(bits, part), halves);
  }
  for (int l = 0; l < lanes; ++l) kept[l] = 2 * l + half;
  return b.CreateShuffleVector(parts[0], parts[1], kept);
}

// Source: MiniFloat::FromFloatBits for powers of two.
llvm::Value* FloatToPower(llvm::IRBuilder<>& b, llvm::Value* x) {
  llvm::Value* bits = AsBits(b, x);
  llvm::Value* code =
      b.CreateLShr(b.CreateAdd(bits, Const(bits, 0x00400000)), 23);
  code =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, code, Const(bits, 0xff));
  // The smallest power, a subnormal float, is not a tie to be rounded up.
  code = b.CreateSelect(b.CreateICmpEQ(bits, Const(bits, 0x00400000)),
                        Const(bits, 0), code);
  // 0 and negative numbers become NaN.
  code = b.CreateSelect(b.CreateICmpSLT(bits, Const(bits, 1)),
                        Const(bits, 0xff), code);
  return b.CreateTrunc(code, IntLike(b, x, 8));
}

// The code of the magnitude before range checks.
llvm::Value* RoundMagnitude(llvm::IRBuilder<>& b, SmallFormat f,
                            llvm::Value* magnitude) {
  const int drop = 23 - f.mantissa_bits;
  const uint32_t rebias = static_cast<uint32_t>(127 - f.bias) << 23;
  llvm::Value* last =
      b.CreateAnd(b.CreateLShr(magnitude, drop), Const(magnitude, 1));
  llvm::Value* normal =
      b.CreateAdd(b.CreateAdd(magnitude, last),
                  Const(magnitude, (1u << (drop - 1)) - 1 - rebias));
  normal = b.CreateLShr(normal, drop);
  const float unit = std::ldexp(1.0f, 24 - f.bias - f.mantissa_bits);
  llvm::Value* x = AsFloat(b, magnitude);
  llvm::Value* subnormal = AsBits(b, b.CreateFAdd(x, FloatConst(x, unit)));
  subnormal =
      b.CreateSub(subnormal, Const(magnitude, std::bit_cast<uint32_t>(unit)));
  return b.CreateSelect(
      b.CreateICmpULT(magnitude, Const(magnitude, rebias + (1u << 23))),
      subnormal, normal);
}

llvm::Value* FloatToFields(llvm::IRBuilder<>& b, SmallFormat f,
                           llvm::Value* x) {
  const uint32_t sign_bit = 1u << f.magnitude_bits();
  const uint32_t max_finite = MaxFinite(f);
  llvm::Value* bits = AsBits(b, x);
  llvm::Value* magnitude = b.CreateAnd(bits, Const(bits, 0x7fffffff));
  llvm::Value* code = RoundMagnitude(b, f, magnitude);
  // The code after the largest finite number is infinity, or NaN if there is
  // none.
  const bool saturates = f.kind == MiniFloatKind::kFinite;
  code = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, code,
                                 Const(bits, max_finite + (saturates ? 0 : 1)));
  llvm::Value* sign = b.CreateAnd(b.CreateLShr(bits, 31 - f.magnitude_bits()),
                                  Const(bits, sign_bit));
  llvm::Value* is_nan = b.CreateICmpUGT(magnitude, Const(bits, kFloatInfinity));
  if (f.kind == MiniFloatKind::kIeee) {
    const uint32_t quiet = 1u << (f.mantissa_bits - 1);
    code = b.CreateSelect(is_nan, Const(bits, (max_finite + 1) | quiet), code);
  }
  if (f.kind == MiniFloatKind::kUnsignedZero) {
    sign = b.CreateSelect(b.CreateICmpEQ(code, Const(code, 0)), Const(sign, 0),
                          sign);
  }
  llvm::Value* result = b.CreateOr(code, sign);
  if (saturates) {
    // The format has no NaN: 0 with the opposite sign takes its place.
    result = b.CreateSelect(is_nan, b.CreateXor(sign, Const(sign, sign_bit)),
                            result);
  }
  return b.CreateTrunc(result, IntLike(b, x, f.magnitude_bits() + 1));
}

// Rounds to the nearest float, but to the neighbor whose last bit is set if x
// is between two: rounding that again to fewer bits equals rounding the double.
llvm::Value* RoundToOdd(llvm::IRBuilder<>& b, llvm::Value* x) {
  llvm::Value* rounded = b.CreateFPTrunc(x, LanesLike(x, b.getFloatTy()));
  llvm::Value* back = b.CreateFPExt(rounded, x->getType());
  llvm::Value* bits = AsBits(b, rounded);
  auto magnitude = [&](llvm::Value* value) {
    return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
  };
  llvm::Value* too_large = b.CreateFCmpOGT(magnitude(back), magnitude(x));
  llvm::Value* neighbour = b.CreateAdd(
      bits,
      b.CreateSelect(too_large, Const(bits, ~uint64_t{0}), Const(bits, 1)));
  llvm::Value* odd =
      b.CreateICmpNE(b.CreateAnd(bits, Const(bits, 1)), Const(bits, 0));
  llvm::Value* keep = b.CreateOr(b.CreateFCmpUEQ(back, x), odd);
  return AsFloat(b, b.CreateSelect(keep, bits, neighbour));
}

}  // namespace

bool IsSmallFloat(PrimitiveType type) {
  return primitive_util::IsFloatingPointType(type) && type != F32 &&
         type != F64;
}

SmallFormat SmallFormatOf(PrimitiveType type) {
  switch (type) {
    case BF16:
      return Format(bfloat16());
    case F8E5M2:
      return Format(float8_e5m2());
    case F8E4M3:
      return Format(float8_e4m3());
    case F8E3M4:
      return Format(float8_e3m4());
    case F8E4M3FN:
      return Format(float8_e4m3fn());
    case F8E4M3B11FNUZ:
      return Format(float8_e4m3b11fnuz());
    case F8E4M3FNUZ:
      return Format(float8_e4m3fnuz());
    case F8E5M2FNUZ:
      return Format(float8_e5m2fnuz());
    case F8E8M0FNU:
      return Format(float8_e8m0fnu());
    case F6E3M2FN:
      return Format(float6_e3m2fn());
    case F6E2M3FN:
      return Format(float6_e2m3fn());
    case F4E2M1FN:
      return Format(float4_e2m1fn());
    default:
      return Format(half());
  }
}

uint64_t BitsOfOne(SmallFormat format) {
  return static_cast<uint64_t>(format.bias) << format.mantissa_bits;
}

uint64_t BitsOfZero(SmallFormat format) {
  return format.kind == MiniFloatKind::kPower ? 0xff : 0;
}

llvm::Value* SmallToFloat(EmitContext& context, PrimitiveType type,
                          llvm::Value* bits) {
  llvm::IRBuilder<>& b = context.b;
  if (type == BF16) {
    return AsFloat(b,
                   b.CreateShl(b.CreateZExt(bits, IntLike(b, bits, 32)), 16));
  }
  if (type == F8E8M0FNU) return PowerToFloat(b, bits);
  if (type == F16 && context.target.has_f16c) {
    return HalfToFloat(context,
                       b.CreateBitCast(bits, LanesLike(bits, b.getHalfTy())));
  }
  return FieldsToFloat(context, SmallFormatOf(type), bits);
}

llvm::Value* ForStoringBfloat16(EmitContext& context, llvm::Value* bits) {
  using llvm::PatternMatch::m_Add;
  using llvm::PatternMatch::m_LShr;
  using llvm::PatternMatch::m_Or;
  using llvm::PatternMatch::m_Select;
  using llvm::PatternMatch::m_SpecificInt;
  using llvm::PatternMatch::m_Trunc;
  using llvm::PatternMatch::m_Value;
  // With AVX-512, one shuffle packs two registers.
  constexpr int kLeastLanes = 32;
  if (!context.target.has_avx512 || LanesOf(bits) < kLeastLanes) return bits;
  llvm::Value* wide;
  llvm::Value* is_nan = nullptr;
  llvm::Value* rounded;
  llvm::Value* x;
  if (!match(bits, m_Trunc(m_Value(wide)))) return bits;
  if (!match(wide, m_Select(m_Value(is_nan), m_Or(m_Value(), m_Value()),
                            m_Value(rounded)))) {
    rounded = wide;
  }
  if (!match(rounded,
             m_LShr(m_Add(m_Add(m_Value(x), m_Value()), m_SpecificInt(0x7fff)),
                    m_SpecificInt(16)))) {
    return bits;
  }
  llvm::IRBuilder<>& b = context.b;
  llvm::Value* high = EverySecondHalf(b, x, 1);
  llvm::Value* low = EverySecondHalf(b, x, 0);
  // The low half rounds up if it is above the middle, or there and the last bit
  // is set.
  low = b.CreateOr(low, b.CreateAnd(high, Const(high, 1)));
  llvm::Value* up = b.CreateICmpUGT(low, Const(low, 0x8000));
  llvm::Value* result = b.CreateSub(high, b.CreateSExt(up, high->getType()));
  if (is_nan == nullptr) return result;
  return b.CreateSelect(is_nan, b.CreateOr(high, Const(high, 0x40)), result);
}

llvm::Value* RoundBfloat16Arithmetic(llvm::IRBuilder<>& b, llvm::Value* x) {
  return b.CreateTrunc(RoundUpperHalf(b, AsBits(b, x)), IntLike(b, x, 16));
}

llvm::Value* FloatToSmall(EmitContext& context, llvm::Value* x,
                          PrimitiveType type) {
  llvm::IRBuilder<>& b = context.b;
  if (BitsOf(x) == 64) x = RoundToOdd(b, x);
  if (type == BF16) return FloatToBfloat16(b, x);
  if (type == F8E8M0FNU) return FloatToPower(b, x);
  if (type == F16 && context.target.has_f16c) {
    return b.CreateBitCast(FloatToHalf(context, x), IntLike(b, x, 16));
  }
  return FloatToFields(b, SmallFormatOf(type), x);
}

}  // namespace xla::cpu
