// Tasks go to lanes as pieces of a loop go to threads, so that those of the
// same number stay on the same thread from one product to the next.
#include "xla/runtime/lanes.h"

#include "xla/runtime/loop_board.h"
#include "xla/runtime/work_shares.h"

namespace xla {
namespace {

// As of loops; more lanes have shares in common.
constexpr int64_t kMaxShares = LoopBoard::kMaxShares;

}  // namespace

void ForEachTask(ParallelRunner& runner, int64_t tasks,
                 absl::FunctionRef<void(int64_t, int64_t)> fn) {
  const int64_t lanes = LanesOf(tasks, runner.num_threads());
  if (lanes >= tasks) {
    if (tasks == 1) return fn(0, 0);
    return runner.ParallelFor(tasks, [&](int64_t task) { fn(task, task); });
  }
  if (lanes == 1 || tasks > WorkShares::kMaxPieces) {
    for (int64_t task = 0; task < tasks; ++task) fn(task, 0);
    return;
  }
  WorkShares::Share memory[kMaxShares];
  const int64_t count = std::min(lanes, kMaxShares);
  const WorkShares shares(memory, static_cast<int>(count), tasks);
  runner.ParallelFor(lanes, [&](int64_t lane) {
    const int home = static_cast<int>(lane % count);
    for (int64_t task; (task = shares.Take(home)) >= 0;) fn(task, lane);
  });
}

}  // namespace xla
