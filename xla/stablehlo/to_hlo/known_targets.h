// Targets of custom_call that mean something to the compiler itself.
#ifndef XLA_STABLEHLO_TO_HLO_KNOWN_TARGETS_H_
#define XLA_STABLEHLO_TO_HLO_KNOWN_TARGETS_H_

#include "absl/strings/string_view.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"

namespace xla::stablehlo {

// The rule of a target such as "ApproxTopK" or "shape_assertion"; null for
// those that are called at run time.
const Rule* FindKnownTarget(absl::string_view target);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_KNOWN_TARGETS_H_
