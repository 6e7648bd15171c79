// Sequences of instructions, and how they follow changes of the module.
#include "xla/hlo/ir/module/hlo_schedule.h"

#include <algorithm>
#include <deque>
#include <map>

#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {
namespace {

// How many predecessors of each instruction are still to be scheduled.
class Pending {
 public:
  explicit Pending(const HloComputation& computation) {
    for (const HloInstruction* instruction : computation.instructions()) {
      left_[instruction] = instruction->operand_count() +
                           instruction->control_predecessors().size();
    }
  }

  bool IsReady(const HloInstruction* instruction) const {
    const auto it = left_.find(instruction);
    return it != left_.end() && it->second == 0;
  }

  // Calls `ready` with each successor that waited for this one last.
  template <typename Ready>
  void Done(const HloInstruction* instruction, Ready ready) {
    for (HloInstruction* user : instruction->users()) {
      // A user may have the instruction as an operand several times.
      const auto& operands = user->operands();
      Drop(user, std::count(operands.begin(), operands.end(), instruction),
           ready);
    }
    for (HloInstruction* successor : instruction->control_successors()) {
      Drop(successor, 1, ready);
    }
  }

 private:
  template <typename Ready>
  void Drop(HloInstruction* instruction, int64_t count, Ready ready) {
    // Users that were never added to the computation have no entry.
    const auto it = left_.find(instruction);
    if (it == left_.end()) return;
    it->second -= count;
    if (it->second == 0) ready(instruction);
  }

  absl::flat_hash_map<const HloInstruction*, int64_t> left_;
};

absl::Status VerifySequence(const HloComputation& computation,
                            const HloInstructionSequence& sequence) {
  absl::flat_hash_map<const HloInstruction*, int64_t> positions;
  for (const HloInstruction* instruction : sequence.instructions()) {
    TF_RET_CHECK(
        positions.insert({instruction, static_cast<int64_t>(positions.size())})
            .second)
        << "an instruction is twice in the schedule of " << computation.name();
  }
  TF_RET_CHECK(sequence.size() == computation.instruction_count())
      << "the schedule of " << computation.name() << " has " << sequence.size()
      << " instructions, the computation " << computation.instruction_count();
  for (const HloInstruction* instruction : computation.instructions()) {
    TF_RET_CHECK(positions.contains(instruction))
        << "instruction " << instruction->name() << " is not in the schedule";
  }
  const auto comes_before = [&](const HloInstruction* first,
                                const HloInstruction* second) {
    const auto it = positions.find(first);
    return it != positions.end() && it->second < positions[second];
  };
  for (const HloInstruction* instruction : computation.instructions()) {
    for (const HloInstruction* operand : instruction->operands()) {
      TF_RET_CHECK(comes_before(operand, instruction))
          << "instruction " << instruction->name()
          << " is scheduled before its operand " << operand->name();
    }
    for (const HloInstruction* before : instruction->control_predecessors()) {
      TF_RET_CHECK(comes_before(before, instruction))
          << "instruction " << instruction->name()
          << " is scheduled before its control predecessor " << before->name();
    }
  }
  return absl::OkStatus();
}

}  // namespace

HloInstructionSequence::HloInstructionSequence(
    absl::Span<HloInstruction* const> instructions)
    : instructions_(instructions.begin(), instructions.end()) {
  update_id_sequence();
}

HloInstructionSequence& HloInstructionSequence::operator=(
    const HloInstructionSequence& other) {
  instructions_ = other.instructions_;
  ids_ = other.ids_;
  is_recorded_ = false;
  Apply();
  return *this;
}

void HloInstructionSequence::push_back(HloInstruction* instruction) {
  OnAddition(instruction);
  instructions_.push_back(instruction);
  ids_.push_back(instruction->unique_id());
  Apply();
}

void HloInstructionSequence::reserve(int64_t size) {
  instructions_.reserve(size);
  ids_.reserve(size);
}

void HloInstructionSequence::remove_instruction(HloInstruction* instruction) {
  const auto it =
      std::find(instructions_.begin(), instructions_.end(), instruction);
  if (it == instructions_.end() || instruction->parent() == nullptr) return;
  OnDeletion(instruction);
  ids_.erase(ids_.begin() + (it - instructions_.begin()));
  instructions_.erase(it);
  Apply();
}

