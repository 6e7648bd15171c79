// Ownership, traversal, copying and comparison of modules.
#include "xla/hlo/ir/hlo_module.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_clone_context.h"
#include "xla/hlo/ir/module/print_order.h"

namespace xla {
namespace {

// Returns `start` and all computations that it calls, transitively.
absl::flat_hash_set<const HloComputation*> ReachedFrom(
    const HloComputation& start) {
  absl::flat_hash_set<const HloComputation*> reached = {&start};
  std::vector<const HloComputation*> pending = {&start};
  while (!pending.empty()) {
    const HloComputation* next = pending.back();
    pending.pop_back();
    for (const auto& instruction : next->instructions()) {
      for (const HloComputation* called : instruction->called_computations()) {
        if (reached.insert(called).second) pending.push_back(called);
      }
    }
  }
  return reached;
}

std::vector<HloComputation*> OfThreads(
    std::vector<HloComputation*> computations,
    const HloModule::ExecutionThreads& threads) {
  if (threads.empty()) return computations;
  std::erase_if(computations, [&](const HloComputation* computation) {
    return !threads.contains(computation->execution_thread());
  });
  return computations;
}

// Orders computations by their text without names.
std::vector<HloComputation*> ByContent(
    std::vector<HloComputation*> computations) {
  const HloPrintOptions options = HloPrintOptions::ModuleFingerprint();
  std::vector<std::pair<std::string, HloComputation*>> texts;
  texts.reserve(computations.size());
  for (HloComputation* computation : computations) {
    texts.push_back({computation->ToString(options), computation});
  }
  std::stable_sort(
      texts.begin(), texts.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < texts.size(); ++i) computations[i] = texts[i].second;
  return computations;
}

}  // namespace

int HloModule::NewModuleId() {
  static std::atomic<int> next = 0;
  return next++;
}

HloComputation* HloModule::AddComputation(
    std::unique_ptr<HloComputation> computation) {
  HloComputation* added = computation.get();
  added->parent_ = this;
  added->name_ = UniqueComputationName(added->name_);
  added->unique_id_ = NewUniqueId();
  for (HloInstruction* instruction : added->instructions()) {
    instruction->name_ = UniqueInstructionName(instruction->name_);
    instruction->unique_id_ = NewUniqueId();
  }
  computations_.push_back(std::move(computation));
  return added;
}

HloComputation* HloModule::AddEntryComputation(
    std::unique_ptr<HloComputation> computation) {
  CHECK(entry_ == nullptr) << "module " << name_ << " has an entry already";
  entry_ = AddComputation(std::move(computation));
  if (entry_->root_instruction() != nullptr) CompleteEntry();
  return entry_;
}

HloComputation* HloModule::AddEntryComputationWithLayouts(
    std::unique_ptr<HloComputation> computation) {
  HloComputation* entry = AddEntryComputation(std::move(computation));
  config_.SetComputationLayoutIfExists(entry->ComputeProgramShape());
  return entry;
}

void HloModule::CompleteEntry() {
  const ProgramShape shape = entry_->ComputeProgramShape();
  aliases_.set_shape(shape.result());
  if (!config_.has_entry_computation_layout()) {
    config_.SetComputationLayoutIfExists(shape);
  }
}

void HloModule::ReplaceEntryComputation(HloComputation* computation) {
  entry_ = computation;
  const ProgramShape shape = entry_->ComputeProgramShape();
  config_.SetDefaultComputationLayout(shape);
  aliases_ = HloInputOutputAliasConfig(shape.result());
  donors_ = HloBufferDonorConfig();
}

HloComputation* HloModule::AddEmbeddedComputation(
    std::unique_ptr<HloComputation> computation) {
  return AddComputation(std::move(computation));
}

absl::Status HloModule::RemoveEmbeddedComputation(HloComputation* computation) {
  if (computation == entry_ || !computation->caller_instructions().empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "computation ", computation->name(), " is called or the entry"));
  }
  auto it = std::find_if(
      computations_.begin(), computations_.end(),
      [&](const auto& owned) { return owned.get() == computation; });
  if (it == computations_.end()) {
    return absl::NotFoundError(absl::StrCat("computation ", computation->name(),
                                            " is of another module"));
  }
  if (schedule_.has_value()) schedule_->remove_computation(computation);
  // The place stays, since a loop may be there.
  it->reset();
  ++removed_count_;
  return absl::OkStatus();
}

