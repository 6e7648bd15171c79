// A recorded trace of two threads, for the tests of the formats.
#ifndef TESTS_PROFILER_SAMPLE_TRACE_H_
#define TESTS_PROFILER_SAMPLE_TRACE_H_

#include <memory>
#include <string>
#include <vector>

#include "xla/profiler/described_trace.h"
#include "xla/runtime/tracing/trace_event.h"

namespace xla {

// Has a dot of 4e6 flops and 1e6 bytes, and a fusion about which nothing is
// known but its name.
class SampleProgram : public TracedProgram {
 public:
  const std::string& name() const override { return name_; }
  int64_t id() const override { return 42; }
  std::vector<TracedOp> Ops() const override {
    TracedOp dot;
    dot.hlo = "dot.1";
    dot.computation = "main";
    dot.opcode = "dot";
    dot.category = "convolution";
    dot.kind = "dot";
    dot.text = "dot.1 = f32[2] dot(a, b)";
    dot.op_name = "jit(f)/\"dot\"";
    dot.source = "train.py:17";
    dot.flops = 4e6;
    dot.bytes = 1e6;
    TracedOp fusion;
    fusion.hlo = "fusion.2";
    fusion.text = "fusion.2 = f32[2] fusion(dot.1)";
    return {dot, fusion};
  }
  std::string SerializedHlo() const override { return "the module"; }

 private:
  const std::string name_ = "jit_f";
};

// The dot takes a millisecond, the last half of which a task on the second
// thread helps it. Then the fusion runs twice, at the same time.
inline RecordedTrace SampleTrace() {
  using Kind = TraceEvent::Kind;
  constexpr int64_t kBegin = 1'000'000'000;
  RecordedTrace trace;
  trace.begin_ns = kBegin;
  trace.end_ns = kBegin + 9'000'000;
  trace.names = {"passes"};
  trace.runs = {{std::make_shared<SampleProgram>(), 5, 0}};
  trace.dropped_events = 3;
  const auto at = [](int64_t begin_us, int64_t end_us, Kind kind, int32_t op) {
    return TraceEvent{.begin_ns = kBegin + begin_us * 1000,
                      .end_ns = kBegin + end_us * 1000,
                      .context = 0,
                      .op = op,
                      .count = kind == Kind::kTask ? 8u : 1u,
                      .kind = kind};
  };
  trace.threads = {{.id = 100,
                    .hash = -7,
                    .name = "main",
                    .events = {at(0, 500, Kind::kCompile, -1),
                               at(1000, 3000, Kind::kRun, -1),
                               at(1000, 2000, Kind::kThunk, 0),
                               at(2100, 2900, Kind::kThunk, 1)}},
                   {.id = 101,
                    .hash = 12,
                    .name = "worker",
                    .events = {at(1500, 2000, Kind::kTask, 0),
                               at(2200, 2800, Kind::kThunk, 1)}}};
  return trace;
}

// The dot reaches 40% of the first limit and 20% of the second.
inline constexpr RooflineLimits kSampleLimits = {.flops_per_second = 1e10,
                                                 .bytes_per_second = 5e9};

}  // namespace xla

#endif  // TESTS_PROFILER_SAMPLE_TRACE_H_
