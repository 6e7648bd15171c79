// Rules that make a program no HLO text at all, as XLA's parser has it,
// although the verifier checks them too: whoever reads text without verifying
// gets them.
#ifndef XLA_HLO_PARSER_WRITTEN_RULES_H_
#define XLA_HLO_PARSER_WRITTEN_RULES_H_

#include "absl/status/status.h"
#include "xla/hlo/ir/async_ops.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/parser/module_syntax.h"

namespace xla {

// Of one instruction, connected and with its shape: the branch index of a
// conditional, the layout constraints of a custom call, use_global_device_ids,
// whether an async-update or -done says of the op what its start says, and
// whether a start has its computation for itself. Not of the foo that a
// foo-start wraps, which is left to the verifier. `async` is of the module.
// Errors: conditional_c1, custom_call_c1, custom_call_c2, replica_groups_c5,
// async_c3 to async_c6, without a position.
absl::Status CheckAsWritten(const InstructionSyntax& syntax,
                            const HloInstruction& hlo, AsyncChecker& async);

}  // namespace xla

#endif  // XLA_HLO_PARSER_WRITTEN_RULES_H_
