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
#include "xla/runtime/random_state.h"
#include "xla/runtime/transfer_queues.h"

namespace xla {

// Runs a custom call instead of the registered functions.
using CustomCallHandler = std::function<absl::StatusOr<Literal>(
    const HloInstruction* custom_call, absl::Span<const Literal*> operands)>;

// Runs a custom call of API_VERSION_TYPED_FFI for the device with that number.
using FfiCallHandler = std::function<absl::StatusOr<Value>(
    const HloInstruction& custom_call, int64_t device,
    std::vector<Value> operands)>;

// The key of values that a send and a recv share: the channel, and the device
// that they go to (-1: the first to ask).
using ChannelKey = std::pair<int64_t, int64_t>;

// The devices of one run, numbered replica * num_partitions + partition.
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
  // Both are used only during a turn of lockstep_.
  std::map<std::string, std::shared_ptr<Meeting>> meetings_;
  std::map<ChannelKey, std::deque<Value>> channels_;
};

// Only the device's own thread uses it.
class DeviceContext {
 public:
  // Makes a device that is alone.
  explicit DeviceContext(uint64_t seed = 0);
  // Makes device `number` of `group`. `queues` may be null: then ops that need
  // the host fail. Both must outlive this.
  DeviceContext(DeviceGroup* group, int64_t number, uint64_t seed,
                TransferQueues* queues);

  int64_t number() const { return number_; }
  int64_t replica_id() const { return number_ / num_partitions(); }
  int64_t partition_id() const { return number_ % num_partitions(); }
  int64_t num_replicas() const { return group_->num_replicas(); }
  int64_t num_partitions() const { return group_->num_partitions(); }

  // Waits until all `participants`, device numbers of which this is one, have
  // reached the same collective, and returns what each contributed, in the
  // order of `participants`. Collectives are the same if they have the same
  // opcode and `channel_id` or, without a channel (0), are the same
  // instruction. Errors: Aborted in a deadlock, Cancelled when another device
  // failed.
  absl::StatusOr<std::vector<std::vector<Value>>> Exchange(
      const HloInstruction& hlo, int64_t channel_id,
      absl::Span<const int64_t> participants, std::vector<Value> mine);

  // Sends do not wait. Receives wait for a value. Errors: as Exchange.
  void Send(const ChannelKey& channel, Value value);
  absl::StatusOr<Value> Receive(const HloInstruction& hlo,
                                const ChannelKey& channel);

  // A pending recv and the channel that it will receive from, under a number
  // that fits the u32[] context in its result. Removed once taken.
  struct PendingRecv {
    bool receives = true;  // false: no device sends to this one
    bool from_host = false;
    ChannelKey channel;
  };
  uint32_t AddPendingRecv(const PendingRecv& recv);
  // Errors: InvalidArgument for a number that no recv returned or that was
  // taken.
  absl::StatusOr<PendingRecv> TakePendingRecv(const HloInstruction& hlo,
                                              uint32_t number);

  // Returns the host's next literal in `queue`; `hlo` is for errors.
  absl::StatusOr<Literal> PopFromHost(const HloInstruction& hlo,
                                      TransferQueue& queue);
  // Errors: FailedPrecondition naming `hlo` if the device has no queues.
  absl::StatusOr<TransferQueues*> Queues(const HloInstruction& hlo);

  // Returns the state of rng-get-and-update-state before `delta` is added.
  absl::uint128 GetAndUpdateRngState(int64_t delta);
  // Returns 64 fresh random bits for the rng op, a function of the seed, the
  // device number and the number of calls before.
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
