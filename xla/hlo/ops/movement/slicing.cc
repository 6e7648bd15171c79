// Shape rules of concatenate, pad, slice, dynamic-slice and
// dynamic-update-slice.
#include "xla/hlo/ops/movement/slicing.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/rule_text.h"

namespace xla {
namespace {

// Checks the operands from `first` on as start indices into `operand`: the
// rules end in `count_rule` and `type_rule`.
absl::Status CheckStartIndices(absl::string_view count_rule,
                               absl::string_view type_rule,
                               const InferArgs& args, size_t first) {
  const Shape& operand = args.operand(0);
  const size_t count = args.operands.size() - first;
  const bool is_vector = count == 1 && args.operand(first).IsArray() &&
                         args.operand(first).rank() == 1;
  if (is_vector) {
    const Shape& vector = args.operand(first);
    if (vector.dimensions(0) != operand.rank() || vector.is_dynamic()) {
      return Broken(count_rule, "expected ", operand.rank(),
                    " start indices for ", Text(operand), ", got ",
                    Text(vector));
    }
  } else if (static_cast<int64_t>(count) != operand.rank()) {
    return Broken(count_rule, "expected ", operand.rank(),
                  " start indices for ", Text(operand), ", got ", count);
  }
  for (size_t i = first; i < args.operands.size(); ++i) {
    const Shape& index = args.operand(i);
    const bool is_shaped = is_vector || ShapeUtil::IsScalar(index);
    if (!is_shaped || !ShapeUtil::ElementIsIntegral(index) ||
        !ShapeUtil::SameElementType(index, args.operand(first))) {
      return Broken(type_rule,
                    "start indices must be integer scalars of one "
                    "type, got ",
                    Text(index), " as number ", i - first);
    }
  }
  return absl::OkStatus();
}

// The size of a dimension once padded; nullopt where it does not fit int64.
std::optional<int64_t> PaddedSize(
    int64_t size, const PaddingConfig::PaddingConfigDimension& padding) {
  __int128 result = size;
  if (size > 0) {
    result += static_cast<__int128>(size - 1) * padding.interior_padding();
  }
  result += padding.edge_padding_low();
  result += padding.edge_padding_high();
  const int64_t narrow = static_cast<int64_t>(result);
  if (narrow != result) return std::nullopt;
  return narrow;
}

}  // namespace

absl::StatusOr<Shape> InferConcatenate(const InferArgs& args,
                                       const ConcatenateAttrs& attrs) {
  // concatenate_c1: there is an operand.
  if (args.operands.empty()) {
    return Broken("concatenate_c1", "expected at least one operand");
  }
  const Shape& first = args.operand(0);
  // concatenate_c2: operands are arrays.
  for (const Shape* operand : args.operands) {
    TF_RETURN_IF_ERROR(CheckArray("concatenate_c2", *operand, "an operand"));
  }
  // concatenate_c3: one dimension is listed, and operands have it.
  if (attrs.dimensions.size() != 1 || attrs.dimensions[0] < 0 ||
      attrs.dimensions[0] >= first.rank()) {
    return Broken("concatenate_c3", "dimensions must list one dimension of ",
                  Text(first), ", got {", absl::StrJoin(attrs.dimensions, ","),
                  "}");
  }
  const int64_t along = attrs.dimensions[0];
  Shape result = first;
  LayoutUtil::SetToDefaultLayout(&result);
  std::optional<int64_t> total = first.dimensions(along);
  bool is_known = !first.is_unbounded_dynamic_dimension(along);
  for (size_t i = 1; i < args.operands.size(); ++i) {
    const Shape& operand = args.operand(i);
    // concatenate_c4: operands have one element type and rank.
    if (!ShapeUtil::SameElementType(first, operand) ||
        first.rank() != operand.rank()) {
      return Broken("concatenate_c4",
                    "operands must have the same element "
                    "type and rank, got ",
                    Text(first), " and ", Text(operand));
    }
    for (int64_t d = 0; d < first.rank(); ++d) {
      if (d == along) continue;
      // concatenate_c5: the other dimensions have the same sizes.
      if (!MergeDimension(result, operand, d, &result)) {
        return Broken("concatenate_c5", "operands must agree in dimension ", d,
                      ", got ", Text(first), " and ", Text(operand));
      }
    }
    if (operand.is_dynamic_dimension(along)) {
      result.set_dynamic_dimension(along, true);
    }
    is_known &= !operand.is_unbounded_dynamic_dimension(along);
    if (is_known && total) {
      total = CheckedAdd(*total, operand.dimensions(along));
    }
  }
  // concatenate_c6: the sum of the sizes fits.
  if (!total) {
    return Broken("concatenate_c6", "the sum of the sizes does not fit int64");
  }
  result.set_dimensions(along, is_known ? *total : Shape::kUnboundedSize);
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShape(result));
  return result;
}

