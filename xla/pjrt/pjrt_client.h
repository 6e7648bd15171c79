// PjRtClient: devices, compilation, and buffers from host memory.
#ifndef XLA_PJRT_PJRT_CLIENT_H_
#define XLA_PJRT_PJRT_CLIENT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/distributed/communicator.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/sharding/device_assignment.h"
#include "xla/pjrt/async_transfer.h"
#include "xla/pjrt/client_options.h"
#include "xla/pjrt/compile_options.h"
#include "xla/pjrt/pjrt_buffer.h"
#include "xla/pjrt/pjrt_device.h"
#include "xla/pjrt/pjrt_executable.h"
#include "xla/pjrt/pjrt_loaded_executable.h"
#include "xla/pjrt/pjrt_topology.h"
#include "xla/runtime/block_cache.h"
#include "xla/runtime/thread_pool.h"

namespace xla {

class HloCostAnalysis;

// Owns its devices. Executables and buffers must be destroyed before it; a
// buffer that is left over may still be destroyed afterwards. Thread safe.
class PjRtClient {
 public:
  static constexpr int kMaxDevices = Executable::kMaxDevices;

  // How BufferFromHostBuffer may use the memory that it is given.
  enum class HostBufferSemantics {
    kImmutableOnlyDuringCall,          // copied before the call returns
    kImmutableUntilTransferCompletes,  // unchanged until `on_done`
    kImmutableZeroCopy,                // may be used in place, read only
    kMutableZeroCopy,                  // and a donation may write to it
    kZeroCopy = kImmutableZeroCopy,    // its older name
  };
  using AsyncHostToDeviceTransferManager =
      ::xla::AsyncHostToDeviceTransferManager;
  struct ShapeSpec {
    PrimitiveType element_type;
    DimensionVector dims;
  };
  using PjRtFulfillAliasBufferCallback = ::xla::PjRtFulfillAliasBufferCallback;
  using HostAllocator = PjRtHostAllocator;

  // With several processes, waits for all of them. Errors: InvalidArgument for
  // numbers out of range; those of Communicator::Connect.
  static absl::StatusOr<std::unique_ptr<PjRtClient>> Create(
      PjRtClientOptions options);
  // Returns a client with one thread that has the devices of the topology, to
  // compile for it.
  static absl::StatusOr<std::unique_ptr<PjRtClient>> CreateFor(
      const PjRtTopologyDescription& topology);
  // Waits for programs that are running or whose arguments are ready.
  ~PjRtClient();
  PjRtClient(const PjRtClient&) = delete;
  PjRtClient& operator=(const PjRtClient&) = delete;

  int process_index() const {
    return communicator_ == nullptr ? 0 : communicator_->process();
  }
  int device_count() const { return devices_.size(); }
  int addressable_device_count() const { return addressable_devices_.size(); }
  // The devices of all processes, by id.
  absl::Span<PjRtDevice* const> devices() const { return device_pointers_; }
  // Those of this process.
  absl::Span<PjRtDevice* const> addressable_devices() const {
    return addressable_devices_;
  }
  // Null unless there are several processes.
  const std::shared_ptr<distributed::Communicator>& communicator() const {
    return communicator_;
  }
  absl::Span<PjRtMemorySpace* const> memory_spaces() const {
    return memory_spaces_;
  }
  // Errors: InvalidArgument if there is no such device.
  absl::StatusOr<PjRtDevice*> LookupDevice(PjRtGlobalDeviceId id) const;
  absl::StatusOr<PjRtDevice*> LookupDevice(int id) const {
    return LookupDevice(PjRtGlobalDeviceId(id));
  }
  absl::StatusOr<PjRtDevice*> LookupAddressableDevice(
      PjRtLocalDeviceId id) const;

  PjRtPlatformId platform_id() const { return topology_->platform_id(); }
  absl::string_view platform_name() const { return topology_->platform_name(); }
  // Returns "tessera VERSION (BACKEND)".
  absl::string_view platform_version() const { return platform_version_; }
  PjRtRuntimeType runtime_type() const { return kTfrt; }
  absl::StatusOr<const PjRtTopologyDescription*> GetTopologyDescription()
      const {
    return topology_.get();
  }
  // None: this client is not behind the C API.
  std::optional<PjRtPluginAttributes> plugin_attributes() const {
    return std::nullopt;
  }
  // A new analysis, by the sizes that arrays have here.
  absl::StatusOr<std::unique_ptr<HloCostAnalysis>> GetHloCostAnalysis() const;
  // Shared by all clients.
  absl::StatusOr<HostAllocator*> GetHostAllocator() const;
  absl::StatusOr<DeviceAssignment> GetDefaultDeviceAssignment(
      int num_replicas, int num_partitions) const;
  absl::StatusOr<Layout> GetDefaultLayout(PrimitiveType element_type,
                                          absl::Span<const int64_t> dims) const;

