// HLO ops that StableHLO lacks and frameworks spell as composites or custom
// calls: "chlo.erf", "mhlo.topk".
#ifndef XLA_STABLEHLO_TO_HLO_NAMED_OPS_H_
#define XLA_STABLEHLO_TO_HLO_NAMED_OPS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {

// Converts the op to the HLO op of that name, and returns whether there is one.
// `attributes`, which may be null, is the dictionary that comes with the name.
absl::StatusOr<bool> ConvertNamedOp(absl::string_view name,
                                    const Attribute* attributes,
                                    OpConversion& conversion);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_NAMED_OPS_H_
