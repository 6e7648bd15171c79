// Kernels of infeed, outfeed, send and recv, and asynchronous copies.
#ifndef XLA_HLO_EVALUATOR_DEVICE_TRANSFERS_H_
#define XLA_HLO_EVALUATOR_DEVICE_TRANSFERS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Errors: FailedPrecondition if the queue stays empty, InvalidArgument if its
// literal has another shape.
absl::StatusOr<Value> EvaluateInfeed(Interpreter& interpreter,
                                     const HloInstruction& hlo,
                                     std::vector<Value> operands);
absl::StatusOr<Value> EvaluateOutfeed(Interpreter& interpreter,
                                      const HloInstruction& hlo,
                                      std::vector<Value> operands);

// send puts the value into its channel and does not wait; recv only records
// what to wait for, and recv-done waits. The frontend attribute
// _xla_send_recv_source_target_pairs={{0,1},...} determines who sends to whom
// (in partitions if there are several, else replicas). Without it a channel is
// one queue that serves devices in the order in which they ask. Devices that no
// pair sends to receive zeros.
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
