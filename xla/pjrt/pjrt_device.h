// Devices and memory spaces of a client, and descriptions of devices that need
// no client.
#ifndef XLA_PJRT_PJRT_DEVICE_H_
#define XLA_PJRT_PJRT_DEVICE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/pjrt/pjrt_common.h"
#include "xla/pjrt/run/run_fate.h"
#include "xla/runtime/memory_chunk.h"
#include "xla/runtime/transfer_queues.h"

namespace xla {

class PjRtClient;
class PjRtDevice;

// The default name by which frameworks know the platform and the kind of its
// devices.
inline constexpr absl::string_view kPlatformName = "tessera";

// Describes a memory space; all devices have the same ones.
class PjRtMemorySpaceDescription {
 public:
  PjRtMemorySpaceDescription(absl::string_view kind, int kind_id)
      : kind_(kind), kind_id_(kind_id) {}

  absl::string_view kind() const { return kind_; }  // "device"
  // Equal for all spaces of that kind.
  int kind_id() const { return kind_id_; }

 private:
  std::string kind_;
  int kind_id_;
};

// XLA's names of the kinds of memory.
struct CpuDeviceMemorySpace {
  static constexpr absl::string_view kKind = "device";
  static constexpr int kKindId = 0;
};
struct UnpinnedHostMemorySpace {
  static constexpr absl::string_view kKind = "unpinned_host";
  static constexpr int kKindId = 1;
};
struct PinnedHostMemorySpace {
  static constexpr absl::string_view kKind = "pinned_host";
  static constexpr int kKindId = 2;
};

// Describes a device without a client. Immutable.
class PjRtDeviceDescription {
 public:
  PjRtDeviceDescription(int id, std::string kind);
  // A device of a job of several processes, number `local_id` of its process.
  // `partition_index` says on which of the job's machines it is, and is an
  // attribute of that name and, for older callers, of the name slice_index.
  PjRtDeviceDescription(int id, std::string kind, int process_index,
                        int local_id, int partition_index);

  int id() const { return id_; }
  PjRtGlobalDeviceId global_device_id() const {
    return PjRtGlobalDeviceId(id_);
  }
  int process_index() const { return process_index_; }
  // The number of the device in its process.
  int local_id() const { return local_id_; }
  // The platform's name.
  absl::string_view device_kind() const { return kind_; }
  // "TESSERA_CPU_0" and "TesseraDevice(id=0)".
  absl::string_view DebugString() const { return debug_string_; }
  absl::string_view ToString() const { return to_string_; }
  const absl::flat_hash_map<std::string, PjRtDeviceAttribute>& Attributes()
      const {
    return attributes_;
  }
  // The memory spaces of every device: "device", "unpinned_host" and
  // "pinned_host".
  absl::Span<const PjRtMemorySpaceDescription* const> memory_spaces() const;
  absl::StatusOr<const PjRtMemorySpaceDescription*> default_memory_space()
      const {
    return memory_spaces()[0];
  }

 private:
  int id_;
  int process_index_ = 0;
  int local_id_;
  std::string kind_;
  std::string debug_string_;
  std::string to_string_;
  absl::flat_hash_map<std::string, PjRtDeviceAttribute> attributes_;
};

// Memory of one device. All of it is host memory; the kinds exist for programs
// that name them. Owned by the client. Immutable except for its account.
class PjRtMemorySpace {
 public:
  PjRtMemorySpace(PjRtDevice* device, int id,
                  PjRtMemorySpaceDescription description,
                  std::shared_ptr<MemoryAccount> account);

  PjRtClient* client() const;
  // The only device.
  absl::Span<PjRtDevice* const> devices() const {
    return absl::MakeConstSpan(&device_, 1);
  }
  PjRtDevice* device() const { return device_; }
  int id() const { return id_; }
  absl::string_view kind() const { return description_.kind(); }
  int kind_id() const { return description_.kind_id(); }
  absl::string_view DebugString() const { return debug_string_; }
  absl::string_view ToString() const { return debug_string_; }
  const std::shared_ptr<MemoryAccount>& account() const { return account_; }

