// All-reduce and reduce-scatter as schedules.
#include "xla/distributed/schedule/reduce_schedules.h"

#include <algorithm>

#include "xla/base/checked_math.h"
#include "xla/distributed/schedule/move_schedules.h"

namespace xla::distributed {
namespace {

// What the choice of an algorithm assumes of a network: seconds that a message
// takes however small it is, seconds that it keeps its sender busy, and bytes
// per second. They are those of a local network with TCP.
constexpr double kLatency = 50e-6;
constexpr double kPerMessage = 5e-6;
constexpr double kBandwidth = 1e9;

// A chain of `hops` hops, in which each process sends the bytes `times` times.
double ChainSeconds(int hops, int times, int64_t bytes) {
  const int64_t segments =
      std::max<int64_t>(1, CeilOfRatio(bytes, kSegmentBytes));
  return hops * kLatency +
         static_cast<double>(times * segments + hops) *
             (kPerMessage + std::min(bytes, kSegmentBytes) / kBandwidth);
}

// Each process sends `bytes` in all, in `messages` messages, in `steps` steps.
double DirectSeconds(double steps, double messages, double bytes) {
  return steps * kLatency + messages * kPerMessage + bytes / kBandwidth;
}

int CeilLog2(int n) {
  int log = 0;
  while ((1 << log) < n) ++log;
  return log;
}

int64_t Aligned(int64_t bytes) { return RoundUpTo(bytes, kSegmentAlignment); }

// The beginning of the chunk of a place, of `places` about equal ones.
int64_t ChunkBegin(int64_t bytes, int places, int place) {
  const int64_t units = CeilOfRatio(bytes, kSegmentAlignment);
  return std::min(bytes, units * place / places * kSegmentAlignment);
}

// The spaces of the local members, at `offset`.
std::vector<Place> Locals(const ProcessGroup& group, int self, int64_t offset) {
  std::vector<Place> places;
  for (size_t i = 0; i < group.members[self].size(); ++i) {
    places.push_back({static_cast<int32_t>(i) + 1, offset});
  }
  return places;
}

Schedule GatherAllReduce(const ProcessGroup& group, int self, int64_t bytes) {
  const int64_t padded = Aligned(bytes);
  std::vector<int64_t> blocks;
  for (const auto& members : group.members) {
    blocks.push_back(static_cast<int64_t>(members.size()) * padded);
  }
  const auto algorithm = ChooseGather(
      group.size(), *std::max_element(blocks.begin(), blocks.end()));
  Schedule schedule;
  // The blocks come first, and the result after them.
  std::vector<Place> sources(group.num_members());
  for (int place = 0; place < group.size(); ++place) {
    int64_t at = BlockOffset(blocks, place);
    for (size_t i = 0; i < group.members[place].size(); ++i, at += padded) {
      sources[group.members[place][i]] = {0, at};
      if (place != self) continue;
      schedule.Copy(at, {static_cast<int32_t>(i) + 1, 0}, bytes);
    }
  }
  const Schedule gather = AllGatherSchedule(self, blocks, algorithm);
  schedule.steps.insert(schedule.steps.end(), gather.steps.begin(),
                        gather.steps.end());
  const int64_t result = gather.work_bytes;
  schedule.Fold(result, 0, bytes, sources);
  schedule.work_bytes = result + padded;
  schedule.results.assign(group.members[self].size(), result);
  return schedule;
}

// Adds the step of the running sum at `at`: from the place before, with the
// local members added; the caller sends it on.
void AddChainStep(const ProcessGroup& group, int self, int64_t at, int64_t n,
                  Schedule& schedule) {
  std::vector<Place> sources = Locals(group, self, at);
  if (self > 0) {
    schedule.Receive(self - 1, at, n);
    sources.insert(sources.begin(), Place{0, at});
  }
  schedule.Fold(at, at, n, sources);
}

Schedule ChainAllReduce(const ProcessGroup& group, int self, int64_t bytes,
                        int64_t segment_bytes) {
  const int last = group.size() - 1;
  const int64_t segments = CeilOfRatio(bytes, segment_bytes);
  Schedule schedule;
  schedule.work_bytes = Aligned(bytes);
  schedule.results.assign(group.members[self].size(), 0);
  const auto size_of = [&](int64_t s) {
    return std::min(segment_bytes, bytes - s * segment_bytes);
  };
  // At time t, place p adds to segment t - p, and gets the sum of the segment
  // that set out 2 (P - 1) - p steps before.
  const int64_t behind = 2 * last - self;
  for (int64_t t = self; t < segments + behind; ++t) {
    const int64_t there = t - self;
    const int64_t back = t - behind;
    if (there < segments) {
      const int64_t at = there * segment_bytes;
      AddChainStep(group, self, at, size_of(there), schedule);
      if (last > 0) {
        schedule.Send(self < last ? self + 1 : last - 1, {0, at},
                      size_of(there));
      }
    }
    if (self < last && back >= 0) {
      const int64_t at = back * segment_bytes;
      schedule.Receive(self + 1, at, size_of(back));
      if (self > 0) schedule.Send(self - 1, {0, at}, size_of(back));
    }
  }
  return schedule;
}

// Sends the bytes from `begin` to `end` of the local members to `peer`, segment
// by segment; Receive does the opposite, to staging memory at `to`.
void SendMembers(const ProcessGroup& group, int self, int peer, int64_t begin,
                 int64_t end, int64_t segment_bytes, Schedule& schedule) {
  for (int64_t at = begin; at < end; at += segment_bytes) {
    const int64_t n = std::min(segment_bytes, end - at);
    for (const Place& from : Locals(group, self, at)) {
      schedule.Send(peer, from, n);
    }
  }
}

// Receives bytes `at` to `at + n` of all other processes' members, and combines
// them with those of this one. Staging memory begins at `staging`, with a slot
// of `slot` bytes for each member, in which the bytes are at `offset`. Order of
// receives: `first_peer` on. The result goes to `to`.
void AddGatheredFold(const ProcessGroup& group, int self, int64_t at, int64_t n,
                     int64_t staging, int64_t slot, int64_t offset, int64_t to,
                     int64_t begin, Schedule& schedule) {
  std::vector<Place> sources(group.num_members());
  for (int r = 1; r < group.size(); ++r) {
    const int peer = (self + group.size() - r) % group.size();
    for (const int member : group.members[peer]) {
      sources[member] = {0, staging + member * slot + offset};
      schedule.Receive(peer, sources[member].offset, n);
    }
  }
  for (size_t i = 0; i < group.members[self].size(); ++i) {
    sources[group.members[self][i]] = {static_cast<int32_t>(i) + 1, at};
  }
  schedule.Fold(to, begin, n, sources);
}

Schedule DirectAllReduce(const ProcessGroup& group, int self, int64_t bytes,
                         int64_t segment_bytes) {
  const int places = group.size();
  const auto chunk = [&](int place) {
    return ChunkBegin(bytes, places, place);
  };
  Schedule schedule;
  const int64_t staging = Aligned(bytes);
  const int64_t mine = chunk(self), end = chunk(self + 1);
  const int64_t slot = Aligned(end - mine);
  schedule.work_bytes = staging + group.num_members() * slot;
  schedule.results.assign(group.members[self].size(), 0);
  for (int r = 1; r < places; ++r) {
    const int peer = (self + r) % places;
    SendMembers(group, self, peer, chunk(peer), chunk(peer + 1), segment_bytes,
                schedule);
  }
  for (int64_t at = mine; at < end; at += segment_bytes) {
    const int64_t n = std::min(segment_bytes, end - at);
    AddGatheredFold(group, self, at, n, staging, slot, at - mine, at, at,
                    schedule);
    for (int r = 1; r < places; ++r) {
      schedule.Send((self + r) % places, {0, at}, n);
    }
  }
  for (int r = 1; r < places; ++r) {
    const int peer = (self + places - r) % places;
    for (int64_t at = chunk(peer); at < chunk(peer + 1); at += segment_bytes) {
      schedule.Receive(peer, at, std::min(segment_bytes, chunk(peer + 1) - at));
    }
  }
  return schedule;
}

Schedule ChainReduceScatter(const ProcessGroup& group, int self,
                            int64_t part_bytes, int64_t segment_bytes) {
  const int last = group.size() - 1;
  Schedule schedule;
  schedule.work_bytes = group.num_members() * part_bytes;
  for (int member = 0; member < group.num_members(); ++member) {
    for (int64_t s = 0; s < part_bytes; s += segment_bytes) {
      const int64_t n = std::min(segment_bytes, part_bytes - s);
      const int64_t at = member * part_bytes + s;
      AddChainStep(group, self, at, n, schedule);
      const int owner = group.place_of_member[member];
      if (self < last) {
        schedule.Send(self + 1, {0, at}, n);
      } else if (owner != last) {
        schedule.Send(owner, {0, at}, n);
      }
    }
  }
  for (const int member : group.members[self]) {
    schedule.results.push_back(member * part_bytes);
    if (self == last) continue;
    for (int64_t s = 0; s < part_bytes; s += segment_bytes) {
      schedule.Receive(last, member * part_bytes + s,
                       std::min(segment_bytes, part_bytes - s));
    }
  }
  return schedule;
}

Schedule DirectReduceScatter(const ProcessGroup& group, int self,
                             int64_t part_bytes, int64_t segment_bytes) {
  const int places = group.size();
  const auto mine = static_cast<int64_t>(group.members[self].size());
  const int64_t staging = mine * part_bytes;
  Schedule schedule;
  // A slot has the local parts of one member, one after the other.
  const int64_t slot = mine * part_bytes;
  schedule.work_bytes = staging + group.num_members() * slot;
  for (int r = 1; r < places; ++r) {
    const int peer = (self + r) % places;
    for (const int member : group.members[peer]) {
      SendMembers(group, self, peer, member * part_bytes,
                  (member + 1) * part_bytes, segment_bytes, schedule);
    }
  }
  for (int64_t i = 0; i < mine; ++i) {
    const int64_t part = group.members[self][i] * part_bytes;
    schedule.results.push_back(i * part_bytes);
    for (int64_t s = 0; s < part_bytes; s += segment_bytes) {
      const int64_t n = std::min(segment_bytes, part_bytes - s);
      AddGatheredFold(group, self, part + s, n, staging, slot,
                      i * part_bytes + s, i * part_bytes + s, part + s,
                      schedule);
    }
  }
  return schedule;
}

}  // namespace

ReduceAlgorithm ChooseAllReduce(const ProcessGroup& group, int64_t bytes,
                                bool may_chain) {
  const int places = group.size();
  const double others = places - 1;
  const double members = group.most_members();
  const double vector = static_cast<double>(bytes);
  const double gather = DirectSeconds(CeilLog2(places), CeilLog2(places),
                                      (group.num_members() - 1) * vector);
  const double direct = DirectSeconds(2, others * (members + 1),
                                      (members + 1) * vector * others / places);
  // A gather sums only when all has come.
  if (bytes <= kSegmentBytes && gather <= direct) {
    return ReduceAlgorithm::kGather;
  }
  // All but the ends pass sums on in both directions.
  const double chain =
      ChainSeconds(2 * (places - 1), places > 2 ? 2 : 1, bytes);
  return may_chain && group.contiguous() && chain < direct
             ? ReduceAlgorithm::kChain
             : ReduceAlgorithm::kDirect;
}

ReduceAlgorithm ChooseReduceScatter(const ProcessGroup& group,
                                    int64_t part_bytes, bool may_chain) {
  if (!may_chain || !group.contiguous()) return ReduceAlgorithm::kDirect;
  const double others = group.size() - 1;
  const double members = group.most_members();
  const double vector = static_cast<double>(part_bytes) * group.num_members();
  const double direct = DirectSeconds(1, others * members * members,
                                      members * vector * others / group.size());
  // From the last process each part goes straight to its owner.
  const double chain =
      ChainSeconds(group.size(), 1, static_cast<int64_t>(vector));
  return chain < direct ? ReduceAlgorithm::kChain : ReduceAlgorithm::kDirect;
}

Schedule AllReduceSchedule(const ProcessGroup& group, int self, int64_t bytes,
                           ReduceAlgorithm algorithm, int64_t segment_bytes) {
  switch (algorithm) {
    case ReduceAlgorithm::kGather:
      return GatherAllReduce(group, self, bytes);
    case ReduceAlgorithm::kChain:
      return ChainAllReduce(group, self, bytes, segment_bytes);
    case ReduceAlgorithm::kDirect:
      break;
  }
  return DirectAllReduce(group, self, bytes, segment_bytes);
}

Schedule ReduceScatterSchedule(const ProcessGroup& group, int self,
                               int64_t part_bytes, ReduceAlgorithm algorithm,
                               int64_t segment_bytes) {
  return algorithm == ReduceAlgorithm::kChain
             ? ChainReduceScatter(group, self, part_bytes, segment_bytes)
             : DirectReduceScatter(group, self, part_bytes, segment_bytes);
}

}  // namespace xla::distributed
