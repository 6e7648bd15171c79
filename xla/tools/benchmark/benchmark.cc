// Takes and prints samples.
#include "xla/tools/benchmark/benchmark.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/base/status_macros.h"
#include "xla/tools/json_writer.h"
#include "xla/tools/program_buffers.h"
#include "xla/tools/reports.h"
#include "xla/tools/show/page.h"

namespace xla::tools {
namespace {

// A sample takes at least this long, so that the clock's resolution does not
// matter, but has at most kMaxRunsPerSample runs.
constexpr double kLeastSampleSeconds = 50e-6;
constexpr int64_t kMaxRunsPerSample = 10'000;
constexpr int64_t kLeastSamples = 5;

double FlopsLimit(const Benchmark& benchmark) {
  return benchmark.is_f64 ? benchmark.limits.f64_flops_per_second
                          : benchmark.limits.f32_flops_per_second;
}

double Share(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::string TimeText(double seconds) {
  if (seconds < 1e-3) return absl::StrFormat("%.3f us", seconds * 1e6);
  if (seconds < 1) return absl::StrFormat("%.3f ms", seconds * 1e3);
  return absl::StrFormat("%.3f s", seconds);
}

void WriteCompile(const Benchmark& benchmark, JsonWriter& json) {
  json.BeginObject();
  json.Field("first", benchmark.first_compile_seconds);
  json.Field("seconds", benchmark.compile_seconds);
  json.Key("phases");
  json.BeginObject();
  for (const CompileReport::Phase& phase : benchmark.compile.phases) {
    json.Field(phase.name, phase.seconds);
  }
  json.EndObject();
  json.Key("counts");
  json.BeginObject();
  for (const CompileReport::Count& count : benchmark.compile.counts) {
    json.Field(count.name, count.number);
  }
  json.EndObject();
  json.EndObject();
}

void WriteRun(const RunTimes& run, JsonWriter& json) {
  json.BeginObject();
  json.Field("median", run.median);
  json.Field("lower_quartile", run.lower_quartile);
  json.Field("upper_quartile", run.upper_quartile);
  json.Field("least", run.least);
  json.Field("samples", run.samples);
  json.Field("runs_per_sample", run.runs_per_sample);
  json.EndObject();
}

void WriteLimits(const MachineLimits& limits, JsonWriter& json) {
  json.BeginObject();
  json.Field("stream_bytes_per_second", limits.stream_bytes_per_second);
  json.Field("f32_flops_per_second", limits.f32_flops_per_second);
  json.Field("f64_flops_per_second", limits.f64_flops_per_second);
  json.EndObject();
}

void WriteMemory(const Executable::MemoryStats& memory, JsonWriter& json) {
  json.BeginObject();
  json.Field("arguments", memory.argument_bytes);
  json.Field("outputs", memory.output_bytes);
  json.Field("aliases", memory.alias_bytes);
  json.Field("temporaries", memory.temp_bytes);
  json.Field("code", memory.code_bytes);
  json.Field("peak", memory.peak_bytes);
  json.EndObject();
}

}  // namespace

double Quantile(const std::vector<double>& sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

absl::StatusOr<RunTimes> TimeRuns(
    const Executable& executable,
    absl::Span<const std::vector<Literal>> arguments, int64_t samples,
    double seconds) {
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<ProgramBuffers> buffers,
                      ProgramBuffers::Create(executable, arguments));
  const Executable::RunOptions options;
  const auto run = [&] {
    return executable.ExecuteBuffers(buffers->devices(), options);
  };
  // The first run touches memory and wakes threads; the second gives an
  // estimate.
  TF_RETURN_IF_ERROR(run());
  Stopwatch clock;
  TF_RETURN_IF_ERROR(run());
  const double guess = std::max(clock.Lap(), 1e-8);
  RunTimes times;
  times.runs_per_sample = std::clamp<int64_t>(
      static_cast<int64_t>(kLeastSampleSeconds / guess), 1, kMaxRunsPerSample);
  std::vector<double> all;
  double spent = 0;
  while (samples > 0 ? static_cast<int64_t>(all.size()) < samples
                     : spent < seconds || all.size() < kLeastSamples) {
    clock.Lap();
    for (int64_t i = 0; i < times.runs_per_sample; ++i) {
      TF_RETURN_IF_ERROR(run());
    }
    const double lap = clock.Lap();
    spent += lap;
    all.push_back(lap / times.runs_per_sample);
  }
  std::sort(all.begin(), all.end());
  times.samples = all.size();
  times.least = all.front();
  times.lower_quartile = Quantile(all, 0.25);
  times.median = Quantile(all, 0.5);
  times.upper_quartile = Quantile(all, 0.75);
  return times;
}

std::string BenchmarkTable(const Benchmark& benchmark) {
  const RunTimes& run = benchmark.run;
  std::string text = absl::StrFormat(
      "%s: backend %s, %d threads\n"
      "compile  %s%s; the first one %s\n",
      benchmark.program, benchmark.backend, benchmark.threads,
      TimeText(benchmark.compile_seconds),
      benchmark.compile.from_cache ? ", from the compilation cache" : "",
      TimeText(benchmark.first_compile_seconds));
  for (const CompileReport::Phase& phase : benchmark.compile.phases) {
    absl::StrAppendFormat(&text, "  %-12s %s\n", phase.name,
                          TimeText(phase.seconds));
  }
  for (const CompileReport::Count& count : benchmark.compile.counts) {
    absl::StrAppendFormat(&text, "  %-12s %d\n", count.name, count.number);
  }
  absl::StrAppendFormat(
      &text,
      "run      median %s, quartiles %s to %s, least %s; %d samples of %d "
      "%s\n",
      TimeText(run.median), TimeText(run.lower_quartile),
      TimeText(run.upper_quartile), TimeText(run.least), run.samples,
      run.runs_per_sample, run.runs_per_sample == 1 ? "run" : "runs");
  if (std::isfinite(benchmark.compile.run_nanoseconds)) {
    absl::StrAppendFormat(&text, "         predicted %s on one thread\n",
                          TimeText(benchmark.compile.run_nanoseconds * 1e-9));
  }
  const double flops = benchmark.cost.flops / run.median;
  const double bytes = benchmark.cost.bytes / run.median;
  absl::StrAppendFormat(
      &text, "         %.3f GFLOP/s, %.1f%% of %.1f (%s multiply-adds)\n",
      flops / 1e9, 100 * Share(flops, FlopsLimit(benchmark)),
      FlopsLimit(benchmark) / 1e9, benchmark.is_f64 ? "f64" : "f32");
  absl::StrAppendFormat(
      &text, "         %.3f GB/s, %.1f%% of %.1f (two reads, one write)\n",
      bytes / 1e9, 100 * Share(bytes, benchmark.limits.stream_bytes_per_second),
      benchmark.limits.stream_bytes_per_second / 1e9);
  absl::StrAppendFormat(&text, "cost     %.6g flops, %s%s\n",
                        benchmark.cost.flops, BytesText(benchmark.cost.bytes),
                        benchmark.cost.has_unknown_loops
                            ? "; some loop bodies counted once"
                            : "");
  return text + MemoryReport(benchmark.memory);
}

std::string BenchmarkJson(const Benchmark& benchmark) {
  const double flops = benchmark.cost.flops / benchmark.run.median;
  const double bytes = benchmark.cost.bytes / benchmark.run.median;
  JsonWriter json;
  json.BeginObject();
  json.Field("program", benchmark.program);
  json.Field("file", benchmark.file);
  json.Field("backend", benchmark.backend);
  json.Field("threads", benchmark.threads);
  json.Field("processor", cpu::ProcessorTarget().cpu);
  json.Field("vector_bytes", cpu::HostTarget().vector_bytes);
  json.Key("compile");
  WriteCompile(benchmark, json);
  json.Key("run");
  WriteRun(benchmark.run, json);
  json.Field("predicted", benchmark.compile.run_nanoseconds * 1e-9);
  json.Field("flops", benchmark.cost.flops);
  json.Field("bytes", benchmark.cost.bytes);
  json.Field("has_unknown_loops", benchmark.cost.has_unknown_loops);
  json.Field("is_f64", benchmark.is_f64);
  json.Field("flops_per_second", flops);
  json.Field("bytes_per_second", bytes);
  json.Field("share_of_flops_limit", Share(flops, FlopsLimit(benchmark)));
  json.Field("share_of_stream_limit",
             Share(bytes, benchmark.limits.stream_bytes_per_second));
  json.Key("limits");
  WriteLimits(benchmark.limits, json);
  json.Key("memory");
  WriteMemory(benchmark.memory, json);
  json.EndObject();
  return std::move(json).Take();
}

std::string BenchmarkPage(absl::Span<const Benchmark> benchmarks) {
  JsonWriter json;
  json.BeginObject();
  json.Key("benchmarks");
  json.BeginArray();
  for (const Benchmark& each : benchmarks) json.Raw(BenchmarkJson(each));
  json.EndArray();
  json.EndObject();
  return MakePage(PageKind::kBenchmark, "Benchmarks", std::move(json).Take());
}

}  // namespace xla::tools
