// Compares sorts of all orders, types and sizes with std::stable_sort.
#include "xla/backends/cpu/kernels/sort.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/backends/cpu/kernels/kernel_test_base.h"
#include "xla/backends/cpu/kernels/topk.h"

namespace xla::cpu {
namespace {

using primitive_util::IsFloatingPointType;

// True if element i goes before element j by one key.
bool Before(const Elements& array, const SortKey& key, int64_t i, int64_t j) {
  if (key.descending) std::swap(i, j);
  if (key.order == SortOrder::kInteger) {
    if (array.type() == U64) {
      return array.Get<uint64_t>(i) < array.Get<uint64_t>(j);
    }
    return array.Get<int64_t>(i) < array.Get<int64_t>(j);
  }
  double a = array.Get<double>(i), b = array.Get<double>(j);
  if (key.order == SortOrder::kFloatNanLast) {
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
    return a < b;
  }
  const auto total = [](double x) {
    const int64_t bits = std::bit_cast<int64_t>(x);
    return bits < 0 ? bits ^ INT64_MAX : bits;
  };
  return total(a) < total(b);
}

// Many equal elements, and all special floats.
void Fill(Elements& array, int seed, int64_t distinct) {
  std::mt19937_64 random(seed);
  const double specials[] = {0.0, -0.0, NAN, -NAN, INFINITY, -INFINITY};
  for (int64_t i = 0; i < array.count(); ++i) {
    const int64_t value =
        static_cast<int64_t>(random() % distinct) - distinct / 2;
    if (!IsFloatingPointType(array.type())) {
      array.Set<int64_t>(i, value);
    } else if (random() % 8 == 0) {
      array.Set(i, specials[random() % 6]);
    } else {
      array.Set(i, value / 4.0);
    }
  }
}

struct Operands {
  Operands(const SortDesc& d, int64_t distinct) {
    for (size_t i = 0; i < d.operands.size(); ++i) {
      const int64_t count = d.outer * d.length * d.inner;
      inputs.push_back(std::make_unique<Elements>(d.operands[i], count));
      outputs.push_back(std::make_unique<Elements>(d.operands[i], count));
      Fill(*inputs[i], i + 1, distinct);
      in.push_back(inputs[i]->data());
      out.push_back(outputs[i]->data());
    }
  }
  std::vector<std::unique_ptr<Elements>> inputs, outputs;
  std::vector<const void*> in;
  std::vector<void*> out;
};

// The comparator of the first operand, F32 or S32.
template <typename T>
bool LessOf(const void* context, const void* const* pairs) {
  ++*static_cast<std::atomic<int>*>(const_cast<void*>(context));
  return *static_cast<const T*>(pairs[0]) < *static_cast<const T*>(pairs[1]);
}

void RunSort(const SortDesc& d, Operands& operands, ParallelRunner& runner,
             SortLess less = nullptr,
             const KernelTarget& target = KernelTarget()) {
  const auto plan = SortPlan::Make(d, target);
  ASSERT_TRUE(plan.ok()) << plan.status();
  Memory scratch((*plan)->ScratchBytes(runner.num_threads()));
  std::atomic<int> calls = 0;
  (*plan)->Run(operands.in.data(), operands.out.data(), less, &calls,
               scratch.data(), runner);
}

void ExpectSorted(const SortDesc& d, const Operands& operands,
                  absl::Span<const SortKey> keys) {
  std::vector<int64_t> order(d.length);
  for (int64_t row = 0; row < d.outer * d.inner; ++row) {
    const int64_t first = row / d.inner * d.inner * d.length + row % d.inner;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
      for (const SortKey& key : keys) {
        const Elements& array = *operands.inputs[key.operand];
        if (Before(array, key, first + i * d.inner, first + j * d.inner)) {
          return true;
        }
        if (Before(array, key, first + j * d.inner, first + i * d.inner)) {
          return false;
        }
      }
      return false;
    });
    for (size_t k = 0; k < d.operands.size(); ++k) {
      const int width = primitive_util::ByteWidth(d.operands[k]);
      for (int64_t i = 0; i < d.length; ++i) {
        ASSERT_EQ(std::memcmp(operands.outputs[k]->as<char>() +
                                  (first + i * d.inner) * width,
                              operands.inputs[k]->as<char>() +
                                  (first + order[i] * d.inner) * width,
                              width),
                  0)
            << "row " << row << " operand " << k << " at " << i << " of "
            << d.length << ", " << PrimitiveType_Name(d.operands[0]);
      }
    }
  }
}

void TestSort(const SortDesc& d, int64_t distinct = 100) {
  Operands operands(d, distinct);
  InlineRunner runner;
  RunSort(d, operands, runner);
  ExpectSorted(d, operands, d.keys);
}

