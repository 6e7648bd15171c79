// ShapeInference: the shape of an op's result from those of its operands, under
// XLA's names. The rules are those of the builder, the parser and the verifier.
#ifndef COMPAT_XLA_SERVICE_SHAPE_INFERENCE_H_
#define COMPAT_XLA_SERVICE_SHAPE_INFERENCE_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/implicit_broadcast.h"
#include "xla/hlo/builder/result_type.h"
#include "xla/hlo/builder/window_lists.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/elementwise/elementwise_other.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/linear/linear_algebra.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/reduction/batch_norm.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/ops/values.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/service/shape_inference/movement_shapes.h"  // IWYU pragma: export

namespace xla {

// Errors: InvalidArgument that names the op and the rule. Thread safe.
class ShapeInference : public shape_inference::MovementShapes {
 public:
  // Element-wise ops. Two operands broadcast as the builder's do; scalars among
  // those of clamp and select, too.
  static absl::StatusOr<Shape> InferUnaryOpShape(HloOpcode opcode,
                                                 const Shape& shape) {
    return Infer(opcode, {&shape});
  }
  static absl::StatusOr<Shape> InferUnaryOpShape(
      HloOpcode opcode, const HloInstruction* operand) {
    return InferUnaryOpShape(opcode, operand->shape());
  }
  static absl::StatusOr<Shape> InferBinaryOpShape(HloOpcode opcode,
                                                  const Shape& lhs,
                                                  const Shape& rhs,
                                                  Dims broadcast_dimensions) {
    XlaBuilder builder("shape_inference");
    const XlaOp a = Parameter(&builder, 0, lhs, "lhs");
    const XlaOp b = Parameter(&builder, 1, rhs, "rhs");
    TF_RETURN_IF_ERROR(builder.first_error());
    TF_ASSIGN_OR_RETURN(
        auto operands,
        builder_internal::BroadcastBoth(builder, a, b, broadcast_dimensions));
    TF_ASSIGN_OR_RETURN(
        const XlaOp result,
        builder.AddOp(opcode, {operands.first, operands.second}));
    return builder.GetShape(result);
  }
  static absl::StatusOr<Shape> InferBinaryOpShape(HloOpcode opcode,
                                                  const HloInstruction* lhs,
                                                  const HloInstruction* rhs) {
    return InferBinaryOpShape(opcode, lhs->shape(), rhs->shape(), {});
  }
  // The shape that scalars among these broadcast to: that of the others, which
  // must have the same dimensions (InvalidArgument). Nullopt if there are none.
  static absl::StatusOr<std::optional<Shape>> InferScalarBroadcastShape(
      absl::Span<const Shape> shapes) {
    std::optional<Shape> common;
    for (const Shape& shape : shapes) {
      if (!shape.IsArray() || shape.rank() == 0) continue;
      if (!common.has_value()) common = shape;
      if (!ShapeUtil::SameDimensions(*common, shape)) {
        return InvalidArgument("Unimplemented implicit broadcast: %s and %s.",
                               ShapeUtil::HumanString(*common),
                               ShapeUtil::HumanString(shape));
      }
    }
    return common;
  }
  static absl::StatusOr<Shape> InferTernaryOpShape(HloOpcode opcode,
                                                   const Shape& lhs,
                                                   const Shape& rhs,
                                                   const Shape& ehs) {
    XlaBuilder builder("shape_inference");
    const XlaOp a = Parameter(&builder, 0, lhs, "lhs");
    const XlaOp b = Parameter(&builder, 1, rhs, "rhs");
    const XlaOp c = Parameter(&builder, 2, ehs, "ehs");
    if (opcode != HloOpcode::kClamp && opcode != HloOpcode::kSelect) {
      return Infer(opcode, {&lhs, &rhs, &ehs});
    }
    const XlaOp result =
        opcode == HloOpcode::kClamp ? Clamp(a, b, c) : Select(a, b, c);
    TF_RETURN_IF_ERROR(builder.first_error());
    return builder.GetShape(result);
  }
  static absl::StatusOr<Shape> InferTernaryOpShape(HloOpcode opcode,
                                                   const HloInstruction* lhs,
                                                   const HloInstruction* rhs,
                                                   const HloInstruction* ehs) {
    return InferTernaryOpShape(opcode, lhs->shape(), rhs->shape(),
                               ehs->shape());
  }
  static absl::StatusOr<Shape> InferVariadicOpShape(HloOpcode opcode,
                                                    Shapes operand_shapes) {
    return Infer(opcode, operand_shapes);
  }
  static absl::StatusOr<Shape> InferVariadicOpShape(
      HloOpcode opcode, absl::Span<const HloInstruction* const> operands) {
    std::vector<const Shape*> shapes;
    for (const HloInstruction* operand : operands) {
      shapes.push_back(&operand->shape());
    }
    return Infer(opcode, shapes);
  }
  static absl::StatusOr<Shape> InferMapShape(Shapes arg_shapes,
                                             const ProgramShape& to_apply,
                                             Dims dimensions) {
    return Infer(HloOpcode::kMap, arg_shapes, MapAttrs{ToVector(dimensions)},
                 {&to_apply});
  }
  static absl::StatusOr<Shape> InferConvertShape(const Shape& operand_shape,
                                                 PrimitiveType new_type) {
    const Shape declared =
        ShapeUtil::ChangeElementType(operand_shape, new_type);
    return Infer(HloOpcode::kConvert, {&operand_shape}, {}, {}, &declared);
  }
  // Of another width: the last dimension takes up the difference.
  static absl::StatusOr<Shape> InferBitcastConvertShape(
      const Shape& operand_shape, PrimitiveType new_element_type) {
    XlaBuilder builder("shape_inference");
    const XlaOp result = BitcastConvertType(
        Parameter(&builder, 0, operand_shape, "operand"), new_element_type);
    TF_RETURN_IF_ERROR(builder.first_error());
    return builder.GetShape(result);
  }
  static absl::StatusOr<Shape> InferStochasticConvertShape(
      const Shape& operand_shape, const Shape& random_shape,
      PrimitiveType new_element_type) {
    const Shape declared =
        ShapeUtil::ChangeElementType(operand_shape, new_element_type);
    return Infer(HloOpcode::kStochasticConvert, {&operand_shape, &random_shape},
                 {}, {}, &declared);
  }
  static absl::StatusOr<Shape> InferReducePrecisionShape(
      const Shape& operand_shape, const int exponent_bits,
      const int mantissa_bits) {
    return Infer(HloOpcode::kReducePrecision, {&operand_shape},
                 ReducePrecisionAttrs{exponent_bits, mantissa_bits});
  }

