// Copies the links into the fused computation one by one.
#include "xla/hlo/transforms/fuse/chain_fusion.h"

#include <cstdint>

#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/transforms/fuse/custom_fusion.h"

namespace xla {
namespace {

// Copies the instruction of `link` into the fusion. Its operand `link.operand`
// is `value` there, through a bitcast; the others become parameters.
HloInstruction* Inside(const ChainLink& link, HloInstruction* value,
                       CustomFusion& fusion) {
  const HloInstruction& hlo = *link.instruction;
  std::vector<HloInstruction*> operands;
  for (int64_t i = 0; i < hlo.operand_count(); ++i) {
    const HloInstruction* outside = hlo.operand(i);
    if (i != link.operand) {
      operands.push_back(fusion.Parameter(outside));
      continue;
    }
    if (value->shape() != outside->shape()) {
      value = fusion.fused()->AddInstruction(
          HloInstruction::Create(HloOpcode::kBitcast, outside->shape(),
                                 {value}),
          "bitcast");
    }
    operands.push_back(value);
  }
  return fusion.Copy(hlo, operands);
}

}  // namespace

absl::Status FuseChain(HloComputation* computation, absl::string_view name,
                       absl::Span<const ChainLink> links) {
  CustomFusion fusion(computation, name);
  HloInstruction* root = nullptr;
  for (const ChainLink& link : links) root = Inside(link, root, fusion);
  const HloInstruction& last = *links.back().instruction;
  return fusion.Replace(last, root, last);
}

std::vector<HloComputation*> ComputationsToFuse(HloModule* module) {
  std::vector<HloComputation*> computations;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    if (!computation->IsFusionComputation()) {
      computations.push_back(computation);
    }
  }
  return computations;
}

}  // namespace xla
