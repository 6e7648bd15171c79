// Sets and maps of instructions whose order does not depend on addresses.
#ifndef XLA_HLO_IR_INSTRUCTION_HLO_INSTRUCTION_SET_H_
#define XLA_HLO_IR_INSTRUCTION_HLO_INSTRUCTION_SET_H_

#include <map>
#include <set>

namespace xla {

class HloInstruction;

// Orders by the modules' ids, then by the instructions'; null comes last. Both
// must be in a module, or neither (CHECK).
struct HloPtrComparator {
  bool operator()(const HloInstruction* const& lhs,
                  const HloInstruction* const& rhs) const;
};

template <typename ValueT>
using HloInstructionMap = std::map<HloInstruction*, ValueT, HloPtrComparator>;
template <typename ValueT>
using ConstHloInstructionMap =
    std::map<const HloInstruction*, ValueT, HloPtrComparator>;
using HloInstructionSet = std::set<HloInstruction*, HloPtrComparator>;
using ConstHloInstructionSet =
    std::set<const HloInstruction*, HloPtrComparator>;

}  // namespace xla

#endif  // XLA_HLO_IR_INSTRUCTION_HLO_INSTRUCTION_SET_H_
