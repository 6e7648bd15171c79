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
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/hlo/ir/computation/computation_clones.h"
#include "xla/hlo/ir/computation/computation_comparison.h"
#include "xla/hlo/ir/computation/computation_edits.h"
#include "xla/hlo/ir/computation/computation_outlining.h"
#include "xla/hlo/ir/computation/computation_parameters.h"
#include "xla/hlo/ir/computation/computation_properties.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/hlo/ir/pointer_range.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

class HloModule;
class Printer;
template <typename HloInstructionPtr>
class DfsHloVisitorBase;

// Owns its instructions, in the order in which they were added (or scheduled).
// A computation belongs to one module. Not thread safe.
class HloComputation : public ComputationProperties,
                       public ComputationEdits,
                       public ComputationParameters,
                       public ComputationOutlining,
                       public ComputationClones,
                       public ComputationComparison {
 public:
  using InstructionList = std::list<std::unique_ptr<HloInstruction>>;
  static constexpr absl::string_view kMainExecutionThread = "main";

  // Collects instructions; Build makes the computation, with the instruction
  // that was added last as root if none is given.
  class Builder;
  // Adds instructions with the same metadata.
  class MetadataBuilder;

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
  // With the metadata and frontend attributes, unless they are null.
  HloInstruction* AddInstruction(
      std::unique_ptr<HloInstruction> instruction, const OpMetadata* metadata,
      const FrontendAttributes* frontend_attributes = nullptr);
  // Calls HloInstruction::Infer, then AddInstruction.
  absl::StatusOr<HloInstruction*> Add(
      HloOpcode opcode, absl::Span<HloInstruction* const> operands,
      Attrs attrs = {}, absl::Span<HloComputation* const> computations = {},
      const Shape* declared = nullptr);

  // In the order of the list; instructions may be added and removed meanwhile,
  // also the one at hand. Those that were removed are passed over.
  PointerRange<InstructionList> instructions() const {
    return PointerRange<InstructionList>(instructions_, &removed_);
  }
  int64_t instruction_count() const { return instructions().size(); }
  HloInstruction* root_instruction() const { return root_; }
  // `root` is any instruction of this computation. Its shape may differ from
  // the old root's; the caller must keep the shapes of calling instructions
  // right.
  void set_root_instruction(HloInstruction* root) { root_ = root; }
  // The same, but the shapes must be compatible (CHECK) unless the caller
  // accepts another one; the entry of a module then loses its aliases.
  void set_root_instruction(HloInstruction* root, bool accept_different_shape);
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

  // Sets the order of the instructions, a permutation of instructions(), and of
  // the module's schedule if it has one.
  absl::Status SetInstructionOrder(absl::Span<HloInstruction* const> order);

  // Returns the shapes and names of the parameters and the shape of the root.
  // Names without ids end at their first dot.
  ProgramShape ComputeProgramShape(bool include_ids = true) const;

  // Call the visitor with every instruction, operands first: in any order; with
  // those that come first by `operand_order` before others; in the order given,
  // of all instructions (Internal otherwise). Defined in dfs_hlo_visitor.h.
  template <typename HloInstructionPtr>
  absl::Status Accept(DfsHloVisitorBase<HloInstructionPtr>* visitor) const;
  absl::Status AcceptWithOperandOrder(
      DfsHloVisitorBase<HloInstruction*>* visitor,
      absl::FunctionRef<bool(const HloInstruction*, const HloInstruction*)>
          operand_order) const;
  template <typename HloInstructionPtr>
  absl::Status AcceptOrdered(DfsHloVisitorBase<HloInstructionPtr>* visitor,
                             absl::Span<HloInstruction* const> order) const;

  bool IsFusionComputation() const { return is_fusion_; }
  void set_is_fusion_computation(bool is_fusion) { is_fusion_ = is_fusion; }
  const std::string& execution_thread() const { return execution_thread_; }
  void SetExecutionThread(absl::string_view thread) {
    execution_thread_ = std::string(thread);
  }

  std::string ToString(const HloPrintOptions& options = {}) const;
  void Print(Printer* printer, const HloPrintOptions& options = {}) const;
  // With the instructions in the order given, of all of them; none is any.
  std::string ToString(
      const HloPrintOptions& options,
      absl::Span<const HloInstruction* const> instruction_order) const;
  void Print(Printer* printer, const HloPrintOptions& options,
             absl::Span<const HloInstruction* const> instruction_order) const;
  absl::Cord ToCord(
      const HloPrintOptions& options = {},
      absl::Span<const HloInstruction* const> instruction_order = {}) const;
  HloComputationProto ToProto() const;
  void ToProto(HloComputationProto* proto) const { *proto = ToProto(); }

 private:
  friend class HloModule;
  friend class HloInstructionSequence;
  friend class ComputationClones;
  friend class ComputationEdits;
  friend class ComputationParameters;

  // AddInstruction, but for the condition on the operands.
  HloInstruction* Take(std::unique_ptr<HloInstruction> instruction,
                       absl::string_view name);
  void CheckOperands(const HloInstruction& instruction) const;
  // Takes a permutation of the instructions.
  void Reorder(absl::Span<HloInstruction* const> order);
  // The same if all but those in `moved` are in that order already.
  void Reorder(absl::Span<HloInstruction* const> order,
               const absl::flat_hash_set<const HloInstruction*>& moved);
  // Takes an instruction without users and control edges out of the list.
  void Retire(HloInstruction* instruction);
  void DropUsersOutside();

  std::string name_;
  int64_t unique_id_ = -1;
  HloModule* parent_ = nullptr;
  // Null, until Cleanup, where an instruction was removed.
  InstructionList instructions_;
  // What was removed since the last Cleanup, with the positions of the nulls.
  std::vector<std::unique_ptr<HloInstruction>> removed_;
  std::vector<HloInstruction*> parameters_;
  HloInstruction* root_ = nullptr;
  bool is_fusion_ = false;
  std::string execution_thread_{kMainExecutionThread};
};

