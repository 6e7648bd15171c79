// RunGroup: what the devices of one run share: the rendezvous of collectives,
// and channels.
#ifndef XLA_BACKENDS_CPU_THUNKS_RUN_GROUP_H_
#define XLA_BACKENDS_CPU_THUNKS_RUN_GROUP_H_

#include <atomic>
#include <cstddef>
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
#include "absl/types/span.h"
#include "xla/backends/cpu/thunks/device_scheduler.h"
#include "xla/core/shape.h"
#include "xla/hlo/ops/device/device_groups.h"
#include "xla/runtime/memory_chunk.h"

namespace xla::cpu {

struct CollectiveProgress;
class CollectiveThunk;
class DeviceRun;

// A device at a collective.
struct RendezvousParticipant {
  DeviceRun* run = nullptr;
  const CollectiveThunk* thunk = nullptr;
  // Null if the device waits here for the exchange.
  CollectiveProgress* progress = nullptr;
};

// Where the members of a collective meet, again and again.
class Rendezvous {
 public:
  explicit Rendezvous(size_t members)
      : participants_(members), missing_(static_cast<int64_t>(members)) {}

  // Adds member number `place`. Returns true for the last one to arrive, which
  // may then use what all others wait with; it calls Reopen and resumes them.
  bool Arrive(int64_t place, RendezvousParticipant me) {
    participants_[place].thunk = me.thunk;
    participants_[place].progress = me.progress;
    std::atomic_ref(participants_[place].run)
        .store(me.run, std::memory_order_relaxed);
    return missing_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  absl::Span<const RendezvousParticipant> participants() const {
    return participants_;
  }
  // Forgets who has arrived. While members wait only the last one to arrive
  // may call it.
  void Reopen();
  // Whether nobody has arrived yet.
  bool is_open() const {
    return missing_.load() == static_cast<int64_t>(participants_.size());
  }
  // Returns those of `members`, which are in the order of their places, that
  // have not arrived. Others may arrive meanwhile.
  std::vector<int64_t> Missing(absl::Span<const int64_t> members);

 private:
  // `run` is null for who has not arrived; Missing reads it at any time.
  std::vector<RendezvousParticipant> participants_;
  std::atomic<int64_t> missing_;
};

// Thread safe. Used for one run at a time.
class RunGroup {
 public:
  explicit RunGroup(DeviceCounts counts)
      : counts_(counts),
        scheduler_(std::make_shared<DeviceScheduler>()),
        found_(counts.devices()) {}

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
  using Participant = RendezvousParticipant;
  // Returns the rendezvous of the key, made at the first call. Device `run`,
  // which is one of the members, looks it up without a lock from its second
  // call on.
  Rendezvous& RendezvousOf(const RendezvousKey& key, const DeviceRun& run);

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

  // Clears the state that the last run left. The next one has the same thunks.
  void EndRun();
  // The same if the next run may have other thunks.
  void Reset();

 private:
  struct Channel {
    std::deque<Message> messages;
    std::deque<int64_t> waiting;
  };
  using Key =
      std::tuple<absl::string_view, int64_t, const void*, std::vector<int64_t>>;

  const DeviceCounts counts_;
  const std::shared_ptr<DeviceScheduler> scheduler_;
  std::mutex mutex_;  // guards the following two
  absl::flat_hash_map<Key, std::unique_ptr<Rendezvous>> rendezvous_;
  absl::flat_hash_map<ChannelKey, Channel> channels_;

  // What each device has looked up, by the thunk; the device's thread uses it
  // without the lock.
  std::vector<absl::flat_hash_map<const CollectiveThunk*, Rendezvous*>> found_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_RUN_GROUP_H_
