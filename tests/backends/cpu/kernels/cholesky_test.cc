// Cholesky factors, multiplied by their transposes again.
#include "xla/backends/cpu/kernels/cholesky.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "tests/backends/cpu/kernels/kernel_test_base.h"

namespace xla::cpu {
namespace {

template <typename T>
std::vector<T> RandomNumbers(int64_t count, int seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> values(-1, 1);
  std::vector<T> data(count);
  for (T& value : data) value = static_cast<T>(values(random));
  return data;
}

template <typename T>
constexpr PrimitiveType kFactorType = sizeof(T) == 4 ? F32 : F64;
template <typename T>
constexpr double kFactorTolerance = sizeof(T) == 4 ? 2e-5 : 1e-13;

template <typename T>
void TestCholesky(int64_t n) {
  const std::vector<T> factor = RandomNumbers<T>(n * n, 3);
  std::vector<T> a(n * n, std::nan(""));
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      double sum = i == j ? n : 0;
      for (int64_t l = 0; l < n; ++l) {
        sum += static_cast<double>(factor[i * n + l]) * factor[j * n + l];
      }
      a[i * n + j] = static_cast<T>(sum);
    }
  }
  std::vector<T> first;
  const CholeskyPlan plan(kFactorType<T>, n, KernelTarget());
  for (int threads : {1, 3}) {
    std::vector<T> l = a;
    Memory scratch(plan.ScratchBytes());
    ThreadRunner runner(threads);
    plan.Run(l.data(), scratch.data(), runner);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = i + 1; j < n; ++j) {
        ASSERT_TRUE(std::isnan(l[i * n + j])) << n << " " << i << j;
      }
      std::fill(l.begin() + i * n + i + 1, l.begin() + (i + 1) * n, T(0));
    }
    if (first.empty()) first = l;
    ASSERT_EQ(l, first) << n;
  }
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (int64_t l = 0; l <= j; ++l) {
        sum += static_cast<double>(first[i * n + l]) * first[j * n + l];
      }
      ASSERT_NEAR(sum, a[i * n + j], n * kFactorTolerance<T>)
          << n << " " << i << j;
    }
  }
}

TEST(CholeskyTest, FactorsPositiveMatrices) {
  for (int64_t n : {48, 50, 64, 129, 300}) {
    TestCholesky<float>(n);
    TestCholesky<double>(n);
  }
}

TEST(CholeskyTest, FactorOfANegativeMatrixHasNanOnTheDiagonal) {
  constexpr int64_t kSize = 100;
  std::vector<float> a(kSize * kSize, 0);
  for (int64_t i = 0; i < kSize; ++i) a[i * kSize + i] = i == 40 ? -1 : 1;
  const CholeskyPlan plan(F32, kSize, KernelTarget());
  Memory scratch(plan.ScratchBytes());
  InlineRunner runner;
  plan.Run(a.data(), scratch.data(), runner);
  EXPECT_EQ(a[39 * kSize + 39], 1);
  EXPECT_TRUE(std::isnan(a[40 * kSize + 40]));
}

TEST(CholeskyTest, LeavesSmallAndComplexMatricesToOthers) {
  EXPECT_TRUE(HasCholeskyKernel(F32, 512));
  EXPECT_FALSE(HasCholeskyKernel(F32, 8));
  EXPECT_FALSE(HasCholeskyKernel(C64, 512));
  EXPECT_FALSE(HasCholeskyKernel(F64, int64_t{1} << 31));
}

}  // namespace
}  // namespace xla::cpu
