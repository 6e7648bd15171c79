// Literals as bytes, placeholders, sizes that become dynamic, values that are
// made up, and unused bits of narrow types.
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "absl/hash/hash.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/parsed_shape.h"
#include "xla/base/text/printer.h"
#include "xla/core/literal/fake_literal.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(LiteralSerializeTest, RoundTripsEveryType) {
  for (int type = PrimitiveType_MIN; type <= PrimitiveType_MAX; ++type) {
    const auto element = static_cast<PrimitiveType>(type);
    if (!PrimitiveType_IsValid(type) || !primitive_util::IsArrayType(element)) {
      continue;
    }
    for (const std::vector<int64_t>& dims :
         {std::vector<int64_t>{}, {0}, {3}, {5, 3}}) {
      const Literal literal =
          *MakeFakeLiteral(ShapeUtil::MakeShape(element, dims));
      const std::string bytes = *literal.SerializeAsString();
      EXPECT_EQ(bytes.size(), *literal.SerializedSize());
      const absl::StatusOr<Literal> back =
          Literal::DeserializeFromString(bytes);
      ASSERT_TRUE(back.ok()) << back.status();
      EXPECT_EQ(*back, literal) << literal.ToString();
    }
  }
}

TEST(LiteralSerializeTest, KeepsTuplesLayoutsAndDynamicSizes) {
  Literal dynamic(S("f32[<=4,2]{0,1}"));
  dynamic.SetDynamicSize(0, 3);
  dynamic.Set<float>({2, 1}, 7);
  Literal tuple = LiteralUtil::MakeTupleOwned(
      std::move(dynamic), LiteralUtil::CreateR1<bool>({true, false, true}));
  std::string bytes;
  ASSERT_TRUE(tuple.Serialize(std::back_inserter(bytes)).ok());
  const Literal back = *Literal::Deserialize(bytes.begin(), bytes.end());
  EXPECT_EQ(back.shape(), tuple.shape());
  EXPECT_EQ(back, tuple);
  EXPECT_EQ(back.GetDynamicSize(0, {0}), 3);
}

TEST(LiteralSerializeTest, WritesElementsAsDocumented) {
  const Literal literal = LiteralUtil::CreateR1<s4>({s4(1), s4(-2), s4(3)});
  const std::string bytes = *literal.SerializeAsString();
  // Two to a byte, the first one in the low bits.
  EXPECT_EQ(bytes.substr(bytes.size() - 2), std::string("\xe1\x03"));
  const uint64_t shape_size = bytes.size() - 8 - 2;
  EXPECT_EQ(bytes[0], static_cast<char>(shape_size));
}

TEST(LiteralSerializeTest, RefusesWhatDoesNotFit) {
  const std::string bytes =
      *LiteralUtil::CreateR1<float>({1, 2}).SerializeAsString();
  auto message = [](std::string data) {
    return std::string(Literal::DeserializeFromString(data).status().message());
  };
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(Literal::DeserializeFromString(bytes.substr(0, size)).ok());
  }
  EXPECT_THAT(message(bytes + "x"), HasSubstr("9 bytes for f32[2]"));
  std::string huge = bytes;
  huge[7] = '\x7f';
  EXPECT_THAT(message(huge), HasSubstr("the shape takes"));
  EXPECT_FALSE(LiteralUtil::CreateToken().SerializeAsString().ok());
  Literal sizes(S("u8[<=2]"));
  std::string bad = *sizes.SerializeAsString();
  bad[bad.size() - 6] = 3;  // the dynamic size
  EXPECT_THAT(message(bad), HasSubstr("size 3 of dimension 0"));
}

