// Creates a client and its devices.
#include "xla/pjrt/pjrt_client.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/base/version.h"
#include "xla/client/buffers/platform.h"
#include "xla/client/compilers.h"
#include "xla/core/layout_util.h"

namespace xla {
PjRtClient::PjRtClient(PjRtClientOptions options,
                       std::unique_ptr<PjRtTopologyDescription> topology,
                       std::shared_ptr<distributed::Communicator> communicator,
                       std::unique_ptr<ThreadPool> pool,
                       std::unique_ptr<Compiler> compiler)
    : topology_(std::move(topology)),
      communicator_(std::move(communicator)),
      compiler_(std::move(compiler)),
      asynchronous_(options.asynchronous),
      platform_version_(absl::StrCat("tessera ", TesseraVersion(), " (",
                                     compiler_->name(), ")")),
      gate_(std::make_shared<Gate>()),
      pool_(std::move(pool)) {
  gate_->pool = pool_.get();
  const int64_t limit = options.memory_limit_bytes > 0
                            ? options.memory_limit_bytes
                            : MachineMemoryBytes();
  for (const PjRtDeviceDescription& device : topology_->devices()) {
    const bool addressable = device.process_index() == process_index();
    devices_.push_back(
        std::make_unique<PjRtDevice>(this, device, limit, addressable));
    device_pointers_.push_back(devices_.back().get());
    if (addressable) addressable_devices_.push_back(devices_.back().get());
    for (PjRtMemorySpace* space : devices_.back()->memory_spaces()) {
      memory_spaces_.push_back(space);
    }
  }
}

PjRtClient::~PjRtClient() {
  if (communicator_ != nullptr) communicator_->ForgetStore();
  // Wakes those that wait for a host which will no longer come; they fail.
  {
    std::lock_guard<std::recursive_mutex> lock(gate_->mutex);
    gate_->pool = nullptr;
  }
  for (const auto& device : devices_) device->queues()->Close();
}

namespace {

// Connects the processes, and describes the devices of all of them.
absl::StatusOr<std::unique_ptr<PjRtTopologyDescription>> ConnectProcesses(
    PjRtClientOptions& options,
    std::shared_ptr<distributed::Communicator>* communicator) {
  if (options.store == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a client of ", options.processes.num_processes,
        " processes needs a key-value store by which they find each other"));
  }
  options.processes.num_devices = options.num_devices;
  TF_ASSIGN_OR_RETURN(*communicator,
                      distributed::Communicator::Connect(
                          options.processes, std::move(options.store)));
  std::vector<PjRtProcess> processes;
  for (const auto& process : (*communicator)->topology().processes) {
    processes.push_back({process.num_devices, process.partition_index});
  }
  return PjRtTopologyDescription::Create(options.platform_name, processes);
}

}  // namespace

absl::StatusOr<std::unique_ptr<PjRtClient>> PjRtClient::Create(
    PjRtClientOptions options) {
  if (options.num_threads < 0 ||
      options.num_threads > ThreadPool::kMaxThreads) {
    return absl::InvalidArgumentError(
        absl::StrCat("num_threads is ", options.num_threads, ": between 0 and ",
                     ThreadPool::kMaxThreads, " are possible"));
  }
  if (options.memory_limit_bytes < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("memory_limit_bytes is ", options.memory_limit_bytes));
  }
  if (options.keep_bytes < -1) {
    return absl::InvalidArgumentError(
        absl::StrCat("keep_bytes is ", options.keep_bytes));
  }
  if (options.num_devices == 0)
    options.num_devices = se::Platform::Host()->VisibleDeviceCount();
  TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtTopologyDescription> topology,
                      PjRtTopologyDescription::Create(options.platform_name,
                                                      options.num_devices));
  std::shared_ptr<distributed::Communicator> communicator;
  if (options.processes.num_processes == 1 && options.processes.process != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there is no process ", options.processes.process, " of one"));
  }
  if (options.processes.num_processes != 1) {
    TF_ASSIGN_OR_RETURN(topology, ConnectProcesses(options, &communicator));
  }
  auto pool = std::make_unique<ThreadPool>(
      options.num_threads > 0 ? options.num_threads : DefaultThreadCount());
  std::unique_ptr<Compiler> compiler = std::move(options.compiler);
  if (compiler == nullptr) {
    const CompilerThreads threads = {
        .runner = options.runner != nullptr ? options.runner : pool.get(),
        .pool = pool.get()};
    TF_ASSIGN_OR_RETURN(
        compiler, MakeCompiler(options.backend.empty() ? DefaultCompilerName()
                                                       : options.backend,
                               threads, options.compilation_cache));
  }
  if (options.keep_bytes >= 0) {
    BlockCache::Global().SetLimit(options.keep_bytes);
  }
  // The constructor is private.
  return std::unique_ptr<PjRtClient>(new PjRtClient(
      std::move(options), std::move(topology), std::move(communicator),
      std::move(pool), std::move(compiler)));
}

