// What is computed of the parts of a product's result.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_TILE_FUNCTION_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_TILE_FUNCTION_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// Called with parts of a result once these have been written, rows [row, row +
// rows) of all batches and columns [column, column + columns): every element is
// in one part. Called from several threads at once.
using TileFunction = absl::FunctionRef<void(int64_t row, int64_t rows,
                                            int64_t column, int64_t columns)>;

// An array with the rows and columns of a result, `row_bytes` apart and of
// `element_bytes` each.
struct TileOperand {
  const char* data;
  int64_t row_bytes, element_bytes;
};

// How a result is finished: by a function, and the arrays of which it reads,
// for each part, the elements at the same places. These are prefetched while
// the part is multiplied.
struct TileFinish {
  TileFunction function;
  absl::Span<const TileOperand> operands = {};
};

// Calls the function of `finish` with all of `rows` rows of `columns` columns,
// in parallel.
void FinishAll(int64_t rows, int64_t columns, ParallelRunner& runner,
               const TileFinish& finish);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_TILE_FUNCTION_H_
