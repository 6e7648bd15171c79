// Ops with sizes among their operands. A static result type determines the
// sizes; otherwise they must follow from constants. dynamic_gather is in
// indexing.cc and dynamic_conv in contraction.cc.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"
#include "xla/stablehlo/to_hlo/ops/movement.h"
#include "xla/stablehlo/to_hlo/ops/shapes.h"

namespace xla::stablehlo {
namespace {

// Returns the shape of the result, whose sizes come from operand
// `sizes_operand` unless the type is static.
absl::StatusOr<Shape> ShapeFromOperand(OpConversion& conversion,
                                       int64_t sizes_operand) {
  if (conversion.result_type().IsStatic()) return conversion.ResultShape();
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> sizes,
                      conversion.ConstantIntegers(sizes_operand));
  return MakeShape(conversion, ElementTypeOf(conversion.result_type()), sizes);
}

absl::Status ConvertDynamicIota(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  IotaAttrs attrs;
  TF_ASSIGN_OR_RETURN(attrs.iota_dimension,
                      conversion.Integer("iota_dimension"));
  TF_ASSIGN_OR_RETURN(Shape shape, ShapeFromOperand(conversion, 0));
  conversion.SetResults(
      conversion.Add(HloOpcode::kIota, std::move(shape), {}, attrs));
  return absl::OkStatus();
}

// Checks what the op states about the operand's dimensions against the shapes.
absl::Status CheckExpansion(OpConversion& conversion, const Shape& to,
                            absl::Span<const int64_t> mapping) {
  TF_RETURN_IF_ERROR(ExpectArray(conversion, 0));
  const Shape& from = conversion.operand(0)->shape();
  for (absl::string_view name :
       {"known_expanding_dimensions", "known_nonexpanding_dimensions"}) {
    const bool expands = name == "known_expanding_dimensions";
    TF_ASSIGN_OR_RETURN(const std::vector<int64_t> dimensions,
                        conversion.IntegersOrEmpty(name));
    for (int64_t d : dimensions) {
      const bool fits =
          d >= 0 && d < from.rank() && d < std::ssize(mapping) &&
          mapping[d] >= 0 && mapping[d] < to.rank() &&
          (expands ? from.dimensions(d) == 1
                   : from.dimensions(d) == to.dimensions(mapping[d]));
      if (fits) continue;
      return conversion.Error(
          absl::StrCat(name, " has ", d, ", but the operand is ",
                       from.ToString(), " and the result ", to.ToString()));
    }
  }
  return absl::OkStatus();
}

absl::Status ConvertDynamicBroadcastInDim(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> mapping,
                      conversion.Integers("broadcast_dimensions"));
  TF_ASSIGN_OR_RETURN(Shape shape, ShapeFromOperand(conversion, 1));
  TF_RETURN_IF_ERROR(CheckExpansion(conversion, shape, mapping));
  TF_ASSIGN_OR_RETURN(HloInstruction * result,
                      BroadcastTo(conversion, conversion.operand(0),
                                  std::move(shape), mapping));
  conversion.SetResults(result);
  return absl::OkStatus();
}

// Returns element `i` of a vector, as a scalar.
HloInstruction* ElementOf(OpConversion& conversion, HloInstruction* vector,
                          int64_t i) {
  const PrimitiveType type = vector->shape().element_type();
  HloInstruction* slice =
      conversion.Add(HloOpcode::kSlice, ShapeUtil::MakeShape(type, {1}),
                     {vector}, SliceAttrs{{{i, i + 1, 1}}});
  return conversion.Add(HloOpcode::kReshape, ShapeUtil::MakeScalarShape(type),
                        {slice});
}

bool IsVectorOf(const Shape& shape, int64_t size) {
  return shape.IsArray() && shape.rank() == 1 && shape.is_static() &&
         shape.dimensions(0) == size && shape.IsInteger();
}

// Sizes known only at run time become HLO's dynamic-reshape, if they have
// bounds.
absl::Status ConvertDynamicReshape(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  absl::StatusOr<Shape> shape = ShapeFromOperand(conversion, 1);
  // The reshaped value has the size of the operand, not its bound.
  const bool bounded = conversion.operand(0)->shape().is_dynamic() &&
                       !conversion.result_type().bounds.empty();
  if (shape.ok() && !bounded) {
    conversion.SetResults(conversion.Add(HloOpcode::kReshape, *std::move(shape),
                                         {conversion.operand(0)}));
    return absl::OkStatus();
  }
  const absl::Status no_constant = shape.status();
  shape = conversion.ResultShape();
  if (!shape.ok() ||
      !IsVectorOf(conversion.operand(1)->shape(), shape->rank())) {
    return no_constant.ok() ? shape.status() : no_constant;
  }
  std::vector<HloInstruction*> operands = {conversion.operand(0)};
  HloInstruction* sizes = conversion.operand(1);
  if (sizes->shape().element_type() != S32) {
    sizes = conversion.Add(HloOpcode::kConvert,
                           ShapeUtil::ChangeElementType(sizes->shape(), S32),
                           {sizes});
  }
  for (int64_t i = 0; i < shape->rank(); ++i) {
    operands.push_back(ElementOf(conversion, sizes, i));
  }
  conversion.SetResults(
      conversion.Add(HloOpcode::kDynamicReshape, *std::move(shape), operands));
  return absl::OkStatus();
}