void HloModule::CleanupComputations() {
  if (removed_count_ > 0) std::erase(computations_, nullptr);
  removed_count_ = 0;
}

bool HloModule::IsRemoved(const HloComputation& computation, bool removed) {
  if (removed && schedule_.has_value()) {
    schedule_->remove_computation(&computation);
  }
  return removed;
}

bool HloModule::RemoveUnreachableComputations() {
  if (entry_ == nullptr) return false;
  const auto reached = ReachedFrom(*entry_);
  CleanupComputations();
  return std::erase_if(computations_, [&](const auto& computation) {
           return IsRemoved(*computation, !reached.contains(computation.get()));
         }) > 0;
}

int64_t HloModule::instruction_count() const {
  int64_t count = 0;
  for (const HloComputation* computation : computations()) {
    count += computation->instruction_count();
  }
  return count;
}

HloComputation* HloModule::GetComputationWithName(
    absl::string_view name) const {
  for (HloComputation* computation : computations()) {
    if (computation->name() == name) return computation;
  }
  return nullptr;
}

std::vector<HloComputation*> HloModule::MakeComputationPostOrder() const {
  std::vector<HloComputation*> order;
  order.reserve(computations_.size());
  // A depth-first walk with an explicit stack: the first visit pushes the
  // callees, the second emits the computation.
  absl::flat_hash_map<const HloComputation*, int> visits;
  std::vector<HloComputation*> stack;
  auto walk = [&](HloComputation* start) {
    stack.push_back(start);
    while (!stack.empty()) {
      HloComputation* next = stack.back();
      int& visit = visits[next];
      if (visit > 0) {
        stack.pop_back();
        if (visit == 1) order.push_back(next);
        visit = 2;
        continue;
      }
      visit = 1;
      for (const auto& instruction : next->instructions()) {
        for (HloComputation* called : instruction->called_computations()) {
          auto it = visits.find(called);
          if (it == visits.end() || it->second == 0) stack.push_back(called);
        }
      }
    }
  };
  for (HloComputation* computation : computations()) {
    if (computation != entry_) walk(computation);
  }
  if (entry_ != nullptr) walk(entry_);
  return order;
}

void HloModule::OrderComputations(
    absl::Span<const HloComputation* const> order) {
  absl::flat_hash_map<const HloComputation*, size_t> positions;
  for (const HloComputation* computation : order) {
    positions.insert({computation, positions.size()});
  }
  CleanupComputations();
  computations_.sort([&](const auto& a, const auto& b) {
    return positions[a.get()] < positions[b.get()];
  });
}

void HloModule::RenumberIds() {
  // The order that a proto, and so a module that is read again, has.
  OrderComputations(PrintOrder(*this));
  next_unique_id_ = 1;
  for (HloComputation* computation : computations()) {
    computation->unique_id_ = NewUniqueId();
    for (const auto& instruction : computation->instructions()) {
      instruction->unique_id_ = NewUniqueId();
    }
  }
  set_is_scheduled(is_scheduled());
}

void HloModule::set_is_scheduled(bool scheduled) {
  schedule_.reset();
  if (!scheduled) return;
  schedule_.emplace(this);
  schedule_->orders_module_ = true;
  for (const HloComputation* computation : MakeNonfusionComputations()) {
    schedule_->FollowList(computation);
  }
}

absl::Status HloModule::set_schedule(HloSchedule schedule) {
  TF_RET_CHECK(schedule.module() == this)
      << "the schedule is not of module " << name_;
  TF_RETURN_IF_ERROR(schedule.Verify());
  schedule_.emplace(schedule);
  schedule_->OrderModule();
  return absl::OkStatus();
}

