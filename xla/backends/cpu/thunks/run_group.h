// RunGroup: what the devices of one run share: the rendezvous of collectives,
// and channels.
#ifndef XLA_BACKENDS_CPU_THUNKS_RUN_GROUP_H_
#define XLA_BACKENDS_CPU_THUNKS_RUN_GROUP_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/thunks/device_scheduler.h"
#include "xla/core/shape.h"
#include "xla/hlo/ops/device/device_groups.h"
#include "xla/runtime/memory_chunk.h"

namespace xla::cpu {

class CollectiveThunk;
class DeviceRun;

// Thread safe. Used for one run at a time.
class RunGroup {
 public:
  explicit RunGroup(DeviceCounts counts)
      : counts_(counts), scheduler_(std::make_shared<DeviceScheduler>()) {}

  int64_t num_replicas() const { return counts_.replicas; }
  int64_t num_partitions() const { return counts_.partitions; }
  int64_t num_devices() const { return counts_.devices(); }
  DeviceScheduler& scheduler() { return *scheduler_; }

  // The key of a rendezvous: the op name, the channel or, without a channel
  // (0), the thunk, and the device numbers of the members.
  struct RendezvousKey {
    absl::string_view op;
    int64_t channel = 0;
    const CollectiveThunk* thunk = nullptr;         // without a channel
    const std::vector<int64_t>* members = nullptr;  // not owned
  };
  struct Participant {
    DeviceRun* run = nullptr;
    const CollectiveThunk* thunk = nullptr;
  };
  // Adds `me` as member number `position`. The last member to arrive gets all
  // participants, in the order of the members, and must resume the others; the
  // others get an empty list and must wait. The next arrival begins the next
  // rendezvous of the key.
  std::vector<Participant> Join(const RendezvousKey& key, int64_t position,
                                Participant me);

  // The queue of values from sends to recvs: the channel, and the receiving
  // device (-1 for the first device that asks).
  using ChannelKey = std::pair<int64_t, int64_t>;
  struct Message {
    MemoryChunk data;
    const Shape* shape = nullptr;
  };
  // Adds a message and resumes a device that waits for it.
  void Send(const ChannelKey& channel, Message message);
  // Returns nullopt if there is no message; then `device` must wait, and is
  // resumed when it should try again.
  std::optional<Message> Receive(const ChannelKey& channel, int64_t device);

  // Clears the state that the last run left.
  void Reset();

 private:
  struct Rendezvous {
    std::vector<Participant> participants;
    int64_t missing = 0;
  };
  struct Channel {
    std::deque<Message> messages;
    std::deque<int64_t> waiting;
  };
  using Key =
      std::tuple<absl::string_view, int64_t, const void*, std::vector<int64_t>>;

  const DeviceCounts counts_;
  const std::shared_ptr<DeviceScheduler> scheduler_;
  std::mutex mutex_;  // guards all below
  absl::flat_hash_map<Key, Rendezvous> rendezvous_;
  absl::flat_hash_map<ChannelKey, Channel> channels_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_RUN_GROUP_H_
