// PjRtLoadedExecutable: a program on the devices of a client, ready to run.
#ifndef XLA_PJRT_PJRT_LOADED_EXECUTABLE_H_
#define XLA_PJRT_PJRT_LOADED_EXECUTABLE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/sharding/device_assignment.h"
#include "xla/pjrt/execute_options.h"
#include "xla/pjrt/pjrt_buffer.h"
#include "xla/pjrt/pjrt_device.h"
#include "xla/pjrt/pjrt_executable.h"
#include "xla/pjrt/pjrt_future.h"

namespace xla {

class PjRtClient;
struct PjRtRun;
namespace distributed {
struct ProgramIdentity;
}  // namespace distributed

// Thread safe. Its destruction does not affect runs that have started.
class PjRtLoadedExecutable {
 public:
  struct LogicalDeviceIds {
    int replica;
    int partition;
  };

  // `devices`: by logical number, replica * num_partitions + partition; some
  // may belong to other processes. A portable executable has an empty
  // assignment and none.
  PjRtLoadedExecutable(PjRtClient* client,
                       std::shared_ptr<const PjRtExecutable> executable,
                       DeviceAssignment assignment,
                       std::vector<PjRtDevice*> devices);

  PjRtClient* client() const { return client_; }
  // All its functions are constant.
  PjRtExecutable* GetExecutable() const {
    return const_cast<PjRtExecutable*>(executable_.get());
  }
  const std::shared_ptr<const PjRtExecutable>& shared_executable() const {
    return executable_;
  }
  bool is_portable() const { return device_ids_.empty(); }
  // Of all processes.
  const DeviceAssignment& device_assignment() const { return assignment_; }
  // Those of this process, by logical number; there may be none.
  absl::Span<PjRtDevice* const> addressable_devices() const { return devices_; }
  absl::Span<const LogicalDeviceIds> addressable_device_logical_ids() const {
    return logical_ids_;
  }

  // Runs all devices of this process; if there are others, their processes must
  // make the same calls in the same order. argument_handles[i] are the
  // arguments of addressable device i, and the results are in the same order.
  // Donated arguments are gone even if the run fails. `returned_futures`: pass
  // a value to request futures; it receives one for each device, which is ready
  // when the device has finished.
  //
  // Errors: InvalidArgument for arguments whose number, shapes or layouts
  // differ from those of the parameters, that are on other devices, or that
  // were deleted or donated; also for an argument that this call donates twice,
  // or donates and reads. FailedPrecondition after Delete; ResourceExhausted if
  // there is no memory for the results. Later errors are in the results and
  // futures.
  absl::StatusOr<std::vector<std::vector<std::unique_ptr<PjRtBuffer>>>> Execute(
      absl::Span<const std::vector<PjRtBuffer*>> argument_handles,
      const ExecuteOptions& options,
      std::optional<std::vector<Future<>>>& returned_futures) const;
  absl::StatusOr<std::vector<std::vector<std::unique_ptr<PjRtBuffer>>>> Execute(
      absl::Span<const std::vector<PjRtBuffer*>> argument_handles,
      const ExecuteOptions& options) const;
  // Runs a program for one device, or one that has a single device in this
  // process, on that device.
  absl::StatusOr<std::vector<std::unique_ptr<PjRtBuffer>>> ExecuteSharded(
      absl::Span<PjRtBuffer* const> argument_handles, PjRtDevice* device,
      const ExecuteOptions& options, std::optional<Future<>>& returned_future,
      bool fill_future) const;
  absl::StatusOr<std::vector<std::unique_ptr<PjRtBuffer>>> ExecuteSharded(
      absl::Span<PjRtBuffer* const> argument_handles, PjRtDevice* device,
      const ExecuteOptions& options,
      std::optional<Future<>>& returned_future) const {
    return ExecuteSharded(argument_handles, device, options, returned_future,
                          /*fill_future=*/true);
  }
  absl::StatusOr<std::vector<std::unique_ptr<PjRtBuffer>>> ExecuteSharded(
      absl::Span<PjRtBuffer* const> argument_handles, PjRtDevice* device,
      const ExecuteOptions& options) const {
    std::optional<Future<>> none;
    return ExecuteSharded(argument_handles, device, options, none,
                          /*fill_future=*/false);
  }
  // Runs a portable program on any device.
  absl::StatusOr<std::vector<std::unique_ptr<PjRtBuffer>>> ExecutePortable(
      absl::Span<PjRtBuffer* const> argument_handles, PjRtDevice* device,
      const ExecuteOptions& options, std::optional<Future<>>& returned_future,
      bool fill_future) const;

