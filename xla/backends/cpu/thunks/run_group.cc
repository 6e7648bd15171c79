// Implements rendezvous and channels.
#include "xla/backends/cpu/thunks/run_group.h"

#include "absl/types/span.h"
#include "xla/backends/cpu/thunks/device_run.h"

namespace xla::cpu {

void Rendezvous::Reopen() {
  for (RendezvousParticipant& participant : participants_) {
    std::atomic_ref(participant.run).store(nullptr, std::memory_order_relaxed);
  }
  missing_.store(static_cast<int64_t>(participants_.size()),
                 std::memory_order_release);
}

std::vector<int64_t> Rendezvous::Missing(absl::Span<const int64_t> members) {
  std::vector<int64_t> missing;
  for (size_t i = 0; i < participants_.size(); ++i) {
    const DeviceRun* run =
        std::atomic_ref(participants_[i].run).load(std::memory_order_relaxed);
    if (run == nullptr) missing.push_back(members[i]);
  }
  return missing;
}

Rendezvous& RunGroup::RendezvousOf(const RendezvousKey& key,
                                   const DeviceRun& run) {
  Rendezvous*& found = found_[run.number()][key.thunk];
  if (found != nullptr) return *found;
  std::lock_guard<std::mutex> lock(mutex_);
  std::unique_ptr<Rendezvous>& place =
      rendezvous_[{key.op, key.channel, key.channel > 0 ? nullptr : key.thunk,
                   *key.members}];
  if (place == nullptr) {
    place = std::make_unique<Rendezvous>(key.members->size());
  }
  found = place.get();
  return *found;
}

void RunGroup::Send(const ChannelKey& channel, Message message) {
  int64_t resumed = -1;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    Channel& place = channels_[channel];
    place.messages.push_back(std::move(message));
    if (!place.waiting.empty()) {
      resumed = place.waiting.front();
      place.waiting.pop_front();
    }
  }
  if (resumed >= 0) scheduler_->Resume(absl::MakeConstSpan(&resumed, 1));
}

std::optional<RunGroup::Message> RunGroup::Receive(const ChannelKey& channel,
                                                   int64_t device) {
  std::lock_guard<std::mutex> lock(mutex_);
  Channel& place = channels_[channel];
  if (place.messages.empty()) {
    place.waiting.push_back(device);
    return std::nullopt;
  }
  Message message = std::move(place.messages.front());
  place.messages.pop_front();
  return message;
}

void RunGroup::EndRun() {
  std::lock_guard<std::mutex> lock(mutex_);
  // A run that fails leaves members where they arrived.
  for (auto& [key, rendezvous] : rendezvous_) {
    if (!rendezvous->is_open()) rendezvous->Reopen();
  }
  if (!channels_.empty()) channels_.clear();
}

void RunGroup::Reset() {
  EndRun();
  for (auto& found : found_) found.clear();
  std::lock_guard<std::mutex> lock(mutex_);
  rendezvous_.clear();
}

}  // namespace xla::cpu
