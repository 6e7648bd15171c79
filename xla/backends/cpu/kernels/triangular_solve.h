// TriangularSolvePlan: triangular systems of real matrices that are so large
// that their time is that of matrix products. LAPACK solves the others:
// thunk_emitter/triangular_solve.cc chooses.
#ifndef XLA_BACKENDS_CPU_KERNELS_TRIANGULAR_SOLVE_H_
#define XLA_BACKENDS_CPU_KERNELS_TRIANGULAR_SOLVE_H_

#include <cstddef>
#include <cstdint>

#include "xla/backends/cpu/kernels/products/block_product.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
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

// Whether the plan below is faster than BLAS: `order` is large enough, and
// there are enough right-hand sides.
bool HasTriangularSolveKernel(const TriangularDesc& desc);

// Holds the micro kernels, tasks and scratch. Immutable, so that several
// threads may run it at once.
class TriangularSolvePlan {
 public:
  // Requires HasTriangularSolveKernel, and at most 2^31 rows and columns.
  TriangularSolvePlan(const TriangularDesc& desc, const KernelTarget& target);

  // Returns the bytes of scratch, aligned to 64, that Run needs.
  size_t ScratchBytes() const;

  // Solves in place of b. Diagonal blocks of 16 rows are inverted; a zero on
  // the diagonal makes everything that depends on its block infinite or NaN.
  // Bits do not depend on `runner`.
  void Run(const void* a, void* x, void* scratch, ParallelRunner& runner) const;

 private:
  template <typename T>
  void RunAs(const void* a, void* x, void* scratch,
             ParallelRunner& runner) const;

  TriangularDesc desc_;
  BlockKernels kernels_;
  int64_t prepare_tasks_;  // that make the helper matrix
  int64_t stripe_;         // rows or columns of x that a task solves
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_TRIANGULAR_SOLVE_H_
