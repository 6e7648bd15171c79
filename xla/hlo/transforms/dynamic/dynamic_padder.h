// Replaces arrays with dynamic dimensions by static ones and their sizes:
//
//   d = f32[<=8] set-dimension-size(x, n), dimensions={0}
//   ROOT r = f32[] reduce(d, zero), dimensions={0}, to_apply=add
//     =>  m = clamp(n, 0, 8);  within = iota < m
//         ROOT r = element 0 of reduce((x, within), (zero, true)), which
//                  applies add where both elements are within
//
// Between computations, and in tuples, such an array is a tuple of the static
// array and one s32[] per dynamic dimension. At the entry the signature stays:
// a dynamic parameter is read by get-dimension-size and a bitcast to the static
// shape, and set-dimension-size makes a dynamic result. No other dynamic shapes
// remain; backends implement them as reads and writes of the sizes behind the
// elements (backends/array_memory.h). If the layout is not row-major, the
// elements are a bitcast from or to the vector of its memory, and
// layout/tiled_memory.h converts them.
//
// The custom calls DynamicConvolutionForward, -InputGrad and -KernelGrad become
// convolutions of padded arrays, even if their sizes are static.
//
// Runs after calls are inlined. Errors: Unimplemented, naming the op, for ops
// that do not support dynamic dimensions: scan, collectives, transfers, custom
// calls, fft, ... XLA:CPU refuses those too.
#ifndef XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_PADDER_H_
#define XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_PADDER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class DynamicPadder : public HloPassInterface {
 public:
  absl::string_view name() const override { return "dynamic-padder"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_PADDER_H_
