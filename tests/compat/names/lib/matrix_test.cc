// Uses every name of xla/hlo/builder/lib/matrix.h.
#include "xla/hlo/builder/lib/matrix.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using names_testing::Floats;
using names_testing::ShapeOf;
using names_testing::ValueOf;
using ::testing::HasSubstr;

XlaOp Square3(XlaBuilder* b) {
  return ConstantR2<float>(b, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
}
XlaOp TwoByThree(XlaBuilder* b) {
  return ConstantR2<float>(b, {{1, 2, 3}, {4, 5, 6}});
}

TEST(LibMatrixNamesTest, Diagonals) {
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return IdentityMatrix(b, S32, 2, 3); }),
            "{ { 1, 0, 0 }, { 0, 1, 0 } }");
  EXPECT_EQ(
      ValueOf([](XlaBuilder* b) { return GetDiagonalMask(TwoByThree(b)); }),
      "{ { 1, 0, 0 }, { 0, 1, 0 } }");
  EXPECT_EQ(
      ValueOf([](XlaBuilder* b) { return GetDiagonalMask(TwoByThree(b), 1); }),
      "{ { 0, 1, 0 }, { 0, 0, 1 } }");
  for (auto* diagonal : {GetMatrixDiagonal, GetMatrixDiagonalViaGather}) {
    EXPECT_EQ(ValueOf([&](XlaBuilder* b) { return diagonal(Square3(b), 0); }),
              "{1, 5, 9}");
    EXPECT_EQ(ValueOf([&](XlaBuilder* b) { return diagonal(Square3(b), -1); }),
              "{4, 8}");
  }
  EXPECT_EQ(
      ValueOf([](XlaBuilder* b) { return GetMatrixDiagonal(Square3(b)); }),
      ValueOf([](XlaBuilder* b) {
        return GetMatrixDiagonalViaGather(Square3(b));
      }));
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return SetMatrixDiagonal(TwoByThree(b), Floats(b, {0, 0}));
            }),
            "{ { 0, 2, 3 }, { 4, 0, 6 } }");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return SetMatrixDiagonal(TwoByThree(b), Floats(b, {8, 9}), 1);
            }),
            "{ { 1, 8, 3 }, { 4, 5, 9 } }");
}

TEST(LibMatrixNamesTest, Triangles) {
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return TriangleMask(Square3(b), 0); }),
            "{ { 1, 0, 0 }, { 1, 1, 0 }, { 1, 1, 1 } }");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return TriangleMask(Square3(b), -1); }),
            "{ { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 } }");
  const std::string lower = "{ { 1, 0, 0 }, { 4, 5, 0 }, { 7, 8, 9 } }";
  const std::string upper = "{ { 1, 2, 3 }, { 0, 5, 6 }, { 0, 0, 9 } }";
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return Triangle(Square3(b), true); }),
            lower);
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return LowerTriangle(Square3(b)); }),
            lower);
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return Triangle(Square3(b), false); }),
            upper);
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return UpperTriangle(Square3(b)); }),
            upper);
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return Symmetrize(Square3(b), true); }),
            "{ { 1, 4, 7 }, { 4, 5, 8 }, { 7, 8, 9 } }");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return TransposeInMinorDims(TwoByThree(b));
            }),
            "{ { 1, 4 }, { 2, 5 }, { 3, 6 } }");
  EXPECT_EQ(ShapeOf([](XlaBuilder* b) {
              return MaybeTransposeInMinorDims(TwoByThree(b), false);
            }),
            "f32[2,3]");
  EXPECT_EQ(ShapeOf([](XlaBuilder* b) {
              return MaybeTransposeInMinorDims(TwoByThree(b), true);
            }),
            "f32[3,2]");
}

TEST(LibMatrixNamesTest, Products) {
  const std::string product = "{ { 14, 32 }, { 32, 77 } }";
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return BatchDot(TwoByThree(b), false, TwoByThree(b), true);
            }),
            product);
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return BatchDot(TwoByThree(b),
                              TransposeInMinorDims(TwoByThree(b)),
                              PrecisionConfig::HIGHEST);
            }),
            product);
  EXPECT_EQ(ShapeOf([](XlaBuilder* b) {
              return BatchDot(TwoByThree(b), true, TwoByThree(b), false,
                              PrecisionConfig::HIGH, F64);
            }),
            "f64[3,3]");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Einsum(TwoByThree(b), TwoByThree(b), "ab,cb->ac");
            }),
            product);
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Einsum(TwoByThree(b), {0, 1}, TwoByThree(b), {2, 1},
                            {0, 2});
            }),
            product);
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return Einsum(Square3(b), "aa->a"); }),
            "{1, 5, 9}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return Einsum(Square3(b), "ab->b"); }),
            "{12, 15, 18}");
  // A label twice in the output spreads the values on a diagonal.
  EXPECT_EQ(
      ValueOf([](XlaBuilder* b) { return Einsum(Floats(b, {1, 2}), "a->aa"); }),
      "{ { 1, 0 }, { 0, 2 } }");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Einsum(TwoByThree(b), TwoByThree(b), "ab,ab->aba");
            }),
            ValueOf([](XlaBuilder* b) {
              return Reshape(Floats(b, {1, 0, 4, 0, 9, 0, 0, 16, 0, 25, 0, 36}),
                             {2, 3, 2});
            }));
}

TEST(LibMatrixNamesTest, GradientFlags) {
  XlaBuilder b("flags");
  Einsum(TwoByThree(&b), TwoByThree(&b), "ab,cb->ac", PrecisionConfig::DEFAULT,
         std::nullopt, /*grad_x=*/true, /*grad_y=*/false);
  BatchDot(TwoByThree(&b), true, TwoByThree(&b), false,
           PrecisionConfig::DEFAULT, std::nullopt, false, /*grad_y=*/true);
  Einsum(TwoByThree(&b), {0, 1}, TwoByThree(&b), {2, 1}, {0, 2},
         PrecisionConfig::DEFAULT, std::nullopt, true, true);
  const XlaComputation program = b.Build().value();
  std::vector<std::string> flags;
  for (const auto& op : program.proto().computations(0).instructions()) {
    if (op.opcode() != "dot") continue;
    const auto& map = op.frontend_attributes().map();
    flags.push_back(map.at("grad_x") + " " + map.at("grad_y"));
  }
  EXPECT_THAT(flags,
              ::testing::ElementsAre("true false", "false true", "true true"));
}

TEST(LibMatrixNamesTest, EinsumStrings) {
  const auto terms = ParseEinsumString("ab,cb->ac", 2, 2).value();
  EXPECT_EQ(terms[0], (std::vector<int64_t>{terms[2][0], terms[1][1]}));
  EXPECT_EQ(terms[1][0], terms[2][1]);
  const auto batch = ParseEinsumString("...a,...a->...", 3, 2).value();
  EXPECT_EQ(batch[0].size(), 3);
  EXPECT_EQ(batch[2].size(), 2);
  EXPECT_EQ(batch[0][1], batch[1][0]);
  EXPECT_THAT(ParseEinsumString("ab", 2, 2).status().message(),
              HasSubstr("(einsum_c1)"));
  EXPECT_EQ(NormalizeEinsumString("ab,cb"), "ab,cb->ac");
  EXPECT_EQ(NormalizeEinsumString("...ba,...a"), "...ba,...a->...b");
  EXPECT_EQ(NormalizeEinsumString("ab->ba"), "");
}

}  // namespace
}  // namespace xla
