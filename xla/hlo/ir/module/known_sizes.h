// Whether a program can run: dimensions without a bound, which text shows as
// `?`, have no size to run with.
#ifndef XLA_HLO_IR_MODULE_KNOWN_SIZES_H_
#define XLA_HLO_IR_MODULE_KNOWN_SIZES_H_

#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Errors: Unimplemented, naming the instruction, where its shape has a
// dimension without a bound.
absl::Status CheckKnownSizes(const HloInstruction& instruction);

// The same for all instructions of the module.
absl::Status CheckKnownSizes(const HloModule& module);

}  // namespace xla

#endif  // XLA_HLO_IR_MODULE_KNOWN_SIZES_H_
