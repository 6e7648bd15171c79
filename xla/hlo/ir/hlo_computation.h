// HloComputation: a function over tensors, as a graph of instructions with
// parameters and one root.
#ifndef XLA_HLO_IR_HLO_COMPUTATION_H_
#define XLA_HLO_IR_HLO_COMPUTATION_H_

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/hlo/ir/pointer_range.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

class HloModule;
class Printer;
template <typename HloInstructionPtr>
class DfsHloVisitorBase;

// Orders computations by their ids.
struct ComputationOrder {
  bool operator()(const HloComputation* a, const HloComputation* b) const;
};

// Owns its instructions, in the order in which they were added (or scheduled).
// A computation belongs to one module. Not thread safe.
class HloComputation {
 public:
  using InstructionList = std::list<std::unique_ptr<HloInstruction>>;
  static constexpr absl::string_view kMainExecutionThread = "main";

  // Collects instructions; Build makes the computation, with the instruction
  // that was added last as root if none is given.
  class Builder;

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
  HloInstruction* AddParameter(std::unique_ptr<HloInstruction> parameter) {
    return AddInstruction(std::move(parameter));
  }
  // Calls HloInstruction::Infer, then AddInstruction.
  absl::StatusOr<HloInstruction*> Add(
      HloOpcode opcode, absl::Span<HloInstruction* const> operands,
      Attrs attrs = {}, absl::Span<HloComputation* const> computations = {},
      const Shape* declared = nullptr);

  // In the order of the list; an instruction may be added meanwhile, and any
  // but the one at hand removed.
  PointerRange<InstructionList> instructions() const {
    return PointerRange<InstructionList>(instructions_);
  }
  // Returns null if there is none.
  HloInstruction* GetInstructionWithName(absl::string_view name) const;
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
  absl::Status ReplaceWithNewInstruction(
      HloInstruction* old_instruction,
      std::unique_ptr<HloInstruction> new_instruction);
  // Drops parameter `i` and renumbers those behind it. It must have no users.
  absl::Status RemoveParameter(int64_t i);

  // Sets the order of the instructions, a permutation of instructions().
  absl::Status SetInstructionOrder(absl::Span<HloInstruction* const> order);

  // Returns the shapes and names of the parameters and the shape of the root.
  ProgramShape ComputeProgramShape() const;

  // Calls the visitor with every instruction, operands first. Defined in
  // dfs_hlo_visitor.h.
  template <typename HloInstructionPtr>
  absl::Status Accept(DfsHloVisitorBase<HloInstructionPtr>* visitor) const;

  // Make a fusion, or a call, of instructions whose first one is the only one
  // with users outside, each before its operands, and replace the first one by
  // it.
  HloInstruction* CreateFusionInstruction(
      absl::Span<HloInstruction* const> instructions_to_fuse,
      FusionKind fusion_kind);
  HloInstruction* CreateCallInstruction(
      absl::Span<HloInstruction* const> instructions_to_call);
  // Returns all computations that are called from here, each after its callees;
  // the directly called ones and the callers, with the number of calls.
  std::vector<HloComputation*> MakeEmbeddedComputationsList() const;
  absl::btree_map<HloComputation*, int, ComputationOrder> callee_computations()
      const;
  absl::btree_map<HloComputation*, int, ComputationOrder> caller_computations()
      const;
  // Returns the only caller if it is one of that opcode.
  std::optional<HloInstruction*> GetUniqueCaller(HloOpcode opcode) const;

  // Returns the callers inside the module, in no order; scans the module.
  std::vector<HloInstruction*> caller_instructions() const;
  bool IsFusionComputation() const { return is_fusion_; }
  void set_is_fusion_computation(bool is_fusion) { is_fusion_ = is_fusion; }
  const std::string& execution_thread() const { return execution_thread_; }
  void SetExecutionThread(absl::string_view thread) {
    execution_thread_ = std::string(thread);
  }

  // Returns a copy that is in no module. Called computations stay the same,
  // or are those of the context.
  std::unique_ptr<HloComputation> Clone(const std::string& suffix = "clone",
                                        HloCloneContext* context = nullptr);

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
  bool operator==(const HloComputation& other) const { return Equal(other); }
  bool operator!=(const HloComputation& other) const { return !Equal(other); }

  std::string ToString(const HloPrintOptions& options = {}) const;
  void Print(Printer* printer, const HloPrintOptions& options = {}) const;
  HloComputationProto ToProto() const;

 private:
  friend class HloModule;

  // Copies the instructions into `result`, which has none.
  void CloneInstructionsInto(
      HloComputation* result, HloCloneContext* context,
      const absl::flat_hash_map<const HloComputation*, HloComputation*>&
          computations) const;

  std::string name_;
  int64_t unique_id_ = -1;
  HloModule* parent_ = nullptr;
  InstructionList instructions_;
  std::vector<HloInstruction*> parameters_;
  HloInstruction* root_ = nullptr;
  bool is_fusion_ = false;
  std::string execution_thread_{kMainExecutionThread};
};

// Parameters may be added in any order. Not thread safe.
class HloComputation::Builder {
 public:
  explicit Builder(absl::string_view name)
      : computation_(std::make_unique<HloComputation>(name)) {}
  virtual ~Builder() = default;

  virtual HloInstruction* AddInstruction(
      std::unique_ptr<HloInstruction> instruction) {
    last_ = computation_->AddInstruction(std::move(instruction));
    return last_;
  }
  // Errors: InvalidArgument for a parameter number that was added before.
  absl::StatusOr<HloInstruction*> AddParameter(
      std::unique_ptr<HloInstruction> parameter);
  HloInstruction* last_added_instruction() const { return last_; }

  // The builder is empty afterwards. A parameter number that is missing is a
  // programmer error (CHECK).
  std::unique_ptr<HloComputation> Build(
      HloInstruction* root_instruction = nullptr);

 private:
  std::unique_ptr<HloComputation> computation_;
  HloInstruction* last_ = nullptr;
};

}  // namespace xla

#endif  // XLA_HLO_IR_HLO_COMPUTATION_H_
