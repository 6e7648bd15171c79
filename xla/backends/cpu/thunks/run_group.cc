// Implements rendezvous and channels.
#include "xla/backends/cpu/thunks/run_group.h"

#include "absl/types/span.h"

namespace xla::cpu {

std::vector<RunGroup::Participant> RunGroup::Join(const RendezvousKey& key,
                                                  int64_t position,
                                                  Participant me) {
  const size_t size = key.members->size();
  if (size == 1) return {me};
  std::lock_guard<std::mutex> lock(mutex_);
  auto it =
      rendezvous_
          .try_emplace({key.op, key.channel,
                        key.channel > 0 ? nullptr : key.thunk, *key.members})
          .first;
  Rendezvous& rendezvous = it->second;
  if (rendezvous.participants.empty()) {
    rendezvous.participants.resize(size);
    rendezvous.missing = static_cast<int64_t>(size);
  }
  rendezvous.participants[position] = me;
  if (--rendezvous.missing > 0) return {};
  std::vector<Participant> participants = std::move(rendezvous.participants);
  rendezvous_.erase(it);
  return participants;
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

void RunGroup::Reset() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!rendezvous_.empty()) rendezvous_.clear();
  if (!channels_.empty()) channels_.clear();
}

}  // namespace xla::cpu
