// ForEachLane: equal ranges of work, each with a lane of scratch.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_LANES_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_LANES_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// fn(first, last, lane) for `lanes` ranges that make up [0, count).
inline void ForEachLane(ParallelRunner& runner, int64_t count, int64_t lanes,
                        absl::FunctionRef<void(int64_t, int64_t, int64_t)> fn) {
  runner.ParallelFor(lanes, [&](int64_t lane) {
    fn(count * lane / lanes, count * (lane + 1) / lanes, lane);
  });
}

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_LANES_H_
