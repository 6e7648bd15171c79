// Products with a small result and a long contracting dimension, whose parts
// are summed by several threads and then added up.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DEPTH_PARTS_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DEPTH_PARTS_H_

#include <cstdint>

#include "xla/proto/xla_data.pb.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// Returns the depth of each part but the last one, which may have less, of a
// product [rows, depth] by [depth, columns] with `bytes` of operands for each
// element of depth; the whole depth if there should be no parts. It sets the
// order of sums, so it is the same on all processors.
int64_t DepthOfParts(int64_t rows, int64_t columns, int64_t depth,
                     int64_t bytes);

// Writes the sums over all parts, in their order, of `sums` [part, row, column]
// of type `sum`, F32 or F64, as `type` to rows of `out`, which are `out_stride`
// elements apart.
void AddParts(PrimitiveType sum, const void* sums, int64_t parts, int64_t rows,
              int64_t columns, PrimitiveType type, void* out,
              int64_t out_stride, ParallelRunner& runner);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DEPTH_PARTS_H_
