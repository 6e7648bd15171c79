// AttentionPlan: two products with a function of rows between them, computed a
// block of rows at a time, so that the rows between them never leave the cache.
// In most models this function is a softmax.
#ifndef XLA_BACKENDS_CPU_KERNELS_ATTENTION_ATTENTION_H_
#define XLA_BACKENDS_CPU_KERNELS_ATTENTION_ATTENTION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/backends/cpu/kernels/products/dot.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// A dimension of the batch, or of the rows of an item of it: its size, and the
// elements from one index along it to the next in each array. Rows are those of
// lhs and out alone.
struct AttentionDim {
  int64_t size = 1;
  int64_t lhs = 0, rhs = 0, values = 0, out = 0;
};

// Columns [begin, end) of rows.
struct ColumnRange {
  int64_t begin, end;
};

// out[b,m,p] = row_function(lhs[b,m,k] rhs[b,k,n]) values[b,n,p].
struct AttentionDesc {
  DotDesc first;   // its result is packed: no strides
  DotDesc second;  // `lhs` is packed and not transposed
  // Dimensions, major ones first, whose sizes have the product first.batch, and
  // such with the product first.m: arrays are not packed, and the strides of
  // batches and of rows in the products do not count. If they are empty, those
  // count.
  std::vector<AttentionDim> batch, rows;
  // Returns the columns of the first product that the row function reads in any
  // of rows [row, row + rows) of any item. Null: all of them.
  std::function<ColumnRange(int64_t row, int64_t rows)> columns_read;
  // Whether the row function may be asked for fewer columns than there are:
  // those that are read and one more, before or behind them. If its result is
  // zero in that one, results are zero in all columns that are not read, and
  // the others are what they would have been.
  bool narrows_rows = false;
};

// Errors: InvalidArgument for products that CheckDot refuses or that do not fit
// together.
absl::Status CheckAttention(const AttentionDesc& desc);

// The row function: makes these columns of the left rows of the second product,
// rows [row, row + rows) of all b * m, of results of the first one. These lie
// densely at `block`, and the former at `left`, aligned to 64: in the same
// memory if their types have the same width. It may write other columns, too.
// Called from several threads at once.
using RowFunction = absl::FunctionRef<void(
    int64_t row, int64_t rows, ColumnRange columns, char* block, char* left)>;

// Holds everything that does not depend on data: micro kernels, blocks and
// scratch. Immutable, so that several threads may run it at once.
class AttentionPlan {
 public:
  virtual ~AttentionPlan() = default;

  // Errors: those of CheckAttention.
  static absl::StatusOr<std::unique_ptr<const AttentionPlan>> Make(
      const AttentionDesc& desc, const KernelTarget& target = KernelTarget());

  // Returns the bytes of scratch, aligned to 64, that Run needs on
  // `num_threads` threads.
  virtual size_t ScratchBytes(int num_threads) const = 0;

  // `out` overlaps no operand. Bits do not depend on `runner` if those of the
  // row function do not depend on the number of rows that it gets.
  virtual void Run(const void* lhs, const void* rhs, const void* values,
                   void* out, RowFunction row_function, void* scratch,
                   ParallelRunner& runner) const = 0;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_ATTENTION_ATTENTION_H_
