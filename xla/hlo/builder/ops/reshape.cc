// Broadcast, reshape, collapse, transpose, reverse, sizes of dimensions.
#include "xla/hlo/builder/ops/reshape.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/builder/implicit_broadcast.h"
#include "xla/hlo/builder/ops/custom_call.h"
#include "xla/hlo/builder/ops/values.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using builder_internal::AllDimensions;
using builder_internal::BroadcastTo;
using builder_internal::BuilderOf;
using builder_internal::Emit;
using builder_internal::EmitOp;

// Marks as dynamic those of `sizes` that a dynamic dimension of `operand` goes
// into. Both lists are cut where the products of the sizes before agree; within
// a part, a dynamic dimension goes into the inferred dimension, if the part has
// it, or else into the most major dimension that is not 1.
std::vector<bool> ReshapedDynamicDimensions(
    const Shape& operand, absl::Span<const int64_t> sizes,
    std::optional<int64_t> inferred_dimension) {
  const int n = operand.dimensions_size(), m = static_cast<int>(sizes.size());
  std::vector<bool> dynamic(m, false);
  int i = 0, j = 0;
  while (i < n && j < m) {
    const int first = j;
    bool is_dynamic = operand.is_dynamic_dimension(i);
    int64_t from = operand.dimensions(i++), to = sizes[j++];
    while (from != to && (from < to ? i < n : j < m)) {
      if (from < to) {
        is_dynamic |= operand.is_dynamic_dimension(i);
        from *= operand.dimensions(i++);
      } else {
        to *= sizes[j++];
      }
    }
    if (!is_dynamic) continue;
    int target = first;
    while (target + 1 < j && sizes[target] == 1) ++target;
    const int64_t inferred = inferred_dimension.value_or(-1);
    if (inferred >= first && inferred < j) target = static_cast<int>(inferred);
    dynamic[target] = true;
  }
  return dynamic;
}

absl::StatusOr<XlaOp> AddReshape(XlaBuilder& b, XlaOp operand,
                                 absl::Span<const int64_t> sizes,
                                 std::optional<int64_t> inferred_dimension) {
  TF_ASSIGN_OR_RETURN(const Shape* from, b.GetShapePtr(operand));
  // The rules of reshape refuse operands that are not arrays.
  const PrimitiveType type = from->IsArray() ? from->element_type() : PRED;
  TF_ASSIGN_OR_RETURN(Shape to, ShapeUtil::MakeValidatedShape(type, sizes));
  if (from->IsArray() && from->is_bounded_dynamic() &&
      !from->is_unbounded_dynamic() && !to.is_unbounded_dynamic() &&
      ShapeUtil::ElementsIn(*from) == ShapeUtil::ElementsIn(to)) {
    TF_ASSIGN_OR_RETURN(
        to, ShapeUtil::MakeValidatedShape(
                type, sizes,
                ReshapedDynamicDimensions(*from, sizes, inferred_dimension)));
  }
  return b.AddOp(HloOpcode::kReshape, {operand},
                 ReshapeAttrs{inferred_dimension}, {}, &to);
}

