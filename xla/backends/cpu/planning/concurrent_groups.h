// FindConcurrentGroups: which thunks of a straight-line stretch run side by
// side.
#ifndef XLA_BACKENDS_CPU_PLANNING_CONCURRENT_GROUPS_H_
#define XLA_BACKENDS_CPU_PLANNING_CONCURRENT_GROUPS_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/planning/run_cost.h"
#include "xla/backends/cpu/planning/thunk_plan.h"

namespace xla::cpu {

// What is known of a thunk before it runs.
struct ThunkCost {
  // On one thread; infinite if that is not known.
  double nanoseconds = 0;
  // It divides its work among the threads itself.
  bool is_split = false;
  // Thunk::may_run_concurrently().
  bool may_run_concurrently = false;
};

// Of a thunk that computes or copies; `may_run_concurrently` is left open.
ThunkCost CostOfThunk(const ThunkPlan& plan, const PlannedThunk& thunk,
                      const RunCosts& costs);

// Thunks [begin, end) of the stretch, divided into chains that do not conflict.
struct ConcurrentGroup {
  int begin = 0;
  int end = 0;
  std::vector<int> chain_of;  // by thunk from `begin` on; chains from 0 on
};

// Groups of neighbours that gain by running side by side, in order and apart.
// Decided for two threads, as results and memory must not depend on how many
// there are: what two threads gain by, more do. `conflict(a, b)`, a < b: thunk
// b must not run before thunk a has ended. Buffers were placed for the order of
// the program, so that thunks without data in common may conflict too.
std::vector<ConcurrentGroup> FindConcurrentGroups(
    absl::Span<const ThunkCost> thunks,
    absl::FunctionRef<bool(int, int)> conflict);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_CONCURRENT_GROUPS_H_
