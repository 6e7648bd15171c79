// XSpaceOf: a trace in the form that JAX's profiler collects and XProf reads.
#ifndef XLA_PROFILER_XSPACE_TRACE_H_
#define XLA_PROFILER_XSPACE_TRACE_H_

#include "xla/profiler/described_trace.h"
#include "xla/proto/xplane.pb.h"

namespace xla {

// Returns these planes, if there is something to put into them:
// - "/host:CPU": a line for each thread, with all events that it recorded. Its
//   id is that of jaxlib's profiler, which adds them to its own plane and
//   lines.
// - "/device:TPU:<n>": device n, of type "CPU". Lines "XLA Modules" and "Steps"
//   have the runs, lines "XLA Ops" the thunks. XProf computes its statistics of
//   operations from planes of devices alone, which it knows by such names; it
//   takes costs and the machine's limits from planes of this one.
// - "/host:metadata": the programs, as HloProto.
// Costs are stats of the operations; rates, the run and the device those of
// events. Names of stats are XProf's.
profiler::XSpace XSpaceOf(const DescribedTrace& trace);

}  // namespace xla

#endif  // XLA_PROFILER_XSPACE_TRACE_H_
