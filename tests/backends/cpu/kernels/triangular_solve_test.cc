// Solutions of triangular systems, multiplied by the triangle again.
#include "xla/backends/cpu/kernels/triangular_solve.h"

#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/backends/cpu/kernels/kernel_test_base.h"

namespace xla::cpu {
namespace {

template <typename T>
constexpr PrimitiveType kType = sizeof(T) == 4 ? F32 : F64;
template <typename T>
constexpr double kTolerance = sizeof(T) == 4 ? 2e-5 : 1e-13;

// A matrix whose triangles are well conditioned, with NaN in the triangle that
// must not be read.
template <typename T>
std::vector<T> Triangle(const TriangularDesc& desc) {
  const int64_t n = desc.order();
  std::vector<T> a = RandomElements<T>(n * n, 1);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      const bool read = desc.lower ? j <= i : j >= i;
      T& value = a[i * n + j];
      if (!read || (i == j && desc.unit_diagonal)) {
        value = std::nan("");
      } else {
        value = i == j ? 2 + value : value / static_cast<T>(n);
      }
    }
  }
  return a;
}

// T x or x T.
template <typename T>
std::vector<double> Product(const TriangularDesc& desc, const std::vector<T>& a,
                            const std::vector<T>& x) {
  const int64_t n = desc.order();
  const bool lower = desc.lower != desc.transposed;
  const auto at = [&](int64_t i, int64_t j) -> double {
    if (i == j && desc.unit_diagonal) return 1;
    if (lower ? j > i : j < i) return 0;
    return desc.transposed ? a[j * n + i] : a[i * n + j];
  };
  std::vector<double> b(desc.rows * desc.columns, 0);
  for (int64_t i = 0; i < desc.rows; ++i) {
    for (int64_t j = 0; j < desc.columns; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < n; ++l) {
        sum += desc.left ? at(i, l) * x[l * desc.columns + j]
                         : x[i * desc.columns + l] * at(l, j);
      }
      b[i * desc.columns + j] = sum;
    }
  }
  return b;
}

template <typename T>
void TestSolve(TriangularDesc desc) {
  desc.type = kType<T>;
  SCOPED_TRACE(testing::Message()
               << desc.rows << "x" << desc.columns << " left " << desc.left
               << " lower " << desc.lower << " transposed " << desc.transposed
               << " unit " << desc.unit_diagonal);
  const std::vector<T> a = Triangle<T>(desc);
  const std::vector<T> b = RandomElements<T>(desc.rows * desc.columns, 2);
  std::vector<T> first;
  const TriangularSolvePlan plan(desc, KernelTarget());
  for (int threads : {1, 3}) {
    std::vector<T> x = b;
    Memory scratch(plan.ScratchBytes());
    ThreadRunner runner(threads);
    plan.Run(a.data(), x.data(), scratch.data(), runner);
    if (first.empty()) first = x;
    ASSERT_EQ(x, first);
  }
  const std::vector<double> again = Product(desc, a, first);
  for (size_t i = 0; i < b.size(); ++i) {
    ASSERT_NEAR(again[i], b[i], kTolerance<T>) << i;
  }
}

TEST(TriangularSolveTest, SolvesTrianglesOfAllKinds) {
  for (int kind = 0; kind < 16; ++kind) {
    TriangularDesc desc;
    desc.left = kind & 1;
    desc.lower = kind & 2;
    desc.transposed = kind & 4;
    desc.unit_diagonal = kind & 8;
    const std::pair<int64_t, int64_t> sizes[] = {
        {48, 16}, {57, 71}, {16, 48}, {130, 301}, {301, 65}};
    for (const auto& [rows, columns] : sizes) {
      desc.rows = rows;
      desc.columns = columns;
      TestSolve<float>(desc);
      TestSolve<double>(desc);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(TriangularSolveTest, SolvesMoreThanABlockOfDepth) {
  TestSolve<float>({.rows = 1100, .columns = 40});
  TestSolve<double>({.left = false, .rows = 33, .columns = 1100});
}

TEST(TriangularSolveTest, LeavesSmallSystemsToOthers) {
  EXPECT_TRUE(HasTriangularSolveKernel({.rows = 100, .columns = 100}));
  EXPECT_FALSE(HasTriangularSolveKernel({.rows = 100, .columns = 1}));
  EXPECT_FALSE(
      HasTriangularSolveKernel({.left = false, .rows = 100, .columns = 20}));
}

}  // namespace
}  // namespace xla::cpu
