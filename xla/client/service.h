// Service: the base of Client and LocalClient. Turns computations and options
// into executables, and keeps data and executables by handle.
#ifndef XLA_CLIENT_SERVICE_H_
#define XLA_CLIENT_SERVICE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/compiler.h"
#include "xla/client/backend.h"
#include "xla/client/global_data.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/hlo/sharding/device_assignment.h"
#include "xla/proto/xla.pb.h"

namespace xla {

// Thread safe.
class Service {
 public:
  Service(std::unique_ptr<Compiler> compiler, BackendOptions options,
          int number_of_replicas);

  Backend& backend() { return backend_; }
  // For programs whose options do not give a number of replicas.
  int number_of_replicas() const { return number_of_replicas_; }
  const std::shared_ptr<GlobalDataTable>& global_data() const {
    return global_data_;
  }

  // `argument_shapes` give layouts: one for each parameter, or none at all for
  // default layouts. Errors: InvalidArgument for an invalid program and for
  // shapes that do not fit it; those of the compiler.
  absl::StatusOr<std::unique_ptr<Executable>> Compile(
      const XlaComputation& computation,
      std::optional<absl::Span<const Shape* const>> argument_shapes,
      const ExecutionOptions& options);

  // The service keeps executables for its lifetime.
  ExecutionHandle Keep(std::shared_ptr<Executable> executable);
  // Errors: InvalidArgument for an unknown handle.
  absl::StatusOr<std::shared_ptr<Executable>> Find(
      const ExecutionHandle& handle) const;

  // The number of a replica's device, counted from the first one of `handle`;
  // null is the default device.
  absl::StatusOr<int64_t> DeviceFor(const DeviceHandle* handle,
                                    int64_t replica) const;
  // The infeed and outfeed of that device, which is created if it does not
  // exist. Errors: those of DeviceFor and of Backend.
  absl::StatusOr<TransferQueues*> QueuesFor(const DeviceHandle* handle,
                                            int64_t replica);

  // Runs all devices of the executable on global data, by handle. Returns one
  // result per device. `profile` may be null.
  absl::StatusOr<DeviceValues> Execute(
      const Executable& executable,
      absl::Span<const GlobalDataHandle* const> arguments,
      const DeviceHandle* device, ExecutionProfile* profile);

 private:
  absl::StatusOr<HloModuleConfig> MakeConfig(const ExecutionOptions& options);

  Backend backend_;
  const int number_of_replicas_;
  const std::shared_ptr<GlobalDataTable> global_data_ =
      std::make_shared<GlobalDataTable>();
  mutable std::mutex mutex_;
  std::map<int64_t, std::shared_ptr<Executable>> executables_;
};

// A service whose clients are in its process: each is.
using LocalService = Service;

}  // namespace xla

#endif  // XLA_CLIENT_SERVICE_H_
