// The computations that a while, a conditional, a call or a fusion runs, one
// run after the other, with the evaluator's values.
#ifndef XLA_TOOLS_DEBUGGING_COMPUTATION_RUNS_H_
#define XLA_TOOLS_DEBUGGING_COMPUTATION_RUNS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::tools {

// What a computation is to the instruction that runs it.
struct RunRole {
  enum class Kind { kBody, kCondition, kBranch, kCalled };
  Kind kind = Kind::kCalled;
  // The iteration of a body or condition, the number of a branch; from 0.
  int64_t number = 0;
};

// One run of a computation.
struct ComputationRun {
  RunRole role;
  const HloComputation* computation = nullptr;
  std::vector<Literal> arguments;
};

// Whether an instruction runs computations on whole values, as those four do.
// Others apply computations to elements, or run them at another time.
bool RunsComputations(const HloInstruction& hlo);

// The computation that `hlo`, for which RunsComputations is true, runs in that
// role; null if it has none.
const HloComputation* ComputationOf(const HloInstruction& hlo,
                                    const RunRole& role);

// "the body of while w (m.py:3) of computation main, in iteration 7".
std::string DescribeRole(const RunRole& role, const HloInstruction& hlo);
// "w (m.py:3)", or "w" if the program does not name a line.
std::string NameAndLine(const HloInstruction& hlo);

// Evaluates `hlo` on operands, of which a loop's and a conditional's state is
// the evaluator's, and calls `stop` after each run with its result, until it
// returns true. A loop of n iterations makes 2n + 1 runs. Random states begin
// anew with `seed` in each. Errors: those of the evaluator and of `stop`.
absl::Status ForEachRun(const HloInstruction& hlo,
                        std::vector<Literal> operands, uint64_t seed,
                        absl::FunctionRef<absl::StatusOr<bool>(
                            ComputationRun& run, const Literal& result)>
                            stop);

// The values of the instructions of one computation.
class EvaluatedValues {
 public:
  // Evaluates as far as that is possible; `arguments` outlive this.
  EvaluatedValues(const HloComputation& computation,
                  absl::Span<const Literal> arguments, uint64_t seed);

  // Returns null for what the result does not need, and for what comes after
  // an error.
  const Literal* Find(const HloInstruction& hlo) const;
  // Returns copies of the values of its operands. Errors: NotFound.
  absl::StatusOr<std::vector<Literal>> OperandsOf(
      const HloInstruction& hlo) const;

 private:
  const HloComputation& computation_;
  const absl::Span<const Literal> arguments_;
  absl::flat_hash_map<const HloInstruction*, Literal> values_;
};

// Returns a module whose entry is a copy of `computation`, with copies of those
// that it calls. Errors: those of the verifier.
absl::StatusOr<std::unique_ptr<HloModule>> ModuleOf(
    const HloComputation& computation);

// Returns a module whose entry computes `hlo` alone; parameter i is operand i.
// Errors: those of the verifier.
absl::StatusOr<std::unique_ptr<HloModule>> ModuleOf(const HloInstruction& hlo);

}  // namespace xla::tools

#endif  // XLA_TOOLS_DEBUGGING_COMPUTATION_RUNS_H_
