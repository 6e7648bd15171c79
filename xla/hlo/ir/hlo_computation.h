// HloComputation: a function over tensors, as a graph of instructions with
// parameters and one root.
#ifndef XLA_HLO_IR_HLO_COMPUTATION_H_
#define XLA_HLO_IR_HLO_COMPUTATION_H_

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

class HloModule;

// Owns its instructions, in the order in which they were added (or scheduled).
// A computation belongs to one module. Not thread safe.
class HloComputation {
 public:
  using InstructionList = std::list<std::unique_ptr<HloInstruction>>;
  static constexpr absl::string_view kMainExecutionThread = "main";

  explicit HloComputation(absl::string_view name) : name_(name) {}
  ~HloComputation();
  HloComputation(const HloComputation&) = delete;
  HloComputation& operator=(const HloComputation&) = delete;

  const std::string& name() const { return name_; }
  void SetName(absl::string_view name) { name_ = std::string(name); }
  int64_t unique_id() const { return unique_id_; }
  HloModule* parent() const { return parent_; }
  bool IsEntryComputation() const;

  // Takes `instruction`, whose operands must already be in this computation
  // (CHECK), and gives it a name that is unique in the module: its own, or
  // `name` if given, with a suffix such as ".1" if taken. A parameter takes its
  // place among the parameters.
  HloInstruction* AddInstruction(std::unique_ptr<HloInstruction> instruction,
                                 absl::string_view name = "");
  // Calls HloInstruction::Infer, then AddInstruction.
  absl::StatusOr<HloInstruction*> Add(
      HloOpcode opcode, absl::Span<HloInstruction* const> operands,
      Attrs attrs = {}, absl::Span<HloComputation* const> computations = {},
      const Shape* declared = nullptr);

  const InstructionList& instructions() const { return instructions_; }
  int64_t instruction_count() const { return instructions_.size(); }
  HloInstruction* root_instruction() const { return root_; }
  // `root` is any instruction of this computation. Its shape may differ from
  // the old root's; the caller must keep the shapes of calling instructions
  // right.
  void set_root_instruction(HloInstruction* root) { root_ = root; }
  int64_t num_parameters() const { return parameters_.size(); }
  HloInstruction* parameter_instruction(int64_t i) const {
    return parameters_[i];
  }
  const std::vector<HloInstruction*>& parameter_instructions() const {
    return parameters_;
  }

  // Returns operands and control predecessors before users; stable: among ready
  // instructions the one added first comes first. Iterative. A cycle, which
  // only a malformed module has, leaves its members out; the verifier reports
  // it.
  std::vector<HloInstruction*> MakeInstructionPostOrder() const;

  // Removes an instruction without users that is not the root or a parameter
  // of an entry computation (FailedPrecondition otherwise).
  absl::Status RemoveInstruction(HloInstruction* instruction);
  // Like RemoveInstruction, and then removes every operand that is left without
  // users and has no side effect, transitively.
  absl::Status RemoveInstructionAndUnusedOperands(HloInstruction* instruction);
  absl::Status ReplaceInstruction(HloInstruction* old_instruction,
                                  HloInstruction* new_instruction);
  absl::StatusOr<HloInstruction*> ReplaceWithNewInstruction(
      HloInstruction* old_instruction,
      std::unique_ptr<HloInstruction> new_instruction);
  // Drops parameter `i` and renumbers those behind it. It must have no users.
  absl::Status RemoveParameter(int64_t i);

  // Sets the order of the instructions, a permutation of instructions().
  absl::Status SetInstructionOrder(absl::Span<HloInstruction* const> order);

  // Returns the shapes and names of the parameters and the shape of the root.
  ProgramShape ComputeProgramShape() const;

  // Returns the callers inside the module, in no order; scans the module.
  std::vector<HloInstruction*> caller_instructions() const;
  bool IsFusionComputation() const { return is_fusion_; }
  void set_is_fusion_computation(bool is_fusion) { is_fusion_ = is_fusion; }
  const std::string& execution_thread() const { return execution_thread_; }
  void SetExecutionThread(absl::string_view thread) {
    execution_thread_ = std::string(thread);
  }

  // Makes a copy in `target` (which may be another module). Called computations
  // are mapped by `computations` where it has them; others stay the same
  // pointers.
  HloComputation* CloneInto(
      HloModule* target, absl::string_view name,
      const absl::flat_hash_map<const HloComputation*, HloComputation*>&
          computations = {}) const;

  // Returns true if both have the same instructions in post order, up to names;
  // called computations are compared in the same way.
  bool Equal(const HloComputation& other) const;

  std::string ToString(const HloPrintOptions& options = {}) const;
  HloComputationProto ToProto() const;

 private:
  friend class HloModule;

  std::string name_;
  int64_t unique_id_ = -1;
  HloModule* parent_ = nullptr;
  InstructionList instructions_;
  std::vector<HloInstruction*> parameters_;
  HloInstruction* root_ = nullptr;
  bool is_fusion_ = false;
  std::string execution_thread_{kMainExecutionThread};
};

}  // namespace xla

#endif  // XLA_HLO_IR_HLO_COMPUTATION_H_
