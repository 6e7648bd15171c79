// Stable sorts of integer keys, alone or with an index.
#ifndef XLA_BACKENDS_CPU_KERNELS_RADIX_SORT_H_
#define XLA_BACKENDS_CPU_KERNELS_RADIX_SORT_H_

#include <cstddef>
#include <cstdint>

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

// Bytes of working memory that sorting `count` records needs besides `other`,
// with a runner of so many threads, or 0 without. With a runner, large ones are
// split; the result is the same.
size_t RadixScratchBytes(int64_t count, int num_threads);

// Sorts `records`; the result is there or in `other`, of the same size: returns
// where. `runner` may be null.
uint32_t* RadixSort(uint32_t* records, uint32_t* other, int64_t count,
                    void* scratch, ParallelRunner* runner);
uint64_t* RadixSort(uint64_t* records, uint64_t* other, int64_t count,
                    void* scratch, ParallelRunner* runner);
IndexedKey32* RadixSort(IndexedKey32* records, IndexedKey32* other,
                        int64_t count, void* scratch, ParallelRunner* runner);
IndexedKey64* RadixSort(IndexedKey64* records, IndexedKey64* other,
                        int64_t count, void* scratch, ParallelRunner* runner);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_RADIX_SORT_H_
