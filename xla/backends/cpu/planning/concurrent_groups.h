// FindConcurrentGroups decides which thunks of a straight-line stretch run side
// by side.
#ifndef XLA_BACKENDS_CPU_PLANNING_CONCURRENT_GROUPS_H_
#define XLA_BACKENDS_CPU_PLANNING_CONCURRENT_GROUPS_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/planning/run_cost.h"
#include "xla/backends/cpu/planning/thunk_plan.h"

namespace xla::cpu {

// The costs of a thunk that are known before it runs.
struct ThunkCost {
  // The time on one thread; infinite if unknown.
  double nanoseconds = 0;
  // Whether it divides its own work among the threads.
  bool is_split = false;
  // Thunk::may_run_concurrently().
  bool may_run_concurrently = false;
};

// Returns the cost of a thunk that computes or copies; leaves
// `may_run_concurrently` unset.
ThunkCost CostOfThunk(const ThunkPlan& plan, const PlannedThunk& thunk,
                      const RunCosts& costs);

// Thunks [begin, end) of the stretch, divided into chains that do not conflict.
struct ConcurrentGroup {
  int begin = 0;
  int end = 0;
  std::vector<int> chain_of;  // by thunk from `begin` on; chains from 0 on
};

// Returns disjoint groups of adjacent thunks that save time by running side by
// side, in order. Decides for two threads, since results and memory must not
// depend on the number of threads: what saves time with two also does with
// more. `conflict(a, b)`, for a < b, says that thunk b must not run before
// thunk a has ended. Buffers were placed for the order of the program, so
// thunks without data in common may conflict too.
std::vector<ConcurrentGroup> FindConcurrentGroups(
    absl::Span<const ThunkCost> thunks,
    absl::FunctionRef<bool(int, int)> conflict);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_CONCURRENT_GROUPS_H_
