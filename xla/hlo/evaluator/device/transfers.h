// Kernels of infeed, outfeed, send and recv, and asynchronous copies.
#ifndef XLA_HLO_EVALUATOR_DEVICE_TRANSFERS_H_
#define XLA_HLO_EVALUATOR_DEVICE_TRANSFERS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Errors: FailedPrecondition when the queue stays empty, InvalidArgument when
// what it holds has another shape.
absl::StatusOr<Value> EvaluateInfeed(Interpreter& interpreter,
                                     const HloInstruction& hlo,
                                     std::vector<Value> operands);
absl::StatusOr<Value> EvaluateOutfeed(Interpreter& interpreter,
                                      const HloInstruction& hlo,
                                      std::vector<Value> operands);

// Send puts the value into its channel and does not wait; recv only says what
// to wait for, recv-done waits. Who sends to whom follows from the frontend
// attribute _xla_send_recv_source_target_pairs={{0,1},...} (partitions if there
// are several, else replicas); without it a channel is one queue, from which
// whichever device asks first is served. Devices to which none sends receive
// zeros.
absl::StatusOr<Value> EvaluateSend(Interpreter& interpreter,
                                   const HloInstruction& hlo,
                                   std::vector<Value> operands);
absl::StatusOr<Value> EvaluateRecv(Interpreter& interpreter,
                                   const HloInstruction& hlo,
                                   std::vector<Value> operands);
absl::StatusOr<Value> EvaluateRecvDone(Interpreter& interpreter,
                                       const HloInstruction& hlo,
                                       std::vector<Value> operands);

absl::StatusOr<Value> EvaluateCopyStart(const HloInstruction& hlo,
                                        std::vector<Value> operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_DEVICE_TRANSFERS_H_
