// Reads programs in any form, detected by content.
#ifndef XLA_PROGRAM_PROGRAM_BYTES_H_
#define XLA_PROGRAM_PROGRAM_BYTES_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

enum class ProgramFormat {
  kHloText,
  kHloProto,
  kStablehloText,
  kStablehloArtifact
};

// Text has no control characters but white space; protos always have some.
ProgramFormat DetectFormat(absl::string_view bytes);

// Returns the unverified module of HLO text, StableHLO text or a portable
// artifact, or of an HloModuleProto, HloModuleProtoWithConfig, HloProto or
// HloSnapshot. Errors: InvalidArgument; for texts with line and column.
absl::StatusOr<std::unique_ptr<HloModule>> ParseProgramBytes(
    absl::string_view bytes);
// The same for bytes in that format alone.
absl::StatusOr<std::unique_ptr<HloModule>> ParseProgramBytes(
    absl::string_view bytes, ProgramFormat format);

}  // namespace xla

#endif  // XLA_PROGRAM_PROGRAM_BYTES_H_