void HloInstructionSequence::replace_instruction(
    HloInstruction* old_instruction, HloInstruction* new_instruction) {
  const auto it =
      std::find(instructions_.begin(), instructions_.end(), old_instruction);
  CHECK(it != instructions_.end())
      << old_instruction->name() << " is not in the sequence";
  OnAddition(new_instruction);
  OnDeletion(old_instruction);
  ids_[it - instructions_.begin()] = new_instruction->unique_id();
  *it = new_instruction;
  Apply();
}

void HloInstructionSequence::insert_instruction(HloInstruction* instruction,
                                                int64_t index) {
  CHECK(0 <= index && index < size())
      << "index " << index << " of a sequence of " << size();
  OnAddition(instruction);
  instructions_.insert(instructions_.begin() + index, instruction);
  ids_.insert(ids_.begin() + index, instruction->unique_id());
  Apply();
}

bool HloInstructionSequence::contains(const HloInstruction* instruction) const {
  return std::find(instructions_.begin(), instructions_.end(), instruction) !=
         instructions_.end();
}

void HloInstructionSequence::clear() {
  instructions_.clear();
  ids_.clear();
  if (orders_ != nullptr) StartRecord();
}

void HloInstructionSequence::update_id_sequence() {
  ids_.clear();
  ids_.reserve(instructions_.size());
  for (const HloInstruction* instruction : instructions_) {
    ids_.push_back(instruction->unique_id());
  }
}

void HloInstructionSequence::Apply() {
  if (orders_ == nullptr || size() != orders_->instruction_count()) return;
  if (is_recorded_) {
    orders_->Reorder(instructions_, moved_);
    moved_.clear();
    return;
  }
  // Compares with the computation's own instructions: others may be gone.
  absl::flat_hash_set<const HloInstruction*> here(instructions_.begin(),
                                                  instructions_.end());
  for (const HloInstruction* instruction : orders_->instructions()) {
    if (!here.contains(instruction)) return;
  }
  orders_->Reorder(instructions_);
  StartRecord();
  members_ = std::move(here);
}

void HloInstructionSequence::StartRecord() {
  is_recorded_ = true;
  members_.clear();
  moved_.clear();
}

void HloInstructionSequence::CollectMembers() {
  if (members_.empty()) {
    members_.insert(instructions_.begin(), instructions_.end());
  }
}

void HloInstructionSequence::OnAddition(const HloInstruction* instruction) {
  if (!is_recorded_) return;
  CollectMembers();
  is_recorded_ =
      instruction->parent() == orders_ && members_.insert(instruction).second;
  moved_.insert(instruction);
}

void HloInstructionSequence::OnDeletion(const HloInstruction* instruction) {
  if (!is_recorded_) return;
  CollectMembers();
  members_.erase(instruction);
  moved_.erase(instruction);
}

void HloInstructionSequence::OnRemoval(const HloInstruction* instruction) {
  if (is_recorded_) {
    CollectMembers();
    is_recorded_ = !members_.contains(instruction);
  }
  Apply();
}

HloSchedule& HloSchedule::operator=(const HloSchedule& other) {
  if (this == &other) return *this;
  module_ = other.module_;
  sequences_ = other.sequences_;
  execution_threads_ = other.execution_threads_;
  if (orders_module_) OrderModule();
  return *this;
}

absl::StatusOr<HloSchedule> HloSchedule::CreateFromProto(
    const HloModule* module, const HloScheduleProto& proto,
    const absl::flat_hash_map<int64_t, absl::flat_hash_map<int64_t, int64_t>>*
        computation_id_to_instruction_id_remap) {
  absl::flat_hash_map<int64_t, const HloComputation*> computations;
  for (const HloComputation* computation : module->computations()) {
    computations[computation->unique_id()] = computation;
  }
  HloSchedule schedule(module);
  for (const auto& [computation_id, ids] : proto.sequences()) {
    const auto found = computations.find(computation_id);
    // A computation that nothing calls may have been removed.
    if (found == computations.end()) continue;
    absl::flat_hash_map<int64_t, HloInstruction*> instructions;
    for (HloInstruction* instruction : found->second->instructions()) {
      instructions[instruction->unique_id()] = instruction;
    }
    const absl::flat_hash_map<int64_t, int64_t>* remap = nullptr;
    if (computation_id_to_instruction_id_remap != nullptr) {
      const auto it =
          computation_id_to_instruction_id_remap->find(computation_id);
      if (it != computation_id_to_instruction_id_remap->end()) {
        remap = &it->second;
      }
    }
    HloInstructionSequence& sequence =
        schedule.GetOrCreateSequence(found->second);
    for (int64_t id : ids.instruction_ids()) {
      if (remap != nullptr) {
        const auto it = remap->find(id);
        if (it != remap->end()) id = it->second;
      }
      const auto instruction = instructions.find(id);
      TF_RET_CHECK(instruction != instructions.end())
          << "computation " << found->second->name()
          << " has no instruction with id " << id;
      sequence.push_back(instruction->second);
    }
  }
  TF_RETURN_IF_ERROR(schedule.Verify());
  return schedule;
}

