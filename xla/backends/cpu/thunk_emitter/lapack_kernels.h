// The kernels of cholesky_triangular_solve.h as cholesky, triangular-solve and
// LAPACK's targets call them.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_LAPACK_KERNELS_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_LAPACK_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "xla/proto/xla_data.pb.h"
#include "xla/runtime/linalg/lapack_kernels.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// The factor of a row-major matrix, F32 or F64, in its lower or its upper
// triangle; the other one stays as it is. Numbers on the diagonal as Cholesky
// leaves them.
void CholeskyOfTriangle(PrimitiveType type, bool lower, int64_t order, void* a,
                        char* scratch, ParallelRunner& runner);
// Of scratch, aligned to 64, that it needs.
size_t CholeskyOfTriangleBytes(PrimitiveType type, int64_t order);

// For one call, whose memory it allocates; declines where there is none.
class CpuLapackKernels : public linalg::LapackKernels {
 public:
  explicit CpuLapackKernels(ParallelRunner& runner) : runner_(runner) {}

  bool Trsm(PrimitiveType type, char side, char uplo, char op, char diag, int m,
            int n, const void* a, void* b) override;
  bool Potrf(PrimitiveType type, char uplo, int n, void* a, int* info) override;

 private:
  ParallelRunner& runner_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_LAPACK_KERNELS_H_
