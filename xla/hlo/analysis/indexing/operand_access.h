// OperandAccess: how an op reads its operands, as far as costs go by it.
#ifndef XLA_HLO_ANALYSIS_INDEXING_OPERAND_ACCESS_H_
#define XLA_HLO_ANALYSIS_INDEXING_OPERAND_ACCESS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Where neighbors of a result, along its innermost dimension of more than one
// element, lie in an operand. Each order takes longer to read than those before
// it.
enum class AccessOrder {
  kConstant,          // all of them read the same element
  kContiguous,        // one after the other
  kReversed,          // one before the other
  kTransposed,        // in different rows, whose other elements are read too
  kStrided,           // at a distance, along a row or down a column
  kGatheredRows,      // one after the other, from an index on that is data
  kGatheredElements,  // each at an index that is data
};

struct OperandAccess {
  int64_t operand = 0;
  AccessOrder order = AccessOrder::kContiguous;
  // The elements of this operand say where those of others are: it holds the
  // indices of a gather or the start of a dynamic slice.
  bool is_index = false;
  // Operand and result have the same dimensions, and an element of the result
  // depends on the one at its own index.
  bool is_identity = false;
  // An index has to be computed: the indices are not just dimensions of the
  // result in their order, each of all its values, and the operand is not read
  // in the row-major order of the result either.
  bool computes_index = false;
  // A start that is data, the same for all elements, is added to an index.
  bool adds_start = false;
  // Only a part of the result's elements are in this operand, which is tested.
  bool is_tested = false;
  // The elements do not depend on some dimension of the result.
  bool is_repeated = false;
  // How many elements are read for each element of the result: more than one
  // where dimensions are reduced.
  double elements = 1;
  // Of an op with OpDef::moves: the share of the result's elements that this
  // operand has.
  double share = 1;
  // So many consecutive elements of the result read the same.
  double repeats = 1;
  // So many consecutive elements of the result are found at one index of a
  // kGatheredRows or kGatheredElements.
  double run = 1;
};

// How `instruction` reads each operand that has an entry in its index relation,
// in the order of the entries, and behind these the operands that runtime
// variables are read from, one for each variable. An operand may have several.
// Nullopt where the relation is not known: then nothing is known about the
// order, or the parts of operands that are read.
//
// Where tests depend on data, as those of a dynamic-update-slice do, an operand
// counts as if all its elements were in the result.
std::optional<std::vector<OperandAccess>> OperandAccessesOf(
    const HloInstruction& instruction);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_INDEXING_OPERAND_ACCESS_H_