absl::StatusOr<PjRtDevice*> PjRtClient::LookupDevice(
    PjRtGlobalDeviceId id) const {
  if (id.value() >= 0 && id.value() < device_count()) {
    return device_pointers_[id.value()];
  }
  return absl::InvalidArgumentError(
      absl::StrCat("there is no device ", id.value(), ": devices are 0 to ",
                   device_count() - 1, " (set num_devices for more)"));
}

absl::StatusOr<PjRtDevice*> PjRtClient::LookupAddressableDevice(
    PjRtLocalDeviceId id) const {
  if (id.value() >= 0 && id.value() < addressable_device_count()) {
    return addressable_devices_[id.value()];
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no device ", id.value(), " in this process: its devices are 0 ",
      "to ", addressable_device_count() - 1, " (set num_devices for more)"));
}

absl::StatusOr<DeviceAssignment> PjRtClient::GetDefaultDeviceAssignment(
    int num_replicas, int num_partitions) const {
  if (num_replicas < 1 || num_partitions < 1 ||
      num_replicas > device_count() / num_partitions) {
    return absl::InvalidArgumentError(
        absl::StrCat(num_replicas, " replicas of ", num_partitions,
                     " partitions do not fit on ", device_count(), " devices"));
  }
  // Devices of this process if they suffice.
  const int first = num_replicas * num_partitions <= addressable_device_count()
                        ? addressable_devices_[0]->id()
                        : 0;
  // Partitions of a replica are on consecutive devices.
  DeviceAssignment assignment(num_replicas, num_partitions);
  for (int replica = 0; replica < num_replicas; ++replica) {
    for (int partition = 0; partition < num_partitions; ++partition) {
      assignment(replica, partition) =
          first + replica * num_partitions + partition;
    }
  }
  return assignment;
}

absl::StatusOr<Layout> PjRtClient::GetDefaultLayout(
    PrimitiveType element_type, absl::Span<const int64_t> dims) const {
  return topology_->GetDefaultLayout(element_type, dims);
}

absl::Status PjRtClient::DmaMap(void* data, size_t size) {
  if (data == nullptr || size == 0) {
    return absl::InvalidArgumentError("DmaMap: there is no memory to map");
  }
  // Host transfers need no mapping; mapped memory is only recorded for checks.
  std::lock_guard<std::mutex> lock(dma_mutex_);
  if (dma_mapped_.emplace(data, size).second) return absl::OkStatus();
  return absl::InvalidArgumentError("DmaMap: the memory is mapped already");
}

absl::Status PjRtClient::DmaUnmap(void* data) {
  std::lock_guard<std::mutex> lock(dma_mutex_);
  if (dma_mapped_.erase(data) > 0) return absl::OkStatus();
  return absl::InvalidArgumentError("DmaUnmap: the memory is not mapped");
}

absl::StatusOr<std::unique_ptr<PjRtClient>> PjRtClient::CreateFor(
    const PjRtTopologyDescription& topology) {
  PjRtClientOptions options;
  options.num_devices = static_cast<int>(topology.devices().size());
  options.num_threads = 1;
  options.platform_name = std::string(topology.platform_name());
  return Create(std::move(options));
}

absl::StatusOr<std::unique_ptr<PjRtClient>> GetTesseraClient(
    PjRtClientOptions options) {
  return PjRtClient::Create(std::move(options));
}

absl::StatusOr<std::unique_ptr<PjRtClient>> GetXlaPjrtCpuClient(
    CpuClientOptions options) {
  PjRtClientOptions own;
  own.asynchronous = options.asynchronous;
  own.num_devices = options.cpu_device_count.value_or(0);
  own.platform_name = "cpu";
  return PjRtClient::Create(std::move(own));
}

}  // namespace xla
