// Implements rendezvous and channels.
#include "xla/backends/cpu/thunks/run_group.h"

#include "absl/types/span.h"

namespace xla::cpu {

std::vector<RunGroup::Party> RunGroup::Meet(const Place& place,
                                            int64_t position, Party me) {
  const size_t size = place.members->size();
  if (size == 1) return {me};
  std::lock_guard<std::mutex> lock(mutex_);
  const Key key(place.op, place.channel,
                place.channel > 0 ? nullptr : place.thunk, *place.members);
  auto it = meetings_.try_emplace(key).first;
  Meeting& meeting = it->second;
  if (meeting.parties.empty()) {
    meeting.parties.resize(size);
    meeting.missing = static_cast<int64_t>(size);
  }
  meeting.parties[position] = me;
  if (--meeting.missing > 0) return {};
  std::vector<Party> parties = std::move(meeting.parties);
  meetings_.erase(it);
  return parties;
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
  if (!meetings_.empty()) meetings_.clear();
  if (!channels_.empty()) channels_.clear();
}

}  // namespace xla::cpu
