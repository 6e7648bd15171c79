// Factors and triangular systems of many small real matrices of one size. A
// vector register holds one element of several matrices, so that pivots and
// short loops cost what they cost for one matrix.
#ifndef XLA_BACKENDS_CPU_KERNELS_SMALL_MATRICES_H_
#define XLA_BACKENDS_CPU_KERNELS_SMALL_MATRICES_H_

#include <cstdint>

#include "xla/backends/cpu/kernels/triangular_solve.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// Matrices [count, rows, columns], packed, of F32 or F64.
struct SmallMatrices {
  PrimitiveType type = F32;
  int64_t count = 0;
  int rows = 0, columns = 0;
};

// Whether the functions below, which require it, are faster than LAPACK. The
// number of matrices, their size and type decide, never the processor.
bool HasSmallMatrixKernels(const SmallMatrices& matrices);

// A matrix's result has the same bits wherever it is in the batch, and for any
// `runner`. NaN and infinity in one matrix do not affect others.

// Replaces column-major matrices by their factors P L U, as LAPACK's getrf
// does. Of the elements of a column that may be the pivot, the first one of the
// largest absolute value is it; no element is larger than NaN, and NaN is
// larger than none. `pivots` [count, min(rows, columns)] count rows from 1;
// `info` [count] is the number of the first pivot that is 0, or 0.
void FactorSmallLu(const SmallMatrices& matrices, void* a, int32_t* pivots,
                   int32_t* info, const KernelTarget& target,
                   ParallelRunner& runner);

// Replaces the lower (or upper) triangles of row-major matrices by factors L
// with a = L L^T (or U with a = U^T U), as LAPACK's potrf does; the other
// triangles stay. `info` [count] is the number of the first row, from 1, whose
// diagonal element is not positive, or 0; later rows and columns then stay too.
void FactorSmallCholesky(const SmallMatrices& matrices, bool lower, void* a,
                         int32_t* info, const KernelTarget& target,
                         ParallelRunner& runner);

// Whether SolveSmallTriangles, which requires it, is faster than BLAS for
// `count` systems.
bool HasSmallTriangleKernel(const TriangularDesc& desc, int64_t count);

// Solves `count` triangular systems in place of x [count, rows, columns]; a is
// [count, order, order]. Each element is divided by its diagonal element.
void SolveSmallTriangles(const TriangularDesc& desc, int64_t count,
                         const void* a, void* x, const KernelTarget& target,
                         ParallelRunner& runner);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_SMALL_MATRICES_H_
