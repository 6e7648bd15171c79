// OrderedOp: an op on arrays whose dimensions are in another order. Says which
// orders of operands and results go together, and makes such ops.
#ifndef XLA_HLO_TRANSFORMS_LAYOUT_ORDERED_OP_H_
#define XLA_HLO_TRANSFORMS_LAYOUT_ORDERED_OP_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Dimension i of the array in this order is dimension order[i] of the array as
// the program has it, as in TransposeAttrs. Empty for scalars.
using DimensionOrder = std::vector<int64_t>;

// Returns the dimensions that have more than one element, as `order` has them.
// Arrays for which they are the same are the same memory.
DimensionOrder MemoryOrder(const Shape& shape, const DimensionOrder& order);
// Returns 0, 1, ..., rank - 1.
DimensionOrder GivenOrder(int64_t rank);

// Returns the shape of the result, or of the elements of a tuple, which all
// have the same dimensions; null for other tuples.
const Shape* OrderedShape(const HloInstruction& hlo);

// The orders in which an op reads its operands and makes its result.
struct OrderedOp {
  DimensionOrder result;
  std::vector<DimensionOrder> operands;
};

// Returns how `hlo` is computed in `order`; nullopt if it is not, because it
// depends on the order (a reshape, or a reduction whose reducer is not
// commutative) or is an op of which this file knows nothing. The op then
// computes the same values, but sums may be added up in another order.
std::optional<OrderedOp> OrderedByResult(const HloInstruction& hlo,
                                         const DimensionOrder& order);
// Returns how it is computed from operand `i` in `order`; likewise.
std::optional<OrderedOp> OrderedByOperand(const HloInstruction& hlo, int64_t i,
                                          const DimensionOrder& order);

// Adds `hlo` as `op` says, with `operands`, which are in the orders that it
// asks for. Dimensions of size 1 may be elsewhere in operands of reshapes.
HloInstruction* AddOrdered(HloInstruction* hlo, const OrderedOp& op,
                           absl::Span<HloInstruction* const> operands);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LAYOUT_ORDERED_OP_H_
