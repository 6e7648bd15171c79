// HloModule: a program, made of computations, one of which is the entry.
#ifndef XLA_HLO_IR_HLO_MODULE_H_
#define XLA_HLO_IR_HLO_MODULE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module_config.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/hlo/ir/name_uniquer.h"
#include "xla/hlo/ir/pointer_range.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

// A module owns its computations. Names of instructions, and of computations,
// are unique in a module. Not thread safe.
class HloModule {
 public:
  explicit HloModule(absl::string_view name, HloModuleConfig config = {})
      : name_(name), config_(std::move(config)) {}
  HloModule(const HloModule&) = delete;
  HloModule& operator=(const HloModule&) = delete;

  const std::string& name() const { return name_; }
  void set_name(absl::string_view name) { name_ = std::string(name); }
  const HloModuleConfig& config() const { return config_; }
  HloModuleConfig& mutable_config() { return config_; }

  // Sets the entry layout in the config from the computation if it has none.
  HloComputation* AddEntryComputation(
      std::unique_ptr<HloComputation> computation);
  HloComputation* AddEmbeddedComputation(
      std::unique_ptr<HloComputation> computation);
  // The computation must have no callers (FailedPrecondition).
  absl::Status RemoveEmbeddedComputation(HloComputation* computation);
  // Removes computations that the entry does not reach; returns true if any was
  // removed.
  bool RemoveUnreachableComputations();
  // Does not check the callers of `computation`.
  void ReplaceEntryComputation(HloComputation* computation) {
    entry_ = computation;
  }

  HloComputation* entry_computation() const { return entry_; }
  bool has_entry_computation() const { return entry_ != nullptr; }
  using ComputationList = std::vector<std::unique_ptr<HloComputation>>;
  PointerRange<ComputationList> computations() const {
    return PointerRange<ComputationList>(computations_);
  }
  // The computations that are not fusions', in post order.
  std::vector<HloComputation*> MakeNonfusionComputations() const;
  int64_t computation_count() const { return computations_.size(); }
  int64_t instruction_count() const;
  HloComputation* GetComputationWithName(absl::string_view name) const;
  // Returns all computations of the module once, callees before callers.
  // Iterative; it also ends for a recursive module, which is malformed.
  std::vector<HloComputation*> MakeComputationPostOrder() const;

  // Shapes and layouts of entry parameters and result.
  const ComputationLayout& entry_computation_layout() const {
    return config_.entry_computation_layout();
  }
  ComputationLayout* mutable_entry_computation_layout() {
    return config_.mutable_entry_computation_layout();
  }

  // Returns a name that no instruction (or computation) of the module has,
  // `name` itself or with ".N", and marks it as taken.
  std::string UniqueInstructionName(absl::string_view name) {
    return instruction_names_.GetUniqueName(name);
  }
  std::string UniqueComputationName(absl::string_view name) {
    return computation_names_.GetUniqueName(name);
  }
  // Gives all instructions and computations fresh, consecutive unique_ids.
  void RenumberIds();
  int64_t NewUniqueId() { return next_unique_id_++; }

  std::unique_ptr<HloModule> Clone(absl::string_view suffix = "") const;
  // Copies `computation` of any module, and all that it calls, into this one.
  HloComputation* DeepCloneComputation(const HloComputation& computation);
  // Compares up to names, metadata and the order of computations.
  bool Equal(const HloModule& other) const;

  std::string ToString(const HloPrintOptions& options = {}) const;
  void Print(Printer* printer, const HloPrintOptions& options = {}) const;
  // The fingerprint of the text; the same on every machine.
  uint64_t ToFingerprint(const HloPrintOptions& options) const;
  HloModuleProto ToProto() const;

  // Makes the module of `proto`, which may be hostile: checks ids, operands,
  // cycles, shapes and attributes, but does not verify the module. Errors:
  // InvalidArgument or Unimplemented, naming the instruction.
  static absl::StatusOr<std::unique_ptr<HloModule>> CreateFromProto(
      const HloModuleProto& proto, const HloModuleConfig& config);
  static absl::StatusOr<std::unique_ptr<HloModule>> CreateFromProto(
      const HloModuleProto& proto);
  // Returns the config that the proto implies: entry layout, aliases.
  static absl::StatusOr<HloModuleConfig> CreateModuleConfigFromProto(
      const HloModuleProto& proto, const DebugOptions& debug_options);

  // Parts that passes rarely touch, kept as protos.
  const HloInputOutputAliasProto& input_output_alias() const {
    return input_output_alias_;
  }
  HloInputOutputAliasProto& mutable_input_output_alias() {
    return input_output_alias_;
  }
  const HloBufferDonorProto& buffer_donor() const { return buffer_donor_; }
  HloBufferDonorProto& mutable_buffer_donor() { return buffer_donor_; }
  const FrontendAttributes& frontend_attributes() const {
    return frontend_attributes_;
  }
  FrontendAttributes& mutable_frontend_attributes() {
    return frontend_attributes_;
  }
  const StackFrameIndexProto& stack_frame_index() const {
    return stack_frame_index_;
  }
  StackFrameIndexProto& mutable_stack_frame_index() {
    return stack_frame_index_;
  }
  // The remaining fields of HloModuleProto (spmd shardings, profile, device
  // assignment, prefetches, ...), kept for round trips.
  const HloModuleProto& extra() const { return extra_; }
  HloModuleProto& mutable_extra() { return extra_; }

  // True when each computation's instruction order is its schedule.
  bool is_scheduled() const { return is_scheduled_; }
  void set_is_scheduled(bool scheduled) { is_scheduled_ = scheduled; }

 private:
  friend class HloComputation;

  HloComputation* AddComputation(std::unique_ptr<HloComputation> computation);

  std::string name_;
  HloModuleConfig config_;
  ComputationList computations_;
  HloComputation* entry_ = nullptr;
  NameUniquer instruction_names_;
  NameUniquer computation_names_;
  int64_t next_unique_id_ = 1;
  HloInputOutputAliasProto input_output_alias_;
  HloBufferDonorProto buffer_donor_;
  FrontendAttributes frontend_attributes_;
  StackFrameIndexProto stack_frame_index_;
  HloModuleProto extra_;
  bool is_scheduled_ = false;
};

}  // namespace xla

#endif  // XLA_HLO_IR_HLO_MODULE_H_