// Checks the arguments of BroadcastInDim and returns the result shape.
absl::StatusOr<Shape> BroadcastInDimShape(
    const Shape& operand, absl::Span<const int64_t> sizes,
    absl::Span<const int64_t> dimensions) {
  auto error = [&](absl::string_view rule, absl::string_view what) {
    return RuleError(
        rule, absl::StrCat(what, ", got ", ShapeUtil::HumanString(operand),
                           " to sizes {", absl::StrJoin(sizes, ","),
                           "} with broadcast_dimensions {",
                           absl::StrJoin(dimensions, ","), "}"));
  };
  // broadcast_in_dim_c1: the operand is an array.
  if (!operand.IsArray()) {
    return error("broadcast_in_dim_c1", "the operand must be an array");
  }
  // broadcast_in_dim_c2: there is one dimension for each of the operand.
  if (static_cast<int64_t>(dimensions.size()) != operand.rank()) {
    return error("broadcast_in_dim_c2",
                 "each operand dimension needs one result dimension");
  }
  // broadcast_in_dim_c5: the result's sizes are known; the words are those of
  // XLA.
  if (absl::c_linear_search(sizes, Shape::kUnboundedSize)) {
    return RuleError(
        "broadcast_in_dim_c5",
        absl::StrCat("BroadcastInDim output must shape be static "
                     "or bounded dynamic ",
                     Shape(operand.element_type(), sizes).ToString()));
  }
  // broadcast_in_dim_c6: no size is negative.
  if (absl::c_any_of(sizes, [](int64_t size) { return size < 0; })) {
    return error("broadcast_in_dim_c6", "Invalid dimension size");
  }
  std::vector<bool> dynamic(sizes.size(), false);
  for (size_t i = 0; i < dimensions.size(); ++i) {
    const int64_t to = dimensions[i];
    // broadcast_in_dim_c3: they strictly increase, within the result.
    if (to < 0 || to >= static_cast<int64_t>(sizes.size()) ||
        (i > 0 && dimensions[i - 1] >= to)) {
      return error("broadcast_in_dim_c3",
                   "broadcast dimensions must strictly increase within the "
                   "result");
    }
    // broadcast_in_dim_c4: sizes agree, or the operand's is 1.
    if (!SizesFit(operand.dimensions(i), sizes[to]) &&
        operand.dimensions(i) != 1) {
      return error(
          "broadcast_in_dim_c4",
          absl::StrCat("dimension ", i, " must have size 1 or the result's"));
    }
    dynamic[to] = operand.is_bounded_dynamic_dimension(i);
  }
  return ShapeUtil::MakeValidatedShape(operand.element_type(), sizes, dynamic);
}

