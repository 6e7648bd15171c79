// OperandFunction: an operand of a product that is computed while it is read.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_OPERAND_FUNCTION_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_OPERAND_FUNCTION_H_

#include <cstdint>

#include "absl/functional/function_ref.h"

namespace xla::cpu {

// Writes elements [column, column + columns) of a row of an operand to `to`,
// one after the other. Rows are those of the operand as it would lie in memory,
// counted over all items of a batch. `column` is a multiple of the operand's
// step, and `columns` too unless they end with the row. Called from several
// threads at once.
using OperandFunction = absl::FunctionRef<void(int64_t row, int64_t column,
                                               int64_t columns, void* to)>;

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_OPERAND_FUNCTION_H_
