// TraceFile: the file that `tessera run --trace` writes.
#ifndef XLA_TOOLS_TRACE_FILE_H_
#define XLA_TOOLS_TRACE_FILE_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/runtime/parallel.h"
#include "xla/runtime/tracing/trace_session.h"

namespace xla::tools {

// Records from Start on.
class TraceFile {
 public:
  // Errors: those of TraceSession::Start.
  static absl::StatusOr<TraceFile> Start(std::string path);

  // Stops recording and writes the file: an XSpace if its name ends in .pb,
  // otherwise JSON for Perfetto. Measures the machine's limits on `runner`,
  // which takes about a second. Errors: those of MeasureMachineLimits and of
  // writing files; ResourceExhausted for an XSpace of more than 2 GB.
  absl::Status Write(ParallelRunner& runner);

 private:
  TraceFile(std::string path, std::shared_ptr<TraceSession> session)
      : path_(std::move(path)), session_(std::move(session)) {}

  std::string path_;
  std::shared_ptr<TraceSession> session_;
};

}  // namespace xla::tools

#endif  // XLA_TOOLS_TRACE_FILE_H_
