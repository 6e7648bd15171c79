// The structs behind the opaque handles of the C API. Each begins with a tag,
// by which a wrong or freed handle is recognized as far as possible; a device
// and a memory begin with the word that the header requires.
#ifndef XLA_PJRT_C_HANDLES_H_
#define XLA_PJRT_C_HANDLES_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/pjrt/c/named_values.h"
#include "xla/pjrt/c/pjrt_c_api.h"
#include "xla/pjrt/c/pjrt_c_api_layouts_extension.h"
#include "xla/pjrt/c/pjrt_c_api_memory_descriptions_extension.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/runtime/handle_tag.h"

namespace xla::pjrt {

template <char kKind>
using Tag = HandleTag<0x5465737365726100 + kKind>;

}  // namespace xla::pjrt

struct PJRT_MemoryDescription {
  const xla::PjRtMemorySpaceDescription* description;
};

struct PJRT_DeviceDescription {
  explicit PJRT_DeviceDescription(const xla::PjRtDeviceDescription* device);

  xla::pjrt::Tag<'d'> tag;
  const xla::PjRtDeviceDescription* const description;
  const xla::pjrt::NamedValues attributes;
  std::vector<PJRT_MemoryDescription> memories;
  std::vector<const PJRT_MemoryDescription*> memory_pointers;
};

struct PJRT_TopologyDescription {
  explicit PJRT_TopologyDescription(const xla::PjRtTopologyDescription* t);
  explicit PJRT_TopologyDescription(
      std::unique_ptr<xla::PjRtTopologyDescription> t);
  // The client with which PJRT_Compile compiles if it is given none; made once.
  absl::StatusOr<std::shared_ptr<xla::PjRtClient>> CompileClient() const;

  xla::pjrt::Tag<'t'> tag;
  std::unique_ptr<xla::PjRtTopologyDescription> owned;  // null: a client's
  const xla::PjRtTopologyDescription* const topology;
  const xla::pjrt::NamedValues attributes;
  std::vector<std::unique_ptr<PJRT_DeviceDescription>> devices;
  std::vector<PJRT_DeviceDescription*> device_pointers;
  std::vector<int> memory_kind_ids;
  mutable std::mutex mutex;  // guards compile_client
  mutable std::shared_ptr<xla::PjRtClient> compile_client;
};

namespace xla::pjrt {

// The implementation of PJRT_Memory.
struct MemoryHandle : PJRT_Memory {
  MemoryHandle(PJRT_Client* client, PJRT_Device* device,
               PjRtMemorySpace* memory_space);
  ~MemoryHandle();

  Tag<'m'> tag;
  PJRT_Client* const client;
  PJRT_Device* const device;
  PjRtMemorySpace* const memory_space;
  struct UserData {
    void* data;
    void (*destructor)(void* data);
  };
  std::mutex mutex;  // guards user_data
  absl::flat_hash_map<const void*, UserData> user_data;
};

}  // namespace xla::pjrt

struct PJRT_Device {
  PJRT_Device(PJRT_Client* client, xla::PjRtDevice* device);

  const void* const vtable = nullptr;
  xla::pjrt::Tag<'D'> tag;
  PJRT_Client* const client;
  xla::PjRtDevice* const device;
  PJRT_DeviceDescription description;
  std::vector<std::unique_ptr<xla::pjrt::MemoryHandle>> memories;
  std::vector<PJRT_Memory*> memory_pointers;
};

struct PJRT_Client {
  explicit PJRT_Client(std::unique_ptr<xla::PjRtClient> c);
  PJRT_Device* HandleOf(const xla::PjRtDevice* device) const;
  PJRT_Memory* HandleOf(const xla::PjRtMemorySpace* memory_space) const;

  xla::pjrt::Tag<'c'> tag;
  const std::unique_ptr<xla::PjRtClient> client;
  std::unique_ptr<PJRT_TopologyDescription> topology;
  std::vector<std::unique_ptr<PJRT_Device>> devices;  // by id
  std::vector<PJRT_Device*> device_pointers;
  std::vector<PJRT_Device*> addressable_devices;
  std::vector<PJRT_Memory*> memory_pointers;
};