  // Compilation. Errors: InvalidArgument for an invalid program, layouts that
  // do not fit it, or more devices than there are; Unimplemented for programs
  // that would have to be partitioned; those of the compiler.
  absl::StatusOr<std::unique_ptr<PjRtExecutable>> Compile(
      const XlaComputation& computation, CompileOptions options);
  absl::StatusOr<std::unique_ptr<PjRtExecutable>> Compile(
      std::unique_ptr<HloModule> module, CompileOptions options);
  absl::StatusOr<std::unique_ptr<PjRtLoadedExecutable>> CompileAndLoad(
      const XlaComputation& computation, CompileOptions options);
  absl::StatusOr<std::unique_ptr<PjRtLoadedExecutable>> CompileAndLoad(
      std::unique_ptr<HloModule> module, CompileOptions options);
  // Loads the output of SerializeExecutable; `options` replace those in it.
  // Uses the serialized native code if it was made for a processor like this
  // one, by this build of the compiler and with the same options (devices
  // aside); otherwise compiles the program and logs the reason. The code runs
  // as if it were part of this process: load it only from sources that are
  // trusted like shared libraries. Errors: InvalidArgument that says what is
  // wrong with the bytes, or that they come from another version;
  // FailedPrecondition for code that does not fit, if compiling is not allowed.
  absl::StatusOr<std::unique_ptr<PjRtExecutable>> DeserializeExecutable(
      absl::string_view serialized,
      std::optional<CompileOptions> options = std::nullopt,
      const LoadOptions& load_options = {});
  absl::StatusOr<std::unique_ptr<PjRtLoadedExecutable>>
  LoadSerializedExecutable(absl::string_view serialized,
                           std::optional<CompileOptions> options = std::nullopt,
                           const LoadOptions& load_options = {});
  absl::StatusOr<std::unique_ptr<PjRtLoadedExecutable>> Load(
      std::shared_ptr<const PjRtExecutable> executable,
      const LoadOptions& load_options = {});

  // Buffers. `memory_space` must belong to this client. All functions return
  // ResourceExhausted if there is no memory for the shape.
  //
  // `byte_strides`: the distance in bytes between elements in each dimension,
  // with any sign or 0; row-major order if unset. `device_layout`: default if
  // null. Unless the call fails, `on_done` is called when the memory is no
  // longer needed, which for zero copies is when the buffer's memory is freed.
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> BufferFromHostBuffer(
      const void* data, PrimitiveType type, absl::Span<const int64_t> dims,
      std::optional<absl::Span<const int64_t>> byte_strides,
      HostBufferSemantics semantics, absl::AnyInvocable<void() &&> on_done,
      PjRtMemorySpace* memory_space, const Layout* device_layout);
  // In the memory space of `donated_dst`, which is not used up.
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> BufferFromHostBuffer(
      const void* data, PrimitiveType type, absl::Span<const int64_t> dims,
      std::optional<absl::Span<const int64_t>> byte_strides,
      HostBufferSemantics semantics, absl::AnyInvocable<void() &&> on_done,
      PjRtBuffer* donated_dst, const Layout* device_layout) {
    return BufferFromHostBuffer(data, type, dims, byte_strides, semantics,
                                std::move(on_done), donated_dst->memory_space(),
                                device_layout);
  }
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> BufferFromHostLiteral(
      const LiteralSlice& literal, PjRtMemorySpace* memory_space,
      const Layout* device_layout = nullptr);
  // XLA's older forms: in the default memory space of the device.
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> BufferFromHostBuffer(
      const void* data, PrimitiveType type, absl::Span<const int64_t> dims,
      std::optional<absl::Span<const int64_t>> byte_strides,
      HostBufferSemantics semantics, absl::AnyInvocable<void() &&> on_done,
      PjRtDevice* device, const Layout* device_layout = nullptr);
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> BufferFromHostLiteral(
      const LiteralSlice& literal, PjRtDevice* device,
      const Layout* device_layout = nullptr);
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> CreateUninitializedBuffer(
      const Shape& shape, PjRtMemorySpace* memory_space);
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> CreateErrorBuffer(
      absl::Status error, const Shape& shape, PjRtMemorySpace* memory_space);
  // Wraps memory; `on_delete`, if set, is called when it is no longer used.
  // Memory that is not aligned to MemoryChunk::kAlignment is copied, and
  // `on_delete` called at once.
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> CreateViewOfDeviceBuffer(
      void* device_ptr, const Shape& shape, PjRtMemorySpace* memory_space,
      std::function<void()> on_delete,
      std::optional<std::intptr_t> stream = std::nullopt);
  absl::StatusOr<std::uintptr_t> UnsafeBufferPointer(PjRtBuffer* buffer) {
    return buffer->UnsafeBufferPointer();
  }
  // Makes a buffer whose memory is that of another one, which the callback
  // names once it exists.
  absl::StatusOr<
      std::pair<std::unique_ptr<PjRtBuffer>, PjRtFulfillAliasBufferCallback>>
  CreateAliasBuffer(const Shape& shape, PjRtMemorySpace* memory_space);
  absl::StatusOr<std::unique_ptr<AsyncHostToDeviceTransferManager>>
  CreateBuffersForAsyncHostToDevice(absl::Span<const Shape> shapes,
                                    PjRtMemorySpace* memory_space);
  absl::StatusOr<std::unique_ptr<AsyncHostToDeviceTransferManager>>
  CreateBuffersForAsyncHostToDevice(
      absl::Span<const ShapeSpec> shape_specs,
      std::optional<absl::Span<const std::optional<Layout>>> device_layouts,
      PjRtMemorySpace* memory_space);

