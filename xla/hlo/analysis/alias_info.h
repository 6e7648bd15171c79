// AliasInfo: which results lie in the memory of an operand, always or where it
// helps. Buffer analyses ask it; backends say what their code can do in place.
#ifndef XLA_HLO_ANALYSIS_ALIAS_INFO_H_
#define XLA_HLO_ANALYSIS_ALIAS_INFO_H_

#include <optional>
#include <vector>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// A leaf of an operand; leaves are numbered as in leaves.h.
struct OperandLeaf {
  int operand = 0;
  int leaf = 0;

  friend bool operator==(const OperandLeaf& a, const OperandLeaf& b) {
    return a.operand == b.operand && a.leaf == b.leaf;
  }
};

// A leaf of a result, and an operand that is an array.
struct AliasPair {
  int leaf = 0;
  int operand = 0;
};

// Bitcasts, tuples and control flow, which pass values on, are the dataflow's
// (hlo_dataflow.h); this is about the other instructions. The class itself says
// what HLO means and no more, which is right for any backend; a backend derives
// from it. Answers follow from the instruction alone. Const
// methods may be called from several threads.
class AliasInfo {
 public:
  virtual ~AliasInfo() = default;

  // The operand whose memory leaf `leaf` of the result always has: the op finds
  // the operand's elements there and writes only those that change. Nullopt if
  // the leaf has memory of its own. Here:
  // - dynamic-update-slice: operand 0; scatter: operand i for result i;
  // - custom-call: as its output_to_operand_aliasing says.
  virtual std::optional<OperandLeaf> MustAlias(
      const HloInstruction& instruction, int leaf) const;

  // The leaves of the result that may, but need not, be written over an operand
  // that is read for the last time there: the backend reads element i of the
  // operand before it writes element i of the result, and does not need it
  // later. Here: none.
  virtual std::vector<AliasPair> MayAliasPairs(
      const HloInstruction& instruction) const;

  // Whether those have the pair of `leaf` and `operand`.
  bool MayAlias(const HloInstruction& instruction, int leaf, int operand) const;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_ALIAS_INFO_H_
