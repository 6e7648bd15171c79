// Broadcasts XlaBuilder's operands by HLO broadcast and reshape.
#include "xla/hlo/builder/implicit_broadcast.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/scoped_assignments.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/movement/reshape.h"

namespace xla {
namespace builder_internal {
namespace {

bool IsOne(const Shape& shape, int64_t i) {
  return shape.dimensions(i) == 1 && shape.is_static_dimension(i);
}

// Gives dimension `d` of `op` the size that it has in the source.
absl::StatusOr<XlaOp> TakeSize(XlaBuilder& builder, XlaOp op, int64_t d,
                               const SizeSource& source) {
  auto it = std::find(source.mapping.begin(), source.mapping.end(), d);
  if (it == source.mapping.end()) {
    return absl::UnimplementedError(absl::StrCat(
        "broadcast: no operand knows the size of dynamic dimension ", d));
  }
  const int64_t from = it - source.mapping.begin();
  XlaOp size;
  {
    // The builder's sharding is that of the result.
    XlaScopedShardingAssignment none(&builder, std::nullopt);
    TF_ASSIGN_OR_RETURN(size,
                        builder.AddOp(HloOpcode::kGetDimensionSize, {source.op},
                                      DimensionSizeAttrs{{from}}));
  }
  return builder.AddOp(HloOpcode::kSetDimensionSize, {op, size},
                       DimensionSizeAttrs{{d}});
}

}  // namespace

std::vector<int64_t> AllDimensions(int64_t n) {
  std::vector<int64_t> dimensions(n);
  std::iota(dimensions.begin(), dimensions.end(), 0);
  return dimensions;
}

absl::StatusOr<XlaOp> BroadcastTo(XlaBuilder& builder, XlaOp operand,
                                  const Shape& target,
                                  absl::Span<const int64_t> mapping,
                                  const SizeSource& source) {
  TF_ASSIGN_OR_RETURN(const Shape shape, builder.GetShape(operand));
  Shape kept(shape.element_type());  // the operand without dimensions that grow
  std::vector<int64_t> kept_mapping;
  std::vector<bool> is_kept(target.rank(), false);
  for (int64_t i = 0; i < shape.rank(); ++i) {
    const int64_t to = mapping[i];
    if (IsOne(shape, i) && !IsOne(target, to)) continue;
    kept.add_dimensions(shape.dimensions(i), shape.is_dynamic_dimension(i));
    kept_mapping.push_back(to);
    is_kept[to] = true;
  }
  if (kept.rank() == target.rank()) return operand;
  if (shape.is_unbounded_dynamic() || target.is_unbounded_dynamic()) {
    return absl::UnimplementedError(absl::StrCat(
        "broadcast: ", ShapeUtil::HumanString(shape), " to ",
        ShapeUtil::HumanString(target), " needs a size that is not known"));
  }
  if (kept.rank() != shape.rank()) {
    // The builder's sharding is that of the result.
    XlaScopedShardingAssignment none(&builder, std::nullopt);
    TF_ASSIGN_OR_RETURN(
        operand, builder.AddOp(HloOpcode::kReshape, {operand}, {}, {}, &kept));
  }
  std::vector<bool> dynamic(target.rank(), false);
  for (int64_t i = 0; i < kept.rank(); ++i) {
    dynamic[kept_mapping[i]] = kept.is_dynamic_dimension(i);
  }
  std::vector<int64_t> sizes(target.dimensions().begin(),
                             target.dimensions().end());
  for (int64_t i = 0; i < kept.rank(); ++i) {
    sizes[kept_mapping[i]] = kept.dimensions(i);
  }
  TF_ASSIGN_OR_RETURN(
      const Shape result,
      ShapeUtil::MakeValidatedShape(shape.element_type(), sizes, dynamic));
  TF_ASSIGN_OR_RETURN(XlaOp op,
                      builder.AddOp(HloOpcode::kBroadcast, {operand},
                                    BroadcastAttrs{kept_mapping}, {}, &result));
  for (int64_t d = 0; d < target.rank(); ++d) {
    if (!target.is_dynamic_dimension(d) || is_kept[d]) continue;
    TF_ASSIGN_OR_RETURN(op, TakeSize(builder, op, d, source));
  }
  return op;
}

absl::StatusOr<std::pair<XlaOp, XlaOp>> BroadcastBoth(
    XlaBuilder& builder, XlaOp lhs, XlaOp rhs,
    absl::Span<const int64_t> broadcast_dimensions) {
  TF_ASSIGN_OR_RETURN(const Shape* lhs_shape, builder.GetShapePtr(lhs));
  TF_ASSIGN_OR_RETURN(const Shape* rhs_shape, builder.GetShapePtr(rhs));
  TF_ASSIGN_OR_RETURN(
      const Shape target,
      InferBroadcastedBinary(*lhs_shape, *rhs_shape, broadcast_dimensions));
  auto source = [&](XlaOp op, const Shape& shape) {
    if (shape.rank() == target.rank()) {
      return SizeSource{op, AllDimensions(shape.rank())};
    }
    return SizeSource{op, std::vector<int64_t>(broadcast_dimensions.begin(),
                                               broadcast_dimensions.end())};
  };
  const SizeSource left = source(lhs, *lhs_shape);
  const SizeSource right = source(rhs, *rhs_shape);
  TF_ASSIGN_OR_RETURN(lhs,
                      BroadcastTo(builder, lhs, target, left.mapping, right));
  TF_ASSIGN_OR_RETURN(rhs,
                      BroadcastTo(builder, rhs, target, right.mapping, left));
  return std::make_pair(lhs, rhs);
}

absl::StatusOr<std::vector<XlaOp>> BroadcastScalars(
    XlaBuilder& builder, absl::Span<const XlaOp> operands) {
  std::vector<XlaOp> result(operands.begin(), operands.end());
  SizeSource source;
  Shape target;
  for (const XlaOp& operand : operands) {
    TF_ASSIGN_OR_RETURN(const Shape* shape, builder.GetShapePtr(operand));
    if (!shape->IsArray()) return result;
    if (!source.op.valid() && !ShapeUtil::IsScalar(*shape)) {
      source = {operand, AllDimensions(shape->rank())};
      target = *shape;
    }
  }
  if (!source.op.valid()) return result;
  for (XlaOp& operand : result) {
    TF_ASSIGN_OR_RETURN(const Shape* shape, builder.GetShapePtr(operand));
    if (!ShapeUtil::IsScalar(*shape)) continue;
    TF_ASSIGN_OR_RETURN(operand,
                        BroadcastTo(builder, operand, target, {}, source));
  }
  return result;
}

}  // namespace builder_internal
}  // namespace xla