absl::StatusOr<Shape> InferPad(const InferArgs& args, const PadAttrs& attrs) {
  const Shape& operand = args.operand(0);
  // pad_c1: the operand is an array, the padding value a scalar.
  TF_RETURN_IF_ERROR(CheckArray("pad_c1", operand, "the operand"));
  if (!ShapeUtil::IsScalar(args.operand(1))) {
    return Broken("pad_c1", "the padding value must be a scalar, got ",
                  Text(args.operand(1)));
  }
  // pad_c2: both have the same element type.
  if (!ShapeUtil::SameElementType(operand, args.operand(1))) {
    return Broken("pad_c2",
                  "operand and padding value must have the same "
                  "element type, got ",
                  Text(operand), " and ", Text(args.operand(1)));
  }
  // pad_c3: there is a padding for each dimension.
  if (attrs.padding.dimensions_size() != operand.rank()) {
    return Broken("pad_c3", "expected ", operand.rank(), " paddings for ",
                  Text(operand), ", got ", attrs.padding.dimensions_size());
  }
  Shape result = operand;
  LayoutUtil::SetToDefaultLayout(&result);
  for (int64_t i = 0; i < operand.rank(); ++i) {
    const auto& padding = attrs.padding.dimensions(i);
    // pad_c4: interior padding is not negative.
    if (padding.interior_padding() < 0) {
      return Broken("pad_c4", "interior padding must be >= 0, got ",
                    padding.interior_padding(), " in dimension ", i, " of ",
                    Text(operand));
    }
    if (operand.is_unbounded_dynamic_dimension(i)) continue;
    const auto size = PaddedSize(operand.dimensions(i), padding);
    // pad_c5: sizes fit int64.
    if (!size) {
      return Broken("pad_c5", "the size of dimension ", i,
                    " does not fit int64");
    }
    // pad_c6: sizes are not negative.
    if (*size < 0) {
      return Broken("pad_c6", "padding makes the size of dimension ", i, " of ",
                    Text(operand), " negative: ", *size);
    }
    result.set_dimensions(i, *size);
  }
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShape(result));
  return result;
}

absl::StatusOr<Shape> InferSlice(const InferArgs& args,
                                 const SliceAttrs& attrs) {
  const Shape& operand = args.operand(0);
  // slice_c1: the operand is an array.
  TF_RETURN_IF_ERROR(CheckArray("slice_c1", operand, "the operand"));
  // slice_c2: there is a range for each dimension.
  if (static_cast<int64_t>(attrs.slice.size()) != operand.rank()) {
    return Broken("slice_c2", "expected ", operand.rank(), " ranges for ",
                  Text(operand), ", got ", attrs.slice.size());
  }
  Shape result = operand;
  LayoutUtil::SetToDefaultLayout(&result);
  for (int64_t i = 0; i < operand.rank(); ++i) {
    const SliceRange& range = attrs.slice[i];
    // slice_c3: 0 <= start <= limit <= size.
    if (range.start < 0 || range.start > range.limit ||
        (range.limit > operand.dimensions(i) &&
         !operand.is_unbounded_dynamic_dimension(i))) {
      return Broken("slice_c3", "range [", range.start, ":", range.limit,
                    "] is not within dimension ", i, " of ", Text(operand));
    }
    // slice_c4: strides are positive.
    if (range.stride <= 0) {
      return Broken("slice_c4", "stride must be > 0, got ", range.stride,
                    " in dimension ", i, " of ", Text(operand));
    }
    const int64_t size = CeilOfRatio(range.limit - range.start, range.stride);
    // One element of a dynamic dimension is a static dimension.
    result.set_dimensions(i, size,
                          operand.is_bounded_dynamic_dimension(i) && size != 1);
  }
  return result;
}

