// Chooses the format by the name of the file.
#include "xla/tools/trace_file.h"

#include <iostream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/profiler/chrome_trace.h"
#include "xla/profiler/described_trace.h"
#include "xla/profiler/xspace_trace.h"
#include "xla/tools/benchmark/machine_limits.h"
#include "xla/tools/program.h"

namespace xla::tools {

absl::StatusOr<TraceFile> TraceFile::Start(std::string path) {
  TF_ASSIGN_OR_RETURN(std::shared_ptr<TraceSession> session,
                      TraceSession::Start());
  return TraceFile(std::move(path), std::move(session));
}

absl::Status TraceFile::Write(ParallelRunner& runner) {
  session_->Stop();
  const RecordedTrace trace = session_->Collect();
  TF_ASSIGN_OR_RETURN(const MachineLimits limits, MeasureMachineLimits(runner));
  const DescribedTrace described(
      trace, {.flops_per_second = limits.f32_flops_per_second,
              .bytes_per_second = limits.stream_bytes_per_second});
  std::string bytes;
  if (!absl::EndsWith(path_, ".pb")) {
    bytes = ChromeTrace(described);
  } else if (!XSpaceOf(described).SerializeToString(&bytes)) {
    return absl::ResourceExhaustedError(
        absl::StrCat(path_, ": more than the 2 GB that a message may have"));
  }
  const std::string dropped = DroppedEventsText(trace);
  if (!dropped.empty()) std::cerr << path_ << ": " << dropped << "\n";
  return WriteFile(path_, bytes);
}

}  // namespace xla::tools
