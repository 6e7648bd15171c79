// Kernels of the random number ops.
#ifndef XLA_HLO_EVALUATOR_RANDOM_RANDOM_H_
#define XLA_HLO_EVALUATOR_RANDOM_RANDOM_H_

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Returns the tuple (next state, bits). States are u64[2], a key and a counter,
// and for Philox, the default, also u64[3], whose counter has 128 bits. The
// bits equal those of XLA's CPU backend; signed and floating-point results have
// the same bits as unsigned ones. Errors: InvalidArgument for other states.
absl::StatusOr<Literal> EvaluateRngBitGenerator(const HloInstruction& hlo,
                                                Operands operands);

// Returns numbers from Philox with a key that the device makes for each call.
// They differ from XLA's, which vary from compilation to compilation.
absl::StatusOr<Literal> EvaluateRng(Interpreter& interpreter,
                                    const HloInstruction& hlo,
                                    Operands operands);

// Returns the device's state before the update, as u64[2], low half first.
absl::StatusOr<Literal> EvaluateRngGetAndUpdateState(Interpreter& interpreter,
                                                     const HloInstruction& hlo);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_RANDOM_RANDOM_H_
