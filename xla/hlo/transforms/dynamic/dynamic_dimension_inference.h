// Declares dimensions dynamic wherever their sizes are data:
//
//   d = f32[8] set-dimension-size(x, n), dimensions={0}
//   y = f32[8] negate(d)
//     =>  d = f32[<=8] set-dimension-size(x, n), dimensions={0}
//         y = f32[<=8] negate(d)
//
// HLO may declare such shapes as static; as in XLA, only set-dimension-size and
// entry parameters determine what is dynamic. A constant size equal to the
// bound makes a dimension static. Shapes of carries, branches and callees
// follow their callers. An entry result that is declared static stays static:
// elements beyond its size are zeros.
//
// Results stay as declared for ops that determine their own sizes
// (dynamic-reshape, infeed, custom-call, ...), for bitcasts that reinterpret
// memory, and for reshapes and other ops that are declared dynamic. Custom
// calls that return their operand, as annotations do, follow it. Errors: those
// of ReshapedShape.
#ifndef XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_DIMENSION_INFERENCE_H_
#define XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_DIMENSION_INFERENCE_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class DynamicDimensionInference : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "dynamic-dimension-inference";
  }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_DIMENSION_INFERENCE_H_
