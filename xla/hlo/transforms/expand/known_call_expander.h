// Replaces custom calls that every backend knows (hlo/ops/table/known_calls.h):
//
//   s = f32[4] custom-call(x), custom_call_target="Sharding", ...   =>  x
//   t = (f32[2], s32[2]) custom-call(x), custom_call_target="TopK"
//     =>  (f32[2], s32[2]) topk(x), k=2, largest=true
//
// GetRngSeed becomes the call that returns fresh random bits. Buffers, which
// Pin makes of arrays, become arrays everywhere. Leaves all other calls alone,
// and convolutions of dynamic sizes, which dynamic-padder replaces.
#ifndef XLA_HLO_TRANSFORMS_EXPAND_KNOWN_CALL_EXPANDER_H_
#define XLA_HLO_TRANSFORMS_EXPAND_KNOWN_CALL_EXPANDER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class KnownCallExpander : public HloPassInterface {
 public:
  absl::string_view name() const override { return "known-call-expander"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_KNOWN_CALL_EXPANDER_H_
