// Shape rules of broadcast, reshape, transpose, reverse, bitcast, iota and of
// the ops on dynamic dimensions.
#include "xla/hlo/ops/movement/reshape.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/permutation_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/rule_text.h"

namespace xla {
namespace {

absl::Status CheckSameType(absl::string_view rule, const Shape& operand,
                           const Shape& result) {
  if (ShapeUtil::SameElementType(operand, result)) return absl::OkStatus();
  return Broken(rule, "the element type cannot change, got ", Text(operand),
                " and result ", Text(result));
}

absl::Status CheckSameCount(absl::string_view rule, const Shape& operand,
                            const Shape& result) {
  const int64_t from = ShapeUtil::ElementsIn(operand);
  const int64_t to = ShapeUtil::ElementsIn(result);
  if (from == to) return absl::OkStatus();
  return Broken(rule, "the number of elements cannot change, got ", from,
                " in ", Text(operand), " and ", to, " in ", Text(result));
}

bool InRange(int64_t dimension, const Shape& shape) {
  return dimension >= 0 && dimension < shape.rank();
}

bool IsS32Scalar(const Shape& shape) {
  return ShapeUtil::IsScalarWithElementType(shape, S32);
}

// Checks what get- and set-dimension-size share.
absl::Status CheckDimension(absl::string_view array_rule,
                            absl::string_view count_rule,
                            absl::string_view range_rule, const Shape& operand,
                            absl::Span<const int64_t> dimensions) {
  TF_RETURN_IF_ERROR(CheckArray(array_rule, operand, "the operand"));
  if (dimensions.size() != 1) {
    return Broken(count_rule, "expected one dimension, got {",
                  absl::StrJoin(dimensions, ","), "}");
  }
  if (!InRange(dimensions[0], operand)) {
    return Broken(range_rule, "dimension ", dimensions[0],
                  " is out of bounds of ", Text(operand));
  }
  return absl::OkStatus();
}

// Elements with tiles and padding, where these fit int64.
int64_t ElementsInMemory(const Shape& shape) {
  if (!shape.has_layout()) return ShapeUtil::ElementsIn(shape);
  const absl::StatusOr<Tiling> tiling = Tiling::Create(shape);
  return tiling.ok() ? tiling->padded_element_count()
                     : ShapeUtil::ElementsIn(shape);
}

}  // namespace

absl::StatusOr<Shape> InferBroadcast(const InferArgs& args,
                                     const BroadcastAttrs& attrs) {
  const Shape& operand = args.operand(0);
  const Shape& result = *args.declared;
  // broadcast_c1: operand and result are arrays of one element type.
  TF_RETURN_IF_ERROR(CheckArray("broadcast_c1", operand, "the operand"));
  TF_RETURN_IF_ERROR(CheckArray("broadcast_c1", result, "the result"));
  TF_RETURN_IF_ERROR(CheckSameType("broadcast_c1", operand, result));
  const auto& dimensions = attrs.dimensions;
  // broadcast_c2: there is one result dimension for each operand dimension.
  if (static_cast<int64_t>(dimensions.size()) != operand.rank()) {
    return Broken("broadcast_c2", "expected ", operand.rank(),
                  " dimensions for ", Text(operand), ", got {",
                  absl::StrJoin(dimensions, ","), "}");
  }
  std::vector<bool> seen(result.rank(), false);
  for (int64_t i = 0; i < operand.rank(); ++i) {
    const int64_t to = dimensions[i];
    // broadcast_c3: dimensions are in the result and differ.
    if (!InRange(to, result) || seen[to]) {
      return Broken("broadcast_c3", "dimensions {",
                    absl::StrJoin(dimensions, ","),
                    "} must differ and be dimensions of ", Text(result));
    }
    seen[to] = true;
    // broadcast_c4: sizes agree; one without a bound becomes that of the
    // result.
    if (operand.dimensions(i) != result.dimensions(to) &&
        !operand.is_unbounded_dynamic_dimension(i)) {
      return Broken("broadcast_c4", "dimension ", i, " of ", Text(operand),
                    " differs in size from dimension ", to, " of ",
                    Text(result));
    }
    // broadcast_c5: a dimension is dynamic in both or in neither.
    if (!operand.is_unbounded_dynamic_dimension(i) &&
        operand.is_dynamic_dimension(i) != result.is_dynamic_dimension(to)) {
      return Broken("broadcast_c5", "dimension ", i, " of ", Text(operand),
                    " and dimension ", to, " of ", Text(result),
                    " must both be dynamic or static");
    }
  }
  for (int64_t d = 0; d < result.rank(); ++d) {
    // broadcast_c6: sizes of dimensions that the operand lacks are known.
    if (!seen[d] && result.is_unbounded_dynamic_dimension(d)) {
      return Broken("broadcast_c6", "nothing gives dimension ", d, " of ",
                    Text(result), " a size");
    }
  }
  return result;
}

absl::StatusOr<Shape> InferReshape(const InferArgs& args,
                                   const ReshapeAttrs& attrs) {
  const Shape& operand = args.operand(0);
  const Shape& result = *args.declared;
  // reshape_c1: operand and result are arrays.
  TF_RETURN_IF_ERROR(CheckArray("reshape_c1", operand, "the operand"));
  TF_RETURN_IF_ERROR(CheckArray("reshape_c1", result, "the result"));
  // reshape_c2: the element type stays.
  TF_RETURN_IF_ERROR(CheckSameType("reshape_c2", operand, result));
  // reshape_c5: the sizes of the result are known; the words are those of XLA.
  if (result.is_unbounded_dynamic()) {
    return Broken("reshape_c5",
                  "Reshaping with unbounded result shape is not supported. ",
                  "Got ", Text(operand), " and result ", Text(result));
  }
  // reshape_c6: where the operand's are not known, none has only a bound.
  if (operand.is_unbounded_dynamic() && operand.is_bounded_dynamic()) {
    return Broken("reshape_c6",
                  "Reshape operand with bounded and unbounded dynamism not "
                  "supported. Got ",
                  Text(operand));
  }
  // reshape_c3: the number of elements stays.
  if (!operand.is_unbounded_dynamic()) {
    TF_RETURN_IF_ERROR(CheckSameCount("reshape_c3", operand, result));
  }
  // reshape_c4: the inferred dimension is one of the result, or -1 for none.
  const int64_t inferred = attrs.inferred_dimension.value_or(-1);
  if (inferred != -1 && !InRange(inferred, result)) {
    return Broken("reshape_c4", "inferred_dimension ", inferred,
                  " is out of bounds of ", Text(result));
  }
  return result;
}

std::vector<ReshapeGroup> ReshapeGroups(absl::Span<const int64_t> from,
                                        absl::Span<const int64_t> to) {
  if (absl::c_linear_search(from, 0) || absl::c_linear_search(to, 0)) {
    return {{0, from.size(), 0, to.size()}};
  }
  std::vector<ReshapeGroup> groups;
  size_t i = 0;
  size_t j = 0;
  while (i < from.size() && j < to.size()) {
    const size_t from_start = i;
    const size_t to_start = j;
    int64_t a = from[i++];
    int64_t b = to[j++];
    while (a != b) {
      if (a < b) {
        a *= from[i++];
      } else {
        b *= to[j++];
      }
    }
    groups.push_back({from_start, i, to_start, j});
  }
  if (groups.empty()) groups.push_back({0, 0, 0, 0});
  groups.back().from_end = from.size();
  groups.back().to_end = to.size();
  return groups;
}

std::optional<std::vector<int64_t>> ReshapedBroadcast(
    absl::Span<const int64_t> from, absl::Span<const int64_t> dimensions,
    absl::Span<const int64_t> to) {
  if (!absl::c_is_sorted(dimensions)) return std::nullopt;
  std::vector<int64_t> along;
  for (const ReshapeGroup& group : ReshapeGroups(from, to)) {
    bool has_old = false, has_new = false;
    for (size_t d = group.from; d < group.from_end; ++d) {
      if (from[d] == 1) continue;
      (absl::c_linear_search(dimensions, d) ? has_old : has_new) = true;
    }
    if (has_old && has_new) return std::nullopt;
    if (!has_old) continue;
    for (size_t d = group.to; d < group.to_end; ++d) along.push_back(d);
  }
  return along;
}

namespace {

// The result dimension that dynamic dimension `dynamic` of the operand becomes
// within its group; -1 if that is open.
absl::StatusOr<int64_t> DynamicTarget(const ReshapeGroup& group,
                                      const Shape& operand, const Shape& result,
                                      int64_t dynamic,
                                      int64_t inferred_dimension) {
  std::vector<int64_t> targets;
  for (size_t d = group.to; d < group.to_end; ++d) {
    if (result.dimensions(d) != 1) targets.push_back(d);
  }
  int64_t sources = 0;
  for (size_t d = group.from; d < group.from_end; ++d) {
    sources += operand.dimensions(d) != 1;
  }
  if (sources > 1 && targets.size() > 1) {
    return absl::UnimplementedError(absl::StrCat(
        "reshape: dynamic dimension ", dynamic, " of ", Text(operand),
        " is both split and combined in ", Text(result)));
  }
  if (operand.dimensions(dynamic) == 1 && result.rank() > 0) {
    // A dimension of at most one element: only a border tells which dimension
    // it becomes.
    if (dynamic == operand.rank() - 1) return result.rank() - 1;
    if (dynamic == 0) return 0;
    return absl::UnimplementedError(absl::StrCat(
        "reshape: dynamic dimension ", dynamic, " of ", Text(operand),
        " has bound 1 and is neither first nor last"));
  }
  const int64_t inferred = inferred_dimension;
  if (inferred >= static_cast<int64_t>(group.to) &&
      inferred < static_cast<int64_t>(group.to_end)) {
    return inferred;
  }
  return targets.size() == 1 ? targets[0] : -1;
}

}  // namespace

absl::StatusOr<Shape> ReshapedShape(const Shape& operand,
                                    absl::Span<const int64_t> new_sizes,
                                    int64_t inferred_dimension) {
  TF_RETURN_IF_ERROR(CheckBounded("reshape_c1", operand, "the operand"));
  TF_ASSIGN_OR_RETURN(Shape result, ShapeUtil::MakeValidatedShape(
                                        operand.element_type(), new_sizes));
  TF_RETURN_IF_ERROR(CheckBounded("reshape_c1", result, "the result"));
  TF_RETURN_IF_ERROR(CheckSameCount("reshape_c3", operand, result));
  const auto groups = ReshapeGroups(operand.dimensions(), new_sizes);
  for (const ReshapeGroup& group : groups) {
    for (size_t d = group.from; d < group.from_end; ++d) {
      if (!operand.is_dynamic_dimension(d)) continue;
      TF_ASSIGN_OR_RETURN(int64_t target, DynamicTarget(group, operand, result,
                                                        d, inferred_dimension));
      if (target != -1) result.set_dynamic_dimension(target, true);
    }
  }
  return result;
}

absl::StatusOr<Shape> InferDynamicReshape(const InferArgs& args) {
  const Shape& operand = args.operand(0);
  const Shape& result = *args.declared;
  // dynamic_reshape_c1: operand and result are arrays of one element type.
  TF_RETURN_IF_ERROR(
      CheckBounded("dynamic_reshape_c1", operand, "the operand"));
  TF_RETURN_IF_ERROR(CheckBounded("dynamic_reshape_c1", result, "the result"));
  TF_RETURN_IF_ERROR(CheckSameType("dynamic_reshape_c1", operand, result));
  // dynamic_reshape_c2: the bounds hold as many elements.
  TF_RETURN_IF_ERROR(CheckSameCount("dynamic_reshape_c2", operand, result));
  // dynamic_reshape_c3: there is a size for each dimension of the result.
  if (static_cast<int64_t>(args.operands.size()) != result.rank() + 1) {
    return Broken("dynamic_reshape_c3", "expected ", result.rank(),
                  " sizes for ", Text(result), ", got ",
                  args.operands.size() - 1);
  }
  for (size_t i = 1; i < args.operands.size(); ++i) {
    // dynamic_reshape_c4: sizes are s32[].
    if (!IsS32Scalar(args.operand(i))) {
      return Broken("dynamic_reshape_c4", "size ", i - 1,
                    " must be s32[], got ", Text(args.operand(i)));
    }
  }
  return result;
}

absl::StatusOr<Shape> InferTranspose(const InferArgs& args,
                                     const TransposeAttrs& attrs) {
  const Shape& operand = args.operand(0);
  // transpose_c1: the operand is an array.
  TF_RETURN_IF_ERROR(CheckArray("transpose_c1", operand, "the operand"));
  // transpose_c2: dimensions are a permutation of those of the operand.
  if (static_cast<int64_t>(attrs.dimensions.size()) != operand.rank() ||
      !IsPermutation(attrs.dimensions)) {
    return Broken("transpose_c2", "dimensions {",
                  absl::StrJoin(attrs.dimensions, ","),
                  "} are not a permutation of those of ", Text(operand));
  }
  Shape result = ShapeUtil::MakeShape(
      operand.element_type(), Permute(operand.dimensions(), attrs.dimensions));
  for (int64_t i = 0; i < operand.rank(); ++i) {
    result.set_dynamic_dimension(
        i, operand.is_dynamic_dimension(attrs.dimensions[i]));
  }
  return result;
}

absl::StatusOr<Shape> InferReverse(const InferArgs& args,
                                   const ReverseAttrs& attrs) {
  const Shape& operand = args.operand(0);
  // reverse_c1: the operand is an array.
  TF_RETURN_IF_ERROR(CheckArray("reverse_c1", operand, "the operand"));
  std::vector<bool> seen(operand.rank(), false);
  for (int64_t dimension : attrs.dimensions) {
    // reverse_c2: dimensions are in the operand and differ.
    if (!InRange(dimension, operand) || seen[dimension]) {
      return Broken("reverse_c2", "dimensions {",
                    absl::StrJoin(attrs.dimensions, ","),
                    "} must differ and be dimensions of ", Text(operand));
    }
    seen[dimension] = true;
  }
  Shape result = operand;
  LayoutUtil::SetToDefaultLayout(&result);
  return result;
}

absl::StatusOr<Shape> InferBitcast(const InferArgs& args) {
  const Shape& operand = args.operand(0);
  const Shape& result = *args.declared;
  // bitcast_c1: operand and result are arrays.
  TF_RETURN_IF_ERROR(CheckBounded("bitcast_c1", operand, "the operand"));
  TF_RETURN_IF_ERROR(CheckBounded("bitcast_c1", result, "the result"));
  // bitcast_c2: real and complex arrays are not read as each other.
  if (ShapeUtil::ElementIsComplex(operand) !=
      ShapeUtil::ElementIsComplex(result)) {
    return Broken("bitcast_c2", "cannot read ", Text(operand), " as ",
                  Text(result));
  }
  // bitcast_c3: both hold the same number of bits, in their elements or, with
  // tiles and padding, in memory.
  const auto bits = [](const Shape& shape, bool in_memory) {
    return CheckedMultiply(
        in_memory ? ElementsInMemory(shape) : ShapeUtil::ElementsIn(shape),
        primitive_util::StorageBitWidth(shape.element_type()));
  };
  const auto same_bits = [&](bool in_memory) {
    return bits(operand, in_memory).has_value() &&
           bits(operand, in_memory) == bits(result, in_memory);
  };
  if (!same_bits(/*in_memory=*/false) && !same_bits(/*in_memory=*/true)) {
    return Broken("bitcast_c3",
                  "operand and result must hold the same number "
                  "of bits, got ",
                  Text(operand), " and ", Text(result));
  }
  return result;
}

absl::StatusOr<Shape> InferIota(const InferArgs& args, const IotaAttrs& attrs) {
  const Shape& result = *args.declared;
  // iota_c1: the result is an array.
  TF_RETURN_IF_ERROR(CheckBounded("iota_c1", result, "the result"));
  // iota_c2: elements are numbers.
  if (result.element_type() == PRED) {
    return Broken("iota_c2", "elements must be numbers, got ", Text(result));
  }
  // iota_c3: the dimension is one of the result.
  if (!InRange(attrs.iota_dimension, result)) {
    return Broken("iota_c3", "iota_dimension ", attrs.iota_dimension,
                  " is out of bounds of ", Text(result));
  }
  return result;
}

absl::StatusOr<Shape> InferGetDimensionSize(const InferArgs& args,
                                            const DimensionSizeAttrs& attrs) {
  const Shape& operand = args.operand(0);
  // get_dimension_size_c1: the operand is an array.
  // get_dimension_size_c2: one dimension is listed.
  // get_dimension_size_c3: it is one of the operand.
  TF_RETURN_IF_ERROR(
      CheckDimension("get_dimension_size_c1", "get_dimension_size_c2",
                     "get_dimension_size_c3", operand, attrs.dimensions));
  // get_dimension_size_c4: its bound fits s32.
  if (operand.dimensions(attrs.dimensions[0]) > 0x7fffffff) {
    return Broken("get_dimension_size_c4", "dimension ", attrs.dimensions[0],
                  " of ", Text(operand), " does not fit s32");
  }
  return ShapeUtil::MakeShape(S32, {});
}

absl::StatusOr<Shape> InferSetDimensionSize(const InferArgs& args,
                                            const DimensionSizeAttrs& attrs) {
  const Shape& operand = args.operand(0);
  // set_dimension_size_c1: the operand is an array.
  // set_dimension_size_c2: one dimension is listed.
  // set_dimension_size_c3: it is one of the operand.
  TF_RETURN_IF_ERROR(
      CheckDimension("set_dimension_size_c1", "set_dimension_size_c2",
                     "set_dimension_size_c3", operand, attrs.dimensions));
  // set_dimension_size_c4: the size is s32[] and the bound fits it.
  if (!IsS32Scalar(args.operand(1))) {
    return Broken("set_dimension_size_c4", "the size must be s32[], got ",
                  Text(args.operand(1)));
  }
  if (operand.dimensions(attrs.dimensions[0]) > 0x7fffffff) {
    return Broken("set_dimension_size_c4", "dimension ", attrs.dimensions[0],
                  " of ", Text(operand), " does not fit s32");
  }
  Shape result = operand;
  result.set_dynamic_dimension(attrs.dimensions[0], true);
  LayoutUtil::SetToDefaultLayout(&result);
  return result;
}

}  // namespace xla
