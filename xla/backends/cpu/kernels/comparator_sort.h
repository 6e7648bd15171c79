// Stable sort of a row by a comparator.
#ifndef XLA_BACKENDS_CPU_KERNELS_COMPARATOR_SORT_H_
#define XLA_BACKENDS_CPU_KERNELS_COMPARATOR_SORT_H_

#include <cstdint>

#include "absl/types/span.h"
#include "xla/backends/cpu/kernels/sort.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// A row of each operand.
struct ComparatorRow {
  SortLess less;
  const void* context;
  absl::Span<const char* const> first;  // element of each operand
  absl::Span<const int64_t> stride;     // bytes from element to element
};

class ComparatorSortPlan {
 public:
  // Makes a sort of rows of `count` elements. If `splits`, a long row is split
  // into tasks, with the same result.
  ComparatorSortPlan(int64_t count, bool splits, const KernelTarget& target);

  // Writes the indices of the row's elements, in sorted order, to `indices` or
  // `other`, both of `count` elements; returns the one that has them.
  uint32_t* Sort(const ComparatorRow& row, uint32_t* indices, uint32_t* other,
                 ParallelRunner& runner) const;

 private:
  int64_t count_;
  bool splits_;
  int64_t chunk_;  // elements of a task, at least
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_COMPARATOR_SORT_H_
