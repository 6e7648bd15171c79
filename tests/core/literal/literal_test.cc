// Literals: memory, views, copies, moves, and operations that make other
// literals.
#include "xla/core/literal/literal.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "gtest/gtest.h"
#include "tests/core/parsed_shape.h"
#include "xla/core/array/bitmap.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_text.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

Literal Iota(absl::string_view shape) {
  Literal literal(S(shape));
  int64_t i = 0;
  literal.EachElement([&](absl::Span<const int64_t> at, const void*) {
    EXPECT_TRUE(literal.SetIntegralAsS64(at, i++).ok());
    return true;
  });
  return literal;
}

TEST(LiteralTest, MemoryIsAlignedAndZero) {
  Literal literal(S("f32[3,5]"));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(literal.untyped_data()) % 64, 0u);
  EXPECT_EQ(literal.size_bytes(), 60);
  EXPECT_TRUE(literal.IsAll(0));
  EXPECT_EQ(Literal(S("s4[3]")).size_bytes(), 3);
  EXPECT_EQ(Literal().shape(), ShapeUtil::MakeNil());
}

TEST(LiteralTest, MakeRefusesWhatDoesNotFit) {
  EXPECT_FALSE(Literal::Make(S("f32[1000000000,1000000000]")).ok());
  Shape tiled = S("f32[3,5]{1,0:T(2,2)}");
  EXPECT_EQ(Literal::Make(tiled).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Literal(tiled).shape(), S("f32[3,5]{1,0}"));
  EXPECT_FALSE(Literal::Make(S("opaque[]")).ok());
  EXPECT_FALSE(Literal::Make(S("f32[?]")).ok());
  EXPECT_FALSE(Literal::Make(S("f32[<=4294967296,0]")).ok());
  EXPECT_TRUE(Literal::Make(S("(f32[0,1000000000000000000], token[])")).ok());
  EXPECT_FALSE(Literal::Make(Shape(F32, {-3})).ok());
}

