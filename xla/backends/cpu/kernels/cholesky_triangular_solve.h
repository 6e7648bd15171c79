// Triangular systems and Cholesky factors of real matrices that are so large
// that their time is that of matrix products. The others are LAPACK's:
// thunk_emitter/cholesky_triangular_solve.cc chooses.
#ifndef XLA_BACKENDS_CPU_KERNELS_CHOLESKY_TRIANGULAR_SOLVE_H_
#define XLA_BACKENDS_CPU_KERNELS_CHOLESKY_TRIANGULAR_SOLVE_H_

#include <cstddef>
#include <cstdint>

#include "xla/proto/xla_data.pb.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// T x = b, or x T = b; b is [rows, columns] and T, row-major like it, is the
// triangle of a, or its transpose.
struct TriangularDesc {
  PrimitiveType type = F32;  // F32 or F64
  bool left = true;
  bool lower = true;  // which triangle of a is read
  bool transposed = false;
  bool unit_diagonal = false;  // the diagonal of a is not read
  int64_t rows = 0, columns = 0;

  int64_t order() const { return left ? rows : columns; }
};

// Whether the kernels below are worth calling: for matrices of `order`, and
// enough right-hand sides.
bool HasCholeskyKernel(PrimitiveType type, int64_t order);
bool HasSolveKernel(const TriangularDesc& desc);

// Bytes of scratch, aligned to 64, for matrices of at most 2^31 rows and
// columns.
size_t TriangularSolveScratchBytes(const TriangularDesc& desc);
// Solves in place of b. Blocks of the diagonal are inverted, 16 rows each; a
// zero there makes what depends on its block infinite or nan. Bits do not
// depend on `runner`.
void TriangularSolve(const TriangularDesc& desc, const void* a, void* x,
                     void* scratch, ParallelRunner& runner);

size_t CholeskyScratchBytes(PrimitiveType type, int64_t order);
// The lower triangle of a[order, order] becomes its factor L, of a = L L^T;
// what is above the diagonal is neither read nor written. Numbers on
// the diagonal that are not positive and finite say that there is no factor.
void Cholesky(PrimitiveType type, int64_t order, void* a, void* scratch,
              ParallelRunner& runner);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_CHOLESKY_TRIANGULAR_SOLVE_H_