std::unique_ptr<HloModule> HloModule::Clone(
    absl::string_view suffix,
    std::optional<const HloModuleConfig> config) const {
  return CloneWithContext(std::string(suffix), std::move(config)).first;
}

std::pair<std::unique_ptr<HloModule>, std::unique_ptr<HloCloneContext>>
HloModule::CloneWithContext(const std::string& suffix,
                            std::optional<const HloModuleConfig> config) const {
  auto clone = std::make_unique<HloModule>(
      suffix.empty() ? name_ : absl::StrCat(name_, "-", suffix),
      config.has_value() ? *config : config_);
  auto context = std::make_unique<HloCloneContext>(clone.get(), suffix);
  for (HloComputation* computation : MakeComputationPostOrder()) {
    computation->CloneInto(*context);
  }
  if (entry_ != nullptr) clone->entry_ = context->GetComputation(entry_);
  clone->OrderComputations([&] {
    std::vector<const HloComputation*> order;
    for (const HloComputation* computation : computations()) {
      order.push_back(context->GetComputation(computation));
    }
    return order;
  }());
  clone->aliases_ = aliases_;
  clone->donors_ = donors_;
  clone->frontend_attributes_ = frontend_attributes_;
  clone->stack_frame_index_ = stack_frame_index_;
  clone->extra_ = extra_;
  clone->metadata_.set_module_group_name(metadata_.proto().module_group_name());
  clone->original_value_recovery_table_ =
      original_value_recovery_table_.Clone();
  clone->set_is_scheduled(is_scheduled());
  return {std::move(clone), std::move(context)};
}

HloComputation* HloModule::DeepCloneComputation(
    const HloComputation& computation) {
  return DeepCloneComputation(const_cast<HloComputation*>(&computation));
}

HloComputation* HloModule::DeepCloneComputation(HloComputation* computation,
                                                HloCloneContext* context) {
  HloCloneContext own(this);
  if (context == nullptr) context = &own;
  for (HloComputation* called : computation->MakeEmbeddedComputationsList()) {
    if (context->FindComputation(called) == nullptr) {
      called->CloneInto(*context);
    }
  }
  return computation->CloneInto(*context);
}

HloInstruction* HloModule::OutlineExpressionFromComputation(
    absl::Span<HloInstruction* const> instructions_to_outline,
    const std::string& outlined_computation_name, HloComputation* computation) {
  const std::vector<HloInstruction*> users_first(
      instructions_to_outline.rbegin(), instructions_to_outline.rend());
  return computation->OutlineInstructions(users_first,
                                          outlined_computation_name);
}

std::vector<HloComputation*> HloModule::MakeNonfusionComputations(
    const absl::flat_hash_set<absl::string_view>& execution_threads) const {
  std::vector<HloComputation*> computations =
      MakeComputationPostOrder(execution_threads);
  std::erase_if(computations, [](const HloComputation* computation) {
    return computation->IsFusionComputation();
  });
  return computations;
}

std::vector<HloComputation*> HloModule::MakeNonFusionNonCompositeComputations(
    const ExecutionThreads& execution_threads) const {
  absl::flat_hash_set<const HloComputation*> composite;
  for (const HloComputation* computation : computations()) {
    for (const HloInstruction* instruction : computation->instructions()) {
      if (instruction->opcode() == HloOpcode::kCall &&
          instruction->is_composite()) {
        composite.insert(instruction->to_apply());
      }
    }
  }
  std::vector<HloComputation*> result =
      MakeNonfusionComputations(execution_threads);
  std::erase_if(result, [&](const HloComputation* computation) {
    return composite.contains(computation);
  });
  return result;
}

std::vector<HloComputation*> HloModule::MakeComputationPostOrder(
    const ExecutionThreads& execution_threads) const {
  return OfThreads(MakeComputationPostOrder(), execution_threads);
}

