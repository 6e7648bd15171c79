// Uses the public names of xla/literal.h that read, compare and derive;
// literal_2_test.cc has those that make and write.
#include "xla/literal.h"

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/layout_util.h"
#include "xla/literal_util.h"
#include "xla/printer.h"
#include "xla/shape_util.h"
#include "xla/types.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

// Hashes 20 bytes of a literal.
struct FirstBytesOfLiteral {
  const Literal& literal;

  template <typename H>
  friend H AbslHashValue(H state, const FirstBytesOfLiteral& first) {
    return LiteralBase::Hash<H, /*kIsLayoutSensitive=*/true, /*kByteLimit=*/20>(
        std::move(state), first.literal);
  }
};

class LiteralNamesTest : public testing::Test {
 protected:
  const Literal matrix_ = LiteralUtil::CreateR2<float>({{1, 2, 3}, {4, 5, 6}});
  const Literal tuple_ = LiteralUtil::MakeTupleOwned(
      LiteralUtil::CreateR1<int32_t>({7, 8}), LiteralUtil::CreateR0(true));
};

TEST_F(LiteralNamesTest, ShapesAndSizes) {
  EXPECT_EQ(matrix_.shape(), ShapeUtil::MakeShape(F32, {2, 3}));
  EXPECT_EQ(matrix_.element_count(), 6);
  EXPECT_EQ(tuple_.element_count({0}), 2);
  EXPECT_EQ(matrix_.size_bytes(), 24);
  EXPECT_EQ(tuple_.size_bytes({0}), 8);
  static_assert(
      std::is_same_v<LiteralBase::DynamicSizeType, ShapeUtil::DynamicSizeType>);
  const LiteralBase& base = matrix_;
  EXPECT_EQ(base.GetDynamicSize(1), 3);
  EXPECT_EQ(tuple_.GetDynamicSize(0, {0}), 2);
  EXPECT_EQ((*Literal::MakeUnique(matrix_.shape()))->size_bytes(), 24);
  EXPECT_FALSE(
      Literal::MakeUnique(ShapeUtil::MakeShape(F32, {int64_t{1} << 50})).ok());
}

