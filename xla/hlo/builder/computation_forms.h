// XLA's own declarations of the functions that take a computation, so that a
// client can take the address of one: each has two forms, which call the one
// with a CalledComputation. reduction_forms.h has those that reduce.
#ifndef XLA_HLO_BUILDER_COMPUTATION_FORMS_H_
#define XLA_HLO_BUILDER_COMPUTATION_FORMS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/layout.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/ops/collectives.h"
#include "xla/hlo/builder/ops/control_flow.h"
#include "xla/hlo/builder/ops/custom_call.h"
#include "xla/hlo/builder/ops/numerics.h"
#include "xla/hlo/builder/ops/slicing.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

inline XlaOp Call(XlaBuilder* builder, const XlaComputation& computation,
                  absl::Span<const XlaOp> operands) {
  return Call(builder, CalledComputation(computation), operands);
}
inline XlaOp Call(XlaBuilder* builder, XlaComputationId computation,
                  absl::Span<const XlaOp> operands) {
  return Call(builder, CalledComputation(computation), operands);
}
inline XlaOp CompositeCall(
    XlaBuilder* builder, const XlaComputation& computation,
    absl::Span<const XlaOp> operands, const std::string& name,
    std::optional<absl::string_view> attributes = std::nullopt,
    std::optional<int64_t> version = std::nullopt) {
  return CompositeCall(builder, CalledComputation(computation), operands, name,
                       attributes, version);
}
inline XlaOp CompositeCall(
    XlaBuilder* builder, XlaComputationId computation,
    absl::Span<const XlaOp> operands, const std::string& name,
    std::optional<absl::string_view> attributes = std::nullopt,
    std::optional<int64_t> version = std::nullopt) {
  return CompositeCall(builder, CalledComputation(computation), operands, name,
                       attributes, version);
}
inline XlaOp While(const XlaComputation& condition, const XlaComputation& body,
                   XlaOp init) {
  return While(CalledComputation(condition), CalledComputation(body), init);
}
inline XlaOp While(XlaComputationId condition, XlaComputationId body,
                   XlaOp init) {
  return While(CalledComputation(condition), CalledComputation(body), init);
}
inline XlaOp Conditional(XlaOp predicate, XlaOp true_operand,
                         const XlaComputation& true_computation,
                         XlaOp false_operand,
                         const XlaComputation& false_computation) {
  return Conditional(predicate, true_operand,
                     CalledComputation(true_computation), false_operand,
                     CalledComputation(false_computation));
}
inline XlaOp Conditional(XlaOp predicate, XlaOp true_operand,
                         XlaComputationId true_computation, XlaOp false_operand,
                         XlaComputationId false_computation) {
  return Conditional(predicate, true_operand,
                     CalledComputation(true_computation), false_operand,
                     CalledComputation(false_computation));
}

inline XlaOp Sort(absl::Span<const XlaOp> operands,
                  const XlaComputation& comparator, int64_t dimension = -1,
                  bool is_stable = false) {
  return Sort(operands, CalledComputation(comparator), dimension, is_stable);
}
inline XlaOp Sort(absl::Span<const XlaOp> operands, XlaComputationId comparator,
                  int64_t dimension = -1, bool is_stable = false) {
  return Sort(operands, CalledComputation(comparator), dimension, is_stable);
}

inline XlaOp Scatter(XlaOp input, XlaOp scatter_indices, XlaOp updates,
                     const XlaComputation& update_computation,
                     const ScatterDimensionNumbers& dimension_numbers,
                     bool indices_are_sorted = false,
                     bool unique_indices = false) {
  return Scatter(input, scatter_indices, updates,
                 CalledComputation(update_computation), dimension_numbers,
                 indices_are_sorted, unique_indices);
}
inline XlaOp Scatter(XlaOp input, XlaOp scatter_indices, XlaOp updates,
                     XlaComputationId update_computation,
                     const ScatterDimensionNumbers& dimension_numbers,
                     bool indices_are_sorted = false,
                     bool unique_indices = false) {
  return Scatter(input, scatter_indices, updates,
                 CalledComputation(update_computation), dimension_numbers,
                 indices_are_sorted, unique_indices);
}
inline XlaOp Scatter(absl::Span<const XlaOp> inputs, XlaOp scatter_indices,
                     absl::Span<const XlaOp> updates,
                     const XlaComputation& update_computation,
                     const ScatterDimensionNumbers& dimension_numbers,
                     bool indices_are_sorted = false,
                     bool unique_indices = false) {
  return Scatter(inputs, scatter_indices, updates,
                 CalledComputation(update_computation), dimension_numbers,
                 indices_are_sorted, unique_indices);
}
inline XlaOp Scatter(absl::Span<const XlaOp> inputs, XlaOp scatter_indices,
                     absl::Span<const XlaOp> updates,
                     XlaComputationId update_computation,
                     const ScatterDimensionNumbers& dimension_numbers,
                     bool indices_are_sorted = false,
                     bool unique_indices = false) {
  return Scatter(inputs, scatter_indices, updates,
                 CalledComputation(update_computation), dimension_numbers,
                 indices_are_sorted, unique_indices);
}

