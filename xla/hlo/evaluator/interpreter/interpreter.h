// Interpreter: runs computations on one device, instruction by instruction.
// The kernels, EvaluateX in the files of this folder, are the meaning of each
// op in plain loops.
#ifndef XLA_HLO_EVALUATOR_INTERPRETER_INTERPRETER_H_
#define XLA_HLO_EVALUATOR_INTERPRETER_INTERPRETER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

class DeviceContext;  // device_context.h: other devices, queues, random state

// Operands of a kernel: arrays in default layout. Tuples reach only kernels
// that take Values.
using Operands = absl::Span<const Literal* const>;

// Computations must not change while an interpreter that has run them lives.
// Not thread safe.
class Interpreter {
 public:
  // In which order computations run, with what waits for messages last
  // (message_order.h): found on the first run, and the same for all
  // interpreters that share it. Computations must not change while it lives.
  // Thread safe.
  class Plans;
  static std::shared_ptr<Plans> MakePlans();

  // `device` outlives the interpreter. `max_loop_iterations` bounds every
  // while loop; -1 means no bound. Without `plans` it makes its own.
  Interpreter(DeviceContext* device, int64_t max_loop_iterations = -1,
              std::shared_ptr<Plans> plans = nullptr);
  ~Interpreter();

  // The root's value for these arguments, one per parameter, of compatible
  // shapes (InvalidArgument otherwise). Instructions that neither the root nor
  // anything with an effect needs are left out. Nested calls are limited to
  // kMaxCallDepth (ResourceExhausted).
  absl::StatusOr<Value> Run(const HloComputation& computation,
                            std::vector<Value> arguments);

  // One instruction, given its operands' values. Errors name the instruction.
  absl::StatusOr<Value> RunInstruction(const HloInstruction& hlo,
                                       std::vector<Value> operands);

  DeviceContext& device() { return *device_; }
  int64_t max_loop_iterations() const { return max_loop_iterations_; }

  // One level takes up to 20 KiB of stack with the address sanitizer, a third
  // of it without: half of a usual stack of 8 MiB.
  static constexpr int kMaxCallDepth = 200;

 private:
  // The instructions of a computation in the order in which they run.
  struct Plan;

  const Plan& PlanOf(const HloComputation& computation);
  // The instruction's own meaning: dispatch.cc.
  absl::StatusOr<Value> Evaluate(const HloInstruction& hlo,
                                 std::vector<Value> operands);
  // The same; ResourceExhausted at the end of memory.
  absl::StatusOr<Value> EvaluateInMemory(const HloInstruction& hlo,
                                         std::vector<Value> operands);

  DeviceContext* device_;
  int64_t max_loop_iterations_;
  int call_depth_ = 0;
  const std::shared_ptr<Plans> plans_;  // of all runs of an executable
  // What was looked up in them.
  absl::flat_hash_map<const HloComputation*, const Plan*> known_plans_;
};

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_INTERPRETER_INTERPRETER_H_
