// Unpacks arrays of types below a byte inside the loops that read them, so that
// loops carry the packed bytes and not an array of whole bytes that is made
// before:
//
//   w = s4[8,64,32] reshape(s4[8,64,16,2] bitcast-convert(u8[8,64,16] bytes))
//   while(tuple(..., w)), body: reads w = get-tuple-element
//     =>
//   while(tuple(..., w, bytes)), body: reads reshape(bitcast-convert(
//                                          u8[8,64,16] get-tuple-element))
//
// where w never changes in the loop. Between the two, slices and transposes may
// stand, too. The element w stays until while-simplifier removes it.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_UNPACK_SINKING_H_
#define XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_UNPACK_SINKING_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class WhileLoopUnpackSinking : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "while-loop-unpack-sinking";
  }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_UNPACK_SINKING_H_
