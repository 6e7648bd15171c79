// MovementShapes: the part of ShapeInference for ops that move elements.
#ifndef COMPAT_XLA_SERVICE_SHAPE_INFERENCE_MOVEMENT_SHAPES_H_
#define COMPAT_XLA_SERVICE_SHAPE_INFERENCE_MOVEMENT_SHAPES_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/values.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/service/shape_inference/collective_shapes.h"

namespace xla::shape_inference {

class MovementShapes : public CollectiveShapes {
 public:
  static absl::StatusOr<Shape> InferBroadcastShape(const Shape& operand,
                                                   Dims broadcast_sizes) {
    std::vector<int64_t> dims = ToVector(broadcast_sizes);
    std::vector<bool> dynamic(dims.size(), false);
    for (int64_t i = 0; i < operand.rank(); ++i) {
      dims.push_back(operand.dimensions(i));
      dynamic.push_back(operand.is_dynamic_dimension(i));
    }
    return ShapeUtil::MakeValidatedShape(operand.element_type(), dims, dynamic);
  }
  // Returns `output_shape` if it is a broadcast of the operand.
  static absl::StatusOr<Shape> InferBroadcastShape(const Shape& operand_shape,
                                                   const Shape& output_shape,
                                                   Dims broadcast_dimensions) {
    return Infer(HloOpcode::kBroadcast, {&operand_shape},
                 BroadcastAttrs{ToVector(broadcast_dimensions)}, {},
                 &output_shape);
  }
  static absl::StatusOr<Shape> InferDynamicReshapeShape(
      const Shape& operand, Shapes dim_size_shapes, Dims new_size_bounds,
      const std::vector<bool>& dims_are_dynamic) {
    TF_ASSIGN_OR_RETURN(
        const Shape declared,
        ShapeUtil::MakeValidatedShape(operand.element_type(), new_size_bounds,
                                      dims_are_dynamic));
    std::vector<const Shape*> operands = {&operand};
    operands.insert(operands.end(), dim_size_shapes.begin(),
                    dim_size_shapes.end());
    return Infer(HloOpcode::kDynamicReshape, operands, {}, {}, &declared);
  }
  static absl::StatusOr<Shape> InferReshapeShape(const Shape& operand,
                                                 Dims dimensions,
                                                 int64_t inferred_dimension) {
    XlaBuilder builder("shape_inference");
    const XlaOp result =
        ReshapeWithInferredDimension(Parameter(&builder, 0, operand, "operand"),
                                     dimensions, inferred_dimension);
    TF_RETURN_IF_ERROR(builder.first_error());
    return builder.GetShape(result);
  }
  static absl::StatusOr<Shape> InferTransposeShape(const Shape& operand,
                                                   Dims dimensions) {
    return Infer(HloOpcode::kTranspose, {&operand},
                 TransposeAttrs{ToVector(dimensions)});
  }
  static absl::StatusOr<Shape> InferReverseShape(const Shape& operand_shape,
                                                 Dims dimensions) {
    return Infer(HloOpcode::kReverse, {&operand_shape},
                 ReverseAttrs{ToVector(dimensions)});
  }
  static absl::StatusOr<Shape> InferSliceShape(const Shape& arg, Dims starts,
                                               Dims limits, Dims strides) {
    if (starts.size() != limits.size() || starts.size() != strides.size()) {
      return InvalidArgument("slice: %d starts, %d limits and %d strides",
                             starts.size(), limits.size(), strides.size());
    }
    SliceAttrs attrs;
    for (size_t i = 0; i < starts.size(); ++i) {
      attrs.slice.push_back({starts[i], limits[i], strides[i]});
    }
    return Infer(HloOpcode::kSlice, {&arg}, std::move(attrs));
  }
  // Start indices are scalars; one vector, the older form, is taken also
  // without `allow_scalar_indices`.
  static absl::StatusOr<Shape> InferDynamicSliceShape(
      const Shape& operand_shape, absl::Span<const Shape> start_index_shapes,
      Dims slice_sizes, bool allow_scalar_indices = true) {
    TF_RETURN_IF_ERROR(CheckStarts(start_index_shapes, allow_scalar_indices));
    return Infer(HloOpcode::kDynamicSlice,
                 WithStarts({&operand_shape}, start_index_shapes),
                 DynamicSliceAttrs{ToVector(slice_sizes)});
  }
  static absl::StatusOr<Shape> InferDynamicUpdateSliceShape(
      const Shape& operand_shape, const Shape& update_shape,
      absl::Span<const Shape> start_index_shapes,
      bool allow_scalar_indices = true) {
    TF_RETURN_IF_ERROR(CheckStarts(start_index_shapes, allow_scalar_indices));
    return Infer(
        HloOpcode::kDynamicUpdateSlice,
        WithStarts({&operand_shape, &update_shape}, start_index_shapes));
  }
  static absl::StatusOr<Shape> InferConcatOpShape(Shapes arg_shapes,
                                                  int64_t dimension) {
    return Infer(HloOpcode::kConcatenate, arg_shapes,
                 ConcatenateAttrs{{dimension}});
  }
  static absl::StatusOr<Shape> InferPadShape(
      const Shape& operand_shape, const Shape& padding_value_shape,
      const PaddingConfig& padding_config) {
    return Infer(HloOpcode::kPad, {&operand_shape, &padding_value_shape},
                 PadAttrs{padding_config});
  }
  static absl::StatusOr<Shape> InferGatherShape(
      const Shape& input_shape, const Shape& start_indices_shape,
      const GatherDimensionNumbers& gather_dim_numbers, Dims slice_sizes) {
    return Infer(HloOpcode::kGather, {&input_shape, &start_indices_shape},
                 GatherAttrs{gather_dim_numbers, ToVector(slice_sizes)});
  }
  static absl::StatusOr<Shape> InferScatterShape(
      Shapes arg_shapes, const ProgramShape& to_apply_shape,
      const ScatterDimensionNumbers& scatter_dim_numbers) {
    return Infer(HloOpcode::kScatter, arg_shapes,
                 ScatterAttrs{scatter_dim_numbers}, {&to_apply_shape});
  }
  static absl::StatusOr<Shape> InferGetTupleElementShape(const Shape& arg,
                                                         int64_t index) {
    return Infer(HloOpcode::kGetTupleElement, {&arg},
                 GetTupleElementAttrs{index});
  }
  static absl::StatusOr<Shape> InferSetDimensionSizeShape(
      const Shape& operand_shape, const Shape& val_shape, int64_t dimension) {
    return Infer(HloOpcode::kSetDimensionSize, {&operand_shape, &val_shape},
                 DimensionSizeAttrs{{dimension}});
  }
  static absl::StatusOr<Shape> InferGetDimensionSizeShape(const Shape& shape,
                                                          int64_t dimension) {
    return Infer(HloOpcode::kGetDimensionSize, {&shape},
                 DimensionSizeAttrs{{dimension}});
  }

 private:
  static absl::Status CheckStarts(absl::Span<const Shape> starts,
                                  bool allow_scalars) {
    if (allow_scalars || absl::c_none_of(starts, [](const Shape& start) {
          return ShapeUtil::IsScalar(start);
        })) {
      return absl::OkStatus();
    }
    return InvalidArgument("The start indices of a slice must be one vector.");
  }
  static std::vector<const Shape*> WithStarts(
      std::vector<const Shape*> operands, absl::Span<const Shape> starts) {
    for (const Shape& start : starts) operands.push_back(&start);
    return operands;
  }
};

}  // namespace xla::shape_inference

#endif  // COMPAT_XLA_SERVICE_SHAPE_INFERENCE_MOVEMENT_SHAPES_H_
