// Tasks go to slots as the pieces of a loop go to threads, so that tasks of the
// same number stay on the same thread from one loop to the next.
#include "xla/runtime/worker_slots.h"

#include "xla/runtime/loop_board.h"
#include "xla/runtime/work_shares.h"

namespace xla {
namespace {

// The most shares, the same as for loops; if there are more slots, some share
// one.
constexpr int64_t kMaxShares = LoopBoard::kMaxShares;

}  // namespace

void ForEachTask(ParallelRunner& runner, int64_t tasks,
                 absl::FunctionRef<void(int64_t, int64_t)> fn) {
  const int64_t slots = WorkerSlots(tasks, runner.num_threads());
  if (slots >= tasks) {
    if (tasks == 1) return fn(0, 0);
    return runner.ParallelFor(tasks, [&](int64_t task) { fn(task, task); });
  }
  if (slots == 1 || tasks > WorkShares::kMaxPieces) {
    for (int64_t task = 0; task < tasks; ++task) fn(task, 0);
    return;
  }
  WorkShares::Share memory[kMaxShares];
  const int64_t count = std::min(slots, kMaxShares);
  const WorkShares shares(memory, static_cast<int>(count), tasks);
  runner.ParallelFor(slots, [&](int64_t slot) {
    const int home = static_cast<int>(slot % count);
    for (int64_t task; (task = shares.Take(home)) >= 0;) fn(task, slot);
  });
}

}  // namespace xla
