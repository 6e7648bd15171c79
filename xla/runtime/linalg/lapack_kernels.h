// LapackKernels: what a backend does faster than LAPACK, for those of the
// targets that have a use for it.
#ifndef XLA_RUNTIME_LINALG_LAPACK_KERNELS_H_
#define XLA_RUNTIME_LINALG_LAPACK_KERNELS_H_

#include "xla/core/primitive_util.h"

namespace xla::linalg {

// Arguments are those of the routines, matrices column-major and packed. False:
// it did nothing, and LAPACK is to be called.
class LapackKernels {
 public:
  virtual ~LapackKernels() = default;

  // trsm whose alpha is 1.
  virtual bool Trsm(PrimitiveType type, char side, char uplo, char op,
                    char diag, int m, int n, const void* a, void* b) = 0;
  // potrf; the other triangle stays as it is.
  virtual bool Potrf(PrimitiveType type, char uplo, int n, void* a,
                     int* info) = 0;
};

}  // namespace xla::linalg

#endif  // XLA_RUNTIME_LINALG_LAPACK_KERNELS_H_
