// TopKPlan: the largest or smallest elements of each row and their indices.
#ifndef XLA_BACKENDS_CPU_KERNELS_TOPK_H_
#define XLA_BACKENDS_CPU_KERNELS_TOPK_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/backends/cpu/kernels/sort.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
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

// What is decided before data is there: the functions that make keys, tasks and
// scratch. Immutable, so that several threads may run it at once.
class TopKPlan {
 public:
  virtual ~TopKPlan() = default;

  // Errors: those of CheckTopK.
  static absl::StatusOr<std::unique_ptr<const TopKPlan>> Make(
      const TopKDesc& desc, const KernelTarget& target = KernelTarget());

  // Bytes of scratch, aligned to 64, that Run needs on so many threads.
  virtual size_t ScratchBytes(int num_threads) const = 0;

  // Results overlap neither each other nor the input.
  virtual void Run(const void* input, void* values, int32_t* indices,
                   void* scratch, ParallelRunner& runner) const = 0;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_TOPK_H_
