// The kernels of cholesky.h, triangular_solve.h and small_matrices.h as
// cholesky and LAPACK's custom calls call them.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_LAPACK_KERNELS_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_LAPACK_KERNELS_H_

#include <cstdint>

#include "xla/backends/cpu/kernels/cholesky.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/runtime/linalg/lapack_kernels.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// Factors a row-major matrix of the plan's type and order in its lower or its
// upper triangle; the other one stays as it is, and numbers on the diagonal are
// as CholeskyPlan::Run leaves them. `scratch` is what the plan needs.
void CholeskyOfTriangle(const CholeskyPlan& plan, bool lower, void* a,
                        char* scratch, ParallelRunner& runner);

// Plans each call, whose sizes come with it, and allocates its scratch;
// declines where there is no memory. Borrows both arguments.
class CpuLapackKernels : public linalg::LapackKernels {
 public:
  CpuLapackKernels(ParallelRunner& runner, const KernelTarget& target)
      : runner_(runner), target_(target) {}

  bool Trsm(PrimitiveType type, char side, char uplo, char op, char diag, int m,
            int n, int64_t count, const void* a, void* b) override;
  bool Potrf(PrimitiveType type, char uplo, int n, int64_t count, void* a,
             int* info) override;
  bool Getrf(PrimitiveType type, int m, int n, int64_t count, void* a,
             int* pivots, int* info) override;

 private:
  ParallelRunner& runner_;
  const KernelTarget& target_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_LAPACK_KERNELS_H_
