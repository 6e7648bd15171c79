// Asks each program of a trace once for its operations.
#include "xla/profiler/described_trace.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace xla {

DescribedTrace::DescribedTrace(const RecordedTrace& trace,
                               const RooflineLimits& limits)
    : trace_(trace), limits_(limits) {
  for (const TracedRun& run : trace.runs) {
    if (run.program == nullptr) continue;
    auto [it, is_new] = ops_.try_emplace(run.program.get());
    if (is_new) it->second = run.program->Ops();
  }
}

const std::string& DescribedTrace::NameOf(const TraceEvent& event) const {
  // Connects a run to the step in which it was asked for, in XProf.
  static const auto* const enqueue = new std::string("DoEnqueueProgram");
  switch (event.kind) {
    case TraceEvent::Kind::kRun:
      return RunOf(event).program->name();
    case TraceEvent::Kind::kThunk:
    case TraceEvent::Kind::kTask:
      return OpOf(event).hlo;
    case TraceEvent::Kind::kEnqueue:
      return *enqueue;
    case TraceEvent::Kind::kCompile:
      break;
  }
  return trace_.names[event.context];
}

const TracedOp& DescribedTrace::OpOf(const TraceEvent& event) const {
  return ops_.at(RunOf(event).program.get())[event.op];
}

DescribedTrace::Rates DescribedTrace::RatesOf(const TraceEvent& event) const {
  // A clock may show the same time twice.
  const double seconds =
      static_cast<double>(std::max<int64_t>(event.end_ns - event.begin_ns, 1)) *
      1e-9;
  const TracedOp& op = OpOf(event);
  Rates rates{.flops_per_second = op.flops / seconds,
              .bytes_per_second = op.bytes / seconds,
              .roofline_share = 0};
  for (const auto& [rate, limit] :
       {std::pair(rates.flops_per_second, limits_.flops_per_second),
        std::pair(rates.bytes_per_second, limits_.bytes_per_second)}) {
    if (limit > 0) {
      rates.roofline_share = std::max(rates.roofline_share, rate / limit);
    }
  }
  return rates;
}

std::string DroppedEventsText(const RecordedTrace& trace) {
  if (trace.dropped_events == 0) return "";
  return absl::StrCat(trace.dropped_events,
                      " events were dropped, since the trace has as many bytes "
                      "as it may have");
}

}  // namespace xla
