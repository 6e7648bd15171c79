// Rules that XLA's parser treats as part of the text format. The verifier
// checks them too, but code that reads text without verifying it relies on the
// parser.
#ifndef XLA_HLO_PARSER_WRITTEN_RULES_H_
#define XLA_HLO_PARSER_WRITTEN_RULES_H_

#include "absl/status/status.h"
#include "xla/hlo/ir/async_ops.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/parser/module_syntax.h"

namespace xla {

// Checks one instruction that is connected and has its shape: the branch index
// of a conditional, the layout constraints of a custom call,
// use_global_device_ids, whether an async-update or -done agrees with its
// start, and whether a start has its computation for itself. The verifier
// checks the foo that a foo-start wraps. `async` belongs to the module. Errors:
// conditional_c1, custom_call_c1, custom_call_c2, replica_groups_c5, async_c3
// to async_c6, without a position.
absl::Status CheckAsWritten(const InstructionSyntax& syntax,
                            const HloInstruction& hlo, AsyncChecker& async);

}  // namespace xla

#endif  // XLA_HLO_PARSER_WRITTEN_RULES_H_
