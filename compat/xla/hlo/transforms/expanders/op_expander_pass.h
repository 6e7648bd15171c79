// OpExpanderPass: passes that replace single instructions.
#ifndef COMPAT_XLA_HLO_TRANSFORMS_EXPANDERS_OP_EXPANDER_PASS_H_
#define COMPAT_XLA_HLO_TRANSFORMS_EXPANDERS_OP_EXPANDER_PASS_H_

#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/pass/hlo_pass_interface.h"

namespace xla {

// Looks at all computations but those of fusions. What the pass adds is not
// looked at. Run returns true if an instruction matched.
class OpExpanderPass : public HloModulePass {
 public:
  // An instruction must pass the filter too, if there is one. The two flags are
  // those of HloComputation::ReplaceInstruction.
  explicit OpExpanderPass(HloPredicate extra_filter = nullptr,
                          bool preserve_sharding = false,
                          bool relay_control_dependency = false)
      : extra_filter_(std::move(extra_filter)),
        preserve_sharding_(preserve_sharding),
        relay_control_dependency_(relay_control_dependency) {}

 protected:
  absl::StatusOr<bool> RunImpl(HloModule* module,
                               const absl::flat_hash_set<absl::string_view>&
                                   execution_threads) override {
    const std::vector<HloInstruction*> matching =
        Matching(module, execution_threads);
    for (HloInstruction* instruction : matching) {
      TF_ASSIGN_OR_RETURN(HloInstruction * expanded,
                          ExpandInstruction(instruction));
      if (expanded == nullptr) continue;
      TF_ASSIGN_OR_RETURN(const bool replaced,
                          instruction->parent()->ReplaceInstruction(
                              instruction, expanded, preserve_sharding_,
                              relay_control_dependency_));
      DCHECK(replaced) << instruction->name();
    }
    return !matching.empty();
  }

  virtual bool InstructionMatchesPattern(HloInstruction* instruction) = 0;
  // Returns what replaces the instruction; null if nothing does, as when the
  // pass has changed the instruction itself.
  virtual absl::StatusOr<HloInstruction*> ExpandInstruction(
      HloInstruction* instruction) = 0;

  HloPredicate extra_filter_;
  const bool preserve_sharding_;
  const bool relay_control_dependency_;

 private:
  std::vector<HloInstruction*> Matching(
      HloModule* module,
      const absl::flat_hash_set<absl::string_view>& execution_threads) {
    std::vector<HloInstruction*> matching;
    for (HloComputation* computation :
         module->MakeNonfusionComputations(execution_threads)) {
      for (HloInstruction* instruction :
           computation->MakeInstructionPostOrder()) {
        if (InstructionMatchesPattern(instruction) &&
            (!extra_filter_ || extra_filter_(instruction))) {
          matching.push_back(instruction);
        }
      }
    }
    return matching;
  }
};

}  // namespace xla

#endif  // COMPAT_XLA_HLO_TRANSFORMS_EXPANDERS_OP_EXPANDER_PASS_H_
