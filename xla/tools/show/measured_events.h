// Measured times: the events of a trace in Chrome's JSON format, and their form
// as data for a page.
#ifndef XLA_TOOLS_SHOW_MEASURED_EVENTS_H_
#define XLA_TOOLS_SHOW_MEASURED_EVENTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/backends/compiler.h"
#include "xla/core/literal/literal.h"
#include "xla/tools/json_writer.h"

namespace xla::tools {

struct MeasuredEvent {
  std::string name;
  std::string category;     // "thunk" for one execution of a thunk
  std::string instruction;  // args.hlo; empty if there is none
  double start_us = 0;
  double duration_us = 0;
  int64_t process = 0;
  int64_t thread = 0;
};

// Reads the complete events (ph "X") of a trace: an array of events, or an
// object with one as traceEvents. Other events are left out. Errors:
// InvalidArgument for text that is not JSON, and for an event whose fields have
// wrong types, by its number.
absl::StatusOr<std::vector<MeasuredEvent>> ParseTrace(absl::string_view json);

// Runs the program on `arguments` of each device, and once more, and returns the
// events of the second run: one for each execution of a thunk, and those of the
// tasks that threads took. Errors: those of runs; FailedPrecondition if this
// process records a trace already.
absl::StatusOr<std::vector<MeasuredEvent>> MeasureThunks(
    const Executable& executable,
    absl::Span<const std::vector<Literal>> arguments);

// Writes an array; page/program.js reads it.
void WriteMeasuredEvents(absl::Span<const MeasuredEvent> events,
                         JsonWriter& json);

}  // namespace xla::tools

#endif  // XLA_TOOLS_SHOW_MEASURED_EVENTS_H_
