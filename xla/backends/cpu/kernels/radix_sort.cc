// From the lowest digit to the highest: counts all digits in one reading, then
// moves the records once per digit that is not the same in all of them.
#include "xla/backends/cpu/kernels/radix_sort.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

// Up to so many records, insertion is faster.
constexpr int64_t kInsertionMax = 40;
// Digits of records that fit into the first caches, and of more.
constexpr int kSmallDigit = 8;
constexpr int kLargeDigit = 11;
constexpr int64_t kLargeCount = 1 << 14;
constexpr int kMaxPasses = 8;
// Split sorts: records per task at least, and tasks at most on few threads.
constexpr int64_t kChunk = 1 << 16;
constexpr int64_t kFewChunks = 16;

int64_t ChunksOf(int64_t count, int num_threads) {
  return std::min(count / kChunk, std::max<int64_t>(num_threads, kFewChunks));
}

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

// Turns counts into where each digit's records begin. False if all records
// have the same digit.
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
  static_assert(kPasses <= kMaxPasses);
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

// Each chunk counts its digits; where its records of a digit go follows from
// the counts of all.
template <typename R>
R* SortInChunks(R* from, R* to, int64_t count, uint32_t* counts,
                ParallelRunner& runner) {
  constexpr int kBits = sizeof(KeyOf(R())) * 8;
  constexpr int64_t kSize = int64_t{1} << kLargeDigit;
  const int64_t chunks = ChunksOf(count, runner.num_threads());
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

template <typename R>
R* SortRecords(R* records, R* other, int64_t count, void* scratch,
               ParallelRunner* runner) {
  uint32_t* counts = static_cast<uint32_t*>(scratch);
  if (count <= kInsertionMax) {
    InsertionSort(records, count);
    return records;
  }
  if (runner != nullptr && count >= 2 * kChunk) {
    return SortInChunks(records, other, count, counts, *runner);
  }
  if (count >= kLargeCount) {
    return SortSerially<R, kLargeDigit>(records, other, count, counts);
  }
  return SortSerially<R, kSmallDigit>(records, other, count, counts);
}

}  // namespace

size_t RadixScratchBytes(int64_t count, int num_threads) {
  if (count <= kInsertionMax) return 0;
  const int64_t small = kMaxPasses << kSmallDigit;
  const int64_t large = int64_t{6} << kLargeDigit;
  const int64_t chunks = ChunksOf(count, num_threads) << kLargeDigit;
  int64_t counts = count >= kLargeCount ? large : small;
  if (num_threads > 0 && count >= 2 * kChunk) counts = std::max(counts, chunks);
  return counts * sizeof(uint32_t);
}

uint32_t* RadixSort(uint32_t* records, uint32_t* other, int64_t count,
                    void* scratch, ParallelRunner* runner) {
  return SortRecords(records, other, count, scratch, runner);
}
uint64_t* RadixSort(uint64_t* records, uint64_t* other, int64_t count,
                    void* scratch, ParallelRunner* runner) {
  return SortRecords(records, other, count, scratch, runner);
}
IndexedKey32* RadixSort(IndexedKey32* records, IndexedKey32* other,
                        int64_t count, void* scratch, ParallelRunner* runner) {
  return SortRecords(records, other, count, scratch, runner);
}
IndexedKey64* RadixSort(IndexedKey64* records, IndexedKey64* other,
                        int64_t count, void* scratch, ParallelRunner* runner) {
  return SortRecords(records, other, count, scratch, runner);
}

}  // namespace xla::cpu
