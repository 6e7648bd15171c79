// Moves each group that the backend finds into a computation.
#include "xla/hlo/transforms/fuse/epilogue_fusion.h"

#include <optional>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Returns the product, after what computes an operand of it, if anything does.
std::vector<ChainLink> EpilogueFusion::LinksOf(
    const HloInstruction& product) const {
  const std::optional<PrologueGroup> found = backend_->FindPrologue(product);
  if (!found.has_value()) return {{&product}};
  return {{found->producer}, {&product, found->operand}};
}

void EpilogueFusion::Explain(const HloInstruction& product) const {
  if (product.opcode() != HloOpcode::kDot &&
      product.opcode() != HloOpcode::kConvolution) {
    return;
  }
  for (int64_t i = 0; i < product.operand_count(); ++i) {
    const absl::string_view why = backend_->WhyNoPrologue(product, i);
    if (why.empty()) continue;
    const HloInstruction* array = product.operand(i);
    while (array->opcode() == HloOpcode::kBitcast) array = array->operand(0);
    const_cast<HloInstruction*>(array)->set_frontend_attribute(kReasonAttribute,
                                                               why);
  }
}

absl::StatusOr<bool> EpilogueFusion::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : ComputationsToFuse(module)) {
    if (explain_) {
      for (HloInstruction* hlo : computation->instructions()) Explain(*hlo);
    }
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      const std::optional<EpilogueGroup> found = backend_->FindEpilogue(*hlo);
      if (!found.has_value()) continue;
      std::vector<ChainLink> links = LinksOf(*found->product);
      links.push_back({hlo, found->operand});
      TF_RETURN_IF_ERROR(FuseChain(computation, "epilogue", links));
      changed = true;
    }
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      const std::vector<ChainLink> links = LinksOf(*hlo);
      if (links.size() == 1) continue;
      TF_RETURN_IF_ERROR(FuseChain(computation, "prologue", links));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
