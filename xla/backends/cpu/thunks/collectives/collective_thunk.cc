// Implements the rendezvous of members and the exchange of their data.
#include "xla/backends/cpu/thunks/collectives/collective_thunk.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/distributed/process_run.h"
#include "xla/runtime/memory_chunk.h"

namespace xla::cpu {
namespace {

constexpr int64_t kParallelBytes = int64_t{256} << 10;

int64_t ResultBytes(const CollectiveSite& site) {
  int64_t bytes = 0;
  for (const Slice& slice : site.results) bytes += slice.size;
  return bytes;
}

// Copies all operands, so that results can overwrite them.
absl::StatusOr<MemoryChunk> SaveOperands(
    CollectiveThunk::Exchange& exchange,
    absl::Span<const RunGroup::Participant> participants,
    absl::Span<const CollectiveSite* const> sites) {
  int64_t bytes = 0;
  const auto padded = [](const Slice& slice) {
    return RoundUpTo(slice.size, 64);
  };
  for (const CollectiveSite* site : sites) {
    for (const Slice& slice : site->operands) bytes += padded(slice);
  }
  TF_ASSIGN_OR_RETURN(MemoryChunk saved, MemoryChunk::Allocate(bytes));
  char* to = saved.data();
  for (size_t p = 0; p < participants.size(); ++p) {
    for (size_t i = 0; i < sites[p]->operands.size(); ++i) {
      const Slice& slice = sites[p]->operands[i];
      CopyBytes(exchange.runner, exchange.members[p].operands[i], to,
                slice.size);
      exchange.members[p].operands[i] = to;
      to += padded(slice);
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
      continue;
    }
    const auto [it, is_new] = numbers.emplace(
        std::move(members), static_cast<int32_t>(membership.groups.size()));
    if (is_new) membership.groups.push_back(it->first);
    membership.group_of_device.push_back(it->second);
  }
  return membership;
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
  const std::vector<int64_t>& all = site_.membership->groups[number];
  const distributed::ProcessRun* processes = run.options().processes;
  const bool across = processes != nullptr && processes->Spans(all);
  // Those that meet here: the members of this process.
  std::vector<int64_t> local;
  if (across) {
    absl::c_copy_if(all, std::back_inserter(local), [&](int64_t device) {
      return processes->is_local(device);
    });
  }
  const std::vector<int64_t>& members = across ? local : all;
  const int64_t position =
      std::find(members.begin(), members.end(), run.number()) - members.begin();
  const std::vector<RunGroup::Participant> participants = run.group().Join(
      {site_.op, site_.channel, this, &members}, position, {&run, this});
  if (participants.empty()) return ThunkResult{here + 1, /*suspended=*/true};
  TF_RETURN_IF_ERROR(across ? RunAcross(run, participants, all)
                            : RunExchange(run, participants));
  if (members.size() > 1) {
    std::vector<int64_t> others = members;
    others.erase(others.begin() + position);
    run.group().scheduler().Resume(others);
  }
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
  Exchange exchange{{}, run.runner()};
  std::vector<const CollectiveSite*> sites;
  bool one_thunk = true;
  for (const RunGroup::Participant& participant : participants) {
    const CollectiveSite& site = participant.thunk->site_;
    one_thunk = one_thunk && participant.thunk == this;
    sites.push_back(&site);
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
  if (one_thunk && WorksInPlace()) return ProduceAll(exchange);
  TF_ASSIGN_OR_RETURN(const MemoryChunk saved,
                      SaveOperands(exchange, participants, sites));
  if (one_thunk) return ProduceAll(exchange);
  for (int64_t me = 0; me < exchange.size(); ++me) {
    TF_RETURN_IF_ERROR(participants[me].thunk->Produce(exchange, me));
  }
  return absl::OkStatus();
}

absl::Status CollectiveThunk::ProduceAll(const Exchange& exchange) const {
  if (ResultBytes(site_) * exchange.size() < kParallelBytes) {
    for (int64_t me = 0; me < exchange.size(); ++me) {
      TF_RETURN_IF_ERROR(Produce(exchange, me));
    }
    return absl::OkStatus();
  }
  std::vector<absl::Status> statuses(exchange.size());
  exchange.runner.ParallelFor(exchange.size(), [&](int64_t me) {
    statuses[me] = Produce(exchange, me);
  });
  for (const absl::Status& status : statuses) TF_RETURN_IF_ERROR(status);
  return absl::OkStatus();
}

bool CollectiveThunk::WorksInPlace() const {
  for (const Slice& operand : site_.operands) {
    for (const Slice& result : site_.results) {
      if (operand.Overlaps(result)) return false;
    }
  }
  return true;
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
  return absl::StrCat(name(), " (", site_.op, ") with devices {",
                      absl::StrJoin(site_.membership->groups[number], ","),
                      "}");
}

}  // namespace xla::cpu
