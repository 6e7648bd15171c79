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

// The formats of OptimizedProgram and of programs to compile.
inline constexpr absl::string_view kMlirFormat = "mlir";
inline constexpr absl::string_view kHloFormat = "hlo";
inline constexpr absl::string_view kHloWithConfigFormat = "hlo_with_config";

// Reads the formats of program_bytes.h. Clients disagree on their names, so the
// content decides; the format must be a known one, and decides which reader's
// errors malformed text gets. Errors: InvalidArgument naming the format; those
// of the readers.
absl::StatusOr<std::unique_ptr<HloModule>> ReadProgram(
    const PJRT_Program* program);

// Parses a serialized CompileOptionsProto; empty input gives the defaults.
absl::StatusOr<CompileOptions> ReadCompileOptions(const char* serialized,
                                                  size_t size);

// The compiled module as a serialized HloModuleProtoWithConfig.
std::string OptimizedProgramOf(const PjRtExecutable& executable);

}  // namespace xla::pjrt

#endif  // XLA_PJRT_C_CONVERT_PROGRAM_H_
