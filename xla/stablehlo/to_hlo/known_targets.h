// custom_call targets that have a meaning for the compiler itself.
#ifndef XLA_STABLEHLO_TO_HLO_KNOWN_TARGETS_H_
#define XLA_STABLEHLO_TO_HLO_KNOWN_TARGETS_H_

#include "absl/strings/string_view.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"

namespace xla::stablehlo {

// Returns the rule of a target such as "ApproxTopK" or "shape_assertion"; null
// for targets that are called at run time.
const Rule* FindKnownTarget(absl::string_view target);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_KNOWN_TARGETS_H_
