// Sorts from the lowest digit to the highest: counts all digits in one pass,
// then moves the records once for each digit that is not the same in all of
// them.
#include "xla/backends/cpu/kernels/radix_sort.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

// The most records for which insertion is faster.
constexpr int64_t kInsertionMax = 40;
// The bits of a digit if the records fit into the L2 cache, and if they do not:
// a pass over memory costs more than 2048 counters do.
constexpr int kSmallDigit = 8;
constexpr int kLargeDigit = 11;
// The passes over 64-bit keys by small digits, and by large ones.
constexpr int kSmallPasses = 8;
constexpr int kLargePasses = 6;
// The records counted and moved per nanosecond, and the least number of tasks
// of a split sort, which has as many tasks as there are threads.
constexpr double kRecordRate = 4;
constexpr int64_t kFewChunks = 16;

inline uint32_t KeyOf(uint32_t record) { return record; }
inline uint64_t KeyOf(uint64_t record) { return record; }
inline uint32_t KeyOf(const IndexedKey32& record) { return record.key; }
inline uint64_t KeyOf(const IndexedKey64& record) { return record.key; }

template <typename R>
void InsertionSort(R* records, int64_t count) {
  for (int64_t i = 1; i < count; ++i) {
    const R record = records[i];
    const auto key = KeyOf(record);
    int64_t j = i;
    for (; j > 0 && KeyOf(records[j - 1]) > key; --j)
      records[j] = records[j - 1];
    records[j] = record;
  }
}

// Replaces counts by the positions where each digit's records begin. Returns
// false if all records have the same digit.
bool ToStarts(uint32_t* counts, int64_t size, int64_t total) {
  uint32_t start = 0;
  for (int64_t d = 0; d < size; ++d) {
    if (counts[d] == total) return false;
    start += std::exchange(counts[d], start);
  }
  return true;
}

template <typename R, int kDigit>
R* SortSerially(R* from, R* to, int64_t count, uint32_t* counts) {
  constexpr int kBits = sizeof(KeyOf(R())) * 8;
  constexpr int kPasses = CeilOfRatio(kBits, kDigit);
  static_assert(kPasses <=
                (kDigit == kSmallDigit ? kSmallPasses : kLargePasses));
  constexpr int64_t kSize = int64_t{1} << kDigit;
  std::memset(counts, 0, kPasses * kSize * sizeof(uint32_t));
  for (int64_t i = 0; i < count; ++i) {
    auto key = KeyOf(from[i]);
    for (int p = 0; p < kPasses; ++p) {
      ++counts[p * kSize + (key & (kSize - 1))];
      key >>= kDigit;
    }
  }
  for (int p = 0; p < kPasses; ++p) {
    uint32_t* starts = counts + p * kSize;
    if (!ToStarts(starts, kSize, count)) continue;
    for (int64_t i = 0; i < count; ++i) {
      const R record = from[i];
      to[starts[(KeyOf(record) >> (p * kDigit)) & (kSize - 1)]++] = record;
    }
    std::swap(from, to);
  }
  return from;
}

// Each chunk counts its digits; the counts of all chunks determine where its
// records of a digit go.
template <typename R>
R* SortInChunks(R* from, R* to, int64_t count, int64_t chunks, uint32_t* counts,
                ParallelRunner& runner) {
  constexpr int kBits = sizeof(KeyOf(R())) * 8;
  constexpr int64_t kSize = int64_t{1} << kLargeDigit;
  for (int shift = 0; shift < kBits; shift += kLargeDigit) {
    runner.ParallelFor(chunks, [&](int64_t c) {
      uint32_t* own = counts + c * kSize;
      std::memset(own, 0, kSize * sizeof(uint32_t));
      for (int64_t i = count * c / chunks; i < count * (c + 1) / chunks; ++i) {
        ++own[(KeyOf(from[i]) >> shift) & (kSize - 1)];
      }
    });
    uint32_t start = 0;
    bool same = false;
    for (int64_t d = 0; d < kSize; ++d) {
      const uint32_t before = start;
      for (int64_t c = 0; c < chunks; ++c) {
        start += std::exchange(counts[c * kSize + d], start);
      }
      same = same || start - before == count;
    }
    if (same) continue;
    runner.ParallelFor(chunks, [&](int64_t c) {
      uint32_t* own = counts + c * kSize;
      for (int64_t i = count * c / chunks; i < count * (c + 1) / chunks; ++i) {
        const R record = from[i];
        to[own[(KeyOf(record) >> shift) & (kSize - 1)]++] = record;
      }
    });
    std::swap(from, to);
  }
  return from;
}

}  // namespace

RadixSortPlan::RadixSortPlan(int64_t count, bool splits,
                             const KernelTarget& target)
    : count_(count), chunk_(target.TaskUnits(kRecordRate)) {
  // Two arrays of the largest records take half of the L2 cache.
  const int64_t cached =
      target.caches.l2_bytes / static_cast<int64_t>(4 * sizeof(IndexedKey64));
  algorithm_ = count <= kInsertionMax          ? Algorithm::kInsertion
               : splits && count >= 2 * chunk_ ? Algorithm::kChunks
               : count >= cached               ? Algorithm::kLargeDigits
                                               : Algorithm::kSmallDigits;
}

int64_t RadixSortPlan::ChunksFor(int64_t num_threads) const {
  return std::min(count_ / chunk_, std::max(num_threads, kFewChunks));
}

size_t RadixSortPlan::ScratchBytes(int num_threads) const {
  switch (algorithm_) {
    case Algorithm::kInsertion:
      return 0;
    case Algorithm::kSmallDigits:
      return (kSmallPasses << kSmallDigit) * sizeof(uint32_t);
    case Algorithm::kLargeDigits:
      return (kLargePasses << kLargeDigit) * sizeof(uint32_t);
    case Algorithm::kChunks:
      return (ChunksFor(num_threads) << kLargeDigit) * sizeof(uint32_t);
  }
  return 0;
}

template <typename Record>
Record* RadixSortPlan::SortRecords(Record* records, Record* other,
                                   void* scratch,
                                   ParallelRunner& runner) const {
  uint32_t* const counts = static_cast<uint32_t*>(scratch);
  switch (algorithm_) {
    case Algorithm::kInsertion:
      InsertionSort(records, count_);
      return records;
    case Algorithm::kSmallDigits:
      return SortSerially<Record, kSmallDigit>(records, other, count_, counts);
    case Algorithm::kLargeDigits:
      return SortSerially<Record, kLargeDigit>(records, other, count_, counts);
    case Algorithm::kChunks:
      return SortInChunks(records, other, count_,
                          ChunksFor(runner.num_threads()), counts, runner);
  }
  return records;
}

uint32_t* RadixSortPlan::Sort(uint32_t* records, uint32_t* other, void* scratch,
                              ParallelRunner& runner) const {
  return SortRecords(records, other, scratch, runner);
}
uint64_t* RadixSortPlan::Sort(uint64_t* records, uint64_t* other, void* scratch,
                              ParallelRunner& runner) const {
  return SortRecords(records, other, scratch, runner);
}
IndexedKey32* RadixSortPlan::Sort(IndexedKey32* records, IndexedKey32* other,
                                  void* scratch, ParallelRunner& runner) const {
  return SortRecords(records, other, scratch, runner);
}
IndexedKey64* RadixSortPlan::Sort(IndexedKey64* records, IndexedKey64* other,
                                  void* scratch, ParallelRunner& runner) const {
  return SortRecords(records, other, scratch, runner);
}

}  // namespace xla::cpu
