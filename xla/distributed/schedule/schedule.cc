// Builds groups and schedules.
#include "xla/distributed/schedule/schedule.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"

namespace xla::distributed {

ProcessGroup ProcessGroup::Create(absl::Span<const int> process_of_member) {
  ProcessGroup group;
  absl::flat_hash_map<int, int> place_of_process;
  for (size_t member = 0; member < process_of_member.size(); ++member) {
    const auto [it, is_new] =
        place_of_process.emplace(process_of_member[member], group.size());
    if (is_new) {
      group.processes.push_back(it->first);
      group.members.emplace_back();
    }
    group.members[it->second].push_back(static_cast<int>(member));
    group.place_of_member.push_back(it->second);
  }
  return group;
}

int ProcessGroup::most_members() const {
  size_t most = 0;
  for (const auto& of_process : members) {
    most = std::max(most, of_process.size());
  }
  return static_cast<int>(most);
}

bool ProcessGroup::contiguous() const {
  return std::is_sorted(place_of_member.begin(), place_of_member.end());
}

void Schedule::Send(int peer, Place from, int64_t bytes) {
  if (bytes > 0) steps.push_back({Step::Kind::kSend, peer, from, bytes});
}

void Schedule::Receive(int peer, int64_t to, int64_t bytes) {
  if (bytes > 0) steps.push_back({Step::Kind::kReceive, peer, {0, to}, bytes});
}

void Schedule::Fold(int64_t to, int64_t begin, int64_t bytes,
                    absl::Span<const Place> from) {
  if (bytes == 0) return;
  steps.push_back({Step::Kind::kFold,
                   -1,
                   {0, to},
                   bytes,
                   begin,
                   static_cast<int32_t>(sources.size()),
                   static_cast<int32_t>(from.size())});
  sources.insert(sources.end(), from.begin(), from.end());
}

void Schedule::MoveHead(int64_t bytes, int32_t space) {
  const auto move = [&](Place& place) {
    if (place.space != 0) return;
    if (place.offset < bytes) {
      place.space = space;
    } else {
      place.offset -= bytes;
    }
  };
  for (Step& step : steps) move(step.at);
  for (Place& source : sources) move(source);
  work_bytes -= bytes;
}

}  // namespace xla::distributed