  // Arrays that go to and come from other processes, which name the same keys,
  // new ones for these devices. A future is ready when the memory may be
  // reused. Errors: InvalidArgument for devices of this process;
  // FailedPrecondition if there is no other; those of the communicator.
  using CrossHostTransferKey = ::xla::CrossHostTransferKey;
  absl::StatusOr<std::vector<Future<>>> CrossHostSendBuffers(
      absl::Span<PjRtBuffer* const> buffers,
      absl::Span<const PjRtGlobalDeviceId> dst_global_device_ids,
      absl::Span<const CrossHostTransferKey> transfer_keys);
  absl::StatusOr<std::vector<std::unique_ptr<PjRtBuffer>>>
  CrossHostReceiveBuffers(
      PjRtDevice* device, absl::Span<const Shape> shapes,
      absl::Span<const PjRtGlobalDeviceId> src_global_device_ids,
      absl::Span<const CrossHostTransferKey> transfer_keys);

  // Marks host memory as used by transfers. Errors: InvalidArgument for null,
  // and for unmapping an address that is not mapped.
  absl::Status DmaMap(void* data, size_t size);
  absl::Status DmaUnmap(void* data);

  // Returns memory that all clients keep for later outputs to the system; its
  // size in bytes.
  int64_t ReleaseUnusedMemory() { return ::xla::ReleaseUnusedMemory(); }

  Compiler* compiler() const { return compiler_.get(); }
  ThreadPool* thread_pool() const { return pool_.get(); }
  bool asynchronous() const { return asynchronous_; }
  // The seed that a run uses; 0 asks for a new one each time.
  uint64_t SeedFor(uint64_t seed) {
    return seed != 0 ? seed : next_seed_.fetch_add(1);
  }
  int64_t NextRunId() { return next_run_.fetch_add(1); }
  // Lets work that waits for events find the pool as long as the client exists.
  struct Gate {
    // Recursive: a pool without threads runs tasks inside Schedule.
    std::recursive_mutex mutex;
    ThreadPool* pool;  // null after the client's destruction
  };
  const std::shared_ptr<Gate>& gate() const { return gate_; }

 private:
  PjRtClient(PjRtClientOptions options,
             std::unique_ptr<PjRtTopologyDescription> topology,
             std::shared_ptr<distributed::Communicator> communicator,
             std::unique_ptr<ThreadPool> pool,
             std::unique_ptr<Compiler> compiler);
  // Its memory is `*chunk`.
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> CreatePendingBuffer(
      const Shape& shape, PjRtMemorySpace* memory_space, Event definition,
      MemoryChunk* chunk);
  absl::StatusOr<std::shared_ptr<const Shape>> ArrayShape(
      PrimitiveType type, absl::Span<const int64_t> dims, const Layout* layout,
      PjRtMemorySpace* memory_space) const;

  const std::unique_ptr<PjRtTopologyDescription> topology_;
  const std::shared_ptr<distributed::Communicator> communicator_;
  const std::unique_ptr<Compiler> compiler_;
  const bool asynchronous_;
  const std::string platform_version_;
  std::vector<std::unique_ptr<PjRtDevice>> devices_;
  std::vector<PjRtDevice*> device_pointers_;
  std::vector<PjRtDevice*> addressable_devices_;
  std::vector<PjRtMemorySpace*> memory_spaces_;
  std::shared_ptr<Gate> gate_;
  std::atomic<uint64_t> next_seed_{0};
  std::atomic<int64_t> next_run_{1};
  std::mutex dma_mutex_;
  absl::flat_hash_map<void*, size_t> dma_mapped_;
  std::unique_ptr<ThreadPool> pool_;  // last: its tasks use the rest
};

absl::StatusOr<std::unique_ptr<PjRtClient>> GetTesseraClient(
    PjRtClientOptions options = {});

// XLA's interface to GetTesseraClient.
absl::StatusOr<std::unique_ptr<PjRtClient>> GetXlaPjrtCpuClient(
    CpuClientOptions options);

}  // namespace xla

#endif  // XLA_PJRT_PJRT_CLIENT_H_