TEST_F(LiteralNamesTest, Elements) {
  EXPECT_THAT(matrix_.data<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(tuple_.data<int32_t>({0}), ElementsAre(7, 8));
  EXPECT_EQ(matrix_.untyped_data(), matrix_.data<float>().data());
  EXPECT_EQ(*static_cast<const int32_t*>(tuple_.untyped_data({0})), 7);
  EXPECT_EQ(matrix_.Get<float>({1, 0}), 4);
  EXPECT_EQ(tuple_.Get<int32_t>({1}, {0}), 8);
  EXPECT_EQ(matrix_.GetLinear<float>(5), 6);
  EXPECT_EQ(tuple_.GetLinear<int32_t>(1, {0}), 8);
  EXPECT_EQ(matrix_.GetFirstElement<float>(), 1);
  EXPECT_EQ(matrix_.GetFirstInteger(), std::nullopt);
  EXPECT_EQ(LiteralUtil::CreateR1<int8_t>({-3, 4}).GetFirstInteger(), -3);
  EXPECT_EQ(LiteralUtil::CreateR0(~uint64_t{0}).GetFirstInteger(),
            std::nullopt);
}

TEST_F(LiteralNamesTest, ElementsOfAnyType) {
  EXPECT_EQ(matrix_.GetAsString({0, 1}), "2");
  EXPECT_EQ(tuple_.GetAsString({}, {1}), "true");
  const Literal word = LiteralUtil::CreateR0<int16_t>(-5);
  EXPECT_EQ(word.GetIntegralAsS64({}), -5);
  EXPECT_EQ(LiteralUtil::CreateR0(true).GetIntegralAsS64({}), 1);
  EXPECT_EQ(matrix_.GetIntegralAsS64({0, 0}), std::nullopt);
  EXPECT_EQ(matrix_.GetAsDouble({1, 2}), 6.0);
  EXPECT_EQ(word.GetAsDouble({}), std::nullopt);
  EXPECT_EQ(matrix_.GetAsComplex128({1, 2}), complex128(6, 0));
  EXPECT_EQ(word.GetAsComplex128({}), complex128(-5, 0));
  EXPECT_EQ(LiteralUtil::CreateR0<int64_t>(1).GetAsComplex128({}),
            std::nullopt);
  EXPECT_EQ(matrix_.GetSumAsDouble({0, 5, 5}), 13.0);
  EXPECT_EQ(word.GetSumAsDouble({0}), std::nullopt);
  EXPECT_EQ(LiteralUtil::CreateR1U8("hello").GetR1U8AsString(), "hello");
}

TEST_F(LiteralNamesTest, EqualityAtAnIndex) {
  EXPECT_TRUE(matrix_.IsEqualAt({1, 0}, 4));
  EXPECT_TRUE(matrix_.IsEqualAt({1, 0}, 4.0f));
  EXPECT_TRUE(matrix_.IsEqualAt({1, 0}, 4.0));
  EXPECT_TRUE(matrix_.IsEqualAt({1, 0}, uint64_t{4}));
  EXPECT_TRUE(matrix_.IsEqualAt({1, 0}, half(4.0f)));
  EXPECT_TRUE(matrix_.IsEqualAt({1, 0}, complex128(4, 0)));
  EXPECT_FALSE(matrix_.IsEqualAt({1, 0}, complex128(4, 1)));
  EXPECT_FALSE(matrix_.IsEqualAt({1, 0}, 5));
  const Literal wide = LiteralUtil::CreateR0(~uint64_t{0});
  EXPECT_TRUE(wide.IsEqualAt({}, ~uint64_t{0}));
  EXPECT_FALSE(wide.IsEqualAt({}, -1));
  EXPECT_TRUE(LiteralUtil::CreateR0(true).IsEqualAt({}, true));
  EXPECT_TRUE(LiteralUtil::CreateR0<float>(0).IsZero({}));
  EXPECT_FALSE(matrix_.IsZero({0, 0}));
}

TEST_F(LiteralNamesTest, Visits) {
  std::string text;
  matrix_.EachCellAsString([&](absl::Span<const int64_t> at,
                               const std::string& value) {
    text += std::to_string(at[0]) + std::to_string(at[1]) + "=" + value + " ";
  });
  EXPECT_EQ(text, "00=1 01=2 02=3 10=4 11=5 12=6 ");
  float sum = 0;
  matrix_.EachCell<float>(
      [&](absl::Span<const int64_t>, float value) { sum += value; });
  EXPECT_EQ(sum, 21);
  int visited = 0;
  EXPECT_FALSE(matrix_.EachCellUntilFailure<float>(
      [&](absl::Span<const int64_t>, float value) {
        ++visited;
        return value < 3;
      }));
  EXPECT_EQ(visited, 3);
}

TEST_F(LiteralNamesTest, Questions) {
  EXPECT_TRUE(LiteralUtil::CreateR1<int32_t>({2, 2}).IsAll(2));
  EXPECT_FALSE(LiteralUtil::CreateR1<uint8_t>({255}).IsAll(-1));
  EXPECT_TRUE(LiteralUtil::CreateR1<bool>({true}).IsAll(1));
  EXPECT_FALSE(LiteralUtil::CreateR1<bool>({true}).IsAll(2));
  EXPECT_FALSE(tuple_.IsAll(7));
  EXPECT_TRUE(LiteralUtil::CreateR1<float>({3, 3}).IsAll(
      LiteralUtil::CreateR0<float>(3)));
  EXPECT_FALSE(matrix_.IsAll(LiteralUtil::CreateR0<float>(1)));
  EXPECT_TRUE(LiteralUtil::CreateR1<double>({0.5}).IsAllFloat(0.5f));
  EXPECT_FALSE(LiteralUtil::CreateR1<int32_t>({1}).IsAllFloat(1));
  const Literal complex = LiteralUtil::CreateR1<complex64>({{1, 2}, {1, 2}});
  EXPECT_TRUE(complex.IsAllComplex({1, 2}));
  EXPECT_FALSE(matrix_.IsAllComplex({1, 0}));
  EXPECT_TRUE(complex.IsAllFirst());
  EXPECT_FALSE(matrix_.IsAllFirst());
  EXPECT_FALSE(Literal(ShapeUtil::MakeShape(F32, {0})).IsAllFirst());
  EXPECT_TRUE(LiteralUtil::CreateR1<int32_t>({0, 1, 2}).IsR1Iota());
  EXPECT_FALSE(matrix_.IsR1Iota());
  EXPECT_EQ(LiteralUtil::CreateR1<int8_t>({0, -2, -4}).IsR1StridedIota(), -2);
  EXPECT_EQ(LiteralUtil::CreateR1<int8_t>({1, 2}).IsR1StridedIota(),
            std::nullopt);
}

TEST_F(LiteralNamesTest, Counts) {
  EXPECT_EQ(LiteralUtil::CreateR1<int32_t>({5, 3, 5}).CountEqual(5), 2);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(LiteralUtil::CreateR1<float>({nan, 1, -nan}).CountEqual(nan), 2);
  EXPECT_EQ(LiteralUtil::CreateR1<int8_t>({1}).CountEqual(257), 0);
  EXPECT_EQ(LiteralUtil::CreateR1<bool>({true, false}).CountEqual(true), 1);
  EXPECT_EQ(tuple_.CountEqual(7), 0);
  const Literal complex = LiteralUtil::CreateR1<complex128>({{1, 2}, {1, 0}});
  EXPECT_EQ(complex.CountEqual(complex64(1, 2)), 1);
  EXPECT_EQ(complex.CountEqual(1.0), 1);
  EXPECT_EQ(matrix_.CountEqual(std::complex<double>(1, 0)), 0);
}

TEST_F(LiteralNamesTest, EqualityAndHashes) {
  const Literal other = matrix_.Relayout(LayoutUtil::MakeLayout({0, 1}));
  EXPECT_TRUE(matrix_ == other);
  EXPECT_FALSE(matrix_ != other);
  EXPECT_TRUE(matrix_.Equal(other, /*layout_sensitive=*/false));
  EXPECT_FALSE(matrix_.Equal(other, /*layout_sensitive=*/true));
  EXPECT_TRUE(matrix_ != tuple_);
  using Loose = LiteralBase::AbslHashable<false>;
  using Strict = LiteralBase::AbslHashable<true>;
  EXPECT_EQ(absl::HashOf(Loose(matrix_)), absl::HashOf(Loose(other)));
  EXPECT_NE(absl::HashOf(Strict(matrix_)), absl::HashOf(Strict(other)));
  EXPECT_EQ(&Strict(matrix_).literal, &matrix_);
  // The bytes after a limit do not count.
  Literal changed = matrix_.Clone();
  changed.Set<float>({1, 2}, 60);
  EXPECT_NE(absl::HashOf(Strict(matrix_)), absl::HashOf(Strict(changed)));
  EXPECT_EQ(absl::HashOf(FirstBytesOfLiteral{matrix_}),
            absl::HashOf(FirstBytesOfLiteral{changed}));
}

TEST_F(LiteralNamesTest, Texts) {
  const std::string text = "f32[2,3] {\n  { 1, 2, 3 },\n  { 4, 5, 6 }\n}";
  EXPECT_EQ(matrix_.ToString(), text);
  EXPECT_EQ(matrix_.ToStringOneline(), "f32[2,3] { { 1, 2, 3 }, { 4, 5, 6 } }");
  EXPECT_EQ(matrix_.ToStringWithoutShape(), text.substr(9));
  EXPECT_EQ(matrix_.ToStringWithoutShapeOneline(),
            "{ { 1, 2, 3 }, { 4, 5, 6 } }");
  EXPECT_EQ(matrix_.ToStringWithLayoutOneline(),
            "f32[2,3]{1,0} { { 1, 2, 3 }, { 4, 5, 6 } }");
  EXPECT_EQ(matrix_.ToStringWithLayout(), "f32[2,3]{1,0} " + text.substr(9));
  std::ostringstream stream;
  stream << tuple_;
  EXPECT_EQ(stream.str(), "(\ns32[2] {7, 8},\npred[] true\n)");
}

TEST_F(LiteralNamesTest, Prints) {
  const auto printed = [&](auto print) {
    StringPrinter printer;
    (matrix_.*print)(&printer);
    return std::move(printer).ToString();
  };
  EXPECT_EQ(printed(&Literal::Print), matrix_.ToString());
  EXPECT_EQ(printed(&Literal::PrintOneline), matrix_.ToStringOneline());
  EXPECT_EQ(printed(&Literal::PrintWithoutShape),
            matrix_.ToStringWithoutShape());
  EXPECT_EQ(printed(&Literal::PrintWithoutShapeOneline),
            matrix_.ToStringWithoutShapeOneline());
  EXPECT_EQ(printed(&Literal::PrintWithLayout), matrix_.ToStringWithLayout());
  EXPECT_EQ(printed(&Literal::PrintWithLayoutOneline),
            matrix_.ToStringWithLayoutOneline());
}

TEST_F(LiteralNamesTest, Conversions) {
  EXPECT_EQ(*matrix_.Convert(S32),
            LiteralUtil::CreateR2<int32_t>({{1, 2, 3}, {4, 5, 6}}));
  EXPECT_FALSE(tuple_.Convert(F32).ok());
  const Shape doubles = ShapeUtil::MakeShape(F64, {2});
  const Shape shape =
      ShapeUtil::MakeTupleShape({doubles, ShapeUtil::MakeShape(S8, {})});
  EXPECT_EQ(*tuple_.ConvertToShape(shape),
            LiteralUtil::MakeTupleOwned(LiteralUtil::CreateR1<double>({7, 8}),
                                        LiteralUtil::CreateR0<int8_t>(1)));
  EXPECT_EQ(*LiteralUtil::CreateR0<float>(1).BitcastConvert(
                ShapeUtil::MakeShape(U32, {})),
            LiteralUtil::CreateR0<uint32_t>(0x3f800000));
  EXPECT_FALSE(matrix_.BitcastConvert(ShapeUtil::MakeShape(U32, {})).ok());
}

TEST_F(LiteralNamesTest, Copies) {
  const Literal copy = tuple_.Clone();
  EXPECT_EQ(copy, tuple_);
  EXPECT_NE(copy.untyped_data({0}), tuple_.untyped_data({0}));
  const std::unique_ptr<Literal> unique = tuple_.CloneToUnique();
  EXPECT_EQ(*unique, tuple_);
  const Layout column_major = LayoutUtil::MakeLayout({0, 1});
  EXPECT_THAT(matrix_.Relayout(column_major).data<float>(),
              ElementsAre(1, 4, 2, 5, 3, 6));
  const Literal nested = LiteralUtil::MakeTuple({&matrix_});
  EXPECT_EQ(nested.Relayout(column_major, {0}).GetLinear<float>(1, {0}), 4);
  const Shape target = ShapeUtil::MakeShapeWithDenseLayout(F32, {2, 3}, {0, 1});
  EXPECT_EQ(matrix_.Relayout(target).shape().layout(), column_major);
}

TEST_F(LiteralNamesTest, OtherShapes) {
  EXPECT_EQ(*matrix_.Reshape({3, 2}),
            LiteralUtil::CreateR2<float>({{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_FALSE(matrix_.Reshape({5}).ok());
  EXPECT_EQ(*LiteralUtil::CreateR1<float>({1, 2}).Broadcast(
                ShapeUtil::MakeShape(F32, {2, 3}), {0}),
            LiteralUtil::CreateR2<float>({{1, 1, 1}, {2, 2, 2}}));
  EXPECT_EQ(matrix_.Transpose({1, 0}),
            LiteralUtil::CreateR2<float>({{1, 4}, {2, 5}, {3, 6}}));
  EXPECT_EQ(matrix_.Slice({0, 1}, {2, 3}),
            LiteralUtil::CreateR2<float>({{2, 3}, {5, 6}}));
  EXPECT_EQ(LiteralUtil::CreateR1<int8_t>({1, 2}).Replicate<int8_t>(2),
            LiteralUtil::CreateR2<int8_t>({{1, 2}, {1, 2}}));
}

TEST_F(LiteralNamesTest, DynamicSizes) {
  const Literal row = LiteralUtil::CreateR1<float>({1, 2});
  const Shape bounded = ShapeUtil::MakeShape(F32, {4}, {true});
  const Literal dynamic = row.ToBoundedDynamic(bounded);
  EXPECT_EQ(dynamic.shape(), bounded);
  EXPECT_EQ(dynamic.GetDynamicSize(0), 2);
  EXPECT_EQ(dynamic.ToStatic().shape(), row.shape());
  EXPECT_EQ(dynamic.ToStatic(), row);
}

TEST_F(LiteralNamesTest, Serialization) {
  std::string text;
  ASSERT_TRUE(tuple_.SerializeToString(&text).ok());
  EXPECT_EQ(*tuple_.SerializeAsString(), text);
  EXPECT_EQ(*tuple_.SerializedSize(), static_cast<int64_t>(text.size()));
  std::vector<char> bytes;
  ASSERT_TRUE(tuple_.Serialize(std::back_inserter(bytes)).ok());
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), text);
  EXPECT_EQ(*Literal::Deserialize(bytes.begin(), bytes.end()), tuple_);
  EXPECT_EQ(*Literal::DeserializeFromString(text), tuple_);
  EXPECT_FALSE(Literal::DeserializeFromString(text.substr(1)).ok());
  EXPECT_EQ(*Literal::CreateFromProto(tuple_.ToProto()), tuple_);
}

}  // namespace
}  // namespace xla
