// CustomFusion: a fusion of kind kCustom in the making.
#ifndef XLA_HLO_TRANSFORMS_FUSE_CUSTOM_FUSION_H_
#define XLA_HLO_TRANSFORMS_FUSE_CUSTOM_FUSION_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

class CustomFusion {
 public:
  // Of instructions of `computation`; the fused computation is called `name`
  // and the fusion `name`_fusion.
  CustomFusion(HloComputation* computation, absl::string_view name);

  // Returns the parameter that has the value of `outside`, always the same.
  HloInstruction* Parameter(const HloInstruction* outside);
  // Adds a copy of `hlo` that has these operands, which are in the fusion.
  HloInstruction* Copy(const HloInstruction& hlo,
                       absl::Span<HloInstruction* const> operands);
  HloComputation* fused() const { return fused_; }

  // Replaces `last` by the fusion, whose result is `root` and whose metadata is
  // that of `metadata_of`, and removes what is then unused.
  absl::Status Replace(const HloInstruction& last, HloInstruction* root,
                       const HloInstruction& metadata_of);

 private:
  HloComputation* const computation_;
  const std::string name_;
  HloComputation* const fused_;
  std::vector<HloInstruction*> operands_;
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> parameters_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_CUSTOM_FUSION_H_
