// Prints attributes as MLIR text, the form in which HLO keeps the configuration
// of custom calls.
#ifndef XLA_STABLEHLO_TO_HLO_CONVERSION_ATTRIBUTE_TEXT_H_
#define XLA_STABLEHLO_TO_HLO_CONVERSION_ATTRIBUTE_TEXT_H_

#include <string>

#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// Returns `{mode = 1 : i32, name = "x", perm = array<i64: 1, 0>}`. Dense lists
// are printed as array<> too, and tensors of more dimensions as `dense : TYPE`,
// without their elements.
std::string AttributeText(const Attribute& attribute);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_ATTRIBUTE_TEXT_H_
