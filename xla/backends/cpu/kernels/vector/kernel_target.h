// KernelTarget: the processor that a plan of a library kernel is made for.
#ifndef XLA_BACKENDS_CPU_KERNELS_VECTOR_KERNEL_TARGET_H_
#define XLA_BACKENDS_CPU_KERNELS_VECTOR_KERNEL_TARGET_H_

#include <bit>
#include <cstdint>

#include "xla/backends/cpu/kernels/vector/vector_level.h"

namespace xla::cpu {

// The data caches of one core, in bytes. The last-level cache is omitted since
// cores, and other programs, share it, so no plan relies on its size.
struct CacheSizes {
  int64_t l1_bytes = 32 << 10;
  int64_t l2_bytes = 1 << 20;
};

// The facts that plans may depend on besides shapes and types. Caches and task
// sizes only decide how work is divided, never the order of a sum, so results
// are the same on all processors of one vector level.
struct KernelTarget {
  VectorLevel vector_level = CurrentVectorLevel();
  CacheSizes caches;
  // The least time of a task on one core, in nanoseconds: some ten times the
  // cost of handing it to a thread that sleeps. Those that look for work, as
  // they do for some time after each loop, take tasks of kShortTaskNs as well.
  int64_t task_ns = 1 << 14;
  static constexpr int64_t kShortTaskNs = 1 << 12;

  // Returns the units of work (multiplications, bytes, elements) in a task of a
  // kernel that does `units_per_ns` of them per nanosecond.
  int64_t TaskUnits(double units_per_ns) const {
    return static_cast<int64_t>(static_cast<double>(task_ns) * units_per_ns);
  }
  // Returns the most bytes of an operand that is to stay in the L1 cache: a
  // power of two, which leaves room for other operands if the cache is larger.
  int64_t first_cache_bytes() const {
    return static_cast<int64_t>(
        std::bit_floor(static_cast<uint64_t>(caches.l1_bytes)));
  }
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_VECTOR_KERNEL_TARGET_H_
