// OnlyReadHere: values that one instruction alone reads, which it may compute.
#ifndef XLA_BACKENDS_CPU_FUSION_SINGLE_READS_H_
#define XLA_BACKENDS_CPU_FUSION_SINGLE_READS_H_

#include <algorithm>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

inline bool IsReadOnce(const HloInstruction& hlo) {
  return !hlo.IsRoot() && hlo.user_count() == 1 &&
         std::count(hlo.users()[0]->operands().begin(),
                    hlo.users()[0]->operands().end(), &hlo) == 1;
}

// Returns what `hlo` names through bitcasts, if nothing else reads any of them,
// else null.
inline const HloInstruction* OnlyReadHere(const HloInstruction* hlo) {
  while (IsReadOnce(*hlo)) {
    if (hlo->opcode() != HloOpcode::kBitcast) return hlo;
    hlo = hlo->operand(0);
  }
  return nullptr;
}

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_FUSION_SINGLE_READS_H_
