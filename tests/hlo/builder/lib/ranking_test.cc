// Approximate top-k, dequantization, and map with static operands.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/hlo/builder/lib/arguments.h"
#include "tests/hlo/builder/lib/evaluate.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/approx_topk.h"
#include "xla/hlo/builder/lib/approx_topk_shape.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/comparators.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/quantize.h"

namespace xla {
namespace {

using Ops = absl::Span<const XlaOp>;
using Sizes = std::pair<int64_t, int64_t>;

// The sizes are XLA's.
TEST(ApproxTopKTest, Sizes) {
  auto sizes = [](int64_t n, int64_t rank, int64_t k, float recall,
                  bool aggregate = false, int64_t whole = -1) {
    return ApproxTopKReductionOutputSize(n, rank, k, recall, aggregate, whole)
        .value();
  };
  EXPECT_EQ(sizes(1000, 1, 4, 0.9), Sizes(1000, 0));
  EXPECT_EQ(sizes(100000, 1, 4, 0.9), Sizes(2048, 6));
  EXPECT_EQ(sizes(100000, 2, 64, 0.95), Sizes(1664, 6));
  EXPECT_EQ(sizes(1000000, 2, 1, 0.9), Sizes(128, 13));
  EXPECT_EQ(sizes(5000, 2, 10, 1.0), Sizes(5000, 0));
  EXPECT_EQ(sizes(3000, 2, 10, 0.8, false, 1000000), Sizes(128, 5));
  EXPECT_EQ(sizes(131, 2, 3, 0.99), Sizes(131, 0));
  EXPECT_EQ(sizes(50, 1, 7, 0.5, true), Sizes(7, -1));
  EXPECT_EQ(sizes(1 << 20, 1, 1000, 0.99), Sizes(131072, 3));
}

// Returns the first k of the values and their indices, largest first.
XlaOp Largest(Ops p, int64_t k, int64_t dimension, float recall = 0.9,
              bool aggregate = true, int64_t whole = -1) {
  XlaBuilder* b = p[0].builder();
  const Shape shape = b->GetShape(p[0]).value();
  XlaOp numbers =
      Iota(b, ShapeUtil::MakeShape(S32, shape.dimensions()), dimension);
  return ApproxTopK(b, {p[0], numbers},
                    {MinValue(b, F32), ConstantR0<int32_t>(b, -1)}, k,
                    dimension, CreateScalarGtComputation({F32, S32}, b), recall,
                    aggregate, whole);
}

TEST(ApproxTopKTest, FindsAll) {
  const Arguments x =
      Of(LiteralUtil::CreateR2<float>({{1, 5}, {7, 2}, {3, 9}, {4, 3}}));
  EXPECT_EQ(RunToText([](XlaBuilder*, Ops p) { return Largest(p, 2, 0); }, x),
            "( { { 7, 9 }, { 4, 5 } }, { { 1, 2 }, { 3, 0 } } )");
  EXPECT_EQ(RunToText([](XlaBuilder*, Ops p) { return Largest(p, 1, 1); }, x),
            "( { {5}, {7}, {9}, {4} }, { {1}, {0}, {1}, {0} } )");
  // Nothing is dropped from an input of at most a tile.
  EXPECT_EQ(RunToText(
                [](XlaBuilder*, Ops p) {
                  return GetTupleElement(Largest(p, 1, 1, 0.9, false), 0);
                },
                x),
            "{ { 5, 1 }, { 7, 2 }, { 9, 3 }, { 4, 3 } }");
}

TEST(ApproxTopKTest, Errors) {
  const Arguments x = Of(LiteralUtil::CreateR1<float>({1, 2}));
  const Arguments wide =
      Of(LiteralUtil::CreateFullWithDescendingLayout<float>({2000}, 1.0f));
  ExpectBreaks(
      "approx_top_k_c1",
      [](XlaBuilder*, Ops p) { return Largest(p, 2, 0, 1.5, false); }, wide);
  ExpectBreaks(
      "approx_top_k_c2",
      [](XlaBuilder*, Ops p) { return Largest(p, 2, 0, 0.9, false, 7); }, wide);
  ExpectBreaks(
      "approx_top_k_c3",
      [](XlaBuilder* b, Ops p) {
        return ApproxTopK(b, {p[0]}, {ConstantR0<int32_t>(b, 0)}, 1, 0,
                          CreateScalarGtComputation({F32}, b));
      },
      x);
  ExpectBreaks(
      "approx_top_k_c4", [](XlaBuilder*, Ops p) { return Largest(p, 3, 0); },
      x);
}

TEST(QuantizeTest, Packs) {
  const std::vector<uint8_t> bytes = {1, 2, 3, 4, 255};
  EXPECT_EQ(PackToUint32<uint8_t>(bytes),
            (std::vector<uint32_t>{0x01020304, 0xff000000}));
  const std::vector<int16_t> shorts = {-1, 2, -3};
  EXPECT_EQ(PackToUint32<int16_t>(shorts),
            (std::vector<uint32_t>{0xffff0002, 0xfffd0000}));
}

TEST(QuantizeTest, Dequantizes) {
  const std::vector<uint8_t> bytes = {0, 51, 102, 255, 255, 0, 0, 0};
  const Arguments x =
      Of(LiteralUtil::CreateR1<uint32_t>(PackToUint32<uint8_t>(bytes)));
  const QuantizedRange range(0, 255);
  EXPECT_EQ(RunToText([&](XlaBuilder*,
                          Ops p) { return Dequantize<uint8_t>(p[0], range); },
                      x),
            "{0, 51, 102, 255, 255, 0, 0, 0}");
  // The lowest number of the type represents the lowest of the range.
  const std::vector<int8_t> with_sign = {-128, -127, 0, 127};
  const Arguments y = Of(LiteralUtil::CreateR2<uint32_t>(
      {{PackToUint32<int8_t>(with_sign)[0]}, {0x80808080}}));
  auto signed_numbers = [&](bool transposed) {
    return RunToText(
        [&](XlaBuilder*, Ops p) {
          return Dequantize<int8_t>(p[0], range, "MIN_COMBINED", transposed);
        },
        y);
  };
  EXPECT_EQ(signed_numbers(false), "{ { 0, 1, 128, 255 }, { 0, 0, 0, 0 } }");
  EXPECT_EQ(signed_numbers(true),
            "{ { 0, 0 }, { 1, 0 }, { 128, 0 }, { 255, 0 } }");
}

TEST(QuantizeTest, Errors) {
  const Arguments x = Of(LiteralUtil::CreateR1<uint32_t>({1}));
  const Arguments y = Of(LiteralUtil::CreateR1<int32_t>({1}));
  ExpectBreaks(
      "dequantize_c1",
      [](XlaBuilder*, Ops p) { return Dequantize<uint8_t>(p[0], {0, 1}); }, y);
  ExpectBreaks(
      "dequantize_c2",
      [](XlaBuilder*, Ops p) {
        return Dequantize<uint8_t>(p[0], {0, 1}, "SCALED");
      },
      x);
}

TEST(MapTest, PassesStaticOperandsToEveryCall) {
  const Arguments x = Of(LiteralUtil::CreateR1<float>({1, 2}),
                         LiteralUtil::CreateR0<float>(10));
  EXPECT_EQ(RunToText(
                [](XlaBuilder* b, Ops p) {
                  return Map(b, {p[0]}, CreateScalarAddComputation(F32, b), {0},
                             {p[1]});
                },
                x),
            "{11, 12}");
}

// Returns the sum of an array times a number.
XlaComputation SumTimes(XlaBuilder* builder, const Shape& array) {
  auto inner = builder->CreateSubBuilder("sum_times");
  XlaOp x = Parameter(inner.get(), 0, ShapeUtil::MakeShape(F32, {}), "x");
  XlaOp all = Parameter(inner.get(), 1, array, "all");
  XlaOp one = Parameter(inner.get(), 2, ShapeUtil::MakeShape(F32, {}), "one");
  Add(Mul(x, ReduceAll(all, Zero(inner.get(), F32),
                       CreateScalarAddComputation(F32, inner.get()))),
      one);
  return inner->BuildAndNoteError();
}

TEST(MapTest, PassesArraysToEveryCall) {
  const Arguments x = Of(LiteralUtil::CreateR2<float>({{1, 2, 3}, {4, 5, 6}}),
                         LiteralUtil::CreateR1<float>({10, 20}));
  const auto map = [](XlaBuilder* b, Ops p) {
    const XlaComputation f = SumTimes(b, ShapeUtil::MakeShape(F32, {2}));
    return Map(b, {p[0]}, f, {0, 1}, {p[1], ConstantR0<float>(b, 7)});
  };
  EXPECT_EQ(RunToText(map, x), "{ { 37, 67, 97 }, { 127, 157, 187 } }");
  // There are no elements, so there is no call.
  const Arguments none = Of(Literal(ShapeUtil::MakeShape(F32, {2, 0})),
                            LiteralUtil::CreateR1<float>({10, 20}));
  EXPECT_EQ(RunToText(map, none), "{ {}, {} }");
}

}  // namespace
}  // namespace xla
