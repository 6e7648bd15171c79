// Compares blocks of rows with two consecutive dots.
#include "xla/backends/cpu/kernels/products/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/backends/cpu/kernels/kernel_test_base.h"

namespace xla::cpu {
namespace {

struct BlockSizes {
  int64_t batch, m, n, k, p;
};
constexpr BlockSizes kBlockSizes[] = {
    {1, 1, 1, 1, 1},       {3, 200, 70, 33, 41}, {2, 400, 513, 9, 20},
    {1, 1000, 30, 600, 3}, {16, 15, 16, 17, 18}, {1, 300, 1024, 5, 7},
    {2, 130, 0, 4, 5},     {2, 50, 40, 0, 30}};

// Depends on the row's number and on the whole row. Gives small integers, so
// that sums of products are exact in any order.
template <typename T, typename L>
void Rows(int64_t first, int64_t rows, int64_t columns, const char* block,
          char* left) {
  const T* values = reinterpret_cast<const T*>(block);
  L* results = reinterpret_cast<L*>(left);
  for (int64_t i = 0; i < rows; ++i) {
    double sum = first + i;
    for (int64_t j = 0; j < columns; ++j) sum += double{values[j]};
    for (int64_t j = 0; j < columns; ++j) {
      results[j] = static_cast<L>(std::fmod(double{values[j]}, 4) +
                                  std::fmod(std::floor(sum), 8));
    }
    values += columns;
    results += columns;
  }
}

// The first product has elements of type T, the left rows of the second L, and
// all others `type`.
template <typename T, typename L = T>
void TestType(PrimitiveType type, PrimitiveType first, PrimitiveType left,
              const BlockSizes& s, bool lhs_transposed, bool rhs_transposed) {
  AttentionDesc desc;
  desc.first = {type, type, first, s.batch, s.m, s.n, s.k};
  desc.first.lhs_transposed = lhs_transposed;
  desc.first.rhs_transposed = rhs_transposed;
  desc.second = {left, type, type, s.batch, s.m, s.p, s.n};
  desc.second.rhs_transposed = rhs_transposed;
  Elements lhs(type, s.batch * s.m * s.k), rhs(type, s.batch * s.k * s.n),
      values(type, s.batch * s.n * s.p), between(first, s.batch * s.m * s.n),
      made(left, s.batch * s.m * s.n), expected(type, s.batch * s.m * s.p),
      out(type, s.batch * s.m * s.p);
  lhs.Randomize(1);
  rhs.Randomize(2);
  values.Randomize(3);
  InlineRunner runner;
  const auto scores = DotPlan::Make(desc.first);
  const auto second = DotPlan::Make(desc.second);
  ASSERT_TRUE(scores.ok() && second.ok());
  Memory scratch(
      std::max((*scores)->ScratchBytes(1), (*second)->ScratchBytes(1)));
  (*scores)->Run(lhs.data(), rhs.data(), between.data(), scratch.data(),
                 runner);
  Rows<T, L>(0, s.batch * s.m, s.n, between.template as<char>(),
             made.template as<char>());
  (*second)->Run(made.data(), values.data(), expected.data(), scratch.data(),
                 runner);
  std::vector<KernelTarget> targets = UnusualTargets();
  targets.push_back(KernelTarget());
  for (const auto& [threads, target] :
       {std::pair(1, 0), {1, 1}, {1, 2}, {2, 0}, {7, 2}}) {
    const auto plan = AttentionPlan::Make(desc, targets[target]);
    ASSERT_TRUE(plan.ok()) << plan.status();
    ThreadRunner threaded(threads);
    Memory own((*plan)->ScratchBytes(threads));
    std::memset(out.data(), 0x7f, out.size());
    (*plan)->Run(
        lhs.data(), rhs.data(), values.data(), out.data(),
        [&](int64_t row, int64_t rows, char* block, char* to) {
          EXPECT_EQ(to == block, s.n == 0 || sizeof(T) == sizeof(L));
          Rows<T, L>(row, rows, s.n, block, to);
        },
        own.data(), threaded);
    for (int64_t i = 0; i < out.count(); ++i) {
      ASSERT_EQ(out.template Get<double>(i), expected.template Get<double>(i))
          << PrimitiveType_Name(type) << " [" << s.batch << "," << s.m << ","
          << s.n << "," << s.k << "," << s.p << "] at " << i << " with "
          << threads;
    }
  }
}

TEST(AttentionTest, AsDotsOneAfterTheOther) {
  for (const BlockSizes& sizes : kBlockSizes) {
    for (int t = 0; t < 4; ++t) {
      TestType<float>(F32, F32, F32, sizes, t & 1, t & 2);
      TestType<double>(F64, F64, F64, sizes, t & 1, t & 2);
      if (HasFatalFailure()) return;
    }
    TestType<bfloat16>(BF16, BF16, BF16, sizes, false, true);
  }
}

TEST(AttentionTest, RowsOfAnotherWidth) {
  for (const BlockSizes& sizes : kBlockSizes) {
    TestType<float, bfloat16>(BF16, F32, BF16, sizes, false, true);
    TestType<float, half>(F16, F32, F16, sizes, true, false);
    TestType<bfloat16, float>(BF16, BF16, F32, sizes, false, false);
    TestType<float, double>(F32, F32, F64, sizes, false, true);
    if (HasFatalFailure()) return;
  }
}

// Of 2 * 9 MB of right operands there is one packed copy, whatever the number
// of threads.
TEST(AttentionTest, SharesLargeRightOperands) {
  AttentionDesc desc;
  desc.first = {F32, F32, F32, 1, 512, 36000, 64};
  desc.second = {F32, F32, F32, 1, 512, 64, 36000};
  const auto plan = AttentionPlan::Make(desc);
  ASSERT_TRUE(plan.ok()) << plan.status();
  const size_t one = (*plan)->ScratchBytes(1);
  EXPECT_LT(one, 32 << 20);
  EXPECT_LT((*plan)->ScratchBytes(4) - one, 3 * (8 << 20));
  const BlockSizes sizes = {2, 90, 9001, 64, 65};
  TestType<float>(F32, F32, F32, sizes, false, true);
  TestType<float, bfloat16>(BF16, F32, BF16, sizes, false, false);
}

TEST(AttentionTest, RefusesWhatDoesNotFit) {
  AttentionDesc good;
  good.first = {F32, F32, F32, 2, 3, 4, 5};
  good.second = {F32, F32, F32, 2, 3, 6, 4};
  EXPECT_TRUE(CheckAttention(good).ok());
  AttentionDesc bad = good;
  bad.second.k = 5;
  EXPECT_FALSE(CheckAttention(bad).ok());
  bad = good;
  bad.first.out_stride = 7;
  EXPECT_FALSE(CheckAttention(bad).ok());
  bad = good;
  bad.first.m = -3;
  EXPECT_FALSE(CheckAttention(bad).ok());
}

}  // namespace
}  // namespace xla::cpu
