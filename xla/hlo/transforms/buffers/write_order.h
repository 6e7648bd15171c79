// OrderReadsBeforeWrites: control edges that let ops write over memory that
// others read.
#ifndef XLA_HLO_TRANSFORMS_BUFFERS_WRITE_ORDER_H_
#define XLA_HLO_TRANSFORMS_BUFFERS_WRITE_ORDER_H_

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/analysis/hlo_dataflow.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Adds a control edge from each other reader of a value to the op that is to
// write over it, unless that op must come first:
//
//   s = dynamic-slice(carry, i)                   s = ...
//   u = dynamic-update-slice(carry, x, i)    =>   u = ...,
//   control-predecessors={s}
//
// Ops that are to write over a value: those that `alias_info` says must, while
// (the parts of its init that change), what makes the next value of a carry,
// what makes an output that is donated a parameter. True if an edge was added.
// Looks at a bounded number of instructions, so that large programs may get
// fewer edges.
//
// The edges leave instructions in `effects` able to keep their order.
absl::StatusOr<bool> OrderReadsBeforeWrites(
    const HloModule& module, const HloDataflow& flow,
    const AliasInfo& alias_info,
    const absl::flat_hash_set<const HloInstruction*>& effects);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_BUFFERS_WRITE_ORDER_H_
