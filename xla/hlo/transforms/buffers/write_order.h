// OrderReadsBeforeWrites adds control edges that let ops write over memory that
// others read.
#ifndef XLA_HLO_TRANSFORMS_BUFFERS_WRITE_ORDER_H_
#define XLA_HLO_TRANSFORMS_BUFFERS_WRITE_ORDER_H_

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/analysis/hlo_dataflow.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Adds a control edge from each reader of a value to the op that is to
// overwrite it, unless that op must come first:
//
//   s = dynamic-slice(carry, i)                   s = ...
//   u = dynamic-update-slice(carry, x, i)    =>   u = ...,
//   control-predecessors={s}
// The ops that are to overwrite a value are those that `alias_info` says must,
// while (the parts of its init that change), the op that makes the next value
// of a carry, and the op that makes an output to which a parameter is donated.
// Returns true if an edge was added. Visits a bounded number of instructions,
// so large programs may get fewer edges.
//
// The edges leave instructions in `effects` able to keep their order.
absl::StatusOr<bool> OrderReadsBeforeWrites(
    const HloModule& module, const HloDataflow& flow,
    const AliasInfo& alias_info,
    const absl::flat_hash_set<const HloInstruction*>& effects);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_BUFFERS_WRITE_ORDER_H_
