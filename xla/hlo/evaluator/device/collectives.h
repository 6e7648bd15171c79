// Kernels of the collective ops: which devices take part, what they exchange,
// and what each makes of it. The -done ops only take their result out of the
// start's tuple: the whole exchange happens at the start.
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

// The devices of the group that `device` belongs to, by number, in the order
// of the group; empty if it belongs to none. Errors: InvalidArgument where a
// group names a device that the run does not have.
absl::StatusOr<std::vector<int64_t>> GroupOf(const DeviceContext& device,
                                             const ReplicaGroups& groups,
                                             CollectiveOpGroupMode mode);

// Of all-gather and all-gather-start.
absl::StatusOr<Value> EvaluateAllGather(Interpreter& interpreter,
                                        const HloInstruction& hlo,
                                        std::vector<Value> operands);
// Of all-reduce and all-reduce-start. Reduces in the order of the group.
absl::StatusOr<Value> EvaluateAllReduce(Interpreter& interpreter,
                                        const HloInstruction& hlo,
                                        std::vector<Value> operands);
absl::StatusOr<Value> EvaluateReduceScatter(Interpreter& interpreter,
                                            const HloInstruction& hlo,
                                            std::vector<Value> operands);
absl::StatusOr<Value> EvaluateAllToAll(Interpreter& interpreter,
                                       const HloInstruction& hlo,
                                       std::vector<Value> operands);
// Zeros on devices of no group.
absl::StatusOr<Value> EvaluateCollectiveBroadcast(Interpreter& interpreter,
                                                  const HloInstruction& hlo,
                                                  std::vector<Value> operands);
// Of collective-permute and collective-permute-start. Zeros on devices to which
// none sends.
absl::StatusOr<Value> EvaluateCollectivePermute(Interpreter& interpreter,
                                                const HloInstruction& hlo,
                                                std::vector<Value> operands);
// Rows that the offsets and sizes place outside of input or output are left
// out.
absl::StatusOr<Value> EvaluateRaggedAllToAll(Interpreter& interpreter,
                                             const HloInstruction& hlo,
                                             std::vector<Value> operands);

// u32[] `number`: of replica-id and partition-id.
Value DeviceNumber(int64_t number);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_DEVICE_COLLECTIVES_H_
