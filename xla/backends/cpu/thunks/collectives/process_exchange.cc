// Packs operands, carries schedules out, and unpacks what arrives.
#include "xla/backends/cpu/thunks/collectives/process_exchange.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/distributed/schedule/move_schedules.h"

namespace xla::cpu {
namespace {

using distributed::kSegmentAlignment;

int64_t AlignedSize(const Slice& slice) {
  return RoundUpTo(slice.size, kSegmentAlignment);
}

std::vector<int64_t> DevicesOf(const CollectiveThunk::Exchange& exchange) {
  std::vector<int64_t> devices;
  for (const CollectiveThunk::Member& member : exchange.members) {
    devices.push_back(member.device);
  }
  return devices;
}

void CopyNonEmpty(const char* from, char* to, int64_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

int64_t BytesOf(const std::vector<ProcessExchange::Part>& parts) {
  int64_t bytes = 0;
  for (const auto& part : parts) bytes += part.bytes * part.count;
  return bytes;
}

void NothingToFold(int64_t, int64_t, absl::Span<const char* const>, char*) {}

}  // namespace

ProcessExchange::ProcessExchange(distributed::ProcessRun& processes,
                                 DeviceScheduler& scheduler,
                                 const CollectiveSite& site,
                                 CollectiveThunk::Exchange& exchange)
    : processes_(processes),
      scheduler_(scheduler),
      site_(site),
      exchange_(exchange),
      devices_(DevicesOf(exchange)),
      group_(processes.GroupOf(devices_)),
      self_(processes.PlaceIn(group_)) {}

absl::StatusOr<char*> ProcessExchange::Allocate(int64_t bytes) {
  TF_ASSIGN_OR_RETURN(MemoryChunk chunk, MemoryChunk::Allocate(bytes));
  memory_.push_back(std::move(chunk));
  return memory_.back().data();
}

absl::Status ProcessExchange::Run(const distributed::Schedule& schedule,
                                  absl::Span<char* const> spaces,
                                  distributed::FoldFunction fold) {
  int64_t bytes = 0;
  for (const Slice& slice : site_.operands) bytes += slice.size;
  std::string type;
  if (!site_.shapes.empty()) {
    type = primitive_util::LowercasePrimitiveTypeName(
        site_.shapes[0].element_type());
  }
  const distributed::Operation operation = processes_.NextOperation(
      site_.op, type, site_.name, site_.channel, bytes, devices_);
  // Other devices of this process may be what the peers wait for.
  HostWait wait(scheduler_);
  return processes_.Run(
      operation, group_, schedule, spaces,
      [&](int64_t begin, int64_t bytes, absl::Span<const char* const> sources,
          char* to) { wait.Work([&] { fold(begin, bytes, sources, to); }); });
}

absl::Status ProcessExchange::SaveOperands() {
  int64_t bytes = 0;
  for (const Slice& slice : site_.operands) bytes += AlignedSize(slice);
  TF_ASSIGN_OR_RETURN(
      char* to, Allocate(bytes * static_cast<int64_t>(local_members().size())));
  for (const int m : local_members()) {
    for (size_t i = 0; i < site_.operands.size(); ++i) {
      CollectiveThunk::Member& member = exchange_.members[m];
      CopyNonEmpty(member.operands[i], to, site_.operands[i].size);
      member.operands[i] = to;
      to += AlignedSize(site_.operands[i]);
    }
  }
  return absl::OkStatus();
}

absl::Status ProcessExchange::GatherOperands(size_t first, size_t last) {
  int64_t of_member = 0;
  for (size_t i = first; i < last; ++i) {
    of_member += AlignedSize(site_.operands[i]);
  }
  std::vector<int64_t> blocks;
  for (const auto& members : group_.members) {
    blocks.push_back(static_cast<int64_t>(members.size()) * of_member);
  }
  const distributed::Schedule schedule = distributed::AllGatherSchedule(
      self_, blocks,
      distributed::ChooseGather(
          group_.size(), *std::max_element(blocks.begin(), blocks.end())));
  TF_ASSIGN_OR_RETURN(char* const work, Allocate(schedule.work_bytes));
  for (int place = 0; place < group_.size(); ++place) {
    char* at = work + distributed::BlockOffset(blocks, place);
    for (const int m : group_.members[place]) {
      CollectiveThunk::Member& member = exchange_.members[m];
      for (size_t i = first; i < last; ++i) {
        if (place == self_) {
          CopyNonEmpty(member.operands[i], at, site_.operands[i].size);
        } else {
          member.operands[i] = at;
        }
        at += AlignedSize(site_.operands[i]);
      }
    }
  }
  char* const spaces[] = {work};
  return Run(schedule, spaces, NothingToFold);
}

absl::Status ProcessExchange::BroadcastOperands() {
  int64_t bytes = 0;
  for (const Slice& slice : site_.operands) bytes += AlignedSize(slice);
  const int root = group_.place_of_member[0];
  const distributed::Schedule schedule = distributed::BroadcastSchedule(
      self_, group_.size(), root, bytes,
      distributed::ChooseBroadcast(group_.size(), bytes));
  TF_ASSIGN_OR_RETURN(char* const work, Allocate(bytes));
  char* at = work;
  for (size_t i = 0; i < site_.operands.size(); ++i) {
    CollectiveThunk::Member& first = exchange_.members[0];
    if (root == self_) {
      CopyNonEmpty(first.operands[i], at, site_.operands[i].size);
    } else {
      first.operands[i] = at;
    }
    at += AlignedSize(site_.operands[i]);
  }
  char* const spaces[] = {work};
  return Run(schedule, spaces, NothingToFold);
}

ProcessExchange::Members ProcessExchange::PartsBetween(
    int from, int to,
    absl::FunctionRef<void(int64_t, int64_t, std::vector<Part>*)> parts) const {
  Members members;
  for (const int sender : group_.members[from]) {
    // Several receivers may need the same part, which is sent once.
    std::vector<Part> all;
    for (const int receiver : group_.members[to]) {
      std::vector<Part> more;
      parts(sender, receiver, &more);
      for (const Part& part : more) {
        if (part.bytes * part.count == 0) continue;
        if (std::find(all.begin(), all.end(), part) == all.end()) {
          all.push_back(part);
        }
      }
    }
    if (!all.empty()) members.emplace_back(sender, std::move(all));
  }
  return members;
}

absl::Status ProcessExchange::Unpack(const Members& members, const char* from) {
  for (const auto& [m, parts] : members) {
    CollectiveThunk::Member& member = exchange_.members[m];
    for (const Part& part : parts) {
      if (member.operands[part.operand] == nullptr) {
        TF_ASSIGN_OR_RETURN(member.operands[part.operand],
                            Allocate(site_.operands[part.operand].size));
      }
      char* to = const_cast<char*>(member.operands[part.operand]) + part.offset;
      for (int64_t i = 0; i < part.count; ++i) {
        CopyNonEmpty(from, to + i * part.stride, part.bytes);
        from += part.bytes;
      }
    }
  }
  return absl::OkStatus();
}

absl::Status ProcessExchange::ExchangeParts(
    absl::FunctionRef<void(int64_t, int64_t, std::vector<Part>*)> parts) {
  std::vector<Members> sends(group_.size()), receives(group_.size());
  std::vector<int64_t> send_bytes(group_.size()), receive_bytes(group_.size());
  for (int place = 0; place < group_.size(); ++place) {
    if (place == self_) continue;
    sends[place] = PartsBetween(self_, place, parts);
    receives[place] = PartsBetween(place, self_, parts);
    for (const auto& [m, of_member] : sends[place]) {
      send_bytes[place] += BytesOf(of_member);
    }
    for (const auto& [m, of_member] : receives[place]) {
      receive_bytes[place] += BytesOf(of_member);
    }
  }
  TF_ASSIGN_OR_RETURN(char* const out, Allocate(distributed::BlockOffset(
                                           send_bytes, group_.size())));
  for (int place = 0; place < group_.size(); ++place) {
    char* to = out + distributed::BlockOffset(send_bytes, place);
    for (const auto& [m, of_member] : sends[place]) {
      for (const Part& part : of_member) {
        const char* from =
            exchange_.members[m].operands[part.operand] + part.offset;
        for (int64_t i = 0; i < part.count; ++i) {
          CopyNonEmpty(from + i * part.stride, to, part.bytes);
          to += part.bytes;
        }
      }
    }
  }
  const distributed::Schedule schedule =
      distributed::ExchangeSchedule(self_, send_bytes, receive_bytes);
  TF_ASSIGN_OR_RETURN(char* const in, Allocate(schedule.work_bytes));
  char* const spaces[] = {in, out};
  TF_RETURN_IF_ERROR(Run(schedule, spaces, NothingToFold));
  for (int place = 0; place < group_.size(); ++place) {
    TF_RETURN_IF_ERROR(Unpack(
        receives[place], in + distributed::BlockOffset(receive_bytes, place)));
  }
  return absl::OkStatus();
}

}  // namespace xla::cpu
