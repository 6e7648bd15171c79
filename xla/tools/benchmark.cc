// Takes and prints samples.
#include "xla/tools/benchmark.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/base/status_macros.h"
#include "xla/tools/program_buffers.h"
#include "xla/tools/reports.h"

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

std::string JsonString(absl::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppendFormat(&json, "\\u%04x", c);
    } else {
      json += c;
    }
  }
  return json + "\"";
}

using Fields = std::vector<std::pair<std::string, std::string>>;

std::string JsonObject(const Fields& fields) {
  return absl::StrCat("{",
                      absl::StrJoin(fields, ", ",
                                    [](std::string* out, const auto& field) {
                                      absl::StrAppend(out,
                                                      JsonString(field.first),
                                                      ": ", field.second);
                                    }),
                      "}");
}

// JSON has no infinity.
std::string Number(double value) {
  return std::isfinite(value) ? absl::StrFormat("%.9g", value) : "null";
}

std::string CompileJson(const Benchmark& benchmark) {
  Fields phases, counts;
  for (const CompileReport::Phase& phase : benchmark.compile.phases) {
    phases.push_back({phase.name, Number(phase.seconds)});
  }
  for (const CompileReport::Count& count : benchmark.compile.counts) {
    counts.push_back({count.name, absl::StrCat(count.number)});
  }
  return JsonObject({{"first", Number(benchmark.first_compile_seconds)},
                     {"seconds", Number(benchmark.compile_seconds)},
                     {"phases", JsonObject(phases)},
                     {"counts", JsonObject(counts)}});
}

std::string RunJson(const RunTimes& run) {
  return JsonObject({{"median", Number(run.median)},
                     {"lower_quartile", Number(run.lower_quartile)},
                     {"upper_quartile", Number(run.upper_quartile)},
                     {"least", Number(run.least)},
                     {"samples", absl::StrCat(run.samples)},
                     {"runs_per_sample", absl::StrCat(run.runs_per_sample)}});
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
      "compile  %s; the first one %s\n",
      benchmark.program, benchmark.backend, benchmark.threads,
      TimeText(benchmark.compile_seconds),
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
      "run      median %s, quartiles %s to %s, least %s; %d samples of %d\n",
      TimeText(run.median), TimeText(run.lower_quartile),
      TimeText(run.upper_quartile), TimeText(run.least), run.samples,
      run.runs_per_sample);
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
  const Executable::MemoryStats& memory = benchmark.memory;
  return JsonObject({
             {"program", JsonString(benchmark.program)},
             {"backend", JsonString(benchmark.backend)},
             {"threads", absl::StrCat(benchmark.threads)},
             {"processor", JsonString(cpu::ProcessorTarget().cpu)},
             {"vector_bytes", absl::StrCat(cpu::HostTarget().vector_bytes)},
             {"compile", CompileJson(benchmark)},
             {"run", RunJson(benchmark.run)},
             {"predicted", Number(benchmark.compile.run_nanoseconds * 1e-9)},
             {"flops", Number(benchmark.cost.flops)},
             {"bytes", Number(benchmark.cost.bytes)},
             {"has_unknown_loops",
              benchmark.cost.has_unknown_loops ? "true" : "false"},
             {"flops_per_second", Number(flops)},
             {"bytes_per_second", Number(bytes)},
             {"share_of_flops_limit",
              Number(Share(flops, FlopsLimit(benchmark)))},
             {"share_of_stream_limit",
              Number(Share(bytes, benchmark.limits.stream_bytes_per_second))},
             {"limits",
              JsonObject({{"stream_bytes_per_second",
                           Number(benchmark.limits.stream_bytes_per_second)},
                          {"f32_flops_per_second",
                           Number(benchmark.limits.f32_flops_per_second)},
                          {"f64_flops_per_second",
                           Number(benchmark.limits.f64_flops_per_second)}})},
             {"memory",
              JsonObject({{"arguments", absl::StrCat(memory.argument_bytes)},
                          {"outputs", absl::StrCat(memory.output_bytes)},
                          {"aliases", absl::StrCat(memory.alias_bytes)},
                          {"temporaries", absl::StrCat(memory.temp_bytes)},
                          {"code", absl::StrCat(memory.code_bytes)},
                          {"peak", absl::StrCat(memory.peak_bytes)}})},
         }) +
         "\n";
}

}  // namespace xla::tools
