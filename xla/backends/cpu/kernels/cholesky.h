// CholeskyPlan: Cholesky factors of real matrices that are so large that their
// time is that of matrix products. LAPACK factors the others:
// thunk_emitter/cholesky.cc chooses.
#ifndef XLA_BACKENDS_CPU_KERNELS_CHOLESKY_H_
#define XLA_BACKENDS_CPU_KERNELS_CHOLESKY_H_

#include <cstddef>
#include <cstdint>

#include "xla/backends/cpu/kernels/products/block_product.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// Whether the plan below is faster than LAPACK for matrices of `type` and
// `order`.
bool HasCholeskyKernel(PrimitiveType type, int64_t order);

// Holds the micro kernels, panels and scratch. Immutable, so that several
// threads may run it at once.
class CholeskyPlan {
 public:
  // Requires HasCholeskyKernel.
  CholeskyPlan(PrimitiveType type, int64_t order, const KernelTarget& target);

  PrimitiveType type() const { return type_; }
  int64_t order() const { return order_; }

  // Returns the bytes of scratch, aligned to 64, that Run needs.
  size_t ScratchBytes() const;

  // Replaces the lower triangle of a[order, order] by the factor L of a = L
  // L^T; elements above the diagonal are neither read nor written. If there is
  // no factor, some number on the diagonal is not positive and finite. Bits do
  // not depend on `runner`.
  void Run(void* a, void* scratch, ParallelRunner& runner) const;

 private:
  template <typename T>
  void RunAs(void* a, void* scratch, ParallelRunner& runner) const;

  PrimitiveType type_;
  int64_t order_;
  BlockKernels kernels_;
  int64_t panel_columns_;
  int64_t task_flops_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_CHOLESKY_H_
