// InstructionFusing: the part of HloInstruction that moves instructions into
// the computation of a fusion, or of a call, and out of it.
#ifndef XLA_HLO_IR_INSTRUCTION_INSTRUCTION_FUSING_H_
#define XLA_HLO_IR_INSTRUCTION_INSTRUCTION_FUSING_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace xla {

class HloInstruction;

// The instruction must call one computation, with a parameter for each operand
// (CHECK). An operand that is new has the name param_N. Nothing removes the
// instructions that lose their last user here, nor changes schedules.
class InstructionFusing {
 public:
  // Copies `hlo` into the computation, in place of its parameter, and makes its
  // operands operands of this. Returns the copy. With `add_output`, what used
  // `hlo` uses a new element of the result of this, which becomes a tuple if it
  // was none. Without, `hlo` must be an operand (CHECK). A fusion takes only
  // what IsFusible (CHECK).
  HloInstruction* AppendInstructionIntoCalledComputation(
      HloInstruction* hlo, bool add_output = false);
  HloInstruction* FuseInstruction(HloInstruction* instruction_to_fuse) {
    return AppendInstructionIntoCalledComputation(instruction_to_fuse);
  }
  HloInstruction* FuseInstructionIntoMultiOutput(
      HloInstruction* instruction_to_fuse) {
    return AppendInstructionIntoCalledComputation(instruction_to_fuse,
                                                  /*add_output=*/true);
  }
  // Adds an operand, and the parameter for it, which is returned. The shape of
  // an async-start gains the operand's; the links after it keep theirs.
  HloInstruction* AddCallOperand(HloInstruction* new_operand);
  HloInstruction* AddFusionOperand(HloInstruction* new_operand);

  // Copies the instructions of a fusion that is an operand of this one (CHECK)
  // in place of its parameter.
  void MergeFusionInstruction(HloInstruction* instruction_to_merge);
  // The same for any fusion of the computation that does not depend on this
  // one. It is removed with its computation; its results that have other users
  // become results of this one.
  void MergeFusionInstructionIntoMultiOutput(
      HloInstruction* instruction_to_merge);

  // Makes operands of a fusion that are the same one, with one parameter.
  // Leaves other ops alone, and custom fusions, whose parameters have a meaning
  // for their kernel, and computations that others call too.
  absl::Status DeduplicateFusionOperands();

  // Replaces a fusion, which is removed with its computation, by its
  // instructions. Does nothing to other ops.
  absl::Status Defuse();
  // Replaces `instruction` of this fusion's computation by a parameter, whose
  // operand is a copy of it before the fusion. Returns the copy. Errors:
  // InvalidArgument if it has operands other than parameters, constants and
  // broadcasts of these.
  absl::StatusOr<HloInstruction*> UnfuseInstruction(
      HloInstruction* instruction);

 protected:
  ~InstructionFusing() = default;

 private:
  HloInstruction* ParameterFor(HloInstruction* operand);
  HloInstruction* CopyIntoCalled(HloInstruction* hlo);
  void ReplaceParametersOf(const HloInstruction* operand,
                           HloInstruction* replacement);
  int64_t AddOutputs(absl::Span<HloInstruction* const> outputs);
  void AddOutputFor(HloInstruction* hlo, HloInstruction* copy);
  void AppendTupleAsOutputs(HloInstruction* tuple);
  HloInstruction& self();
};

}  // namespace xla

#endif  // XLA_HLO_IR_INSTRUCTION_INSTRUCTION_FUSING_H_
