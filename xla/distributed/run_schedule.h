// Carries a schedule out over a transport.
#ifndef XLA_DISTRIBUTED_RUN_SCHEDULE_H_
#define XLA_DISTRIBUTED_RUN_SCHEDULE_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "xla/distributed/message.h"
#include "xla/distributed/schedule/schedule.h"
#include "xla/distributed/transport/transport.h"
#include "xla/runtime/wait_watch.h"

namespace xla::distributed {

// The key of a message of an operation: number 0 is the frame.
uint64_t MessageKey(const Operation& operation, int64_t number);

// Combines `bytes` bytes of each source, which are elements of the vector from
// byte `begin` on, into `to`. As in Step::Kind::kFold; never called for copies.
using FoldFunction =
    absl::FunctionRef<void(int64_t begin, int64_t bytes,
                           absl::Span<const char* const> sources, char* to)>;

// The messages of one collective.
struct ScheduleRun {
  Transport& transport;
  const Operation& operation;
  absl::Span<const int> processes;  // by place
  absl::Span<char* const> spaces;   // 0: the work memory
  absl::Time deadline;
  // Called with the first error; must abort the transport.
  absl::FunctionRef<void(const absl::Status&)> abort;
  // Logs waits that take long; may be null.
  WaitWatcher* watcher = nullptr;
};

// Errors: those of the transport and of Frame::CheckAgainst, with the
// operation, the peer, and which processes have come.
absl::Status RunSchedule(const Schedule& schedule, const ScheduleRun& run,
                         FoldFunction fold);

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_RUN_SCHEDULE_H_
