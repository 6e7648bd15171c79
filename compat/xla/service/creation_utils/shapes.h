// Functions that change the dimensions of an array, make constants, and make
// computations and modules around an op.
#ifndef COMPAT_XLA_SERVICE_CREATION_UTILS_SHAPES_H_
#define COMPAT_XLA_SERVICE_CREATION_UTILS_SHAPES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/service/creation_utils/more_ops.h"
#include "xla/service/creation_utils/ops.h"

namespace xla {

// Errors of the reshapes: Internal for another number of elements.
inline absl::StatusOr<HloInstruction*> MakeReshapeHlo(const Shape& result_shape,
                                                      HloInstruction* operand) {
  TF_RET_CHECK(ShapeUtil::ElementsIn(result_shape) ==
               ShapeUtil::ElementsIn(operand->shape()))
      << ShapeUtil::HumanString(operand->shape()) << " as "
      << ShapeUtil::HumanString(result_shape);
  return operand->AddInstruction(
      HloInstruction::CreateReshape(result_shape, operand));
}
inline absl::StatusOr<HloInstruction*> MakeReshapeHlo(
    absl::Span<const int64_t> result_shape_dim_bounds,
    HloInstruction* operand) {
  return MakeReshapeHlo(ShapeUtil::MakeShape(operand->shape().element_type(),
                                             result_shape_dim_bounds),
                        operand);
}

// [a,b,c,...] to [a*b,c,...] for n = 2, which is in [1, rank] (CHECK). Dynamic
// if any of the n is.
inline absl::StatusOr<HloInstruction*> CollapseFirstNDims(
    HloInstruction* operand, int64_t n) {
  const Shape& shape = operand->shape();
  CHECK_GT(n, 0);
  CHECK_GE(static_cast<int64_t>(shape.rank()), n);
  std::vector<int64_t> sizes = {1};
  std::vector<bool> dynamic = {false};
  for (int64_t d = 0; d < static_cast<int64_t>(shape.rank()); ++d) {
    if (d < n) {
      sizes[0] *= shape.dimensions(d);
      dynamic[0] = dynamic[0] || shape.is_dynamic_dimension(d);
    } else {
      sizes.push_back(shape.dimensions(d));
      dynamic.push_back(shape.is_dynamic_dimension(d));
    }
  }
  return MakeReshapeHlo(
      ShapeUtil::MakeShape(shape.element_type(), sizes, dynamic), operand);
}

// [a,b] to [1,1,a,b] for n = 2.
inline absl::StatusOr<HloInstruction*> PrependDegenerateDims(
    HloInstruction* operand, int64_t n) {
  CHECK_GT(n, 0);
  std::vector<int64_t> sizes(n, 1);
  absl::c_copy(operand->shape().dimensions(), std::back_inserter(sizes));
  return MakeReshapeHlo(sizes, operand);
}

// [a*b,c,...] to [a,b,c,...]; the product must be right (CHECK).
inline absl::StatusOr<HloInstruction*> ExpandFirstDimIntoNDims(
    HloInstruction* operand, absl::Span<const int64_t> expanded_dims) {
  CHECK_GT(operand->shape().rank(), 0);
  const absl::Span<const int64_t> old_sizes = operand->shape().dimensions();
  CHECK_EQ(old_sizes[0],
           absl::c_accumulate(expanded_dims, int64_t{1}, std::multiplies<>()));
  std::vector<int64_t> sizes(expanded_dims.begin(), expanded_dims.end());
  sizes.insert(sizes.end(), old_sizes.begin() + 1, old_sizes.end());
  return MakeReshapeHlo(sizes, operand);
}

// Leave out dimensions of size 1, or add such dimensions, which are sorted and
// those of the result (CHECK).
inline absl::StatusOr<HloInstruction*> ElideDegenerateDims(
    HloInstruction* operand, absl::Span<const int64_t> dims_to_elide) {
  return MakeReshapeHlo(ShapeUtil::FilterDimensions(
                            [&](int64_t dim) {
                              return !absl::c_linear_search(dims_to_elide, dim);
                            },
                            operand->shape()),
                        operand);
}
inline absl::StatusOr<HloInstruction*> InsertDegenerateDims(
    HloInstruction* operand, absl::Span<const int64_t> dims_to_insert) {
  CHECK(absl::c_is_sorted(dims_to_insert));
  std::vector<int64_t> sizes(operand->shape().dimensions().begin(),
                             operand->shape().dimensions().end());
  for (const int64_t dim : dims_to_insert) {
    CHECK_LE(dim, static_cast<int64_t>(sizes.size()));
    sizes.insert(sizes.begin() + dim, 1);
  }
  return MakeReshapeHlo(sizes, operand);
}

// `operand` is a vector (CHECK).
inline absl::StatusOr<HloInstruction*> PadVectorWithZeros(
    HloInstruction* operand, int64_t zeros_to_prepend,
    int64_t zeros_to_append) {
  CHECK_EQ(operand->shape().rank(), 1);
  PaddingConfig config;
  auto* dimension = config.add_dimensions();
  dimension->set_edge_padding_low(zeros_to_prepend);
  dimension->set_edge_padding_high(zeros_to_append);
  HloInstruction* zero = creation_internal::Add(
      operand, HloInstruction::CreateConstant(
                   LiteralUtil::Zero(operand->shape().element_type())));
  return MakePadHlo(operand, zero, config);
}

// Arrays of these sizes, or of this shape.
inline HloInstruction* BroadcastZeros(HloComputation* computation,
                                      const Shape& broadcast_shape) {
  HloInstruction* zero =
      computation->AddInstruction(HloInstruction::CreateConstant(
          LiteralUtil::Zero(broadcast_shape.element_type())));
  return MakeBroadcastHlo(zero, {}, broadcast_shape);
}
inline HloInstruction* BroadcastZeros(
    HloComputation* computation, PrimitiveType element_type,
    absl::Span<const int64_t> broadcast_dimensions) {
  return BroadcastZeros(
      computation, ShapeUtil::MakeShape(element_type, broadcast_dimensions));
}
inline HloInstruction* BroadcastOnes(
    HloComputation* computation, PrimitiveType element_type,
    absl::Span<const int64_t> broadcast_dimensions) {
  HloInstruction* one = computation->AddInstruction(
      HloInstruction::CreateConstant(LiteralUtil::One(element_type)));
  return MakeBroadcastHlo(
      one, {}, ShapeUtil::MakeShape(element_type, broadcast_dimensions));
}

template <typename NativeT>
absl::StatusOr<HloInstruction*> MakeR1ConstantHlo(
    HloComputation* computation, PrimitiveType type,
    absl::Span<const NativeT> values) {
  Literal literal = LiteralUtil::CreateR1<NativeT>(values);
  if (literal.shape().element_type() != type) {
    TF_ASSIGN_OR_RETURN(literal, literal.Convert(type));
  }
  return computation->AddInstruction(
      HloInstruction::CreateConstant(std::move(literal)));
}
template <class NativeT>
HloInstruction* MakeR0ConstantHlo(HloComputation* computation, NativeT value) {
  return computation->AddInstruction(
      HloInstruction::CreateConstant(LiteralUtil::CreateR0<NativeT>(value)));
}
// A scalar with the shape of `base`, or broadcast to it.
inline HloInstruction* MakeScalarLikeFromLiteral(HloInstruction* base,
                                                 Literal literal) {
  HloInstruction* scalar =
      base->AddInstruction(HloInstruction::CreateConstant(std::move(literal)));
  if (base->shape().rank() == 0) {
    *scalar->mutable_shape() = base->shape();
    return scalar;
  }
  return base->AddInstruction(HloInstruction::CreateBroadcast(
      ShapeUtil::MakeStaticShape(base->shape()), scalar, {}));
}
template <class NativeT>
HloInstruction* MakeScalarLike(HloInstruction* base, NativeT value) {
  return MakeScalarLikeFromLiteral(base,
                                   LiteralUtil::CreateR0<NativeT>(value)
                                       .Convert(base->shape().element_type())
                                       .value());
}
// The type is a number's (CHECK).
template <typename NativeT>
std::unique_ptr<HloInstruction> MakeScalarConstantWithShape(const Shape& shape,
                                                            NativeT value) {
  const PrimitiveType type = shape.element_type();
  CHECK(primitive_util::IsIntegralType(type) ||
        primitive_util::IsFloatingPointType(type));
  auto constant = HloInstruction::CreateConstant(
      LiteralUtil::CreateR0<NativeT>(value).Convert(type).value());
  *constant->mutable_shape() = shape;
  return constant;
}

// Replaces the op by a fusion of it alone.
inline absl::StatusOr<HloInstruction*> MakeFusionInstruction(
    HloInstruction* fused, HloInstruction::FusionKind kind) {
  HloComputation* computation = fused->parent();
  HloInstruction* fusion = computation->AddInstruction(
      HloInstruction::CreateFusion(fused->shape(), kind, fused));
  TF_RETURN_IF_ERROR(computation->ReplaceInstruction(fused, fusion));
  return fusion;
}

namespace creation_internal {

inline HloInstruction* MakeZeros(HloComputation::Builder& builder,
                                 const Shape& shape) {
  if (!shape.IsTuple()) {
    return builder.AddInstruction(HloInstruction::CreateBroadcast(
        shape,
        builder.AddInstruction(HloInstruction::CreateConstant(
            LiteralUtil::Zero(shape.element_type()))),
        {}));
  }
  std::vector<HloInstruction*> elements;
  for (const Shape& element : shape.tuple_shapes()) {
    elements.push_back(MakeZeros(builder, element));
  }
  return builder.AddInstruction(HloInstruction::CreateTuple(elements));
}

}  // namespace creation_internal

// Makes a computation with parameters "param.0" and so on that returns zeros.
// `range` is made of arrays and tuples (CHECK).
inline absl::StatusOr<std::unique_ptr<HloComputation>>
CreateComputationWithSignature(absl::Span<const Shape* const> domain,
                               const Shape& range, absl::string_view name) {
  HloComputation::Builder builder(name);
  for (size_t i = 0; i < domain.size(); ++i) {
    builder.AddInstruction(HloInstruction::CreateParameter(
        i, *domain[i], absl::StrCat("param.", i)));
  }
  creation_internal::MakeZeros(builder, range);
  return builder.Build();
}

// Replaces a reshape that adds or drops several dimensions of size 1 by one
// reshape for each, drops first; returns null for others.
inline HloInstruction* ExpandDegenerateReshape(HloInstruction* inst) {
  std::optional<ShapeUtil::ShapeEqualityDescriptor> change =
      inst->ReshapeMerelyInsertsOrDeletes1SizedDimensions();
  if (!change.has_value() ||
      change->deleted_dimensions.size() + change->inserted_dimensions.size() ==
          1) {
    return nullptr;
  }
  HloInstruction* hlo = inst->mutable_operand(0);
  std::vector<int64_t> sizes(hlo->shape().dimensions().begin(),
                             hlo->shape().dimensions().end());
  const auto reshape = [&] {
    hlo = hlo->AddInstruction(HloInstruction::CreateReshape(
        ShapeUtil::MakeShape(hlo->shape().element_type(), sizes), hlo));
  };
  absl::c_sort(change->deleted_dimensions, std::greater<>());
  for (const int64_t dim : change->deleted_dimensions) {
    sizes.erase(sizes.begin() + dim);
    reshape();
  }
  for (const int64_t dim : change->inserted_dimensions) {
    sizes.insert(sizes.begin() + dim, 1);
    reshape();
  }
  return hlo;
}

// lower_bound <= inst && inst < upper_bound.
inline absl::StatusOr<HloInstruction*> MakeWithinBounds(
    HloInstruction* inst, HloInstruction* lower_bound,
    HloInstruction* upper_bound) {
  TF_ASSIGN_OR_RETURN(
      HloInstruction * le,
      MakeCompareHlo(Comparison::Direction::kLe, lower_bound, inst));
  TF_ASSIGN_OR_RETURN(
      HloInstruction * gt,
      MakeCompareHlo(Comparison::Direction::kGt, upper_bound, inst));
  return MakeBinaryHlo(HloOpcode::kAnd, le, gt);
}

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_CREATION_UTILS_SHAPES_H_
