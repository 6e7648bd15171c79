// What the work of this thread has; cancellation.h and activity.h set it.
// Inline, since runs of the smallest programs take only tens of nanoseconds.
#ifndef XLA_BASE_CONTROL_THREAD_WORK_H_
#define XLA_BASE_CONTROL_THREAD_WORK_H_

namespace xla {

class Activity;
class CancellationToken;

namespace internal {

struct ThreadWork {
  const CancellationToken* token = nullptr;
  Activity* activity = nullptr;
};
extern constinit thread_local ThreadWork thread_work;

}  // namespace internal
}  // namespace xla

#endif  // XLA_BASE_CONTROL_THREAD_WORK_H_
