// Rendezvous: joins calls from several threads, one for each device of a
// program, to one run of all devices.
#ifndef XLA_CLIENT_RENDEZVOUS_H_
#define XLA_CLIENT_RENDEZVOUS_H_

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "xla/core/literal/literal.h"

namespace xla {

// Thread safe.
class Rendezvous {
 public:
  using Arguments = std::vector<Literal>;
  // Runs all devices; arguments and results are by device.
  using Run = absl::FunctionRef<absl::StatusOr<std::vector<Literal>>(
      const std::vector<Arguments>& arguments)>;

  // A device that waits for the others longer than `timeout` fails.
  explicit Rendezvous(absl::Duration timeout) : timeout_(timeout) {}

  // Waits for all `count` devices of the run; this is device `device`. The last
  // one to arrive calls its `run`; each gets its own result. Errors: those of
  // `run`, to all; DeadlineExceeded naming the missing devices, to all that
  // arrived; InvalidArgument if the device has arrived before.
  absl::StatusOr<Literal> Join(int64_t run_id, int64_t device, int64_t count,
                               Arguments arguments, Run run);

 private:
  struct Meeting {
    std::vector<std::optional<Arguments>> arguments;  // by device
    int64_t missing;
    bool done = false;
    absl::Status status;
    std::vector<Literal> results;
    std::condition_variable changed;
  };

  // The devices that have not arrived: " 1 3".
  static std::string Absent(const Meeting& meeting);
  absl::StatusOr<Literal> WaitFor(Meeting& meeting, int64_t run_id,
                                  int64_t device,
                                  std::unique_lock<std::mutex>& lock);
  absl::StatusOr<Literal> RunAll(Meeting& meeting, int64_t device, Run run,
                                 std::unique_lock<std::mutex>& lock);

  const absl::Duration timeout_;
  std::mutex mutex_;  // guards all members
  // Shared by the waiting threads. A meeting leaves the map when it is
  // complete, so that its run id may be used again.
  std::map<int64_t, std::shared_ptr<Meeting>> meetings_;
};

}  // namespace xla

#endif  // XLA_CLIENT_RENDEZVOUS_H_
