// Diagonals, triangles and Einsum against values computed by hand or by numpy.
#include "xla/hlo/builder/lib/matrix.h"

#include <vector>

#include "gtest/gtest.h"
#include "tests/hlo/builder/lib/arguments.h"
#include "tests/hlo/builder/lib/evaluate.h"
#include "xla/core/literal/literal_util.h"

namespace xla {
namespace {

using Ops = absl::Span<const XlaOp>;

// { {1, 2, 3}, {4, 5, 6} }
Arguments Small() {
  return Of(LiteralUtil::CreateR2<float>({{1, 2, 3}, {4, 5, 6}}));
}

TEST(MatrixTest, Identity) {
  EXPECT_EQ(RunToText([](XlaBuilder* b, Ops) {
              return IdentityMatrix(b, S32, 2, 3);
            }),
            "{ { 1, 0, 0 }, { 0, 1, 0 } }");
}

TEST(MatrixTest, Diagonals) {
  auto diagonal = [](int k, bool gather) {
    return RunToText(
        [=](XlaBuilder*, Ops p) {
          return gather ? GetMatrixDiagonalViaGather(p[0], k)
                        : GetMatrixDiagonal(p[0], k);
        },
        Small());
  };
  for (bool gather : {false, true}) {
    EXPECT_EQ(diagonal(0, gather), "{1, 5}");
    EXPECT_EQ(diagonal(1, gather), "{2, 6}");
    EXPECT_EQ(diagonal(2, gather), "{3}");
    EXPECT_EQ(diagonal(-1, gather), "{4}");
    EXPECT_EQ(diagonal(3, gather), "{}");
  }
}

TEST(MatrixTest, DiagonalsKeepAllBits) {
  const Arguments x = Of(LiteralUtil::CreateR2<float>({{-0.0f, 1}, {1, 2}}));
  EXPECT_EQ(
      RunToText([](XlaBuilder*, Ops p) { return GetMatrixDiagonal(p[0]); }, x),
      "{-0, 2}");
  const Arguments c = Of(LiteralUtil::CreateR2<complex64>(
      {{{1, 2}, {0, 0}}, {{0, 0}, {3, 4}}, {{5, 5}, {6, 6}}}));
  EXPECT_EQ(
      RunToText([](XlaBuilder*, Ops p) { return GetMatrixDiagonal(p[0]); }, c),
      "{(1, 2), (3, 4)}");
  const Arguments bools = Of(LiteralUtil::CreateR2<bool>({{true, false}}));
  EXPECT_EQ(
      RunToText([](XlaBuilder*, Ops p) { return GetMatrixDiagonal(p[0]); },
                bools),
      "{1}");
}

TEST(MatrixTest, TallMatrices) {
  const Arguments x =
      Of(LiteralUtil::CreateR2<int32_t>({{1, 2}, {3, 4}, {5, 6}, {7, 8}}));
  auto diagonal = [&](int k) {
    return RunToText(
        [=](XlaBuilder*, Ops p) { return GetMatrixDiagonal(p[0], k); }, x);
  };
  EXPECT_EQ(diagonal(0), "{1, 4}");
  EXPECT_EQ(diagonal(1), "{2}");
  EXPECT_EQ(diagonal(-1), "{3, 6}");
  EXPECT_EQ(diagonal(-3), "{7}");
}

TEST(MatrixTest, SetDiagonal) {
  auto set = [](int k, std::vector<float> values) {
    return RunToText(
        [&](XlaBuilder* b, Ops p) {
          return SetMatrixDiagonal(p[0], ConstantR1<float>(b, values), k);
        },
        Small());
  };
  EXPECT_EQ(set(0, {8, 9}), "{ { 8, 2, 3 }, { 4, 9, 6 } }");
  EXPECT_EQ(set(1, {8, 9}), "{ { 1, 8, 3 }, { 4, 5, 9 } }");
  EXPECT_EQ(set(-1, {8}), "{ { 1, 2, 3 }, { 8, 5, 6 } }");
}

TEST(MatrixTest, Triangles) {
  auto text = [](XlaOp (*f)(XlaOp)) {
    return RunToText([f](XlaBuilder*, Ops p) { return f(p[0]); }, Small());
  };
  EXPECT_EQ(text(UpperTriangle), "{ { 1, 2, 3 }, { 0, 5, 6 } }");
  EXPECT_EQ(text(LowerTriangle), "{ { 1, 0, 0 }, { 4, 5, 0 } }");
  EXPECT_EQ(text(TransposeInMinorDims), "{ { 1, 4 }, { 2, 5 }, { 3, 6 } }");
  EXPECT_EQ(RunToText([](XlaBuilder*, Ops p) { return Triangle(p[0], true); },
                      Small()),
            text(LowerTriangle));
  EXPECT_EQ(RunToText([](XlaBuilder*, Ops p) { return TriangleMask(p[0], 1); },
                      Small()),
            "{ { 1, 1, 0 }, { 1, 1, 1 } }");
  EXPECT_EQ(
      RunToText([](XlaBuilder*, Ops p) { return GetDiagonalMask(p[0], 1); },
                Small()),
      "{ { 0, 1, 0 }, { 0, 0, 1 } }");
  EXPECT_EQ(
      RunToText([](XlaBuilder*,
                   Ops p) { return MaybeTransposeInMinorDims(p[0], false); },
                Small()),
      "{ { 1, 2, 3 }, { 4, 5, 6 } }");
}

TEST(MatrixTest, Symmetrize) {
  const Arguments x = Of(LiteralUtil::CreateR2<float>({{1, 2}, {3, 4}}));
  auto text = [&](bool lower) {
    return RunToText(
        [=](XlaBuilder*, Ops p) { return Symmetrize(p[0], lower); }, x);
  };
  EXPECT_EQ(text(true), "{ { 1, 3 }, { 3, 4 } }");
  EXPECT_EQ(text(false), "{ { 1, 2 }, { 2, 4 } }");
  const Arguments c = Of(
      LiteralUtil::CreateR2<complex64>({{{1, 9}, {2, 3}}, {{4, 5}, {6, 9}}}));
  EXPECT_EQ(
      RunToText([](XlaBuilder*, Ops p) { return Symmetrize(p[0], true); }, c),
      "{ { (1, 0), (4, -5) }, { (4, 5), (6, 0) } }");
}

TEST(MatrixTest, DiagonalsOutside) {
  const Arguments x = Of(RandomLiteral(F32, {3, 4}), RandomLiteral(F32, {0}));
  for (const int k : {-4, -3, 4, 7}) {
    const auto get = [&](XlaBuilder*, Ops p) {
      return GetMatrixDiagonal(p[0], k);
    };
    EXPECT_EQ(RunToText(get, x), "{}") << k;
    const auto set = [&](XlaBuilder*, Ops p) {
      return SetMatrixDiagonal(p[0], p[1], k);
    };
    const auto same = [](XlaBuilder*, Ops p) { return p[0]; };
    EXPECT_EQ(RunToText(set, x), RunToText(same, x)) << k;
  }
}

TEST(MatrixTest, ParseEinsum) {
  using Terms = std::array<std::vector<int64_t>, 3>;
  EXPECT_EQ(ParseEinsumString("ab,cb->ac", 2, 2).value(),
            (Terms{{{0, 1}, {2, 1}, {0, 2}}}));
  EXPECT_EQ(ParseEinsumString("...ab,...bcd->...acd", 4, 5).value(),
            (Terms{{{0, 1, 2, 3}, {0, 1, 3, 4, 5}, {0, 1, 2, 4, 5}}}));
  EXPECT_EQ(ParseEinsumString("ab...,b...->a...", 3, 3).value(),
            (Terms{{{0, 1, 2}, {1, 3, 2}, {0, 3, 2}}}));
  for (const char* bad : {"ab", "ab,bc,cd->ad", "abc,bc->a", "ab,bc->->a",
                          "a1,b1->a", "ab,bc->ax", "......ab,bc->a", "ab,bc"}) {
    EXPECT_EQ(ParseEinsumString(bad, 2, 2).status().code(),
              absl::StatusCode::kInvalidArgument)
        << bad;
  }
}

TEST(MatrixTest, NormalizeEinsum) {
  EXPECT_EQ(NormalizeEinsumString("ab,bc->ac"), "");
  EXPECT_EQ(NormalizeEinsumString("zb,bc"), "zb,bc->cz");
  EXPECT_EQ(NormalizeEinsumString("...a,...b"), "...a,...b->...ab");
}

// The values come from numpy.einsum.
TEST(MatrixTest, Einsum) {
  const Arguments x =
      Of(LiteralUtil::CreateR2<float>({{1, 2, 3}, {4, 5, 6}}),
         LiteralUtil::CreateR2<float>({{1, 0, 2}, {0, 3, 1}, {2, 2, 5}}),
         LiteralUtil::CreateR3<float>({{{1, 2, 3}}, {{4, 5, 6}}}));
  auto text = [&](const char* config, int i, int j) {
    return RunToText(
        [=](XlaBuilder*, Ops p) { return Einsum(p[i], p[j], config); }, x);
  };
  EXPECT_EQ(text("ab,bc->ac", 0, 1), "{ { 7, 12, 19 }, { 16, 27, 43 } }");
  EXPECT_EQ(text("ab,bc", 0, 1), "{ { 7, 12, 19 }, { 16, 27, 43 } }");
  EXPECT_EQ(text("ab,bc->ca", 0, 1), "{ { 7, 16 }, { 12, 27 }, { 19, 43 } }");
  EXPECT_EQ(text("ab,cb->a", 0, 1), "{37, 85}");
  EXPECT_EQ(text("ab,ab->ab", 0, 0), "{ { 1, 4, 9 }, { 16, 25, 36 } }");
  EXPECT_EQ(text("ab,bb->ab", 0, 1), "{ { 1, 6, 15 }, { 4, 15, 30 } }");
  EXPECT_EQ(text("ab,cd->", 0, 1), "336");
  EXPECT_EQ(text("...ab,...bc->...ac", 2, 1),
            "{ { { 7, 12, 19 } }, { { 16, 27, 43 } } }");
  EXPECT_EQ(text("abc,ab->ac", 2, 0), "{ { 6, 12, 18 }, { 60, 75, 90 } }");
  auto unary = [&](const char* config, int i) {
    return RunToText([=](XlaBuilder*, Ops p) { return Einsum(p[i], config); },
                     x);
  };
  EXPECT_EQ(unary("ab->ba", 0), "{ { 1, 4 }, { 2, 5 }, { 3, 6 } }");
  EXPECT_EQ(unary("aa->a", 1), "{1, 3, 5}");
  EXPECT_EQ(unary("aa->", 1), "9");
  EXPECT_EQ(unary("...b->...", 0), "{6, 15}");
  EXPECT_EQ(RunToText(
                [](XlaBuilder*, Ops p) {
                  return Einsum(p[0], {5, 7}, p[1], {7, 6}, {5, 6});
                },
                x),
            "{ { 7, 12, 19 }, { 16, 27, 43 } }");
}

TEST(MatrixTest, BatchDot) {
  const Arguments x = Of(LiteralUtil::CreateR3<float>({{{1, 2}}, {{3, 4}}}),
                         LiteralUtil::CreateR3<float>({{{1, 2}}, {{10, 20}}}),
                         LiteralUtil::CreateR3<float>({{{1}, {1}}}));
  EXPECT_EQ(RunToText([](XlaBuilder*,
                         Ops p) { return BatchDot(p[0], false, p[1], true); },
                      x),
            "{ { {5} }, { {110} } }");
  EXPECT_EQ(RunToText([](XlaBuilder*,
                         Ops p) { return BatchDot(p[0], true, p[1], false); },
                      x),
            "{ { { 1, 2 }, { 2, 4 } }, { { 30, 60 }, { 40, 80 } } }");
  // One matrix is used for the whole batch.
  EXPECT_EQ(
      RunToText([](XlaBuilder*, Ops p) { return BatchDot(p[0], p[2]); }, x),
      "{ { {3} }, { {7} } }");
}

TEST(MatrixTest, Rules) {
  const Arguments x = Of(RandomLiteral(F32, {3}), RandomLiteral(F32, {2, 3}));
  ExpectBreaks(
      "matrix_c1", [](XlaBuilder*, Ops p) { return TriangleMask(p[0], 0); }, x);
  ExpectBreaks(
      "matrix_c2", [](XlaBuilder*, Ops p) { return Symmetrize(p[1], true); },
      x);
  ExpectBreaks(
      "diagonal_c1",
      [](XlaBuilder*, Ops p) { return SetMatrixDiagonal(p[1], p[0], 0); }, x);
  ExpectBreaks(
      "einsum_c1",
      [](XlaBuilder*, Ops p) { return Einsum(p[1], p[1], "abc,ab->c"); }, x);
  ExpectBreaks(
      "einsum_c1", [](XlaBuilder*, Ops p) { return Einsum(p[1], "ab->a->b"); },
      x);
  ExpectBreaks(
      "einsum_c2",
      [](XlaBuilder*, Ops p) { return Einsum(p[1], p[1], "ab,bc->ac"); }, x);
  ExpectBreaks(
      "einsum_c2", [](XlaBuilder*, Ops p) { return Einsum(p[1], "aa->a"); }, x);
}

}  // namespace
}  // namespace xla
