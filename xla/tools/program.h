// Reads programs from files: HLO text or protos, StableHLO text or portable
// artifacts, distinguished by content.
#ifndef XLA_TOOLS_PROGRAM_H_
#define XLA_TOOLS_PROGRAM_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::tools {

// Reads a file, or standard input for "-". Errors: NotFound, PermissionDenied,
// InvalidArgument for a folder, or Unknown, naming the file.
absl::StatusOr<std::string> ReadFile(const std::string& path);
absl::Status WriteFile(const std::string& path, absl::string_view bytes);

// Returns the error that WriteFile would have with this path, as far as it can
// be known before; for commands that take long until they write. The file stays
// as it is.
absl::Status CheckWritable(const std::string& path);

// Calls ParseProgramBytes and prepends `file` to error messages; those of HLO
// text begin with file:line:column.
absl::StatusOr<std::unique_ptr<HloModule>> ParseProgram(absl::string_view bytes,
                                                        absl::string_view file);

// Calls ReadFile, ParseProgram and, if `verify` is set, HloVerifier.
absl::StatusOr<std::unique_ptr<HloModule>> ReadProgram(const std::string& path,
                                                       bool verify = true);

}  // namespace xla::tools

#endif  // XLA_TOOLS_PROGRAM_H_
