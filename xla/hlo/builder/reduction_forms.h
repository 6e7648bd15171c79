// XLA's own declarations of the functions in ops/reduction.h that take a
// computation, like computation_forms.h.
#ifndef XLA_HLO_BUILDER_REDUCTION_FORMS_H_
#define XLA_HLO_BUILDER_REDUCTION_FORMS_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/types/span.h"
#include "xla/hlo/builder/ops/reduction.h"
#include "xla/hlo/builder/padding.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

inline XlaOp Reduce(XlaOp operand, XlaOp init_value,
                    const XlaComputation& computation,
                    absl::Span<const int64_t> dimensions_to_reduce) {
  return Reduce(operand, init_value, CalledComputation(computation),
                dimensions_to_reduce);
}
inline XlaOp Reduce(XlaOp operand, XlaOp init_value,
                    XlaComputationId computation,
                    absl::Span<const int64_t> dimensions_to_reduce) {
  return Reduce(operand, init_value, CalledComputation(computation),
                dimensions_to_reduce);
}
inline XlaOp Reduce(XlaBuilder* builder, absl::Span<const XlaOp> operands,
                    absl::Span<const XlaOp> init_values,
                    const XlaComputation& computation,
                    absl::Span<const int64_t> dimensions_to_reduce) {
  return Reduce(builder, operands, init_values, CalledComputation(computation),
                dimensions_to_reduce);
}
inline XlaOp Reduce(XlaBuilder* builder, absl::Span<const XlaOp> operands,
                    absl::Span<const XlaOp> init_values,
                    XlaComputationId computation,
                    absl::Span<const int64_t> dimensions_to_reduce) {
  return Reduce(builder, operands, init_values, CalledComputation(computation),
                dimensions_to_reduce);
}
inline XlaOp ReduceAll(XlaOp operand, XlaOp init_value,
                       const XlaComputation& computation) {
  return ReduceAll(operand, init_value, CalledComputation(computation));
}
inline XlaOp ReduceAll(XlaOp operand, XlaOp init_value,
                       XlaComputationId computation) {
  return ReduceAll(operand, init_value, CalledComputation(computation));
}
inline XlaOp ReduceWindow(XlaOp operand, XlaOp init_value,
                          const XlaComputation& computation,
                          absl::Span<const int64_t> window_dimensions,
                          absl::Span<const int64_t> window_strides,
                          Padding padding) {
  return ReduceWindow(operand, init_value, CalledComputation(computation),
                      window_dimensions, window_strides, padding);
}
inline XlaOp ReduceWindow(XlaOp operand, XlaOp init_value,
                          XlaComputationId computation,
                          absl::Span<const int64_t> window_dimensions,
                          absl::Span<const int64_t> window_strides,
                          Padding padding) {
  return ReduceWindow(operand, init_value, CalledComputation(computation),
                      window_dimensions, window_strides, padding);
}
inline XlaOp ReduceWindow(absl::Span<const XlaOp> operands,
                          absl::Span<const XlaOp> init_values,
                          const XlaComputation& computation,
                          absl::Span<const int64_t> window_dimensions,
                          absl::Span<const int64_t> window_strides,
                          Padding padding) {
  return ReduceWindow(operands, init_values, CalledComputation(computation),
                      window_dimensions, window_strides, padding);
}
inline XlaOp ReduceWindow(absl::Span<const XlaOp> operands,
                          absl::Span<const XlaOp> init_values,
                          XlaComputationId computation,
                          absl::Span<const int64_t> window_dimensions,
                          absl::Span<const int64_t> window_strides,
                          Padding padding) {
  return ReduceWindow(operands, init_values, CalledComputation(computation),
                      window_dimensions, window_strides, padding);
}
inline XlaOp ReduceWindowWithGeneralPadding(
    XlaOp operand, XlaOp init_value, const XlaComputation& computation,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides,
    absl::Span<const int64_t> base_dilations,
    absl::Span<const int64_t> window_dilations,
    absl::Span<const std::pair<int64_t, int64_t>> padding) {
  return ReduceWindowWithGeneralPadding(
      operand, init_value, CalledComputation(computation), window_dimensions,
      window_strides, base_dilations, window_dilations, padding);
}
inline XlaOp ReduceWindowWithGeneralPadding(
    XlaOp operand, XlaOp init_value, XlaComputationId computation,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides,
    absl::Span<const int64_t> base_dilations,
    absl::Span<const int64_t> window_dilations,
    absl::Span<const std::pair<int64_t, int64_t>> padding) {
  return ReduceWindowWithGeneralPadding(
      operand, init_value, CalledComputation(computation), window_dimensions,
      window_strides, base_dilations, window_dilations, padding);
}
inline XlaOp ReduceWindowWithGeneralPadding(
    absl::Span<const XlaOp> operands, absl::Span<const XlaOp> init_values,
    const XlaComputation& computation,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides,
    absl::Span<const int64_t> base_dilations,
    absl::Span<const int64_t> window_dilations,
    absl::Span<const std::pair<int64_t, int64_t>> padding) {
  return ReduceWindowWithGeneralPadding(
      operands, init_values, CalledComputation(computation), window_dimensions,
      window_strides, base_dilations, window_dilations, padding);
}
inline XlaOp ReduceWindowWithGeneralPadding(
    absl::Span<const XlaOp> operands, absl::Span<const XlaOp> init_values,
    XlaComputationId computation, absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides,
    absl::Span<const int64_t> base_dilations,
    absl::Span<const int64_t> window_dilations,
    absl::Span<const std::pair<int64_t, int64_t>> padding) {
  return ReduceWindowWithGeneralPadding(
      operands, init_values, CalledComputation(computation), window_dimensions,
      window_strides, base_dilations, window_dilations, padding);
}
inline XlaOp SelectAndScatter(XlaOp operand, const XlaComputation& select,
                              absl::Span<const int64_t> window_dimensions,
                              absl::Span<const int64_t> window_strides,
                              Padding padding, XlaOp source, XlaOp init_value,
                              const XlaComputation& scatter) {
  return SelectAndScatter(operand, CalledComputation(select), window_dimensions,
                          window_strides, padding, source, init_value,
                          CalledComputation(scatter));
}
inline XlaOp SelectAndScatter(XlaOp operand, XlaComputationId select,
                              absl::Span<const int64_t> window_dimensions,
                              absl::Span<const int64_t> window_strides,
                              Padding padding, XlaOp source, XlaOp init_value,
                              XlaComputationId scatter) {
  return SelectAndScatter(operand, CalledComputation(select), window_dimensions,
                          window_strides, padding, source, init_value,
                          CalledComputation(scatter));
}
inline XlaOp SelectAndScatterWithGeneralPadding(
    XlaOp operand, const XlaComputation& select,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides,
    absl::Span<const std::pair<int64_t, int64_t>> padding, XlaOp source,
    XlaOp init_value, const XlaComputation& scatter) {
  return SelectAndScatterWithGeneralPadding(
      operand, CalledComputation(select), window_dimensions, window_strides,
      padding, source, init_value, CalledComputation(scatter));
}
inline XlaOp SelectAndScatterWithGeneralPadding(
    XlaOp operand, XlaComputationId select,
    absl::Span<const int64_t> window_dimensions,
    absl::Span<const int64_t> window_strides,
    absl::Span<const std::pair<int64_t, int64_t>> padding, XlaOp source,
    XlaOp init_value, XlaComputationId scatter) {
  return SelectAndScatterWithGeneralPadding(
      operand, CalledComputation(select), window_dimensions, window_strides,
      padding, source, init_value, CalledComputation(scatter));
}
inline XlaOp Map(XlaBuilder* builder, absl::Span<const XlaOp> operands,
                 const XlaComputation& computation,
                 absl::Span<const int64_t> dimensions,
                 absl::Span<const XlaOp> static_operands = {}) {
  return Map(builder, operands, CalledComputation(computation), dimensions,
             static_operands);
}
inline XlaOp Map(XlaBuilder* builder, absl::Span<const XlaOp> operands,
                 XlaComputationId computation,
                 absl::Span<const int64_t> dimensions,
                 absl::Span<const XlaOp> static_operands = {}) {
  return Map(builder, operands, CalledComputation(computation), dimensions,
             static_operands);
}
// Without the size of the dimension.
inline XlaOp Scan(absl::Span<const XlaOp> inputs, absl::Span<const XlaOp> inits,
                  const XlaComputation& computation, int64_t scan_dimension,
                  bool is_reverse = false,
                  TriState is_associative = TRI_STATE_UNSPECIFIED) {
  return Scan(inputs, inits, CalledComputation(computation), scan_dimension,
              std::nullopt, is_reverse, is_associative);
}
inline XlaOp Scan(absl::Span<const XlaOp> inputs, absl::Span<const XlaOp> inits,
                  XlaComputationId computation, int64_t scan_dimension,
                  bool is_reverse = false,
                  TriState is_associative = TRI_STATE_UNSPECIFIED) {
  return Scan(inputs, inits, CalledComputation(computation), scan_dimension,
              std::nullopt, is_reverse, is_associative);
}

}  // namespace xla

#endif  // XLA_HLO_BUILDER_REDUCTION_FORMS_H_
