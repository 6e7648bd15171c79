// Fills the planes of threads, of devices and of programs.
#include "xla/profiler/xspace_trace.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "xla/base/text/utf8.h"
#include "xla/profiler/plane_builder.h"

namespace xla {
namespace {

using profiler::XEvent;
using profiler::XEventMetadata;
using profiler::XLine;
using profiler::XSpace;

constexpr int64_t kStepsLine = 1;
constexpr int64_t kModulesLine = 2;
constexpr int64_t kFirstOpsLine = 3;
// XProf connects a run to the event that enqueued it if both have the same run
// and queue.
constexpr int64_t kQueue = 0;
// XProf's number of a device's main memory.
constexpr uint64_t kHbm = 1;

// An operation of a program: the key of its metadata.
using OpKey = std::pair<const TracedProgram*, int32_t>;

// Metadata of the host's events has only names: a profiler that merges planes
// takes events of one name for one, also those of different programs.
class HostPlane {
 public:
  HostPlane(const DescribedTrace& trace, XSpace* space)
      : trace_(trace), plane_(space->add_planes(), 0, "/host:CPU") {}

  void Fill() {
    for (const RecordedTrace::Thread& thread : trace_.trace().threads) {
      XLine* line =
          plane_.AddLine(thread.hash, absl::StrCat(thread.name, "/", thread.id),
                         trace_.trace().begin_ns);
      for (const TraceEvent& event : thread.events) Add(event, line);
    }
    plane_.AddInteger("dropped_events", trace_.trace().dropped_events);
  }

 private:
  int64_t MetadataOf(const std::string& name) {
    auto [it, is_new] = metadata_.try_emplace(name, 0);
    if (is_new) it->second = plane_.NewEvent(name).id();
    return it->second;
  }

  void Add(const TraceEvent& from, XLine* line) {
    XEvent& event = *PlaneBuilder::AddEvent(
        line, MetadataOf(trace_.NameOf(from)), from.begin_ns, from.end_ns);
    if (from.kind == TraceEvent::Kind::kCompile) return;
    const TracedRun& run = trace_.RunOf(from);
    plane_.AddInteger(event, "run_id", run.run_id);
    plane_.AddInteger(event, "device_ordinal", run.device);
    if (from.kind == TraceEvent::Kind::kEnqueue) {
      return plane_.AddInteger(event, "queue_id", kQueue);
    }
    plane_.AddText(event, "hlo_module", run.program->name());
    plane_.AddInteger(event, "program_id", run.program->id());
    if (from.kind == TraceEvent::Kind::kRun) return;
    const TracedOp& op = trace_.OpOf(from);
    plane_.AddText(event, "hlo_op", op.hlo);
    plane_.AddText(event, "tf_op", op.op_name);
    plane_.AddText(event, "source", op.source);
    if (from.kind == TraceEvent::Kind::kTask) {
      plane_.AddInteger(event, "task_indices", from.count);
      return;
    }
    plane_.AddText(event, "hlo_category", op.category);
    plane_.AddText(event, "thunk_kind", op.kind);
    plane_.AddCount(event, "flops", op.flops);
    plane_.AddCount(event, "bytes_accessed", op.bytes);
    plane_.AddNumber(event, "roofline_share",
                     trace_.RatesOf(from).roofline_share);
  }

  const DescribedTrace& trace_;
  PlaneBuilder plane_;
  absl::flat_hash_map<std::string, int64_t> metadata_;
};

class DevicePlane {
 public:
  DevicePlane(const DescribedTrace& trace, int64_t device, XSpace* space)
      : trace_(trace),
        plane_(space->add_planes(), device + 1,
               absl::StrCat("/device:TPU:", device)) {}

  // `events` are the thunks that ran on the device, by their begins.
  void Fill(absl::Span<const TraceEvent> events) {
    plane_.AddText("device_type_string", "CPU");
    plane_.AddNumber("peak_teraflops_per_second",
                     trace_.limits().flops_per_second * 1e-12);
    plane_.AddNumber("peak_hbm_bw_gigabytes_per_second",
                     trace_.limits().bytes_per_second * 1e-9);
    AddRuns(events);
    for (const TraceEvent& event : events) AddOp(event);
    // XProf computes steps from the last line of operations, which therefore is
    // the one with the most; statistics of operations are from all.
    plane_.ReverseLinesAfter(kFirstOpsLine - 1);
  }

 private:
  // A run lasts from its first thunk to its last.
  void AddRuns(absl::Span<const TraceEvent> events) {
    std::map<uint32_t, TraceEvent> runs;
    for (const TraceEvent& event : events) {
      TraceEvent& run = runs.try_emplace(event.context, event).first->second;
      run.end_ns = std::max(run.end_ns, event.end_ns);
    }
    // XProf makes one step of all runs that one StepTraceAnnotation enqueued.
    XLine* steps = plane_.AddLine(kStepsLine, "Steps", trace_.trace().begin_ns);
    XLine* line =
        plane_.AddLine(kModulesLine, "XLA Modules", trace_.trace().begin_ns);
    for (const auto& [context, event] : runs) {
      const TracedRun& run = trace_.RunOf(event);
      XEvent* added = PlaneBuilder::AddEvent(line, MetadataOf(*run.program),
                                             event.begin_ns, event.end_ns);
      plane_.AddInteger(*added, "run_id", run.run_id);
      plane_.AddInteger(*added, "queue_id", kQueue);
      XEventMetadata& step =
          plane_.NewEvent(absl::StrCat(steps->events_size()));
      PlaneBuilder::AddEvent(steps, step.id(), event.begin_ns, event.end_ns);
    }
  }

