// Ops that apply a computation along dimensions, over windows or to each
// element. All functions: errors are kept in the builder; lists have one entry
// per dimension. Sources: sections "Reduce", "ReduceWindow",
// "SelectAndScatter", "Map".
#ifndef XLA_HLO_BUILDER_OPS_REDUCTION_H_
#define XLA_HLO_BUILDER_OPS_REDUCTION_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/types/span.h"
#include "xla/hlo/builder/padding.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

class XlaBuilder;

XlaOp Reduce(XlaOp operand, XlaOp init_value,
             const CalledComputation& computation,
             absl::Span<const int64_t> dimensions_to_reduce);
// Reduces several operands together; returns a tuple if there are more than
// one.
XlaOp Reduce(XlaBuilder* builder, absl::Span<const XlaOp> operands,
             absl::Span<const XlaOp> init_values,
             const CalledComputation& computation,
             absl::Span<const int64_t> dimensions_to_reduce);
// Reduces over all dimensions.
XlaOp ReduceAll(XlaOp operand, XlaOp init_value,
                const CalledComputation& computation);

XlaOp ReduceWindow(XlaOp operand, XlaOp init_value,
                   const CalledComputation& computation,
                   absl::Span<const int64_t> window_dimensions,
                   absl::Span<const int64_t> window_strides, Padding padding);
XlaOp ReduceWindow(absl::Span<const XlaOp> operands,
                   absl::Span<const XlaOp> init_values,
                   const CalledComputation& computation,
                   absl::Span<const int64_t> window_dimensions,
                   absl::Span<const int64_t> window_strides, Padding padding);
// Empty strides and dilations are 1s, empty padding is zeros.
XlaOp ReduceWindowWithGeneralPadding(
    XlaOp operand, XlaOp init_value, const CalledComputation& computation,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides,
    absl::Span<const int64_t> base_dilations,
    absl::Span<const int64_t> window_dilations,
    absl::Span<const std::pair<int64_t, int64_t>> padding);
XlaOp ReduceWindowWithGeneralPadding(
    absl::Span<const XlaOp> operands, absl::Span<const XlaOp> init_values,
    const CalledComputation& computation,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides,
    absl::Span<const int64_t> base_dilations,
    absl::Span<const int64_t> window_dilations,
    absl::Span<const std::pair<int64_t, int64_t>> padding);

XlaOp SelectAndScatter(XlaOp operand, const CalledComputation& select,
                       absl::Span<const int64_t> window_dimensions,
                       absl::Span<const int64_t> window_strides,
                       Padding padding, XlaOp source, XlaOp init_value,
                       const CalledComputation& scatter);
XlaOp SelectAndScatterWithGeneralPadding(
    XlaOp operand, const CalledComputation& select,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides,
    absl::Span<const std::pair<int64_t, int64_t>> padding, XlaOp source,
    XlaOp init_value, const CalledComputation& scatter);

// Applies a computation, which returns scalars, to each element;
// static_operands are its last arguments, the same in every call. If they
// include arrays, a loop of calls replaces the map, which is Unimplemented for
// operands of dynamic sizes. Errors: those of the op; with arrays,
// map_static_c1, map_static_c2.
XlaOp Map(XlaBuilder* builder, absl::Span<const XlaOp> operands,
          const CalledComputation& computation,
          absl::Span<const int64_t> dimensions,
          absl::Span<const XlaOp> static_operands = {});

// Steps along a dimension of the inputs, carrying values that begin as `inits`.
// Unimplemented without inputs. Errors: scan_size_c1 if a size is given and is
// not that of the dimension. XLA's forms lack the size.
XlaOp Scan(absl::Span<const XlaOp> inputs, absl::Span<const XlaOp> inits,
           const CalledComputation& computation, int64_t scan_dimension,
           std::optional<int64_t> scan_dimension_size, bool is_reverse = false,
           TriState is_associative = TRI_STATE_UNSPECIFIED);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_OPS_REDUCTION_H_