// Parameters may be added in any order; operands may be of any computation
// until Build. Not thread safe.
class HloComputation::Builder {
 public:
  explicit Builder(absl::string_view name) : name_(name) {}
  Builder(Builder&&) = default;
  virtual ~Builder() = default;

  virtual HloInstruction* AddInstruction(
      std::unique_ptr<HloInstruction> instruction);
  // With that name, made valid.
  HloInstruction* AddInstruction(std::unique_ptr<HloInstruction> instruction,
                                 std::optional<absl::string_view> new_name) {
    instruction->SetAndSanitizeName(new_name.value());
    return AddInstruction(std::move(instruction));
  }
  // Errors: InvalidArgument for a parameter number that was added before.
  absl::StatusOr<HloInstruction*> AddParameter(
      std::unique_ptr<HloInstruction> parameter);
  HloInstruction* last_added_instruction() const {
    return instructions_.empty() ? nullptr : instructions_.back().get();
  }
  // Calls the function in the order of addition, to its first error.
  absl::Status ForEachInstruction(
      absl::FunctionRef<absl::Status(const HloInstruction*)> func) const;

  // The builder is empty afterwards, and may go on. A parameter number that is
  // missing or there twice, or an operand that was not added, is a programmer
  // error (CHECK).
  std::unique_ptr<HloComputation> Build(
      HloInstruction* root_instruction = nullptr);

 private:
  std::string name_;
  std::vector<std::unique_ptr<HloInstruction>> instructions_;
};

class HloComputation::MetadataBuilder {
 public:
  MetadataBuilder(HloComputation* computation, const OpMetadata& metadata)
      : computation_(computation), metadata_(metadata) {}
  HloInstruction* AddInstruction(std::unique_ptr<HloInstruction> instruction) {
    return computation_->AddInstruction(std::move(instruction), &metadata_);
  }

 private:
  HloComputation* computation_;
  OpMetadata metadata_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_HLO_COMPUTATION_H_
