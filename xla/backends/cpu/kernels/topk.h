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

// The input is [rows, length], row-major; the results are values [rows, k] of
// the same type and indices [rows, k] of S32: the first k of each row when it
// is stably sorted by the order.
struct TopKDesc {
  PrimitiveType type = F32;
  SortOrder order = SortOrder::kFloatTotal;
  bool largest = true;
  int64_t rows = 1, length = 0, k = 0;
};

// Errors: InvalidArgument for negative or overflowing sizes and k > length;
// Unimplemented for types without keys (see CheckSort) and length > 2^31 - 1.
absl::Status CheckTopK(const TopKDesc& desc);

// Holds everything that does not depend on data: the functions that make keys,
// tasks and scratch. Immutable, so that several threads may run it at once.
class TopKPlan {
 public:
  virtual ~TopKPlan() = default;

  // Errors: those of CheckTopK.
  static absl::StatusOr<std::unique_ptr<const TopKPlan>> Make(
      const TopKDesc& desc, const KernelTarget& target = KernelTarget());

  // Returns the bytes of scratch, aligned to 64, that Run needs on
  // `num_threads` threads.
  virtual size_t ScratchBytes(int num_threads) const = 0;

  // Results overlap neither each other nor the input.
  virtual void Run(const void* input, void* values, int32_t* indices,
                   void* scratch, ParallelRunner& runner) const = 0;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_TOPK_H_
