// Calls of functions of the host program by name. All functions: errors are
// kept in the builder. Source: section "CustomCall".
#ifndef XLA_HLO_BUILDER_OPS_CUSTOM_CALL_H_
#define XLA_HLO_BUILDER_OPS_CUSTOM_CALL_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class XlaBuilder;

// Outputs that share the buffer of an operand: (output index, (operand number,
// index in the operand)).
using OutputOperandAliases =
    absl::Span<const std::pair<ShapeIndex, std::pair<int64_t, ShapeIndex>>>;

// Calls `call_target_name` with result `shape`; `opaque` are bytes for the
// target.
XlaOp CustomCall(XlaBuilder* builder, const std::string& call_target_name,
                 absl::Span<const XlaOp> operands, const Shape& shape,
                 const std::string& opaque = "", bool has_side_effect = false,
                 OutputOperandAliases output_operand_aliasing = {},
                 const Literal* literal = nullptr,
                 CustomCallSchedule schedule = SCHEDULE_NONE,
                 CustomCallApiVersion api_version = API_VERSION_ORIGINAL);

// Like CustomCall, with a computation for the target.
XlaOp CustomCallWithComputation(
    XlaBuilder* builder, const std::string& call_target_name,
    absl::Span<const XlaOp> operands, const CalledComputation& computation,
    const Shape& shape, const std::string& opaque = "",
    bool has_side_effect = false,
    OutputOperandAliases output_operand_aliasing = {},
    const Literal* literal = nullptr,
    CustomCallSchedule schedule = SCHEDULE_NONE,
    CustomCallApiVersion api_version = API_VERSION_ORIGINAL);

// Like CustomCall, with the layouts in which the target takes operands and
// returns the result. Errors: custom_call_layout_c1 if one is missing.
XlaOp CustomCallWithLayout(
    XlaBuilder* builder, const std::string& call_target_name,
    absl::Span<const XlaOp> operands, const Shape& shape_with_layout,
    absl::Span<const Shape> operand_shapes_with_layout,
    const std::string& opaque = "", bool has_side_effect = false,
    OutputOperandAliases output_operand_aliasing = {},
    const Literal* literal = nullptr,
    CustomCallSchedule schedule = SCHEDULE_NONE,
    CustomCallApiVersion api_version = API_VERSION_ORIGINAL);
XlaOp CustomCallWithComputationAndLayouts(
    XlaBuilder* builder, const std::string& call_target_name,
    absl::Span<const XlaOp> operands, const CalledComputation& computation,
    const Shape& shape, absl::Span<const Shape> operand_shapes_with_layout,
    const std::string& opaque = "", bool has_side_effect = false,
    OutputOperandAliases output_operand_aliasing = {},
    const Literal* literal = nullptr,
    CustomCallSchedule schedule = SCHEDULE_NONE,
    CustomCallApiVersion api_version = API_VERSION_ORIGINAL);

// Like CustomCall, for a target that convolves.
XlaOp CustomCallWithConvDnums(
    XlaBuilder* builder, const std::string& call_target_name,
    absl::Span<const XlaOp> operands, const Shape& shape,
    absl::Span<const Shape> operand_shapes_with_layout,
    const std::string& opaque, bool has_side_effect,
    OutputOperandAliases output_operand_aliasing, const Literal* literal,
    Window window, ConvolutionDimensionNumbers dnums,
    CustomCallSchedule schedule = SCHEDULE_NONE,
    CustomCallApiVersion api_version = API_VERSION_ORIGINAL);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_OPS_CUSTOM_CALL_H_