 private:
  PjRtDevice* const device_;
  const int id_;
  const PjRtMemorySpaceDescription description_;
  const std::string debug_string_;
  const std::shared_ptr<MemoryAccount> account_;
};

// Owned by the client. One of another process has no memory spaces. Thread
// safe.
class PjRtDevice {
 public:
  PjRtDevice(PjRtClient* client, PjRtDeviceDescription description,
             int64_t memory_limit_bytes, bool addressable = true);

  PjRtClient* client() const { return client_; }
  // Whether it belongs to this process.
  bool IsAddressable() const { return addressable_; }
  const PjRtDeviceDescription& description() const { return description_; }
  int id() const { return description_.id(); }
  PjRtGlobalDeviceId global_device_id() const {
    return description_.global_device_id();
  }
  PjRtLocalDeviceId local_device_id() const {
    return PjRtLocalDeviceId(addressable_ ? description_.local_id() : -1);
  }
  PjRtLocalHardwareId local_hardware_id() const {
    return PjRtLocalHardwareId(addressable_ ? description_.local_id() : -1);
  }
  int process_index() const { return description_.process_index(); }
  absl::string_view device_kind() const { return description_.device_kind(); }
  absl::string_view DebugString() const { return description_.DebugString(); }
  absl::string_view ToString() const { return description_.ToString(); }
  const absl::flat_hash_map<std::string, PjRtDeviceAttribute>& Attributes()
      const {
    return description_.Attributes();
  }

  // The spaces in the order of their kinds; the first is the default.
  absl::Span<PjRtMemorySpace* const> memory_spaces() const {
    return memory_spaces_;
  }
  // Errors: InvalidArgument for a device of another process.
  absl::StatusOr<PjRtMemorySpace*> default_memory_space() const;
  // Errors: InvalidArgument that lists the kinds.
  absl::StatusOr<PjRtMemorySpace*> memory_space_by_kind(
      absl::string_view kind) const;
  absl::StatusOr<PjRtMemorySpace*> memory_space_by_kind_id(int kind_id) const;

  // The statistics of all its memory spaces together.
  absl::StatusOr<tsl::AllocatorStats> GetAllocatorStats() const;

  // TransferFromOutfeed returns FailedPrecondition if nothing arrives within
  // ten minutes.
  absl::Status TransferToInfeed(const LiteralSlice& literal);
  absl::Status TransferFromOutfeed(MutableBorrowingLiteral literal);
  TransferQueues* queues() { return &queues_; }

  // For devices with streams, which this is not: Unimplemented.
  absl::StatusOr<std::intptr_t> GetStreamForExternalReadyEvents() const {
    return absl::UnimplementedError("the devices of the host have no streams");
  }
  // Makes the outputs of the earliest run of that launch on this device fail
  // with `error`, on all its devices: at once if it still waits for its
  // arguments, and it does not run then, else when it ends. Returns false if
  // there is no such run or it has ended; runs on the caller's thread have.
  // Errors: InvalidArgument if `error` is OK.
  absl::StatusOr<bool> PoisonExecution(int32_t launch_id, absl::Status error);
  LaunchedRuns* launched_runs() { return &launched_runs_; }

 private:
  PjRtClient* const client_;
  const PjRtDeviceDescription description_;
  const bool addressable_;
  const std::shared_ptr<MemoryAccount> account_;
  std::vector<std::unique_ptr<PjRtMemorySpace>> owned_spaces_;
  std::vector<PjRtMemorySpace*> memory_spaces_;
  TransferQueues queues_;
  LaunchedRuns launched_runs_;
};

}  // namespace xla

#endif  // XLA_PJRT_PJRT_DEVICE_H_
