// ComputationParameters: the part of HloComputation that adds, removes,
// replaces and renumbers parameters.
#ifndef XLA_HLO_IR_COMPUTATION_COMPUTATION_PARAMETERS_H_
#define XLA_HLO_IR_COMPUTATION_COMPUTATION_PARAMETERS_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace xla {

class HloComputation;
class HloInstruction;

// Numbers that are no parameter's, and instructions that are no parameters, are
// programmer errors (CHECK), as are the functions for the entry on another
// computation. Callers must keep the operands of calling instructions right.
class ComputationParameters {
 public:
  // A parameter takes the place that its number says.
  HloInstruction* AddParameter(std::unique_ptr<HloInstruction> parameter);
  // Drops parameter `i` and renumbers those behind it. It must have no users
  // and control edges (FailedPrecondition).
  absl::Status RemoveParameter(int64_t i);
  // Drop all that nothing uses: of a fusion's computation (CHECK), or of any.
  absl::Status RemoveUnusedParametersFromFusedComputation();
  absl::Status RemoveUnusedParametersFromAnyComputation();
  // Replaces a parameter by one of the same number, of any shape.
  HloInstruction* ReplaceParameter(int64_t param_no,
                                   std::unique_ptr<HloInstruction> instruction);
  // Makes parameter i number permutation[i]. Errors: InvalidArgument for
  // numbers that are no permutation.
  absl::Status PermuteParameters(absl::Span<const int64_t> permutation);

  // Those of the entry also change the module's entry layout. The first adds a
  // last parameter; the second puts one in the place of `old_instruction`,
  // parameter `param_no`, whose users use it from then on; the third adds one
  // in the place of any instruction.
  HloInstruction* AddEntryComputationParameter(
      std::unique_ptr<HloInstruction> instruction);
  absl::Status ReplaceEntryComputationParameter(
      int64_t param_no, HloInstruction* old_instruction,
      std::unique_ptr<HloInstruction> instruction);
  absl::Status ReplaceWithNewEntryComputationParameter(
      HloInstruction* old_instruction,
      std::unique_ptr<HloInstruction> new_instruction);

 protected:
  ~ComputationParameters() = default;

 private:
  HloComputation& self();
};

}  // namespace xla

#endif  // XLA_HLO_IR_COMPUTATION_COMPUTATION_PARAMETERS_H_
