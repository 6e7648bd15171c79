// Conditionals whose branches give arrays of different sizes. Errors are kept
// in the builder.
#ifndef XLA_HLO_BUILDER_LIB_DYNAMIC_SHAPED_OPS_H_
#define XLA_HLO_BUILDER_LIB_DYNAMIC_SHAPED_OPS_H_

#include "absl/types/span.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// Conditional, where results of the branches may differ in the sizes of
// dimensions, not in element types, ranks and the structure of tuples. Such a
// dimension of the result is dynamic: its bound is the largest of the sizes,
// and its size that of the branch taken. Errors: those of Conditional,
// dynamic_conditional_c1 where the results differ in more than sizes,
// dynamic_conditional_c2 where there is no branch, or not one operand each.
XlaOp DynamicConditional(
    XlaBuilder* builder, XlaOp branch_index,
    absl::Span<const XlaComputation* const> branch_computations,
    absl::Span<const XlaOp> branch_operands);
XlaOp DynamicConditional(XlaBuilder* builder, XlaOp predicate,
                         XlaOp true_operand,
                         const XlaComputation& true_computation,
                         XlaOp false_operand,
                         const XlaComputation& false_computation);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_DYNAMIC_SHAPED_OPS_H_