inline XlaOp AllReduce(
    XlaOp operand, const XlaComputation& computation,
    absl::Span<const ReplicaGroup> replica_groups = {},
    const std::optional<ChannelHandle>& channel_id = std::nullopt,
    const std::optional<Shape>& shape_with_layout = std::nullopt,
    std::optional<bool> use_global_device_ids = std::nullopt) {
  return AllReduce(operand, CalledComputation(computation), replica_groups,
                   channel_id, shape_with_layout, use_global_device_ids);
}
inline XlaOp AllReduce(
    XlaOp operand, XlaComputationId computation,
    absl::Span<const ReplicaGroup> replica_groups = {},
    const std::optional<ChannelHandle>& channel_id = std::nullopt,
    const std::optional<Shape>& shape_with_layout = std::nullopt,
    std::optional<bool> use_global_device_ids = std::nullopt) {
  return AllReduce(operand, CalledComputation(computation), replica_groups,
                   channel_id, shape_with_layout, use_global_device_ids);
}
inline XlaOp AllReduceTuple(
    absl::Span<const XlaOp> operands, const XlaComputation& computation,
    absl::Span<const ReplicaGroup> replica_groups = {},
    const std::optional<ChannelHandle>& channel_id = std::nullopt,
    const std::optional<Shape>& shape_with_layout = std::nullopt,
    std::optional<bool> use_global_device_ids = std::nullopt) {
  return AllReduceTuple(operands, CalledComputation(computation),
                        replica_groups, channel_id, shape_with_layout,
                        use_global_device_ids);
}
inline XlaOp AllReduceTuple(
    absl::Span<const XlaOp> operands, XlaComputationId computation,
    absl::Span<const ReplicaGroup> replica_groups = {},
    const std::optional<ChannelHandle>& channel_id = std::nullopt,
    const std::optional<Shape>& shape_with_layout = std::nullopt,
    std::optional<bool> use_global_device_ids = std::nullopt) {
  return AllReduceTuple(operands, CalledComputation(computation),
                        replica_groups, channel_id, shape_with_layout,
                        use_global_device_ids);
}
inline XlaOp ReduceScatter(
    XlaOp operand, const XlaComputation& computation, int64_t scatter_dimension,
    int64_t shard_count, absl::Span<const ReplicaGroup> replica_groups = {},
    const std::optional<ChannelHandle>& channel_id = std::nullopt,
    const std::optional<Layout>& layout = std::nullopt,
    std::optional<bool> use_global_device_ids = std::nullopt) {
  return ReduceScatter(operand, CalledComputation(computation),
                       scatter_dimension, shard_count, replica_groups,
                       channel_id, layout, use_global_device_ids);
}
inline XlaOp ReduceScatter(
    XlaOp operand, XlaComputationId computation, int64_t scatter_dimension,
    int64_t shard_count, absl::Span<const ReplicaGroup> replica_groups = {},
    const std::optional<ChannelHandle>& channel_id = std::nullopt,
    const std::optional<Layout>& layout = std::nullopt,
    std::optional<bool> use_global_device_ids = std::nullopt) {
  return ReduceScatter(operand, CalledComputation(computation),
                       scatter_dimension, shard_count, replica_groups,
                       channel_id, layout, use_global_device_ids);
}

inline XlaOp CustomCallWithComputation(
    XlaBuilder* builder, const std::string& call_target_name,
    absl::Span<const XlaOp> operands, const XlaComputation& computation,
    const Shape& shape, const std::string& opaque = "",
    bool has_side_effect = false,
    OutputOperandAliases output_operand_aliasing = {},
    const Literal* literal = nullptr,
    CustomCallSchedule schedule = SCHEDULE_NONE,
    CustomCallApiVersion api_version = API_VERSION_ORIGINAL) {
  return CustomCallWithComputation(
      builder, call_target_name, operands, CalledComputation(computation),
      shape, opaque, has_side_effect, output_operand_aliasing, literal,
      schedule, api_version);
}
inline XlaOp CustomCallWithComputation(
    XlaBuilder* builder, const std::string& call_target_name,
    absl::Span<const XlaOp> operands, XlaComputationId computation,
    const Shape& shape, const std::string& opaque = "",
    bool has_side_effect = false,
    OutputOperandAliases output_operand_aliasing = {},
    const Literal* literal = nullptr,
    CustomCallSchedule schedule = SCHEDULE_NONE,
    CustomCallApiVersion api_version = API_VERSION_ORIGINAL) {
  return CustomCallWithComputation(
      builder, call_target_name, operands, CalledComputation(computation),
      shape, opaque, has_side_effect, output_operand_aliasing, literal,
      schedule, api_version);
}
inline XlaOp CustomCallWithComputationAndLayouts(
    XlaBuilder* builder, const std::string& call_target_name,
    absl::Span<const XlaOp> operands, XlaComputationId computation,
    const Shape& shape, absl::Span<const Shape> operand_shapes_with_layout,
    const std::string& opaque = "", bool has_side_effect = false,
    OutputOperandAliases output_operand_aliasing = {},
    const Literal* literal = nullptr,
    CustomCallSchedule schedule = SCHEDULE_NONE,
    CustomCallApiVersion api_version = API_VERSION_ORIGINAL) {
  return CustomCallWithComputationAndLayouts(
      builder, call_target_name, operands, CalledComputation(computation),
      shape, operand_shapes_with_layout, opaque, has_side_effect,
      output_operand_aliasing, literal, schedule, api_version);
}

}  // namespace xla

#endif  // XLA_HLO_BUILDER_COMPUTATION_FORMS_H_
