// HloModule: a program, made of computations, one of which is the entry.
#ifndef XLA_HLO_IR_HLO_MODULE_H_
#define XLA_HLO_IR_HLO_MODULE_H_

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/hlo/ir/hlo_clone_context.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module_config.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/hlo/ir/module/hlo_schedule.h"
#include "xla/hlo/ir/module/module_annotations.h"
#include "xla/hlo/ir/name_uniquer.h"
#include "xla/hlo/ir/pointer_range.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

// A value of a custom field of a module's fingerprint.
using NumericOrString = std::variant<std::string, int64_t, double>;

// A module owns its computations. Names of instructions, and of computations,
// are unique in a module. Not thread safe.
class HloModule : public ModuleAnnotations {
 public:
  explicit HloModule(absl::string_view name, HloModuleConfig config = {})
      : name_(name), config_(std::move(config)) {
    metadata_.set_canonical_module_id(unique_id_);
  }
  virtual ~HloModule() = default;
  HloModule(const HloModule&) = delete;
  HloModule& operator=(const HloModule&) = delete;

  const std::string& name() const { return name_; }
  void set_name(absl::string_view name) { name_ = std::string(name); }
  // A number that no other module of this process has.
  int unique_id() const { return unique_id_; }
  const HloModuleConfig& config() const { return config_; }
  HloModuleConfig& mutable_config() { return config_; }
  void set_config(HloModuleConfig config) { config_ = std::move(config); }
  // A copy: changes of the module's config do not show.
  std::shared_ptr<const HloModuleConfig> shared_config() const {
    return std::make_shared<const HloModuleConfig>(config_);
  }

  // Sets the entry layout in the config from the computation if it has none.
  HloComputation* AddEntryComputation(
      std::unique_ptr<HloComputation> computation);
  // Sets the entry layout from the layouts of its shapes.
  HloComputation* AddEntryComputationWithLayouts(
      std::unique_ptr<HloComputation> computation);
  HloComputation* AddEmbeddedComputation(
      std::unique_ptr<HloComputation> computation);
  HloComputation* AddComputationAndUnifyNamesAndIds(
      std::unique_ptr<HloComputation> computation, bool is_entry) {
    return is_entry ? AddEntryComputationWithLayouts(std::move(computation))
                    : AddEmbeddedComputation(std::move(computation));
  }
  // Frees the computation, which must have no callers (FailedPrecondition). A
  // loop over computations() may be at it, and goes on.
  absl::Status RemoveEmbeddedComputation(HloComputation* computation);
  // Removes computations that the entry does not reach; returns true if any was
  // removed.
  bool RemoveUnreachableComputations();
  absl::Status RemoveUnusedComputations() {
    RemoveUnreachableComputations();
    return absl::OkStatus();
  }
  // Frees what is left of computations that were removed: their places in the
  // list. No loop over computations() may be at one of them.
  void CleanupComputations();
  // The same, and frees the instructions that were removed from the others.
  void Cleanup() {
    CleanupComputations();
    for (HloComputation* computation : computations()) computation->Cleanup();
  }
  // Makes callers of the first call the second computation, and removes the
  // first.
  void ReplaceComputations(
      const absl::flat_hash_map<HloComputation*, HloComputation*>&
          replacements);
  // Gives fusions of such computations, and those of what they would be
  // replaced by, one deduplicated name.
  void MarkFusionDuplications(
      const absl::flat_hash_map<HloComputation*, HloComputation*>& replacements)
      const;
  // Takes all computations of `module`, which is left without any.
  void MoveComputationsFrom(HloModule* module);
  // Makes `computation` of this module the entry, with the entry layout of its
  // own shapes and no aliases and donors. Does not check its callers.
  void ReplaceEntryComputation(HloComputation* computation);

  // Replaces the entry and nothing else.
  void set_entry_computation(HloComputation* computation) {
    entry_ = computation;
  }
  // Gives the config the shapes of the entry if it has no layout, and the
  // aliases the shape of its result: for readers whose entry has its root now.
  void CompleteEntry();

  HloComputation* entry_computation() const { return entry_; }
  bool has_entry_computation() const { return entry_ != nullptr; }
  // A list, since copies of instructions may add computations to the module
  // that is being walked. Null where one was removed.
  using ComputationList = std::list<std::unique_ptr<HloComputation>>;
  PointerRange<ComputationList> computations() const {
    return PointerRange<ComputationList>(computations_);
  }
  int64_t computation_count() const {
    return static_cast<int64_t>(computations_.size()) - removed_count_;
  }
  int64_t instruction_count() const;
  HloComputation* GetComputationWithName(absl::string_view name) const;
  // Returns all computations of the module once, callees before callers.
  // Iterative; it also ends for a recursive module, which is malformed.
  std::vector<HloComputation*> MakeComputationPostOrder() const;
  // Those of the given threads (none: of all).
  using ExecutionThreads = absl::flat_hash_set<absl::string_view>;
  std::vector<HloComputation*> MakeComputationPostOrder(
      const ExecutionThreads& execution_threads) const;
  // Those of them that are allowed; all orders are depth-first.
  std::vector<HloComputation*> MakeComputationPostOrder(
      const ExecutionThreads& execution_threads,
      const absl::flat_hash_set<HloComputation*>& allow_list,
      bool dfs_postorder = false) const;
  std::vector<HloComputation*> computations(
      const ExecutionThreads& execution_threads) const;
  // Those that are no fusion's, and of these the ones that no composite call
  // has, either.
  std::vector<HloComputation*> MakeNonfusionComputations(
      const ExecutionThreads& execution_threads = {}) const;
  std::vector<HloComputation*> MakeNonFusionNonCompositeComputations(
      const ExecutionThreads& execution_threads = {}) const;
  // The same, ordered by their text instead of by calls.
  std::vector<HloComputation*> MakeComputationSorted(
      const ExecutionThreads& execution_threads = {}) const;
  std::vector<HloComputation*> MakeNonfusionComputationsSorted(
      const ExecutionThreads& execution_threads = {}) const;