TEST(LiteralPlaceholderTest, StaysUnknownWhenCopied) {
  Literal unknown =
      Literal::CreateFromShapeWithUnknownLeafArrays(S("(f32[2], s32[])"));
  EXPECT_FALSE(unknown.IsKnown());
  EXPECT_TRUE(unknown.IsDetermined());
  EXPECT_FALSE(unknown.Clone().IsKnown());
  EXPECT_EQ(unknown.ToStringWithoutShapeOneline(), "( unknown, unknown )");
  Literal moved = std::move(unknown);
  EXPECT_FALSE(moved.IsKnown({1}));
  EXPECT_FALSE(moved.SerializeAsString().ok());

  Literal tuple = LiteralUtil::MakeTupleOwned(
      LiteralUtil::CreateR0<float>(1),
      Literal::CreateFromShapeWithUndeterminedLeafArrays(S("f32[2]")));
  EXPECT_FALSE(tuple.IsDetermined());
  EXPECT_TRUE(tuple.IsKnown({0}));
  ASSERT_TRUE(tuple.MoveFrom(LiteralUtil::CreateR1<float>({1, 2}), {1}).ok());
  EXPECT_TRUE(tuple.IsKnown());
}

TEST(LiteralDynamicTest, AStaticDimensionBecomesDynamic) {
  Literal literal = LiteralUtil::CreateR1<int32_t>({1, 2, 3});
  literal.SetDynamicSize(0, 2);
  EXPECT_EQ(literal.shape(), S("s32[<=3]"));
  EXPECT_EQ(literal.ToStringWithoutShapeOneline(), "{1, 2}");
  EXPECT_EQ(literal.ToStatic(), LiteralUtil::CreateR1<int32_t>({1, 2}));
  const Literal moved = std::move(literal);
  EXPECT_EQ(moved.GetDynamicSize(0), 2);
  EXPECT_EQ(moved.Clone().GetDynamicSize(0), 2);
}

TEST(LiteralCopyTest, OneElementToAndFromScalars) {
  const Literal values = LiteralUtil::CreateR1<float>({1, 2, 3});
  Literal scalar = LiteralUtil::CreateR0<float>(0);
  ASSERT_TRUE(scalar.CopySliceFrom(values, {1}, {}, {}).ok());
  EXPECT_EQ(scalar.Get<float>({}), 2);
  Literal target = LiteralUtil::CreateR1<float>({0, 0});
  ASSERT_TRUE(target.CopySliceFrom(scalar, {}, {1}, {}).ok());
  EXPECT_EQ(target.Get<float>({1}), 2);
  EXPECT_FALSE(target.CopySliceFrom(scalar, {}, {2}, {}).ok());
  EXPECT_FALSE(scalar.CopySliceFrom(values, {0}, {}, {2}).ok());
}

TEST(LiteralNarrowTest, UnusedBitsDoNotCount) {
  Literal a = LiteralUtil::CreateR1<u4>({u4(5), u4(6)});
  Literal b = a.Clone();
  static_cast<uint8_t*>(b.untyped_data())[0] |= 0xf0;
  EXPECT_EQ(a, b);
  EXPECT_EQ(absl::HashOf(a), absl::HashOf(b));
  static_cast<uint8_t*>(b.untyped_data())[0] ^= 1;
  EXPECT_NE(a, b);
}

TEST(LiteralHashTest, LayoutsCountIfAskedFor) {
  const Literal a = LiteralUtil::CreateR2<float>({{1, 2}, {3, 4}});
  const Literal b = a.Relayout(Layout({0, 1}));
  using Insensitive = LiteralBase::AbslHashable<false>;
  using Sensitive = LiteralBase::AbslHashable<true>;
  EXPECT_EQ(absl::HashOf(Insensitive(a)), absl::HashOf(Insensitive(b)));
  EXPECT_NE(absl::HashOf(Sensitive(a)), absl::HashOf(Sensitive(b)));
}

TEST(LiteralPrintTest, PrintersGetTheTextOfToString) {
  const Literal literal = LiteralUtil::CreateR1<float>({1, 2});
  StringPrinter printer;
  literal.PrintOneline(&printer);
  literal.PrintWithLayoutOneline(&printer);
  EXPECT_EQ(std::move(printer).ToString(), "f32[2] {1, 2}f32[2]{0} {1, 2}");
}

