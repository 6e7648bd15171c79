// Declares dimensions as dynamic wherever their sizes are data:
//
//   d = f32[8] set-dimension-size(x, n), dimensions={0}
//   y = f32[8] negate(d)
//     =>  d = f32[<=8] set-dimension-size(x, n), dimensions={0}
//         y = f32[<=8] negate(d)
//
// HLO may declare such shapes as static; what is dynamic follows from
// set-dimension-size and from entry parameters alone, as in XLA. A size that is
// the constant bound makes a dimension static. Shapes of carries, branches and
// callees follow their callers. A result of the entry that is declared static
// stays so: elements beyond its size are zeros.
//
// Left as declared: results of ops that say their sizes on their own
// (dynamic-reshape, infeed, custom-call, ...), of bitcasts that read memory
// otherwise, and of reshapes and other ops that are declared dynamic. Custom
// calls that give back their operand, as annotations do, follow it. Errors:
// those of ReshapedShape.
#ifndef XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_DIMENSION_INFERENCE_H_
#define XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_DIMENSION_INFERENCE_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class DynamicDimensionInference : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "dynamic-dimension-inference";
  }
  absl::StatusOr<bool> Run(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_DIMENSION_INFERENCE_H_
