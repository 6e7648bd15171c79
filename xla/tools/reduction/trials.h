// Trials: the smallest program that fails so far, and the tests of smaller
// ones.
#ifndef XLA_TOOLS_REDUCTION_TRIALS_H_
#define XLA_TOOLS_REDUCTION_TRIALS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/tools/reduction/program_size.h"
#include "xla/tools/reduction/reducer.h"

namespace xla::tools {

// Steps edit a copy of best() and give it to Try. Copies keep the names of
// instructions, by which steps find them again. Not thread safe.
class Trials {
 public:
  // Both references outlive this. `program` is valid and fails.
  Trials(ReducibleProgram program, const FailureTest& fails,
         const ReductionOptions& options);

  const ReducibleProgram& best() const { return best_; }
  ReducibleProgram Copy() const { return best_.Copy(); }
  ReducibleProgram Take() { return std::move(best_); }
  int64_t tests() const { return tests_; }
  // Whether there may be no more tests.
  bool exhausted() const { return tests_ >= options_.max_tests; }
  // Whether programs have arguments, which have to fit.
  bool has_arguments() const { return has_arguments_; }
  void set_step(absl::string_view step) { step_ = std::string(step); }

  // Removes what is dead from the edited copy, and makes it the best program if
  // it then is valid and smaller than that and fails.
  bool Try(ReducibleProgram program);

  // Edits copies by the items of chunks of `items` that halve in size, the last
  // items first, and tries each. `edit` returns false if it changed nothing;
  // an error means that the edit is not possible. Returns true if the best
  // program changed.
  using Edit = absl::FunctionRef<absl::StatusOr<bool>(
      ReducibleProgram& program, absl::Span<const std::string> chunk)>;
  bool TryChunks(std::vector<std::string> items, Edit edit);

  // Returns the values of the entry's instructions for the arguments, by name
  // (entry_values.h).
  absl::flat_hash_map<std::string, Literal> Values() const;

 private:
  const FailureTest& fails_;
  const ReductionOptions& options_;
  const bool has_arguments_;
  ReducibleProgram best_;
  ProgramSize best_size_;
  int64_t tests_ = 0;
  std::string step_;
};

// Returns the instruction of that name; null if there is none.
HloInstruction* FindInstruction(const HloModule& module,
                                absl::string_view name);

// Returns the names of the instructions for which `wanted` is true, in order:
// called computations before callers, operands before users.
std::vector<std::string> NamesOf(
    const HloModule& module,
    absl::FunctionRef<bool(const HloInstruction& hlo)> wanted);

}  // namespace xla::tools

#endif  // XLA_TOOLS_REDUCTION_TRIALS_H_
