// Puts instructions that are computed together into fusions, each of which
// becomes one kernel that reads and writes memory once:
//
//   a = f32[4096] exp(x)                 ROOT f = f32[4096] fusion(x, y),
//   ROOT b = f32[4096] add(a, y)    =>      kind=kLoop, calls=fused_computation
//
// Loops over elements (with slices, pads, transposes and the like as index
// maps), reductions by rows or columns with the ops around them (softmax, layer
// norm), dynamic-update-slices and scatters in place with the values that they
// write: a FusionBackend says what it can compute in one kernel, and what that
// costs. Values are recomputed if that is cheaper than memory traffic, and
// become further outputs if they are needed elsewhere. Assumes that there are
// no fusions yet. Ops that the backend calls opaque stay as they are; bodies of
// control flow are fused in turn. A reshape outside of fusions becomes a
// bitcast.
#ifndef XLA_HLO_TRANSFORMS_FUSE_INSTRUCTION_FUSION_H_
#define XLA_HLO_TRANSFORMS_FUSE_INSTRUCTION_FUSION_H_

#include "absl/strings/string_view.h"
#include "xla/hlo/pass/hlo_pass.h"
#include "xla/hlo/transforms/fuse/fusion_backend.h"

namespace xla {

class InstructionFusion : public HloPassInterface {
 public:
  // Frontend attributes that say why a value stays in memory between two
  // kernels, and why an update is not in place. Only explanations have them.
  static constexpr absl::string_view kReasonAttribute = "fusion_reason";
  static constexpr absl::string_view kUpdateReasonAttribute = "update_reason";

  // `backend` outlives the pass. `explain` adds these attributes and changes
  // nothing else.
  explicit InstructionFusion(const FusionBackend* backend, bool explain = false)
      : backend_(backend), explain_(explain) {}

  absl::string_view name() const override { return "instruction-fusion"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;

 private:
  const FusionBackend* const backend_;
  const bool explain_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_INSTRUCTION_FUSION_H_