  // Reductions.
  static absl::StatusOr<Shape> InferReduceShape(Shapes arg_shapes,
                                                Dims dimensions_to_reduce,
                                                const ProgramShape& to_apply) {
    return Infer(HloOpcode::kReduce, arg_shapes,
                 ReduceAttrs{ToVector(dimensions_to_reduce)}, {&to_apply});
  }
  static absl::StatusOr<Shape> InferReduceWindowShape(
      const Shape& operand_shape, const Shape& init_value, const Window& window,
      const ProgramShape& to_apply_shape) {
    return Infer(HloOpcode::kReduceWindow, {&operand_shape, &init_value},
                 ReduceWindowAttrs{window}, {&to_apply_shape});
  }
  static absl::StatusOr<Shape> InferReduceWindowShape(
      Shapes operands, Shapes init_values, const Window& window,
      const ProgramShape& to_apply_shape) {
    std::vector<const Shape*> all(operands.begin(), operands.end());
    all.insert(all.end(), init_values.begin(), init_values.end());
    return Infer(HloOpcode::kReduceWindow, all, ReduceWindowAttrs{window},
                 {&to_apply_shape});
  }
  // Without a computation: any that fits the operands.
  static absl::StatusOr<Shape> InferReduceWindowShape(
      const Shape& operand_shape, const Shape& init_value,
      const Window& window) {
    const Shape* operands[] = {&operand_shape};
    const Shape* init_values[] = {&init_value};
    return InferReduceWindowShape(absl::MakeSpan(operands),
                                  absl::MakeSpan(init_values), window);
  }
  static absl::StatusOr<Shape> InferReduceWindowShape(
      absl::Span<const Shape*> operands, absl::Span<const Shape*> init_values,
      const Window& window) {
    return InferReduceWindowShape(operands, init_values, window,
                                  ReducerOf(operands));
  }
  static absl::StatusOr<Shape> InferSelectAndScatterShape(
      const Shape& operand_shape, const ProgramShape& select_shape,
      const Window& window, const Shape& source_shape,
      const Shape& init_value_shape, const ProgramShape& scatter_shape) {
    return Infer(HloOpcode::kSelectAndScatter,
                 {&operand_shape, &source_shape, &init_value_shape},
                 SelectAndScatterAttrs{window},
                 {&select_shape, &scatter_shape});
  }
  static absl::StatusOr<Window> InferWindowFromDimensions(
      Dims window_dimensions, Dims window_strides,
      absl::Span<const std::pair<int64_t, int64_t>> padding, Dims lhs_dilation,
      Dims rhs_dilation,
      std::optional<std::vector<bool>> window_reversal = std::nullopt) {
    return builder_internal::MakeWindow(
        {window_dimensions, window_strides, padding, lhs_dilation, rhs_dilation,
         window_reversal.value_or(std::vector<bool>())});
  }
  static absl::StatusOr<Shape> InferBatchNormTrainingShape(
      const Shape& operand_shape, const Shape& scale_shape,
      const Shape& offset_shape, int64_t feature_index) {
    return Infer(HloOpcode::kBatchNormTraining,
                 {&operand_shape, &scale_shape, &offset_shape},
                 BatchNormAttrs{0, feature_index});
  }

