// Broadcasts XlaBuilder's operands by HLO broadcast and reshape.
#include "xla/hlo/builder/implicit_broadcast.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/builder/ops/reshape.h"
#include "xla/hlo/builder/ops/slicing.h"
#include "xla/hlo/builder/scoped_assignments.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/movement/reshape.h"

namespace xla {
namespace builder_internal {
namespace {

bool IsOne(const Shape& shape, int64_t i) {
  return shape.dimensions(i) == 1 && shape.is_static_dimension(i);
}

// Returns which dimension of the source is dimension `d` of the target.
absl::StatusOr<int64_t> SourceDimension(const SizeSource& source, int64_t d) {
  auto it = std::find(source.mapping.begin(), source.mapping.end(), d);
  if (it != source.mapping.end()) return it - source.mapping.begin();
  return absl::UnimplementedError(absl::StrCat(
      "broadcast: no operand knows the size of dynamic dimension ", d));
}

// Gives dimension `d` of `op` the size that it has in the source.
absl::StatusOr<XlaOp> TakeSize(XlaBuilder& builder, XlaOp op, int64_t d,
                               const SizeSource& source) {
  TF_ASSIGN_OR_RETURN(const int64_t from, SourceDimension(source, d));
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

// BroadcastTo where sizes of operand or target are not known: XLA's custom call
// takes them as values.
absl::StatusOr<XlaOp> BroadcastAtRunTime(XlaBuilder& builder,
                                         const SizeSource& operand,
                                         const Shape& target,
                                         const SizeSource& source) {
  TF_ASSIGN_OR_RETURN(const Shape shape, builder.GetShape(operand.op));
  Shape result(shape.element_type(), target.dimensions(),
               target.dynamic_dimensions());
  LayoutUtil::SetToDefaultLayout(&result);
  std::vector<XlaOp> sizes(target.rank());
  XlaOp vector;
  {
    // The builder's sharding is that of the result.
    XlaScopedShardingAssignment none(&builder, std::nullopt);
    for (int64_t i = 0; i < shape.rank(); ++i) {
      const int64_t to = operand.mapping[i];
      if (IsOne(shape, i) && !IsOne(target, to)) continue;
      result.set_dimensions(to, shape.dimensions(i),
                            shape.is_dynamic_dimension(i));
      sizes[to] = GetDimensionSize(operand.op, i);
    }
    for (int64_t d = 0; d < target.rank(); ++d) {
      if (sizes[d].valid()) continue;
      TF_ASSIGN_OR_RETURN(const int64_t from, SourceDimension(source, d));
      sizes[d] = GetDimensionSize(source.op, from);
    }
    vector = SizeVector(builder, sizes);
  }
  return Done(builder, MhloDynamicBroadcastInDim(operand.op, vector,
                                                 operand.mapping, result));
}

}  // namespace

XlaOp SizeVector(XlaBuilder& builder, absl::Span<const XlaOp> sizes) {
  std::vector<XlaOp> parts;
  for (const XlaOp& size : sizes) parts.push_back(Reshape(size, {1}));
  return ConcatInDim(&builder, parts, 0);
}

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
  if (shape.is_unbounded_dynamic() && !source.op.valid()) {
    // First what is not known becomes what the target states.
    Shape stated = shape;
    for (int64_t i = 0; i < shape.rank(); ++i) {
      if (!shape.is_unbounded_dynamic_dimension(i)) continue;
      stated.set_dimensions(i, target.dimensions(mapping[i]), false);
    }
    TF_ASSIGN_OR_RETURN(
        operand, builder.AddOp(HloOpcode::kBroadcast, {operand},
                               BroadcastAttrs{AllDimensions(shape.rank())}, {},
                               &stated));
    return BroadcastTo(builder, operand, target, mapping);
  }
  if (shape.is_unbounded_dynamic() || target.is_unbounded_dynamic()) {
    return BroadcastAtRunTime(
        builder, {operand, {mapping.begin(), mapping.end()}}, target, source);
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
    // implicit_broadcast_c9: beside sizes that are not known, operands are
    // scalars or fit; the words are those of XLA.
    if (source.op.valid() && !ShapeUtil::IsScalar(*shape) &&
        (shape->is_unbounded_dynamic() || target.is_unbounded_dynamic()) &&
        !ShapeUtil::SameDimensions(target, *shape)) {
      return RuleError("implicit_broadcast_c9",
                       absl::StrCat("Unimplemented implicit broadcast. Got ",
                                    ShapeUtil::HumanString(target), " and ",
                                    ShapeUtil::HumanString(*shape)));
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
