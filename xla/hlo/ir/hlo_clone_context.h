// HloCloneContext: what was cloned into what, while a part of a module is
// cloned.
#ifndef XLA_HLO_IR_HLO_CLONE_CONTEXT_H_
#define XLA_HLO_IR_HLO_CLONE_CONTEXT_H_

#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "xla/base/logging.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

class HloModule;

// Find returns null, Get requires a clone (CHECK). Not thread safe.
class HloCloneContext {
 public:
  explicit HloCloneContext(HloModule* module, const std::string& suffix = "")
      : module_(module), suffix_(suffix) {}

  // Where clones go, and what is added to their names.
  HloModule* module() const { return module_; }
  const std::string& suffix() const { return suffix_; }

  void MapInstruction(const HloInstruction* old_instruction,
                      HloInstruction* new_instruction) {
    instructions_[old_instruction] = new_instruction;
  }
  void MapComputation(const HloComputation* old_computation,
                      HloComputation* new_computation) {
    computations_[old_computation] = new_computation;
  }

  HloInstruction* FindInstruction(const HloInstruction* old) const {
    const auto it = instructions_.find(old);
    return it == instructions_.end() ? nullptr : it->second;
  }
  HloComputation* FindComputation(const HloComputation* old) const {
    const auto it = computations_.find(old);
    return it == computations_.end() ? nullptr : it->second;
  }
  HloInstruction* GetInstruction(const HloInstruction* old) const {
    HloInstruction* found = FindInstruction(old);
    CHECK(found != nullptr) << old->name() << " was not cloned";
    return found;
  }
  HloComputation* GetComputation(const HloComputation* old) const {
    HloComputation* found = FindComputation(old);
    CHECK(found != nullptr) << old->name() << " was not cloned";
    return found;
  }
  // Returns the clone of a called computation; one that belongs to another
  // module than this is cloned with all that it calls, whose clones it keeps.
  HloComputation* ComputationFor(HloComputation* old);

  const absl::flat_hash_map<const HloInstruction*, HloInstruction*>&
  cloned_instructions() const {
    return instructions_;
  }
  const absl::flat_hash_map<const HloComputation*, HloComputation*>&
  cloned_computations() const {
    return computations_;
  }

 private:
  HloModule* module_;
  std::string suffix_;
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> instructions_;
  absl::flat_hash_map<const HloComputation*, HloComputation*> computations_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_HLO_CLONE_CONTEXT_H_