absl::Status CheckDynamicBroadcast(const Shape& operand, const Shape& sizes,
                                   absl::Span<const int64_t> dimensions,
                                   const Shape& result) {
  // mhlo_dynamic_broadcast_c1: the sizes are a vector of integers.
  if (!sizes.IsArray() || !ShapeUtil::ElementIsIntegral(sizes)) {
    return RuleError("mhlo_dynamic_broadcast_c1",
                     absl::StrCat("output_dimensions must be an integer type ",
                                  ShapeUtil::HumanString(sizes)));
  }
  if (sizes.rank() != 1) {
    return RuleError(
        "mhlo_dynamic_broadcast_c1",
        absl::StrCat("output_dimensions must be rank 1 but got rank ",
                     sizes.rank()));
  }
  // mhlo_dynamic_broadcast_c2: arrays become arrays of at least as many
  // dimensions, one named for each of the operand's.
  TF_RETURN_IF_ERROR(
      CheckArray("mhlo_dynamic_broadcast_c2", operand, "the operand"));
  TF_RETURN_IF_ERROR(
      CheckArray("mhlo_dynamic_broadcast_c2", result, "the result"));
  if (static_cast<int64_t>(dimensions.size()) != operand.rank()) {
    return RuleError(
        "mhlo_dynamic_broadcast_c2",
        absl::StrCat("broadcast_dimensions size (", dimensions.size(),
                     ") does not match operand rank (", operand.rank(), ")"));
  }
  if (result.rank() < operand.rank()) {
    return RuleError(
        "mhlo_dynamic_broadcast_c2",
        absl::StrCat("result rank (", result.rank(),
                     ") is less than operand rank (", operand.rank(), ")"));
  }
  for (int i = 0; i < operand.rank(); ++i) {
    const int64_t to = dimensions[i];
    // mhlo_dynamic_broadcast_c3: the named dimensions are the result's.
    if (to < 0 || to >= result.rank()) {
      return RuleError(
          "mhlo_dynamic_broadcast_c3",
          absl::StrCat("broadcast_dimensions contains invalid value ", to,
                       " for result with rank ", result.rank()));
    }
    const int64_t size = operand.dimensions(i);
    // mhlo_dynamic_broadcast_c4: sizes that are known are 1 or the result's.
    if (size != 1 && size != result.dimensions(to) &&
        !operand.is_unbounded_dynamic_dimension(i)) {
      return RuleError(
          "mhlo_dynamic_broadcast_c4",
          absl::StrCat("size of operand dimension ", i, " (", size,
                       ") is not compatible with size of result dimension ", to,
                       " (", result.dimensions(to), ")"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckDynamicReshape(const Shape& operand, const Shape& sizes,
                                 const Shape& result) {
  // mhlo_dynamic_reshape_c1: an array becomes one of the same type.
  if (!operand.IsArray() || !result.IsArray() ||
      operand.element_type() != result.element_type()) {
    return RuleError(
        "mhlo_dynamic_reshape_c1",
        absl::StrCat("Element type of operand ",
                     ShapeUtil::HumanString(operand), " and output ",
                     ShapeUtil::HumanString(result), " must match"));
  }
  // mhlo_dynamic_reshape_c2: counts of elements that are known agree.
  if (operand.is_static() && result.is_static() &&
      ShapeUtil::ElementsIn(operand) != ShapeUtil::ElementsIn(result)) {
    return RuleError(
        "mhlo_dynamic_reshape_c2",
        absl::StrCat("MhloDynamicReshape has mismatched element counts: from=",
                     ShapeUtil::ElementsIn(operand), " (",
                     ShapeUtil::HumanString(operand),
                     ") to=", ShapeUtil::ElementsIn(result), " (",
                     ShapeUtil::HumanString(result), ")"));
  }
  // mhlo_dynamic_reshape_c3: there is a size for each dimension of the result.
  TF_RETURN_IF_ERROR(
      CheckArray("mhlo_dynamic_reshape_c3", sizes, "output_shape"));
  const int64_t count = sizes.rank() > 0 ? sizes.dimensions(0) : 0;
  if (sizes.rank() == 0 || count != result.rank()) {
    return RuleError(
        "mhlo_dynamic_reshape_c3",
        absl::StrCat("output_shape dimension size=", count, " (",
                     ShapeUtil::HumanString(sizes),
                     ") and rank of shape=", result.rank(), " (",
                     ShapeUtil::HumanString(result), ") must match"));
  }
  return absl::OkStatus();
}

}  // namespace

XlaOp Broadcast(XlaOp operand, absl::Span<const int64_t> broadcast_sizes) {
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
        TF_RETURN_IF_ERROR(CheckArray("broadcast_c1", *shape, "the operand"));
        // broadcast_of_c1: the operand's sizes are known.
        if (shape->is_unbounded_dynamic()) {
          return RuleError("broadcast_of_c1",
                           absl::StrCat("the operand is_unbounded_dynamic: ",
                                        ShapeUtil::HumanString(*shape)));
        }
        // broadcast_of_c2: so are the sizes before them; the words are XLA's.
        if (absl::c_linear_search(broadcast_sizes, Shape::kUnboundedSize)) {
          return RuleError("broadcast_of_c2",
                           "Non-broadcast dimensions must not be dynamic.");
        }
        const int64_t added = static_cast<int64_t>(broadcast_sizes.size());
        std::vector<int64_t> sizes(broadcast_sizes.begin(),
                                   broadcast_sizes.end());
        std::vector<bool> dynamic(added, false);
        BroadcastAttrs attrs;
        for (int64_t i = 0; i < shape->rank(); ++i) {
          sizes.push_back(shape->dimensions(i));
          dynamic.push_back(shape->is_dynamic_dimension(i));
          attrs.dimensions.push_back(added + i);
        }
        TF_ASSIGN_OR_RETURN(const Shape to,
                            ShapeUtil::MakeValidatedShape(shape->element_type(),
                                                          sizes, dynamic));
        return b.AddOp(HloOpcode::kBroadcast, {operand}, std::move(attrs), {},
                       &to);
      });
}

XlaOp BroadcastInDim(XlaOp operand, absl::Span<const int64_t> out_dim_size,
                     absl::Span<const int64_t> broadcast_dimensions) {
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
        TF_ASSIGN_OR_RETURN(
            const Shape to,
            BroadcastInDimShape(*shape, out_dim_size, broadcast_dimensions));
        TF_ASSIGN_OR_RETURN(XlaOp result,
                            BroadcastTo(b, operand, to, broadcast_dimensions));
        if (!result.IsIdenticalTo(operand)) return result;
        // Add an op even if nothing changes, since it may become the root.
        return b.AddOp(HloOpcode::kBroadcast, {operand},
                       BroadcastAttrs{AllDimensions(to.rank())}, {}, &to);
      });
}

