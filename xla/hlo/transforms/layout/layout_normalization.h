// Gives every array the row-major layout:
//
//   p = f32[2,3]{0,1} parameter(0)         p = f32[2,3]{0,1} parameter(0)
//   ROOT n = f32[2,3]{0,1} negate(p)  =>   b = f32[3,2]{1,0} bitcast(p)
//                                          t = f32[2,3]{1,0} transpose(b)
//                                          n = f32[2,3]{1,0} negate(t)
//                                          u = f32[3,2]{1,0} transpose(n)
//                                          ROOT r = f32[2,3]{0,1} bitcast(u)
//
// Other layouts stay where code outside the program sees the memory: at the
// entry's parameters and result (as entry_computation_layout says), and at
// operands and results of custom calls. Only there bitcasts stand between an
// array in another layout and its physical, row-major shape; other bitcasts
// become reshapes where the element type stays. Copies that only change the
// layout are removed. At the entry, an array with tiles or padding becomes the
// vector of its buffer (BufferVectorShape), with ops that convert between the
// two (tiled_memory.h). An array of dynamic sizes stays, whatever its layout,
// with copies to and from the row-major one, which the dynamic padder expands
// to such ops. Memory spaces, element sizes and, inside the program, tiles are
// dropped. A second run changes no shape. Errors: Unimplemented for tiles of
// custom calls, and for other storage of elements or sizes at the entry.
#ifndef XLA_HLO_TRANSFORMS_LAYOUT_LAYOUT_NORMALIZATION_H_
#define XLA_HLO_TRANSFORMS_LAYOUT_LAYOUT_NORMALIZATION_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class LayoutNormalization : public HloPassInterface {
 public:
  absl::string_view name() const override { return "layout-normalization"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LAYOUT_LAYOUT_NORMALIZATION_H_
