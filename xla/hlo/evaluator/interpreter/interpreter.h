// Interpreter: runs computations on one device, instruction by instruction. The
// kernels, EvaluateX in the evaluator's folders, define the meaning of each op
// in plain loops.
#ifndef XLA_HLO_EVALUATOR_INTERPRETER_INTERPRETER_H_
#define XLA_HLO_EVALUATOR_INTERPRETER_INTERPRETER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/base/control/cancellation.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

class DeviceContext;  // device_context.h: other devices, queues, random state

// Operands of a kernel: arrays in default layout. Only kernels that take Values
// get tuples.
using Operands = absl::Span<const Literal* const>;

// Computations must not change while an interpreter that has run them lives.
// Not thread safe.
class Interpreter {
 public:
  // The order in which computations run, instructions that wait for messages
  // last (message_order.h). It is computed on the first run and shared by all
  // interpreters that have the same Plans. Computations must not change while
  // it lives. Thread safe.
  class Plans;
  static std::shared_ptr<Plans> MakePlans();

  // `device` must outlive the interpreter. `max_loop_iterations` bounds every
  // while loop; -1 means no bound. Without `plans` it makes its own.
  Interpreter(DeviceContext* device, int64_t max_loop_iterations = -1,
              std::shared_ptr<Plans> plans = nullptr);
  ~Interpreter();

  // Returns the root's value for these arguments, one per parameter, of
  // compatible shapes (InvalidArgument otherwise). Skips instructions that
  // neither the root nor an instruction with side effects needs. Nested calls
  // are limited to kMaxCallDepth (ResourceExhausted). Ends with Cancelled,
  // naming an instruction, once the token of the thread that made this
  // (CancellationToken::Current) is cancelled.
  absl::StatusOr<Value> Run(const HloComputation& computation,
                            std::vector<Value> arguments);

  // Runs one instruction, given its operands' values. Errors name the
  // instruction.
  absl::StatusOr<Value> RunInstruction(const HloInstruction& hlo,
                                       std::vector<Value> operands);

  // Functions that learn what runs; either may be empty.
  struct Observer {
    // Called before each run of a computation, with its depth, 1 for the
    // outermost one.
    std::function<void(const HloComputation&, int depth)> on_computation;
    // Called with the value of each instruction of the outermost computation,
    // except parameters and constants.
    std::function<void(const HloInstruction*, const LiteralSlice&)> on_value;
  };
  void set_observer(Observer observer) { observer_ = std::move(observer); }

  // Bounds the instructions of all computations together (ResourceExhausted);
  // -1, as at first, means no bound.
  void set_max_instructions(int64_t count) { instructions_left_ = count; }

  // Cancelled if the run is to end before `hlo`.
  absl::Status CheckCancelled(const HloInstruction& hlo) const;

  DeviceContext& device() { return *device_; }
  int64_t max_loop_iterations() const { return max_loop_iterations_; }

  // The deepest nesting of calls. A level takes up to 20 KiB of stack with
  // AddressSanitizer, a third of that without, so this is at most half of a
  // usual stack of 8 MiB.
  static constexpr int kMaxCallDepth = 200;

 private:
  // The instructions of a computation in the order in which they run.
  struct Plan;

  const Plan& PlanOf(const HloComputation& computation);
  // Runs the kernel of the instruction (dispatch.cc).
  absl::StatusOr<Value> Evaluate(const HloInstruction& hlo,
                                 std::vector<Value> operands);
  // Like Evaluate; returns ResourceExhausted when memory runs out.
  absl::StatusOr<Value> EvaluateInMemory(const HloInstruction& hlo,
                                         std::vector<Value> operands);

  DeviceContext* device_;
  const CancellationToken cancellation_ = CancellationToken::Current();
  int64_t max_loop_iterations_;
  int64_t instructions_left_ = -1;
  int call_depth_ = 0;
  Observer observer_;
  const std::shared_ptr<Plans> plans_;  // shared by all runs of an executable
  // Caches lookups in plans_.
  absl::flat_hash_map<const HloComputation*, const Plan*> known_plans_;
};

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_INTERPRETER_INTERPRETER_H_
