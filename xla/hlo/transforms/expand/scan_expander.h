// Replaces scan by a while loop:
//
//   s = (f32[8,3], f32[3]) scan(x, init), dimensions={0}, to_apply=step
//     =>  w = while (i, x, outputs, carries): i < 8
//           slice i of x, and the carries, go to step; what it returns first
//           is put into slice i of the outputs
//         s = tuple(outputs, carries)
//
// The loop runs from the last slice on if is_reverse. Dynamic dimensions are
// left alone.
#ifndef XLA_HLO_TRANSFORMS_EXPAND_SCAN_EXPANDER_H_
#define XLA_HLO_TRANSFORMS_EXPAND_SCAN_EXPANDER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ScanExpander : public HloPassInterface {
 public:
  absl::string_view name() const override { return "scan-expander"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_SCAN_EXPANDER_H_
