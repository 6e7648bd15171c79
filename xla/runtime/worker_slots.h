// ForEachTask and ForEachRange: parallel loops that give each task a slot of
// scratch.
#ifndef XLA_RUNTIME_WORKER_SLOTS_H_
#define XLA_RUNTIME_WORKER_SLOTS_H_

#include <algorithm>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "xla/base/checked_math.h"
#include "xla/runtime/parallel.h"

namespace xla {

// Returns how many of `tasks` run at once, each with its scratch, on
// `num_threads` threads.
inline int64_t WorkerSlots(int64_t tasks, int64_t num_threads) {
  return std::max<int64_t>(std::min(tasks, num_threads), 1);
}

// Returns true if threads should take whole items of a batch rather than share
// the `parts` of one item after the other: with many items (16) that keep at
// least 80% of the threads busy, or where items keep more than twice as many
// busy as parts do.
inline bool ItemsFillThreads(int64_t items, int64_t parts,
                             int64_t num_threads) {
  constexpr int64_t kManyItems = 16;
  const auto busy = [&](int64_t tasks) {
    return static_cast<double>(tasks) / RoundUpTo(tasks, num_threads);
  };
  return parts <= 1 || (items >= kManyItems && busy(items) >= 0.8) ||
         busy(items) > 2 * busy(parts);
}

// Calls fn(task, slot) for each task, with a slot below WorkerSlots(tasks,
// runner.num_threads()). The tasks of a slot run one after the other: first
// those of the slot's own range, in order, then those that other slots have not
// reached.
void ForEachTask(ParallelRunner& runner, int64_t tasks,
                 absl::FunctionRef<void(int64_t, int64_t)> fn);

// Calls fn(first, last, slot) for `tasks` ranges that make up [0, count).
inline void ForEachRange(
    ParallelRunner& runner, int64_t count, int64_t tasks,
    absl::FunctionRef<void(int64_t, int64_t, int64_t)> fn) {
  ForEachTask(runner, tasks, [&](int64_t task, int64_t slot) {
    fn(count * task / tasks, count * (task + 1) / tasks, slot);
  });
}

}  // namespace xla

#endif  // XLA_RUNTIME_WORKER_SLOTS_H_
