// Devices and memory spaces: names, lookups, statistics, infeed.
#include "xla/pjrt/pjrt_device.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/pjrt_client.h"

namespace xla {
namespace {

// A program that waits longer for its host fails.
constexpr absl::Duration kHostTimeout = absl::Minutes(10);

template <typename Space>
const PjRtMemorySpaceDescription* Describe() {
  return new PjRtMemorySpaceDescription(Space::kKind, Space::kKindId);
}

}  // namespace

PjRtDeviceDescription::PjRtDeviceDescription(int id, std::string kind)
    : id_(id),
      local_id_(id),
      kind_(std::move(kind)),
      debug_string_(absl::StrCat("TESSERA_CPU_", id)),
      to_string_(absl::StrCat("TesseraDevice(id=", id, ")")) {}

PjRtDeviceDescription::PjRtDeviceDescription(int id, std::string kind,
                                             int process_index, int local_id,
                                             int partition_index)
    : PjRtDeviceDescription(id, std::move(kind)) {
  process_index_ = process_index;
  local_id_ = local_id;
  attributes_["partition_index"] = int64_t{partition_index};
  attributes_["slice_index"] = int64_t{partition_index};
}

absl::Span<const PjRtMemorySpaceDescription* const>
PjRtDeviceDescription::memory_spaces() const {
  static const auto* const spaces =
      new std::vector<const PjRtMemorySpaceDescription*>{
          Describe<CpuDeviceMemorySpace>(), Describe<UnpinnedHostMemorySpace>(),
          Describe<PinnedHostMemorySpace>()};
  return *spaces;
}

PjRtMemorySpace::PjRtMemorySpace(PjRtDevice* device, int id,
                                 PjRtMemorySpaceDescription description,
                                 std::shared_ptr<MemoryAccount> account)
    : device_(device),
      id_(id),
      description_(std::move(description)),
      debug_string_(absl::StrCat("TesseraMemory(id=", id,
                                 ", kind=", description_.kind(),
                                 ", device=", device->id(), ")")),
      account_(std::move(account)) {}

PjRtClient* PjRtMemorySpace::client() const { return device_->client(); }

PjRtDevice::PjRtDevice(PjRtClient* client, PjRtDeviceDescription description,
                       int64_t memory_limit_bytes, bool addressable)
    : client_(client),
      description_(std::move(description)),
      addressable_(addressable),
      account_(std::make_shared<MemoryAccount>(memory_limit_bytes)),
      queues_(kHostTimeout) {
  if (!addressable) return;
  const auto& spaces = description_.memory_spaces();
  for (size_t i = 0; i < spaces.size(); ++i) {
    owned_spaces_.push_back(std::make_unique<PjRtMemorySpace>(
        this, id() * spaces.size() + i, *spaces[i], account_));
    memory_spaces_.push_back(owned_spaces_.back().get());
  }
}

absl::StatusOr<PjRtMemorySpace*> PjRtDevice::default_memory_space() const {
  if (addressable_) return memory_spaces_[0];
  return absl::InvalidArgumentError(
      absl::StrCat("device ", id(), " belongs to process ", process_index(),
                   ": its memory is not accessible from here"));
}

absl::StatusOr<PjRtMemorySpace*> PjRtDevice::memory_space_by_kind(
    absl::string_view kind) const {
  for (PjRtMemorySpace* space : memory_spaces_) {
    if (space->kind() == kind) return space;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "device ", id(), " has no memory of kind \"", kind, "\", only ",
      absl::StrJoin(memory_spaces_, ", ",
                    [](std::string* out, const PjRtMemorySpace* space) {
                      absl::StrAppend(out, space->kind());
                    })));
}

absl::StatusOr<PjRtMemorySpace*> PjRtDevice::memory_space_by_kind_id(
    int kind_id) const {
  for (PjRtMemorySpace* space : memory_spaces_) {
    if (space->kind_id() == kind_id) return space;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("device ", id(), " has no memory of kind id ", kind_id));
}

absl::StatusOr<tsl::AllocatorStats> PjRtDevice::GetAllocatorStats() const {
  tsl::AllocatorStats stats;
  stats.num_allocs = account_->num_allocs();
  stats.bytes_in_use = account_->bytes_in_use();
  stats.peak_bytes_in_use = account_->peak_bytes_in_use();
  stats.largest_alloc_size = account_->largest_alloc_size();
  stats.bytes_limit = account_->bytes_limit();
  return stats;
}

absl::StatusOr<bool> PjRtDevice::PoisonExecution(int32_t launch_id,
                                                 absl::Status error) {
  if (error.ok()) {
    return absl::InvalidArgumentError("the error of a run is OK");
  }
  return launched_runs_.Poison(launch_id, error);
}

absl::Status PjRtDevice::TransferToInfeed(const LiteralSlice& literal) {
  queues_.TransferToInfeed(literal.Clone());
  return absl::OkStatus();
}

absl::Status PjRtDevice::TransferFromOutfeed(MutableBorrowingLiteral literal) {
  TF_ASSIGN_OR_RETURN(const Literal value,
                      queues_.TransferFromOutfeed(kHostTimeout));
  return literal.CopyFrom(value);
}

}  // namespace xla
