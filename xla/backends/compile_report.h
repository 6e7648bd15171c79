// CompileReport: what a compilation did and how long each part took.
#ifndef XLA_BACKENDS_COMPILE_REPORT_H_
#define XLA_BACKENDS_COMPILE_REPORT_H_

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace xla {

struct CompileReport {
  // In the order in which they ran; a pass that ran again is listed again.
  struct Pass {
    std::string name;
    double seconds = 0;
    bool changed = false;
  };
  // "passes", "buffers", ..., in order. Phases that several threads share are
  // sums over threads, and so may exceed the time that the caller waited.
  struct Phase {
    std::string name;
    double seconds = 0;
  };
  // "kernels", "thunks", ...: the numbers of what was made.
  struct Count {
    std::string name;
    int64_t number = 0;
  };

  // The cost of one execution of a thunk on one thread, as a backend's cost
  // model predicts it; infinite if it is not known.
  struct ThunkCost {
    std::string name;
    double nanoseconds = 0;
    double bytes = 0;  // that are read and written, each once
  };

  // What would make the program faster, and why the compiler did not do it.
  struct MissedOptimization {
    // "not fused", "not in place", "not vectorized", "not skipped"
    std::string kind;
    std::string instruction;  // its name after all passes
    std::string source_line;  // "model.py:12"; empty if the program says none
    std::string op_name;      // of the metadata, likewise
    std::string reason;
    std::string advice;      // what the user can do; empty if that is not known
    double nanoseconds = 0;  // of a run on one thread, that it may cost
    double bytes = 0;        // of memory that are moved for it
  };

  // Whether the code came from the compilation cache; then no passes ran.
  bool from_cache = false;
  std::vector<Pass> passes;
  std::vector<Phase> phases;
  std::vector<Count> counts;
  double seconds = 0;                  // what the caller waited, all in all
  std::vector<ThunkCost> thunk_costs;  // in order, without jumps
  // The predicted duration of a run on one thread; infinite if it is not known.
  double run_nanoseconds = std::numeric_limits<double>::infinity();
  // The same if loops whose trip counts are not known run once.
  double shortest_run_nanoseconds = std::numeric_limits<double>::infinity();

  // Dearest first; only if the debug options ask for it
  // (xla_backend_extra_options has xla_tessera_explain).
  std::vector<MissedOptimization> missed;

  // 0 for unknown names.
  double PhaseSeconds(absl::string_view name) const;
  int64_t CountOf(absl::string_view name) const;

  // Prints phases, counts, and passes summed by name, longest first.
  std::string ToString() const;
};

// Prints one line for each pass name: how often it ran, how often it changed
// something, and its total time, longest first.
std::string PassTimesToString(const std::vector<CompileReport::Pass>& passes);

// Measures the times of consecutive parts.
class Stopwatch {
 public:
  // Seconds since the last call, or since construction.
  double Lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> lap = now - last_;
    last_ = now;
    return lap.count();
  }

 private:
  std::chrono::steady_clock::time_point last_ =
      std::chrono::steady_clock::now();
};

}  // namespace xla

#endif  // XLA_BACKENDS_COMPILE_REPORT_H_
