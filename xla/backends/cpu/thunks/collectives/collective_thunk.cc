// Implements the rendezvous of members and the exchange of their data.
#include "xla/backends/cpu/thunks/collectives/collective_thunk.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"
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
  return BufferUses().Read(site_.operands).Write(site_.results);
}

absl::StatusOr<ThunkResult> CollectiveThunk::Run(DeviceRun& run,
                                                 int64_t here) const {
  TF_RETURN_IF_ERROR(site_.membership.status());
  RunGroup::Participant me{&run, this};
  if (site_.start != nullptr) {
    me.progress = &run.StateOf<CollectiveProgress>(site_.start);
    me.progress->thunk = this;
    me.progress->state = CollectiveProgress::kStarted;
  }
  const ThunkResult goes_on{here + 1};
  const int32_t group = site_.membership->group_of_device[run.number()];
  if (group < 0) {
    TF_RETURN_IF_ERROR(RunOutside(run));
    if (me.progress != nullptr) me.progress->Finish();
    return goes_on;
  }
  const std::vector<int64_t>& members = site_.membership->groups[group];
  int64_t place = site_.membership->place_of_device[run.number()];
  const bool across = SpansProcesses(run, members);
  std::vector<int64_t> local;
  if (across) {
    local = LocalMembers(run, members);
    place = absl::c_find(local, run.number()) - local.begin();
  }
  const std::vector<int64_t>& here_too = across ? local : members;
  Rendezvous* rendezvous = nullptr;
  Participants participants(&me, 1);
  if (here_too.size() > 1) {
    rendezvous = &run.group().RendezvousOf(KeyOf(here_too), run);
    if (!rendezvous->Arrive(place, me)) {
      return ThunkResult{here + 1, /*suspended=*/me.progress == nullptr};
    }
    participants = rendezvous->participants();
  }
  if (me.progress == nullptr) {
    TF_RETURN_IF_ERROR(RunExchange(run, participants, group));
    if (rendezvous == nullptr) return goes_on;
    // They may arrive again as soon as they are released.
    const absl::InlinedVector<RunGroup::Participant, 8> released(
        participants.begin(), participants.end());
    rendezvous->Reopen();
    Release(run, released, run.number());
    return goes_on;
  }
  const std::vector<RunGroup::Participant> all(participants.begin(),
                                               participants.end());
  if (rendezvous != nullptr) rendezvous->Reopen();
  const auto exchange = [this, &run, all, group]() -> absl::Status {
    const VectorLevelScope scope(run.vector_level());
    TF_RETURN_IF_ERROR(RunExchange(run, all, group));
    Release(run, all, /*except=*/-1);
    return absl::OkStatus();
  };
  // Without other processes there is nothing to wait for.
  TF_RETURN_IF_ERROR(across ? run.group().scheduler().Start(exchange)
                            : exchange());
  return goes_on;
}

void CollectiveThunk::Release(DeviceRun& run, Participants participants,
                              int64_t except) const {
  absl::InlinedVector<int64_t, 8> waiting;
  for (const RunGroup::Participant& participant : participants) {
    if (participant.progress == nullptr || participant.progress->Finish()) {
      waiting.push_back(participant.run->number());
    }
  }
  run.group().scheduler().Resume(waiting, except);
}

bool CollectiveProgress::Await() {
  State expected = kStarted;
  return state.compare_exchange_strong(expected, kAwaited,
                                       std::memory_order_acq_rel,
                                       std::memory_order_acquire) ||
         expected == kAwaited;
}

absl::StatusOr<ThunkResult> CollectiveDoneThunk::Run(DeviceRun& run,
                                                     int64_t here) const {
  if (run.StateOf<CollectiveProgress>(start_).Await()) {
    return ThunkResult{here, /*suspended=*/true};
  }
  return ThunkResult{here + 1};
}

std::string CollectiveDoneThunk::WaitsFor(const DeviceRun& run) const {
  const auto* progress = run.FindState<CollectiveProgress>(start_);
  return progress == nullptr ? name() : progress->thunk->WaitsFor(run);
}

absl::Status CollectiveThunk::CheckAlike(Participants participants) const {
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

absl::Status CollectiveThunk::RunExchange(DeviceRun& run,
                                          Participants participants,
                                          int32_t group) const {
  const std::vector<int64_t>& members = site_.membership->groups[group];
  return SpansProcesses(run, members)
             ? ExchangeAcross(run, participants, members)
             : ExchangeHere(run, participants);
}

absl::Status CollectiveThunk::ExchangeHere(DeviceRun& run,
                                           Participants participants) const {
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
  // The rendezvous of an asynchronous collective opens again when all are
  // there.
  const std::string what =
      absl::c_linear_search(missing, run.number())
          ? "whose exchange is under way"
          : absl::StrCat("of which {", absl::StrJoin(missing, ","),
                         "} did not arrive");
  return absl::StrCat(
      name(), " (", site_.op,
      site_.channel > 0 ? absl::StrCat(", channel ", site_.channel) : "",
      ") with devices {", absl::StrJoin(members, ","), "}, ", what);
}

}  // namespace xla::cpu
