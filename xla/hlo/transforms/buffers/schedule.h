// Schedule:
//
//   a = f32[1000] exponential(x)          a = f32[1000] exponential(x)
//   b = f32[1000] cosine(x)               sa = f32[] reduce(a, zero)
//   sa = f32[] reduce(a, zero)       =>   b = f32[1000] cosine(x)
//   sb = f32[] reduce(b, zero)            sb = f32[] reduce(b, zero)
//
// Orders each computation for little memory and marks the module as scheduled.
// First adds control edges (write_order.h) that let loops and updates write
// over their operands. Ops with side effects keep their order, except that
// recv-done, and calls of it, come after everything that does not depend on it,
// since it may wait for a send of this computation. Assumes that the call graph
// of control flow is a tree (flatten-call-graph).
#ifndef XLA_HLO_TRANSFORMS_BUFFERS_SCHEDULE_H_
#define XLA_HLO_TRANSFORMS_BUFFERS_SCHEDULE_H_

#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class Schedule : public HloPassInterface {
 public:
  // `alias_info` outlives the pass.
  explicit Schedule(const AliasInfo* alias_info) : alias_info_(alias_info) {}

  absl::string_view name() const override { return "schedule"; }
  // Errors: as HloDataflow.
  absl::StatusOr<bool> RunImpl(HloModule* module) override;

 private:
  const AliasInfo* const alias_info_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_BUFFERS_SCHEDULE_H_