XlaOp MhloDynamicBroadcastInDim(XlaOp operand, XlaOp output_dimensions,
                                absl::Span<const int64_t> broadcast_dimensions,
                                const Shape& output_shape) {
  return Emit(
      BuilderOf({operand, output_dimensions}),
      [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
        TF_ASSIGN_OR_RETURN(const Shape* sizes,
                            b.GetShapePtr(output_dimensions));
        TF_RETURN_IF_ERROR(CheckDynamicBroadcast(
            *shape, *sizes, broadcast_dimensions, output_shape));
        return CustomCall(
            &b, "mhlo.dynamic_broadcast_in_dim", {operand, output_dimensions},
            output_shape,
            absl::StrCat("{broadcast_dimensions=[",
                         absl::StrJoin(broadcast_dimensions, ","), "]}"));
      });
}

XlaOp MhloDynamicReshape(XlaOp operand, XlaOp output_shape,
                         const Shape& shape) {
  return Emit(BuilderOf({operand, output_shape}),
              [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
                TF_ASSIGN_OR_RETURN(const Shape* from, b.GetShapePtr(operand));
                TF_ASSIGN_OR_RETURN(const Shape* sizes,
                                    b.GetShapePtr(output_shape));
                TF_RETURN_IF_ERROR(CheckDynamicReshape(*from, *sizes, shape));
                return CustomCall(&b, "mhlo.dynamic_reshape",
                                  {operand, output_shape}, shape);
              });
}

XlaOp Reshape(XlaOp operand, absl::Span<const int64_t> new_sizes) {
  return Emit(BuilderOf({operand}), [&](XlaBuilder& b) {
    return AddReshape(b, operand, new_sizes, std::nullopt);
  });
}

XlaOp Reshape(XlaOp operand, absl::Span<const int64_t> dimensions,
              absl::Span<const int64_t> new_sizes) {
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TransposeAttrs order;
        order.dimensions.assign(dimensions.begin(), dimensions.end());
        XlaOp source = operand;
        if (order.dimensions != AllDimensions(dimensions.size())) {
          TF_ASSIGN_OR_RETURN(source,
                              b.AddOp(HloOpcode::kTranspose, {operand}, order));
        } else {
          // The identity needs no op, but its length must be checked.
          TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
          TF_RETURN_IF_ERROR(
              InferTranspose(InferArgs{{&shape, 1}}, order).status());
        }
        return AddReshape(b, source, new_sizes, std::nullopt);
      });
}

XlaOp Reshape(const Shape& shape, XlaOp operand) {
  return EmitOp(HloOpcode::kReshape, {operand}, {}, {}, &shape);
}

XlaOp ReshapeWithInferredDimension(XlaOp operand,
                                   absl::Span<const int64_t> new_sizes,
                                   int64_t inferred_dimension) {
  return Emit(BuilderOf({operand}), [&](XlaBuilder& b) {
    return AddReshape(b, operand, new_sizes,
                      inferred_dimension == -1
                          ? std::nullopt
                          : std::optional<int64_t>(inferred_dimension));
  });
}

XlaOp DynamicReshape(XlaOp operand, absl::Span<const XlaOp> dim_sizes,
                     absl::Span<const int64_t> new_size_bounds,
                     const std::vector<bool>& dims_are_dynamic) {
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
        // dynamic_reshape_bounds_c1: there is a flag for each bound.
        if (new_size_bounds.size() != dims_are_dynamic.size()) {
          return RuleError("dynamic_reshape_bounds_c1",
                           absl::StrCat(new_size_bounds.size(), " bounds but ",
                                        dims_are_dynamic.size(),
                                        " flags for dynamic dimensions"));
        }
        TF_RETURN_IF_ERROR(
            CheckBounded("dynamic_reshape_c1", *shape, "the operand"));
        TF_ASSIGN_OR_RETURN(
            const Shape to,
            ShapeUtil::MakeValidatedShape(shape->element_type(),
                                          new_size_bounds, dims_are_dynamic));
        return b.AddOp(HloOpcode::kDynamicReshape,
                       builder_internal::Joined({{operand}, dim_sizes}), {}, {},
                       &to);
      });
}