  absl::StatusOr<std::vector<std::unique_ptr<PjRtBuffer>>> ExecutePortable(
      absl::Span<PjRtBuffer* const> argument_handles, PjRtDevice* device,
      const ExecuteOptions& options,
      std::optional<Future<>>& returned_future) const {
    return ExecutePortable(argument_handles, device, options, returned_future,
                           /*fill_future=*/true);
  }
  absl::StatusOr<std::vector<std::unique_ptr<PjRtBuffer>>> ExecutePortable(
      absl::Span<PjRtBuffer* const> argument_handles, PjRtDevice* device,
      const ExecuteOptions& options) const {
    std::optional<Future<>> none;
    return ExecutePortable(argument_handles, device, options, none,
                           /*fill_future=*/false);
  }

  void Delete() { deleted_.store(true); }
  bool IsDeleted() const { return deleted_.load(); }

  // Properties of the executable.
  absl::string_view name() const { return executable_->name(); }
  int num_replicas() const { return executable_->num_replicas(); }
  int num_partitions() const { return executable_->num_partitions(); }
  int64_t SizeOfGeneratedCodeInBytes() const {
    return executable_->SizeOfGeneratedCodeInBytes();
  }
  absl::StatusOr<std::vector<std::shared_ptr<HloModule>>> GetHloModules()
      const {
    return executable_->GetHloModules();
  }
  auto GetOutputShapes() const { return executable_->GetOutputShapes(); }
  auto GetOutputElementTypes() const {
    return executable_->GetOutputElementTypes();
  }
  auto GetOutputDimensions() const {
    return executable_->GetOutputDimensions();
  }
  auto GetCompileOptions() const { return executable_->GetCompileOptions(); }
  auto GetParameterLayouts() const {
    return executable_->GetParameterLayouts();
  }
  auto GetOutputLayouts() const { return executable_->GetOutputLayouts(); }
  auto GetOutputMemoryKinds() const {
    return executable_->GetOutputMemoryKinds();
  }
  auto GetParameterShardings() const {
    return executable_->GetParameterShardings();
  }
  auto GetOutputShardings() const { return executable_->GetOutputShardings(); }
  auto GetCompiledMemoryStats() const {
    return executable_->GetCompiledMemoryStats();
  }
  auto GetCostAnalysis() const { return executable_->GetCostAnalysis(); }
  absl::StatusOr<std::string> FingerprintExecutable() const {
    return executable_->FingerprintExecutable();
  }
  absl::StatusOr<std::string> SerializeExecutable() const {
    return executable_->SerializeExecutable();
  }

 private:
  absl::Status JoinProcesses(const ExecuteOptions& options, PjRtRun& run) const;
  // Tells other processes that the run which they wait for has failed here.
  // Returns `status`.
  absl::Status TellOthers(absl::Status status) const;
  // Runs all devices of this process; `devices` are by logical number. Results
  // are appended to results[d]; `done` is ready when the run has finished.
  absl::Status Launch(absl::Span<const absl::Span<PjRtBuffer* const>> arguments,
                      absl::Span<PjRtDevice* const> devices,
                      const ExecuteOptions& options,
                      std::vector<std::unique_ptr<PjRtBuffer>>* results,
                      Event* done) const;

  PjRtClient* const client_;
  const std::shared_ptr<const PjRtExecutable> executable_;
  const DeviceAssignment assignment_;
  std::vector<int64_t> device_ids_;   // of all processes, by logical number
  std::vector<PjRtDevice*> devices_;  // of this process
  // Set if some devices belong to other processes and some to this one.
  std::shared_ptr<const distributed::ProgramIdentity> program_;
  std::vector<LogicalDeviceIds> logical_ids_;
  std::atomic<bool> deleted_{false};
};

}  // namespace xla

#endif  // XLA_PJRT_PJRT_LOADED_EXECUTABLE_H_
