// Ownership, traversal, copying and comparison of modules.
#include "xla/hlo/ir/hlo_module.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"
#include "xla/hlo/ir/hlo_clone_context.h"

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

}  // namespace

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
  if (!config_.has_entry_computation_layout() &&
      entry_->root_instruction() != nullptr) {
    config_.SetComputationLayoutIfExists(entry_->ComputeProgramShape());
  }
  return entry_;
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
  computations_.erase(it);
  return absl::OkStatus();
}

bool HloModule::RemoveUnreachableComputations() {
  if (entry_ == nullptr) return false;
  const auto reached = ReachedFrom(*entry_);
  const size_t before = computations_.size();
  std::erase_if(computations_, [&](const auto& computation) {
    return !reached.contains(computation.get());
  });
  return computations_.size() != before;
}

int64_t HloModule::instruction_count() const {
  int64_t count = 0;
  for (const auto& computation : computations_) {
    count += computation->instruction_count();
  }
  return count;
}

HloComputation* HloModule::GetComputationWithName(
    absl::string_view name) const {
  for (const auto& computation : computations_) {
    if (computation->name() == name) return computation.get();
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
  for (const auto& computation : computations_) {
    if (computation.get() != entry_) walk(computation.get());
  }
  if (entry_ != nullptr) walk(entry_);
  return order;
}

void HloModule::RenumberIds() {
  next_unique_id_ = 1;
  for (HloComputation* computation : MakeComputationPostOrder()) {
    computation->unique_id_ = NewUniqueId();
    for (const auto& instruction : computation->instructions()) {
      instruction->unique_id_ = NewUniqueId();
    }
  }
}

std::unique_ptr<HloModule> HloModule::Clone(absl::string_view suffix) const {
  auto clone = std::make_unique<HloModule>(
      suffix.empty() ? name_ : absl::StrCat(name_, "-", suffix), config_);
  absl::flat_hash_map<const HloComputation*, HloComputation*> mapped;
  for (const HloComputation* computation : MakeComputationPostOrder()) {
    mapped[computation] =
        computation->CloneInto(clone.get(), computation->name(), mapped);
  }
  if (entry_ != nullptr) clone->entry_ = mapped.at(entry_);
  clone->input_output_alias_ = input_output_alias_;
  clone->buffer_donor_ = buffer_donor_;
  clone->frontend_attributes_ = frontend_attributes_;
  clone->stack_frame_index_ = stack_frame_index_;
  clone->extra_ = extra_;
  clone->is_scheduled_ = is_scheduled_;
  return clone;
}

HloComputation* HloModule::DeepCloneComputation(
    const HloComputation& computation) {
  // Callees come first: the walk of MakeComputationPostOrder, from this
  // computation.
  absl::flat_hash_map<const HloComputation*, HloComputation*> mapped;
  const auto reached = ReachedFrom(computation);
  if (reached.size() == 1) {
    return computation.CloneInto(this, computation.name());
  }
  CHECK(computation.parent() != nullptr);
  for (const HloComputation* next :
       computation.parent()->MakeComputationPostOrder()) {
    if (reached.contains(next)) {
      mapped[next] = next->CloneInto(this, next->name(), mapped);
    }
  }
  return mapped.at(&computation);
}

std::vector<HloComputation*> HloModule::MakeNonfusionComputations() const {
  std::vector<HloComputation*> computations = MakeComputationPostOrder();
  std::erase_if(computations, [](const HloComputation* computation) {
    return computation->IsFusionComputation();
  });
  return computations;
}

HloComputation* HloCloneContext::ComputationFor(HloComputation* old) {
  if (HloComputation* found = FindComputation(old)) return found;
  if (old->parent() == module_) return old;
  HloComputation* clone = module_->DeepCloneComputation(*old);
  MapComputation(old, clone);
  return clone;
}

bool HloModule::Equal(const HloModule& other) const {
  if ((entry_ == nullptr) != (other.entry_ == nullptr)) return false;
  if (config_.has_entry_computation_layout() !=
          other.config_.has_entry_computation_layout() ||
      config_.replica_count() != other.config_.replica_count() ||
      config_.num_partitions() != other.config_.num_partitions() ||
      !MessagesEqual(input_output_alias_, other.input_output_alias_) ||
      !MessagesEqual(buffer_donor_, other.buffer_donor_)) {
    return false;
  }
  return entry_ == nullptr || entry_->Equal(*other.entry_);
}

}  // namespace xla
