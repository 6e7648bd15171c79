// Writes an HloModule as StableHLO text.
#ifndef XLA_STABLEHLO_FROM_HLO_PRINT_MODULE_H_
#define XLA_STABLEHLO_FROM_HLO_PRINT_MODULE_H_

#include <string>

#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::stablehlo {

struct PrintOptions {
  // Print the metadata of instructions as locations, `loc(...)`: op_name and
  // op_type, stack frames or else file and line; of parameters op_name.
  bool print_locations = false;
};

// Prints a module that the verifier accepts as text that StableHLO's own parser
// and ReadText accept. Tuples are taken apart: a root that is a tuple of
// several values becomes several results of @main, and calls have the leaves of
// their operands; entry parameters stay unchanged. Layouts of instructions are
// lost, those of the entry are kept as mhlo.layout_mode. Errors: Unimplemented,
// naming an instruction that has no StableHLO form.
absl::StatusOr<std::string> PrintStablehlo(const HloModule& module,
                                           const PrintOptions& options = {});

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_FROM_HLO_PRINT_MODULE_H_
