// Meetings, channels, queues and random state of a device.
#include "xla/hlo/evaluator/interpreter/device_context.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"

namespace xla {

DeviceContext::DeviceContext(uint64_t seed)
    : own_group_(std::make_unique<DeviceGroup>(1, 1)),
      group_(own_group_.get()),
      rng_state_(InitialRngState(seed, 0)),
      random_counter_(InitialRandomCounter(seed, 0)) {}

DeviceContext::DeviceContext(DeviceGroup* group, int64_t number, uint64_t seed,
                             TransferQueues* queues)
    : group_(group),
      number_(number),
      queues_(queues),
      rng_state_(InitialRngState(seed, number)),
      random_counter_(InitialRandomCounter(seed, number)) {}

absl::StatusOr<std::vector<std::vector<Value>>> DeviceContext::Exchange(
    const HloInstruction& hlo, int64_t channel_id,
    absl::Span<const int64_t> participants, std::vector<Value> mine) {
  const auto me = std::find(participants.begin(), participants.end(), number_);
  TF_RET_CHECK(me != participants.end()) << hlo.name();
  const std::string key = absl::StrCat(
      hlo.def().name.data(), "/",
      channel_id > 0 ? absl::StrCat("channel ", channel_id)
                     : absl::StrCat(reinterpret_cast<uintptr_t>(&hlo)),
      "/", absl::StrJoin(participants, ","));
  std::shared_ptr<DeviceGroup::Meeting>& place = group_->meetings_[key];
  if (place == nullptr) {
    place = std::make_shared<DeviceGroup::Meeting>();
    place->contributions.resize(participants.size());
    place->missing = participants.size();
  }
  const std::shared_ptr<DeviceGroup::Meeting> meeting = place;
  meeting->contributions[me - participants.begin()] = std::move(mine);
  // The next device to arrive begins a new meeting with this key.
  if (--meeting->missing == 0) group_->meetings_.erase(key);
  TF_RETURN_IF_ERROR(group_->lockstep_.WaitUntil(
      number_,
      absl::StrCat(hlo.name(), " (", hlo.def().name.data(), ") with devices {",
                   absl::StrJoin(participants, ","), "}"),
      [&] { return meeting->missing == 0; }));
  return meeting->contributions;
}

void DeviceContext::Send(const ChannelKey& channel, Value value) {
  group_->channels_[channel].push_back(std::move(value));
}

absl::StatusOr<Value> DeviceContext::Receive(const HloInstruction& hlo,
                                             const ChannelKey& channel) {
  std::deque<Value>& values = group_->channels_[channel];
  TF_RETURN_IF_ERROR(group_->lockstep_.WaitUntil(
      number_, absl::StrCat(hlo.name(), " (channel ", channel.first, ")"),
      [&] { return !values.empty(); }));
  Value value = std::move(values.front());
  values.pop_front();
  return value;
}

uint32_t DeviceContext::AddPendingRecv(const PendingRecv& recv) {
  while (!pending_recvs_.emplace(next_recv_, recv).second) ++next_recv_;
  return next_recv_++;
}

absl::StatusOr<DeviceContext::PendingRecv> DeviceContext::TakePendingRecv(
    const HloInstruction& hlo, uint32_t number) {
  auto it = pending_recvs_.find(number);
  if (it == pending_recvs_.end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        hlo.name(), ": the operand does not come from a recv under way"));
  }
  PendingRecv recv = it->second;
  pending_recvs_.erase(it);
  return recv;
}

absl::StatusOr<Literal> DeviceContext::PopFromHost(const HloInstruction& hlo,
                                                   TransferQueue& queue) {
  TF_ASSIGN_OR_RETURN(TransferQueues * queues, Queues(hlo));
  absl::StatusOr<Literal> literal = queue.Pop(absl::ZeroDuration(), hlo.name());
  if (literal.ok() || queues->device_timeout() <= absl::ZeroDuration()) {
    return literal;
  }
  TF_RETURN_IF_ERROR(group_->lockstep_.WaitOutside(number_, [&] {
    literal = queue.Pop(queues->device_timeout(), hlo.name());
  }));
  return literal;
}

absl::StatusOr<TransferQueues*> DeviceContext::Queues(
    const HloInstruction& hlo) {
  if (queues_ != nullptr) return queues_;
  return absl::FailedPreconditionError(absl::StrCat(
      hlo.name(), ": ", hlo.def().name.data(), " needs the host, but device ",
      number_, " has no queues to it"));
}

absl::uint128 DeviceContext::GetAndUpdateRngState(int64_t delta) {
  const absl::uint128 before = rng_state_;
  rng_state_ += static_cast<absl::uint128>(absl::int128(delta));
  return before;
}

uint64_t DeviceContext::NextRandomBits() {
  return xla::NextRandomBits(random_counter_);
}

}  // namespace xla
