// Chooses the computations to fuse, and makes bitcasts of the remaining
// reshapes.
#include "xla/hlo/transforms/fuse/instruction_fusion.h"

#include <memory>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/fuse/fusion_builder.h"
#include "xla/hlo/transforms/fuse/fusion_groups.h"
#include "xla/hlo/transforms/fuse/fusion_planner.h"

namespace xla {
namespace {

// Returns the entry and the computations of control flow, but not reducers,
// comparators and fusions, which run once per element.
std::vector<HloComputation*> ComputationsToFuse(const HloModule& module) {
  absl::flat_hash_set<const HloComputation*> found = {
      module.entry_computation()};
  std::vector<HloComputation*> order = {module.entry_computation()};
  for (size_t i = 0; i < order.size(); ++i) {
    for (const auto& hlo : order[i]->instructions()) {
      if (hlo->opcode() != HloOpcode::kWhile &&
          hlo->opcode() != HloOpcode::kConditional &&
          hlo->opcode() != HloOpcode::kCall) {
        continue;
      }
      for (HloComputation* called : hlo->called_computations()) {
        if (found.insert(called).second) order.push_back(called);
      }
    }
  }
  return order;
}

absl::StatusOr<bool> ReshapesToBitcasts(const FusionBackend& backend,
                                        HloComputation* computation) {
  bool changed = false;
  for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
    if (hlo->opcode() != HloOpcode::kReshape ||
        backend.RoleOf(*hlo) != FusionRole::kReshape) {
      continue;
    }
    auto bitcast = HloInstruction::Create(HloOpcode::kBitcast, hlo->shape(),
                                          {hlo->mutable_operand(0)});
    bitcast->CopyAnnotationsFrom(*hlo);
    HloInstruction* added =
        computation->AddInstruction(std::move(bitcast), "bitcast");
    TF_RETURN_IF_ERROR(hlo->ReplaceAllUsesWith(added));
    TF_RETURN_IF_ERROR(computation->RemoveInstruction(hlo));
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> InstructionFusion::RunImpl(HloModule* module) {
  const int64_t instructions = module->instruction_count();
  bool changed = false;
  for (HloComputation* computation : ComputationsToFuse(*module)) {
    FusionGroups groups(computation, *backend_);
    FusionPlanner(groups, explain_).Plan();
    TF_ASSIGN_OR_RETURN(bool fused, BuildFusions(computation, groups));
    TF_ASSIGN_OR_RETURN(bool bitcasts,
                        ReshapesToBitcasts(*backend_, computation));
    changed |= fused || bitcasts;
  }
  // BuildFusions may also have removed instructions that nothing needs.
  return changed || module->instruction_count() != instructions;
}

}  // namespace xla
