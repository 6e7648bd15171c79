// Functions that add one op: conversions, products, ops with computations.
#ifndef COMPAT_XLA_SERVICE_CREATION_UTILS_MORE_OPS_H_
#define COMPAT_XLA_SERVICE_CREATION_UTILS_MORE_OPS_H_

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/builder/lib/comparators.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/service/creation_utils/ops.h"

namespace xla {

// Return `hlo` if it has that type. Packed types get packed layouts; pred is
// converted, not reinterpreted.
inline HloInstruction* MakeConvertToHlo(HloInstruction* hlo, PrimitiveType type,
                                        const OpMetadata* metadata = nullptr) {
  if (hlo->shape().element_type() == type) return hlo;
  Shape shape = ShapeUtil::ChangeElementType(hlo->shape(), type);
  if (shape.has_layout()) {
    shape.mutable_layout()->set_element_size_in_bits(
        primitive_util::IsSubByteNonPredType(type)
            ? primitive_util::BitWidth(type)
            : 0);
  }
  return creation_internal::Add(hlo, HloInstruction::CreateConvert(shape, hlo),
                                metadata);
}
inline HloInstruction* MakeBitcastConvertToHlo(
    HloInstruction* hlo, PrimitiveType type,
    const OpMetadata* metadata = nullptr) {
  if (hlo->shape().element_type() == type) return hlo;
  if (type == PRED || hlo->shape().element_type() == PRED) {
    return MakeConvertToHlo(hlo, type);
  }
  return creation_internal::Add(
      hlo,
      HloInstruction::CreateBitcastConvert(
          ShapeUtil::ChangeElementType(hlo->shape(), type), hlo),
      metadata);
}

inline HloInstruction* MakeBitcastHlo(HloInstruction* hlo, const Shape& shape,
                                      const OpMetadata* metadata = nullptr) {
  return creation_internal::Add(hlo, HloInstruction::CreateBitcast(shape, hlo),
                                metadata);
}

inline HloInstruction* MakeIotaHlo(HloComputation* computation,
                                   const Shape& shape, int64_t iota_dimension) {
  return computation->AddInstruction(
      HloInstruction::CreateIota(shape, iota_dimension));
}

inline absl::StatusOr<HloInstruction*> MakeDotHlo(
    HloInstruction* lhs, HloInstruction* rhs,
    const DotDimensionNumbers& dim_numbers,
    const PrecisionConfig& precision_config,
    std::optional<PrimitiveType> preferred_element_type,
    const OpMetadata* metadata = nullptr) {
  CHECK_EQ(lhs->parent(), rhs->parent());
  TF_ASSIGN_OR_RETURN(
      const Shape shape,
      ShapeInference::InferDotOpShape(lhs->shape(), rhs->shape(), dim_numbers,
                                      preferred_element_type));
  return creation_internal::Add(
      lhs,
      HloInstruction::CreateDot(shape, lhs, rhs, dim_numbers, precision_config),
      metadata);
}

inline absl::StatusOr<HloInstruction*> MakeRaggedDotHlo(
    HloInstruction* lhs, HloInstruction* rhs, HloInstruction* group_sizes,
    const RaggedDotDimensionNumbers& dim_numbers,
    const PrecisionConfig& precision_config,
    std::optional<PrimitiveType> preferred_element_type) {
  CHECK_EQ(lhs->parent(), rhs->parent());
  TF_ASSIGN_OR_RETURN(const Shape shape,
                      ShapeInference::InferRaggedDotOpShape(
                          lhs->shape(), rhs->shape(), group_sizes->shape(),
                          dim_numbers, preferred_element_type));
  return creation_internal::Add(
      lhs, HloInstruction::CreateRaggedDot(shape, lhs, rhs, group_sizes,
                                           dim_numbers, precision_config));
}

inline absl::StatusOr<HloInstruction*> MakeScaledDotHlo(
    HloInstruction* lhs, HloInstruction* rhs, HloInstruction* lhs_scale,
    HloInstruction* rhs_scale, const DotDimensionNumbers& dim_numbers,
    const PrecisionConfig& precision_config,
    std::optional<PrimitiveType> preferred_element_type) {
  CHECK_EQ(lhs->parent(), rhs->parent());
  TF_ASSIGN_OR_RETURN(
      const Shape shape,
      ShapeInference::InferDotOpShape(lhs->shape(), rhs->shape(), dim_numbers,
                                      preferred_element_type));
  return creation_internal::Add(lhs, HloInstruction::CreateScaledDot(
                                         shape, lhs, rhs, lhs_scale, rhs_scale,
                                         dim_numbers, precision_config));
}

// Maps all dimensions.
inline absl::StatusOr<HloInstruction*> MakeMapHlo(
    absl::Span<HloInstruction* const> operands, HloComputation* map_computation,
    const OpMetadata* metadata = nullptr) {
  CHECK(!operands.empty());
  int64_t rank = 0;
  for (const HloInstruction* operand : operands) {
    rank = std::max<int64_t>(rank, operand->shape().rank());
  }
  MapAttrs attrs;
  attrs.dimensions.resize(rank);
  std::iota(attrs.dimensions.begin(), attrs.dimensions.end(), 0);
  return creation_internal::Infer(HloOpcode::kMap, operands, attrs, metadata,
                                  nullptr, {map_computation});
}

inline HloInstruction* MakeReducePrecisionHlo(
    HloInstruction* operand, int exponent_bits, int mantissa_bits,
    const OpMetadata* metadata = nullptr) {
  return creation_internal::Add(
      operand,
      HloInstruction::CreateReducePrecision(operand->shape(), operand,
                                            exponent_bits, mantissa_bits),
      metadata);
}

// Those that are given an opcode make the computation.
inline absl::StatusOr<HloInstruction*> MakeReduceWindowHlo(
    HloInstruction* operand, HloInstruction* init_value, const Window& window,
    HloComputation* reduce_computation, const OpMetadata* metadata = nullptr) {
  return creation_internal::Infer(
      HloOpcode::kReduceWindow, {operand, init_value},
      ReduceWindowAttrs{window}, metadata, nullptr, {reduce_computation});
}
inline absl::StatusOr<HloInstruction*> MakeReduceWindowHlo(
    HloInstruction* operand, HloInstruction* init_value, const Window& window,
    HloOpcode binary_opcode, const OpMetadata* metadata = nullptr) {
  return MakeReduceWindowHlo(operand, init_value, window,
                             creation_internal::ScalarComputation(
                                 binary_opcode, operand->shape().element_type(),
                                 operand, operand->GetModule()),
                             metadata);
}

inline absl::StatusOr<HloInstruction*> MakeReduceHlo(
    absl::Span<HloInstruction* const> operands,
    absl::Span<HloInstruction* const> init_values,
    absl::Span<const int64_t> dimensions, HloComputation* reduce_computation,
    const OpMetadata* metadata = nullptr,
    const FrontendAttributes* frontend_attributes = nullptr) {
  CHECK(!operands.empty());
  CHECK_EQ(operands.size(), init_values.size());
  std::vector<HloInstruction*> all(operands.begin(), operands.end());
  all.insert(all.end(), init_values.begin(), init_values.end());
  return creation_internal::Infer(
      HloOpcode::kReduce, all,
      ReduceAttrs{creation_internal::ToVector(dimensions)}, metadata,
      frontend_attributes, {reduce_computation});
}
inline absl::StatusOr<HloInstruction*> MakeReduceHlo(
    HloInstruction* operand, HloInstruction* init_value,
    absl::Span<const int64_t> dimensions, HloComputation* reduce_computation,
    const OpMetadata* metadata = nullptr,
    const FrontendAttributes* frontend_attributes = nullptr) {
  return MakeReduceHlo(absl::MakeConstSpan(&operand, 1),
                       absl::MakeConstSpan(&init_value, 1), dimensions,
                       reduce_computation, metadata, frontend_attributes);
}
inline absl::StatusOr<HloInstruction*> MakeReduceHlo(
    HloInstruction* operand, HloInstruction* init_value,
    absl::Span<const int64_t> dimensions, HloOpcode binary_opcode,
    const OpMetadata* metadata = nullptr,
    const FrontendAttributes* frontend_attributes = nullptr) {
  return MakeReduceHlo(operand, init_value, dimensions,
                       creation_internal::ScalarComputation(
                           binary_opcode, operand->shape().element_type(),
                           operand, operand->GetModule()),
                       metadata, frontend_attributes);
}
// Reduces all dimensions; the computation goes to `module`.
inline absl::StatusOr<HloInstruction*> MakeReduceHlo(
    HloInstruction* operand, HloInstruction* init_value,
    HloOpcode binary_opcode, HloModule* module,
    const OpMetadata* metadata = nullptr,
    const FrontendAttributes* frontend_attributes = nullptr) {
  std::vector<int64_t> all(operand->shape().rank());
  std::iota(all.begin(), all.end(), 0);
  return MakeReduceHlo(
      operand, init_value, all,
      creation_internal::ScalarComputation(
          binary_opcode, operand->shape().element_type(), operand, module),
      metadata, frontend_attributes);
}

inline absl::StatusOr<HloInstruction*> MakeReverseHlo(
    HloInstruction* operand, absl::Span<const int64_t> dimensions,
    const OpMetadata* metadata = nullptr) {
  return creation_internal::Infer(
      HloOpcode::kReverse, {operand},
      ReverseAttrs{creation_internal::ToVector(dimensions)}, metadata);
}

// Broadcasts a scalar condition. What is added gets the annotations of
// `derived_from` that it does not have.
inline absl::StatusOr<HloInstruction*> MakeSelectHlo(
    HloInstruction* pred, HloInstruction* on_true, HloInstruction* on_false,
    HloInstruction* derived_from = nullptr,
    const OpMetadata* metadata = nullptr,
    const FrontendAttributes* frontend_attributes = nullptr) {
  const Shape& shape = on_true->shape();
  TF_RET_CHECK(!shape.IsTuple()) << "select takes no tuples";
  if (ShapeUtil::IsScalar(pred->shape()) && !ShapeUtil::IsScalar(shape)) {
    pred = MakeBroadcastHlo(pred, {}, ShapeUtil::ChangeElementType(shape, PRED),
                            metadata, frontend_attributes);
    if (derived_from != nullptr) derived_from->SetupDerivedInstruction(pred);
  }
  TF_ASSIGN_OR_RETURN(
      HloInstruction * select,
      creation_internal::Infer(HloOpcode::kSelect, {pred, on_true, on_false},
                               {}, metadata, frontend_attributes));
  if (derived_from != nullptr) derived_from->SetupDerivedInstruction(select);
  return select;
}

// Returns a tuple, or the only operand.
inline HloInstruction* MaybeMakeTuple(
    absl::Span<HloInstruction* const> operands) {
  CHECK(!operands.empty());
  if (operands.size() == 1) return operands[0];
  return creation_internal::Add(operands[0],
                                HloInstruction::CreateTuple(operands));
}

inline absl::StatusOr<HloComputation*> XlaComputationToHloComputation(
    XlaComputation& src_comp, HloModule* dest_module) {
  TF_ASSIGN_OR_RETURN(auto module,
                      HloModule::CreateFromProto(src_comp.proto()));
  return dest_module->DeepCloneComputation(*module->entry_computation());
}

// Sorts by the first operand, ascending; `builder` gets the sort and `module`
// the comparator.
inline absl::StatusOr<HloInstruction*> MakeSortHlo(
    const Shape& sort_shape, absl::Span<HloInstruction* const> operands,
    int64_t dimension_to_sort, bool is_stable, HloComputation::Builder* builder,
    HloModule* module, const OpMetadata* metadata = nullptr) {
  CHECK(!operands.empty());
  XlaBuilder comparator_builder("Sort.Compare");
  if (metadata != nullptr) comparator_builder.SetOpMetadata(*metadata);
  std::vector<PrimitiveType> types;
  for (const HloInstruction* operand : operands) {
    types.push_back(operand->shape().element_type());
  }
  XlaComputation comparator =
      CreateScalarLtComputation(types, &comparator_builder);
  TF_ASSIGN_OR_RETURN(HloComputation * compare,
                      XlaComputationToHloComputation(comparator, module));
  return builder->AddInstruction(HloInstruction::CreateSort(
      sort_shape, dimension_to_sort, operands, compare, is_stable));
}

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_CREATION_UTILS_MORE_OPS_H_
