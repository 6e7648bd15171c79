// Computes arrays in other orders of dimensions where that saves transposes:
//
//   a = f32[1,8,4,4] transpose(x), dimensions={0,3,1,2}    [batch, f, spatial]
//   b = f32[1,8,4,4] transpose(y), dimensions={0,3,1,2}
//   c = f32[1,8,4,4] add(a, b)
//   d = f32[1,4,4,8] transpose(c), dimensions={0,2,3,1}
//   ROOT r = (f32[1,8,4,4], f32[1,4,4,8]) tuple(c, convolution(d, w))
//     =>  e = f32[1,4,4,8] add(x, y)
//         c = f32[1,8,4,4] transpose(e), dimensions={0,3,1,2}
//         ROOT r = tuple(c, convolution(e, w))
//
// A region is what can be reached, from an array and an order, through
// element-wise ops, broadcast, iota, reduce, reduce-window, select-and-scatter,
// pad, slice, concatenate, reverse, dynamic slices, and reshapes that keep the
// dimensions that they split or merge together. A minimal cut decides which of
// its ops change, so that the bytes of arrays that are transposed, each once
// for each order in which it is read, are fewest. A region changes only if
// these bytes become fewer, so the pass ends. Transposes that remain are at the
// border of what changed.
//
// Assumes that dots and convolutions have their canonical forms, whose
// transposes it moves. Leaves other layouts than the default, dynamic
// dimensions, control edges and instructions with shardings alone.
#ifndef XLA_HLO_TRANSFORMS_LAYOUT_TRANSPOSE_MOVER_H_
#define XLA_HLO_TRANSFORMS_LAYOUT_TRANSPOSE_MOVER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class TransposeMover : public HloPassInterface {
 public:
  absl::string_view name() const override { return "transpose-mover"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LAYOUT_TRANSPOSE_MOVER_H_
