// The list of all op definitions.
#ifndef XLA_HLO_OPS_OP_TABLE_H_
#define XLA_HLO_OPS_OP_TABLE_H_

#include "absl/types/span.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

// One row per opcode, in the order of HloOpcode.
absl::Span<const OpDef* const> OpTable();

}  // namespace xla

#endif  // XLA_HLO_OPS_OP_TABLE_H_
