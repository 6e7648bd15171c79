// Dead code elimination:
//
//   a = f32[] parameter(0)            a = f32[] parameter(0)
//   b = f32[] negate(a)         =>    ROOT c = f32[] add(a, a)
//   ROOT c = f32[] add(a, a)
//
// Removes instructions that neither the root nor a side effect needs, except
// elements of while carries, and computations that nothing calls. Parameters
// stay, since they are the signature. Given threads, it changes only their
// computations, but what becomes unreachable leaves whatever its thread.
#ifndef XLA_HLO_TRANSFORMS_SIMPLIFY_DCE_H_
#define XLA_HLO_TRANSFORMS_SIMPLIFY_DCE_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class HloDCE : public HloPassInterface {
 public:
  absl::string_view name() const override { return "dce"; }
  absl::StatusOr<bool> RunImpl(
      HloModule* module, const ExecutionThreads& execution_threads) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SIMPLIFY_DCE_H_
