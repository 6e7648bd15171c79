// Products of all types by all algorithms against plain loops.
#include "xla/backends/cpu/kernels/products/dot.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/backends/cpu/kernels/kernel_test_base.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"

namespace xla::cpu {
namespace {

using primitive_util::IsComplexType;
using primitive_util::IsFloatingPointType;

std::string Name(const DotDesc& d) {
  return absl::StrCat(PrimitiveType_Name(d.lhs), " x ",
                      PrimitiveType_Name(d.rhs), " = ",
                      PrimitiveType_Name(d.out), " batch ", d.batch, " [", d.m,
                      ",", d.k, "]", d.lhs_transposed ? "^T" : "", " [", d.k,
                      ",", d.n, "]", d.rhs_transposed ? "^T" : "");
}

int64_t Or(int64_t stride, int64_t otherwise) {
  return stride != 0 ? stride : otherwise;
}

// The elements of operands and result, strides included.
struct Arrays {
  explicit Arrays(const DotDesc& d)
      : lhs_row(Or(d.lhs_stride, d.lhs_transposed ? d.m : d.k)),
        rhs_row(Or(d.rhs_stride, d.rhs_transposed ? d.k : d.n)),
        out_row(Or(d.out_stride, d.n)),
        lhs_item(d.lhs_shared ? 0
                              : Or(d.lhs_batch_stride,
                                   (d.lhs_transposed ? d.k : d.m) * lhs_row)),
        rhs_item(
            Or(d.rhs_batch_stride, (d.rhs_transposed ? d.n : d.k) * rhs_row)),
        out_item(Or(d.out_batch_stride, d.m * out_row)),
        lhs(d.lhs, d.lhs_shared ? (d.lhs_transposed ? d.k : d.m) * lhs_row
                                : d.batch * lhs_item),
        rhs(d.rhs, d.batch * rhs_item),
        out(d.out, d.batch * out_item) {
    lhs.Randomize(1);
    rhs.Randomize(2);
  }
  int64_t lhs_row, rhs_row, out_row, lhs_item, rhs_item, out_item;
  Elements lhs, rhs, out;
};

// Compares the result with sums of `Wide`, which `convert` makes a type that
// converts to the result's.
template <typename Wide, typename Convert>
void ExpectSums(const DotDesc& d, const Arrays& arrays, Convert convert) {
  const std::vector<Wide> lhs = arrays.lhs.Values<Wide>();
  const std::vector<Wide> rhs = arrays.rhs.Values<Wide>();
  const int64_t lhs_row_step = d.lhs_transposed ? 1 : arrays.lhs_row;
  const int64_t lhs_step = d.lhs_transposed ? arrays.lhs_row : 1;
  const int64_t rhs_step = d.rhs_transposed ? 1 : arrays.rhs_row;
  const int64_t rhs_column_step = d.rhs_transposed ? arrays.rhs_row : 1;
  Elements expected(d.out, 1);
  for (int64_t b = 0; b < d.batch; ++b) {
    for (int64_t i = 0; i < d.m; ++i) {
      for (int64_t j = 0; j < d.n; ++j) {
        Wide sum = 0;
        for (int64_t l = 0; l < d.k; ++l) {
          sum += lhs[b * arrays.lhs_item + i * lhs_row_step + l * lhs_step] *
                 rhs[b * arrays.rhs_item + l * rhs_step + j * rhs_column_step];
        }
        expected.Set(0, convert(sum));
        const int64_t at = b * arrays.out_item + i * arrays.out_row + j;
        // The operands are such that all sums are exact.
        ASSERT_EQ(arrays.out.Get<complex128>(at), expected.Get<complex128>(0))
            << Name(d) << " at " << b << "," << i << "," << j;
      }
    }
  }
}

void ExpectResult(const DotDesc& d, const Arrays& arrays) {
  const auto same = [](auto sum) { return sum; };
  const auto as_signed = [](uint64_t sum) { return static_cast<int64_t>(sum); };
  if (IsComplexType(d.lhs) || IsComplexType(d.rhs)) {
    ExpectSums<complex128>(d, arrays, same);
  } else if (IsFloatingPointType(d.lhs) || IsFloatingPointType(d.rhs)) {
    ExpectSums<double>(d, arrays, same);
  } else if (d.lhs == U64 || d.rhs == U64) {
    ExpectSums<uint64_t>(d, arrays, same);
  } else {
    ExpectSums<uint64_t>(d, arrays, as_signed);
  }
}

void RunDot(const DotDesc& d, Arrays& arrays, ParallelRunner& runner,
            const KernelTarget& target = KernelTarget()) {
  const auto plan = DotPlan::Make(d, target);
  ASSERT_TRUE(plan.ok()) << plan.status();
  Memory scratch((*plan)->ScratchBytes(runner.num_threads()));
  (*plan)->Run(arrays.lhs.data(), arrays.rhs.data(), arrays.out.data(),
               scratch.data(), runner);
}

// Runs a dot whose right operand is packed before; returns false if packing
// does not make it faster.
bool RunPackedDot(const DotDesc& d, Arrays& arrays, ParallelRunner& runner) {
  const KernelTarget target;
  const size_t bytes = PackedDotRhsBytes(d, target);
  if (bytes == 0) return false;
  const Memory packed(bytes);
  const Memory pack_scratch(
      PackDotRhsScratchBytes(d, target, runner.num_threads()));
  PackDotRhs(d, target, arrays.rhs.data(), packed.data(), pack_scratch.data(),
             runner);
  DotDesc desc = d;
  desc.rhs_packed = true;
  const auto plan = DotPlan::Make(desc, target);
  EXPECT_TRUE(plan.ok()) << plan.status();
  Memory scratch((*plan)->ScratchBytes(runner.num_threads()));
  (*plan)->Run(arrays.lhs.data(), packed.data(), arrays.out.data(),
               scratch.data(), runner);
  return true;
}

void TestDot(const DotDesc& d) {
  Arrays arrays(d);
  InlineRunner runner;
  RunDot(d, arrays, runner);
  ExpectResult(d, arrays);
  std::memset(arrays.out.data(), 0, arrays.out.size());
  if (RunPackedDot(d, arrays, runner)) ExpectResult(d, arrays);
}

// Sizes that take each of the algorithms, with edges of all kinds.
struct Sizes {
  int64_t m, n, k;
};
constexpr Sizes kSizes[] = {
    {1, 1, 1},     {4, 4, 4},    {3, 5, 7},     {16, 17, 15},  {1, 100, 70},
    {100, 1, 70},  {5, 600, 9},  {600, 6, 9},   {9, 33, 1030}, {57, 43, 33},
    {170, 20, 5},  {12, 9, 600}, {30, 65, 129}, {2, 3, 2100},  {33, 31, 0},
    {17, 34, 515}, {64, 66, 60}, {130, 530, 3}, {57, 33, 515}, {2, 1100, 530},
    {900, 9, 12},  {40, 90, 30}, {12, 20, 4100}};

TEST(DotTest, AllAlgorithmsAndTransposes) {
  for (PrimitiveType type : {F32, F64, C64, C128, S8, S32, S64, BF16}) {
    for (const auto& [m, n, k] : kSizes) {
      for (int t = 0; t < 4; ++t) {
        DotDesc d = {type, type, type == S8 ? S32 : type == BF16 ? F32 : type};
        d.m = m;
        d.n = n;
        d.k = k;
        d.lhs_transposed = t & 1;
        d.rhs_transposed = t & 2;
        TestDot(d);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Levels have micro kernels of their own for small types.
TEST(DotTest, SmallTypesAtEveryLevel) {
  const DotDesc types[] = {
      {S8, S8, S32},         {U8, S8, S32},           {S8, U8, S32},
      {U8, U8, S32},         {S4, S8, S32},           {S8, U4, U16},
      {PRED, S8, S8},        {BF16, BF16, F32},       {BF16, S8, BF16},
      {F8E4M3FN, BF16, F32}, {F8E5M2, F8E4M3FN, F16}, {S16, S16, S32},
      {F32, S8, F32},        {F32, BF16, F32}};
  for (int level = 0; level <= static_cast<int>(ProcessorVectorLevel());
       ++level) {
    const VectorLevelScope scope(static_cast<VectorLevel>(level));
    for (DotDesc d : types) {
      for (const auto& [m, n, k] :
           {Sizes{9, 33, 1030}, Sizes{57, 43, 33}, Sizes{33, 31, 0},
            Sizes{130, 50, 3}, Sizes{1, 70, 37}, Sizes{2, 40, 1030},
            Sizes{4, 33, 9}}) {
        for (int t = 0; t < 4; ++t) {
          d.m = m;
          d.n = n;
          d.k = k;
          d.lhs_transposed = t & 1;
          d.rhs_transposed = t & 2;
          TestDot(d);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// The corrections of sums of shifted numbers wrap around too.
TEST(DotTest, ExtremeBytes) {
  for (const PrimitiveType type : {S8, U8}) {
    DotDesc d = {type, S8, S32, 1, 20, 40, 5001};
    Arrays arrays(d);
    for (int64_t i = 0; i < arrays.lhs.count(); ++i) {
      arrays.lhs.Set<int64_t>(i, type == U8 ? 255 : i % 5 == 0 ? 127 : -128);
    }
    for (int64_t i = 0; i < arrays.rhs.count(); ++i) {
      arrays.rhs.Set<int64_t>(i, i % 40 < 20 ? -128 : 127);
    }
    InlineRunner runner;
    RunDot(d, arrays, runner);
    ExpectResult(d, arrays);
  }
}

#if defined(__x86_64__)
// As long as tiles are in use, the system saves them whenever it switches
// threads.
TEST(DotTest, GivesTilesBack) {
  if (ProcessorVectorLevel() != VectorLevel::kAmx) {
    GTEST_SKIP() << "the processor has no tiles, or may not use them";
  }
  for (const PrimitiveType type : {BF16, S8}) {
    TestDot({type, type, type == S8 ? S32 : F32, 1, 40, 40, 70});
    // The parts of the processor's state that are in use.
    uint32_t low = 0, high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
    EXPECT_EQ(low >> 17 & 3, 0);
  }
}
#endif

TEST(DotTest, EveryPairOfTypes) {
  const PrimitiveType types[] = {PRED, S4,  S8,   S16,      S32,   S64, U4,
                                 U8,   U16, U32,  U64,      F16,   F32, F64,
                                 BF16, C64, C128, F8E4M3FN, F8E5M2};
  for (PrimitiveType lhs : types) {
    for (PrimitiveType rhs : types) {
      const bool is_complex = IsComplexType(lhs) || IsComplexType(rhs);
      for (PrimitiveType out : {lhs, F32, S32, PRED, C64}) {
        const bool is_float =
            IsFloatingPointType(lhs) || IsFloatingPointType(rhs) || is_complex;
        // Converting sums to integers would depend on their rounding.
        if (is_float && !IsFloatingPointType(out) && !IsComplexType(out)) {
          continue;
        }
        if (is_complex && !IsComplexType(out)) continue;
        DotDesc d = {lhs, rhs, out};
        for (const auto& [m, n, k] : {kSizes[2], kSizes[9]}) {
          d.m = m;
          d.n = n;
          d.k = std::min<int64_t>(k, 7);
          TestDot(d);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(DotTest, Batches) {
  for (PrimitiveType type : {F32, F64, S32, C64}) {
    for (int64_t batch : {0, 3, 40}) {
      for (const auto& [m, n, k] :
           {kSizes[1], kSizes[3], kSizes[4], kSizes[9]}) {
        DotDesc d = {type, type, type, batch, m, n, k};
        TestDot(d);
        d.rhs_transposed = true;
        TestDot(d);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(DotTest, Strides) {
  for (const auto& [m, n, k] :
       {kSizes[1], kSizes[2], kSizes[4], kSizes[5], kSizes[7], kSizes[9]}) {
    for (int t = 0; t < 4; ++t) {
      DotDesc d = {F32, F32, F32, 2, m, n, k};
      d.lhs_transposed = t & 1;
      d.rhs_transposed = t & 2;
      d.lhs_stride = std::max(m, k) + 3;
      d.rhs_stride = std::max(n, k) + 1;
      d.out_stride = n + 2;
      d.lhs_batch_stride = (std::max(m, k) + 1) * d.lhs_stride;
      TestDot(d);
    }
  }
}

// Sums that wait for their conversion, of a few rows at a time if the packed
// right operand fits into the second cache, else of many.
TEST(DotTest, ManyRowsOfConvertedSums) {
  KernelTarget small;
  small.caches.l2_bytes = 64 << 10;
  for (const PrimitiveType type : {BF16, F16, S8}) {
    for (const int64_t k : {9, 1100}) {
      for (const bool transposed : {false, true}) {
        DotDesc d = {type, type, type, 1, 501, 70, k};
        d.rhs_transposed = transposed;
        Arrays arrays(d);
        ThreadRunner runner(2);
        RunDot(d, arrays, runner);
        ExpectResult(d, arrays);
        const std::string first(arrays.out.as<char>(), arrays.out.size());
        std::memset(arrays.out.data(), 0, arrays.out.size());
        RunDot(d, arrays, runner, small);
        EXPECT_EQ(std::memcmp(first.data(), arrays.out.data(), first.size()), 0)
            << Name(d);
      }
    }
  }
}

// One left operand for all items, in every algorithm.
TEST(DotTest, SharedLeftOperands) {
  for (const auto& [type, out] :
       {std::pair{F32, F32}, {BF16, F32}, {S8, S32}, {C64, C64}}) {
    for (const Sizes& sizes : kSizes) {
      for (int t = 0; t < 4; ++t) {
        DotDesc d = {type, type, out, 3, sizes.m, sizes.n, sizes.k};
        d.lhs_transposed = t & 1;
        d.rhs_transposed = t & 2;
        d.lhs_shared = true;
        TestDot(d);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Sums of these values wrap around; they are exact only in integers.
TEST(DotTest, IntegersWrapAround) {
  for (PrimitiveType out : {S8, S32, U16}) {
    DotDesc d = {S16, S16, out, 1, 9, 10, 700};
    Arrays arrays(d);
    for (int64_t i = 0; i < arrays.lhs.count(); ++i) {
      arrays.lhs.Set<int64_t>(i, i % 3 == 0 ? 32767 : -32768);
    }
    for (int64_t i = 0; i < arrays.rhs.count(); ++i) {
      arrays.rhs.Set<int64_t>(i, i % 7 == 0 ? 32767 : -32768);
    }
    InlineRunner runner;
    RunDot(d, arrays, runner);
    ExpectResult(d, arrays);
  }
}

TEST(DotTest, NotFiniteValuesSpread) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const auto& [m, n, k] : {kSizes[1], kSizes[4], kSizes[5], kSizes[9]}) {
    for (float special : {kNan, kInf}) {
      DotDesc d = {F32, F32, F32, 1, m, n, k};
      Arrays arrays(d);
      InlineRunner runner;
      // Neither zeros nor the previous contents of the result hide a special
      // value.
      std::fill_n(arrays.lhs.as<float>(), m * k, 0.0f);
      std::fill_n(arrays.rhs.as<float>(), k * n, 1.0f);
      std::fill_n(arrays.out.as<float>(), m * n, kNan);
      arrays.rhs.as<float>()[(k - 1) * n + n / 2] = special;
      RunDot(d, arrays, runner);
      for (int64_t i = 0; i < m * n; ++i) {
        if (i % n == n / 2) {
          EXPECT_TRUE(std::isnan(arrays.out.as<float>()[i])) << Name(d);
        } else {
          EXPECT_EQ(arrays.out.as<float>()[i], 0) << Name(d) << i;
        }
      }
    }
  }
}

// What follows a row in memory does not reach its sums.
TEST(DotTest, NotFiniteValuesStayInTheirRow) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const int64_t k : {31, 33, 1023}) {
    DotDesc d = {BF16, BF16, F32, 1, 20, 40, k};
    Arrays arrays(d);
    InlineRunner runner;
    for (int64_t i = 0; i < 20 * k; ++i) {
      arrays.lhs.Set<double>(i, i / k == 7 ? kNan : 1);
    }
    RunDot(d, arrays, runner);
    for (int64_t i = 0; i < 20 * 40; ++i) {
      EXPECT_EQ(std::isnan(arrays.out.as<float>()[i]), i / 40 == 7) << k;
    }
  }
}

// Dots of all algorithms, some of them large enough to be split.
std::vector<DotDesc> VariousDots() {
  return {
      {F32, F32, F32, 1, 300, 400, 200},  {F32, F32, F32, 3, 170, 300, 100},
      {F32, F32, F32, 3000, 4, 4, 4},     {F32, F32, F32, 1, 8, 2000, 300},
      {F32, F32, F32, 1, 5000, 1, 300},   {F32, F32, F32, 1, 1, 3000, 300},
      {F32, F32, F32, 1, 900, 70, 600},   {F32, F32, F32, 1, 40, 500, 600},
      {F32, F32, F32, 2, 200, 700, 40},   {BF16, BF16, BF16, 1, 300, 200, 520},
      {S8, S8, S32, 1, 200, 300, 520},    {C64, C64, C64, 20, 40, 50, 60},
      {F32, F32, F32, 16, 200, 250, 200}, {BF16, BF16, BF16, 16, 8, 8192, 96},
      {U8, S8, S32, 1, 300, 200, 2052},   {F32, F32, BF16, 1, 20, 36, 5001}};
}

void FillNormal(Elements& elements) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int64_t i = 0; i < elements.count(); ++i) {
    elements.Set(i, normal(random));
  }
}

TEST(DotTest, SameBitsForEveryNumberOfThreads) {
  for (const DotDesc& d : VariousDots()) {
    Arrays arrays(d);
    FillNormal(arrays.lhs);
    InlineRunner runner;
    RunDot(d, arrays, runner);
    const std::string first(arrays.out.as<char>(), arrays.out.size());
    std::string packed;
    for (int threads : {1, 2, 3, 7, 40}) {
      std::memset(arrays.out.data(), 0, arrays.out.size());
      ThreadRunner threaded(threads);
      RunDot(d, arrays, threaded);
      EXPECT_EQ(std::memcmp(first.data(), arrays.out.data(), first.size()), 0)
          << Name(d) << " with " << threads;
      if (!RunPackedDot(d, arrays, threaded)) continue;
      if (threads == 1) packed.assign(arrays.out.as<char>(), first.size());
      EXPECT_EQ(std::memcmp(packed.data(), arrays.out.data(), first.size()), 0)
          << Name(d) << " packed, with " << threads;
    }
  }
}

// Weights that do not fit into caches, in few bits and with rows that are a
// multiple of a page apart, times few rows.
TEST(DotTest, FewRowsTimesLargeWeights) {
  for (const VectorLevel level :
       {VectorLevel::kBaseline, VectorLevel::kAvx2, VectorLevel::kAvx512,
        VectorLevel::kAvx512Bf16, VectorLevel::kAmx}) {
    const VectorLevelScope scope(level);
    for (const auto& [lhs, rhs] : {std::pair{F32, F32},
                                   {F32, BF16},
                                   {BF16, BF16},
                                   {F32, S8},
                                   {F32, S4},
                                   {F32, F8E4M3FN},
                                   {BF16, F8E5M2}}) {
      const int64_t page = 4096 / primitive_util::ByteWidth(rhs);
      const int64_t wide = page + 7, deep = rhs == F32 ? 541 : 35;
      for (const bool transposed : {false, true}) {
        DotDesc d = {lhs, rhs, F32, 1, 16};
        d.rhs_transposed = transposed;
        d.n = transposed ? deep : wide;
        d.k = transposed ? wide : deep;
        d.rhs_stride = 2 * page;
        Arrays arrays(d);
        for (const int64_t rows : {1, 2, 3, 4, 5, 8, 16}) {
          d.m = rows;
          std::memset(arrays.out.data(), 0, arrays.out.size());
          InlineRunner runner;
          RunDot(d, arrays, runner);
          ExpectResult(d, arrays);
          if (HasFatalFailure()) return;
          const std::string first(arrays.out.as<char>(), arrays.out.size());
          std::memset(arrays.out.data(), 0, arrays.out.size());
          ThreadRunner threaded(2);
          RunDot(d, arrays, threaded);
          EXPECT_EQ(std::memcmp(first.data(), arrays.out.data(), first.size()),
                    0)
              << Name(d);
        }
      }
    }
  }
}

// Rows of the large operand that are shorter than two vectors, or end within
// one: what vectors read of the next row is not summed, and nothing behind the
// last row is read.
TEST(DotTest, FewRowsTimesShortRows) {
  for (const VectorLevel level :
       {VectorLevel::kBaseline, VectorLevel::kAvx2, VectorLevel::kAvx512,
        VectorLevel::kAvx512Bf16, VectorLevel::kAmx}) {
    const VectorLevelScope scope(level);
    for (const auto& [lhs, rhs] : {std::pair{F32, F32},
                                   {F64, F64},
                                   {F32, BF16},
                                   {F32, S8},
                                   {BF16, F8E5M2}}) {
      for (const int64_t rows : {1, 2, 3, 9, 16}) {
        for (const int64_t columns : {1, 3, 8, 10, 17, 24, 31, 45}) {
          const DotDesc d = {lhs, rhs, lhs, 1, rows, columns, 301};
          Arrays arrays(d);
          InlineRunner runner;
          RunDot(d, arrays, runner);
          ExpectResult(d, arrays);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// More columns than are summed at a time, divided into runs whose lengths
// depend on the number of threads, and rows of the result a multiple of a page
// apart.
TEST(DotTest, FewRowsInLongRuns) {
  for (const VectorLevel level :
       {VectorLevel::kBaseline, VectorLevel::kAvx2, VectorLevel::kAvx512}) {
    const VectorLevelScope scope(level);
    for (const int64_t rows : {1, 6, 16}) {
      for (const int64_t columns : {5120, 4999}) {
        const DotDesc d = {F32, F32, F32, 1, rows, columns, 131};
        Arrays arrays(d);
        InlineRunner runner;
        RunDot(d, arrays, runner);
        ExpectResult(d, arrays);
        if (HasFatalFailure()) return;
        const std::string first(arrays.out.as<char>(), arrays.out.size());
        for (const int threads : {2, 3, 8}) {
          std::memset(arrays.out.data(), 0, arrays.out.size());
          ThreadRunner threaded(threads);
          RunDot(d, arrays, threaded);
          EXPECT_EQ(std::memcmp(first.data(), arrays.out.data(), first.size()),
                    0)
              << Name(d) << " with " << threads;
        }
      }
    }
  }
}

// Right operands that are computed in parts give what those in memory give, by
// few and many rows, at every level and on several threads, and each part is
// one that the operand's step allows.
TEST(DotTest, ComputedRightOperands) {
  for (const VectorLevel level :
       {VectorLevel::kBaseline, VectorLevel::kAvx2, VectorLevel::kAvx512}) {
    const VectorLevelScope scope(level);
    for (const auto& [lhs, rhs, out] :
         {std::tuple{F32, F32, F32}, {BF16, BF16, BF16}, {S8, S8, S32}}) {
      for (const auto& [m, n, k] :
           {Sizes{1, 1300, 20}, Sizes{3, 300, 530}, Sizes{8, 64, 1},
            Sizes{9, 520, 40}, Sizes{57, 300, 20}, Sizes{20, 6, 300},
            Sizes{2, 40, 0}}) {
        for (const bool transposed : {false, true}) {
          const int64_t row = transposed ? k : n;
          DotDesc d = {lhs, rhs, out, 2, m, n, k};
          d.rhs_transposed = transposed;
          Arrays arrays(d);
          d.rhs_computed = true;
          d.rhs_step = row < 256 ? std::max<int64_t>(row, 1) : 128;
          const int64_t width = primitive_util::ByteWidth(rhs);
          const auto compute = [&](int64_t r, int64_t c, int64_t count,
                                   void* to) {
            EXPECT_EQ(c % d.rhs_step, 0);
            EXPECT_TRUE(count % d.rhs_step == 0 || c + count == row);
            std::memcpy(to, arrays.rhs.as<char>() + (r * row + c) * width,
                        count * width);
          };
          const OperandFunction function = compute;
          const auto plan = DotPlan::Make(d);
          ASSERT_TRUE(plan.ok()) << plan.status();
          std::string first;
          for (const int threads : {1, 3}) {
            ThreadRunner runner(threads);
            Memory scratch((*plan)->ScratchBytes(threads));
            (*plan)->Run(arrays.lhs.data(), &function, arrays.out.data(),
                         scratch.data(), runner);
            ExpectResult(d, arrays);
            if (HasFatalFailure()) return;
            const std::string bits(arrays.out.as<char>(), arrays.out.size());
            if (threads > 1) {
              EXPECT_EQ(first, bits) << Name(d);
            }
            first = bits;
            std::memset(arrays.out.data(), 0, arrays.out.size());
          }
        }
      }
    }
  }
}

// Weights of few bits with scales for columns and for groups of their depth,
// whose products are rounded to BF16 or not.
// Returns elements of 4 bits, two to a byte.
std::vector<uint8_t> PackedPairs(const uint8_t* elements, int64_t count) {
  std::vector<uint8_t> bytes(count / 2);
  for (int64_t i = 0; i < count / 2; ++i) {
    bytes[i] = (elements[2 * i] & 15) | (elements[2 * i + 1] << 4);
  }
  return bytes;
}

// Of S4, elements are packed if depth is even.
void CheckScaledWeights(int64_t n, int64_t k) {
  const bool packed = k % 2 == 0;
  for (const VectorLevel level :
       {VectorLevel::kBaseline, VectorLevel::kAvx2, VectorLevel::kAvx512,
        VectorLevel::kAvx512Bf16, VectorLevel::kAmx}) {
    const VectorLevelScope scope(level);
    for (const PrimitiveType weights : {S8, S4, F8E4M3FN, F8E5M2}) {
      if (packed && weights != S4) continue;
      for (const auto& [scale, rounds] :
           {std::pair{F32, false}, {BF16, true}, {F8E8M0FNU, false}}) {
        for (const int64_t group : {k, int64_t{32}, int64_t{20}, int64_t{15}}) {
          for (const bool transposed : {false, true}) {
            if (packed && transposed && group % 2 != 0) continue;
            DotDesc d = {rounds ? BF16 : F32, weights, F32, 1, 16, n, k};
            d.rhs_transposed = transposed;
            d.scales = {scale, group, rounds};
            d.rhs_bits_packed = packed;
            Arrays arrays(d);
            const std::vector<uint8_t> pairs = PackedPairs(
                reinterpret_cast<const uint8_t*>(arrays.rhs.data()), n * k);
            const int64_t groups = (k + group - 1) / group;
            Elements scales(scale, n * groups);
            for (int64_t i = 0; i < n * groups; ++i) {
              scales.Set(i, std::exp2(static_cast<double>(i % 5 - 2)) *
                                (scale == F32 ? 1 + (i % 3) * 0x1p-9 : 1));
            }
            const std::vector<double> lhs = arrays.lhs.Values<double>();
            std::vector<double> products(n * k);  // [column, depth]
            for (int64_t j = 0; j < n; ++j) {
              for (int64_t l = 0; l < k; ++l) {
                const int64_t at = transposed ? j * k + l : l * n + j;
                const int64_t s =
                    transposed ? j * groups + l / group : l / group * n + j;
                const float product =
                    arrays.rhs.Get<float>(at) * scales.Get<float>(s);
                products[j * k + l] =
                    rounds ? static_cast<float>(static_cast<bfloat16>(product))
                           : product;
              }
            }
            for (const int64_t rows : {1, 2, 3, 4, 5, 9, 16}) {
              d.m = rows;
              ASSERT_TRUE(HasScaledDot(d));
              const auto plan = DotPlan::Make(d);
              ASSERT_TRUE(plan.ok()) << plan.status();
              const ScaledOperand rhs = {
                  packed ? static_cast<const void*>(pairs.data())
                         : arrays.rhs.data(),
                  scales.data()};
              ThreadRunner runner(2);
              Memory scratch((*plan)->ScratchBytes(2));
              (*plan)->Run(arrays.lhs.data(), &rhs, arrays.out.data(),
                           scratch.data(), runner);
              for (int64_t i = 0; i < rows; ++i) {
                for (int64_t j = 0; j < n; ++j) {
                  const double sum = std::inner_product(
                      &lhs[i * k], &lhs[(i + 1) * k], &products[j * k], 0.0);
                  ASSERT_NEAR(arrays.out.Get<double>(i * n + j), sum,
                              1e-5 * (1 + std::abs(sum)))
                      << Name(d) << " group " << group << " at " << i << ","
                      << j;
                }
              }
            }
          }
        }
      }
    }
  }
}

TEST(DotTest, ScaledWeights) { CheckScaledWeights(300, 165); }

TEST(DotTest, PackedWeights) { CheckScaledWeights(300, 166); }

// Batches of right operands that lie in groups, as the heads of several
// sequences do: [sequence, token, head, feature].
TEST(DotTest, BatchesInGroups) {
  for (const auto& [m, n, k] : {Sizes{1, 60, 32}, Sizes{40, 60, 32},
                                Sizes{3, 4, 4}, Sizes{60, 2, 32}}) {
    for (const bool transposed : {false, true}) {
      const int64_t heads = 3, sequences = 2;
      const int64_t rows = transposed ? n : k, row = transposed ? k : n;
      DotDesc d = {F32, F32, F32, heads * sequences, m, n, k};
      d.rhs_transposed = transposed;
      Arrays arrays(d);
      Elements moved(F32, d.batch * rows * row);
      for (int64_t b = 0; b < d.batch; ++b) {
        for (int64_t r = 0; r < rows; ++r) {
          for (int64_t c = 0; c < row; ++c) {
            const int64_t s = b / heads, h = b % heads;
            moved.Set(((s * rows + r) * heads + h) * row + c,
                      arrays.rhs.Get<double>((b * rows + r) * row + c));
          }
        }
      }
      d.rhs_stride = heads * row;
      d.rhs_batch_stride = row;
      d.rhs_inner_batch = heads;
      d.rhs_outer_stride = rows * heads * row;
      const auto plan = DotPlan::Make(d);
      ASSERT_TRUE(plan.ok()) << plan.status();
      ThreadRunner runner(2);
      Memory scratch((*plan)->ScratchBytes(2));
      (*plan)->Run(arrays.lhs.data(), moved.data(), arrays.out.data(),
                   scratch.data(), runner);
      d.rhs_stride = 0;
      ExpectResult(d, arrays);
    }
  }
}

// Processors of one vector level give the same bits, whatever their caches and
// the length of tasks.
TEST(DotTest, SameBitsForEverySizeOfCaches) {
  std::vector<DotDesc> descs = VariousDots();
  // These sizes are near the limits between algorithms, with the contiguous
  // dimension contracted or free.
  for (const auto& [m, n, k] : {Sizes{100, 64, 100}, Sizes{160, 40, 200},
                                Sizes{56, 900, 900}, Sizes{8, 600, 1100}}) {
    for (int t = 0; t < 4; ++t) {
      DotDesc& d = descs.emplace_back(DotDesc{F32, F32, F32, 1, m, n, k});
      d.lhs_transposed = t & 1;
      d.rhs_transposed = t & 2;
    }
  }
  for (const DotDesc& d : descs) {
    Arrays arrays(d);
    FillNormal(arrays.lhs);
    InlineRunner runner;
    RunDot(d, arrays, runner);
    const std::string first(arrays.out.as<char>(), arrays.out.size());
    for (const KernelTarget& target : UnusualTargets()) {
      std::memset(arrays.out.data(), 0, arrays.out.size());
      ThreadRunner threaded(3);
      RunDot(d, arrays, threaded, target);
      EXPECT_EQ(std::memcmp(first.data(), arrays.out.data(), first.size()), 0)
          << Name(d) << " with caches of " << target.caches.l2_bytes;
    }
  }
}

// Right operands that micro kernels pack as they multiply: whole and incomplete
// panels, first rows that are fewer than those of a kernel, rows that go
// through a panel in several parts, several blocks of depth, and left rows that
// are a page apart.
TEST(DotTest, PacksAsItMultiplies) {
  for (const VectorLevel level :
       {VectorLevel::kBaseline, VectorLevel::kAvx2, VectorLevel::kAvx512}) {
    const VectorLevelScope scope(level);
    for (const PrimitiveType type : {F32, F64, U32}) {
      for (const auto& [m, n, k] :
           {Sizes{3, 200, 300}, Sizes{6, 33, 515}, Sizes{61, 130, 70},
            Sizes{141, 50, 420}, Sizes{17, 100, 1030}}) {
        DotDesc d = {type, type, type, 1, m, n, k};
        d.lhs_stride = 2048;
        d.rhs_stride = n + 5;
        Arrays arrays(d);
        InlineRunner runner;
        RunDot(d, arrays, runner);
        ExpectResult(d, arrays);
        if (HasFatalFailure()) return;
        if (type == U32) continue;
        FillNormal(arrays.lhs);
        RunDot(d, arrays, runner);
        const std::string first(arrays.out.as<char>(), arrays.out.size());
        std::memset(arrays.out.data(), 0, arrays.out.size());
        if (!RunPackedDot(d, arrays, runner)) continue;
        EXPECT_EQ(std::memcmp(first.data(), arrays.out.data(), first.size()), 0)
            << Name(d) << " packed before";
      }
    }
  }
}

// A plan keeps the kernels of the level that it was made for.
TEST(DotTest, PlansRunAtTheirLevel) {
  const DotDesc descs[] = {{F32, F32, F32, 1, 16, 16, 16},
                           {F32, F32, F32, 1, 4, 100, 300},
                           {F32, F32, F32, 1, 100, 200, 300},
                           {BF16, BF16, F32, 1, 100, 200, 300}};
  for (const DotDesc& d : descs) {
    Arrays arrays(d);
    FillNormal(arrays.lhs);
    for (const VectorLevel level :
         {VectorLevel::kBaseline, VectorLevel::kAvx2, VectorLevel::kAvx512}) {
      InlineRunner runner;
      {
        const VectorLevelScope scope(level);
        RunDot(d, arrays, runner);
      }
      const std::string first(arrays.out.as<char>(), arrays.out.size());
      std::memset(arrays.out.data(), 0, arrays.out.size());
      KernelTarget target;
      target.vector_level = level;
      RunDot(d, arrays, runner, target);
      EXPECT_EQ(std::memcmp(first.data(), arrays.out.data(), first.size()), 0)
          << Name(d);
    }
  }
}

}  // namespace
}  // namespace xla::cpu
