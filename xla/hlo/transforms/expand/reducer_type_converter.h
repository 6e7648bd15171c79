// Adds converts around ops whose computations have other floating-point types
// than the arrays that they are applied to:
//
//   ROOT r = bf16[] reduce(bf16[n] x, bf16[] z), to_apply=add_f32
//     =>  w = f32[] reduce(f32[n] convert(x), f32[] convert(z)),
//             to_apply=add_f32
//         ROOT r = bf16[] convert(w)
//
// It does the same for reduce-window, scatter, the scatter computation of
// select-and-scatter, and map. Select computations and collectives convert by
// themselves. Shapes, including dynamic dimensions, stay the same.
#ifndef XLA_HLO_TRANSFORMS_EXPAND_REDUCER_TYPE_CONVERTER_H_
#define XLA_HLO_TRANSFORMS_EXPAND_REDUCER_TYPE_CONVERTER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ReducerTypeConverter : public HloPassInterface {
 public:
  absl::string_view name() const override { return "reducer-type-converter"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_REDUCER_TYPE_CONVERTER_H_
