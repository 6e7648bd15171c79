// LocalClient: a Client in the same process as its devices, so that programs
// can run on device memory without copies by handle.
#ifndef XLA_CLIENT_LOCAL_CLIENT_H_
#define XLA_CLIENT_LOCAL_CLIENT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/client/backend.h"
#include "xla/client/buffers/shaped_buffer.h"
#include "xla/client/client.h"
#include "xla/client/compiled_module.h"
#include "xla/client/executable_build_options.h"
#include "xla/client/local_executable.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/xla_computation.h"

namespace xla {

// Thread safe.
class LocalClient : public Client {
 public:
  explicit LocalClient(LocalService* service)
      : Client(service), service_(service) {}

  // `argument_layouts` has a shape with layout for each parameter. Returns one
  // executable, which has all partitions of the program. Errors:
  // InvalidArgument for an invalid program, for shapes that do not fit it, and
  // for more devices than Backend::kMaxDevices; those of the compiler.
  absl::StatusOr<std::vector<std::unique_ptr<LocalExecutable>>> Compile(
      const XlaComputation& computation,
      absl::Span<const Shape* const> argument_layouts,
      const ExecutableBuildOptions& options);

  // Like Compile, without loading the program: another process of this machine
  // can load its serialized form.
  absl::StatusOr<std::vector<std::unique_ptr<CompiledModule>>>
  CompileAheadOfTime(const XlaComputation& computation,
                     absl::Span<const Shape* const> argument_layouts,
                     const ExecutableBuildOptions& options);
  // Of `options`, those of runs apply. Errors: InvalidArgument for bytes that
  // are not such a program, or damaged; FailedPrecondition for a program for
  // another processor, and for one that was loaded before.
  absl::StatusOr<std::unique_ptr<LocalExecutable>> Load(
      const std::string& serialized_aot_result,
      const ExecutableBuildOptions& options);
  absl::StatusOr<std::unique_ptr<LocalExecutable>> Load(
      std::unique_ptr<CompiledModule> aot_result,
      const ExecutableBuildOptions& options);

  // The default allocator is the backend's. Errors: InvalidArgument for a
  // device that does not exist.
  absl::StatusOr<ScopedShapedBuffer> LiteralToShapedBuffer(
      const LiteralSlice& literal, int device_ordinal,
      se::DeviceMemoryAllocator* allocator = nullptr);
  // Makes a value that Client's functions take by its handle, until it is
  // unregistered; the same for all replicas. Errors: as above.
  absl::StatusOr<GlobalDataHandle> TransferToLocalServer(
      const ::xla::BorrowingLiteral& literal, int device_ordinal);
  // Errors: InvalidArgument for an array without memory.
  absl::StatusOr<Literal> ShapedBufferToLiteral(
      const ShapedBuffer& shaped_buffer);
  // The result is valid until the data is deallocated. Errors: those of
  // Client::Transfer.
  absl::StatusOr<const ShapedBuffer*> GlobalDataToShapedBuffer(
      const GlobalDataHandle& data, int replica_number);

  // Like the functions of Client, with devices given by number.
  absl::Status TransferToInfeedLocal(const LiteralSlice& literal,
                                     int device_ordinal);
  absl::Status TransferFromOutfeedLocal(int device_ordinal,
                                        MutableBorrowingLiteral literal);
  absl::StatusOr<int> ReplicaNumberToDeviceOrdinal(int replica_number);

  se::Platform* platform() const { return service_->backend().platform(); }
  int device_count() const { return service_->backend().device_count(); }
  bool device_ordinal_supported(int device_ordinal) const {
    return service_->backend().device_ordinal_supported(device_ordinal);
  }
  int default_device_ordinal() const {
    return service_->backend().default_device_ordinal();
  }
  const Backend& backend() const { return service_->backend(); }
  Backend* mutable_backend() { return &service_->backend(); }
  LocalService* local_service() { return service_; }

 private:
  absl::StatusOr<std::unique_ptr<Executable>> MakeExecutable(
      const XlaComputation& computation,
      absl::Span<const Shape* const> argument_layouts,
      const ExecutableBuildOptions& options);
  // Makes room for the executable's devices.
  absl::StatusOr<std::unique_ptr<LocalExecutable>> Hold(
      std::unique_ptr<Executable> executable,
      const ExecutableBuildOptions& options);

  LocalService* const service_;
};

}  // namespace xla

#endif  // XLA_CLIENT_LOCAL_CLIENT_H_
