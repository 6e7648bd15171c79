// Products of two matrices, which passes move into and out of loops.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_MATRIX_PRODUCT_H_
#define XLA_HLO_TRANSFORMS_LOOPS_MATRIX_PRODUCT_H_

#include <cstdint>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// True for a dot of two matrices, without batch dimensions and control edges,
// that contracts one dimension of each.
bool IsMatrixProduct(const HloInstruction& hlo);

// The dimension of the operand, 0 or 1, that a matrix product contracts.
int64_t ContractedDimension(const HloInstruction& product, int operand);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_MATRIX_PRODUCT_H_
