// LapackKernels: routines that a backend runs faster than LAPACK does, for the
// targets that call them.
#ifndef XLA_RUNTIME_LINALG_LAPACK_KERNELS_H_
#define XLA_RUNTIME_LINALG_LAPACK_KERNELS_H_

#include <cstdint>

#include "xla/core/primitive_util.h"

namespace xla::linalg {

// Arguments are those of LAPACK's routines, for `count` problems of one size
// whose arrays lie one after the other; matrices are column-major and packed. A
// method that returns false did nothing, and the caller calls LAPACK.
class LapackKernels {
 public:
  virtual ~LapackKernels() = default;

  // trsm with alpha = 1.
  virtual bool Trsm(PrimitiveType type, char side, char uplo, char op,
                    char diag, int m, int n, int64_t count, const void* a,
                    void* b) = 0;
  // potrf; leaves the other triangle alone.
  virtual bool Potrf(PrimitiveType type, char uplo, int n, int64_t count,
                     void* a, int* info) = 0;
  virtual bool Getrf(PrimitiveType type, int m, int n, int64_t count, void* a,
                     int* pivots, int* info) = 0;
};

}  // namespace xla::linalg

#endif  // XLA_RUNTIME_LINALG_LAPACK_KERNELS_H_