absl::StatusOr<HloScheduleProto> HloSchedule::ToProto() const {
  TF_RETURN_IF_ERROR(Verify());
  HloScheduleProto proto;
  for (const auto& [computation_id, sequence] : sequences_) {
    auto& ids = (*proto.mutable_sequences())[computation_id];
    ids.mutable_instruction_ids()->Assign(sequence.ids().begin(),
                                          sequence.ids().end());
  }
  return proto;
}

const HloInstructionSequence& HloSchedule::sequence(
    const HloComputation* computation) const {
  const auto it = sequences_.find(computation->unique_id());
  CHECK(it != sequences_.end())
      << "computation " << computation->name() << " is not scheduled";
  return it->second;
}

HloInstructionSequence& HloSchedule::GetOrCreateSequence(
    const HloComputation* computation) {
  const auto [it, is_new] = sequences_.try_emplace(computation->unique_id(),
                                                   HloInstructionSequence());
  if (is_new) {
    CHECK(computation->parent() == module_)
        << "computation " << computation->name() << " is of another module";
    execution_threads_[computation->unique_id()] =
        computation->execution_thread();
    if (orders_module_) {
      it->second.orders_ = const_cast<HloComputation*>(computation);
    }
  }
  return it->second;
}

void HloSchedule::set_sequence(const HloComputation* computation,
                               absl::Span<HloInstruction* const> sequence) {
  set_sequence(computation, HloInstructionSequence(sequence));
}

void HloSchedule::set_sequence(const HloComputation* computation,
                               HloInstructionSequence sequence) {
  CHECK(computation->parent() == module_)
      << "computation " << computation->name() << " is of another module";
  GetOrCreateSequence(computation) = sequence;
}

absl::flat_hash_map<std::string, int64_t>
HloSchedule::num_sequences_by_execution_thread() const {
  absl::flat_hash_map<std::string, int64_t> counts;
  for (const auto& [computation_id, thread] : execution_threads_) {
    ++counts[thread];
  }
  return counts;
}

void HloSchedule::remove_computation(const HloComputation* computation) {
  sequences_.erase(computation->unique_id());
  execution_threads_.erase(computation->unique_id());
}

void HloSchedule::remove_instruction(const HloComputation* computation,
                                     HloInstruction* instruction) {
  GetOrCreateSequence(computation).remove_instruction(instruction);
}

void HloSchedule::replace_instruction(const HloComputation* computation,
                                      HloInstruction* old_instruction,
                                      HloInstruction* new_instruction) {
  GetOrCreateSequence(computation)
      .replace_instruction(old_instruction, new_instruction);
}

absl::Status HloSchedule::UpdateComputation(const HloComputation* computation) {
  absl::flat_hash_map<int64_t, HloInstruction*> by_id;
  for (HloInstruction* instruction : computation->instructions()) {
    by_id[instruction->unique_id()] = instruction;
  }
  const HloInstructionSequence old = sequence(computation);
  const absl::flat_hash_set<int64_t> known(old.ids().begin(), old.ids().end());
  Pending pending(*computation);
  std::vector<HloInstruction*> order;
  order.reserve(by_id.size());
  // Old instructions that came before something they now need.
  absl::flat_hash_set<const HloInstruction*> deferred;
  std::deque<HloInstruction*> ready;
  auto run_ready = [&] {
    while (!ready.empty()) {
      HloInstruction* next = ready.front();
      ready.pop_front();
      order.push_back(next);
      pending.Done(next, [&](HloInstruction* successor) {
        if (!known.contains(successor->unique_id()) ||
            deferred.contains(successor)) {
          ready.push_back(successor);
        }
      });
    }
  };
  for (HloInstruction* instruction : computation->instructions()) {
    if (!known.contains(instruction->unique_id()) &&
        pending.IsReady(instruction)) {
      ready.push_back(instruction);
    }
  }
  run_ready();
  for (int64_t id : old.ids()) {
    const auto it = by_id.find(id);
    if (it == by_id.end()) continue;  // removed since
    if (pending.IsReady(it->second)) {
      ready.push_back(it->second);
      run_ready();
    } else {
      deferred.insert(it->second);
    }
  }
  set_sequence(computation, order);
  return absl::OkStatus();
}

