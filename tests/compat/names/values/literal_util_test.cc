// Uses every public name of xla/literal_util.h.
#include "xla/literal_util.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/array2d.h"
#include "xla/array3d.h"
#include "xla/array4d.h"
#include "xla/layout_util.h"
#include "xla/shape_util.h"
#include "xla/tsl/lib/core/bitmap.h"
#include "xla/types.h"

namespace xla {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(LiteralUtilNamesTest, Scalars) {
  EXPECT_EQ(LiteralUtil::CreateR0<float>(1.5f).ToStringOneline(), "f32[] 1.5");
  EXPECT_EQ(LiteralUtil::CreateR0(F16, 2).ToStringOneline(), "f16[] 2");
  EXPECT_EQ(LiteralUtil::CreateR0(U8, 3LL).ToStringOneline(), "u8[] 3");
  EXPECT_EQ(LiteralUtil::CreateR0(C64, 0.5).ToStringOneline(),
            "c64[] (0.5, 0)");
  EXPECT_EQ(LiteralUtil::Zero(S32), LiteralUtil::CreateR0<int32_t>(0));
  EXPECT_EQ(LiteralUtil::One(BF16), LiteralUtil::CreateR0(bfloat16(1.0f)));
  EXPECT_EQ(LiteralUtil::MinValue(F32).ToStringOneline(), "f32[] -inf");
  EXPECT_EQ(LiteralUtil::MinValue(S8).ToStringOneline(), "s8[] -128");
  EXPECT_EQ(LiteralUtil::MaxValue(F64).ToStringOneline(), "f64[] inf");
  EXPECT_EQ(LiteralUtil::MaxValue(U4).ToStringOneline(), "u4[] 15");
  EXPECT_EQ(LiteralUtil::MaxFiniteValue(F16).ToStringOneline(), "f16[] 65504");
  EXPECT_EQ(LiteralUtil::MaxFiniteValue(F8E4M3FN),
            LiteralUtil::MaxValue(F8E4M3FN));
  EXPECT_EQ(LiteralUtil::NanValue(C64)->ToStringOneline(), "c64[] (nan, nan)");
  EXPECT_FALSE(LiteralUtil::NanValue(U32).ok());
  EXPECT_TRUE(LiteralUtil::CreateToken().shape().IsToken());
}

TEST(LiteralUtilNamesTest, Rows) {
  EXPECT_THAT(LiteralUtil::CreateR1<float>({1, 42}).data<float>(),
              ElementsAre(1, 42));
  tsl::core::Bitmap bits(70);
  bits.set(0);
  bits.set(69);
  const Literal flags = LiteralUtil::CreateR1(bits);
  EXPECT_EQ(flags.shape(), ShapeUtil::MakeShape(PRED, {70}));
  EXPECT_EQ(flags.CountEqual(true), 2);
  EXPECT_TRUE(flags.Get<bool>({69}));
  EXPECT_THAT(LiteralUtil::CreateR1U8("ab").data<uint8_t>(),
              ElementsAre('a', 'b'));
}

TEST(LiteralUtilNamesTest, Lists) {
  const Layout column_major = LayoutUtil::MakeLayout({0, 1});
  EXPECT_THAT(LiteralUtil::CreateR2({{1.0f, 2.0f}, {3.0f, 4.0f}}).data<float>(),
              ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(
      LiteralUtil::CreateR2WithLayout<uint32_t>({{1, 2}, {3, 4}}, column_major)
          .data<uint32_t>(),
      ElementsAre(1, 3, 2, 4));
  EXPECT_EQ(LiteralUtil::CreateR3<int8_t>({{{1, 2}}, {{3, 4}}})
                .Get<int8_t>({1, 0, 1}),
            4);
  EXPECT_THAT(LiteralUtil::CreateR3WithLayout<int8_t>(
                  {{{1, 2}}, {{3, 4}}}, LayoutUtil::MakeLayout({0, 1, 2}))
                  .data<int8_t>(),
              ElementsAre(1, 3, 2, 4));
  EXPECT_EQ(LiteralUtil::CreateR4<float>({{{{1, 2}}, {{3, 4}}}})
                .Get<float>({0, 1, 0, 0}),
            3);
  EXPECT_THAT(LiteralUtil::CreateR4WithLayout<float>(
                  {{{{1, 2}}, {{3, 4}}}}, LayoutUtil::MakeLayout({0, 1, 2, 3}))
                  .data<float>(),
              ElementsAre(1, 3, 2, 4));
  EXPECT_EQ(LiteralUtil::CreateR3Projected<float>({{1, 2}}, 2),
            LiteralUtil::CreateR3<float>({{{1, 2}}, {{1, 2}}}));
  EXPECT_EQ(LiteralUtil::CreateR4Projected<float>({{1, 2}}, 2, 3).shape(),
            ShapeUtil::MakeShape(F32, {2, 3, 1, 2}));
}

TEST(LiteralUtilNamesTest, Arrays) {
  const Layout column_major = LayoutUtil::MakeLayout({0, 1});
  const Array2D<int32_t> two({{1, 2}, {3, 4}});
  const Literal literal = LiteralUtil::CreateR2<int32_t>({{1, 2}, {3, 4}});
  EXPECT_EQ(LiteralUtil::CreateFromArray(two), literal);
  EXPECT_EQ(LiteralUtil::CreateFromArrayWithLayout(two, column_major)
                .shape()
                .layout(),
            column_major);
  EXPECT_EQ(LiteralUtil::CreateR2FromArray2D(two), literal);
  EXPECT_THAT(LiteralUtil::CreateR2FromArray2DWithLayout(two, column_major)
                  .data<int32_t>(),
              ElementsAre(1, 3, 2, 4));
  const Array3D<float> three(1, 2, 3, 7);
  EXPECT_THAT(LiteralUtil::CreateR3FromArray3D(three).data<float>(), Each(7));
  const Layout layout3 = LayoutUtil::MakeLayout({0, 1, 2});
  EXPECT_EQ(LiteralUtil::CreateR3FromArray3DWithLayout(three, layout3)
                .shape()
                .layout(),
            layout3);
  const Array4D<float> four(1, 1, 2, 3, 8.0f);
  EXPECT_THAT(LiteralUtil::CreateR4FromArray4D(four).data<float>(), Each(8));
  const Layout layout4 = LayoutUtil::MakeLayout({3, 0, 1, 2});
  EXPECT_EQ(LiteralUtil::CreateR4FromArray4DWithLayout(four, layout4)
                .shape()
                .layout(),
            layout4);
}

TEST(LiteralUtilNamesTest, Patterns) {
  EXPECT_EQ(LiteralUtil::CreateR2F32Linspace(1, 4, 2, 2),
            LiteralUtil::CreateR2<float>({{1, 2}, {3, 4}}));
  EXPECT_EQ(LiteralUtil::MakeScalarMatrixR2<int32_t>(2, 5),
            LiteralUtil::CreateR2<int32_t>({{5, 0}, {0, 5}}));
  EXPECT_EQ(LiteralUtil::MakeIdentityR2<half>(1).ToStringOneline(),
            "f16[1,1] { {1} }");
  const Literal print = LiteralUtil::CreateFingerprintMatixR2<float>(10, 10);
  EXPECT_EQ(print.Get<float>({3, 3}), 2 * 3 + 2 * 3);
  EXPECT_EQ(LiteralUtil::CreateFingerprintMatixR2<float>(10, 10, 0.5f)
                .Get<float>({3, 3}),
            6);
  EXPECT_THAT(LiteralUtil::CreateFull<float>({2, 2}, 3).data<float>(), Each(3));
  const Literal full =
      LiteralUtil::CreateFullWithDescendingLayout<float>({2, 3}, 4);
  EXPECT_EQ(full.shape().layout(), LayoutUtil::MakeLayout({1, 0}));
  EXPECT_EQ(LiteralUtil::CreateFromDimensions(S16, {2}),
            LiteralUtil::CreateR1<int16_t>({0, 0}));
}

TEST(LiteralUtilNamesTest, Tuples) {
  const Literal one = LiteralUtil::CreateR0<float>(1);
  const Literal two = LiteralUtil::CreateR0<int32_t>(2);
  const Literal tuple = LiteralUtil::MakeTuple({&one, &two});
  EXPECT_EQ(LiteralUtil::MakeTupleFromSlices({one, two}), tuple);
  EXPECT_EQ(LiteralUtil::MakeTupleOwned(one.Clone(), two.Clone()), tuple);
  std::vector<Literal> parts;
  parts.push_back(one.Clone());
  parts.push_back(two.Clone());
  EXPECT_THAT(LiteralUtil::MakePointers(parts),
              ElementsAre(&parts[0], &parts[1]));
  EXPECT_EQ(LiteralUtil::MakeTupleOwned(std::move(parts)), tuple);
  EXPECT_EQ(LiteralUtil::MakeTupleOwned(one.Clone()).shape(),
            ShapeUtil::MakeTupleShape({one.shape()}));
}

TEST(LiteralUtilNamesTest, Elements) {
  const Literal row = LiteralUtil::CreateR1<float>({5, 9, 7});
  EXPECT_EQ(LiteralUtil::GetFirstScalarLiteral(row),
            LiteralUtil::CreateR0<float>(5));
  EXPECT_EQ(LiteralUtil::GetScalarLiteral(row, {2}),
            LiteralUtil::CreateR0<float>(7));
  EXPECT_EQ(LiteralUtil::MaxElement(row), LiteralUtil::CreateR0<float>(9));
  Literal changed = row.Clone();
  LiteralUtil::SetScalarLiteral(changed, {1}, LiteralUtil::CreateR0<float>(1));
  EXPECT_EQ(changed, LiteralUtil::CreateR1<float>({5, 1, 7}));
  EXPECT_EQ(LiteralUtil::LiteralAsScalarInt64(LiteralUtil::CreateR0<int8_t>(4)),
            4);
  EXPECT_EQ(
      LiteralUtil::LiteralAsScalarInt64(LiteralUtil::CreateR0(~uint64_t{0})),
      std::nullopt);
  EXPECT_EQ(LiteralUtil::LiteralAsScalarInt64(row), std::nullopt);
  EXPECT_EQ(LiteralUtil::MultiIndexAsString({7, 8}), "{7,8}");
  // The elements as they lie in memory, {0, 1} minor to major.
  const Literal matrix = LiteralUtil::CreateR2<float>({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(LiteralUtil::ReshapeSlice({3, 2}, {1, 0}, matrix),
            LiteralUtil::CreateR2<float>({{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(LiteralUtil::ReshapeSlice({3, 2}, {0, 1}, matrix),
            LiteralUtil::CreateR2<float>({{1, 4}, {2, 5}, {3, 6}}));
}

TEST(LiteralUtilNamesTest, Conversions) {
  const Literal f32 = LiteralUtil::CreateR1<float>({1, 2});
  const Literal f64 = LiteralUtil::CreateR1<double>({1, 2});
  const Literal bf16 =
      LiteralUtil::CreateR1<bfloat16>({bfloat16(1.0f), bfloat16(2.0f)});
  const Literal s8 = LiteralUtil::CreateR1<int8_t>({1, 2});
  const Literal s32 = LiteralUtil::CreateR1<int32_t>({1, 2});
  EXPECT_EQ(LiteralUtil::ConvertF32ToF64(f32), f64);
  EXPECT_EQ(LiteralUtil::ConvertF64ToF32(f64), f32);
  EXPECT_EQ(LiteralUtil::ConvertF32ToBF16(f32), bf16);
  EXPECT_EQ(LiteralUtil::ConvertF64ToBF16(f64), bf16);
  EXPECT_EQ(LiteralUtil::ConvertBF16ToF32(bf16), f32);
  EXPECT_EQ(LiteralUtil::ConvertBF16ToF64(bf16), f64);
  EXPECT_EQ(LiteralUtil::ConvertF32ToS8(f32), s8);
  EXPECT_EQ(LiteralUtil::ConvertS8ToF32(s8), f32);
  EXPECT_EQ(LiteralUtil::ConvertS32ToF32(s32), f32);
  EXPECT_EQ(LiteralUtil::ConvertS32ToS1(s32).shape().element_type(), S1);
  const Literal e4m3 = LiteralUtil::ConvertF32ToF8E4M3FN(f32);
  EXPECT_EQ(e4m3.shape().element_type(), F8E4M3FN);
  EXPECT_EQ(LiteralUtil::ConvertF8E4M3FNToF32(e4m3), f32);
  const Literal e5m2 = LiteralUtil::ConvertF32ToF8E5M2(f32);
  EXPECT_EQ(LiteralUtil::ConvertF8E5M2ToF32(e5m2), f32);
  EXPECT_EQ(LiteralUtil::ConvertF32ToF8E4M3FNUZ(f32).shape().element_type(),
            F8E4M3FNUZ);
  EXPECT_EQ(LiteralUtil::ConvertF32ToF8E5M2FNUZ(f32).shape().element_type(),
            F8E5M2FNUZ);
  // Other types stay, and the parts of tuples are converted.
  EXPECT_EQ(LiteralUtil::ConvertF32ToF64(s32), s32);
  EXPECT_EQ(LiteralUtil::ConvertF32ToF64(LiteralUtil::MakeTuple({&f32, &s32})),
            LiteralUtil::MakeTuple({&f64, &s32}));
}

TEST(LiteralUtilNamesTest, RandomLiterals) {
  const Shape shape = ShapeUtil::MakeShape(F32, {3});
  const auto generated = LiteralUtil::CreateLiteralWithGenerator<F32, float>(
      shape, [](absl::Span<const int64_t> at) { return at[0] + 0.5f; });
  EXPECT_EQ(*generated, LiteralUtil::CreateR1<float>({0.5f, 1.5f, 2.5f}));
  const auto zero = [](absl::Span<const int64_t>) { return 0.0; };
  const auto wrong =
      LiteralUtil::CreateLiteralWithGenerator<F64, double>(shape, zero);
  EXPECT_FALSE(wrong.ok());
  std::minstd_rand0 engine, same;
  std::normal_distribution<double> normal(1, 2);
  const Literal random =
      *LiteralUtil::CreateRandomLiteral<F32>(shape, &engine, 1.0f, 2.0f);
  for (const float value : random.data<float>()) {
    EXPECT_EQ(value, static_cast<float>(normal(same)));
  }
  engine.seed();
  EXPECT_EQ(*LiteralUtil::CreateRandomLiteral<F32>(shape, &engine, 1, 2.0),
            random);
  EXPECT_EQ(*LiteralUtil::CreateRandomLiteral<F32>(shape, 1.0f, 2.0f), random);
}

TEST(LiteralUtilNamesTest, FakeLiterals) {
  const Shape shape = ShapeUtil::MakeShape(S32, {50});
  EXPECT_EQ(*MakeFakeLiteral(shape), *MakeFakeLiteral(shape, true, false));
  EXPECT_TRUE(MakeFakeLiteral(shape, /*pseudo_random=*/false)->IsAllFirst());
  std::minstd_rand0 engine;
  const Literal limited =
      *MakeFakeLiteral(shape, &engine, std::pair<int64_t, int64_t>(-3, 2),
                       /*is_sorted=*/true, /*no_duplicates=*/false,
                       /*use_large_range=*/false, std::nullopt);
  const auto numbers = limited.data<int32_t>();
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  EXPECT_THAT(std::set<int32_t>(numbers.begin(), numbers.end()),
              ElementsAre(-3, -2, -1, 0, 1, 2));
}

TEST(LiteralUtilNamesTest, FakeLiteralsWithoutDuplicates) {
  std::minstd_rand0 engine;
  const auto count = [&](PrimitiveType type, bool use_large_range) {
    const Literal literal = *MakeFakeLiteral(
        ShapeUtil::MakeShape(type, {150}), &engine, std::nullopt,
        /*is_sorted=*/false, /*no_duplicates=*/true, use_large_range,
        std::nullopt);
    std::set<std::string> texts;
    literal.EachCellAsString(
        [&](absl::Span<const int64_t>, const std::string& text) {
          texts.insert(text);
        });
    return texts.size();
  };
  for (const PrimitiveType type : {F32, F64, S32, S64, U64}) {
    EXPECT_EQ(count(type, true), 150u) << type;
  }
  EXPECT_EQ(count(F32, false), 150u);
  EXPECT_EQ(count(S16, false), 150u);
  EXPECT_EQ(count(U4, true), 8u);
}

TEST(LiteralUtilNamesTest, FakeLiteralsOfFewBits) {
  std::minstd_rand0 engine;
  const Literal whole = *MakeFakeLiteral(
      ShapeUtil::MakeShape(F32, {100}), &engine, std::nullopt, false, false,
      /*use_large_range=*/true, /*max_bits_of_precision=*/3);
  for (const float value : whole.data<float>()) {
    EXPECT_EQ(value, std::trunc(value));
    EXPECT_LE(std::abs(value), 7);
  }
  EXPECT_FALSE(whole.IsAllFirst());
  const Literal flags =
      *MakeFakeLiteral(ShapeUtil::MakeShape(PRED, {100}), &engine, std::nullopt,
                       false, false, false, std::nullopt);
  EXPECT_FALSE(flags.IsAllFirst());
}

}  // namespace
}  // namespace xla