  static absl::StatusOr<Shape> InferBatchNormInferenceShape(
      const Shape& operand_shape, const Shape& scale_shape,
      const Shape& offset_shape, const Shape& mean_shape,
      const Shape& variance_shape, int64_t feature_index) {
    return Infer(HloOpcode::kBatchNormInference,
                 {&operand_shape, &scale_shape, &offset_shape, &mean_shape,
                  &variance_shape},
                 BatchNormAttrs{0, feature_index});
  }
  static absl::StatusOr<Shape> InferBatchNormGradShape(
      const Shape& operand_shape, const Shape& scale_shape,
      const Shape& mean_shape, const Shape& var_shape,
      const Shape& output_grad_shape, int64_t feature_index) {
    return Infer(HloOpcode::kBatchNormGrad,
                 {&operand_shape, &scale_shape, &mean_shape, &var_shape,
                  &output_grad_shape},
                 BatchNormAttrs{0, feature_index});
  }

  // Contractions and linear algebra.
  static absl::StatusOr<Shape> InferDotOpShape(
      const Shape& lhs, const Shape& rhs,
      const DotDimensionNumbers& dimension_numbers,
      std::optional<PrimitiveType> preferred_element_type) {
    return InferProduct(HloOpcode::kDot, {&lhs, &rhs},
                        DotAttrs{dimension_numbers, {}},
                        preferred_element_type);
  }
  static absl::StatusOr<Shape> InferRaggedDotOpShape(
      const Shape& lhs, const Shape& rhs, const Shape& group_sizes,
      const RaggedDotDimensionNumbers& ragged_dot_dim_nums,
      std::optional<PrimitiveType> preferred_element_type) {
    return InferProduct(HloOpcode::kRaggedDot, {&lhs, &rhs, &group_sizes},
                        RaggedDotAttrs{ragged_dot_dim_nums, {}},
                        preferred_element_type);
  }
  static absl::StatusOr<Shape> InferConvolveShape(
      const Shape& lhs, const Shape& rhs, int64_t feature_group_count,
      int64_t batch_group_count, const Window& window,
      const ConvolutionDimensionNumbers& dimension_numbers,
      std::optional<PrimitiveType> preferred_element_type) {
    ConvolutionAttrs attrs;
    attrs.window = window;
    attrs.convolution_dimension_numbers = dimension_numbers;
    attrs.feature_group_count = feature_group_count;
    attrs.batch_group_count = batch_group_count;
    return InferProduct(HloOpcode::kConvolution, {&lhs, &rhs}, std::move(attrs),
                        preferred_element_type);
  }
  static absl::StatusOr<Shape> InferFftShape(const Shape& in, FftType fft_type,
                                             Dims fft_length) {
    return Infer(HloOpcode::kFft, {&in},
                 FftAttrs{fft_type, ToVector(fft_length)});
  }
  static absl::StatusOr<Shape> InferCholeskyShape(const Shape& a) {
    return Infer(HloOpcode::kCholesky, {&a}, CholeskyAttrs{});
  }
  static absl::StatusOr<Shape> InferTriangularSolveShape(
      const Shape& a, const Shape& b, const TriangularSolveOptions& options) {
    return Infer(HloOpcode::kTriangularSolve, {&a, &b},
                 TriangularSolveAttrs{options});
  }
  static absl::StatusOr<Shape> InferTopKShape(const Shape& operand_shape,
                                              int64_t k) {
    TopKAttrs attrs;
    attrs.k = k;
    return Infer(HloOpcode::kTopK, {&operand_shape}, attrs);
  }
};

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_SHAPE_INFERENCE_H_
