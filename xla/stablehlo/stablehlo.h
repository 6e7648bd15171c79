// Converts programs in StableHLO, as portable artifact or text, to HLO and
// back.
#ifndef XLA_STABLEHLO_STABLEHLO_H_
#define XLA_STABLEHLO_STABLEHLO_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/stablehlo/from_hlo/print_module.h"

namespace xla::stablehlo {

// Returns whether the first bytes are those of MLIR bytecode.
bool IsArtifact(absl::string_view bytes);

// Returns whether this is text that begins like MLIR: with a module, a function
// or an alias, after comments. HLO text never does.
bool IsStablehloText(absl::string_view bytes);

// Reads the program as an unverified module. Its "main" (or only public)
// function is the entry; several results become a tuple. Errors:
// InvalidArgument with line and column, or op index and byte offset;
// Unimplemented.
absl::StatusOr<std::unique_ptr<HloModule>> ReadModule(absl::string_view source);

// Prints the module as StableHLO text. Errors: Unimplemented for ops that
// StableHLO lacks.
absl::StatusOr<std::string> PrintModule(const HloModule& module,
                                        const PrintOptions& options = {});

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_STABLEHLO_H_