TEST(LiteralTest, RelayoutKeepsValuesAndMovesBytes) {
  Literal a = LiteralUtil::CreateR2<int32_t>({{1, 2, 3}, {4, 5, 6}});
  Literal b = a.Relayout(LayoutUtil::MakeLayout({0, 1}));
  EXPECT_EQ(b.data<int32_t>(), absl::MakeConstSpan({1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(a, b);
  EXPECT_FALSE(a.Equal(b, /*layout_sensitive=*/true));
  EXPECT_EQ(absl::HashOf(a), absl::HashOf(b));
  EXPECT_EQ(b.Get<int32_t>({1, 0}), 4);
}

TEST(LiteralTest, RelayoutOfLargeArraysOfEachWidth) {
  for (const char* type : {"s8", "s16", "s32", "s64", "c128"}) {
    Shape from = S(absl::StrCat(type, "[37,5,41]{2,1,0}"));
    Literal a(from);
    int64_t i = 0;
    a.EachElement([&](absl::Span<const int64_t> at, const void* element) {
      *static_cast<char*>(const_cast<void*>(element)) = static_cast<char>(i++);
      return true;
    });
    for (const char* order : {"{0,1,2}", "{1,2,0}", "{0,2,1}", "{2,0,1}"}) {
      Literal b = a.Relayout(S(absl::StrCat(type, "[37,5,41]", order)));
      EXPECT_EQ(a, b) << type << order;
      EXPECT_TRUE(b.Relayout(from).Equal(a, true)) << type << order;
    }
  }
}

TEST(LiteralTest, ReshapeGoesByRowMajorOrder) {
  Literal a = Iota("s32[2,3]{0,1}");
  auto b = a.Reshape({3, 2});
  ASSERT_TRUE(b.ok());
  EXPECT_EQ(*b, LiteralUtil::CreateR2<int32_t>({{0, 1}, {2, 3}, {4, 5}}));
  EXPECT_FALSE(a.Reshape({4, 2}).ok());
  EXPECT_FALSE(a.Reshape({-1, -6}).ok());
}

TEST(LiteralTest, TransposeKeepsBytes) {
  Literal a = Iota("s32[2,3,4]");
  Literal b = a.Transpose({2, 0, 1});
  EXPECT_EQ(b.shape().dimensions(), absl::Span<const int64_t>({4, 2, 3}));
  EXPECT_EQ(b.data<int32_t>(), a.data<int32_t>());
  EXPECT_EQ(b.Get<int32_t>({3, 1, 2}), a.Get<int32_t>({1, 2, 3}));
}

TEST(LiteralTest, SliceAndBroadcast) {
  Literal a = Iota("s32[3,4]");
  EXPECT_EQ(a.Slice({1, 1}, {3, 3}),
            LiteralUtil::CreateR2<int32_t>({{5, 6}, {9, 10}}));
  EXPECT_EQ(a.Slice({1, 1}, {1, 3}).element_count(), 0);
  Literal row = LiteralUtil::CreateR1<int32_t>({7, 8});
  EXPECT_EQ(row.Broadcast(S("s32[3,2]"), {1}).value(),
            LiteralUtil::CreateR2<int32_t>({{7, 8}, {7, 8}, {7, 8}}));
  EXPECT_EQ(row.Broadcast(S("s32[2,3]"), {0}).value(),
            LiteralUtil::CreateR2<int32_t>({{7, 7, 7}, {8, 8, 8}}));
  EXPECT_FALSE(row.Broadcast(S("s32[3,3]"), {1}).ok());
  EXPECT_FALSE(row.Broadcast(S("s32[2,2]"), {2}).ok());
  EXPECT_FALSE(row.Broadcast(S("f32[2,2]"), {1}).ok());
  EXPECT_EQ(row.Replicate<int32_t>(2),
            LiteralUtil::CreateR2<int32_t>({{7, 8}, {7, 8}}));
}

TEST(LiteralTest, TuplesMoveTheirParts) {
  std::vector<Literal> parts;
  parts.push_back(LiteralUtil::CreateR1<float>({1, 2}));
  parts.push_back(LiteralUtil::CreateR0<bool>(true));
  const void* buffer = parts[0].untyped_data();
  Literal tuple = LiteralUtil::MakeTupleOwned(std::move(parts));
  EXPECT_EQ(tuple.untyped_data({0}), buffer);
  EXPECT_EQ(tuple.Get<bool>({}, {1}), true);
  const Literal& constant = tuple;
  EXPECT_EQ(constant.SubLiteral({0}), LiteralUtil::CreateR1<float>({1, 2}));
  Literal whole = tuple.Clone();
  const void* part = whole.untyped_data({0});
  EXPECT_EQ(whole.SubLiteral({0}).untyped_data(), part);
  EXPECT_TRUE(tuple.MoveFrom(LiteralUtil::CreateR1<float>({3, 4}), {0}).ok());
  EXPECT_FALSE(tuple.MoveFrom(LiteralUtil::CreateR1<float>({3}), {0}).ok());
  EXPECT_FALSE(tuple.MoveFrom(LiteralUtil::CreateR1<float>({3}), {9}).ok());
  std::vector<Literal> elements = tuple.DecomposeTuple();
  ASSERT_EQ(elements.size(), 2u);
  EXPECT_EQ(elements[0].Get<float>({1}), 4);
  EXPECT_TRUE(ShapeUtil::IsNil(tuple.shape()));
}

TEST(LiteralTest, ViewsOutliveMoves) {
  Literal tuple = LiteralUtil::MakeTupleOwned(
      LiteralUtil::CreateR0<int32_t>(1), LiteralUtil::CreateR0<int32_t>(2));
  LiteralSlice second(tuple, {1});
  MutableBorrowingLiteral writer(MutableBorrowingLiteral(&tuple), {1});
  Literal moved = std::move(tuple);
  writer.Set<int32_t>({}, 5);
  EXPECT_EQ(second.Get<int32_t>({}), 5);
  EXPECT_EQ(moved.Get<int32_t>({}, {1}), 5);
}

TEST(LiteralTest, BorrowedBuffers) {
  int32_t numbers[] = {1, 2, 3, 4};
  BorrowingLiteral view(reinterpret_cast<const char*>(numbers),
                        S("s32[2,2]{0,1}"));
  EXPECT_EQ(view, LiteralUtil::CreateR2<int32_t>({{1, 3}, {2, 4}}));
  MutableBorrowingLiteral writer(reinterpret_cast<const char*>(numbers),
                                 S("s32[4]"));
  writer.Set<int32_t>({3}, 9);
  EXPECT_EQ(numbers[3], 9);
}

TEST(LiteralTest, CopyFromChecksShapes) {
  Literal tuple(S("(f32[2]{0}, (s32[2,2]{0,1}))"));
  Literal part = LiteralUtil::CreateR2<int32_t>({{1, 2}, {3, 4}});
  EXPECT_TRUE(tuple.CopyFrom(part, {1, 0}).ok());
  EXPECT_EQ(tuple.Get<int32_t>({0, 1}, {1, 0}), 2);
  EXPECT_FALSE(tuple.CopyFrom(part, {0}).ok());
  EXPECT_FALSE(tuple.CopyFrom(part, {3}).ok());
  EXPECT_TRUE(part.CopySliceFrom(part.Clone(), {0, 0}, {1, 0}, {1, 2}).ok());
  EXPECT_EQ(part, LiteralUtil::CreateR2<int32_t>({{1, 2}, {1, 2}}));
  EXPECT_FALSE(part.CopySliceFrom(part.Clone(), {0, 1}, {0, 0}, {1, 2}).ok());
  EXPECT_FALSE(part.CopySliceFrom(part.Clone(), {0, 0}, {0, 0},
                                  {std::numeric_limits<int64_t>::max(), 1})
                   .ok());
}

TEST(LiteralTest, DynamicSizes) {
  Literal a(S("s32[<=4,2]"));
  a.PopulateWithValue<int32_t>(7);
  a.SetDynamicSize(0, 2);
  EXPECT_EQ(a.ToStatic(), LiteralUtil::CreateR2<int32_t>({{7, 7}, {7, 7}}));
  EXPECT_EQ(a.ToStringOneline(), "s32[<=4,2](2,2) { { 7, 7 }, { 7, 7 } }");
  Literal b = a.ToStatic().ToBoundedDynamic(a.shape());
  EXPECT_EQ(a, b);
  b.SetDynamicSize(0, 3);
  EXPECT_NE(a, b);
  Literal c = a.Clone();
  EXPECT_EQ(c.GetDynamicSize(0), 2);
  EXPECT_EQ(a.Slice({1, 0}, {4, 1}).GetDynamicSize(0), 1);
  EXPECT_EQ(a.Transpose({1, 0}).GetDynamicSize(1), 2);
}

TEST(LiteralTest, Questions) {
  EXPECT_TRUE(LiteralUtil::CreateR1<int8_t>({-1, -1}).IsAll(-1));
  EXPECT_FALSE(LiteralUtil::CreateR1<uint64_t>({~uint64_t{0}}).IsAll(-1));
  EXPECT_TRUE(
      LiteralUtil::CreateR1<bfloat16>({bfloat16(0.1f)}).IsAllFloat(0.1f));
  EXPECT_FALSE(LiteralUtil::CreateR1<int32_t>({0}).IsAllFloat(0));
  EXPECT_TRUE(LiteralUtil::CreateR1<int32_t>({2}).IsAllFloatWithCast(2));
  EXPECT_TRUE(LiteralUtil::CreateR1<complex64>({{1, 2}}).IsAllComplex({1, 2}));
  EXPECT_TRUE(LiteralUtil::CreateR2<float>({{3, 3}, {3, 3}}).IsAllFirst());
  EXPECT_FALSE(LiteralUtil::CreateR1<float>({0.0f, -0.0f}).IsAllFirst());
  EXPECT_TRUE(LiteralUtil::CreateR1<float>({0, 1, 2}).IsR1Iota());
  EXPECT_FALSE(LiteralUtil::CreateR1<float>({0, 1, 3}).IsR1Iota());
  EXPECT_EQ(LiteralUtil::CreateR1<int32_t>({0, 3, 6}).IsR1StridedIota(), 3);
  EXPECT_EQ(LiteralUtil::CreateR1<int32_t>({0, 3, 7}).IsR1StridedIota(),
            std::nullopt);
  EXPECT_EQ(LiteralUtil::CreateR1<int32_t>({5, 3, 5}).CountEqual(5), 2);
  // Any NaN counts as any other.
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const Literal nans = LiteralUtil::CreateR1<float>({kNan, -kNan});
  EXPECT_EQ(nans.CountEqual(kNan), 2);
  EXPECT_TRUE(nans.IsAll(LiteralUtil::CreateR0<float>(kNan)));
  EXPECT_TRUE(nans.IsAllFloat(kNan));
  EXPECT_EQ(LiteralUtil::CreateR1<float>({kNan, 1}).CountEqual(kNan), 1);
  // Not all integers of 64 bits are numbers of F64.
  EXPECT_EQ(LiteralUtil::CreateR1<int64_t>({7}).GetAsComplex128({0}),
            std::nullopt);
  EXPECT_EQ(LiteralUtil::CreateR1<int32_t>({7}).GetAsComplex128({0}),
            complex128(7, 0));
  EXPECT_EQ(LiteralUtil::CreateR0<int16_t>(-5).GetFirstInteger(), -5);
  EXPECT_EQ(LiteralUtil::CreateR0<float>(1.5f).GetAsDouble({}), 1.5);
  EXPECT_EQ(LiteralUtil::CreateR0<int32_t>(1).GetAsDouble({}), std::nullopt);
  EXPECT_EQ(LiteralUtil::CreateR0<bool>(true).GetAsComplex128({}),
            std::nullopt);
}

// 257 is no number of BF16, which rounds it to 256.
TEST(LiteralTest, IotasOfFewBits) {
  std::vector<bfloat16> numbers;
  for (int i = 0; i < 300; ++i) numbers.push_back(bfloat16(i));
  Literal iota = LiteralUtil::CreateR1<bfloat16>(numbers);
  EXPECT_TRUE(iota.IsR1Iota());
  iota.Set<bfloat16>({257}, bfloat16(258));
  EXPECT_FALSE(iota.IsR1Iota());
}

TEST(LiteralTest, CountsOfRoundedNumbers) {
  EXPECT_EQ(LiteralUtil::CreateR1<float>({0.1f, 0.2f}).CountEqual(0.1), 1);
  const Literal bytes = LiteralUtil::CreateR1<int8_t>({44, -1});
  EXPECT_EQ(bytes.CountEqual(300), 0);  // 44 in its low bits
  EXPECT_EQ(bytes.CountEqual(44.5), 0);
  EXPECT_EQ(bytes.CountEqual(44.0f), 1);
  EXPECT_EQ(bytes.CountEqual(~uint64_t{0}), 0);
  EXPECT_EQ(bytes.CountEqual(complex64(44, 0)), 0);
  const int64_t odd = (int64_t{1} << 60) + 1;
  EXPECT_EQ(LiteralUtil::CreateR1<int64_t>({odd, odd - 1}).CountEqual(odd), 1);
  EXPECT_EQ(
      LiteralUtil::CreateR1<uint64_t>({~uint64_t{0}}).CountEqual(int64_t{-1}),
      0);
  EXPECT_EQ(LiteralUtil::CreateR1<half>({half(2.0f)}).CountEqual(half(2.0f)),
            1);
}

// Sizes count, not the bounds of dynamic dimensions.
TEST(LiteralTest, DynamicLiteralsEqualStaticOnes) {
  const Literal fixed = LiteralUtil::CreateR1<float>({1, 2});
  const Literal bounded =
      fixed.ToBoundedDynamic(ShapeUtil::MakeShape(F32, {4}, {true}));
  EXPECT_EQ(fixed, bounded);
  EXPECT_EQ(fixed.HashCode(false), bounded.HashCode(false));
  EXPECT_NE(LiteralUtil::CreateR1<float>({1, 2, 3}), bounded);
}

// A static literal does not change the sizes of a dynamic one.
TEST(LiteralTest, CopiesWithinTheSizesOfTheTarget) {
  const Literal fixed = LiteralUtil::CreateR1<float>({1, 2, 3});
  Literal bounded(ShapeUtil::MakeShape(F32, {3}, {true}));
  bounded.SetDynamicSize(0, 2);
  EXPECT_TRUE(bounded.CopyFrom(fixed, {}, {}, true).ok());
  EXPECT_EQ(bounded, LiteralUtil::CreateR1<float>({1, 2}));
  EXPECT_EQ(bounded.data<float>()[2], 0);
  Literal other(bounded.shape());
  EXPECT_TRUE(other.CopyFrom(bounded).ok());
  EXPECT_EQ(other.GetDynamicSize(0), 2);
}

TEST(LiteralTest, HashesOfAllBytes) {
  Literal a(ShapeUtil::MakeShape(F32, {5000}));
  Literal b = a.Clone();
  b.Set<float>({4999}, 1);
  EXPECT_EQ(a.HashCode(false), b.HashCode(false));
  EXPECT_NE(a.HashCode(false, 20000), b.HashCode(false, 20000));
}

TEST(LiteralUtilTest, ConstantsOfTypes) {
  EXPECT_EQ(LiteralUtil::MinValue(S4).ToStringOneline(), "s4[] -8");
  EXPECT_EQ(LiteralUtil::MaxValue(F8E4M3FN).ToStringOneline(),
            "f8e4m3fn[] 448");
  EXPECT_EQ(LiteralUtil::MaxValue(BF16).ToStringOneline(), "bf16[] inf");
  EXPECT_EQ(LiteralUtil::MinValue(PRED).ToStringOneline(), "pred[] false");
  EXPECT_EQ(LiteralUtil::One(C64).ToStringOneline(), "c64[] (1, 0)");
  EXPECT_EQ(LiteralUtil::NanValue(F16)->ToStringOneline(), "f16[] nan");
  EXPECT_FALSE(LiteralUtil::NanValue(S32).ok());
  EXPECT_FALSE(LiteralUtil::NanValue(F4E2M1FN).ok());
  EXPECT_EQ(LiteralUtil::MaxElement(LiteralUtil::CreateR1<int32_t>({1, 9, 3})),
            LiteralUtil::CreateR0<int32_t>(9));
  EXPECT_EQ(LiteralUtil::MakeIdentityR2<int8_t>(2),
            LiteralUtil::CreateR2<int8_t>({{1, 0}, {0, 1}}));
  tsl::core::Bitmap bits(3);
  bits.set(0);
  bits.set(2);
  EXPECT_EQ(LiteralUtil::CreateR1(bits),
            LiteralUtil::CreateR1<bool>({true, false, true}));
}

}  // namespace
}  // namespace xla
