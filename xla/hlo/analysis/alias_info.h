// AliasInfo: which results must or may lie in the memory of an operand. Buffer
// analyses ask it; backends say what their code can do in place.
#ifndef XLA_HLO_ANALYSIS_ALIAS_INFO_H_
#define XLA_HLO_ANALYSIS_ALIAS_INFO_H_

#include <optional>
#include <utility>
#include <vector>

#include "xla/core/shape_index.h"
#include "xla/hlo/analysis/values/hlo_operand_index.h"
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

// Describes all instructions except bitcasts, tuples and control flow, which
// only pass values on (hlo_dataflow.h). The class itself says only what HLO
// requires, which is right for any backend; a backend derives from it. Answers
// depend only on the instruction. Const methods may be called from several
// threads.
class AliasInfo {
 public:
  using Pairs = std::vector<std::pair<HloOperandIndex, ShapeIndex>>;

  virtual ~AliasInfo() = default;

  // Returns the operand whose memory leaf `leaf` of the result always has: the
  // op finds the operand's elements there and writes only those that change.
  // Nullopt if the leaf has memory of its own. In this class:
  // - dynamic-update-slice: operand 0; scatter: operand i for result i;
  // - custom-call: as its output_to_operand_aliasing says.
  virtual std::optional<OperandLeaf> MustAlias(
      const HloInstruction& instruction, int leaf) const;

  // Returns the leaves of the result that may, but need not, be written over an
  // operand that is read for the last time there: the backend reads element i
  // of the operand before it writes element i of the result, and does not need
  // it later. None in this class.
  virtual std::vector<AliasPair> MayAliasPairs(
      const HloInstruction& instruction) const;

  // Whether the pair of `leaf` and `operand` is among those.
  bool MayAlias(const HloInstruction& instruction, int leaf, int operand) const;

  // XLA's interface, for HloAliasAnalysis and HloDataflowAnalysis. It has rules
  // of its own: what XLA's backends do in place by default, whatever the sizes.

  // Returns the parts of operands and of the result that share memory:
  // dynamic-update-slice, scatter, all-reduce-start, set-dimension-size, the
  // results that ragged-all-to-all and collective-permute are given, what the
  // op declares, and fusions that end in one of these. MustAlias above takes
  // its operands from the same rules.
  Pairs GetInPlaceInputOutputPairs(const HloInstruction* user) const;
  // Whether the pair is among those.
  bool MustAlias(const HloInstruction* operand, const ShapeIndex& operand_index,
                 const HloInstruction* user,
                 const ShapeIndex& user_index) const;
  // Returns whether the part of the result may lie in the memory of the part of
  // `operand`; nullopt if the general rules decide, as for all in this class.
  virtual std::optional<bool> MayAlias(const HloInstruction* operand,
                                       const ShapeIndex& operand_index,
                                       const HloInstruction* user,
                                       const ShapeIndex& user_index) const {
    return std::nullopt;
  }

 protected:
  // Returns what takes the place of the pairs above; nullopt if nothing does.
  virtual std::optional<Pairs> GetNonDefaultInPlaceInputOutputPairs(
      const HloInstruction* user) const {
    return std::nullopt;
  }

 private:
  Pairs FusionPairs(const HloInstruction& fusion) const;
};

// Returns the instruction, and the part of its result, that a part of
// `instruction` is, going back through tuples and then through elements of
// tuples.
std::pair<const HloInstruction*, ShapeIndex> FollowTupleIndirection(
    const HloInstruction* instruction, ShapeIndex operand_index);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_ALIAS_INFO_H_
