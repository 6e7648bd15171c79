// Uses every name of xla/primitive_util.h.
#include "xla/primitive_util.h"

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace primitive_util {
namespace {

using ::testing::ElementsAre;

TEST(PrimitiveUtilNamesTest, FloatingPointFormats) {
  const struct {
    PrimitiveType type;
    int significand, exponent, bias, underflow, overflow;
    bool infinity, nan, negative_zero;
  } kFormats[] = {
      {F32, 24, 8, 127, -125, 128, true, true, true},
      {BF16, 8, 8, 127, -125, 128, true, true, true},
      {F16, 11, 5, 15, -13, 16, true, true, true},
      {F8E5M2, 3, 5, 15, -13, 16, true, true, true},
      {F8E4M3FN, 4, 4, 7, -5, 9, false, true, true},
      {F8E4M3FNUZ, 4, 4, 8, -6, 8, false, true, false},
      {F8E4M3B11FNUZ, 4, 4, 11, -9, 5, false, true, false},
      {F4E2M1FN, 2, 2, 1, 1, 3, false, false, true},
  };
  for (const auto& format : kFormats) {
    const std::string name = PrimitiveType_Name(format.type);
    EXPECT_EQ(SignificandWidth(format.type), format.significand) << name;
    EXPECT_EQ(ExponentWidth(format.type), format.exponent) << name;
    EXPECT_EQ(ExponentBias(format.type), format.bias) << name;
    EXPECT_EQ(UnderflowExponent(format.type), format.underflow) << name;
    EXPECT_EQ(OverflowExponent(format.type), format.overflow) << name;
    EXPECT_EQ(HasInfinity(format.type), format.infinity) << name;
    EXPECT_EQ(HasNaN(format.type), format.nan) << name;
    EXPECT_EQ(HasNegativeZero(format.type), format.negative_zero) << name;
  }
  EXPECT_FALSE(HasInfinity(S32) || HasNaN(S32) || HasNegativeZero(S32));
}

TEST(PrimitiveUtilNamesTest, Families) {
  EXPECT_TRUE(IsFloatingPointType(F4E2M1FN) && !IsFloatingPointType(C64));
  EXPECT_TRUE(IsComplexType(C128) && !IsComplexType(F64));
  EXPECT_TRUE(IsSignedIntegralType(S1) && !IsSignedIntegralType(U1));
  EXPECT_TRUE(IsUnsignedIntegralType(U2) && !IsUnsignedIntegralType(PRED));
  EXPECT_TRUE(IsIntegralType(S4) && IsIntegralType(U64));
  EXPECT_FALSE(IsIntegralType(PRED) || IsIntegralType(F32));
  EXPECT_TRUE(Is8BitIntegralType(U8) && !Is8BitIntegralType(F8E5M2));
  EXPECT_TRUE(IsF8Type(F8E5M2) && IsF8Type(F8E8M0FNU) && !IsF8Type(S8));
  EXPECT_TRUE(IsMXType(F8E8M0FNU) && IsMXType(F4E2M1FN) && !IsMXType(F8E5M2));
  EXPECT_TRUE(IsArrayType(PRED) && IsArrayType(C64));
  for (const PrimitiveType type :
       {TUPLE, TOKEN, OPAQUE_TYPE, BUFFER, PRIMITIVE_TYPE_INVALID}) {
    EXPECT_FALSE(IsArrayType(type)) << type;
  }
  EXPECT_TRUE(IsSubByteNonPredType(S2) && IsSubByteNonPredType(F4E2M1FN));
  EXPECT_FALSE(IsSubByteNonPredType(PRED) || IsSubByteNonPredType(S8) ||
               IsSubByteNonPredType(TUPLE));
}

TEST(PrimitiveUtilNamesTest, Widths) {
  EXPECT_EQ(BitWidth(PRED), 1);
  EXPECT_EQ(BitWidth(S4), 4);
  EXPECT_EQ(BitWidth(C64), 64);
  EXPECT_EQ(ByteWidth(PRED), 1);
  EXPECT_EQ(ByteWidth(S4), 1);
  EXPECT_EQ(ByteWidth(C128), 16);
  static_assert(ByteWidth(BF16) == 2);
  EXPECT_EQ(UnsignedIntegralTypeForBitWidth(2), U2);
  EXPECT_EQ(UnsignedIntegralTypeForBitWidth(3), PRIMITIVE_TYPE_INVALID);
  EXPECT_EQ(SignedIntegralTypeForBitWidth(64), S64);
  EXPECT_EQ(SignedIntegralTypeForBitWidth(128), PRIMITIVE_TYPE_INVALID);
  EXPECT_EQ(ComplexType(F32), C64);
  EXPECT_EQ(ComplexType(F16), PRIMITIVE_TYPE_INVALID);
  EXPECT_EQ(ComplexComponentType(C128), F64);
}

TEST(PrimitiveUtilNamesTest, Conversions) {
  EXPECT_EQ(HigherPrecisionType(F32, F16), F32);
  EXPECT_EQ(HigherPrecisionType(F32, F32), F32);
  EXPECT_EQ(HigherPrecisionType(BF16, F16), BF16);  // the greater range
  EXPECT_EQ(HigherPrecisionType(C64, F64), C64);
  EXPECT_EQ(HigherPrecisionType(S32, F16), F16);
  EXPECT_TRUE(CastPreservesValues(BF16, F32));
  EXPECT_TRUE(CastPreservesValues(U8, S16));
  EXPECT_TRUE(CastPreservesValues(S16, F32));
  EXPECT_FALSE(CastPreservesValues(S32, F32));
  EXPECT_FALSE(CastPreservesValues(S8, U16));
  // Subnormal numbers of the wider type hold the normal ones of the other.
  EXPECT_TRUE(CastPreservesValues(F8E8M0FNU, F32));
  EXPECT_TRUE(CastPreservesValues(F8E8M0FNU, BF16));
  EXPECT_TRUE(CastPreservesValues(F8E5M2FNUZ, F16));
  EXPECT_FALSE(CastPreservesValues(F8E8M0FNU, F16));
  EXPECT_TRUE(FitsInIntegralType(-128, S8) && !FitsInIntegralType(128, S8));
  EXPECT_TRUE(FitsInIntegralType(15, U4) && !FitsInIntegralType(-1, U4));
  EXPECT_TRUE(FitsInIntegralType(std::numeric_limits<int64_t>::max(), U64));
  EXPECT_TRUE(CanRepresent<float>(F32) && !CanRepresent<float>(F16));
  EXPECT_TRUE(CanRepresent<bfloat16>(BF16));
  EXPECT_TRUE(CanRepresent<int32_t>(S8) && !CanRepresent<int32_t>(S64));
  EXPECT_FALSE(CanRepresent<uint16_t>(S16) || CanRepresent<int32_t>(U8));
  EXPECT_TRUE(CanRepresent<bool>(PRED) && CanRepresent<uint8_t>(PRED));
  EXPECT_FALSE(CanRepresent<int32_t>(TUPLE));
}

TEST(PrimitiveUtilNamesTest, Names) {
  EXPECT_EQ(LowercasePrimitiveTypeName(F8E4M3FN), "f8e4m3fn");
  EXPECT_EQ(LowercasePrimitiveTypeName(OPAQUE_TYPE), "opaque");
  EXPECT_EQ(StringToPrimitiveType("bf16").value(), BF16);
  EXPECT_EQ(StringToPrimitiveType("opaque").value(), OPAQUE_TYPE);
  EXPECT_FALSE(StringToPrimitiveType("BF16").ok());
  EXPECT_TRUE(IsPrimitiveTypeName("token"));
  EXPECT_FALSE(IsPrimitiveTypeName("f33"));
}

TEST(PrimitiveUtilNamesTest, NativeTypes) {
  static_assert(NativeToPrimitiveType<bool>() == PRED);
  static_assert(NativeToPrimitiveType<u4>() == U4);
  static_assert(NativeToPrimitiveType<half>() == F16);
  static_assert(NativeToPrimitiveType<complex128>() == C128);
  static_assert(std::is_same_v<NativeTypeOf<S2>, s2>);
  static_assert(std::is_same_v<NativeTypeOf<F8E5M2>, float8_e5m2>);
  static_assert(std::is_same_v<PrimitiveTypeToNative<U16>::type, uint16_t>);
}

TEST(PrimitiveUtilNamesTest, Switches) {
  const auto size = [](auto type) -> size_t {
    return sizeof(NativeTypeOf<type>);
  };
  EXPECT_EQ(IntegralTypeSwitch(size, S64), 8u);
  EXPECT_EQ(FloatingPointTypeSwitch(size, BF16), 2u);
  EXPECT_EQ(ComplexTypeSwitch(size, C64), 8u);
  EXPECT_EQ(ArrayTypeSwitch(size, PRED), 1u);
  EXPECT_EQ(ArrayTypeSwitch<int>([](auto type) { return BitWidth(type); }, S4),
            4);
  // The type of the result may be given, as in older versions.
  EXPECT_EQ(IntegralTypeSwitch<int64_t>(size, U16), 2);
  EXPECT_EQ(FloatingPointTypeSwitch<int64_t>(size, F64), 8);
  EXPECT_EQ(ComplexTypeSwitch<int64_t>(size, C128), 16);
  int calls = 0;
  ArrayTypeSwitch<void>([&](auto) { ++calls; }, PRED);
  ArrayTypeSwitch([&](auto) { ++calls; }, C64);
  EXPECT_EQ(calls, 2);
  const auto is_array = [](auto type) { return IsArrayType(type); };
  EXPECT_TRUE(PrimitiveTypeSwitch<bool>(is_array, F32));
  EXPECT_FALSE(PrimitiveTypeSwitch<bool>(is_array, TOKEN));
  std::vector<PrimitiveType> integers, floats;
  IntegralTypeForEach([&](auto type) { integers.push_back(type); });
  EXPECT_THAT(integers, ElementsAre(S1, S2, S4, S8, S16, S32, S64, U1, U2, U4,
                                    U8, U16, U32, U64));
  FloatingPointTypeForEach([&](auto type) { floats.push_back(type); });
  EXPECT_THAT(floats,
              ::testing::IsSupersetOf({F4E2M1FN, F8E5M2, F16, BF16, F32, F64}));
  for (const PrimitiveType type : floats) {
    EXPECT_TRUE(IsFloatingPointType(type)) << type;
  }
}

TEST(PrimitiveUtilNamesTest, Packing) {
  const std::vector<char> values = {1, 2, 15, 7};
  std::vector<char> packed(2), unpacked(4);
  PackIntN(U4, values, absl::MakeSpan(packed));
  UnpackIntN(U4, packed, absl::MakeSpan(unpacked));
  EXPECT_EQ(unpacked, values);
  std::vector<char> bits(1);
  PackIntN(S2, {1, 2, 3, 0}, absl::MakeSpan(bits));
  UnpackIntN(S2, bits, absl::MakeSpan(unpacked));
  EXPECT_THAT(unpacked, ElementsAre(1, 2, 3, 0));
}

}  // namespace
}  // namespace primitive_util
}  // namespace xla
