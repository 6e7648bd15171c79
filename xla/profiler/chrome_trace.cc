// Writes one event a line.
#include "xla/profiler/chrome_trace.h"

#include <unistd.h>

#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "xla/base/text/utf8.h"

namespace xla {
namespace {

std::string Quoted(absl::string_view text) {
  std::string quoted = "\"";
  for (const char c : ValidUtf8(text)) {
    if (c == '"' || c == '\\') {
      absl::StrAppend(&quoted, "\\", absl::string_view(&c, 1));
    } else if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppendFormat(&quoted, "\\u%04x", static_cast<unsigned char>(c));
    } else {
      quoted.push_back(c);
    }
  }
  quoted.push_back('"');
  return quoted;
}

// The members of a JSON object.
class Members {
 public:
  void Add(absl::string_view key, int64_t value) { AddText(key, value); }
  // Leaves out what is empty.
  void Add(absl::string_view key, absl::string_view value) {
    if (!value.empty()) AddText(key, Quoted(value));
  }
  // Leaves out what is 0 or not a number in JSON.
  void AddKnown(absl::string_view key, double value) {
    if (value > 0 && std::isfinite(value)) {
      AddText(key, absl::StrFormat("%.6g", value));
    }
  }
  std::string Object() const { return absl::StrCat("{", text_, "}"); }

 private:
  template <typename Text>
  void AddText(absl::string_view key, const Text& value) {
    absl::StrAppend(&text_, text_.empty() ? "" : ",", "\"", key, "\":", value);
  }

  std::string text_;
};

class Writer {
 public:
  explicit Writer(const DescribedTrace& trace) : trace_(trace) {}

  std::string Write() {
    AddName("process_name", 0, "Tessera");
    for (const RecordedTrace::Thread& thread : trace_.trace().threads) {
      AddName("thread_name", thread.id, thread.name);
      for (const TraceEvent& event : thread.events) {
        AddEvent(thread.id, event);
      }
    }
    Members other;
    other.Add("begin_unix_ns", trace_.trace().begin_ns);
    other.Add("duration_ns", trace_.trace().end_ns - trace_.trace().begin_ns);
    other.Add("dropped_events", trace_.trace().dropped_events);
    other.Add("warning", DroppedEventsText(trace_.trace()));
    other.AddKnown("roofline_gflops_per_second",
                   trace_.limits().flops_per_second * 1e-9);
    other.AddKnown("roofline_gbytes_per_second",
                   trace_.limits().bytes_per_second * 1e-9);
    return absl::StrCat(
        "{\"displayTimeUnit\":\"ns\",\"otherData\":", other.Object(),
        ",\"traceEvents\":[\n", events_, "\n]}\n");
  }

 private:
  void AddLine(absl::string_view line) {
    absl::StrAppend(&events_, events_.empty() ? "" : ",\n", line);
  }

  void AddName(absl::string_view what, int64_t thread, absl::string_view name) {
    AddLine(absl::StrFormat(
        R"({"ph":"M","pid":%d,"tid":%d,"name":"%s","args":{"name":%s}})",
        process_, thread, what, Quoted(name)));
  }

  void AddEvent(int64_t thread, const TraceEvent& event) {
    AddLine(absl::StrFormat(
        R"({"ph":"X","pid":%d,"tid":%d,"ts":%.3f,"dur":%.3f,"cat":"%s",)"
        R"("name":%s,"args":%s})",
        process_, thread,
        static_cast<double>(event.begin_ns - trace_.trace().begin_ns) * 1e-3,
        static_cast<double>(event.end_ns - event.begin_ns) * 1e-3,
        CategoryOf(event), Quoted(trace_.NameOf(event)), ArgsOf(event)));
  }

  static absl::string_view CategoryOf(const TraceEvent& event) {
    switch (event.kind) {
      case TraceEvent::Kind::kRun:
        return "run";
      case TraceEvent::Kind::kThunk:
        return "thunk";
      case TraceEvent::Kind::kTask:
        return "task";
      case TraceEvent::Kind::kEnqueue:
        return "enqueue";
      case TraceEvent::Kind::kCompile:
        break;
    }
    return "compile";
  }

  std::string ArgsOf(const TraceEvent& event) const {
    Members args;
    if (event.kind == TraceEvent::Kind::kCompile) return args.Object();
    const TracedRun& run = trace_.RunOf(event);
    if (event.op >= 0) {
      const TracedOp& op = trace_.OpOf(event);
      args.Add("hlo", op.hlo);
      args.Add("computation", op.computation);
      args.Add("opcode", op.opcode);
      args.Add("kind", op.kind);
      args.Add("algorithm", op.algorithm);
      args.Add("op_name", op.op_name);
      args.Add("source", op.source);
      if (event.kind == TraceEvent::Kind::kTask) {
        args.Add("indices", event.count);
      } else {
        AddCosts(event, op, args);
      }
    }
    if (run.program != nullptr) args.Add("module", run.program->name());
    args.Add("run_id", run.run_id);
    args.Add("device", run.device);
    return args.Object();
  }

  void AddCosts(const TraceEvent& event, const TracedOp& op,
                Members& args) const {
    const DescribedTrace::Rates rates = trace_.RatesOf(event);
    args.AddKnown("flops", op.flops);
    args.AddKnown("transcendentals", op.transcendentals);
    args.AddKnown("bytes", op.bytes);
    args.AddKnown("gflops_per_second", rates.flops_per_second * 1e-9);
    args.AddKnown("gbytes_per_second", rates.bytes_per_second * 1e-9);
    args.AddKnown("roofline_share", rates.roofline_share);
  }

  const DescribedTrace& trace_;
  const int64_t process_ = getpid();
  std::string events_;
};

}  // namespace

std::string ChromeTrace(const DescribedTrace& trace) {
  return Writer(trace).Write();
}

}  // namespace xla
