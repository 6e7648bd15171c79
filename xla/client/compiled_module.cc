// Writes executables with their code, and loads them.
#include "xla/client/compiled_module.h"

#include <utility>

#include "xla/base/status_macros.h"
#include "xla/client/executable_serialization.h"
#include "xla/proto/compile_options.pb.h"

namespace xla {
namespace {

class ModuleInMemory : public CompiledModule {
 public:
  explicit ModuleInMemory(std::unique_ptr<Executable> executable)
      : executable_(std::move(executable)) {}

  absl::StatusOr<std::string> SerializeAsString() const override {
    if (executable_ == nullptr) return Loaded();
    TF_ASSIGN_OR_RETURN(const std::string code, executable_->SerializeCode());
    if (code.empty()) {
      return absl::UnimplementedError("this backend keeps no code");
    }
    // The code has the program in it.
    return PackExecutable(ExecutableAndOptionsProto(), code);
  }
  absl::StatusOr<std::unique_ptr<Executable>> LoadExecutable() && override {
    if (executable_ == nullptr) return Loaded();
    return std::move(executable_);
  }
  const HloModule* optimized_module() const override {
    return executable_ == nullptr ? nullptr : &executable_->module();
  }

 private:
  static absl::Status Loaded() {
    return absl::FailedPreconditionError(
        "the compiled module has been loaded before");
  }

  std::unique_ptr<Executable> executable_;
};

}  // namespace

std::unique_ptr<CompiledModule> MakeCompiledModule(
    std::unique_ptr<Executable> executable) {
  return std::make_unique<ModuleInMemory>(std::move(executable));
}

absl::StatusOr<std::unique_ptr<Executable>> LoadCompiledModule(
    absl::string_view serialized, const DebugOptions& options,
    Compiler& compiler) {
  TF_ASSIGN_OR_RETURN(const PackedExecutable packed,
                      UnpackExecutable(serialized));
  return compiler.Load(packed.code, options);
}

}  // namespace xla
