// Remembers parts of values.
#include "xla/stablehlo/to_hlo/conversion/placement.h"

#include "xla/base/status_macros.h"

namespace xla::stablehlo {

absl::StatusOr<HloInstruction*> Placement::Gather(const Value& value,
                                                  HloInstruction* part,
                                                  Tiling tiling,
                                                  HloComputation& computation) {
  if (tiling.IsReplicated()) return part;
  TF_ASSIGN_OR_RETURN(HloInstruction * whole,
                      GatherParts(part, tiling, computation));
  gathers_.push_back(whole);
  parts_[value.id] = {part, std::move(tiling)};
  return whole;
}

absl::StatusOr<HloInstruction*> Placement::Part(
    const Value& value, HloInstruction* whole, const Tiling& tiling,
    HloComputation& computation) const {
  const auto held = parts_.find(value.id);
  if (held != parts_.end() && held->second.tiling == tiling &&
      held->second.part->parent() == &computation) {
    return held->second.part;
  }
  return TakePart(whole, tiling, computation);
}

const Tiling* Placement::FindTiling(const Value& value) const {
  const auto found = tilings_.find(value.id);
  return found == tilings_.end() ? nullptr : &found->second;
}

absl::Status Placement::RemoveUnusedGathers() {
  for (auto it = gathers_.rbegin(); it != gathers_.rend(); ++it) {
    HloInstruction* gather = *it;
    // Go from the last to the first of a value's all-gathers.
    while (gather->opcode() == HloOpcode::kAllGather &&
           gather->user_count() == 0 && !gather->IsRoot()) {
      HloInstruction* operand = gather->mutable_operand(0);
      TF_RETURN_IF_ERROR(gather->parent()->RemoveInstruction(gather));
      gather = operand;
    }
  }
  return absl::OkStatus();
}

}  // namespace xla::stablehlo
