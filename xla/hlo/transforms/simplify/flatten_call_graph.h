// Gives each computation of control flow one caller:
//
//   a = while(x), condition=c, body=b      a = while(x), condition=c, body=b
//   d = while(a), condition=c, body=b  =>  d = while(a), condition=c.1,
//                                                        body=b.1
//
// Control flow is while, conditional, call and async-start. Computations of
// reduce, map, sort, fusion and the like may stay shared: they have no buffers
// of their own. Errors: ResourceExhausted for too many copies.
#ifndef XLA_HLO_TRANSFORMS_SIMPLIFY_FLATTEN_CALL_GRAPH_H_
#define XLA_HLO_TRANSFORMS_SIMPLIFY_FLATTEN_CALL_GRAPH_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class FlattenCallGraph : public HloPassInterface {
 public:
  absl::string_view name() const override { return "flatten-call-graph"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SIMPLIFY_FLATTEN_CALL_GRAPH_H_
