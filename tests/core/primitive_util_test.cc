// Facts about primitive types, tested for all types.
#include "xla/core/primitive_util.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "xla/base/convert_value.h"

namespace xla::primitive_util {
namespace {

std::vector<PrimitiveType> ArrayTypes() {
  std::vector<PrimitiveType> types;
  for (int i = 0; i < PrimitiveType_ARRAYSIZE; ++i) {
    if (!PrimitiveType_IsValid(i)) continue;
    const auto type = static_cast<PrimitiveType>(i);
    if (IsArrayType(type)) types.push_back(type);
  }
  return types;
}

TEST(PrimitiveUtilTest, EveryTypeIsOfOneFamily) {
  EXPECT_EQ(ArrayTypes().size(), 32);
  for (PrimitiveType type :
       {TUPLE, TOKEN, OPAQUE_TYPE, BUFFER, PRIMITIVE_TYPE_INVALID}) {
    EXPECT_FALSE(IsArrayType(type));
  }
  for (PrimitiveType type : ArrayTypes()) {
    EXPECT_EQ((type == PRED) + IsFloatingPointType(type) + IsComplexType(type) +
                  IsIntegralType(type),
              1);
  }
}

TEST(PrimitiveUtilTest, NativeTypesFitTheFacts) {
  for (PrimitiveType type : ArrayTypes()) {
    ArrayTypeSwitch<void>(
        [&](auto constant) {
          using T = NativeTypeOf<constant>;
          EXPECT_EQ(NativeToPrimitiveType<T>(), type);
          EXPECT_EQ(constant(), type);
          EXPECT_EQ(sizeof(T), ByteWidth(type));
          if constexpr (is_specialized_integral_v<T>) {
            EXPECT_EQ(std::numeric_limits<T>::digits,
                      BitWidth(type) - IsSignedIntegralType(type));
          }
          EXPECT_TRUE(IsCanonicalRepresentation<T>(type));
        },
        type);
  }
}

TEST(PrimitiveUtilTest, Widths) {
  EXPECT_EQ(BitWidth(PRED), 1);
  EXPECT_EQ(StorageBitWidth(PRED), 8);
  EXPECT_EQ(StorageBitWidth(S4), 4);
  EXPECT_EQ(BitWidth(F6E2M3FN), 6);
  EXPECT_EQ(ByteWidth(F4E2M1FN), 1);
  EXPECT_EQ(ByteWidth(C128), 16);
  EXPECT_EQ(ByteWidth(TOKEN), 0);
  EXPECT_TRUE(IsSubByteNonPredType(U1));
  EXPECT_FALSE(IsSubByteNonPredType(PRED));
  EXPECT_FALSE(IsSubByteNonPredType(TUPLE));
}

TEST(PrimitiveUtilTest, FloatFacts) {
  EXPECT_EQ(SignificandWidth(F32), 24);
  EXPECT_EQ(ExponentWidth(F32), 8);
  EXPECT_EQ(ExponentBias(F32), 127);
  EXPECT_EQ(ExponentBias(F64), 1023);
  EXPECT_EQ(UnderflowExponent(F32), -125);
  EXPECT_EQ(OverflowExponent(F8E4M3FN), 9);
  EXPECT_EQ(ExponentWidth(F8E8M0FNU), 8);
  EXPECT_EQ(ExponentBias(F8E8M0FNU), 127);
  EXPECT_EQ(ExponentBias(F8E5M2FNUZ), 16);
  EXPECT_EQ(ExponentBias(F4E2M1FN), 1);
  EXPECT_TRUE(HasInfinity(F8E5M2));
  EXPECT_FALSE(HasInfinity(F8E4M3FN));
  EXPECT_FALSE(HasInfinity(S32));
  EXPECT_FALSE(HasNaN(F6E3M2FN));
  EXPECT_TRUE(HasNegativeZero(F4E2M1FN));
  EXPECT_FALSE(HasNegativeZero(F8E4M3FNUZ));
}

TEST(PrimitiveUtilTest, TypesForWidths) {
  for (PrimitiveType type : ArrayTypes()) {
    if (IsSignedIntegralType(type)) {
      EXPECT_EQ(SignedIntegralTypeForBitWidth(BitWidth(type)), type);
    }
    if (IsUnsignedIntegralType(type)) {
      EXPECT_EQ(UnsignedIntegralTypeForBitWidth(BitWidth(type)), type);
    }
    if (IsComplexType(type)) {
      EXPECT_EQ(ComplexType(ComplexComponentType(type)), type);
    }
  }
  EXPECT_EQ(SignedIntegralTypeForBitWidth(3), PRIMITIVE_TYPE_INVALID);
  EXPECT_EQ(ComplexType(S32), PRIMITIVE_TYPE_INVALID);
}

TEST(PrimitiveUtilTest, Names) {
  for (PrimitiveType type : ArrayTypes()) {
    EXPECT_EQ(*StringToPrimitiveType(LowercasePrimitiveTypeName(type)), type);
  }
  EXPECT_EQ(LowercasePrimitiveTypeName(F8E4M3B11FNUZ), "f8e4m3b11fnuz");
  EXPECT_EQ(LowercasePrimitiveTypeName(OPAQUE_TYPE), "opaque");
  EXPECT_EQ(*StringToPrimitiveType("opaque"), OPAQUE_TYPE);
  EXPECT_EQ(*StringToPrimitiveType("opaque_type"), OPAQUE_TYPE);
  EXPECT_TRUE(IsPrimitiveTypeName("token"));
  EXPECT_FALSE(IsPrimitiveTypeName("F32"));
  EXPECT_FALSE(StringToPrimitiveType("primitive_type_invalid").ok());
  EXPECT_EQ(LowercasePrimitiveTypeName(static_cast<PrimitiveType>(999)),
            "unknown_type");
}

TEST(PrimitiveUtilTest, HigherPrecision) {
  EXPECT_EQ(HigherPrecisionType(F16, BF16), BF16);
  EXPECT_EQ(HigherPrecisionType(F32, S64), F32);
  EXPECT_EQ(HigherPrecisionType(C64, F64), C64);
  EXPECT_EQ(HigherPrecisionType(S32, U32), S32);
  EXPECT_EQ(HigherPrecisionType(PRED, S8), S8);
  for (PrimitiveType a : ArrayTypes()) {
    for (PrimitiveType b : ArrayTypes()) {
      EXPECT_EQ(HigherPrecisionType(a, b), HigherPrecisionType(b, a));
    }
  }
}

// Returns whether all values of A, which has at most 16 bits, survive a
// conversion to B and back.
template <typename A, typename B>
bool RoundTrips() {
  constexpr int kBits = BitWidth(NativeToPrimitiveType<A>());
  for (int bits = 0; bits < 1 << kBits; ++bits) {
    A a;
    if constexpr (is_mini_float_v<A>) {
      a = A::FromRep(static_cast<typename A::Rep>(bits));
    } else {
      a = ConvertValue<A>(bits);
    }
    const B b = ConvertValue<B>(a);
    const double x = ConvertValue<double>(a);
    const double y = ConvertValue<double>(b);
    if (x != x ? y == y : x != y) return false;
    if (x == x && std::signbit(x) != std::signbit(y)) return false;
  }
  return true;
}

template <typename A>
void ExpectCastsPreserve() {
  const PrimitiveType from = NativeToPrimitiveType<A>();
  for (PrimitiveType to : ArrayTypes()) {
    if (to == PRED || IsComplexType(to)) continue;
    ArrayTypeSwitch<void>(
        [&](auto constant) {
          if constexpr (constant != PRED && !IsComplexType(constant)) {
            // A promise must hold; it may promise less, since a normal number
            // that becomes subnormal is not safe.
            const bool exact = RoundTrips<A, NativeTypeOf<constant>>();
            EXPECT_LE(CastPreservesValues(from, to), exact)
                << LowercasePrimitiveTypeName(from) << " to "
                << LowercasePrimitiveTypeName(to);
          }
        },
        to);
  }
}

TEST(PrimitiveUtilTest, CastPreservesValues) {
  ExpectCastsPreserve<half>();
  ExpectCastsPreserve<bfloat16>();
  ExpectCastsPreserve<float8_e4m3>();
  ExpectCastsPreserve<float8_e5m2>();
  ExpectCastsPreserve<float8_e4m3fnuz>();
  ExpectCastsPreserve<float8_e8m0fnu>();
  ExpectCastsPreserve<float4_e2m1fn>();
  ExpectCastsPreserve<s4>();
  ExpectCastsPreserve<u1>();
  ExpectCastsPreserve<int8_t>();
  ExpectCastsPreserve<uint16_t>();
  EXPECT_TRUE(CastPreservesValues(F16, F32));
  EXPECT_TRUE(CastPreservesValues(S8, F16));
  EXPECT_TRUE(CastPreservesValues(U8, S16));
  EXPECT_TRUE(CastPreservesValues(F32, C64));
  EXPECT_TRUE(CastPreservesValues(PRED, U1));
  EXPECT_FALSE(CastPreservesValues(S32, F32));
  EXPECT_FALSE(CastPreservesValues(C64, F32));
  EXPECT_FALSE(CastPreservesValues(F32, S64));
  EXPECT_FALSE(CastPreservesValues(U1, PRED));
}

}  // namespace
}  // namespace xla::primitive_util
