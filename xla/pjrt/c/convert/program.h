// Programs and compile options as frameworks send them.
#ifndef XLA_PJRT_C_CONVERT_PROGRAM_H_
#define XLA_PJRT_C_CONVERT_PROGRAM_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/pjrt/c/pjrt_c_api.h"
#include "xla/pjrt/compile_options.h"
#include "xla/pjrt/pjrt_executable.h"

namespace xla::pjrt {

// Formats of OptimizedProgram and of programs to compile.
inline constexpr absl::string_view kMlirFormat = "mlir";
inline constexpr absl::string_view kHloFormat = "hlo";
inline constexpr absl::string_view kHloWithConfigFormat = "hlo_with_config";

// Reads what program_bytes.h reads. Clients differ in what they call it, so the
// content decides; the format must be a known one, and says which reader's
// errors broken text gets. Errors: InvalidArgument naming the format, those of
// the readers.
absl::StatusOr<std::unique_ptr<HloModule>> ReadProgram(
    const PJRT_Program* program);

// Of a serialized CompileOptionsProto; none at all gives the default.
absl::StatusOr<CompileOptions> ReadCompileOptions(const char* serialized,
                                                  size_t size);

// A serialized HloModuleProtoWithConfig of the compiled module.
std::string OptimizedProgramOf(const PjRtExecutable& executable);

}  // namespace xla::pjrt

#endif  // XLA_PJRT_C_CONVERT_PROGRAM_H_
