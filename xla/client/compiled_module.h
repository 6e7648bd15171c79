// CompiledModule: a program that was compiled ahead of time, to be written to a
// file and loaded by another process.
#ifndef XLA_CLIENT_COMPILED_MODULE_H_
#define XLA_CLIENT_COMPILED_MODULE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/compiler.h"
#include "xla/proto/xla.pb.h"

namespace xla {

class CompiledModule {
 public:
  virtual ~CompiledModule() = default;

  // Returns bytes from which LocalClient::Load makes an executable, with
  // checksums. Errors: Unimplemented if the backend keeps no code.
  virtual absl::StatusOr<std::string> SerializeAsString() const = 0;
  // Returns the executable; this is of no use afterwards. Errors: those of
  // Compiler::Load.
  virtual absl::StatusOr<std::unique_ptr<Executable>> LoadExecutable() && = 0;
  // Returns the module after the backend's passes; null once it is loaded.
  virtual const HloModule* optimized_module() const = 0;
};

std::unique_ptr<CompiledModule> MakeCompiledModule(
    std::unique_ptr<Executable> executable);

// Loads what SerializeAsString returned. `options` are those of the run.
// Errors: InvalidArgument for other bytes, and damaged ones; those of
// Compiler::Load.
absl::StatusOr<std::unique_ptr<Executable>> LoadCompiledModule(
    absl::string_view serialized, const DebugOptions& options,
    Compiler& compiler);

}  // namespace xla

#endif  // XLA_CLIENT_COMPILED_MODULE_H_
