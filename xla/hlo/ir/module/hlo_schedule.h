// HloSchedule: the order in which the instructions of a module run.
#ifndef XLA_HLO_IR_MODULE_HLO_SCHEDULE_H_
#define XLA_HLO_IR_MODULE_HLO_SCHEDULE_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/node_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

class HloModule;

// The instructions of one computation in their order, with the ids that they
// had when they came in: an instruction that was removed since is known by its
// id, and never looked at. Not thread safe.
class HloInstructionSequence {
 public:
  HloInstructionSequence() = default;
  explicit HloInstructionSequence(
      absl::Span<HloInstruction* const> instructions);
  // A copy orders nothing by itself: only the sequences of a module's own
  // schedule do.
  HloInstructionSequence(const HloInstructionSequence& other)
      : instructions_(other.instructions_), ids_(other.ids_) {}
  HloInstructionSequence& operator=(const HloInstructionSequence& other);

  bool operator==(const HloInstructionSequence& other) const {
    return instructions_ == other.instructions_ && ids_ == other.ids_;
  }
  bool operator!=(const HloInstructionSequence& other) const {
    return !(*this == other);
  }

  void push_back(HloInstruction* instruction);
  void reserve(int64_t size);
  // Does nothing if `instruction` is not in the sequence, or in no computation.
  void remove_instruction(HloInstruction* instruction);
  // `old_instruction` must be in the sequence (CHECK).
  void replace_instruction(HloInstruction* old_instruction,
                           HloInstruction* new_instruction);
  // Puts `instruction` before the one at `index`, which must exist (CHECK).
  void insert_instruction(HloInstruction* instruction, int64_t index);
  bool contains(const HloInstruction* instruction) const;
  void clear();

  int64_t size() const { return instructions_.size(); }
  const std::vector<HloInstruction*>& instructions() const {
    return instructions_;
  }
  const std::vector<int64_t>& ids() const { return ids_; }
  // Takes the present ids of the instructions, all of which must exist.
  void update_id_sequence();

 private:
  friend class HloSchedule;

  // Puts the computation's own list into this order once the sequence has each
  // of its instructions.
  void Apply();
  // Keep the record of what changed since then: before an instruction comes
  // into the sequence or leaves it, and after it was removed from the
  // computation.
  void OnAddition(const HloInstruction* instruction);
  void OnDeletion(const HloInstruction* instruction);
  void OnRemoval(const HloInstruction* instruction);
  // The sequence is what the list is.
  void StartRecord();
  void CollectMembers();

  std::vector<HloInstruction*> instructions_;
  std::vector<int64_t> ids_;

  // Of a module's own schedule, so that an edit need not look at all of the
  // list.
  HloComputation* orders_ = nullptr;
  // Whether these are different instructions of the computation, those that
  // did not move in the order of its list.
  bool is_recorded_ = false;
  // Empty until the first edit; then, if it is recorded, what the sequence has.
  absl::flat_hash_set<const HloInstruction*> members_;
  absl::flat_hash_set<const HloInstruction*> moved_;
};

// A sequence for each computation that is not a fusion's. Names, errors and
// the effect of Update are those of XLA's HloSchedule.
//
// A module has the order of its instructions in its computations' lists, and
// everything that compiles or prints it goes by those. The schedule that a
// module holds (HloModule::schedule) keeps them in step: each change of a
// sequence or of the list that leaves the sequence complete reorders the list.
// A schedule that was copied, or made by a client, changes nothing until
// HloModule::set_schedule takes it. Not thread safe.
class HloSchedule {
 public:
  explicit HloSchedule(const HloModule* module) : module_(module) {}
  HloSchedule(const HloSchedule& other)
      : module_(other.module_),
        sequences_(other.sequences_),
        execution_threads_(other.execution_threads_) {}
  HloSchedule& operator=(const HloSchedule& other);

  // Reads the order of ids. The map gives, by computation id, the ids that
  // instructions of the proto have in the module, if they differ. Errors:
  // Internal for an id that the computation does not have, and those of Verify.
  static absl::StatusOr<HloSchedule> CreateFromProto(
      const HloModule* module, const HloScheduleProto& proto,
      const absl::flat_hash_map<int64_t, absl::flat_hash_map<int64_t, int64_t>>*
          computation_id_to_instruction_id_remap = nullptr);
  // Errors: those of Verify.
  absl::StatusOr<HloScheduleProto> ToProto() const;

  // The computation must have one (CHECK).
  const HloInstructionSequence& sequence(
      const HloComputation* computation) const;
  // The reference stays good until the computation's sequence is removed.
  HloInstructionSequence& GetOrCreateSequence(
      const HloComputation* computation);
  // The computation must be of this module (CHECK).
  void set_sequence(const HloComputation* computation,
                    absl::Span<HloInstruction* const> sequence);
  void set_sequence(const HloComputation* computation,
                    HloInstructionSequence sequence);
  // By the unique id of the computation.
  const absl::node_hash_map<int64_t, HloInstructionSequence>& sequences()
      const {
    return sequences_;
  }
  absl::flat_hash_map<std::string, int64_t> num_sequences_by_execution_thread()
      const;
  bool is_computation_scheduled(const HloComputation* computation) const {
    return sequences_.contains(computation->unique_id());
  }

  void remove_computation(const HloComputation* computation);
  void remove_instruction(const HloComputation* computation,
                          HloInstruction* instruction);
  void replace_instruction(const HloComputation* computation,
                           HloInstruction* old_instruction,
                           HloInstruction* new_instruction);

  // Makes the schedule one of the module as it is now, after instructions or
  // computations of the given threads (none: all) were added or removed. Those
  // that it has keep their order; new instructions run as early as they can,
  // those of new computations in their post order. Errors: those of Verify.
  absl::Status Update(
      const absl::flat_hash_set<absl::string_view>& execution_threads = {});
  // Each computation that is not a fusion's has a sequence of exactly its
  // instructions, each after its operands and control predecessors. Errors:
  // Internal, naming the instruction.
  absl::Status Verify() const;
  absl::Status Verify(const HloComputation* computation) const;

  // One line for each computation, by id, and one for each instruction: its
  // name, or the id of one that was removed.
  std::string ToString() const;
  bool empty() const { return sequences_.empty(); }
  const HloModule* module() const { return module_; }

 private:
  friend class HloComputation;
  friend class HloModule;

  absl::Status UpdateComputation(const HloComputation* computation);
  // Makes this the schedule that orders the lists of its module.
  void OrderModule();
  // Takes the order of the computation's list, for the module's own schedule.
  void FollowList(const HloComputation* computation);
  // Of the module's own schedule: the computation removed the instruction. What
  // is left of a sequence may be complete now.
  void OnRemoval(const HloComputation* computation,
                 const HloInstruction* instruction);

  const HloModule* module_;
  absl::node_hash_map<int64_t, HloInstructionSequence> sequences_;
  // By computation, for those that are no longer there.
  absl::flat_hash_map<int64_t, std::string> execution_threads_;
  bool orders_module_ = false;
};

std::ostream& operator<<(std::ostream& out, const HloSchedule& schedule);

}  // namespace xla

#endif  // XLA_HLO_IR_MODULE_HLO_SCHEDULE_H_