absl::Status ConvertDynamicPad(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(5));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> low, conversion.ConstantIntegers(2));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> high,
                      conversion.ConstantIntegers(3));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> interior,
                      conversion.ConstantIntegers(4));
  return EmitPad(conversion, low, high, interior);
}

// Makes a dynamic slice if only the starts are unknown and the result is a box
// without gaps.
absl::Status ConvertRealDynamicSlice(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(4));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> strides,
                      conversion.ConstantIntegers(3));
  absl::StatusOr<std::vector<int64_t>> starts = conversion.ConstantIntegers(1);
  absl::StatusOr<std::vector<int64_t>> limits = conversion.ConstantIntegers(2);
  if (starts.ok() && limits.ok()) {
    return EmitSlice(conversion, *starts, *limits, strides);
  }
  const bool no_gaps =
      absl::c_all_of(strides, [](int64_t stride) { return stride == 1; });
  const int64_t rank = strides.size();
  if (!conversion.result_type().IsStatic() || !no_gaps ||
      !IsVectorOf(conversion.operand(1)->shape(), rank)) {
    return starts.ok() ? limits.status() : starts.status();
  }
  TF_ASSIGN_OR_RETURN(Shape shape, conversion.ResultShape());
  std::vector<HloInstruction*> operands = {conversion.operand(0)};
  for (int64_t i = 0; i < rank; ++i) {
    operands.push_back(ElementOf(conversion, conversion.operand(1), i));
  }
  DynamicSliceAttrs attrs;
  attrs.dynamic_slice_sizes.assign(shape.dimensions().begin(),
                                   shape.dimensions().end());
  return conversion.Emit(HloOpcode::kDynamicSlice, operands, std::move(attrs));
}

// Returns whether the operand's type states the size of a dimension. After a
// set_dimension_size, the size at run time may be smaller, but XLA uses the
// type's.
bool TypeSaysSize(const OpConversion& conversion, int64_t dimension) {
  const Type& type = *conversion.op().operands[0]->type;
  return dimension >= 0 &&
         dimension < static_cast<int64_t>(type.dimensions.size()) &&
         type.dimensions[dimension] != kDynamic;
}

absl::Status ConvertGetDimensionSize(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(int64_t dimension, conversion.Integer("dimension"));
  TF_RETURN_IF_ERROR(CheckDimension(conversion, 0, dimension));
  const Shape& shape = conversion.operand(0)->shape();
  if (!TypeSaysSize(conversion, dimension) &&
      (shape.is_dynamic_dimension(dimension) ||
       conversion.module().sets_sizes())) {
    return conversion.Emit(HloOpcode::kGetDimensionSize, conversion.operands(),
                           DimensionSizeAttrs{{dimension}});
  }
  const int64_t size = shape.dimensions(dimension);
  if (size > std::numeric_limits<int32_t>::max()) {
    return conversion.Error(
        absl::StrCat("the size does not fit in 32 bits: ", size));
  }
  conversion.SetResults(conversion.AddConstant(
      LiteralUtil::CreateR0(static_cast<int32_t>(size))));
  return absl::OkStatus();
}

absl::Status ConvertSetDimensionSize(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(int64_t dimension, conversion.Integer("dimension"));
  // A dimension whose type states this size stays unchanged.
  const HloInstruction* size = conversion.operand(1);
  if (TypeSaysSize(conversion, dimension) &&
      conversion.result_type().IsStatic() && size->IsConstant() &&
      size->literal().GetFirstInteger() ==
          conversion.operand(0)->shape().dimensions(dimension)) {
    conversion.SetResults(conversion.operand(0));
    return absl::OkStatus();
  }
  TF_ASSIGN_OR_RETURN(
      HloInstruction * result,
      conversion.Infer(HloOpcode::kSetDimensionSize, conversion.operands(),
                       DimensionSizeAttrs{{dimension}}));
  conversion.module().set_sets_sizes();
  conversion.SetResults(result);
  return absl::OkStatus();
}

constexpr Rule kDynamicRules[] = {
    {"stablehlo.dynamic_broadcast_in_dim", ConvertDynamicBroadcastInDim},
    {"stablehlo.dynamic_iota", ConvertDynamicIota},
    {"stablehlo.dynamic_pad", ConvertDynamicPad},
    {"stablehlo.dynamic_reshape", ConvertDynamicReshape},
    {"stablehlo.get_dimension_size", ConvertGetDimensionSize},
    {"stablehlo.real_dynamic_slice", ConvertRealDynamicSlice},
    {"stablehlo.set_dimension_size", ConvertSetDimensionSize},
};

}  // namespace

absl::Span<const Rule> DynamicRules() { return kDynamicRules; }

}  // namespace xla::stablehlo
