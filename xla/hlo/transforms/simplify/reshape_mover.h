// Moves ops that only rearrange elements behind element-wise ones, so that they
// meet and cancel, or work on fewer elements:
//
//   a = f32[2,3] reshape(x)             s = f32[6] add(x, y)
//   b = f32[2,3] reshape(y)         =>  r = f32[2,3] reshape(s)
//   ROOT r = f32[2,3] add(a, b)
//
// Equal transposes and reverses, and broadcasts along the same dimensions, move
// likewise; splats of constants fit any of them. An element-wise op of
// broadcasts is computed on the small arrays. Reshapes and transposes that have
// other users stay where they are. Layouts must be the default ones.
//
// Assumes the forms that algsimp produces. Leaves fusions, scheduled modules,
// control edges, dynamic dimensions and instructions with shardings alone.
#ifndef XLA_HLO_TRANSFORMS_SIMPLIFY_RESHAPE_MOVER_H_
#define XLA_HLO_TRANSFORMS_SIMPLIFY_RESHAPE_MOVER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ReshapeMover : public HloPassInterface {
 public:
  absl::string_view name() const override { return "reshape-mover"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SIMPLIFY_RESHAPE_MOVER_H_