absl::StatusOr<Shape> InferDynamicSlice(const InferArgs& args,
                                        const DynamicSliceAttrs& attrs) {
  const Shape& operand = args.operand(0);
  // dynamic_slice_c1: the operand is an array.
  TF_RETURN_IF_ERROR(CheckArray("dynamic_slice_c1", operand, "the operand"));
  // dynamic_slice_c2: there is a start index for each dimension.
  // dynamic_slice_c3: they are integer scalars, or one vector.
  TF_RETURN_IF_ERROR(
      CheckStartIndices("dynamic_slice_c2", "dynamic_slice_c3", args, 1));
  const auto& sizes = attrs.dynamic_slice_sizes;
  // dynamic_slice_c4: there is a size for each dimension.
  if (static_cast<int64_t>(sizes.size()) != operand.rank()) {
    return Broken("dynamic_slice_c4", "expected ", operand.rank(),
                  " sizes for ", Text(operand), ", got {",
                  absl::StrJoin(sizes, ","), "}");
  }
  Shape result = operand;
  LayoutUtil::SetToDefaultLayout(&result);
  for (int64_t i = 0; i < operand.rank(); ++i) {
    // dynamic_slice_c5: sizes are within those of the operand.
    if (sizes[i] < 0 || (sizes[i] > operand.dimensions(i) &&
                         !operand.is_unbounded_dynamic_dimension(i))) {
      return Broken("dynamic_slice_c5", "size ", sizes[i],
                    " is not within dimension ", i, " of ", Text(operand));
    }
    result.set_dimensions(i, sizes[i],
                          operand.is_dynamic_dimension(i) && sizes[i] > 1 &&
                              sizes[i] == operand.dimensions(i));
  }
  return result;
}

absl::StatusOr<Shape> InferDynamicUpdateSlice(const InferArgs& args) {
  const Shape& operand = args.operand(0);
  const Shape& update = args.operand(1);
  // dynamic_update_slice_c1: operand and update are arrays.
  TF_RETURN_IF_ERROR(
      CheckArray("dynamic_update_slice_c1", operand, "the operand"));
  TF_RETURN_IF_ERROR(
      CheckArray("dynamic_update_slice_c1", update, "the update"));
  // dynamic_update_slice_c2: there is a start index for each dimension.
  // dynamic_update_slice_c3: they are integer scalars, or one vector.
  TF_RETURN_IF_ERROR(CheckStartIndices("dynamic_update_slice_c2",
                                       "dynamic_update_slice_c3", args, 2));
  // dynamic_update_slice_c4: operand and update agree in type and rank.
  if (!ShapeUtil::SameElementType(operand, update) ||
      operand.rank() != update.rank()) {
    return Broken("dynamic_update_slice_c4",
                  "operand and update must have the "
                  "same element type and rank, got ",
                  Text(operand), " and ", Text(update));
  }
  for (int64_t i = 0; i < operand.rank(); ++i) {
    // dynamic_update_slice_c5: the update is within the operand's size.
    if (update.dimensions(i) > operand.dimensions(i) &&
        !operand.is_unbounded_dynamic_dimension(i)) {
      return Broken("dynamic_update_slice_c5", "dimension ", i, " of update ",
                    Text(update), " exceeds that of operand ", Text(operand));
    }
  }
  Shape result = operand;
  LayoutUtil::SetToDefaultLayout(&result);
  return result;
}

}  // namespace xla
