// Stable sorts of integer keys, alone or with an index.
#ifndef XLA_BACKENDS_CPU_KERNELS_RADIX_SORT_H_
#define XLA_BACKENDS_CPU_KERNELS_RADIX_SORT_H_

#include <cstddef>
#include <cstdint>

#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// A key of 32 bits and an index.
struct IndexedKey32 {
  uint32_t index;
  uint32_t key;
};
struct IndexedKey64 {
  uint64_t key;
  uint32_t index;
};

// Sorts `count` records. The result of Sort is in `records` or in `other`,
// which has the same size; Sort returns the one that has it.
class RadixSortPlan {
 public:
  // If `splits`, a long sort is split into tasks, with the same result.
  RadixSortPlan(int64_t count, bool splits, const KernelTarget& target);

  // Returns the bytes of scratch that Sort needs besides `other` on
  // `num_threads` threads.
  size_t ScratchBytes(int num_threads) const;

  uint32_t* Sort(uint32_t* records, uint32_t* other, void* scratch,
                 ParallelRunner& runner) const;
  uint64_t* Sort(uint64_t* records, uint64_t* other, void* scratch,
                 ParallelRunner& runner) const;
  IndexedKey32* Sort(IndexedKey32* records, IndexedKey32* other, void* scratch,
                     ParallelRunner& runner) const;
  IndexedKey64* Sort(IndexedKey64* records, IndexedKey64* other, void* scratch,
                     ParallelRunner& runner) const;

 private:
  enum class Algorithm { kInsertion, kSmallDigits, kLargeDigits, kChunks };

  int64_t ChunksFor(int64_t num_threads) const;
  template <typename Record>
  Record* SortRecords(Record* records, Record* other, void* scratch,
                      ParallelRunner& runner) const;

  int64_t count_;
  int64_t chunk_;  // records of a task, at least
  Algorithm algorithm_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_RADIX_SORT_H_
