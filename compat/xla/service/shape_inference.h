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
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/elementwise/elementwise_other.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/linear/linear_algebra.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/reduction/batch_norm.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/ops/values.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Errors: InvalidArgument that names the op and the rule. Thread safe.
class ShapeInference {
 public:
  using Shapes = absl::Span<const Shape* const>;
  using Dims = absl::Span<const int64_t>;

  // Element-wise ops. Two operands broadcast as the builder's do; scalars among
  // those of clamp and select, too.
  static absl::StatusOr<Shape> InferUnaryOpShape(HloOpcode opcode,
                                                 const Shape& shape) {
    return Infer(opcode, {&shape});
  }
  static absl::StatusOr<Shape> InferBinaryOpShape(HloOpcode opcode,
                                                  const Shape& lhs,
                                                  const Shape& rhs,
                                                  Dims broadcast_dimensions) {
    XlaBuilder builder("shape_inference");
    const XlaOp a = Parameter(&builder, 0, lhs, "lhs");
    const XlaOp b = Parameter(&builder, 1, rhs, "rhs");
    TF_RETURN_IF_ERROR(builder.first_error());
    TF_ASSIGN_OR_RETURN(auto operands,
                        builder_internal::BroadcastBoth(builder, a, b,
                                                        broadcast_dimensions));
    TF_ASSIGN_OR_RETURN(
        const XlaOp result,
        builder.AddOp(opcode, {operands.first, operands.second}));
    return builder.GetShape(result);
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
  static absl::StatusOr<Shape> InferVariadicOpShape(HloOpcode opcode,
                                                    Shapes operand_shapes) {
    return Infer(opcode, operand_shapes);
  }
  static absl::StatusOr<Shape> InferMapShape(Shapes arg_shapes,
                                             const ProgramShape& to_apply,
                                             Dims dimensions) {
    return Infer(HloOpcode::kMap, arg_shapes, MapAttrs{ToVector(dimensions)},
                 {&to_apply});
  }
  static absl::StatusOr<Shape> InferConvertShape(const Shape& operand_shape,
                                                 PrimitiveType new_type) {
    const Shape declared = ShapeUtil::ChangeElementType(operand_shape, new_type);
    return Infer(HloOpcode::kConvert, {&operand_shape}, {}, {}, &declared);
  }
  static absl::StatusOr<Shape> InferReducePrecisionShape(
      const Shape& operand_shape, const int exponent_bits,
      const int mantissa_bits) {
    return Infer(HloOpcode::kReducePrecision, {&operand_shape},
                 ReducePrecisionAttrs{exponent_bits, mantissa_bits});
  }

  // Movement.
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
  static absl::StatusOr<Shape> InferReshapeShape(const Shape& operand,
                                                 Dims dimensions,
                                                 int64_t inferred_dimension) {
    XlaBuilder builder("shape_inference");
    const XlaOp result = ReshapeWithInferredDimension(
        Parameter(&builder, 0, operand, "operand"), dimensions,
        inferred_dimension);
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
  static absl::StatusOr<Shape> InferSelectAndScatterShape(
      const Shape& operand_shape, const ProgramShape& select_shape,
      const Window& window, const Shape& source_shape,
      const Shape& init_value_shape, const ProgramShape& scatter_shape) {
    return Infer(HloOpcode::kSelectAndScatter,
                 {&operand_shape, &source_shape, &init_value_shape},
                 SelectAndScatterAttrs{window}, {&select_shape, &scatter_shape});
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

  // Control flow.
  static absl::StatusOr<Shape> InferWhileShape(const ProgramShape& condition,
                                               const ProgramShape& body,
                                               const Shape& init) {
    return Infer(HloOpcode::kWhile, {&init}, {}, {&condition, &body});
  }
  static absl::StatusOr<Shape> InferConditionalShape(
      const Shape& branch_index,
      absl::Span<const ProgramShape> branch_computations,
      absl::Span<const Shape> branch_operands) {
    std::vector<const Shape*> operands = {&branch_index};
    for (const Shape& operand : branch_operands) operands.push_back(&operand);
    std::vector<const ProgramShape*> branches;
    for (const ProgramShape& branch : branch_computations) {
      branches.push_back(&branch);
    }
    return Infer(HloOpcode::kConditional, operands, {}, branches);
  }
  static absl::StatusOr<Shape> InferCallShape(Shapes arg_shapes,
                                              const ProgramShape& to_apply) {
    return Infer(HloOpcode::kCall, arg_shapes, {}, {&to_apply});
  }

  // Collectives.
  static absl::StatusOr<Shape> InferCollectivePermuteShape(Shapes operands,
                                                           bool inplace) {
    CollectivePermuteAttrs attrs;
    if (inplace) {
      return Unimplemented(
          "the shape of a collective-permute in place depends on its slices");
    }
    return Infer(HloOpcode::kCollectivePermute, operands, std::move(attrs));
  }

 private:
  static std::vector<int64_t> ToVector(Dims dims) {
    return {dims.begin(), dims.end()};
  }
  static absl::StatusOr<Shape> Infer(
      HloOpcode opcode, Shapes operands, Attrs attrs = {},
      absl::Span<const ProgramShape* const> computations = {},
      const Shape* declared = nullptr) {
    const OpDef& def = GetOpDef(opcode);
    if (attrs.get() == nullptr) attrs = Attrs(def.attrs);
    InferArgs args;
    args.operands = operands;
    args.computations = computations;
    args.declared = declared;
    if (def.declares_shape && declared == nullptr) {
      return InvalidArgument("the operands of %s do not determine its shape",
                             HloOpcodeString(opcode));
    }
    return InferShape(def, args, attrs.get());
  }
  // The result has the preferred type, or that of the operands.
  static absl::StatusOr<Shape> InferProduct(
      HloOpcode opcode, Shapes operands, Attrs attrs,
      std::optional<PrimitiveType> preferred_element_type) {
    TF_ASSIGN_OR_RETURN(
        const PrimitiveType type,
        builder_internal::ProductType(*operands[0], *operands[1],
                                      preferred_element_type));
    const Shape declared = ShapeUtil::MakeShape(type, {});
    return Infer(opcode, operands, std::move(attrs), {}, &declared);
  }
};

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_SHAPE_INFERENCE_H_
