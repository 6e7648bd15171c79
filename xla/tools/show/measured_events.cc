// Reads traces by the JSON parser of Protocol Buffers.
#include "xla/tools/show/measured_events.h"

#include <cmath>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "google/protobuf/struct.pb.h"
#include "google/protobuf/util/json_util.h"
#include "xla/base/status_macros.h"
#include "xla/profiler/chrome_trace.h"
#include "xla/profiler/described_trace.h"
#include "xla/runtime/tracing/trace_session.h"
#include "xla/tools/program_buffers.h"

namespace xla::tools {
namespace {

using google::protobuf::ListValue;
using google::protobuf::Struct;
using google::protobuf::Value;

// Numbers beyond this are no microseconds, and would not fit into int64_t.
constexpr double kMostMicroseconds = 1e15;

// The fields of one event.
class EventFields {
 public:
  EventFields(const Struct& fields, int64_t number)
      : fields_(fields), number_(number) {}

  absl::StatusOr<std::string> Text(const char* key) const {
    const Value* value = Find(key);
    if (value == nullptr) return std::string();
    if (value->kind_case() != Value::kStringValue) return Wrong(key, "a text");
    return value->string_value();
  }

  absl::StatusOr<double> Number(const char* key, double least) const {
    const Value* value = Find(key);
    if (value == nullptr || value->kind_case() != Value::kNumberValue ||
        !(value->number_value() >= least) ||
        !(value->number_value() <= kMostMicroseconds)) {
      return Wrong(key, absl::StrCat("a number from ", least, " to ",
                                     kMostMicroseconds));
    }
    return value->number_value();
  }

  absl::StatusOr<int64_t> Id(const char* key) const {
    if (Find(key) == nullptr) return 0;
    TF_ASSIGN_OR_RETURN(const double number, Number(key, 0));
    return static_cast<int64_t>(number);
  }

  // The text `key` in the object "args"; empty if there is none.
  absl::StatusOr<std::string> Argument(const char* key) const {
    const Value* args = Find("args");
    if (args == nullptr) return std::string();
    if (args->kind_case() != Value::kStructValue) {
      return Wrong("args", "an object");
    }
    return EventFields(args->struct_value(), number_).Text(key);
  }

 private:
  const Value* Find(const char* key) const {
    const auto it = fields_.fields().find(key);
    return it == fields_.fields().end() ? nullptr : &it->second;
  }
  absl::Status Wrong(absl::string_view key, absl::string_view expected) const {
    return absl::InvalidArgumentError(absl::StrCat(
        "trace: event ", number_, ": ", key, " is not ", expected));
  }

  const Struct& fields_;
  const int64_t number_;
};

absl::StatusOr<MeasuredEvent> ParseEvent(const EventFields& fields) {
  MeasuredEvent event;
  TF_ASSIGN_OR_RETURN(event.name, fields.Text("name"));
  TF_ASSIGN_OR_RETURN(event.category, fields.Text("cat"));
  TF_ASSIGN_OR_RETURN(event.instruction, fields.Argument("hlo"));
  TF_ASSIGN_OR_RETURN(event.start_us, fields.Number("ts", -kMostMicroseconds));
  TF_ASSIGN_OR_RETURN(event.duration_us, fields.Number("dur", 0));
  TF_ASSIGN_OR_RETURN(event.process, fields.Id("pid"));
  TF_ASSIGN_OR_RETURN(event.thread, fields.Id("tid"));
  return event;
}

// The list of events in `trace`.
absl::StatusOr<ListValue> EventsOf(Value trace) {
  if (trace.kind_case() == Value::kStructValue) {
    auto& fields = *trace.mutable_struct_value()->mutable_fields();
    const auto it = fields.find("traceEvents");
    if (it != fields.end()) trace = Value(std::move(it->second));
  }
  if (trace.kind_case() == Value::kListValue) {
    return std::move(*trace.mutable_list_value());
  }
  return absl::InvalidArgumentError(
      "trace: neither an array of events nor an object with traceEvents");
}

}  // namespace

absl::StatusOr<std::vector<MeasuredEvent>> ParseTrace(absl::string_view json) {
  Value trace;
  const auto status =
      google::protobuf::util::JsonStringToMessage(std::string(json), &trace);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("trace: not JSON: ", std::string(status.message())));
  }
  TF_ASSIGN_OR_RETURN(const ListValue list, EventsOf(std::move(trace)));
  std::vector<MeasuredEvent> events;
  for (int i = 0; i < list.values_size(); ++i) {
    if (list.values(i).kind_case() != Value::kStructValue) {
      return absl::InvalidArgumentError(
          absl::StrCat("trace: event ", i, " is not an object"));
    }
    const EventFields fields(list.values(i).struct_value(), i);
    TF_ASSIGN_OR_RETURN(const std::string phase, fields.Text("ph"));
    if (phase != "X") continue;
    TF_ASSIGN_OR_RETURN(events.emplace_back(), ParseEvent(fields));
  }
  return events;
}

absl::StatusOr<std::vector<MeasuredEvent>> MeasureThunks(
    const Executable& executable,
    absl::Span<const std::vector<Literal>> arguments) {
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<ProgramBuffers> buffers,
                      ProgramBuffers::Create(executable, arguments));
  // The first run also brings memory and code into the caches.
  TF_RETURN_IF_ERROR(executable.ExecuteBuffers(buffers->devices(), {}));
  TF_ASSIGN_OR_RETURN(const std::shared_ptr<TraceSession> session,
                      TraceSession::Start());
  const absl::Status status =
      executable.ExecuteBuffers(buffers->devices(), {.run_id = 1});
  session->Stop();
  TF_RETURN_IF_ERROR(status);
  const RecordedTrace trace = session->Collect();
  return ParseTrace(ChromeTrace(DescribedTrace(trace, {})));
}

void WriteMeasuredEvents(absl::Span<const MeasuredEvent> events,
                         JsonWriter& json) {
  json.BeginArray();
  for (const MeasuredEvent& event : events) {
    json.BeginObject();
    json.Field("name", event.name);
    json.Field("category", event.category);
    if (!event.instruction.empty()) json.Field("hlo", event.instruction);
    json.Field("start_us", event.start_us);
    json.Field("duration_us", event.duration_us);
    json.Field("process", event.process);
    json.Field("thread", event.thread);
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace xla::tools
