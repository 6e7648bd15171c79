// Implements the rendezvous of members and the exchange of their data.
#include "xla/backends/cpu/thunks/collectives/collective_thunk.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/runtime/memory_chunk.h"

namespace xla::cpu {
namespace {

// Whether a result shares memory with an operand; with `same_number`, other
// than result i with all of operand i.
bool ResultsOverlap(const CollectiveSite& site, bool same_number) {
  for (size_t i = 0; i < site.operands.size(); ++i) {
    for (size_t j = 0; j < site.results.size(); ++j) {
      const Slice& operand = site.operands[i];
      const Slice& result = site.results[j];
      if (!operand.Overlaps(result)) continue;
      if (!same_number || i != j || operand != result) return true;
    }
  }
  return false;
}

// Copies all operands, so that results can overwrite them.
absl::StatusOr<MemoryChunk> SaveOperands(CollectiveThunk::Exchange& exchange,
                                         absl::Span<const Slice> operands) {
  const auto padded = [](const Slice& slice) {
    return RoundUpTo(slice.size, MemoryChunk::kAlignment);
  };
  int64_t bytes = 0;
  for (const Slice& slice : operands) bytes += padded(slice);
  TF_ASSIGN_OR_RETURN(MemoryChunk saved,
                      MemoryChunk::Allocate(bytes * exchange.size()));
  char* to = saved.data();
  for (CollectiveThunk::Member& member : exchange.members) {
    for (size_t i = 0; i < operands.size(); ++i) {
      CopyBytes(exchange.runner, member.operands[i], to, operands[i].size);
      member.operands[i] = to;
      to += padded(operands[i]);
    }
  }
  return saved;
}

}  // namespace

absl::StatusOr<Membership> Membership::Create(const ReplicaGroups& groups,
                                              CollectiveOpGroupMode mode,
                                              DeviceCounts counts) {
  Membership membership;
  std::map<std::vector<int64_t>, int32_t> numbers;
  for (int64_t device = 0; device < counts.devices(); ++device) {
    TF_ASSIGN_OR_RETURN(std::vector<int64_t> members,
                        DevicesOfGroup(groups, mode, counts, device));
    if (members.empty()) {
      membership.group_of_device.push_back(-1);
      membership.place_of_device.push_back(-1);
      continue;
    }
    membership.place_of_device.push_back(static_cast<int32_t>(
        std::find(members.begin(), members.end(), device) - members.begin()));
    const auto [it, is_new] = numbers.emplace(
        std::move(members), static_cast<int32_t>(membership.groups.size()));
    if (is_new) membership.groups.push_back(it->first);
    membership.group_of_device.push_back(it->second);
  }
  return membership;
}

CollectiveThunk::CollectiveThunk(CollectiveSite site, InPlace in_place)
    : Thunk(site.name),
      site_(std::move(site)),
      overlaps_(ResultsOverlap(site_, in_place == InPlace::kSameNumber)) {}

CollectiveThunk::Results CollectiveThunk::Exchange::ResultsOf(
    size_t number) const {
  Results results;
  for (const Member& member : receivers()) {
    results.push_back(member.results[number]);
  }
  return results;
}

BufferUses CollectiveThunk::buffer_uses() const {
  BufferUses uses;
  uses.Read(site_.operands).Write(site_.results).Write(site_.zeros);
  for (const CopyThunk::Move& move : site_.forwards) {
    uses.Read(move.from).Write(move.to);
  }
  return uses;
}

absl::StatusOr<ThunkResult> CollectiveThunk::Run(DeviceRun& run,
                                                 int64_t here) const {
  TF_RETURN_IF_ERROR(site_.membership.status());
  for (const CopyThunk::Move& move : site_.forwards) {
    CopyBytes(run.runner(), run.At(move.from), run.At(move.to), move.to.size);
  }
  for (const Slice& slice : site_.zeros) {
    if (slice.size > 0) std::memset(run.At(slice), 0, slice.size);
  }
  const int32_t number = site_.membership->group_of_device[run.number()];
  if (number < 0) {
    TF_RETURN_IF_ERROR(RunOutside(run));
    return ThunkResult{here + 1};
  }
  const std::vector<int64_t>& members = site_.membership->groups[number];
  if (SpansProcesses(run, members)) return RunAcross(run, here, members);
  const RunGroup::Participant me{&run, this};
  if (members.size() == 1) {
    TF_RETURN_IF_ERROR(RunExchange(run, {&me, 1}));
    return ThunkResult{here + 1};
  }
  Rendezvous& rendezvous = run.group().RendezvousOf(KeyOf(members), run);
  if (!rendezvous.Arrive(site_.membership->place_of_device[run.number()], me)) {
    return ThunkResult{here + 1, /*suspended=*/true};
  }
  TF_RETURN_IF_ERROR(RunExchange(run, rendezvous.participants()));
  rendezvous.Reopen();
  run.group().scheduler().Resume(members, run.number());
  return ThunkResult{here + 1};
}

absl::Status CollectiveThunk::CheckAlike(
    absl::Span<const RunGroup::Participant> participants) const {
  for (const RunGroup::Participant& participant : participants) {
    if (participant.thunk == this) continue;
    const std::vector<Shape>& theirs = participant.thunk->site_.shapes;
    if (!std::equal(theirs.begin(), theirs.end(), site_.shapes.begin(),
                    site_.shapes.end(), ShapeUtil::Compatible)) {
      return absl::InvalidArgumentError(absl::StrCat(
          name(), ": the devices brought operands of differing shapes"));
    }
  }
  return absl::OkStatus();
}

absl::Status CollectiveThunk::RunExchange(
    DeviceRun& run,
    absl::Span<const RunGroup::Participant> participants) const {
  TF_RETURN_IF_ERROR(CheckAlike(participants));
  Exchange exchange{.members = {}, .runner = run.runner()};
  bool one_thunk = true, overlaps = false;
  for (const RunGroup::Participant& participant : participants) {
    const CollectiveSite& site = participant.thunk->site_;
    one_thunk = one_thunk && participant.thunk == this;
    overlaps = overlaps || participant.thunk->overlaps_;
    Member& member = exchange.members.emplace_back();
    member.device = participant.run->number();
    member.thunk = participant.thunk;
    for (const Slice& slice : site.operands) {
      member.operands.push_back(participant.run->At(slice));
    }
    for (const Slice& slice : site.results) {
      member.results.push_back(participant.run->At(slice));
    }
  }
  MemoryChunk saved;
  if (overlaps || !one_thunk) {
    TF_ASSIGN_OR_RETURN(saved, SaveOperands(exchange, site_.operands));
  }
  if (one_thunk) {
    exchange.receiver_count = exchange.size();
    return Transfer(exchange);
  }
  // Thunks of one channel may differ in where their results are.
  exchange.receiver_count = 1;
  for (const RunGroup::Participant& participant : participants) {
    TF_RETURN_IF_ERROR(participant.thunk->Transfer(exchange));
    ++exchange.first_receiver;
  }
  return absl::OkStatus();
}

absl::Status CollectiveThunk::RunOutside(DeviceRun& run) const {
  return absl::InvalidArgumentError(absl::StrCat(
      name(), ": device ", run.number(), " is in none of the replica groups"));
}

void CollectiveThunk::ZeroResults(DeviceRun& run) const {
  for (const Slice& slice : site_.results) {
    if (slice.size > 0) std::memset(run.At(slice), 0, slice.size);
  }
}

absl::Status CollectiveThunk::CheckPart(int64_t whole, int64_t part,
                                        int64_t group_size) const {
  if (whole == part * group_size) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name(), ": a dimension of ", whole, " is not ", group_size,
                   " times ", part, " for groups of ", group_size));
}

std::string CollectiveThunk::WaitsFor(const DeviceRun& run) const {
  const int32_t number = site_.membership.ok()
                             ? site_.membership->group_of_device[run.number()]
                             : -1;
  if (number < 0) return name();
  const std::vector<int64_t>& group = site_.membership->groups[number];
  const std::vector<int64_t> members =
      SpansProcesses(run, group) ? LocalMembers(run, group) : group;
  const std::vector<int64_t> missing =
      run.group().RendezvousOf(KeyOf(members), run).Missing(members);
  return absl::StrCat(
      name(), " (", site_.op,
      site_.channel > 0 ? absl::StrCat(", channel ", site_.channel) : "",
      ") with devices {", absl::StrJoin(members, ","), "}, of which {",
      absl::StrJoin(missing, ","), "} did not arrive");
}

}  // namespace xla::cpu
