// Batches of small factors and systems, compared with plain loops in F64.
#include "xla/backends/cpu/kernels/small_matrices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/backends/cpu/kernels/kernel_test_base.h"

namespace xla::cpu {
namespace {

template <typename T>
constexpr PrimitiveType kSmallType = sizeof(T) == 4 ? F32 : F64;
template <typename T>
constexpr double kSmallTolerance = sizeof(T) == 4 ? 1e-3 : 1e-11;

// Calls fn(target, runner) for each vector level, with long and short tasks.
template <typename Fn>
void ForTargets(Fn fn) {
  for (const VectorLevel level :
       {VectorLevel::kBaseline, VectorLevel::kAvx2, VectorLevel::kAvx512}) {
    for (const int threads : {1, 3}) {
      KernelTarget target;
      target.vector_level = level;
      target.task_ns = threads == 1 ? 1 << 20 : 50;
      ThreadRunner runner(threads);
      fn(target, runner);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// getrf of the column-major a[m, n].
struct LuOfOne {
  std::vector<double> lu;
  std::vector<int> pivots;
  int info = 0;

  template <typename T>
  LuOfOne(int m, int n, const T* a) : lu(a, a + m * n) {
    for (int j = 0; j < std::min(m, n); ++j) {
      int best = j;
      for (int i = j + 1; i < m; ++i) {
        if (std::abs(lu[i + j * m]) > std::abs(lu[best + j * m])) best = i;
      }
      pivots.push_back(best + 1);
      for (int c = 0; c < n; ++c) std::swap(lu[j + c * m], lu[best + c * m]);
      const double pivot = lu[j + j * m];
      if (pivot == 0 && info == 0) info = j + 1;
      for (int i = j + 1; i < m; ++i) {
        if (pivot != 0) lu[i + j * m] /= pivot;
        for (int c = j + 1; c < n; ++c) {
          lu[i + c * m] -= lu[i + j * m] * lu[j + c * m];
        }
      }
    }
  }
};

template <typename T>
void TestLu(int m, int n, int64_t count, const std::vector<T>& a) {
  SCOPED_TRACE(testing::Message() << count << " of " << m << "x" << n);
  const int steps = std::min(m, n);
  const SmallMatrices matrices = {kSmallType<T>, count, m, n};
  ASSERT_TRUE(HasSmallMatrixKernels(matrices));
  ForTargets([&](const KernelTarget& target, ParallelRunner& runner) {
    std::vector<T> lu = a;
    Memory pivots(count * steps * 4), info(count * 4);
    FactorSmallLu(matrices, lu.data(), pivots.as<int32_t>(), info.as<int32_t>(),
                  target, runner);
    for (int64_t b = 0; b < count; ++b) {
      const LuOfOne want(m, n, a.data() + b * m * n);
      ASSERT_EQ(info.as<int32_t>()[b], want.info) << b;
      for (int j = 0; j < steps; ++j) {
        ASSERT_EQ(pivots.as<int32_t>()[b * steps + j], want.pivots[j]) << b;
      }
      for (int e = 0; e < m * n; ++e) {
        const double got = lu[b * m * n + e];
        if (std::isnan(want.lu[e])) {
          ASSERT_TRUE(std::isnan(got)) << b << " " << e;
        } else if (std::isinf(want.lu[e])) {
          ASSERT_EQ(got, want.lu[e]) << b << " " << e;
        } else {
          ASSERT_NEAR(got, want.lu[e],
                      kSmallTolerance<T> * (1 + std::abs(want.lu[e])))
              << b << " " << e;
        }
      }
    }
  });
}

TEST(SmallMatricesTest, FactorsLuAsLapackDoes) {
  for (const auto& [m, n] : std::vector<std::pair<int, int>>{
           {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {16, 16}, {1, 3}, {7, 2}}) {
    for (const int64_t count : {4, 16, 37}) {
      TestLu<float>(m, n, count, RandomElements<float>(count * m * n, m));
      TestLu<double>(m, n, count, RandomElements<double>(count * m * n, m));
      if (HasFatalFailure()) return;
    }
  }
}

// Column-major 2 x 2 matrices: equal candidates, a zero column, NaN as the
// first and as the second candidate, infinity, and a pivot without an inverse.
template <typename T>
void TestUnusualPivots() {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const T inf = std::numeric_limits<T>::infinity();
  const T tiny = std::numeric_limits<T>::denorm_min();
  TestLu<T>(2, 2, 9, {2,   -2,       3, 4,  //
                      0,   0,        3, 4,  //
                      1,   2,        2, 4,  //
                      nan, 5,        3, 4,  //
                      1,   nan,      3, 4,  //
                      0,   nan,      3, 4,  //
                      inf, 1,        3, 4,  //
                      1,   -inf,     3, 4,  //
                      0,   8 * tiny, 3, 4});
}

TEST(SmallMatricesTest, TakesUnusualPivotsAsLapackDoes) {
  TestUnusualPivots<float>();
  TestUnusualPivots<double>();
}

// Divides by a pivot whose inverse is infinite.
TEST(SmallMatricesTest, DividesByPivotsWithoutAnInverse) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  std::vector<float> a;
  for (int i = 0; i < 5; ++i) {
    a.insert(a.end(),
             {i == 3 ? 8 * tiny : 8.0f, i == 3 ? 4 * tiny : 4.0f, 1, 1});
  }
  TestLu<float>(2, 2, 5, a);
}

template <typename T>
void TestCholesky(int n, int64_t count, bool lower) {
  SCOPED_TRACE(testing::Message() << count << " of " << n << " " << lower);
  std::vector<T> a = RandomElements<T>(count * n * n, n);
  for (int64_t b = 0; b < count; ++b) {
    for (int i = 0; i < n; ++i) a[b * n * n + i * n + i] += n;
  }
  const int64_t bad = count / 2;
  const int bad_row = n / 2;
  a[bad * n * n + bad_row * n + bad_row] = -1;
  const SmallMatrices matrices = {kSmallType<T>, count, n, n};
  ASSERT_TRUE(HasSmallMatrixKernels(matrices));
  ForTargets([&](const KernelTarget& target, ParallelRunner& runner) {
    std::vector<T> factor = a;
    Memory info(count * 4);
    FactorSmallCholesky(matrices, lower, factor.data(), info.as<int32_t>(),
                        target, runner);
    const auto index = [&](int64_t b, int i, int j) {
      return b * n * n + (lower ? i * n + j : j * n + i);
    };
    for (int64_t b = 0; b < count; ++b) {
      ASSERT_EQ(info.as<int32_t>()[b], b == bad ? bad_row + 1 : 0);
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const double given = a[index(b, i, j)];
          if (j > i || (b == bad && j > bad_row)) {
            ASSERT_EQ(factor[index(b, i, j)], given) << b << i << j;
          } else if (b != bad) {
            double sum = 0;
            for (int l = 0; l <= j; ++l) {
              sum += static_cast<double>(factor[index(b, i, l)]) *
                     factor[index(b, j, l)];
            }
            ASSERT_NEAR(sum, given, n * kSmallTolerance<T>) << b << i << j;
          }
        }
      }
    }
  });
}

TEST(SmallMatricesTest, FactorsPositiveMatrices) {
  for (const int n : {1, 2, 3, 4, 6, 11, 16}) {
    for (const bool lower : {false, true}) {
      TestCholesky<float>(n, 21, lower);
      TestCholesky<double>(n, 21, lower);
      if (HasFatalFailure()) return;
    }
  }
}

template <typename T>
void TestSolve(TriangularDesc desc, int64_t count) {
  desc.type = kSmallType<T>;
  SCOPED_TRACE(testing::Message()
               << count << " of " << desc.rows << "x" << desc.columns
               << " left " << desc.left << " lower " << desc.lower
               << " transposed " << desc.transposed << " unit "
               << desc.unit_diagonal);
  ASSERT_TRUE(HasSmallTriangleKernel(desc, count));
  const int64_t n = desc.order(), size = desc.rows * desc.columns;
  std::vector<T> a = RandomElements<T>(count * n * n, 1);
  for (int64_t e = 0; e < count * n * n; ++e) {
    const int64_t i = e / n % n, j = e % n;
    const bool read = desc.lower ? j <= i : j >= i;
    if (!read || (i == j && desc.unit_diagonal)) {
      a[e] = std::nan("");
    } else {
      a[e] = i == j ? 2 + a[e] : a[e] / static_cast<T>(n);
    }
  }
  const std::vector<T> b = RandomElements<T>(count * size, 2);
  const bool lower = desc.lower != desc.transposed;
  ForTargets([&](const KernelTarget& target, ParallelRunner& runner) {
    std::vector<T> x = b;
    SolveSmallTriangles(desc, count, a.data(), x.data(), target, runner);
    for (int64_t e = 0; e < count * size; ++e) {
      const int64_t m = e / size, i = e / desc.columns % desc.rows;
      const int64_t j = e % desc.columns;
      const auto at = [&](int64_t r, int64_t c) -> double {
        if (r == c && desc.unit_diagonal) return 1;
        if (lower ? c > r : c < r) return 0;
        return a[m * n * n + (desc.transposed ? c * n + r : r * n + c)];
      };
      double sum = 0;
      for (int64_t l = 0; l < n; ++l) {
        sum += desc.left ? at(i, l) * x[m * size + l * desc.columns + j]
                         : x[m * size + i * desc.columns + l] * at(l, j);
      }
      ASSERT_NEAR(sum, b[e], kSmallTolerance<T>) << e;
    }
  });
}

TEST(SmallMatricesTest, SolvesTrianglesOfAllKinds) {
  for (int kind = 0; kind < 16; ++kind) {
    TriangularDesc desc;
    desc.left = kind & 1;
    desc.lower = kind & 2;
    desc.transposed = kind & 4;
    desc.unit_diagonal = kind & 8;
    const std::pair<int, int> sizes[] = {{1, 1},  {2, 1},  {1, 3},
                                         {3, 3},  {4, 6},  {9, 2},
                                         {16, 1}, {5, 16}, {16, 16}};
    for (const auto& [rows, columns] : sizes) {
      desc.rows = rows;
      desc.columns = columns;
      TestSolve<float>(desc, 19);
      TestSolve<double>(desc, 19);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(SmallMatricesTest, LeavesLargeOrFewMatricesToOthers) {
  EXPECT_TRUE(HasSmallMatrixKernels({F64, 4, 16, 16}));
  EXPECT_FALSE(HasSmallMatrixKernels({F64, 3, 16, 16}));
  EXPECT_FALSE(HasSmallMatrixKernels({F64, 100, 17, 2}));
  EXPECT_FALSE(HasSmallMatrixKernels({F64, 100, 0, 2}));
  EXPECT_FALSE(HasSmallMatrixKernels({C64, 100, 4, 4}));
  EXPECT_TRUE(HasSmallTriangleKernel({.rows = 2, .columns = 128}, 50));
  EXPECT_FALSE(HasSmallTriangleKernel({.rows = 2, .columns = 129}, 50));
  EXPECT_FALSE(HasSmallTriangleKernel({.rows = 20, .columns = 1}, 50));
}

}  // namespace
}  // namespace xla::cpu
