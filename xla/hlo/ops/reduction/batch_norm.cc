// Shape rules of batch normalization.
#include "xla/hlo/ops/reduction/batch_norm.h"

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"

namespace xla {
namespace {

// Checks the operand, the feature index and the per-feature operands, which
// are operands 1 to `last_feature_operand`; the op is named in errors. Returns
// the shape T[features].
absl::StatusOr<Shape> InferFeatures(HloOpcode opcode, const InferArgs& args,
                                    const BatchNormAttrs& attrs,
                                    int last_feature_operand) {
  const absl::string_view name = HloOpcodeString(opcode);
  for (const Shape* operand : args.operands) {
    // batch_norm_c1: all operands are arrays of floats
    if (!operand->IsArray() || !ShapeUtil::ElementIsFloating(*operand)) {
      return RuleError("batch_norm_c1",
                       absl::StrCat(name, " takes floating-point arrays, got ",
                                    ShapeUtil::HumanString(*operand)));
    }
  }
  const Shape& operand = args.operand(0);
  // batch_norm_c2: feature_index is a dimension of the operand
  if (attrs.feature_index < 0 || attrs.feature_index >= operand.rank()) {
    return RuleError(
        "batch_norm_c2",
        absl::StrCat("feature_index of ", name, " must be in [0,",
                     operand.rank(), "), got ", attrs.feature_index));
  }
  const int feature = static_cast<int>(attrs.feature_index);
  Shape features(operand.element_type(), {operand.dimensions(feature)},
                 {operand.is_dynamic_dimension(feature)});
  for (int i = 1; i <= last_feature_operand; ++i) {
    const Shape& other = args.operand(i);
    // batch_norm_c3: what there is one of per feature has rank 1
    if (other.rank() != 1) {
      return RuleError(
          "batch_norm_c3",
          absl::StrCat("operand ", i, " of ", name, " must have rank 1, got ",
                       ShapeUtil::HumanString(other)));
    }
    // batch_norm_c4: there is one for each feature
    Shape merged = features;
    if (!MergeDimension(features, other, 0, &merged)) {
      return RuleError(
          "batch_norm_c4",
          absl::StrCat("operand ", i, " of ", name, " must have ",
                       operand.dimensions(feature), " elements, got ",
                       ShapeUtil::HumanString(other)));
    }
  }
  return ShapeWithElementType(features, operand.element_type());
}

// T[features] to (T[dims], T[features], T[features]).
absl::StatusOr<Shape> WithMoments(const Shape& operand, const Shape& features) {
  TF_ASSIGN_OR_RETURN(Shape normalized,
                      ShapeWithElementType(operand, operand.element_type()));
  return ShapeUtil::MakeTupleShape({normalized, features, features});
}

}  // namespace

absl::StatusOr<Shape> InferBatchNormTraining(const InferArgs& args,
                                             const BatchNormAttrs& attrs) {
  TF_ASSIGN_OR_RETURN(
      Shape features,
      InferFeatures(HloOpcode::kBatchNormTraining, args, attrs, 2));
  return WithMoments(args.operand(0), features);
}

absl::StatusOr<Shape> InferBatchNormInference(const InferArgs& args,
                                              const BatchNormAttrs& attrs) {
  TF_RETURN_IF_ERROR(
      InferFeatures(HloOpcode::kBatchNormInference, args, attrs, 4).status());
  return ShapeWithElementType(args.operand(0), args.operand(0).element_type());
}

absl::StatusOr<Shape> InferBatchNormGrad(const InferArgs& args,
                                         const BatchNormAttrs& attrs) {
  TF_ASSIGN_OR_RETURN(Shape features,
                      InferFeatures(HloOpcode::kBatchNormGrad, args, attrs, 3));
  const Shape& operand = args.operand(0);
  const Shape& grad_output = args.operand(4);
  // batch_norm_c5: grad_output has the dimensions of the operand
  Shape merged = operand;
  bool same = operand.rank() == grad_output.rank();
  for (int i = 0; same && i < operand.rank(); ++i) {
    same = MergeDimension(operand, grad_output, i, &merged);
  }
  if (!same) {
    return RuleError("batch_norm_c5",
                     absl::StrCat("grad_output of batch-norm-grad must have "
                                  "the dimensions of ",
                                  ShapeUtil::HumanString(operand), ", got ",
                                  ShapeUtil::HumanString(grad_output)));
  }
  return WithMoments(operand, features);
}

namespace {

// The operand's dimensions are of this kind, but for the features.
DimensionFactors BatchNormFactors(const FactorArgs& args,
                                  const BatchNormAttrs& attrs,
                                  FactorKind others) {
  DimensionFactors found;
  DimensionFactors::Array all;
  for (int d = 0; d < args.operand(0).rank(); ++d) {
    all.push_back(found.Add(
        d == attrs.feature_index ? FactorKind::kPassedThrough : others,
        args.operand(0).dimensions(d)));
  }
  const DimensionFactors::Array features = {all[attrs.feature_index]};
  auto add = [&](const Shape& shape, std::vector<DimensionFactors::Array>& to) {
    to.push_back(shape.rank() == args.operand(0).rank() ? all : features);
  };
  for (const Shape* operand : args.operands) add(*operand, found.operands);
  if (args.result.IsTuple()) {
    for (const Shape& part : args.result.tuple_shapes()) {
      add(part, found.results);
    }
  } else {
    add(args.result, found.results);
  }
  return found;
}

}  // namespace

DimensionFactors BatchStatisticsFactors(const FactorArgs& args,
                                        const BatchNormAttrs& attrs) {
  return BatchNormFactors(args, attrs, FactorKind::kWhole);
}

DimensionFactors BatchNormInferenceFactors(const FactorArgs& args,
                                           const BatchNormAttrs& attrs) {
  return BatchNormFactors(args, attrs, FactorKind::kPassedThrough);
}

}  // namespace xla
