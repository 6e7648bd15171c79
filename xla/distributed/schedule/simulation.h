// Runs the schedules of all processes of a group over a model of a network, in
// one thread: how long they take, what they send, and whether they end.
#ifndef XLA_DISTRIBUTED_SCHEDULE_SIMULATION_H_
#define XLA_DISTRIBUTED_SCHEDULE_SIMULATION_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "xla/distributed/schedule/schedule.h"

namespace xla::distributed {

// Every process has one link to a switch that is never full. A message leaves
// when the ones before it have left, takes `latency_seconds` and arrives when
// those before it have arrived.
struct LinkModel {
  double latency_seconds = 50e-6;
  double seconds_per_message = 5e-6;  // keeps the sender's link busy
  double bytes_per_second = 1e9;      // in each direction
  double fold_bytes_per_second = 10e9;
};

struct SimulationResult {
  double seconds = 0;
  int64_t messages = 0;
  int64_t bytes = 0;            // sent, all processes together
  int64_t most_sent_bytes = 0;  // of one process
  int64_t most_received_bytes = 0;
  int64_t most_messages = 0;  // sent by one process
  // The longest chain of messages of which each waits for the one before.
  int64_t steps = 0;
  int64_t most_work_bytes = 0;
};

// Called for a message when it is received: from place `from`, with its step
// there, to the step of place `to`; and for folds. May move real bytes.
struct SimulationObserver {
  absl::FunctionRef<void(int from, const Step& sent, int to, const Step& step)>
      receive;
  absl::FunctionRef<void(int place, const Step& step)> fold;
};

// `schedule_of` gives the schedule of a place; it is called once for each.
// Errors: Internal if processes wait for each other forever, if sizes of
// messages differ, or if a message is never received.
absl::StatusOr<SimulationResult> Simulate(
    int places, absl::FunctionRef<Schedule(int)> schedule_of,
    const LinkModel& model, const SimulationObserver* observer = nullptr);

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_SCHEDULE_SIMULATION_H_
