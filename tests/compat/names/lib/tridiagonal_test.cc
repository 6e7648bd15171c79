// Uses every name of xla/hlo/builder/lib/tridiagonal.h.
#include "xla/hlo/builder/lib/tridiagonal.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

TEST(LibTridiagonalNamesTest, SolvesAndMultiplies) {
  using tridiagonal::SolverAlgorithm;
  auto row = [](XlaBuilder* b, float x, float y, float z) {
    return ConstantR2<float>(b, {{x, y, z}});
  };
  // [[2, 1, 0], [1, 2, 1], [0, 1, 2]] times (1, 2, 4) is (4, 9, 10).
  EXPECT_EQ(names_testing::ValueOf([&](XlaBuilder* b) {
              return tridiagonal::TridiagonalSolver(
                         SolverAlgorithm::kThomas, row(b, 0, 1, 1),
                         row(b, 2, 2, 2), row(b, 1, 1, 0), row(b, 4, 8.5, 9))
                  .value();
            }),
            names_testing::ValueOf([&](XlaBuilder* b) {
              XlaOp diagonals = ConcatInDim(
                  b, {row(b, 1, 1, 0), row(b, 2, 2, 2), row(b, 0, 1, 1)}, 0);
              return tridiagonal::TridiagonalSolver(
                         tridiagonal::kThomas, diagonals, row(b, 4, 8.5, 9))
                  .value();
            }));
  EXPECT_EQ(names_testing::ValueOf([&](XlaBuilder* b) {
              return tridiagonal::TridiagonalMatMul(
                         row(b, 1, 1, 0), row(b, 2, 2, 2), row(b, 0, 1, 1),
                         ConstantR2<float>(b, {{1}, {2}, {4}}))
                  .value();
            }),
            "{ {4}, {9}, {10} }");
  XlaBuilder b("error");
  EXPECT_FALSE(tridiagonal::TridiagonalSolver(
                   tridiagonal::kThomas, row(&b, 1, 2, 3), row(&b, 1, 2, 3))
                   .ok());
}

}  // namespace
}  // namespace xla
