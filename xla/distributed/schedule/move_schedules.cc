// Gathers, broadcasts and exchanges as schedules.
#include "xla/distributed/schedule/move_schedules.h"

#include <algorithm>
#include <numeric>

#include "xla/base/checked_math.h"

namespace xla::distributed {
namespace {

// Blocks up to this size are gathered in few steps rather than messages of the
// fewest bytes.
constexpr int64_t kSmallBlockBytes = int64_t{8} << 10;
// The processes from which on P - 1 small messages take longer than log2 P
// steps.
constexpr int kManyProcesses = 5;
constexpr int64_t kSmallBroadcastBytes = int64_t{64} << 10;

// Offsets of blocks, and the end of the last.
std::vector<int64_t> Offsets(absl::Span<const int64_t> block_bytes) {
  std::vector<int64_t> offsets = {0};
  for (const int64_t bytes : block_bytes) {
    offsets.push_back(offsets.back() + RoundUpTo(bytes, kSegmentAlignment));
  }
  return offsets;
}

// Gives `emit` the at most two ranges, each from the first to after the last
// place, that `count` places from `first` on form.
template <typename Emit>
void ForEachRange(int first, int count, int places, Emit emit) {
  first %= places;
  const int until = std::min(places, first + count);
  emit(first, until);
  if (first + count > places) emit(0, first + count - places);
}

void AddDirectGather(int self, absl::Span<const int64_t> block_bytes,
                     absl::Span<const int64_t> offsets, Schedule& schedule) {
  const int places = static_cast<int>(block_bytes.size());
  for (int r = 1; r < places; ++r) {
    schedule.Send((self + r) % places, {0, offsets[self]}, block_bytes[self]);
  }
  for (int r = 1; r < places; ++r) {
    const int peer = (self + places - r) % places;
    schedule.Receive(peer, offsets[peer], block_bytes[peer]);
  }
}

void AddBruckGather(int self, absl::Span<const int64_t> offsets,
                    Schedule& schedule) {
  const int places = static_cast<int>(offsets.size()) - 1;
  for (int distance = 1; distance < places; distance *= 2) {
    const int count = std::min(distance, places - distance);
    const int to = (self + places - distance) % places;
    const int from = (self + distance) % places;
    ForEachRange(self, count, places, [&](int first, int until) {
      schedule.Send(to, {0, offsets[first]}, offsets[until] - offsets[first]);
    });
    ForEachRange(self + distance, count, places, [&](int first, int until) {
      schedule.Receive(from, offsets[first], offsets[until] - offsets[first]);
    });
  }
}

}  // namespace

GatherAlgorithm ChooseGather(int places, int64_t most_block_bytes) {
  return places >= kManyProcesses && most_block_bytes <= kSmallBlockBytes
             ? GatherAlgorithm::kBruck
             : GatherAlgorithm::kDirect;
}

int64_t BlockOffset(absl::Span<const int64_t> block_bytes, int place) {
  return Offsets(block_bytes.subspan(0, place)).back();
}

Schedule AllGatherSchedule(int self, absl::Span<const int64_t> block_bytes,
                           GatherAlgorithm algorithm) {
  const std::vector<int64_t> offsets = Offsets(block_bytes);
  Schedule schedule;
  schedule.work_bytes = offsets.back();
  if (algorithm == GatherAlgorithm::kBruck) {
    AddBruckGather(self, offsets, schedule);
  } else {
    AddDirectGather(self, block_bytes, offsets, schedule);
  }
  return schedule;
}

BroadcastAlgorithm ChooseBroadcast(int places, int64_t bytes) {
  return places > 2 && bytes > kSmallBroadcastBytes ? BroadcastAlgorithm::kChain
                                                    : BroadcastAlgorithm::kTree;
}

Schedule BroadcastSchedule(int self, int places, int root, int64_t bytes,
                           BroadcastAlgorithm algorithm,
                           int64_t segment_bytes) {
  Schedule schedule;
  schedule.work_bytes = bytes;
  const int rank = (self + places - root) % places;
  const auto place_of = [&](int r) { return (r + root) % places; };
  if (algorithm == BroadcastAlgorithm::kChain) {
    for (int64_t at = 0; at < bytes; at += segment_bytes) {
      const int64_t n = std::min(segment_bytes, bytes - at);
      if (rank > 0) schedule.Receive(place_of(rank - 1), at, n);
      if (rank + 1 < places) schedule.Send(place_of(rank + 1), {0, at}, n);
    }
    return schedule;
  }
  // The parent of a rank lacks its lowest bit.
  int bit = 1;
  while (bit < places && (rank & bit) == 0) bit *= 2;
  if (rank > 0) schedule.Receive(place_of(rank - bit), 0, bytes);
  for (bit /= 2; bit > 0; bit /= 2) {
    if (rank + bit < places) schedule.Send(place_of(rank + bit), {0, 0}, bytes);
  }
  return schedule;
}

Schedule ExchangeSchedule(int self, absl::Span<const int64_t> send_bytes,
                          absl::Span<const int64_t> receive_bytes) {
  const int places = static_cast<int>(send_bytes.size());
  const std::vector<int64_t> from = Offsets(send_bytes);
  const std::vector<int64_t> to = Offsets(receive_bytes);
  Schedule schedule;
  schedule.work_bytes = to.back();
  for (int r = 1; r < places; ++r) {
    const int peer = (self + r) % places;
    schedule.Send(peer, {1, from[peer]}, send_bytes[peer]);
  }
  for (int r = 1; r < places; ++r) {
    const int peer = (self + places - r) % places;
    schedule.Receive(peer, to[peer], receive_bytes[peer]);
  }
  return schedule;
}

}  // namespace xla::distributed
