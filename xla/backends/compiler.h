// Compiler and Executable: the interface of a backend to the layers above it.
#ifndef XLA_BACKENDS_COMPILER_H_
#define XLA_BACKENDS_COMPILER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/backends/compile_report.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/verifier/hlo_verifier.h"
#include "xla/runtime/transfer_queues.h"

namespace xla {
class CompilationCache;
namespace distributed {
class ProcessRun;
}  // namespace distributed
namespace ffi {
class ExecutionContext;
}  // namespace ffi

// A compiled module. Thread safe.
class Executable {
 public:
  // The most devices (replicas times partitions) that one program may run on.
  static constexpr int kMaxDevices = 1024;

  // A leaf (array or token) of a parameter; leaves of tuples are in order.
  // array_memory.h defines the contents of its memory.
  struct Input {
    const Shape* shape = nullptr;
    const char* data = nullptr;  // null for tokens
    // True if the run may write to it: nobody reads it afterwards.
    bool donated = false;
  };
  // A leaf of the result, in its layout of the entry computation layout, at an
  // address divisible by 64. `data` may be that of a donated input with which
  // the module's input_output_alias pairs it, and overlaps nothing else.
  struct Output {
    const Shape* shape = nullptr;
    char* data = nullptr;  // null for tokens
  };
  struct DeviceBuffers {
    absl::Span<const Input> inputs;
    absl::Span<const Output> outputs;
  };

  struct RunOptions {
    uint64_t seed = 0;  // for random ops
    // Empty, or one for each device; borrowed. Null: that device has no host
    // transfer queues.
    std::vector<TransferQueues*> queues;
    // Ids of the devices, for handlers that ask for them; empty means 0, 1, ...
    absl::Span<const int64_t> device_ids;
    int64_t run_id = 0;
    int32_t launch_id = 0;
    // User data for FFI handlers; borrowed, may be null.
    const ffi::ExecutionContext* ffi_context = nullptr;
    // Set if some devices belong to other processes, which run them. Buffers
    // are then those of this process's devices alone, one at least, in the
    // order of their numbers; borrowed. Backends may not support it
    // (Unimplemented).
    distributed::ProcessRun* processes = nullptr;
  };

  // The bytes that one run needs on each device.
  struct MemoryStats {
    int64_t argument_bytes = 0;
    int64_t output_bytes = 0;
    int64_t alias_bytes = 0;  // outputs in the memory of arguments
    int64_t temp_bytes = 0;
    int64_t code_bytes = 0;
    int64_t peak_bytes = 0;
  };

  virtual ~Executable() = default;
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  // The module that runs, after the backend's passes.
  const HloModule& module() const { return *module_; }
  int64_t num_replicas() const { return module_->config().replica_count(); }
  int64_t num_partitions() const { return module_->config().num_partitions(); }
  int64_t num_devices() const { return num_replicas() * num_partitions(); }

  // Runs all devices together; devices[d] is device d, that is replica *
  // num_partitions + partition. The shapes of inputs are those of the entry
  // computation layout, except that dynamic dimensions may differ. Errors:
  // InvalidArgument for inputs that do not fit; Aborted if devices wait for
  // each other forever; those of ops at run time. After an error outputs are
  // undefined.
  virtual absl::Status ExecuteBuffers(absl::Span<const DeviceBuffers> devices,
                                      const RunOptions& options) const = 0;

  // Runs on literals: arguments[d] are those of device d, borrowed, in any
  // layout. Returns one result per device, in the layouts of the entry
  // computation layout.
  absl::StatusOr<std::vector<Literal>> Execute(
      absl::Span<const std::vector<const Literal*>> arguments,
      const RunOptions& options) const;

  // An upper bound of a run's memory, unless the backend knows better.
  virtual MemoryStats memory_stats() const;
  int64_t SizeOfGeneratedCodeInBytes() const {
    return memory_stats().code_bytes;
  }

  // The code from which Compiler::Load makes the executable again; empty if the
  // backend has no code to keep. Equal for equal executables.
  virtual absl::StatusOr<std::string> SerializeCode() const { return ""; }

  // The report of the compilation; null if the backend keeps none.
  virtual const CompileReport* compile_report() const { return nullptr; }

 protected:
  explicit Executable(std::unique_ptr<HloModule> module)
      : module_(std::move(module)) {}

  // For what may outlive the executable.
  const std::shared_ptr<const HloModule>& shared_module() const {
    return module_;
  }

 private:
  // Shared with its printers, and with traces of its runs.
  std::shared_ptr<const HloModule> module_;
};

// Thread safe.
class Compiler {
 public:
  virtual ~Compiler() = default;

  // Used in messages and to choose a backend by name.
  virtual absl::string_view name() const = 0;

  // The module's config says for how many devices it is compiled, and which
  // layouts parameters and result have. Errors: InvalidArgument for a module
  // that breaks a rule; Unimplemented.
  virtual absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<HloModule> module) = 0;

  // Loads the executable whose SerializeCode() returned `code`, without
  // compiling anything. `options` has the debug options; all else comes with
  // the code, which is trusted like a shared library: the caller must know that
  // the bytes are undamaged. Errors: FailedPrecondition if the program has to
  // be compiled again, for another processor (the message names what is
  // missing) or by another build of the compiler; Unimplemented if the backend
  // keeps no code; InvalidArgument for bytes that are not such code.
  virtual absl::StatusOr<std::unique_ptr<Executable>> Load(
      absl::string_view code, const DebugOptions& options) {
    return absl::UnimplementedError("this backend keeps no code");
  }

  // The cache in which Compile looks first; null if there is none.
  virtual const CompilationCache* compilation_cache() const { return nullptr; }
};

// The number of the leaf at `index` among the leaves of `shape`. Errors:
// InvalidArgument if there is nothing at `index`, or a tuple.
absl::StatusOr<int> LeafNumber(const Shape& shape,
                               absl::Span<const int64_t> index);

// Errors: InvalidArgument unless the config is for 1 to Executable::kMaxDevices
// devices.
absl::Status CheckDeviceCounts(const HloModuleConfig& config);

// Checks what every backend requires: the rules of HLO, the device counts, and
// that the entry computation layout fits the program. Errors: InvalidArgument;
// Unimplemented for a program that has dimensions without a bound.
absl::Status CheckProgram(const HloModule& module,
                          const HloVerifierOptions& options = {});

}  // namespace xla

#endif  // XLA_BACKENDS_COMPILER_H_
