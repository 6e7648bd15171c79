// Conversions by value and by bits, and the proto form of each type.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "tests/core/parsed_shape.h"
#include "xla/base/types.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_text.h"

namespace xla {
namespace {

TEST(LiteralConvertTest, RoundsOnceAndSaturates) {
  // Just above the middle of two bf16: going through float would tie to even.
  const double value = 1.0 + std::ldexp(1.0, -8) + std::ldexp(1.0, -40);
  Literal wide = LiteralUtil::CreateR0<double>(value);
  EXPECT_EQ(wide.Convert(BF16)->GetAsDouble({}), 1.0 + std::ldexp(1.0, -7));
  Literal big = LiteralUtil::CreateR1<float>({1e20f, -1e20f, NAN, 2.9f, -2.9f});
  EXPECT_EQ(*big.Convert(S32),
            LiteralUtil::CreateR1<int32_t>({std::numeric_limits<int32_t>::max(),
                                            std::numeric_limits<int32_t>::min(),
                                            0, 2, -2}));
  EXPECT_EQ(*big.Convert(S4),
            LiteralUtil::CreateR1<s4>({s4(7), s4(-8), s4(0), s4(2), s4(-2)}));
  Literal huge = LiteralUtil::CreateR0<uint64_t>(~uint64_t{0});
  EXPECT_EQ(huge.Convert(F32)->GetAsDouble({}), 18446744073709551616.0);
  EXPECT_EQ(huge.Convert(S64)->GetIntegralAsS64({}), -1);
  EXPECT_EQ(*LiteralUtil::CreateR1<float>({0, NAN, 0.25f}).Convert(PRED),
            LiteralUtil::CreateR1<bool>({false, true, true}));
}

TEST(LiteralConvertTest, Complex) {
  EXPECT_EQ(*LiteralUtil::CreateR1<int32_t>({1, 2}).Convert(C128),
            LiteralUtil::CreateR1<complex128>({{1, 0}, {2, 0}}));
  Literal z = LiteralUtil::CreateR1<complex64>({{1, 2}});
  EXPECT_EQ(*z.Convert(C128), LiteralUtil::CreateR1<complex128>({{1, 2}}));
  EXPECT_FALSE(z.Convert(F32).ok());
  EXPECT_FALSE(z.Convert(TUPLE).ok());
}

TEST(LiteralConvertTest, BitcastSplitsAndJoinsTheLastDimension) {
  Literal words = LiteralUtil::CreateR1<uint32_t>({0x04030201, 0x08070605});
  auto bytes = words.BitcastConvert(S("u8[2,4]"));
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(*bytes,
            LiteralUtil::CreateR2<uint8_t>({{1, 2, 3, 4}, {5, 6, 7, 8}}));
  EXPECT_EQ(*bytes->BitcastConvert(S("u32[2]")), words);
  EXPECT_EQ(
      *LiteralUtil::CreateR1<uint8_t>({0xf1}).BitcastConvert(S("s4[1,2]")),
      LiteralUtil::CreateR2<s4>({{s4(1), s4(-1)}}));
  EXPECT_EQ(
      *LiteralUtil::CreateR2<s4>({{s4(1), s4(-1)}}).BitcastConvert(S("u8[1]")),
      LiteralUtil::CreateR1<uint8_t>({0xf1}));
  EXPECT_EQ(LiteralUtil::CreateR0<float>(1)
                .BitcastConvert(S("s32[]"))
                ->GetFirstInteger(),
            0x3f800000);
  EXPECT_FALSE(words.BitcastConvert(S("u8[2,2]")).ok());
  EXPECT_FALSE(words.BitcastConvert(S("u64[]")).ok() &&
               words.BitcastConvert(S("u64[2]")).ok());
  EXPECT_FALSE(words.BitcastConvert(S("(u32[2])")).ok());
}

TEST(LiteralProtoTest, EveryTypeRoundTrips) {
  for (int i = PrimitiveType_MIN; i <= PrimitiveType_MAX; ++i) {
    if (!PrimitiveType_IsValid(i)) continue;
    const PrimitiveType type = static_cast<PrimitiveType>(i);
    if (!primitive_util::IsArrayType(type)) continue;
    Literal numbers = LiteralUtil::CreateR2<float>({{0.5f, 1, -1}, {2, 3, -7}});
    Literal literal = numbers.Convert(type).value().Relayout(Layout({0, 1}));
    LiteralProto proto = literal.ToProto();
    auto back = Literal::CreateFromProto(proto);
    ASSERT_TRUE(back.ok()) << PrimitiveType_Name(type) << back.status();
    EXPECT_TRUE(back->Equal(literal, true)) << PrimitiveType_Name(type);
  }
}

TEST(LiteralProtoTest, SmallTypesAreMaskedBytes) {
  Literal literal = LiteralUtil::CreateR1<s4>({s4(1), s4(-2), s4(-8)});
  EXPECT_EQ(literal.ToProto().s4s(), std::string("\x01\x0e\x08"));
}

TEST(LiteralProtoTest, DynamicSizesAndTuples) {
  Literal a(S("(s32[<=4], token[], (pred[2]))"));
  a.SetDynamicSize(0, {0}, 3);
  auto back = Literal::CreateFromProto(a.ToProto());
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back, a);
  EXPECT_EQ(back->GetDynamicSize(0, {0}), 3);
}

TEST(LiteralProtoTest, WrongMessagesAreRefused) {
  EXPECT_FALSE(Literal::CreateFromProto(LiteralProto()).ok());
  LiteralProto proto = LiteralUtil::CreateR1<int32_t>({1, 2}).ToProto();
  proto.add_s32s(3);
  EXPECT_FALSE(Literal::CreateFromProto(proto).ok());
  proto.clear_s32s();
  EXPECT_FALSE(Literal::CreateFromProto(proto).ok());
  EXPECT_TRUE(Literal::CreateFromProto(proto, false)->IsAll(0));
  // No memory is allocated for elements that do not exist.
  proto.mutable_shape()->set_dimensions(0, int64_t{1} << 32);
  EXPECT_FALSE(Literal::CreateFromProto(proto).ok());
  proto.mutable_shape()->set_dimensions(0, -1);
  EXPECT_FALSE(Literal::CreateFromProto(proto).ok());
  LiteralProto tuple = Literal(S("(s32[1])")).ToProto();
  tuple.clear_tuple_literals();
  EXPECT_FALSE(Literal::CreateFromProto(tuple).ok());
  LiteralProto dynamic = Literal(S("s32[<=4]")).ToProto();
  dynamic.set_dynamic_sizes(0, 5);
  EXPECT_FALSE(Literal::CreateFromProto(dynamic).ok());
}

}  // namespace
}  // namespace xla
