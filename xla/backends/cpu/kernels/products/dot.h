// Dot: batches of matrix products of any types, the library kernel of HLO's
// dot in canonical form. The seam for better kernels: nothing outside knows
// how it multiplies.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DOT_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DOT_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// out[b,m,n] = sum over k of lhs[b,m,k] rhs[b,k,n], row-major. Any array types
// with one byte or more per element. Floats are summed in F32 or, if a type is
// F64 or C128, in F64, and rounded once; integers exactly, modulo the width of
// the result; pred as 0 and 1.
struct DotDesc {
  PrimitiveType lhs = F32, rhs = F32, out = F32;
  int64_t batch = 1, m = 0, n = 0, k = 0;
  bool lhs_transposed = false;  // lhs is [b,k,m]
  bool rhs_transposed = false;  // rhs is [b,n,k]
  // Elements from row to row and from batch to batch; 0 where packed.
  int64_t lhs_stride = 0, rhs_stride = 0, out_stride = 0;
  int64_t lhs_batch_stride = 0, rhs_batch_stride = 0, out_batch_stride = 0;
};

// Errors: InvalidArgument for negative or overflowing sizes, rows that overlap,
// types without elements. The functions below require a desc that passes.
absl::Status CheckDot(const DotDesc& desc);

// Bytes of scratch, aligned to 64, that Dot needs on so many threads.
size_t DotScratchBytes(const DotDesc& desc, int num_threads);

// `out` overlaps neither operand. Bits do not depend on `runner`.
void Dot(const DotDesc& desc, const void* lhs, const void* rhs, void* out,
         void* scratch, ParallelRunner& runner);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DOT_H_