XlaOp Collapse(XlaOp operand, absl::Span<const int64_t> dimensions) {
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
        TF_RETURN_IF_ERROR(CheckArray("reshape_c1", *shape, "the operand"));
        std::vector<bool> joins(shape->rank(), false);
        for (size_t i = 0; i < dimensions.size(); ++i) {
          const int64_t d = dimensions[i];
          // collapse_c1: dimensions are those of the operand.
          if (d < 0 || d >= shape->rank()) {
            return RuleError("collapse_c1",
                             absl::StrCat("dimension ", d, " is not in ",
                                          ShapeUtil::HumanString(*shape)));
          }
          // collapse_c2: they are consecutive and in order.
          if (i > 0 && dimensions[i - 1] + 1 != d) {
            return RuleError(
                "collapse_c2",
                absl::StrCat("dimensions {", absl::StrJoin(dimensions, ","),
                             "} must be consecutive"));
          }
          joins[d] = i > 0;
        }
        if (dimensions.size() <= 1) return operand;
        std::vector<int64_t> sizes;
        for (int64_t d = 0; d < shape->rank(); ++d) {
          const int64_t size = shape->dimensions(d);
          if (!joins[d]) {
            sizes.push_back(size);
          } else if (shape->is_unbounded_dynamic()) {
            sizes.back() = Shape::kUnboundedSize;
          } else {
            sizes.back() *= size;
          }
        }
        return AddReshape(b, operand, sizes, std::nullopt);
      });
}

XlaOp Transpose(XlaOp operand, absl::Span<const int64_t> permutation) {
  return EmitOp(HloOpcode::kTranspose, {operand},
                TransposeAttrs{{permutation.begin(), permutation.end()}});
}

XlaOp Rev(XlaOp operand, absl::Span<const int64_t> dimensions) {
  return EmitOp(HloOpcode::kReverse, {operand},
                ReverseAttrs{{dimensions.begin(), dimensions.end()}});
}

XlaOp GetDimensionSize(XlaOp operand, int64_t dimension) {
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
        DimensionSizeAttrs attrs{{dimension}};
        TF_RETURN_IF_ERROR(
            InferGetDimensionSize(InferArgs{{&shape, 1}}, attrs).status());
        if (shape->is_static_dimension(dimension)) {
          return ConstantR0<int32_t>(&b, shape->dimensions(dimension));
        }
        return b.AddOp(HloOpcode::kGetDimensionSize, {operand}, attrs);
      });
}

XlaOp SetDimensionSize(XlaOp operand, XlaOp val, int64_t dimension) {
  return Emit(
      BuilderOf({operand, val}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(
            XlaOp result, b.AddOp(HloOpcode::kSetDimensionSize, {operand, val},
                                  DimensionSizeAttrs{{dimension}}));
        TF_ASSIGN_OR_RETURN(const HloInstruction* size, b.LookUp(val));
        TF_ASSIGN_OR_RETURN(HloInstruction * set, b.LookUp(result));
        // A dimension set to its bound is static.
        if (size->IsConstant() && size->literal().GetFirstInteger() ==
                                      set->shape().dimensions(dimension)) {
          set->mutable_shape()->set_dynamic_dimension(dimension, false);
        }
        return result;
      });
}

XlaOp RemoveDynamicDimension(XlaOp operand, int64_t dimension) {
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
        TF_RETURN_IF_ERROR(
            InferGetDimensionSize(InferArgs{{&shape, 1}},
                                  DimensionSizeAttrs{{dimension}})
                .status());
        // remove_dynamic_dimension_c1: the dimension has a bound, which it
        // gets.
        if (shape->is_unbounded_dynamic_dimension(dimension)) {
          return RuleError(
              "remove_dynamic_dimension_c1",
              absl::StrCat("dimension ", dimension, " of ",
                           ShapeUtil::HumanString(*shape), " has no bound"));
        }
        return SetDimensionSize(
            operand, ConstantR0<int32_t>(&b, shape->dimensions(dimension)),
            dimension);
      });
}

}  // namespace xla
