// ChromeTrace: a trace as the JSON that Perfetto (ui.perfetto.dev) and Chrome's
// chrome://tracing read.
#ifndef XLA_PROFILER_CHROME_TRACE_H_
#define XLA_PROFILER_CHROME_TRACE_H_

#include <string>

#include "xla/profiler/described_trace.h"

namespace xla {

// Returns an object with `traceEvents`: complete events of each thread, of
// category "thunk", "task", "run", "enqueue" or "compile". A thunk is named
// after its HLO instruction; `args` has that name as `hlo`, and `computation`,
// `module`, `opcode`, `kind`, `run_id`, `device`, `op_name`, `source`, `flops`,
// `bytes`, `gflops_per_second`, `gbytes_per_second` and `roofline_share` as far
// as they are known. Times are microseconds from the begin of the recording,
// which `otherData` has as `begin_unix_ns` beside `dropped_events`.
std::string ChromeTrace(const DescribedTrace& trace);

}  // namespace xla

#endif  // XLA_PROFILER_CHROME_TRACE_H_
