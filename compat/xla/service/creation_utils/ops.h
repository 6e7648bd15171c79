// Functions that add one op to the computation of its operands.
#ifndef COMPAT_XLA_SERVICE_CREATION_UTILS_OPS_H_
#define COMPAT_XLA_SERVICE_CREATION_UTILS_OPS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/comparison.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/ops/values.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/service/shape_inference.h"

namespace xla {

// Functions that return StatusOr infer the shape. Errors: InvalidArgument, with
// the rule of the op, for operands that do not fit. Operands are in one
// computation (CHECK); `metadata` and `frontend_attributes` are set if given.

namespace creation_internal {

inline HloInstruction* Annotate(HloInstruction* hlo, const OpMetadata* metadata,
                                const FrontendAttributes* attributes) {
  if (metadata != nullptr) hlo->set_metadata(*metadata);
  if (attributes != nullptr) hlo->set_frontend_attributes(*attributes);
  return hlo;
}

inline HloInstruction* Add(HloInstruction* operand,
                           std::unique_ptr<HloInstruction> hlo,
                           const OpMetadata* metadata = nullptr,
                           const FrontendAttributes* attributes = nullptr) {
  return Annotate(operand->parent()->AddInstruction(std::move(hlo)), metadata,
                  attributes);
}

inline absl::StatusOr<HloInstruction*> Infer(
    HloOpcode opcode, absl::Span<HloInstruction* const> operands,
    Attrs attrs = {}, const OpMetadata* metadata = nullptr,
    const FrontendAttributes* attributes = nullptr,
    absl::Span<HloComputation* const> computations = {}) {
  for (const HloInstruction* operand : operands) {
    CHECK_EQ(operand->parent(), operands[0]->parent());
  }
  TF_ASSIGN_OR_RETURN(HloInstruction * hlo,
                      operands[0]->parent()->Add(
                          opcode, operands, std::move(attrs), computations));
  return Annotate(hlo, metadata, attributes);
}

inline std::vector<int64_t> ToVector(absl::Span<const int64_t> span) {
  return {span.begin(), span.end()};
}

// Returns the elements of a vector as scalars.
inline std::vector<HloInstruction*> Scalars(HloInstruction* vector) {
  const PrimitiveType type = vector->shape().element_type();
  std::vector<HloInstruction*> scalars;
  for (int64_t i = 0; i < vector->shape().dimensions(0); ++i) {
    HloInstruction* slice =
        Add(vector, HloInstruction::CreateSlice(ShapeUtil::MakeShape(type, {1}),
                                                vector, {i}, {i + 1}, {1}));
    scalars.push_back(Add(slice, HloInstruction::CreateReshape(
                                     ShapeUtil::MakeShape(type, {}), slice)));
  }
  return scalars;
}

inline HloComputation* ScalarComputation(HloOpcode opcode, PrimitiveType type,
                                         const HloInstruction* context,
                                         HloModule* module) {
  CHECK(module != nullptr);
  HloComputation::Builder builder(
      absl::StrCat(context->name(), ".reduce_sub_computation"));
  const Shape scalar = ShapeUtil::MakeShape(type, {});
  HloInstruction* lhs =
      builder.AddInstruction(HloInstruction::CreateParameter(0, scalar, "lhs"));
  HloInstruction* rhs =
      builder.AddInstruction(HloInstruction::CreateParameter(1, scalar, "rhs"));
  builder.AddInstruction(
      HloInstruction::CreateBinary(scalar, opcode, lhs, rhs));
  return module->AddEmbeddedComputation(builder.Build());
}

}  // namespace creation_internal

inline absl::StatusOr<HloInstruction*> MakeUnaryHlo(
    HloOpcode opcode, HloInstruction* operand,
    const OpMetadata* metadata = nullptr) {
  return creation_internal::Infer(opcode, {operand}, {}, metadata);
}

inline absl::StatusOr<HloInstruction*> MakeBinaryHlo(
    HloOpcode opcode, HloInstruction* lhs, HloInstruction* rhs,
    const OpMetadata* metadata = nullptr,
    const FrontendAttributes* frontend_attributes = nullptr) {
  return creation_internal::Infer(opcode, {lhs, rhs}, {}, metadata,
                                  frontend_attributes);
}

inline HloInstruction* MakeCopyHlo(HloInstruction* from, const Shape& to) {
  return creation_internal::Add(
      from, HloInstruction::CreateUnary(to, HloOpcode::kCopy, from));
}

inline absl::StatusOr<HloInstruction*> MakeCompareHlo(
    Comparison::Direction direction, HloInstruction* lhs, HloInstruction* rhs,
    const OpMetadata* metadata = nullptr,
    const FrontendAttributes* frontend_attributes = nullptr) {
  CompareAttrs attrs;
  attrs.direction = direction;
  return creation_internal::Infer(HloOpcode::kCompare, {lhs, rhs}, attrs,
                                  metadata, frontend_attributes);
}

inline absl::StatusOr<HloInstruction*> MakePadHlo(
    HloInstruction* operand, HloInstruction* padding_value,
    const PaddingConfig& padding_config, const OpMetadata* metadata = nullptr,
    const FrontendAttributes* frontend_attributes = nullptr) {
  return creation_internal::Infer(HloOpcode::kPad, {operand, padding_value},
                                  PadAttrs{padding_config}, metadata,
                                  frontend_attributes);
}

inline absl::StatusOr<HloInstruction*> MakeSliceHlo(
    HloInstruction* operand, absl::Span<const int64_t> start_indices,
    absl::Span<const int64_t> limit_indices, absl::Span<const int64_t> strides,
    const OpMetadata* metadata = nullptr,
    const FrontendAttributes* frontend_attributes = nullptr) {
  TF_ASSIGN_OR_RETURN(const Shape shape, ShapeInference::InferSliceShape(
                                             operand->shape(), start_indices,
                                             limit_indices, strides));
  return creation_internal::Add(
      operand,
      HloInstruction::CreateSlice(shape, operand, start_indices, limit_indices,
                                  strides),
      metadata, frontend_attributes);
}

inline absl::StatusOr<HloInstruction*> MakeConvolveHlo(
    HloInstruction* lhs, HloInstruction* rhs, int64_t feature_group_count,
    int64_t batch_group_count, const Window& window,
    const ConvolutionDimensionNumbers& dimension_numbers,
    const PrecisionConfig& precision_config,
    std::optional<PrimitiveType> preferred_element_type,
    const OpMetadata* metadata = nullptr,
    const FrontendAttributes* frontend_attributes = nullptr) {
  TF_ASSIGN_OR_RETURN(
      const Shape shape,
      ShapeInference::InferConvolveShape(
          lhs->shape(), rhs->shape(), feature_group_count, batch_group_count,
          window, dimension_numbers, preferred_element_type));
  return creation_internal::Add(
      lhs,
      HloInstruction::CreateConvolve(shape, lhs, rhs, feature_group_count,
                                     batch_group_count, window,
                                     dimension_numbers, precision_config),
      metadata, frontend_attributes);
}

inline absl::StatusOr<HloInstruction*> MakeTransposeHlo(
    HloInstruction* operand, absl::Span<const int64_t> dimensions) {
  return creation_internal::Infer(
      HloOpcode::kTranspose, {operand},
      TransposeAttrs{creation_internal::ToVector(dimensions)});
}

// The slice of a scalar is the scalar. A vector of starts is taken apart.
inline absl::StatusOr<HloInstruction*> MakeDynamicSliceHlo(
    HloInstruction* operand, absl::Span<HloInstruction* const> start_indices,
    absl::Span<const int64_t> slice_sizes,
    const OpMetadata* metadata = nullptr) {
  if (start_indices.empty() || slice_sizes.empty()) return operand;
  std::vector<HloInstruction*> operands = {operand};
  operands.insert(operands.end(), start_indices.begin(), start_indices.end());
  return creation_internal::Infer(
      HloOpcode::kDynamicSlice, operands,
      DynamicSliceAttrs{creation_internal::ToVector(slice_sizes)}, metadata);
}
inline absl::StatusOr<HloInstruction*> MakeDynamicSliceHlo(
    HloInstruction* operand, HloInstruction* start_indices,
    absl::Span<const int64_t> slice_sizes,
    const OpMetadata* metadata = nullptr) {
  return MakeDynamicSliceHlo(operand, creation_internal::Scalars(start_indices),
                             slice_sizes, metadata);
}

inline absl::StatusOr<HloInstruction*> MakeDynamicUpdateSliceHlo(
    HloInstruction* operand, HloInstruction* update,
    absl::Span<HloInstruction* const> start_indices,
    const OpMetadata* metadata = nullptr) {
  std::vector<HloInstruction*> operands = {operand, update};
  operands.insert(operands.end(), start_indices.begin(), start_indices.end());
  return creation_internal::Infer(HloOpcode::kDynamicUpdateSlice, operands, {},
                                  metadata);
}
inline absl::StatusOr<HloInstruction*> MakeDynamicUpdateSliceHlo(
    HloInstruction* operand, HloInstruction* update,
    HloInstruction* start_indices, const OpMetadata* metadata = nullptr) {
  return MakeDynamicUpdateSliceHlo(
      operand, update, creation_internal::Scalars(start_indices), metadata);
}

inline HloInstruction* MakeBroadcastHlo(
    HloInstruction* operand, absl::Span<const int64_t> broadcast_dimensions,
    const Shape& shape, const OpMetadata* metadata = nullptr,
    const FrontendAttributes* frontend_attributes = nullptr) {
  return creation_internal::Add(
      operand,
      HloInstruction::CreateBroadcast(shape, operand, broadcast_dimensions),
      metadata, frontend_attributes);
}
inline HloInstruction* MakeBroadcastHlo(
    HloInstruction* operand, absl::Span<const int64_t> broadcast_dimensions,
    absl::Span<const int64_t> result_shape_bounds,
    const OpMetadata* metadata = nullptr,
    const FrontendAttributes* frontend_attributes = nullptr) {
  return MakeBroadcastHlo(operand, broadcast_dimensions,
                          ShapeUtil::MakeShape(operand->shape().element_type(),
                                               result_shape_bounds),
                          metadata, frontend_attributes);
}

inline absl::StatusOr<HloInstruction*> MakeGetTupleElementHlo(
    HloInstruction* operand, int64_t index,
    const OpMetadata* metadata = nullptr) {
  return creation_internal::Infer(HloOpcode::kGetTupleElement, {operand},
                                  GetTupleElementAttrs{index}, metadata);
}

inline absl::StatusOr<HloInstruction*> MakeConcatHlo(
    absl::Span<HloInstruction* const> operands, int64_t dimension,
    const OpMetadata* metadata = nullptr,
    const FrontendAttributes* frontend_attributes = nullptr) {
  CHECK(!operands.empty());
  return creation_internal::Infer(HloOpcode::kConcatenate, operands,
                                  ConcatenateAttrs{{dimension}}, metadata,
                                  frontend_attributes);
}

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_CREATION_UTILS_OPS_H_
