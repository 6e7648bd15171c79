// Puts what is computed together into fusions, each of which becomes one kernel
// that reads and writes memory once:
//
//   a = f32[4096] exp(x)                 ROOT f = f32[4096] fusion(x, y),
//   ROOT b = f32[4096] add(a, y)    =>      kind=kLoop, calls=fused_computation
//
// Loops over elements (with slices, pads, transposes and the like as index
// maps), reductions by rows or columns with what surrounds them (softmax, layer
// norm), dynamic-update-slices and scatters in place with what they write.
// Values are computed again where that is cheaper than memory, and are further
// outputs where they are needed elsewhere. Assumes static shapes in row-major
// layout, no fusions yet; what is not of that kind stays as it is, and so do
// dots, convolutions, sorts, collectives and control flow, whose bodies are
// fused in turn. A reshape that is left on its own becomes a bitcast.
#ifndef XLA_HLO_TRANSFORMS_FUSE_CPU_FUSION_H_
#define XLA_HLO_TRANSFORMS_FUSE_CPU_FUSION_H_

#include "xla/hlo/pass/hlo_pass.h"
#include "xla/hlo/transforms/fuse/fusion_costs.h"

namespace xla {

class CpuFusion : public HloPassInterface {
 public:
  explicit CpuFusion(const FusionTarget& target = {}) : target_(target) {}

  absl::string_view name() const override { return "cpu-fusion"; }
  absl::StatusOr<bool> Run(HloModule* module) override;

 private:
  const FusionTarget target_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_CPU_FUSION_H_
