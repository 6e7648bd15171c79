// TileFunction: what is computed of the parts of a product's result.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_TILE_FUNCTION_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_TILE_FUNCTION_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// Called with parts of a result once these have been written, rows [row, row +
// rows) of all batches and columns [column, column + columns): every element is
// in one part. Called from several threads at once.
using TileFunction = absl::FunctionRef<void(int64_t row, int64_t rows,
                                            int64_t column, int64_t columns)>;

// Calls `finish` with all of `rows` rows of `columns` columns, in parallel.
void FinishAll(int64_t rows, int64_t columns, ParallelRunner& runner,
               TileFunction finish);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_TILE_FUNCTION_H_
