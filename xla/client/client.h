// Client: runs computations on values that it holds, with XLA's interface.
#ifndef XLA_CLIENT_CLIENT_H_
#define XLA_CLIENT_CLIENT_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/client/executable_build_options.h"
#include "xla/client/global_data.h"
#include "xla/client/service.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla.pb.h"

namespace xla {

// A program and what it runs on, for Client::ExecuteParallel.
struct XlaComputationInstance {
  const XlaComputation& computation;
  std::vector<GlobalData*> arguments;
  ExecutionOptions execution_options;
  ExecutionProfile* execution_profile;

  XlaComputationInstance(const XlaComputation& computation,
                         std::vector<GlobalData*> arguments,
                         ExecutionOptions execution_options,
                         ExecutionProfile* execution_profile)
      : computation(computation),
        arguments(std::move(arguments)),
        execution_options(std::move(execution_options)),
        execution_profile(execution_profile) {}
};

// A program of several replicas takes one value per device, or one for all, and
// returns one per device; Transfer returns the first device's value. Null
// options mean CreateDefaultExecutionOptions(). Errors of all functions:
// InvalidArgument for programs and values that do not fit, and for data that
// was deallocated. Thread safe.
class Client {
 public:
  // `service` is borrowed.
  explicit Client(Service* service) : service_(service) {}
  virtual ~Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  using XlaComputationInstance = xla::XlaComputationInstance;

  // The client keeps the executable for its lifetime.
  absl::StatusOr<ExecutionHandle> Compile(
      const XlaComputation& computation,
      absl::Span<const Shape> argument_shapes,
      const ExecutionOptions* execution_options = nullptr);

  absl::StatusOr<std::unique_ptr<GlobalData>> Execute(
      const ExecutionHandle& handle, absl::Span<GlobalData* const> arguments,
      ExecutionProfile* execution_profile = nullptr);
  absl::StatusOr<std::unique_ptr<GlobalData>> Execute(
      const XlaComputation& computation,
      absl::Span<GlobalData* const> arguments,
      const ExecutionOptions* execution_options = nullptr,
      ExecutionProfile* execution_profile = nullptr);
  // Returns the result in the layout of the options.
  absl::StatusOr<Literal> ExecuteAndTransfer(
      const XlaComputation& computation,
      absl::Span<GlobalData* const> arguments,
      const ExecutionOptions* execution_options = nullptr,
      ExecutionProfile* execution_profile = nullptr);

  // Runs all computations concurrently, each on the device handles of its
  // options. Channels between different programs are not supported: a recv from
  // another program fails.
  absl::StatusOr<std::vector<std::unique_ptr<GlobalData>>> ExecuteParallel(
      absl::Span<const XlaComputationInstance> computations);
  // Device handles for ExecuteParallel, each of which covers all replicas.
  absl::StatusOr<std::vector<DeviceHandle>> GetDeviceHandles(
      int64_t device_count);

  // Returns the value, relaid out if `shape_with_layout` is given.
  absl::StatusOr<Literal> Transfer(const GlobalData& data,
                                   const Shape* shape_with_layout = nullptr);
  // The value is for all replicas.
  absl::StatusOr<std::unique_ptr<GlobalData>> TransferToServer(
      const LiteralSlice& literal, const DeviceHandle* device_handle = nullptr);
  // Enqueues the value that one infeed op of the device will return.
  absl::Status TransferToInfeed(const LiteralSlice& literal,
                                int64_t replica_id = 0,
                                const DeviceHandle* device_handle = nullptr);
  // Returns the value passed to one outfeed op, for which it waits up to ten
  // minutes. The value is lost if the shape does not fit.
  absl::StatusOr<Literal> TransferFromOutfeed(
      const Shape* shape_with_layout = nullptr, int64_t replica_id = 0,
      const DeviceHandle* device_handle = nullptr);
  // Does nothing: there is no state to reset.
  absl::Status ResetDevice() { return absl::OkStatus(); }

  // Computes the result of a computation without parameters.
  absl::StatusOr<Literal> ComputeConstant(
      const XlaComputation& computation,
      const Layout* output_layout = nullptr) const;

  absl::Status Unregister(const GlobalData& data);
  // Returns the elements as separate values.
  absl::StatusOr<std::vector<std::unique_ptr<GlobalData>>> DeconstructTuple(
      const GlobalData& data);
  absl::StatusOr<Shape> GetShape(const GlobalData& data);
  absl::StatusOr<std::unique_ptr<ProgramShape>> GetComputationShape(
      const XlaComputation& computation);

  // Each call creates a new channel.
  absl::StatusOr<ChannelHandle> CreateChannelHandle();
  absl::StatusOr<ChannelHandle> CreateHostToDeviceChannelHandle();
  absl::StatusOr<ChannelHandle> CreateDeviceToHostChannelHandle();

  // Returns the program of a snapshot.
  absl::StatusOr<XlaComputation> LoadSnapshot(const HloSnapshot& module);

  Service* stub() { return service_; }

 private:
  absl::StatusOr<DeviceValues> Run(const Executable& executable,
                                   absl::Span<GlobalData* const> arguments,
                                   const ExecutionOptions* options,
                                   ExecutionProfile* profile);
  std::unique_ptr<GlobalData> Hold(DeviceValues values);

  Service* const service_;
};

}  // namespace xla

#endif  // XLA_CLIENT_CLIENT_H_
