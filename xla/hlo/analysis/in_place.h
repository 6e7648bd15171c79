// Which results are written over an operand, or may be. The one definition that
// buffer assignment, code generation and kernels go by.
#ifndef XLA_HLO_ANALYSIS_IN_PLACE_H_
#define XLA_HLO_ANALYSIS_IN_PLACE_H_

#include <optional>
#include <vector>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// A leaf of an operand.
struct OperandLeaf {
  int operand = 0;
  int leaf = 0;

  friend bool operator==(const OperandLeaf& a, const OperandLeaf& b) {
    return a.operand == b.operand && a.leaf == b.leaf;
  }
};

// The operand whose memory leaf `leaf` of the result has, always: the op finds
// the operand's elements there and writes only those that change.
// - dynamic-update-slice: operand 0; scatter: operand i for result i;
// - custom-call: as its output_to_operand_aliasing says;
// - a fusion whose output comes (through bitcasts that nobody else reads) from
//   a dynamic-update-slice or scatter of a parameter (through bitcasts) that
//   nothing else in the fusion reads, except dynamic-slices of exactly what is
//   overwritten whose elements go element by element, in row-major order, into
//   the update.
// All reads of the other operands and of such slices come before the write of
// the same element. Nullopt: memory of its own. A fusion of a
// dynamic-update-slice without such an operand makes a full result.
std::optional<OperandLeaf> InPlaceOperand(const HloInstruction* instr,
                                          int leaf);

// Leaf `leaf` of the result may, but need not, be written over operand number
// `operand`, an array that is read for the last time there: element i of the
// operand is read before element i of the result is written, and is not needed
// later.
// - elementwise ops, for operands of the same dimensions and element size;
// - fusions of kind kLoop without in-place operands, all outputs of which have
//   the same dimensions (they are computed in one loop over the index that
//   reads all before it stores any), for parameters that reach outputs only
//   through elementwise ops;
// - fusions of kind kInput that are computed row by row (ReductionStructure),
//   for outputs of whole rows and parameters that only such ops and reductions
//   of the levels read: those read all of a row before any of it is stored;
// - sorts, for operand i and result i: rows are read before they are moved.
struct SharePair {
  int leaf = 0;
  int operand = 0;
};
std::vector<SharePair> ShareableOperands(const HloInstruction& instr);
// Whether that has such a pair.
bool CanShareOperand(const HloInstruction& instr, int leaf, int operand);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_IN_PLACE_H_