SortOrder Orders(PrimitiveType type, int i) {
  if (!IsFloatingPointType(type)) return SortOrder::kInteger;
  return i == 0 ? SortOrder::kFloatTotal : SortOrder::kFloatNanLast;
}

TEST(SortTest, KeysOfAllTypes) {
  for (PrimitiveType type :
       {PRED, S8, U8, S16, U16, S32, U32, S64, U64, F16, BF16, F32, F64}) {
    for (int order = 0; order < (IsFloatingPointType(type) ? 2 : 1); ++order) {
      for (bool descending : {false, true}) {
        for (int64_t length : {0, 1, 2, 7, 40, 41, 700}) {
          SortDesc d;
          d.outer = length < 100 ? 5 : 2;
          d.length = length;
          d.operands = {type};
          d.keys = {{0, Orders(type, order), descending}};
          TestSort(d);
          d.operands = {type, S32};
          TestSort(d);
          d.inner = 3;
          TestSort(d, 1000000);
          d.operands = {type};
          TestSort(d);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(SortTest, PayloadsOfAllWidths) {
  SortDesc d;
  d.outer = 3;
  d.length = 100;
  d.operands = {C128, S32, U8, BF16, F64, C64};
  d.keys = {{1, SortOrder::kInteger, false}};
  TestSort(d, 10);
  d.inner = 5;
  TestSort(d, 10);
}

TEST(SortTest, SeveralKeys) {
  SortDesc d;
  d.outer = 2;
  d.inner = 2;
  d.operands = {S32, F64, F32, S8};
  d.keys = {{0, SortOrder::kInteger, true},
            {2, SortOrder::kFloatNanLast, false}};
  for (int64_t length : {3, 60, 1000}) {
    d.length = length;
    TestSort(d, 5);
    d.keys.push_back({1, SortOrder::kFloatTotal, false});
    TestSort(d, 5);
    d.keys.pop_back();
  }
}

TEST(SortTest, InPlace) {
  SortDesc d;
  d.outer = 2;
  d.length = 500;
  d.inner = 2;
  for (size_t operands : {1, 2}) {
    d.operands.assign({F32, S32});
    d.operands.resize(operands);
    d.keys = {{0, SortOrder::kFloatNanLast, false}};
    Operands apart(d, 100), same(d, 100);
    InlineRunner runner;
    RunSort(d, apart, runner);
    for (size_t i = 0; i < operands; ++i) same.out[i] = same.inputs[i]->data();
    RunSort(d, same, runner);
    for (size_t i = 0; i < operands; ++i) {
      EXPECT_EQ(std::memcmp(same.out[i], apart.out[i], 4 * 2000), 0);
    }
  }
}

TEST(SortTest, Comparators) {
  for (int64_t length : {0, 1, 9, 100, 1000}) {
    for (int64_t inner : {1, 3}) {
      SortDesc d;
      d.outer = 2;
      d.length = length;
      d.inner = inner;
      d.operands = {S32, F64, C128};
      Operands operands(d, 20);
      InlineRunner runner;
      RunSort(d, operands, runner, &LessOf<int32_t>);
      ExpectSorted(d, operands, {{0, SortOrder::kInteger, false}});
    }
  }
}

// A comparator that is not an order, as < is with NaN, still returns all
// elements.
TEST(SortTest, ComparatorsThatAreNoOrder) {
  SortDesc d;
  d.length = 20000;
  d.operands = {F32};
  Operands operands(d, 100);
  InlineRunner runner;
  RunSort(d, operands, runner, &LessOf<float>);
  std::vector<uint32_t> in(operands.inputs[0]->as<uint32_t>(),
                           operands.inputs[0]->as<uint32_t>() + d.length);
  std::vector<uint32_t> out(operands.outputs[0]->as<uint32_t>(),
                            operands.outputs[0]->as<uint32_t>() + d.length);
  std::sort(in.begin(), in.end());
  std::sort(out.begin(), out.end());
  EXPECT_EQ(in, out);
}

TEST(SortTest, LongRowsAndNumbersOfThreads) {
  SortDesc keys, indexed, compared, rows;
  keys.length = 150000;
  keys.operands = {F32};
  keys.keys = {{0, SortOrder::kFloatNanLast, false}};
  indexed = keys;
  indexed.operands = {F32, S32};
  compared = indexed;
  compared.length = 40000;
  compared.operands = {S32, F32};
  compared.keys.clear();
  rows = indexed;
  rows.length = 17000;  // large digits, not split
  rows.outer = 8;
  const absl::InlinedVector<SortKey, 1> compared_keys = {
      {0, SortOrder::kInteger, false}};
  for (const SortDesc& d : {keys, indexed, compared, rows}) {
    const SortLess less = d.keys.empty() ? &LessOf<int32_t> : nullptr;
    Operands operands(d, 1000);
    InlineRunner runner;
    RunSort(d, operands, runner, less);
    ExpectSorted(d, operands, d.keys.empty() ? compared_keys : d.keys);
    const std::string first(operands.outputs[0]->as<char>(),
                            operands.outputs[0]->size());
    for (int threads : {1, 2, 3, 7}) {
      ThreadRunner threaded(threads);
      std::memset(operands.out[0], 0, first.size());
      RunSort(d, operands, threaded, less);
      EXPECT_EQ(std::memcmp(first.data(), operands.out[0], first.size()), 0);
    }
  }
}

// Small caches and short tasks make short rows take the ways of long ones.
TEST(SortTest, SizesOfCaches) {
  for (const KernelTarget& target : UnusualTargets()) {
    for (const int64_t length : {1000, 9000, 40000}) {
      SortDesc d;
      d.outer = 2;
      d.length = length;
      for (const PrimitiveType type : {U32, F64}) {
        d.operands = {type, S32};
        d.keys = {{0, Orders(type, 1), false}};
        Operands operands(d, /*distinct=*/500);
        ThreadRunner runner(3);
        RunSort(d, operands, runner, nullptr, target);
        ExpectSorted(d, operands, d.keys);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(SortTest, RefusesWhatItCannot) {
  SortDesc d;
  d.length = 4;
  EXPECT_FALSE(CheckSort(d).ok());
  d.operands = {C64};
  EXPECT_TRUE(CheckSort(d).ok());  // by a comparator
  d.keys = {{0, SortOrder::kFloatTotal, false}};
  EXPECT_EQ(CheckSort(d).code(), absl::StatusCode::kUnimplemented);
  d.keys = {{1, SortOrder::kFloatTotal, false}};
  EXPECT_EQ(CheckSort(d).code(), absl::StatusCode::kInvalidArgument);
  d.keys.clear();
  d.length = int64_t{1} << 32;
  EXPECT_EQ(CheckSort(d).code(), absl::StatusCode::kUnimplemented);
  d.length = -1;
  EXPECT_EQ(CheckSort(d).code(), absl::StatusCode::kInvalidArgument);
}

void TestTopK(const TopKDesc& d, ParallelRunner& runner, int64_t distinct) {
  SCOPED_TRACE(absl::StrCat(PrimitiveType_Name(d.type), " k ", d.k, " of ",
                            d.length, " largest ", d.largest));
  const auto plan = TopKPlan::Make(d);
  ASSERT_TRUE(plan.ok()) << plan.status();
  Elements input(d.type, d.rows * d.length), values(d.type, d.rows * d.k);
  Memory indices(d.rows * d.k * 4),
      scratch((*plan)->ScratchBytes(runner.num_threads()));
  Fill(input, 1, distinct);
  (*plan)->Run(input.data(), values.data(), indices.as<int32_t>(),
               scratch.data(), runner);
  const SortKey key = {0, d.order, d.largest};
  std::vector<int64_t> order(d.length);
  for (int64_t row = 0; row < d.rows; ++row) {
    std::iota(order.begin(), order.end(), row * d.length);
    std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
      return Before(input, key, i, j);
    });
    for (int64_t i = 0; i < d.k; ++i) {
      ASSERT_EQ(indices.as<int32_t>()[row * d.k + i], order[i] - row * d.length)
          << row << "," << i;
      const int width = primitive_util::ByteWidth(d.type);
      ASSERT_EQ(std::memcmp(values.as<char>() + (row * d.k + i) * width,
                            input.as<char>() + order[i] * width, width),
                0);
    }
  }
}

TEST(TopKTest, AgainstSorting) {
  for (PrimitiveType type : {F32, BF16, F64, S32, U8, S64}) {
    const SortOrder order = Orders(type, 0);
    for (bool largest : {true, false}) {
      for (const auto& [length, k] :
           std::vector<std::pair<int64_t, int64_t>>{{1, 1},
                                                    {10, 0},
                                                    {10, 10},
                                                    {50, 3},
                                                    {3000, 1},
                                                    {3000, 40},
                                                    {3000, 2000}}) {
        for (int threads : {1, 3}) {
          ThreadRunner runner(threads);
          TestTopK({type, order, largest, 12, length, k}, runner, 100);
          TestTopK({type, order, largest, 2, length, k}, runner, 100000);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(TopKTest, RefusesWhatItCannot) {
  EXPECT_FALSE(CheckTopK({F32, SortOrder::kFloatTotal, true, 1, 4, 5}).ok());
  EXPECT_FALSE(CheckTopK({C64, SortOrder::kFloatTotal, true, 1, 4, 2}).ok());
}

}  // namespace
}  // namespace xla::cpu