struct PJRT_Event {
  explicit PJRT_Event(xla::Event e, bool can_set = false)
      : event(std::move(e)), settable(can_set) {}
  // Those that wait for an event which nobody can set any more get an error.
  ~PJRT_Event() {
    if (settable) event.Set(absl::CancelledError("the event was never set"));
  }

  xla::pjrt::Tag<'e'> tag;
  const xla::Event event;
  const bool settable;
};

struct PJRT_Buffer {
  PJRT_Buffer(PJRT_Client* c, std::unique_ptr<xla::PjRtBuffer> b)
      : client(c), buffer(std::move(b)) {}

  xla::pjrt::Tag<'b'> tag;
  PJRT_Client* const client;
  const std::unique_ptr<xla::PjRtBuffer> buffer;
  // Arrays that the API returns; filled on first request.
  struct Details {
    bool has_logical_dims = false;
    std::vector<int64_t> logical_dims;
    std::vector<size_t> dynamic_dims;
    std::vector<int64_t> tile_dims;  // of all tiles, concatenated
    std::vector<size_t> tile_dim_sizes;
  };
  std::mutex mutex;  // guards details
  std::unique_ptr<Details> details;
};

struct PJRT_AsyncHostToDeviceTransferManager {
  xla::pjrt::Tag<'T'> tag;
  PJRT_Client* client;
  std::unique_ptr<xla::AsyncHostToDeviceTransferManager> manager;
};

struct PJRT_FulfillAliasBufferCallback {
  xla::pjrt::Tag<'f'> tag;
  xla::PjRtClient::PjRtFulfillAliasBufferCallback callback;
};

struct PJRT_ExecuteContext {
  xla::pjrt::Tag<'x'> tag;
  xla::ExecuteContext context;
};

struct PJRT_CopyToDeviceStream {
  xla::pjrt::Tag<'s'> tag;
  std::unique_ptr<xla::CopyToDeviceStream> stream;
};

struct PJRT_AsyncTrackingEvent {
  xla::pjrt::Tag<'a'> tag;
  std::string description;
};

struct PJRT_Layouts_MemoryLayout {
  explicit PJRT_Layouts_MemoryLayout(std::shared_ptr<const xla::PjRtLayout> l,
                                     bool of_executable = false)
      : layout(std::move(l)), owned_by_executable(of_executable) {}

  xla::pjrt::Tag<'l'> tag;
  const std::shared_ptr<const xla::PjRtLayout> layout;
  const bool owned_by_executable;
};

// See executable_details.h.
namespace xla::pjrt {
struct ExecutableDetails;
struct ExecutableDetailsDeleter {
  void operator()(ExecutableDetails* details) const;
};
}  // namespace xla::pjrt

struct PJRT_Executable {
  explicit PJRT_Executable(std::shared_ptr<const xla::PjRtExecutable> e)
      : executable(std::move(e)) {}

  xla::pjrt::Tag<'E'> tag;
  const std::shared_ptr<const xla::PjRtExecutable> executable;
  std::mutex mutex;  // guards the creation of details
  std::unique_ptr<xla::pjrt::ExecutableDetails,
                  xla::pjrt::ExecutableDetailsDeleter>
      details;
};

struct PJRT_LoadedExecutable {
  PJRT_LoadedExecutable(PJRT_Client* c,
                        std::unique_ptr<xla::PjRtLoadedExecutable> e);

  xla::pjrt::Tag<'L'> tag;
  PJRT_Client* const client;
  const std::unique_ptr<xla::PjRtLoadedExecutable> executable;
  std::vector<PJRT_Device*> devices;
  std::vector<PJRT_LogicalDeviceIds> logical_ids;
  std::mutex mutex;  // guards fingerprint
  std::string fingerprint;
};

namespace xla::pjrt {

inline MemoryHandle* Impl(PJRT_Memory* memory) {
  return static_cast<MemoryHandle*>(memory);
}

}  // namespace xla::pjrt

#endif  // XLA_PJRT_C_HANDLES_H_
