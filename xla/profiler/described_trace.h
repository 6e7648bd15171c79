// DescribedTrace: a recorded trace together with what its events are about, for
// the writers of its formats.
#ifndef XLA_PROFILER_DESCRIBED_TRACE_H_
#define XLA_PROFILER_DESCRIBED_TRACE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/runtime/tracing/trace_event.h"

namespace xla {

// What the machine can do at most, with all its threads; 0: not known.
struct RooflineLimits {
  double flops_per_second = 0;
  double bytes_per_second = 0;
};

class DescribedTrace {
 public:
  // How fast an execution of an operation was; 0: not known.
  struct Rates {
    double flops_per_second = 0;
    double bytes_per_second = 0;
    // The time that the limits allow for its operations or its bytes, whichever
    // takes longer, by the time that it took. Above 1 for bytes that come from
    // caches.
    double roofline_share = 0;
  };

  // `trace` must outlive this.
  DescribedTrace(const RecordedTrace& trace, const RooflineLimits& limits);

  const RecordedTrace& trace() const { return trace_; }
  const RooflineLimits& limits() const { return limits_; }

  // The name of any event.
  const std::string& NameOf(const TraceEvent& event) const;
  // For events other than kCompile.
  const TracedRun& RunOf(const TraceEvent& event) const {
    return trace_.runs[event.context];
  }
  // For a kThunk and a kTask.
  const TracedOp& OpOf(const TraceEvent& event) const;
  // For a kThunk.
  Rates RatesOf(const TraceEvent& event) const;

 private:
  const RecordedTrace& trace_;
  const RooflineLimits limits_;
  absl::flat_hash_map<const TracedProgram*, std::vector<TracedOp>> ops_;
};

// Returns the text of a trace's dropped events, for readers: "12 events were
// dropped, since ..."; empty if there are none.
std::string DroppedEventsText(const RecordedTrace& trace);

}  // namespace xla

#endif  // XLA_PROFILER_DESCRIBED_TRACE_H_
