// KernelTarget: the processor that a plan of a library kernel is made for.
#ifndef XLA_BACKENDS_CPU_KERNELS_VECTOR_KERNEL_TARGET_H_
#define XLA_BACKENDS_CPU_KERNELS_VECTOR_KERNEL_TARGET_H_

#include <bit>
#include <cstdint>

#include "xla/backends/cpu/kernels/vector/vector_level.h"

namespace xla::cpu {

// The data caches of one core, in bytes. The last-level cache is missing since
// cores, and other programs, share it: no plan counts on its size.
struct CacheSizes {
  int64_t l1_bytes = 32 << 10;
  int64_t l2_bytes = 1 << 20;
};

// What plans may depend on besides shapes and types. Caches and task sizes only
// decide how work is cut up, never the order of a sum, so that results are the
// same on all processors of one vector level.
struct KernelTarget {
  VectorLevel vector_level = CurrentVectorLevel();
  CacheSizes caches;
  // The least time that a task takes on one core, in nanoseconds: some ten
  // times what handing it to another thread costs.
  int64_t task_ns = 1 << 14;

  // Units of work (multiplications, bytes, elements) in a task, for a kernel
  // that does `units_per_ns` of them in a nanosecond.
  int64_t TaskUnits(double units_per_ns) const {
    return static_cast<int64_t>(static_cast<double>(task_ns) * units_per_ns);
  }
  // Bytes that an operand may have to stay in the first cache: a power of two,
  // which leaves room for the other operands where the cache is larger.
  int64_t first_cache_bytes() const {
    return static_cast<int64_t>(
        std::bit_floor(static_cast<uint64_t>(caches.l1_bytes)));
  }
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_VECTOR_KERNEL_TARGET_H_
