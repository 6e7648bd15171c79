// HloConstantFolding.
#ifndef COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_HLO_CONSTANT_FOLDING_H_
#define COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_HLO_CONSTANT_FOLDING_H_

#include "xla/hlo/transforms/simplify/constant_folding.h"  // IWYU pragma: export

namespace xla {

using HloConstantFolding = ConstantFolding;

}  // namespace xla

#endif  // COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_HLO_CONSTANT_FOLDING_H_
