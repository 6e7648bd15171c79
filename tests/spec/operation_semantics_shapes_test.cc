// Worked examples of the operation semantics: ops that make, move, pick and
// convert elements.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/spec/spec_testing.h"
#include "xla/hlo/builder/lib/arithmetic.h"

namespace xla::spec {
namespace {

using ::testing::HasSubstr;
using Dims = std::vector<int64_t>;

constexpr absl::string_view kCuboid =
    "f32[4,2,3] {{{10, 11, 12}, {15, 16, 17}}, {{20, 21, 22}, {25, 26, 27}}, "
    "{{30, 31, 32}, {35, 36, 37}}, {{40, 41, 42}, {45, 46, 47}}}";
constexpr absl::string_view kInOrder24 =
    "f32[24] {10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27, "
    "30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47}";
constexpr absl::string_view kInOrder83 =
    "f32[8,3] {{10, 11, 12}, {15, 16, 17}, {20, 21, 22}, {25, 26, 27}, "
    "{30, 31, 32}, {35, 36, 37}, {40, 41, 42}, {45, 46, 47}}";
constexpr absl::string_view kInOrder46 =
    "f32[4,6] {{10, 11, 12, 15, 16, 17}, {20, 21, 22, 25, 26, 27}, "
    "{30, 31, 32, 35, 36, 37}, {40, 41, 42, 45, 46, 47}}";

std::string Collapsed(const Dims& dimensions) {
  XlaBuilder b("collapse");
  Collapse(Constant(b, kCuboid), dimensions);
  return BuildAndRun(b);
}

std::string Reshaped(const Dims& order, const Dims& sizes) {
  XlaBuilder b("reshape");
  Reshape(Constant(b, kCuboid), order, sizes);
  return BuildAndRun(b);
}

TEST(BitcastConvertTypeTest, WidthsThatDiffer) {
  XlaBuilder b("bitcast");
  const XlaOp ten = ConstantLiteral(&b, Counting({10}));
  const XlaOp halves = BitcastConvertType(ten, F16);
  EXPECT_EQ(b.GetShape(halves)->ToString(), "f16[10,2]");
  EXPECT_EQ(
      b.GetShape(BitcastConvertType(ConstantR0<float>(&b, 1), F16))->ToString(),
      "f16[2]");
  BitcastConvertType(halves, F32);
  EXPECT_EQ(BuildAndRun(b), Text("f32[10] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}"));
}

TEST(BitcastConvertTypeTest, OneS32IsFourS8) {
  XlaBuilder b("bitcast");
  BitcastConvertType(Constant(b, "s32[1] {16909060}"), S8);
  EXPECT_EQ(BuildAndRun(b), Text("s8[1,4] {{4, 3, 2, 1}}"));
}

TEST(BroadcastTest, ScalarToMatrix) {
  XlaBuilder b("broadcast");
  Broadcast(ConstantR0<float>(&b, 2.0f), {2, 3});
  EXPECT_EQ(BuildAndRun(b), Text("f32[2,3] {{2, 2, 2}, {2, 2, 2}}"));
}

// output[i0, ..., iN, j0, ..., jM] = operand[j0, ..., jM].
TEST(BroadcastTest, NewDimensionsAreMajor) {
  const Literal operand = Counting({3, 5});
  XlaBuilder b("broadcast");
  Broadcast(ConstantLiteral(&b, operand), {2, 4});
  const Literal output = RunToLiteral(b);
  for (const Dims& i : Indices({2, 4, 3, 5})) {
    EXPECT_EQ(output.Get<float>(i), operand.Get<float>({i[2], i[3]}));
  }
}

// Dimensions may be added anywhere, and those of size 1 grow.
TEST(BroadcastInDimTest, AddsAndExpands) {
  XlaBuilder b("broadcast_in_dim");
  BroadcastInDim(Constant(b, "s32[2,1] {{1}, {2}}"), {2, 2, 3}, {1, 2});
  EXPECT_EQ(BuildAndRun(b), Text("s32[2,2,3] {{{1, 1, 1}, {2, 2, 2}}, "
                                 "{{1, 1, 1}, {2, 2, 2}}}"));
}

TEST(BroadcastInDimTest, SizesMatchOrAreOne) {
  XlaBuilder b("broadcast_in_dim");
  BroadcastInDim(Constant(b, "s32[2] {1, 2}"), {2, 3}, {1});
  EXPECT_THAT(BuildAndRun(b), HasSubstr("_c"));
}

TEST(ClampTest, ScalarBounds) {
  XlaBuilder b("clamp");
  Clamp(ConstantR0<int32_t>(&b, 0), Constant(b, "s32[3] {-1, 5, 9}"),
        ConstantR0<int32_t>(&b, 6));
  EXPECT_EQ(BuildAndRun(b), Text("s32[3] {0, 5, 6}"));
}

// clamp(a, x, b) = min(max(a, x), b), also where a > b.
TEST(ClampTest, IsMinOfMax) {
  XlaBuilder b("clamp");
  const XlaOp low = Constant(b, "s32[3] {0, 5, 7}");
  const XlaOp x = Constant(b, "s32[3] {-1, 9, 3}");
  const XlaOp high = Constant(b, "s32[3] {6, 6, 2}");
  Tuple(&b, {Clamp(low, x, high), Min(Max(low, x), high)});
  EXPECT_EQ(BuildAndRun(b), Text("(s32[3], s32[3]) ({0, 6, 2}, {0, 6, 2})"));
}

TEST(CollapseTest, AllDimensions) {
  EXPECT_EQ(Collapsed({0, 1, 2}), Text(kInOrder24));
}

// The document calls {0,1} what makes 4x6 and {1,2} what makes 8x3; by its own
// definition they are the other way round.
TEST(CollapseTest, TwoDimensions) {
  EXPECT_EQ(Collapsed({1, 2}), Text(kInOrder46));
  EXPECT_EQ(Collapsed({0, 1}), Text(kInOrder83));
}

TEST(CollapseTest, DimensionsAreConsecutiveAndInOrder) {
  EXPECT_THAT(Collapsed({1, 0}), HasSubstr("(collapse_c"));
  EXPECT_THAT(Collapsed({0, 2}), HasSubstr("(collapse_c"));
}

TEST(ConcatenateTest, OneDimension) {
  XlaBuilder b("concat");
  ConcatInDim(&b,
              {Constant(b, "s32[2] {2, 3}"), Constant(b, "s32[2] {4, 5}"),
               Constant(b, "s32[2] {6, 7}")},
              0);
  EXPECT_EQ(BuildAndRun(b), Text("s32[6] {2, 3, 4, 5, 6, 7}"));
}

TEST(ConcatenateTest, TwoDimensions) {
  XlaBuilder b("concat");
  ConcatInDim(&b,
              {Constant(b, "s32[3,2] {{1, 2}, {3, 4}, {5, 6}}"),
               Constant(b, "s32[1,2] {{7, 8}}")},
              0);
  EXPECT_EQ(BuildAndRun(b), Text("s32[4,2] {{1, 2}, {3, 4}, {5, 6}, {7, 8}}"));
}

TEST(ConcatenateTest, ScalarsCannotBeConcatenated) {
  XlaBuilder b("concat");
  const XlaOp scalar = ConstantR0<float>(&b, 1);
  ConcatInDim(&b, {scalar, scalar}, 0);
  EXPECT_THAT(BuildAndRun(b), HasSubstr("(concatenate_c"));
}

TEST(ConvertElementTypeTest, IntegersToFloats) {
  XlaBuilder b("convert");
  ConvertElementType(Constant(b, "s32[3] {0, 1, 2}"), F32);
  EXPECT_EQ(BuildAndRun(b), Text("f32[3] {0, 1, 2}"));
}

// "Round to nearest even", as C++'s static_cast.
TEST(ConvertElementTypeTest, LargeIntegersRoundToEven) {
  XlaBuilder b("convert");
  ConvertElementType(Constant(b, "s32[3] {16777217, 16777219, -16777217}"),
                     F32);
  EXPECT_EQ(BuildAndRun(b), Text("f32[3] {16777216, 16777220, -16777216}"));
}

TEST(DimensionSizeTest, ReductionsStopAtTheDynamicSize) {
  XlaBuilder b("sizes");
  const XlaOp v = ConstantLiteral(&b, Counting({10}, 1));
  const auto padded = [&](int32_t size) {
    return SetDimensionSize(v, ConstantR0<int32_t>(&b, size), 0);
  };
  const XlaComputation add = CreateScalarAddComputation(F32, &b);
  const XlaComputation multiply = CreateScalarMultiplyComputation(F32, &b);
  const XlaOp zero = ConstantR0<float>(&b, 0);
  const XlaOp one = ConstantR0<float>(&b, 1);
  Tuple(
      &b,
      {Reduce(padded(5), zero, add, {0}), Reduce(padded(5), one, multiply, {0}),
       Reduce(padded(6), zero, add, {0}), GetDimensionSize(padded(6), 0)});
  EXPECT_EQ(BuildAndRun(b),
            Text("(f32[], f32[], f32[], s32[]) (15, 120, 21, 6)"));
}

TEST(IotaTest, AlongEachDimension) {
  const Shape shape = ShapeUtil::MakeShape(S32, {4, 8});
  XlaBuilder b("iota");
  Tuple(&b, {Iota(&b, shape, 0), Iota(&b, shape, 1)});
  EXPECT_EQ(BuildAndRun(b),
            Text("(s32[4,8], s32[4,8]) ("
                 "{{0, 0, 0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 1}, "
                 "{2, 2, 2, 2, 2, 2, 2, 2}, {3, 3, 3, 3, 3, 3, 3, 3}}, "
                 "{{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}, "
                 "{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}})"));
}

TEST(IotaTest, FloatsAreConvertedIntegers) {
  XlaBuilder b("iota");
  Tuple(&b, {Iota(&b, F16, 5), ConvertElementType(Iota(&b, S32, 5), F16)});
  EXPECT_EQ(BuildAndRun(b), Text("(f16[5], f16[5]) ({0, 1, 2, 3, 4}, "
                                 "{0, 1, 2, 3, 4})"));
}

// Edge and interior padding of a matrix, and padding that changes nothing.
TEST(PadTest, EdgesAndInterior) {
  XlaBuilder b("pad");
  const XlaOp x = Constant(b, "s32[2,2] {{1, 2}, {3, 4}}");
  const auto pad = [&](const std::vector<Dims>& low_high_interior) {
    PaddingConfig config;
    for (const Dims& d : low_high_interior) {
      PaddingConfig::PaddingConfigDimension& added = *config.add_dimensions();
      added.set_edge_padding_low(d[0]);
      added.set_edge_padding_high(d[1]);
      added.set_interior_padding(d[2]);
    }
    return Pad(x, ConstantR0<int32_t>(&b, 0), config);
  };
  Tuple(&b, {pad({{1, 0, 0}, {0, 2, 0}}), pad({{0, 0, 1}, {0, 0, 2}}),
             pad({{0, 1, 1}, {-1, 0, 1}}), pad({{0, 0, 0}, {0, 0, 0}})});
  EXPECT_EQ(BuildAndRun(b),
            Text("(s32[3,4], s32[3,4], s32[4,2], s32[2,2]) ("
                 "{{0, 0, 0, 0}, {1, 2, 0, 0}, {3, 4, 0, 0}}, "
                 "{{1, 0, 0, 2}, {0, 0, 0, 0}, {3, 0, 0, 4}}, "
                 "{{0, 2}, {0, 0}, {0, 4}, {0, 0}}, {{1, 2}, {3, 4}})"));
}

TEST(ReshapeTest, InOrder) {
  EXPECT_EQ(Reshaped({0, 1, 2}, {24}), Text(kInOrder24));
  EXPECT_EQ(Reshaped({0, 1, 2}, {8, 3}), Text(kInOrder83));
}

TEST(ReshapeTest, OutOfOrder) {
  EXPECT_EQ(Reshaped({1, 2, 0}, {24}),
            Text("f32[24] {10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42, "
                 "15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47}"));
  EXPECT_EQ(Reshaped({1, 2, 0}, {8, 3}),
            Text("f32[8,3] {{10, 20, 30}, {40, 11, 21}, {31, 41, 12}, "
                 "{22, 32, 42}, {15, 25, 35}, {45, 16, 26}, {36, 46, 17}, "
                 "{27, 37, 47}}"));
  EXPECT_EQ(Reshaped({1, 2, 0}, {2, 6, 2}),
            Text("f32[2,6,2] {{{10, 20}, {30, 40}, {11, 21}, {31, 41}, "
                 "{12, 22}, {32, 42}}, {{15, 25}, {35, 45}, {16, 26}, "
                 "{36, 46}, {17, 27}, {37, 47}}}"));
}

TEST(ReshapeTest, SingleElementAndScalar) {
  XlaBuilder b("reshape");
  Tuple(&b, {Reshape(Constant(b, "f32[1,1] {{5}}"), {0, 1}, {}),
             Reshape(ConstantR0<float>(&b, 5), {}, {1, 1})});
  EXPECT_EQ(BuildAndRun(b), Text("(f32[], f32[1,1]) (5, {{5}})"));
}

// Index i of a reversed dimension becomes N - 1 - i.
TEST(RevTest, IndicesCountFromTheEnd) {
  const Literal x = Counting({4, 2, 3});
  XlaBuilder b("rev");
  Rev(ConstantLiteral(&b, x), {0, 2});
  const Literal reversed = RunToLiteral(b);
  for (const Dims& i : Indices({4, 2, 3})) {
    EXPECT_EQ(reversed.Get<float>({4 - 1 - i[0], i[1], 3 - 1 - i[2]}),
              x.Get<float>(i));
  }
}

TEST(SelectTest, PredicateOfEachElement) {
  XlaBuilder b("select");
  Select(Constant(b, "pred[4] {true, false, false, true}"),
         Constant(b, "s32[4] {1, 2, 3, 4}"),
         Constant(b, "s32[4] {100, 200, 300, 400}"));
  EXPECT_EQ(BuildAndRun(b), Text("s32[4] {1, 200, 300, 4}"));
}

TEST(SelectTest, ScalarPredicate) {
  XlaBuilder b("select");
  Select(ConstantR0<bool>(&b, true), Constant(b, "s32[4] {1, 2, 3, 4}"),
         Constant(b, "s32[4] {100, 200, 300, 400}"));
  EXPECT_EQ(BuildAndRun(b), Text("s32[4] {1, 2, 3, 4}"));
}

TEST(SelectTest, Tuples) {
  XlaBuilder b("select");
  const XlaOp one = Tuple(&b, {Constant(b, "f32[2] {1, 2}")});
  const XlaOp two = Tuple(&b, {Constant(b, "f32[2] {3, 4}")});
  Select(ConstantR0<bool>(&b, false), one, two);
  EXPECT_EQ(BuildAndRun(b), Text("(f32[2]) ({3, 4})"));
}

TEST(SliceTest, OneDimension) {
  XlaBuilder b("slice");
  Slice(Constant(b, "f32[5] {0, 1, 2, 3, 4}"), {2}, {4}, {1});
  EXPECT_EQ(BuildAndRun(b), Text("f32[2] {2, 3}"));
}

TEST(SliceTest, TwoDimensions) {
  XlaBuilder b("slice");
  Slice(Constant(b, kRows), {2, 1}, {4, 3}, {1, 1});
  EXPECT_EQ(BuildAndRun(b), Text("f32[2,2] {{7, 8}, {10, 11}}"));
}

// "Same as Reshape(operand, permutation, Permute(permutation, sizes))."
TEST(TransposeTest, IsReshapeInThatOrder) {
  const Literal x = Counting({2, 3, 5});
  XlaBuilder b("transpose");
  const XlaOp operand = ConstantLiteral(&b, x);
  Tuple(&b, {Transpose(operand, {1, 2, 0}),
             Reshape(operand, {1, 2, 0}, {3, 5, 2})});
  const Literal both = RunToLiteral(b);
  for (const Dims& i : Indices({2, 3, 5})) {
    // input_dimensions[permutation[i]] = output_dimensions[i].
    EXPECT_EQ(both.Get<float>({i[1], i[2], i[0]}, {0}), x.Get<float>(i));
    EXPECT_EQ(both.Get<float>({i[1], i[2], i[0]}, {1}), x.Get<float>(i));
  }
}

TEST(TupleTest, MakesAndTakesApart) {
  XlaBuilder b("tuple");
  const XlaOp v = ConstantLiteral(&b, Counting({10}));
  const XlaOp t = Tuple(&b, {v, ConstantR0<int32_t>(&b, 5)});
  EXPECT_EQ(b.GetShape(t)->ToString(), "(f32[10], s32[])");
  const XlaOp element_1 = GetTupleElement(t, 1);
  EXPECT_EQ(b.GetShape(element_1)->ToString(), "s32[]");
  Tuple(&b, {GetTupleElement(t, 0), element_1});
  EXPECT_EQ(BuildAndRun(b),
            Text("(f32[10], s32[]) ({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 5)"));
}

}  // namespace
}  // namespace xla::spec
