// Runs two small loops on all threads and takes the best of several times:
// noise only ever makes them slower.
#include "xla/tools/benchmark/machine_limits.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "xla/backends/compile_report.h"
#include "xla/base/status_macros.h"
#include "xla/runtime/memory_chunk.h"
#include "xla/tools/benchmark/machine_loops.h"

namespace xla::tools {
namespace {

// Bounds of the arrays in bytes: above the caches of one core, and small enough
// to be touched in a moment.
constexpr int64_t kLeastArrayBytes = int64_t{32} << 20;
constexpr int64_t kMaxArrayBytes = int64_t{192} << 20;
// Elements of a task: 1 MiB per array.
constexpr int64_t kPieceElements = int64_t{1} << 17;
constexpr int kStreamRuns = 12;
// Many short runs: on a busy machine, all threads have their processors for a
// few milliseconds at least once.
constexpr int kFmaRuns = 80;
constexpr double kFmaSeconds = 0.0025;

// The size of each of three arrays in bytes: together twice the last-level
// cache, within bounds and a small part of the memory.
int64_t StreamArrayBytes() {
  int64_t cache = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
  cache = std::max<int64_t>(sysconf(_SC_LEVEL3_CACHE_SIZE), 0);
#endif
  int64_t bytes = std::clamp(cache / 3 * 2, kLeastArrayBytes, kMaxArrayBytes);
  return std::min(bytes, std::max<int64_t>(MachineMemoryBytes() / 16, 1 << 20));
}

absl::StatusOr<double> StreamBandwidth(ParallelRunner& runner) {
  const int64_t pieces = std::max<int64_t>(
      1, StreamArrayBytes() / static_cast<int64_t>(sizeof(double)) /
             kPieceElements);
  const int64_t bytes =
      pieces * kPieceElements * static_cast<int64_t>(sizeof(double));
  MemoryChunk chunks[3];
  double* arrays[3];
  for (int i = 0; i < 3; ++i) {
    TF_ASSIGN_OR_RETURN(chunks[i], MemoryChunk::Allocate(bytes));
    arrays[i] = reinterpret_cast<double*>(chunks[i].data());
  }
  runner.ParallelFor(pieces, [&](int64_t piece) {
    for (double* array : arrays) {
      std::fill_n(array + piece * kPieceElements, kPieceElements, 1.0);
    }
  });
  double best = 0;
  for (int run = 0; run < kStreamRuns; ++run) {
    const auto loop = run % 2 == 0 ? TriadStreaming : Triad;
    Stopwatch clock;
    runner.ParallelFor(pieces, [&](int64_t piece) {
      const int64_t at = piece * kPieceElements;
      loop(arrays[0] + at, arrays[1] + at, arrays[2] + at, kPieceElements);
    });
    best = std::max(best, 3.0 * bytes / clock.Lap());
  }
  return best;
}

double FmaPeak(const FmaLoop& loop, ParallelRunner& runner) {
  std::atomic<double> sink{0};  // keeps results alive
  int64_t count = 1 << 14;
  for (double seconds = 0; seconds < kFmaSeconds / 4; count *= 2) {
    Stopwatch clock;
    sink = loop.run(count);
    seconds = clock.Lap();
  }
  double best = 0;
  for (int run = 0; run < kFmaRuns; ++run) {
    Stopwatch clock;
    runner.ParallelFor(runner.num_threads(),
                       [&](int64_t) { sink = loop.run(count); });
    best = std::max(
        best, loop.flops_per_turn * count * runner.num_threads() / clock.Lap());
  }
  return best;
}

}  // namespace

absl::StatusOr<MachineLimits> MeasureMachineLimits(ParallelRunner& runner) {
  MachineLimits limits;
  TF_ASSIGN_OR_RETURN(limits.stream_bytes_per_second, StreamBandwidth(runner));
  limits.f32_flops_per_second = FmaPeak(F32FmaLoop(), runner);
  limits.f64_flops_per_second = FmaPeak(F64FmaLoop(), runner);
  return limits;
}

}  // namespace xla::tools
