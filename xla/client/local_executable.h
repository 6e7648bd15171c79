// LocalExecutable: a compiled computation that runs on device memory.
#ifndef XLA_CLIENT_LOCAL_EXECUTABLE_H_
#define XLA_CLIENT_LOCAL_EXECUTABLE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/compiler.h"
#include "xla/client/buffers/execution_input.h"
#include "xla/client/buffers/shaped_buffer.h"
#include "xla/client/executable_build_options.h"
#include "xla/client/executable_run_options.h"
#include "xla/client/rendezvous.h"

namespace xla {

class Backend;

// Each call runs one device. A program of several replicas or partitions needs
// one call for each of its devices, each on a thread of its own, with run
// options that name the device and share a run id. Thread safe.
//
// Errors of all functions: InvalidArgument for arguments whose number, shapes
// or layouts differ from those that the program was compiled for, that have no
// memory, or that are on another device than the run; DeadlineExceeded if the
// other devices of the run do not arrive within a minute; those of the program.
class LocalExecutable {
 public:
  // The backend is borrowed.
  LocalExecutable(std::unique_ptr<Executable> executable, Backend* backend,
                  ExecutableBuildOptions build_options);

  absl::StatusOr<ScopedShapedBuffer> Run(
      absl::Span<const ShapedBuffer* const> arguments,
      ExecutableRunOptions run_options);
  // Frees the memory that the arguments own.
  absl::StatusOr<ExecutionOutput> Run(std::vector<ExecutionInput> arguments,
                                      ExecutableRunOptions run_options);
  // These functions also return only after the run.
  absl::StatusOr<ScopedShapedBuffer> RunAsync(
      absl::Span<const ShapedBuffer* const> arguments,
      ExecutableRunOptions run_options) {
    return Run(arguments, run_options);
  }
  absl::StatusOr<ExecutionOutput> RunAsync(
      std::vector<ExecutionInput> arguments, ExecutableRunOptions run_options) {
    return Run(std::move(arguments), run_options);
  }
  absl::StatusOr<ExecutionOutput> RunAsync(
      absl::Span<Shape const* const> argument_host_shapes,
      std::vector<ExecutionInput> arguments, ExecutableRunOptions run_options) {
    return Run(std::move(arguments), run_options);
  }

  const ExecutableBuildOptions& build_options() const { return build_options_; }
  Executable* executable() const { return executable_.get(); }
  // Errors: InvalidArgument if the program does not run on that device.
  absl::Status VerifyRunDeviceCompatible(int run_device_ordinal) const;

 private:
  absl::Status CheckArguments(absl::Span<const ShapedBuffer* const> arguments,
                              int device) const;
  absl::StatusOr<std::vector<Literal>> ReadArguments(
      absl::Span<const ShapedBuffer* const> arguments) const;
  // Requires a program for one device whose shapes are all static.
  absl::Status RunInDeviceMemory(
      absl::Span<const ShapedBuffer* const> arguments,
      const ShapedBuffer& result, int device,
      const ExecutableRunOptions& run_options) const;
  // The options for a run of the program on one device of the backend, or on
  // all.
  absl::StatusOr<Executable::RunOptions> OptionsOf(
      const ExecutableRunOptions& run_options, int only_device) const;
  // The device of the program that a device of the backend runs.
  absl::StatusOr<int64_t> LogicalDevice(
      int device, const ExecutableRunOptions& run_options) const;
  absl::StatusOr<Literal> RunDevice(std::vector<Literal> arguments, int device,
                                    const ExecutableRunOptions& run_options);
  // Runs all devices of the program.
  absl::StatusOr<std::vector<Literal>> RunAll(
      absl::Span<const std::vector<Literal>> arguments,
      const ExecutableRunOptions& run_options, int only_device) const;

  const std::unique_ptr<Executable> executable_;
  Backend& backend_;
  const ExecutableBuildOptions build_options_;
  Rendezvous rendezvous_;
};

}  // namespace xla

#endif  // XLA_CLIENT_LOCAL_EXECUTABLE_H_
