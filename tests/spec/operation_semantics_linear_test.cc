// Worked examples of the operation semantics: convolutions, products of
// matrices, decompositions and Fourier transforms.
#include <complex>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/spec/spec_testing.h"

namespace xla::spec {
namespace {

using ::testing::HasSubstr;
using Dims = std::vector<int64_t>;
using Pads = std::vector<std::pair<int64_t, int64_t>>;

Dims SizesOf(const Literal& literal) {
  return Dims(literal.shape().dimensions().begin(),
              literal.shape().dimensions().end());
}

// The document's pseudo-code of a 2-D convolution; `groups` are feature groups.
double DocumentConvolution(const Literal& input, const Literal& kernel,
                           const Dims& out, const Dims& strides,
                           const Pads& pads, int64_t groups = 1) {
  const Dims in = SizesOf(input);
  const Dims k = SizesOf(kernel);
  const int64_t group = out[1] / (k[0] / groups);
  double value = 0;
  for (const Dims& i : Indices({k[1], k[2], k[3]})) {
    const int64_t iy = out[2] * strides[0] + i[1] - pads[0].first;
    const int64_t ix = out[3] * strides[1] + i[2] - pads[1].first;
    if (iy >= 0 && iy < in[2] && ix >= 0 && ix < in[3]) {
      value += input.Get<float>({out[0], group * k[1] + i[0], iy, ix}) *
               kernel.Get<float>({out[1], i[0], i[1], i[2]});
    }
  }
  return value;
}

// Runs ConvWithGeneralPadding on 0, 1, 2, ... and compares each element.
void ExpectConvolution(const Dims& input_sizes, const Dims& kernel_sizes,
                       const Dims& strides, const Pads& pads,
                       const Dims& result_sizes, int64_t groups = 1) {
  const Literal input = Counting(input_sizes, -5);
  const Literal kernel = Counting(kernel_sizes, 1);
  XlaBuilder b("conv");
  ConvWithGeneralPadding(ConstantLiteral(&b, input),
                         ConstantLiteral(&b, kernel), strides, pads, groups);
  const Literal result = RunToLiteral(b);
  ASSERT_EQ(SizesOf(result), result_sizes);
  for (const Dims& out : Indices(result_sizes)) {
    ASSERT_EQ(result.Get<float>(out),
              DocumentConvolution(input, kernel, out, strides, pads, groups));
  }
}

TEST(ConvWithGeneralPaddingTest, PseudoCode) {
  ExpectConvolution({2, 3, 5, 6}, {4, 3, 3, 2}, {2, 1}, {{1, 1}, {0, 1}},
                    {2, 4, 3, 6});
}

// padding[1] = (2,3): 2 zeros to the left and 3 to the right.
TEST(ConvWithGeneralPaddingTest, LowAndHighPadding) {
  ExpectConvolution({1, 1, 3, 3}, {1, 1, 2, 2}, {1, 1}, {{0, 0}, {2, 3}},
                    {1, 1, 2, 7});
}

// Negative padding removes elements.
TEST(ConvWithGeneralPaddingTest, NegativePadding) {
  ExpectConvolution({1, 1, 5, 5}, {1, 1, 2, 2}, {1, 1}, {{-1, 0}, {0, 0}},
                    {1, 1, 3, 4});
}

// Stride 3: windows where the spatial index is a multiple of 3. Output-z 5
// gives five values at each position.
TEST(ConvWithGeneralPaddingTest, StrideThreeAndFiveFeatures) {
  ExpectConvolution({1, 2, 8, 8}, {5, 2, 2, 2}, {3, 3}, {{0, 0}, {0, 0}},
                    {1, 5, 3, 3});
}

TEST(ConvWithGeneralPaddingTest, FeatureGroups) {
  ExpectConvolution({2, 4, 4, 4}, {6, 2, 3, 3}, {1, 1}, {{1, 1}, {1, 1}},
                    {2, 6, 4, 4}, /*groups=*/2);
}

// Depthwise: as many groups as input features, each with 2 output features.
TEST(ConvWithGeneralPaddingTest, Depthwise) {
  ExpectConvolution({1, 3, 4, 4}, {6, 1, 2, 2}, {1, 1}, {{0, 0}, {0, 0}},
                    {1, 6, 3, 3}, /*groups=*/3);
}

// Groups of the batch and of the output features convolve in pairs.
TEST(ConvWithGeneralPaddingTest, BatchGroups) {
  const Literal input = Counting({4, 2, 3, 3}, 1);
  const Literal kernel = Counting({6, 2, 2, 2}, -3);
  XlaBuilder b("conv");
  ConvWithGeneralPadding(ConstantLiteral(&b, input),
                         ConstantLiteral(&b, kernel), {1, 1}, {{0, 0}, {0, 0}},
                         /*feature_group_count=*/1,
                         /*batch_group_count=*/2);
  const Literal result = RunToLiteral(b);
  ASSERT_EQ(SizesOf(result), Dims({2, 6, 2, 2}));
  for (const Dims& out : Indices({2, 6, 2, 2})) {
    const int64_t batch = out[1] / 3 * 2 + out[0];
    EXPECT_EQ(
        result.Get<float>(out),
        DocumentConvolution(input, kernel, {batch, out[1], out[2], out[3]},
                            {1, 1}, {{0, 0}, {0, 0}}));
  }
}

// Dilation by d puts d - 1 zeros between the entries.
TEST(ConvWithGeneralPaddingTest, Dilation) {
  XlaBuilder b("conv");
  const auto numbers = XlaBuilder::CreateDefaultConvDimensionNumbers(1);
  const XlaOp x = Constant(b, "f32[1,1,3] {{{1, 2, 3}}}");
  const XlaOp holes = Constant(b, "f32[1,1,5] {{{1, 0, 2, 0, 3}}}");
  const XlaOp w = Constant(b, "f32[1,1,2] {{{10, 1}}}");
  const XlaOp w_holes = Constant(b, "f32[1,1,3] {{{10, 0, 1}}}");
  Tuple(&b, {ConvGeneralDilated(x, w, {1}, {{0, 0}}, {2}, {1}, numbers),
             ConvWithGeneralPadding(holes, w, {1}, {{0, 0}}),
             ConvGeneralDilated(x, w, {1}, {{0, 0}}, {1}, {2}, numbers),
             ConvWithGeneralPadding(x, w_holes, {1}, {{0, 0}})});
  EXPECT_EQ(BuildAndRun(b),
            Text("(f32[1,1,4], f32[1,1,4], f32[1,1,1], f32[1,1,1]) "
                 "({{{10, 2, 20, 3}}}, {{{10, 2, 20, 3}}}, {{{13}}}, "
                 "{{{13}}})"));
}

// SAME: the output has the input's size except for strides. VALID: no padding.
TEST(ConvTest, SameAndValid) {
  XlaBuilder b("conv");
  const XlaOp x = Constant(b, "f32[1,1,5] {{{1, 2, 3, 4, 5}}}");
  const XlaOp w = Constant(b, "f32[1,1,3] {{{100, 10, 1}}}");
  Tuple(&b, {Conv(x, w, {1}, Padding::kSame), Conv(x, w, {1}, Padding::kValid),
             Conv(x, w, {2}, Padding::kSame)});
  EXPECT_EQ(BuildAndRun(b),
            Text("(f32[1,1,5], f32[1,1,3], f32[1,1,3]) ("
                 "{{{12, 123, 234, 345, 450}}}, {{{123, 234, 345}}}, "
                 "{{{12, 234, 450}}})"));
}

TEST(DotTest, TableOfRanks) {
  XlaBuilder b("dot");
  const XlaOp vector = Constant(b, "f32[3] {1, 2, 3}");
  const XlaOp matrix = Constant(b, "f32[2,3] {{1, 2, 3}, {4, 5, 6}}");
  const XlaOp other = Constant(b, "f32[3,2] {{1, 2}, {3, 4}, {5, 6}}");
  Tuple(&b, {Dot(vector, vector), Dot(matrix, vector), Dot(matrix, other)});
  EXPECT_EQ(BuildAndRun(b), Text("(f32[], f32[2], f32[2,2]) "
                                 "(14, {14, 32}, {{22, 28}, {49, 64}})"));
}

TEST(DotTest, ContractedSizesMustBeEqual) {
  XlaBuilder b("dot");
  Dot(ConstantLiteral(&b, Counting({2, 3})),
      ConstantLiteral(&b, Counting({2, 3})));
  EXPECT_THAT(BuildAndRun(b), HasSubstr("(dot_c"));
}

TEST(DotGeneralTest, ContractingDimensionNumbers) {
  XlaBuilder b("dot");
  DotDimensionNumbers dnums;
  dnums.add_lhs_contracting_dimensions(1);
  dnums.add_rhs_contracting_dimensions(1);
  DotGeneral(Constant(b, "f32[2,3] {{1, 2, 3}, {4, 5, 6}}"),
             Constant(b, "f32[2,3] {{1, 1, 1}, {2, 2, 2}}"), dnums);
  EXPECT_EQ(BuildAndRun(b), Text("f32[2,2] {{6, 12}, {15, 30}}"));
}

TEST(DotGeneralTest, BatchDimensionNumbers) {
  XlaBuilder b("dot");
  DotDimensionNumbers dnums;
  dnums.add_lhs_contracting_dimensions(2);
  dnums.add_rhs_contracting_dimensions(1);
  dnums.add_lhs_batch_dimensions(0);
  dnums.add_rhs_batch_dimensions(0);
  DotGeneral(Constant(b, "f32[2,2,2] {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}"),
             Constant(b, "f32[2,2,2] {{{1, 0}, {0, 1}}, {{1, 0}, {0, 1}}}"),
             dnums);
  EXPECT_EQ(BuildAndRun(b),
            Text("f32[2,2,2] {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}"));
}

// [b0, m, k] dot [b0, k, n] and [b0, b1, m, k] dot [b0, b1, k, n].
TEST(DotGeneralTest, TableOfBatchMatmuls) {
  for (const Dims& batch : {Dims{2}, Dims{2, 3}}) {
    const int64_t n = batch.size();
    Dims lhs_sizes = batch, rhs_sizes = batch, result_sizes = batch;
    lhs_sizes.insert(lhs_sizes.end(), {4, 5});
    rhs_sizes.insert(rhs_sizes.end(), {5, 3});
    result_sizes.insert(result_sizes.end(), {4, 3});
    const Literal lhs = Counting(lhs_sizes);
    const Literal rhs = Counting(rhs_sizes, -20);
    DotDimensionNumbers dnums;
    for (int64_t i = 0; i < n; ++i) {
      dnums.add_lhs_batch_dimensions(i);
      dnums.add_rhs_batch_dimensions(i);
    }
    dnums.add_lhs_contracting_dimensions(n + 1);
    dnums.add_rhs_contracting_dimensions(n);
    XlaBuilder b("dot");
    DotGeneral(ConstantLiteral(&b, lhs), ConstantLiteral(&b, rhs), dnums);
    const Literal result = RunToLiteral(b);
    ASSERT_EQ(SizesOf(result), result_sizes);
    for (const Dims& i : Indices(result_sizes)) {
      float sum = 0;
      for (int64_t k = 0; k < 5; ++k) {
        Dims l = i, r = i;
        l[n + 1] = k;
        r[n] = k;
        sum += lhs.Get<float>(l) * rhs.Get<float>(r);
      }
      EXPECT_EQ(result.Get<float>(i), sum);
    }
  }
}

// a = l . l^T and a = u^T . u; only that triangle of a is read.
TEST(CholeskyTest, LowerAndUpper) {
  XlaBuilder b("cholesky");
  const XlaOp lower = Cholesky(
      Constant(b, "f32[3,3] {{4, 99, 99}, {2, 5, 99}, {2, 3, 6}}"), true);
  const XlaOp upper = Cholesky(
      Constant(b, "f32[3,3] {{4, 2, 2}, {99, 5, 3}, {99, 99, 6}}"), false);
  Tuple(&b, {Dot(lower, Transpose(lower, {1, 0})),
             Dot(Transpose(upper, {1, 0}), upper)});
  EXPECT_EQ(BuildAndRun(b), Text("(f32[3,3], f32[3,3]) ("
                                 "{{4, 2, 2}, {2, 5, 3}, {2, 3, 6}}, "
                                 "{{4, 2, 2}, {2, 5, 3}, {2, 3, 6}})"));
}

// op(a) x = b and x op(a) = b, with a and its transpose.
TEST(TriangularSolveTest, BothSidesAndTransposes) {
  for (bool left : {true, false}) {
    for (auto op : {TriangularSolveOptions::NO_TRANSPOSE,
                    TriangularSolveOptions::TRANSPOSE}) {
      XlaBuilder b("solve");
      // The upper triangle is not read.
      const XlaOp a = Constant(b, "f32[2,2] {{2, 77}, {4, 8}}");
      const XlaOp read = Constant(b, "f32[2,2] {{2, 0}, {4, 8}}");
      const XlaOp right = Constant(b, "f32[2,2] {{16, 32}, {48, 64}}");
      const XlaOp x = TriangularSolve(a, right, left, /*lower=*/true,
                                      /*unit_diagonal=*/false, op);
      const XlaOp op_a = op == TriangularSolveOptions::TRANSPOSE
                             ? Transpose(read, {1, 0})
                             : read;
      left ? Dot(op_a, x) : Dot(x, op_a);
      EXPECT_EQ(BuildAndRun(b), Text("f32[2,2] {{16, 32}, {48, 64}}"));
    }
  }
}

// "RFFT(fft_length=[16]) has the same output shape as RFFT(fft_length=[17])."
TEST(FftTest, ShapesOfRealTransforms) {
  XlaBuilder b("fft");
  for (int64_t n : {16, 17}) {
    const XlaOp x = ConstantLiteral(&b, Counting({n}));
    const XlaOp forward = Fft(x, FftType::RFFT, {n});
    EXPECT_EQ(b.GetShape(forward)->ToString(), "c64[9]");
    EXPECT_EQ(b.GetShape(Fft(forward, FftType::IRFFT, {n}))->dimensions(0), n);
  }
}

// Several lengths are a cascade over the innermost axes, RFFT first.
TEST(FftTest, SeveralAxesAreACascade) {
  XlaBuilder b("fft");
  const XlaOp x = ConstantLiteral(&b, Counting({3, 4}));
  const XlaOp rows = Fft(x, FftType::RFFT, {4});
  const XlaOp columns = Fft(Transpose(rows, {1, 0}), FftType::FFT, {3});
  Tuple(&b, {Fft(x, FftType::RFFT, {3, 4}), Transpose(columns, {1, 0}),
             Fft(Fft(x, FftType::RFFT, {3, 4}), FftType::IRFFT, {3, 4})});
  const Literal result = RunToLiteral(b);
  for (const Dims& i : Indices({3, 3})) {
    EXPECT_LT(
        std::abs(result.Get<complex64>(i, {0}) - result.Get<complex64>(i, {1})),
        1e-4);
  }
  for (const Dims& i : Indices({3, 4})) {
    EXPECT_NEAR(result.Get<float>(i, {2}), i[0] * 4 + i[1], 1e-5);
  }
}

}  // namespace
}  // namespace xla::spec
