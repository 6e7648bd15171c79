// Answers by the semantics of updates and custom calls.
#include "xla/hlo/analysis/alias_info.h"

#include <algorithm>

#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla {
namespace {

// Returns the operand that result `leaf` of an update or scatter updates;
// nullopt if the two differ in size or layout.
std::optional<OperandLeaf> UpdatedOperand(const HloInstruction& update,
                                          int operand, int leaf) {
  const Shape& result = update.shape().IsTuple()
                            ? update.shape().tuple_shapes(leaf)
                            : update.shape();
  if (!SamePlaces(update.operand(operand)->shape(), result)) {
    return std::nullopt;
  }
  return OperandLeaf{operand, 0};
}

// Returns the operand whose memory a custom call declares to be that of result
// `leaf`.
std::optional<OperandLeaf> DeclaredAlias(const HloInstruction& call, int leaf) {
  for (const OutputOperandAlias& alias :
       call.attrs<CustomCallAttrs>().output_to_operand_aliasing) {
    if (LeafNumberAt(call.shape(), alias.output_index) != leaf ||
        alias.operand_number < 0 ||
        alias.operand_number >= call.operand_count()) {
      continue;
    }
    const int operand_leaf = LeafNumberAt(
        call.operand(alias.operand_number)->shape(), alias.operand_index);
    if (operand_leaf < 0) continue;
    return OperandLeaf{static_cast<int>(alias.operand_number), operand_leaf};
  }
  return std::nullopt;
}

}  // namespace

std::optional<OperandLeaf> AliasInfo::MustAlias(
    const HloInstruction& instruction, int leaf) const {
  switch (instruction.opcode()) {
    case HloOpcode::kDynamicUpdateSlice:
      return UpdatedOperand(instruction, 0, leaf);
    case HloOpcode::kScatter:
      return UpdatedOperand(instruction, leaf, leaf);
    case HloOpcode::kCustomCall:
      return DeclaredAlias(instruction, leaf);
    default:
      return std::nullopt;
  }
}

std::vector<AliasPair> AliasInfo::MayAliasPairs(const HloInstruction&) const {
  return {};
}

bool AliasInfo::MayAlias(const HloInstruction& instruction, int leaf,
                         int operand) const {
  const std::vector<AliasPair> pairs = MayAliasPairs(instruction);
  return std::any_of(pairs.begin(), pairs.end(), [&](const AliasPair& pair) {
    return pair.leaf == leaf && pair.operand == operand;
  });
}

}  // namespace xla
