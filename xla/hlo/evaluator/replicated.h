// EvaluateReplicated: runs a module on all devices at once, as many replicas
// as partitions, with collectives between them.
#ifndef XLA_HLO_EVALUATOR_REPLICATED_H_
#define XLA_HLO_EVALUATOR_REPLICATED_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/device_context.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

struct ReplicatedOptions {
  int64_t num_replicas = 1;
  int64_t num_partitions = 1;
  uint64_t seed = 0;
  // The most iterations of each while loop; -1 means no bound.
  int64_t max_loop_iterations = -1;
  // Empty, or one for each device; borrowed. A device with null has no host.
  std::vector<TransferQueues*> queues;
  CustomCallHandler custom_call_handler;
  FfiCallHandler ffi_call_handler;

  // The plans of earlier runs of the same module; may be null.
  std::shared_ptr<Interpreter::Plans> plans;

  // The most devices of a run: each takes a thread.
  static constexpr int64_t kMaxDevices = 1024;
};

// Returns the results of devices 0, 1, ..., where device number is replica *
// num_partitions + partition; arguments[d] are those of device d, borrowed. The
// devices take turns, so results do not vary from run to run. Layouts are those
// of the root's shape. Errors: InvalidArgument for arguments that do not fit;
// Aborted, naming the waiting instructions, if the devices deadlock; Cancelled,
// naming an instruction, if the calling thread's token (CancellationToken::
// Current) is cancelled meanwhile; else the error of the first device that
// failed.
absl::StatusOr<std::vector<Literal>> EvaluateReplicated(
    const HloModule& module,
    absl::Span<const std::vector<const Literal*>> arguments,
    const ReplicatedOptions& options);

// Like EvaluateReplicated on values: arguments[d] are the values of device d's
// parameters, and results are in default layout.
absl::StatusOr<std::vector<Value>> EvaluateReplicatedValues(
    const HloModule& module, std::vector<std::vector<Value>> arguments,
    const ReplicatedOptions& options);

// Returns a literal with the layouts of `shape`, where it has any.
Literal WithLayoutOf(const Shape& shape, Literal literal);

// Returns the value of a literal that outlives it, without a copy if possible.
Value BorrowedValue(const Literal& literal);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_REPLICATED_H_
