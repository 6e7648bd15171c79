// Whether an op keeps elements in their rows, or where they are: facts about
// its index relation, with arrays seen in row-major order.
#ifndef XLA_HLO_ANALYSIS_INDEXING_ROW_INDEXING_H_
#define XLA_HLO_ANALYSIS_INDEXING_ROW_INDEXING_H_

#include <cstdint>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Sees the result of `user`, and its operand number `operand`, as `rows` rows
// of equal length each, in row-major order; the two lengths may differ. Returns
// true if the elements of the operand that an element of the result depends on
// are in the row of the same number. False where the arrays have no such rows,
// or the index relation does not tell. A result that is a tuple has arrays of
// the same dimensions. `rows` is at least 1.
//
// Ops of this kind compose: if each op between two values keeps rows, a row of
// the last one depends on that row of the first alone.
bool KeepsRows(const HloInstruction& user, int64_t operand, int64_t rows);

// Returns true if each element of the result of `user` depends, in operand
// number `operand`, on the element with the same linear index (its number in
// row-major order) and on no other. False where the index relation does not
// tell.
bool KeepsLinearIndex(const HloInstruction& user, int64_t operand);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_INDEXING_ROW_INDEXING_H_
