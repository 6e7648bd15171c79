// Shape rules of sort and topk.
#include "xla/hlo/ops/movement/sorting.h"

#include <cstdint>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/rule_text.h"

namespace xla {
namespace {

absl::Status CheckComparator(const ProgramShape& comparator,
                             absl::Span<const Shape* const> operands) {
  // sort_c5: the comparator has two scalar parameters for each operand, of its
  // element type.
  if (comparator.parameters_size() != 2 * static_cast<int>(operands.size())) {
    return Broken("sort_c5", "the comparator of ", operands.size(),
                  " operands must have ", 2 * operands.size(),
                  " parameters, got ", comparator.parameters_size());
  }
  for (int i = 0; i < comparator.parameters_size(); ++i) {
    const Shape& parameter = comparator.parameters(i);
    if (!ShapeUtil::IsScalarWithElementType(parameter,
                                            operands[i / 2]->element_type())) {
      return Broken("sort_c5", "parameter ", i,
                    " of the comparator must be a "
                    "scalar of operand ",
                    i / 2, ", ", Text(*operands[i / 2]), ", got ",
                    Text(parameter));
    }
  }
  // sort_c6: the comparator returns pred[].
  if (!ShapeUtil::IsScalarWithElementType(comparator.result(), PRED)) {
    return Broken("sort_c6", "the comparator must return pred[], got ",
                  Text(comparator.result()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> InferSort(const InferArgs& args, const SortAttrs& attrs) {
  // sort_c1: there is an operand.
  if (args.operands.empty()) {
    return Broken("sort_c1", "expected at least one operand");
  }
  const Shape& first = args.operand(0);
  for (const Shape* operand : args.operands) {
    // sort_c2: operands are arrays.
    TF_RETURN_IF_ERROR(CheckArray("sort_c2", *operand, "an operand"));
    // sort_c3: operands have the same dimensions.
    if (!ShapeUtil::SameDimensions(first, *operand)) {
      return Broken("sort_c3", "operands must have the same dimensions, got ",
                    Text(first), " and ", Text(*operand));
    }
  }
  // sort_c4: one dimension is listed, and operands have it.
  if (attrs.dimensions.size() != 1 || attrs.dimensions[0] < 0 ||
      attrs.dimensions[0] >= first.rank()) {
    return Broken("sort_c4", "dimensions must list one dimension of ",
                  Text(first), ", got {", absl::StrJoin(attrs.dimensions, ","),
                  "}");
  }
  TF_RETURN_IF_ERROR(CheckComparator(args.computation(0), args.operands));
  std::vector<Shape> results;
  for (const Shape* operand : args.operands) {
    LayoutUtil::SetToDefaultLayout(&results.emplace_back(*operand));
  }
  return ShapeUtil::MakeMaybeTupleShape(results);
}

// Numbers of elements are s32.
constexpr int64_t kMaxSize = std::numeric_limits<int32_t>::max();

absl::StatusOr<Shape> InferTopK(const InferArgs& args, const TopKAttrs& attrs) {
  const Shape& operand = args.operand(0);
  // topk_c1: the operand is an array with a dimension.
  TF_RETURN_IF_ERROR(CheckArray("topk_c1", operand, "the operand"));
  if (operand.rank() == 0) {
    return Broken("topk_c1", "the operand must have a dimension, got ",
                  Text(operand));
  }
  // topk_c2: elements are ordered.
  if (ShapeUtil::ElementIsComplex(operand)) {
    return Broken("topk_c2", "elements must be ordered, got ", Text(operand));
  }
  // topk_c3: k is within the last dimension, which may be of any size that fits
  // s32 if it has no bound.
  const int64_t last = operand.rank() - 1;
  const int64_t size = operand.is_unbounded_dynamic_dimension(last)
                           ? kMaxSize
                           : operand.dimensions(last);
  if (attrs.k < 0 || attrs.k > size || size > kMaxSize) {
    return Broken("topk_c3", "k=", attrs.k,
                  " is not within the last dimension of ", Text(operand));
  }
  Shape values = operand;
  LayoutUtil::SetToDefaultLayout(&values);
  values.set_dimensions(last, attrs.k, false);
  Shape indices = ShapeUtil::ChangeElementType(values, S32);
  return ShapeUtil::MakeTupleShape({values, indices});
}

DimensionFactors SortFactors(const FactorArgs& args, const SortAttrs& attrs) {
  return CommonFactors(args, [&](int64_t d) {
    return d == attrs.dimensions[0] ? FactorKind::kWhole
                                    : FactorKind::kPassedThrough;
  });
}

DimensionFactors TopKFactors(const FactorArgs& args) {
  const int64_t last = args.operand(0).rank() - 1;
  return CommonFactors(args, [&](int64_t d) {
    return d == last ? FactorKind::kWhole : FactorKind::kPassedThrough;
  });
}

}  // namespace xla
