// ComputationOutlining: the part of HloComputation that moves instructions into
// computations of their own: of fusions, calls and asynchronous ops.
#ifndef XLA_HLO_IR_COMPUTATION_COMPUTATION_OUTLINING_H_
#define XLA_HLO_IR_COMPUTATION_COMPUTATION_OUTLINING_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/field_types.h"

namespace xla {

class HloComputation;
class HloInstruction;

class ComputationOutlining {
 public:
  // Make a fusion, or a call, of copies of instructions, replace the first one
  // by it, and remove those that nothing else uses. They move in one by one as
  // they are operands of it, which gives the order of its operands: the first
  // one's, then those that each brings. One that is used outside too stays
  // there; one that is no operand of the others stays out.
  HloInstruction* CreateFusionInstruction(
      absl::Span<HloInstruction* const> instructions_to_fuse,
      FusionKind fusion_kind);
  HloInstruction* CreateCallInstruction(
      absl::Span<HloInstruction* const> instructions_to_call,
      absl::string_view computation_name = "called_computation");
  // A call that says what the instructions do together.
  HloInstruction* CreateCompositeCallInstruction(
      absl::Span<HloInstruction* const> instructions_to_call,
      const std::string& name, const std::string& attributes, int64_t version);

  // A call of instructions whose first one is the only one with users outside;
  // its operands are in the order in which the instructions use them, the last
  // one first.
  HloInstruction* OutlineInstructions(
      absl::Span<HloInstruction* const> instructions,
      absl::string_view computation_name);

  // Makes an async-start of a computation that is `instruction`, and its
  // async-done, which is returned; of a copy, a copy-start and a copy-done. The
  // context shapes come after the operands' and the result's. With `replace`,
  // the done takes the place of the instruction. With `override_names`, the
  // three are called name.cloned, name.cloned.call-start and
  // name.cloned.call-done.
  absl::StatusOr<HloInstruction*> CreateAsyncInstructions(
      HloInstruction* instruction, absl::Span<const Shape> context_shapes,
      absl::string_view async_execution_thread = "main", bool replace = true,
      bool override_names = false);

 protected:
  ~ComputationOutlining() = default;

 private:
  void MoveInto(HloInstruction* caller,
                absl::Span<HloInstruction* const> instructions);
  HloInstruction* AddCopyStart(HloInstruction* copy,
                               absl::Span<const Shape> context_shapes);
  HloInstruction* AddAsyncStart(HloInstruction* instruction,
                                absl::Span<const Shape> context_shapes,
                                absl::string_view thread, bool override_names);
  HloComputation& self();
};

}  // namespace xla

#endif  // XLA_HLO_IR_COMPUTATION_COMPUTATION_OUTLINING_H_
