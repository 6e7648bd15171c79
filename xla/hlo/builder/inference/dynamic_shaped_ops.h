// Conditionals whose branches return arrays of different sizes, and sizes whose
// bounds follow from the program. The builder keeps errors of ops.
#ifndef XLA_HLO_BUILDER_INFERENCE_DYNAMIC_SHAPED_OPS_H_
#define XLA_HLO_BUILDER_INFERENCE_DYNAMIC_SHAPED_OPS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/builder/inference/value_inference.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// A Conditional whose branches' results may differ in the sizes of dimensions,
// not in element types, ranks and the structure of tuples. Such a dimension of
// the result is dynamic: its bound is the largest of the sizes, and its size
// that of the branch taken. Errors: those of Conditional,
// dynamic_conditional_c1 where the results differ in more than sizes,
// dynamic_conditional_c2 where there is no branch, or not one operand for each.
XlaOp DynamicConditional(
    XlaBuilder* builder, XlaOp branch_index,
    absl::Span<const XlaComputation* const> branch_computations,
    absl::Span<const XlaOp> branch_operands);
XlaOp DynamicConditional(XlaBuilder* builder, XlaOp predicate,
                         XlaOp true_operand,
                         const XlaComputation& true_computation,
                         XlaOp false_operand,
                         const XlaComputation& false_computation);

// A SetDimensionSize whose result is bounded by the upper bound of
// `dimension_size`, s32[], if `value_inference` finds one that is below the
// operand's. A constant size does not make the dimension dynamic. Errors:
// rebound_c1 where the operand has no such dimension, rebound_c2 where the size
// is no s32[]; those of ValueInference.
absl::StatusOr<XlaOp> SetDimensionSizeWithRebound(
    ValueInference* value_inference, XlaOp operand, XlaOp dimension_size,
    int64_t dimension);

// Applies SetDimensionSize to each dimension whose size in `size_vector`, which
// has an integer per dimension, is not a constant. Errors: rebound_c3 if the
// numbers differ; those of ValueInference.
absl::StatusOr<XlaOp> SetAllDimensionSizes(ValueInference* value_inference,
                                           XlaOp operand, XlaOp size_vector);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_INFERENCE_DYNAMIC_SHAPED_OPS_H_
