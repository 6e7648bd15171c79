// Compares blocks of rows with two consecutive dots.
#include "xla/backends/cpu/kernels/attention/attention.h"

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
        [&](int64_t row, int64_t rows, ColumnRange, char* block, char* to) {
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

// A matrix of small integers by index: exact in any order of sums.
class Numbers {
 public:
  explicit Numbers(int64_t count, int seed) : data_(count) {
    for (int64_t i = 0; i < count; ++i) {
      data_[i] = static_cast<float>((i * 7 + i / 5 * 3 + seed) % 5) - 2;
    }
  }
  float& operator[](int64_t i) { return data_[i]; }
  float* data() { return data_.data(); }

 private:
  std::vector<float> data_;
};

// Attention of arrays [batch, token, head, feature] whose query heads are in
// groups that share a key head; rows are (token, group) or (group, token).
void TestInPlace(bool tokens_first) {
  constexpr int64_t kBatch = 2, kHeads = 3, kGroup = 2, kTokens = 75;
  constexpr int64_t kKeys = 41, kDepth = 9, kWidth = 19;
  constexpr int64_t kRows = kTokens * kGroup;
  Numbers q(kBatch * kTokens * kHeads * kGroup * kDepth, 1);
  Numbers k(kBatch * kKeys * kHeads * kDepth, 2);
  Numbers v(kBatch * kKeys * kHeads * kWidth, 3);
  Numbers out(kBatch * kTokens * kHeads * kGroup * kWidth, 4);
  AttentionDesc desc;
  desc.first = {F32, F32, F32, kBatch * kHeads, kRows, kKeys, kDepth};
  desc.first.rhs_transposed = true;
  desc.first.rhs_stride = kHeads * kDepth;
  desc.second = {F32, F32, F32, kBatch * kHeads, kRows, kWidth, kKeys};
  desc.second.rhs_stride = kHeads * kWidth;
  const int64_t heads = kHeads * kGroup;
  desc.batch = {{kBatch, kTokens * heads * kDepth, kKeys * kHeads * kDepth,
                 kKeys * kHeads * kWidth, kTokens * heads * kWidth},
                {kHeads, kGroup * kDepth, kDepth, kWidth, kGroup * kWidth}};
  const AttentionDim tokens = {kTokens, heads * kDepth, 0, 0, heads * kWidth};
  const AttentionDim groups = {kGroup, kDepth, 0, 0, kWidth};
  desc.rows = {tokens_first ? tokens : groups, tokens_first ? groups : tokens};
  const auto plan = AttentionPlan::Make(desc);
  ASSERT_TRUE(plan.ok()) << plan.status();
  for (const int threads : {1, 3}) {
    ThreadRunner runner(threads);
    Memory scratch((*plan)->ScratchBytes(threads));
    (*plan)->Run(
        q.data(), k.data(), v.data(), out.data(),
        [&](int64_t row, int64_t rows, ColumnRange, char* block, char* to) {
          Rows<float, float>(row, rows, kKeys, block, to);
        },
        scratch.data(), runner);
    for (int64_t b = 0; b < kBatch; ++b) {
      for (int64_t h = 0; h < kHeads; ++h) {
        for (int64_t r = 0; r < kRows; ++r) {
          const int64_t t = tokens_first ? r / kGroup : r % kTokens;
          const int64_t g = tokens_first ? r % kGroup : r / kTokens;
          const int64_t at = ((b * kTokens + t) * kHeads + h) * kGroup + g;
          std::vector<float> row(kKeys);
          for (int64_t j = 0; j < kKeys; ++j) {
            for (int64_t d = 0; d < kDepth; ++d) {
              row[j] += q[at * kDepth + d] *
                        k[((b * kKeys + j) * kHeads + h) * kDepth + d];
            }
          }
          char* const memory = reinterpret_cast<char*>(row.data());
          Rows<float, float>((b * kHeads + h) * kRows + r, 1, kKeys, memory,
                             memory);
          for (int64_t p = 0; p < kWidth; ++p) {
            float sum = 0;
            for (int64_t j = 0; j < kKeys; ++j) {
              sum += row[j] * v[((b * kKeys + j) * kHeads + h) * kWidth + p];
            }
            ASSERT_EQ(out[at * kWidth + p], sum)
                << b << " " << h << " " << r << " " << p;
          }
        }
      }
    }
  }
}

TEST(AttentionTest, ReadsAndWritesInPlace) {
  TestInPlace(true);
  TestInPlace(false);
}

// Rows read the columns of a band around the diagonal. Where `narrow`, the row
// function makes the columns that it is asked for and leaves garbage in others.
// Every `odd` rows one has the value 3 in the columns that it does not read.
void TestMask(int64_t rows, int64_t columns, int64_t band, bool narrow,
              int64_t odd, float value) {
  constexpr int64_t kDepth = 4, kWidth = 21;
  AttentionDesc desc;
  desc.first = {F32, F32, F32, 1, rows, columns, kDepth};
  desc.second = {F32, F32, F32, 1, rows, kWidth, columns};
  desc.narrows_rows = narrow;
  const auto read = [&](int64_t row, int64_t count) {
    const int64_t last = (row + count - 1) * columns / rows;
    return ColumnRange{
        std::clamp<int64_t>(row * columns / rows - band, 0, columns),
        std::clamp<int64_t>(last + 1, 0, columns)};
  };
  desc.columns_read = read;
  Numbers q(rows * kDepth, 1), k(kDepth * columns, 2), v(columns * kWidth, 3),
      out(rows * kWidth, 4);
  v[(columns - 1) * kWidth + 5] = value;
  const auto make = [&](int64_t row, ColumnRange asked, float* scores) {
    const ColumnRange own = read(row, 1);
    for (int64_t j = 0; j < columns; ++j) {
      const bool is_read = j >= own.begin && j < own.end;
      scores[j] = j < asked.begin || j >= asked.end ? 1e30f
                  : is_read                         ? scores[j]
                  : row % odd == odd - 1            ? 3
                                                    : 0;
    }
  };
  const auto plan = AttentionPlan::Make(desc);
  ASSERT_TRUE(plan.ok()) << plan.status();
  ThreadRunner runner(2);
  Memory scratch((*plan)->ScratchBytes(2));
  (*plan)->Run(
      q.data(), k.data(), v.data(), out.data(),
      [&](int64_t row, int64_t count, ColumnRange asked, char* block,
          char* to) {
        float* scores = reinterpret_cast<float*>(block);
        for (int64_t i = 0; i < count; ++i) {
          make(row + i, asked, scores + i * columns);
        }
      },
      scratch.data(), runner);
  for (int64_t i = 0; i < rows; ++i) {
    std::vector<float> row(columns);
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t d = 0; d < kDepth; ++d) {
        row[j] += q[i * kDepth + d] * k[d * columns + j];
      }
    }
    make(i, {0, columns}, row.data());
    for (int64_t p = 0; p < kWidth; ++p) {
      float sum = 0;
      for (int64_t j = 0; j < columns; ++j) sum += row[j] * v[j * kWidth + p];
      const float got = out[i * kWidth + p];
      ASSERT_TRUE(got == sum || (std::isnan(got) && std::isnan(sum)))
          << rows << "x" << columns << " " << i << " " << p << ": " << got
          << " for " << sum;
    }
  }
}

TEST(AttentionTest, LeavesOutColumnsThatAreNotRead) {
  constexpr int64_t kNever = 1 << 30;
  for (const bool narrow : {false, true}) {
    for (const int64_t odd : {kNever, int64_t{50}}) {
      TestMask(300, 300, 300, narrow, odd, 1);   // causal
      TestMask(300, 1300, 100, narrow, odd, 1);  // sliding
      TestMask(400, 77, 20, narrow, odd, 1);
    }
    // Zeros times these are no zeros.
    TestMask(300, 300, 300, narrow, kNever, INFINITY);
    TestMask(300, 600, 50, narrow, kNever, NAN);
  }
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
  bad = good;
  bad.batch = {{.size = 3}};
  EXPECT_FALSE(CheckAttention(bad).ok());
  bad.batch = {{.size = 2}};
  EXPECT_TRUE(CheckAttention(bad).ok());
  bad.rows = {{.size = 3}, {.size = 3}};
  EXPECT_FALSE(CheckAttention(bad).ok());
}

}  // namespace
}  // namespace xla::cpu
