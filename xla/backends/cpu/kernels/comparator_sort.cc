// Sorts indices by merging, bottom up from runs sorted by insertion.
#include "xla/backends/cpu/kernels/comparator_sort.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/container/inlined_vector.h"

namespace xla::cpu {
namespace {

// The elements of a run, which insertion sorts before runs are merged.
constexpr int64_t kRun = 8;
// The elements sorted per nanosecond, and the least number of tasks of a split
// sort, which has as many tasks as there are threads.
constexpr double kComparedRate = 0.25;
constexpr int64_t kFewTasks = 16;

class IndexSorter {
 public:
  explicit IndexSorter(const ComparatorRow& row)
      : row_(row), pairs_(2 * row.first.size()) {}

  // Sorts indices[begin, end); the result is there.
  void Sort(int64_t begin, int64_t end, uint32_t* indices, uint32_t* other) {
    for (int64_t i = begin; i < end; i += kRun) {
      InsertionSort(indices + i, std::min(kRun, end - i));
    }
    uint32_t *from = indices, *to = other;
    for (int64_t width = kRun; width < end - begin; width *= 2) {
      for (int64_t i = begin; i < end; i += 2 * width) {
        Merge(from, i, std::min(i + width, end), std::min(i + 2 * width, end),
              to);
      }
      std::swap(from, to);
    }
    if (from != indices) {
      std::memcpy(indices + begin, from + begin,
                  (end - begin) * sizeof(uint32_t));
    }
  }

  // Merges from[begin, middle) and from[middle, end) into to[begin, end).
  void Merge(const uint32_t* from, int64_t begin, int64_t middle, int64_t end,
             uint32_t* to) {
    int64_t i = begin, j = middle, k = begin;
    // The two runs are often in order already.
    if (middle < end && i < middle && !Less(from[middle], from[middle - 1])) {
      i = j = end;
      std::memcpy(to + begin, from + begin, (end - begin) * sizeof(uint32_t));
      return;
    }
    while (i < middle && j < end) {
      to[k++] = Less(from[j], from[i]) ? from[j++] : from[i++];
    }
    std::copy(from + i, from + middle, to + k);
    k += middle - i;
    std::copy(from + j, from + end, to + k);
  }

 private:
  bool Less(uint32_t x, uint32_t y) {
    for (size_t i = 0; i < row_.first.size(); ++i) {
      pairs_[2 * i] = row_.first[i] + x * row_.stride[i];
      pairs_[2 * i + 1] = row_.first[i] + y * row_.stride[i];
    }
    return row_.less(row_.context, pairs_.data());
  }

  void InsertionSort(uint32_t* indices, int64_t count) {
    for (int64_t i = 1; i < count; ++i) {
      const uint32_t index = indices[i];
      int64_t j = i;
      for (; j > 0 && Less(index, indices[j - 1]); --j) {
        indices[j] = indices[j - 1];
      }
      indices[j] = index;
    }
  }

  const ComparatorRow& row_;
  absl::InlinedVector<const void*, 8> pairs_;
};

}  // namespace

ComparatorSortPlan::ComparatorSortPlan(int64_t count, bool splits,
                                       const KernelTarget& target)
    : count_(count), splits_(splits), chunk_(target.TaskUnits(kComparedRate)) {}

uint32_t* ComparatorSortPlan::Sort(const ComparatorRow& row, uint32_t* indices,
                                   uint32_t* other,
                                   ParallelRunner& runner) const {
  for (int64_t i = 0; i < count_; ++i) indices[i] = static_cast<uint32_t>(i);
  // The number of chunks is a power of two, so that pairs of them are merged.
  const int64_t most =
      splits_ ? std::max<int64_t>(runner.num_threads(), kFewTasks) : 1;
  int64_t chunks = 1;
  while (chunks < most && count_ / (2 * chunks) >= chunk_) chunks *= 2;
  if (chunks == 1) {
    IndexSorter(row).Sort(0, count_, indices, other);
    return indices;
  }
  const auto start = [&](int64_t chunk) { return count_ * chunk / chunks; };
  runner.ParallelFor(chunks, [&](int64_t c) {
    IndexSorter(row).Sort(start(c), start(c + 1), indices, other);
  });
  uint32_t *from = indices, *to = other;
  for (int64_t width = 1; width < chunks; width *= 2) {
    runner.ParallelFor(chunks / (2 * width), [&](int64_t p) {
      const int64_t c = 2 * width * p;
      IndexSorter(row).Merge(from, start(c), start(c + width),
                             start(c + 2 * width), to);
    });
    std::swap(from, to);
  }
  return from;
}

}  // namespace xla::cpu