  int64_t MetadataOf(const TracedProgram& program) {
    int64_t& id = modules_[&program];
    if (id == 0) {
      XEventMetadata& metadata =
          plane_.NewEvent(absl::StrCat(program.name(), "(", program.id(), ")"));
      metadata.set_display_name(ValidUtf8(program.name()));
      plane_.AddInteger(metadata, "program_id", program.id());
      id = metadata.id();
    }
    return id;
  }

  int64_t MetadataOf(const TraceEvent& event) {
    const TracedProgram& program = *trace_.RunOf(event).program;
    int64_t& id = ops_[OpKey(&program, event.op)];
    if (id == 0) {
      const TracedOp& op = trace_.OpOf(event);
      XEventMetadata& metadata = plane_.NewEvent(op.text);
      metadata.set_display_name(ValidUtf8(op.hlo));
      plane_.AddInteger(metadata, "program_id", program.id());
      // XProf counts only operations with a symbol other than 0.
      plane_.AddInteger(metadata, "symbol_id", event.op + 1);
      plane_.AddText(metadata, "hlo_op", op.hlo);
      plane_.AddText(metadata, "hlo_module", program.name());
      plane_.AddText(metadata, "hlo_category", op.category);
      plane_.AddText(metadata, "tf_op", op.op_name);
      plane_.AddText(metadata, "source", op.source);
      plane_.AddText(metadata, "thunk_kind", op.kind);
      plane_.AddText(metadata, "thunk_algorithm", op.algorithm);
      plane_.AddCount(metadata, "flops", op.flops);
      plane_.AddCount(metadata, "bytes_accessed", op.bytes);
      AddMemoryAccess(metadata, op.bytes);
      id = metadata.id();
    }
    return id;
  }

  // The op profile takes bytes from here alone.
  void AddMemoryAccess(XEventMetadata& metadata, double bytes) {
    if (!(bytes > 0 && bytes < 9e18)) return;
    // Reads and writes of this memory are added; what is neither is left out.
    using Breakdown = profiler::MemoryAccessBreakdown;
    Breakdown breakdown;
    Breakdown::MemoryAccessed* accessed = breakdown.add_memory_accessed();
    accessed->set_operation_type(Breakdown::MemoryAccessed::READ);
    accessed->set_memory_space(kHbm);
    accessed->set_bytes_accessed(static_cast<uint64_t>(std::llround(bytes)));
    plane_.AddBytes(metadata, "memory_access_breakdown",
                    breakdown.SerializeAsString());
  }

  // Thunks that run side by side are on lines of their own, since events of a
  // line must not overlap.
  void AddOp(const TraceEvent& from) {
    auto lane = std::find_if(
        lanes_.begin(), lanes_.end(),
        [&](const Lane& lane) { return lane.end_ns <= from.begin_ns; });
    if (lane == lanes_.end()) {
      const int64_t id = kFirstOpsLine + static_cast<int64_t>(lanes_.size());
      lanes_.push_back(
          {plane_.AddLine(id, "XLA Ops", trace_.trace().begin_ns)});
      lane = std::prev(lanes_.end());
    }
    lane->end_ns = from.end_ns;
    XEvent* event = PlaneBuilder::AddEvent(lane->line, MetadataOf(from),
                                           from.begin_ns, from.end_ns);
    plane_.AddInteger(*event, "run_id", trace_.RunOf(from).run_id);
    plane_.AddNumber(*event, "roofline_share",
                     trace_.RatesOf(from).roofline_share);
  }

  struct Lane {
    XLine* line = nullptr;
    int64_t end_ns = 0;  // of its last event
  };

  const DescribedTrace& trace_;
  PlaneBuilder plane_;
  absl::flat_hash_map<const TracedProgram*, int64_t> modules_;
  absl::flat_hash_map<OpKey, int64_t> ops_;
  std::vector<Lane> lanes_;
};

void AddDevices(const DescribedTrace& trace, XSpace* space) {
  std::map<int64_t, std::vector<TraceEvent>> thunks;
  for (const RecordedTrace::Thread& thread : trace.trace().threads) {
    for (const TraceEvent& event : thread.events) {
      if (event.kind == TraceEvent::Kind::kThunk) {
        thunks[trace.RunOf(event).device].push_back(event);
      }
    }
  }
  for (auto& [device, events] : thunks) {
    std::stable_sort(events.begin(), events.end(),
                     [](const TraceEvent& a, const TraceEvent& b) {
                       return a.begin_ns < b.begin_ns;
                     });
    DevicePlane(trace, device, space).Fill(events);
  }
}

void AddPrograms(const DescribedTrace& trace, XSpace* space) {
  std::map<int64_t, const TracedProgram*> programs;
  for (const TracedRun& run : trace.trace().runs) {
    if (run.program == nullptr) continue;
    programs.emplace(run.program->id(), run.program.get());
  }
  if (programs.empty()) return;
  PlaneBuilder plane(space->add_planes(), 0, "/host:metadata");
  for (const auto& [id, program] : programs) {
    std::string hlo = program->SerializedHlo();
    if (hlo.empty()) continue;
    // XProf takes the id of the metadata for that of the program.
    XEventMetadata& metadata =
        plane.NewEvent(id, absl::StrCat(program->name(), "(", id, ")"));
    plane.AddBytes(metadata, "Hlo Proto", std::move(hlo));
  }
}

}  // namespace

XSpace XSpaceOf(const DescribedTrace& trace) {
  XSpace space;
  char host[256] = "";
  if (gethostname(host, sizeof(host) - 1) == 0) space.add_hostnames(host);
  HostPlane(trace, &space).Fill();
  AddDevices(trace, &space);
  AddPrograms(trace, &space);
  if (trace.trace().dropped_events > 0) {
    space.add_warnings(DroppedEventsText(trace.trace()));
  }
  return space;
}

}  // namespace xla