std::vector<HloComputation*> HloModule::MakeComputationPostOrder(
    const ExecutionThreads& execution_threads,
    const absl::flat_hash_set<HloComputation*>& allow_list,
    bool dfs_postorder) const {
  std::vector<HloComputation*> order =
      MakeComputationPostOrder(execution_threads);
  std::erase_if(order, [&](HloComputation* computation) {
    return !allow_list.contains(computation);
  });
  return order;
}

std::vector<HloComputation*> HloModule::computations(
    const ExecutionThreads& execution_threads) const {
  std::vector<HloComputation*> all;
  for (HloComputation* computation : computations()) all.push_back(computation);
  return OfThreads(std::move(all), execution_threads);
}

std::vector<HloComputation*> HloModule::MakeComputationSorted(
    const ExecutionThreads& execution_threads) const {
  return ByContent(MakeComputationPostOrder(execution_threads));
}

std::vector<HloComputation*> HloModule::MakeNonfusionComputationsSorted(
    const ExecutionThreads& execution_threads) const {
  return ByContent(MakeNonfusionComputations(execution_threads));
}

void HloModule::MarkFusionDuplications(
    const absl::flat_hash_map<HloComputation*, HloComputation*>& replacements)
    const {
  for (const auto& [duplicate, replacement] : replacements) {
    // Follows chains; the length bounds those of a cycle.
    const HloComputation* kept = replacement;
    auto next = replacements.find(kept);
    for (size_t i = 0; i < replacements.size() && next != replacements.end();
         ++i, next = replacements.find(kept)) {
      kept = next->second;
    }
    if (!duplicate->IsFusionComputation() || !kept->IsFusionComputation()) {
      continue;
    }
    HloInstruction* fusion = kept->FusionInstruction();
    const std::string name(fusion->name());
    fusion->set_metadata_deduplicated_name(name);
    duplicate->FusionInstruction()->set_metadata_deduplicated_name(name);
  }
}

void HloModule::ReplaceComputations(
    const absl::flat_hash_map<HloComputation*, HloComputation*>& replacements) {
  CleanupComputations();
  for (HloComputation* computation : computations()) {
    for (HloInstruction* instruction : computation->instructions()) {
      const auto& called = instruction->called_computations();
      for (size_t i = 0; i < called.size(); ++i) {
        const auto it = replacements.find(called[i]);
        if (it == replacements.end()) continue;
        instruction->set_called_computation(i, it->second);
      }
    }
  }
  const auto entry = replacements.find(entry_);
  if (entry != replacements.end()) entry_ = entry->second;
  std::erase_if(computations_, [&](const auto& computation) {
    return IsRemoved(*computation, replacements.contains(computation.get()));
  });
}

void HloModule::MoveComputationsFrom(HloModule* module) {
  module->schedule_.reset();
  module->CleanupComputations();
  for (auto& computation : module->computations_) {
    AddComputation(std::move(computation));
  }
  module->computations_.clear();
  module->entry_ = nullptr;
}

void HloModule::SetAndUniquifyInstrName(HloInstruction* instruction,
                                        absl::string_view name) {
  instruction->name_ = UniqueInstructionName(name);
}

void HloModule::SetAndUniquifyComputationName(HloComputation* computation,
                                              absl::string_view name) {
  computation->name_ = UniqueComputationName(name);
}

HloComputation* HloCloneContext::ComputationFor(HloComputation* old) {
  if (HloComputation* found = FindComputation(old)) return found;
  if (old->parent() == module_) return old;
  return module_->DeepCloneComputation(old, this);
}

bool HloModule::Equal(const HloModule& other) const {
  if ((entry_ == nullptr) != (other.entry_ == nullptr)) return false;
  if (config_.has_entry_computation_layout() !=
          other.config_.has_entry_computation_layout() ||
      config_.replica_count() != other.config_.replica_count() ||
      config_.num_partitions() != other.config_.num_partitions() ||
      !MessagesEqual(input_output_alias(), other.input_output_alias()) ||
      !MessagesEqual(buffer_donor(), other.buffer_donor())) {
    return false;
  }
  return entry_ == nullptr || entry_->Equal(*other.entry_);
}

}  // namespace xla
