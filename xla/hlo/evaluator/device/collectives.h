// Kernels of the collective ops: which devices take part, what they exchange,
// and what each computes from it. The whole exchange happens in the start op;
// the -done op only takes the result out of the start's tuple.
#ifndef XLA_HLO_EVALUATOR_DEVICE_COLLECTIVES_H_
#define XLA_HLO_EVALUATOR_DEVICE_COLLECTIVES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/evaluator/interpreter/device_context.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Returns the devices of the group that `device` belongs to, by number, in the
// order of the group; empty if it belongs to none. Errors: InvalidArgument
// where a group names a device that the run does not have.
absl::StatusOr<std::vector<int64_t>> GroupOf(const DeviceContext& device,
                                             const ReplicaGroups& groups,
                                             CollectiveOpGroupMode mode);

// Evaluates all-gather and all-gather-start.
absl::StatusOr<Value> EvaluateAllGather(Interpreter& interpreter,
                                        const HloInstruction& hlo,
                                        std::vector<Value> operands);
// Evaluates all-reduce and all-reduce-start. Reduces in the order of the group.
absl::StatusOr<Value> EvaluateAllReduce(Interpreter& interpreter,
                                        const HloInstruction& hlo,
                                        std::vector<Value> operands);
absl::StatusOr<Value> EvaluateReduceScatter(Interpreter& interpreter,
                                            const HloInstruction& hlo,
                                            std::vector<Value> operands);
absl::StatusOr<Value> EvaluateAllToAll(Interpreter& interpreter,
                                       const HloInstruction& hlo,
                                       std::vector<Value> operands);
// Returns zeros on devices that are in no group.
absl::StatusOr<Value> EvaluateCollectiveBroadcast(Interpreter& interpreter,
                                                  const HloInstruction& hlo,
                                                  std::vector<Value> operands);
// Evaluates collective-permute and collective-permute-start. Returns zeros on
// devices that receive nothing.
absl::StatusOr<Value> EvaluateCollectivePermute(Interpreter& interpreter,
                                                const HloInstruction& hlo,
                                                std::vector<Value> operands);
// Skips rows that the offsets and sizes place outside of the input or output.
absl::StatusOr<Value> EvaluateRaggedAllToAll(Interpreter& interpreter,
                                             const HloInstruction& hlo,
                                             std::vector<Value> operands);

// Returns `number` as u32[], for replica-id and partition-id.
Value DeviceNumber(int64_t number);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_DEVICE_COLLECTIVES_H_
