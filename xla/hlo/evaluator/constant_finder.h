// ConstantFinder: the values of instructions that follow from constants,
// wherever in the module these are.
#ifndef XLA_HLO_EVALUATOR_CONSTANT_FINDER_H_
#define XLA_HLO_EVALUATOR_CONSTANT_FINDER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/shape_index.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/module/call_graph.h"

namespace xla {

// Keeps what it has found, so the module must not change meanwhile. Not thread
// safe.
class ConstantFinder {
 public:
  // `interpreter` must outlive this, and so must the call graph of the module;
  // without one, this makes its own when it needs it. Without a handler, custom
  // calls have no constant value.
  ConstantFinder(Interpreter& interpreter, bool has_custom_call_handler,
                 const CallGraph* call_graph = nullptr)
      : interpreter_(interpreter),
        has_custom_call_handler_(has_custom_call_handler),
        call_graph_(call_graph) {}

  // Makes `value`, which fits, that of the instruction.
  void Set(const HloInstruction* hlo, Value value);

  // Evaluates an instruction whose operands are constants or have been Set.
  // Errors: FailedPrecondition if an operand is neither, or if it needs an
  // argument, another device, the host or a random state.
  absl::StatusOr<Value> Evaluate(const HloInstruction& hlo);

  // Finds the value of the part of `hlo` at `index`; nullopt if it depends on
  // arguments of the program or on infeed. Only the elements of tuples that are
  // needed must have values. The parameter of a computation that one call or
  // one while loop calls has the caller's value, in a loop for elements that
  // the body returns as they are. The induction variable after a loop whose
  // trip count is known has a value even if the rest of the carry has none, or
  // if the interpreter may not run the loop that often.
  // Iterative, except for loops, of which kMaxDepth may depend on one another.
  // Errors: those of Evaluate.
  absl::StatusOr<std::optional<Value>> Find(const HloInstruction* hlo,
                                            ShapeIndex index = {});

  static constexpr int kMaxDepth = 30;

 private:
  // A part of an instruction, and what is known of it.
  using Part = std::pair<const HloInstruction*, ShapeIndex>;
  using Result = absl::StatusOr<std::optional<Value>>;
  // A part on the stack, with the number of operands that have results.
  struct Frame {
    Part part;
    int64_t done = 0;
  };

  // Returns the part that the frame needs the result of; if there is none, sets
  // `result`.
  std::optional<Part> Step(Frame& frame, Result& result);
  std::optional<Part> StepOperands(Frame& frame, Result& result);
  // Returns the part that is the same one; nullopt if there is none.
  std::optional<Part> SourceOf(const Part& part);
  std::optional<Part> ArgumentOf(const Part& parameter);
  absl::Span<const CallSite> CallersOf(const HloComputation* computation);
  // Returns the value at `index` of the result of a loop whose initial carry
  // is not known.
  std::optional<Value> AfterLoop(const HloInstruction& loop,
                                 const ShapeIndex& index);
  // Checks that the instruction, and what it calls, depends only on its
  // operands.
  absl::Status CheckPure(const HloInstruction& root);
  absl::StatusOr<Value> Run(const HloInstruction& hlo);

  Interpreter& interpreter_;
  const bool has_custom_call_handler_;
  absl::flat_hash_map<Part, Result> results_;
  absl::flat_hash_set<Part> waiting_;
  absl::flat_hash_set<const HloComputation*> pure_;
  const CallGraph* call_graph_;
  std::unique_ptr<CallGraph> own_call_graph_;
  int depth_ = 0;
};

// Returns the error for `hlo`, which has no constant value.
absl::Status NotConstant(const HloInstruction& hlo);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_CONSTANT_FINDER_H_