absl::Status HloSchedule::Update(
    const absl::flat_hash_set<absl::string_view>& execution_threads) {
  const std::vector<HloComputation*> computations =
      module_->MakeNonfusionComputations(execution_threads);
  absl::flat_hash_set<int64_t> ids;
  for (const HloComputation* computation : computations) {
    ids.insert(computation->unique_id());
  }
  absl::erase_if(sequences_, [&](const auto& sequence) {
    const auto thread = execution_threads_.find(sequence.first);
    const bool is_removed = !ids.contains(sequence.first) &&
                            (execution_threads.empty() ||
                             execution_threads.contains(thread->second));
    if (is_removed) execution_threads_.erase(thread);
    return is_removed;
  });
  for (const HloComputation* computation : computations) {
    if (is_computation_scheduled(computation)) {
      TF_RETURN_IF_ERROR(UpdateComputation(computation));
    } else {
      set_sequence(computation, computation->MakeInstructionPostOrder());
    }
  }
  return Verify();
}

absl::Status HloSchedule::Verify() const {
  for (const auto& [thread, count] : num_sequences_by_execution_thread()) {
    const std::vector<HloComputation*> computations =
        module_->MakeNonfusionComputations({thread});
    TF_RET_CHECK(static_cast<int64_t>(computations.size()) == count)
        << "the schedule has " << count << " sequences of thread " << thread
        << ", the module " << computations.size()
        << " computations that are not fusions'";
    for (const HloComputation* computation : computations) {
      TF_RETURN_IF_ERROR(Verify(computation));
    }
  }
  return absl::OkStatus();
}

absl::Status HloSchedule::Verify(const HloComputation* computation) const {
  TF_RET_CHECK(is_computation_scheduled(computation))
      << "computation " << computation->name() << " is not in the schedule";
  return VerifySequence(*computation, sequence(computation));
}

std::string HloSchedule::ToString() const {
  absl::flat_hash_map<int64_t, const HloComputation*> computations;
  for (const HloComputation* computation : module_->computations()) {
    computations[computation->unique_id()] = computation;
  }
  std::string text = "HloSchedule";
  std::map<int64_t, const HloInstructionSequence*> ordered;
  for (const auto& [id, sequence] : sequences_) ordered[id] = &sequence;
  for (const auto& [id, sequence] : ordered) {
    const auto it = computations.find(id);
    if (it == computations.end()) {
      absl::StrAppend(&text, "\ncomputation with id ", id,
                      " (no longer in HLO module):");
      for (int64_t instruction : sequence->ids()) {
        absl::StrAppend(&text, "\n  ", instruction);
      }
      continue;
    }
    absl::StrAppend(&text, "\ncomputation ", it->second->name(), ":");
    // Those that were removed may be freed.
    absl::flat_hash_set<const HloInstruction*> here(
        it->second->instructions().begin(), it->second->instructions().end());
    for (int64_t i = 0; i < sequence->size(); ++i) {
      const HloInstruction* instruction = sequence->instructions()[i];
      if (here.contains(instruction)) {
        absl::StrAppend(&text, "\n  ", instruction->name());
      } else {
        absl::StrAppend(&text, "\n  ", sequence->ids()[i],
                        " (no longer in HLO module)");
      }
    }
  }
  return text;
}

void HloSchedule::OrderModule() {
  orders_module_ = true;
  for (HloComputation* computation : module_->computations()) {
    const auto it = sequences_.find(computation->unique_id());
    if (it == sequences_.end()) continue;
    it->second.orders_ = computation;
    it->second.Apply();
  }
}

void HloSchedule::FollowList(const HloComputation* computation) {
  HloInstructionSequence& sequence = GetOrCreateSequence(computation);
  sequence.instructions_.assign(computation->instructions().begin(),
                                computation->instructions().end());
  sequence.update_id_sequence();
  if (sequence.orders_ != nullptr) sequence.StartRecord();
}

void HloSchedule::OnRemoval(const HloComputation* computation,
                            const HloInstruction* instruction) {
  const auto it = sequences_.find(computation->unique_id());
  if (it != sequences_.end()) it->second.OnRemoval(instruction);
}

std::ostream& operator<<(std::ostream& out, const HloSchedule& schedule) {
  return out << schedule.ToString();
}

}  // namespace xla
