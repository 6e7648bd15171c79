// TopK: the largest or smallest elements of each row and where they are.
#ifndef XLA_BACKENDS_CPU_KERNELS_TOPK_H_
#define XLA_BACKENDS_CPU_KERNELS_TOPK_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "xla/backends/cpu/kernels/sort.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// Input [rows, length], row-major; values [rows, k] of the same type, indices
// [rows, k] of S32. The first k of each row sorted stably by the order.
struct TopKDesc {
  PrimitiveType type = F32;
  SortOrder order = SortOrder::kFloatTotal;
  bool largest = true;
  int64_t rows = 1, length = 0, k = 0;
};

// Errors: InvalidArgument for negative or overflowing sizes and k > length;
// Unimplemented for types without keys (see CheckSort) and length > 2^31 - 1.
absl::Status CheckTopK(const TopKDesc& desc);

// Bytes of scratch, aligned to 64, that TopK needs on so many threads.
size_t TopKScratchBytes(const TopKDesc& desc, int num_threads);

void TopK(const TopKDesc& desc, const void* input, void* values,
          int32_t* indices, void* scratch, ParallelRunner& runner);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_TOPK_H_
