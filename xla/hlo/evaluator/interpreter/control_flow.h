// Kernels of calls, loops, branches, asynchronous calls, and of ops that only
// name, bundle or order values. custom_call.h has custom calls.
#ifndef XLA_HLO_EVALUATOR_INTERPRETER_CONTROL_FLOW_H_
#define XLA_HLO_EVALUATOR_INTERPRETER_CONTROL_FLOW_H_

#include <vector>

#include "absl/status/statusor.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Returns zeros of any shape that literals can hold. Errors: those of
// Literal::Make.
absl::StatusOr<Value> ZeroValue(const Shape& shape);

absl::StatusOr<Value> EvaluateTuple(const HloInstruction& hlo,
                                    std::vector<Value> operands);
absl::StatusOr<Value> EvaluateGetTupleElement(const HloInstruction& hlo,
                                              std::vector<Value> operands);

// Evaluates call and fusion.
absl::StatusOr<Value> EvaluateCall(Interpreter& interpreter,
                                   const HloInstruction& hlo,
                                   std::vector<Value> operands);
// Errors: ResourceExhausted after interpreter.max_loop_iterations().
absl::StatusOr<Value> EvaluateWhile(Interpreter& interpreter,
                                    const HloInstruction& hlo,
                                    std::vector<Value> operands);
// An index out of range selects the last branch.
absl::StatusOr<Value> EvaluateConditional(Interpreter& interpreter,
                                          const HloInstruction& hlo,
                                          std::vector<Value> operands);
// Runs the computation immediately; async-done finds its result in the tuple.
absl::StatusOr<Value> EvaluateAsyncStart(Interpreter& interpreter,
                                         const HloInstruction& hlo,
                                         std::vector<Value> operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_INTERPRETER_CONTROL_FLOW_H_
