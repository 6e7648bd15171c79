// Reads MLIR bytecode: a StableHLO portable artifact, or the dialects
// stablehlo, func and chlo as they are.
#ifndef XLA_STABLEHLO_BYTECODE_BYTECODE_READER_H_
#define XLA_STABLEHLO_BYTECODE_BYTECODE_READER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// Returns whether the first bytes are those of MLIR bytecode.
bool IsBytecode(absl::string_view bytes);

// Reads an artifact of any version from kMinimumVersion to kCurrentVersion, in
// bytecode versions 0 to 6. Copies `bytes` into the module. The input may be
// hostile. Errors: InvalidArgument with op index and byte offset; Unimplemented
// for a later version, naming both.
absl::StatusOr<std::unique_ptr<Module>> ReadBytecode(absl::string_view bytes);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_BYTECODE_BYTECODE_READER_H_
