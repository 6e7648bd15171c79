// Writes an HloModule as StableHLO text.
#ifndef XLA_STABLEHLO_FROM_HLO_PRINT_MODULE_H_
#define XLA_STABLEHLO_FROM_HLO_PRINT_MODULE_H_

#include <string>

#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::stablehlo {

// The module must be one that the verifier accepts. Its tuples are taken apart:
// a root that is a tuple of several values is several results of @main, calls
// have the leaves of theirs; parameters of the entry stay as they are. Layouts
// of instructions are lost, those of the entry are kept as mhlo.layout_mode.
// Text that StableHLO's own parser and ReadText take. Errors: Unimplemented
// naming an instruction that has no StableHLO form.
absl::StatusOr<std::string> PrintStablehlo(const HloModule& module);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_FROM_HLO_PRINT_MODULE_H_