TEST(LiteralPopulateTest, CellsAndPositions) {
  Literal literal(S("s32[2,2]{0,1}"));
  ASSERT_TRUE(literal
                  .PopulateLinearInplace([](void* dest, int64_t i) {
                    *static_cast<int32_t*>(dest) = static_cast<int32_t>(i);
                  })
                  .ok());
  EXPECT_THAT(literal.data<int32_t>(), ElementsAre(0, 1, 2, 3));
  literal.MutableEachCell<int32_t>(
      [](absl::Span<const int64_t> at, int32_t value) {
        return value + 10 * static_cast<int32_t>(at[0]);
      });
  EXPECT_EQ(literal.Get<int32_t>({1, 0}), 11);
}

TEST(LiteralUtilTest, ReshapesInMemoryOrder) {
  const Literal source = LiteralUtil::CreateR2WithLayout<int32_t>(
      {{1, 2, 3}, {4, 5, 6}}, Layout({0, 1}));
  // In memory: 1 4 2 5 3 6.
  EXPECT_EQ(LiteralUtil::ReshapeSlice({3, 2}, {1, 0}, source),
            LiteralUtil::CreateR2<int32_t>({{1, 4}, {2, 5}, {3, 6}}));
  const Literal columns = LiteralUtil::ReshapeSlice({3, 2}, {0, 1}, source);
  EXPECT_EQ(columns, LiteralUtil::CreateR2<int32_t>({{1, 5}, {4, 3}, {2, 6}}));
  EXPECT_EQ(columns.shape().layout(), Layout({1, 0}));
}

TEST(LiteralUtilTest, MakesMatricesAndLimits) {
  EXPECT_EQ(LiteralUtil::MakeScalarMatrixR2<float>(2, 3),
            LiteralUtil::CreateR2<float>({{3, 0}, {0, 3}}));
  EXPECT_EQ(
      LiteralUtil::CreateFingerprintMatixR2<float>(2, 10, 1).Get<float>({1, 2}),
      static_cast<float>(std::log10(2) + 1) + 4);
  EXPECT_EQ(LiteralUtil::MaxFiniteValue(F32).Get<float>({}),
            std::numeric_limits<float>::max());
  EXPECT_EQ(LiteralUtil::CreateFull<int32_t>({2}, 5),
            LiteralUtil::CreateR1<int32_t>({5, 5}));
  EXPECT_EQ(LiteralUtil::ConvertS8ToF32(LiteralUtil::CreateR0<int8_t>(-3)),
            LiteralUtil::CreateR0<float>(-3));
  std::vector<Literal> literals;
  literals.push_back(LiteralUtil::CreateR0<float>(1));
  EXPECT_THAT(LiteralUtil::MakePointers(literals), ElementsAre(&literals[0]));
}

TEST(FakeLiteralTest, IsTheSameEachTimeAndInRange) {
  const Shape shape = S("(f32[50], s32[50], token[])");
  EXPECT_EQ(*MakeFakeLiteral(shape), *MakeFakeLiteral(shape));
  EXPECT_NE(*MakeFakeLiteral(shape),
            *MakeFakeLiteral(shape, true, /*use_large_range=*/true));
  const Literal fake = *MakeFakeLiteral(S("f32[100]"));
  fake.EachCell<float>([](absl::Span<const int64_t>, float value) {
    EXPECT_LE(std::abs(value), 1);
  });
  EXPECT_TRUE(MakeFakeLiteral(S("f32[3]"), /*pseudo_random=*/false)->IsAll(1));
  EXPECT_FALSE(MakeFakeLiteral(ShapeUtil::MakeOpaqueShape()).ok());
}

}  // namespace
}  // namespace xla