  // Shapes and layouts of entry parameters and result.
  const ComputationLayout& entry_computation_layout() const {
    return config_.entry_computation_layout();
  }
  ComputationLayout* mutable_entry_computation_layout() {
    return config_.mutable_entry_computation_layout();
  }
  const Shape& result_shape() const {
    return entry_->root_instruction()->shape();
  }
  // That of the entry as it is.
  ComputationLayout compute_computation_layout() const {
    return ComputationLayout(entry_->ComputeProgramShape(),
                             /*ignore_layouts=*/false);
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

  void SetAndUniquifyInstrName(HloInstruction* instruction,
                               absl::string_view name);
  void SetAndUniquifyComputationName(HloComputation* computation,
                                     absl::string_view name);
  NameUniquer& instruction_name_uniquer() { return instruction_names_; }
  NameUniquer& computation_name_uniquer() { return computation_names_; }

  // The clone's name has "-" and the suffix, if there is one, and those of its
  // computations have "." and the suffix. Its config is `config` if given.
  std::unique_ptr<HloModule> Clone(
      absl::string_view suffix = "clone",
      std::optional<const HloModuleConfig> config = std::nullopt) const;
  std::pair<std::unique_ptr<HloModule>, std::unique_ptr<HloCloneContext>>
  CloneWithContext(
      const std::string& suffix,
      std::optional<const HloModuleConfig> config = std::nullopt) const;
  // Copies `computation` of any module, and all that it calls, into this one.
  HloComputation* DeepCloneComputation(const HloComputation& computation);
  // Records the clones in the context.
  HloComputation* DeepCloneComputation(HloComputation* computation,
                                       HloCloneContext* context = nullptr);
  // Moves the instructions, whose last one is the only one with users outside,
  // into a new computation, and replaces them by a call, which is returned.
  HloInstruction* OutlineExpressionFromComputation(
      absl::Span<HloInstruction* const> instructions_to_outline,
      const std::string& outlined_computation_name,
      HloComputation* computation);
  // Compares up to names, metadata and the order of computations.
  bool Equal(const HloModule& other) const;
  // The same for modules that are Equal and have the same entry layout.
  template <typename H>
  friend H AbslHashValue(H h, const HloModule& module) {
    if (module.config_.has_entry_computation_layout()) {
      h = H::combine(std::move(h), module.entry_computation_layout());
    }
    if (module.entry_ != nullptr) h = H::combine(std::move(h), *module.entry_);
    return h;
  }

  std::string ToString(const HloPrintOptions& options = {}) const;
  void Print(Printer* printer, const HloPrintOptions& options = {}) const;
  // The fingerprint of the text, and of the fields if there are any; the same
  // on every machine.
  uint64_t ToFingerprint(const HloPrintOptions& options,
                         const absl::btree_map<std::string, NumericOrString>&
                             custom_fields = {}) const;
  // One of 128 bits, as 32 hexadecimal digits.
  std::string GetFingerprint128(const HloPrintOptions& options =
                                    HloPrintOptions::ModuleFingerprint()) const;
  absl::Cord ToCord(const HloPrintOptions& options = {}) const {
    return absl::Cord(ToString(options));
  }
  HloModuleProto ToProto() const;
  void ToProto(HloModuleProto* proto) const { *proto = ToProto(); }

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
  static absl::StatusOr<HloModuleConfig> CreateModuleConfigFromShape(
      const ProgramShape& program_shape, const DebugOptions& debug_options);

  void MoveMetadataToModule(HloModule* module) {
    module->metadata_ = std::exchange(metadata_, HloModuleMetadata());
  }

  // True when each computation's instruction order is its schedule.
  bool is_scheduled() const { return schedule_.has_value(); }
  // Makes the present order of all instructions the schedule, or clears it.
  void set_is_scheduled(bool scheduled);
  bool has_schedule() const { return schedule_.has_value(); }
  void clear_schedule() { schedule_.reset(); }
  // Orders the instructions by `schedule`. Errors: Internal if it is of another
  // module, and those of HloSchedule::Verify.
  absl::Status set_schedule(HloSchedule schedule);
  // The module must have one (CHECK). To change it reorders the instructions.
  const HloSchedule& schedule() const {
    CHECK(has_schedule()) << "module " << name_ << " has no schedule";
    return *schedule_;
  }
  HloSchedule& schedule() {
    CHECK(has_schedule()) << "module " << name_ << " has no schedule";
    return *schedule_;
  }

 private:
  friend class HloComputation;

  HloComputation* AddComputation(std::unique_ptr<HloComputation> computation);
  static int NewModuleId();
  // Puts the list into this order, of all computations.
  void OrderComputations(absl::Span<const HloComputation* const> order);
  // Drops the schedule of a computation that is `removed`, which it returns.
  bool IsRemoved(const HloComputation& computation, bool removed);

  std::string name_;
  HloModuleConfig config_;
  ComputationList computations_;
  int64_t removed_count_ = 0;  // of places in the list
  HloComputation* entry_ = nullptr;
  NameUniquer instruction_names_;
  NameUniquer computation_names_;
  int64_t next_unique_id_ = 1;
  std::optional<HloSchedule> schedule_;
  const int unique_id_ = NewModuleId();
};

}  // namespace xla

#endif  // XLA_HLO_IR_HLO_MODULE_H_
