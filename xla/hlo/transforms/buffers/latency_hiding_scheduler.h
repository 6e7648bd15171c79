// LatencyHidingScheduler:
//
//   g = all-gather(w)                     s = async-start(w), all-gather
//   y = dot(x, v)                =>       y = dot(x, v)
//   z = dot(y, g)                         g = async-done(s)
//                                         z = dot(y, g)
//
// Makes collectives between processes asynchronous, and puts other work between
// their start and their done for about as long as the transfer is estimated to
// take. Works on a scheduled module and keeps its order otherwise: goes from
// the last instruction to the first, and holds a start back until there is
// enough work between it and its done. Less is moved, or nothing, where the
// values that live longer would take too much memory. A collective that nothing
// is left to run beside stays as it is, and so does one in a branch of a
// conditional. Where instructions share a channel, each that may become a pair
// gets its own.
//
// Collectives and other side effects begin in the order that they have. So
// processes that place a done differently, since passes before made different
// programs for their processors, still never wait for each other in a circle:
// of all operations that have begun nowhere or are not over, the first one in
// this order has begun in all processes, or is about to. Costs are the same on
// all processors.
#ifndef XLA_HLO_TRANSFORMS_BUFFERS_LATENCY_HIDING_SCHEDULER_H_
#define XLA_HLO_TRANSFORMS_BUFFERS_LATENCY_HIDING_SCHEDULER_H_

#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class LatencyHidingScheduler : public HloPassInterface {
 public:
  // Estimated work of fewer nanoseconds than this does not pay for a pair.
  static constexpr double kLeastOverlap = 20'000;

  // `alias_info` outlives the pass.
  explicit LatencyHidingScheduler(const AliasInfo* alias_info,
                                  double least_overlap = kLeastOverlap)
      : alias_info_(alias_info), least_overlap_(least_overlap) {}

  absl::string_view name() const override { return "latency-hiding-scheduler"; }
  // Takes all devices for processes of their own if the configuration does not
  // say which process they belong to. Errors: as HloDataflow.
  absl::StatusOr<bool> RunImpl(HloModule* module) override;

 private:
  const AliasInfo* const alias_info_;
  const double least_overlap_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_BUFFERS_LATENCY_HIDING_SCHEDULER_H_
