// DeviceContext: what one device of a run shares with the others and the host:
// its number, collectives, channels, queues and random state.
#ifndef XLA_HLO_EVALUATOR_INTERPRETER_DEVICE_CONTEXT_H_
#define XLA_HLO_EVALUATOR_INTERPRETER_DEVICE_CONTEXT_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/lockstep.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/runtime/transfer_queues.h"

namespace xla {

// Runs a custom call instead of the registered functions.
using CustomCallHandler = std::function<absl::StatusOr<Literal>(
    const HloInstruction* custom_call, absl::Span<const Literal*> operands)>;

// Runs a custom call of API_VERSION_TYPED_FFI for the device of that number.
using FfiCallHandler = std::function<absl::StatusOr<Value>(
    const HloInstruction& custom_call, int64_t device,
    std::vector<Value> operands)>;

// The state that rng-get-and-update-state gives first on a device of a run.
absl::uint128 InitialRngState(uint64_t seed, int64_t device);
// The counter behind the random bits of rng on a device of a run, and the next
// 64 of them.
uint64_t InitialRandomCounter(uint64_t seed, int64_t device);
uint64_t NextRandomBits(uint64_t& counter);

// Where values that a send and a recv share wait: the channel, and the device
// they go to (-1: whichever asks first).
using ChannelKey = std::pair<int64_t, int64_t>;

// The devices of one run, replica * num_partitions + partition in number.
class DeviceGroup {
 public:
  DeviceGroup(int64_t num_replicas, int64_t num_partitions)
      : num_replicas_(num_replicas),
        num_partitions_(num_partitions),
        lockstep_(num_replicas * num_partitions) {}

  int64_t num_replicas() const { return num_replicas_; }
  int64_t num_partitions() const { return num_partitions_; }
  int64_t num_devices() const { return num_replicas_ * num_partitions_; }
  Lockstep& lockstep() { return lockstep_; }

 private:
  friend class DeviceContext;

  // One meeting of the participants of a collective, until all have come.
  struct Meeting {
    std::vector<std::vector<Value>> contributions;
    size_t missing = 0;
  };

  const int64_t num_replicas_;
  const int64_t num_partitions_;
  Lockstep lockstep_;
  // Both used during a turn of lockstep_ alone.
  std::map<std::string, std::shared_ptr<Meeting>> meetings_;
  std::map<ChannelKey, std::deque<Value>> channels_;
};

// Used by the device's own thread alone.
class DeviceContext {
 public:
  // A device on its own.
  explicit DeviceContext(uint64_t seed = 0);
  // Device `number` of `group`. `queues` may be null: then ops that need the
  // host fail. Both outlive this.
  DeviceContext(DeviceGroup* group, int64_t number, uint64_t seed,
                TransferQueues* queues);

  int64_t number() const { return number_; }
  int64_t replica_id() const { return number_ / num_partitions(); }
  int64_t partition_id() const { return number_ % num_partitions(); }
  int64_t num_replicas() const { return group_->num_replicas(); }
  int64_t num_partitions() const { return group_->num_partitions(); }

  // Waits until all `participants`, device numbers of which this is one, have
  // come to the same collective, and returns what each brought, in the order
  // of `participants`. The collective is the one of the same `op` name and
  // `channel_id` or, without a channel (0), the same instruction. Errors:
  // Aborted in a deadlock, Cancelled when another device failed.
  absl::StatusOr<std::vector<std::vector<Value>>> Exchange(
      const HloInstruction& hlo, int64_t channel_id,
      absl::Span<const int64_t> participants, std::vector<Value> mine);

  // Sends do not wait. Receives wait for a value. Errors: as Exchange.
  void Send(const ChannelKey& channel, Value value);
  absl::StatusOr<Value> Receive(const HloInstruction& hlo,
                                const ChannelKey& channel);

  // A recv under way, and what it will receive from, by a number that fits the
  // u32[] context in its result. Forgotten once taken.
  struct PendingRecv {
    bool receives = true;  // false: nobody sends to this device
    bool from_host = false;
    ChannelKey channel;
  };
  uint32_t AddPendingRecv(const PendingRecv& recv);
  // Errors: InvalidArgument for a number that no recv gave or that was taken.
  absl::StatusOr<PendingRecv> TakePendingRecv(const HloInstruction& hlo,
                                              uint32_t number);

  // The next literal that the host has put into `queue`; `hlo` is for errors.
  absl::StatusOr<Literal> PopFromHost(const HloInstruction& hlo,
                                      TransferQueue& queue);
  // Errors: FailedPrecondition naming `hlo` if the device has none.
  absl::StatusOr<TransferQueues*> Queues(const HloInstruction& hlo);

  // The state of rng-get-and-update-state before `delta` is added.
  absl::uint128 GetAndUpdateRngState(int64_t delta);
  // A fresh 64 random bits for the rng op; follows from seed and device number.
  uint64_t NextRandomBits();

  const CustomCallHandler& custom_call_handler() const {
    return custom_call_handler_;
  }
  void set_custom_call_handler(CustomCallHandler handler) {
    custom_call_handler_ = std::move(handler);
  }
  const FfiCallHandler& ffi_call_handler() const { return ffi_call_handler_; }
  void set_ffi_call_handler(FfiCallHandler handler) {
    ffi_call_handler_ = std::move(handler);
  }

 private:
  std::unique_ptr<DeviceGroup> own_group_;
  DeviceGroup* group_;
  int64_t number_ = 0;
  TransferQueues* queues_ = nullptr;
  absl::uint128 rng_state_;
  uint64_t random_counter_;
  uint32_t next_recv_ = 1;
  std::map<uint32_t, PendingRecv> pending_recvs_;
  CustomCallHandler custom_call_handler_;
  FfiCallHandler ffi_call_handler_;
};

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_INTERPRETER_DEVICE_CONTEXT_H_
