// Ops that move elements as attributes say: broadcasts, reshape, transpose,
// slices, pad, concatenate, reverse.
#include "xla/stablehlo/to_hlo/ops/movement.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"
#include "xla/stablehlo/to_hlo/ops/shapes.h"

namespace xla::stablehlo {

absl::Status EmitSlice(OpConversion& conversion,
                       absl::Span<const int64_t> starts,
                       absl::Span<const int64_t> limits,
                       absl::Span<const int64_t> strides) {
  if (limits.size() != starts.size() || strides.size() != starts.size()) {
    return conversion.Error(absl::StrCat(
        "expected as many limits and strides as the ", starts.size(),
        " starts, got ", limits.size(), " and ", strides.size()));
  }
  SliceAttrs attrs;
  attrs.slice.reserve(starts.size());
  for (size_t i = 0; i < starts.size(); ++i) {
    attrs.slice.push_back({starts[i], limits[i], strides[i]});
  }
  return conversion.Emit(HloOpcode::kSlice, {conversion.operand(0)},
                         std::move(attrs));
}

absl::Status EmitPad(OpConversion& conversion, absl::Span<const int64_t> low,
                     absl::Span<const int64_t> high,
                     absl::Span<const int64_t> interior) {
  if (high.size() != low.size() || interior.size() != low.size()) {
    return conversion.Error(absl::StrCat(
        "expected as much high and interior padding as the ", low.size(),
        " low ones, got ", high.size(), " and ", interior.size()));
  }
  PadAttrs attrs;
  for (size_t i = 0; i < low.size(); ++i) {
    auto* dimension = attrs.padding.add_dimensions();
    dimension->set_edge_padding_low(low[i]);
    dimension->set_edge_padding_high(high[i]);
    dimension->set_interior_padding(interior[i]);
  }
  return conversion.Emit(HloOpcode::kPad,
                         {conversion.operand(0), conversion.operand(1)},
                         std::move(attrs));
}

namespace {

// broadcast_sizes are new leading dimensions.
absl::Status ConvertBroadcast(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_RETURN_IF_ERROR(ExpectArray(conversion, 0));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> sizes,
                      conversion.Integers("broadcast_sizes"));
  const Shape& operand = conversion.operand(0)->shape();
  std::vector<int64_t> mapping = Dimensions(operand.rank());
  for (int64_t& dimension : mapping) dimension += sizes.size();
  Shape shape;
  if (conversion.result_type().IsStatic()) {
    TF_ASSIGN_OR_RETURN(shape, conversion.ResultShape());
  } else {
    sizes.insert(sizes.end(), operand.dimensions().begin(),
                 operand.dimensions().end());
    TF_ASSIGN_OR_RETURN(shape,
                        MakeShape(conversion, operand.element_type(), sizes));
    for (int i = 0; i < operand.rank(); ++i) {
      shape.set_dynamic_dimension(mapping[i], operand.is_dynamic_dimension(i));
    }
  }
  conversion.SetResults(conversion.Add(HloOpcode::kBroadcast, std::move(shape),
                                       conversion.operands(),
                                       BroadcastAttrs{std::move(mapping)}));
  return absl::OkStatus();
}

absl::Status ConvertBroadcastInDim(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> mapping,
                      conversion.Integers("broadcast_dimensions"));
  TF_ASSIGN_OR_RETURN(Shape shape, conversion.ResultShape());
  TF_ASSIGN_OR_RETURN(HloInstruction * result,
                      BroadcastTo(conversion, conversion.operand(0),
                                  std::move(shape), mapping));
  conversion.SetResults(result);
  return absl::OkStatus();
}

absl::Status ConvertReshape(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(Shape shape, conversion.ResultShape());
  conversion.SetResults(conversion.Add(HloOpcode::kReshape, std::move(shape),
                                       conversion.operands()));
  return absl::OkStatus();
}

absl::Status ConvertTranspose(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TransposeAttrs attrs;
  TF_ASSIGN_OR_RETURN(attrs.dimensions, conversion.Integers("permutation"));
  return conversion.Emit(HloOpcode::kTranspose, conversion.operands(),
                         std::move(attrs));
}

absl::Status ConvertReverse(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  ReverseAttrs attrs;
  TF_ASSIGN_OR_RETURN(attrs.dimensions, conversion.Integers("dimensions"));
  return conversion.Emit(HloOpcode::kReverse, conversion.operands(),
                         std::move(attrs));
}

absl::Status ConvertSlice(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> starts,
                      conversion.Integers("start_indices"));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> limits,
                      conversion.Integers("limit_indices"));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> strides,
                      conversion.IntegersOr("strides", starts.size(), 1));
  return EmitSlice(conversion, starts, limits, strides);
}

absl::Status ConvertDynamicSlice(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  DynamicSliceAttrs attrs;
  TF_ASSIGN_OR_RETURN(attrs.dynamic_slice_sizes,
                      conversion.Integers("slice_sizes"));
  return conversion.Emit(HloOpcode::kDynamicSlice, conversion.operands(),
                         std::move(attrs));
}

absl::Status ConvertDynamicUpdateSlice(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  return conversion.Emit(HloOpcode::kDynamicUpdateSlice, conversion.operands());
}

absl::Status ConvertPad(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> low,
                      conversion.Integers("edge_padding_low"));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> high,
                      conversion.Integers("edge_padding_high"));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> interior,
                      conversion.IntegersOr("interior_padding", low.size(), 0));
  return EmitPad(conversion, low, high, interior);
}

absl::Status ConvertConcatenate(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(int64_t dimension, conversion.Integer("dimension"));
  return conversion.Emit(HloOpcode::kConcatenate, conversion.operands(),
                         ConcatenateAttrs{{dimension}});
}

constexpr Rule kMovementRules[] = {
    {"stablehlo.broadcast", ConvertBroadcast},
    {"stablehlo.broadcast_in_dim", ConvertBroadcastInDim},
    {"stablehlo.concatenate", ConvertConcatenate},
    {"stablehlo.dynamic_slice", ConvertDynamicSlice},
    {"stablehlo.dynamic_update_slice", ConvertDynamicUpdateSlice},
    {"stablehlo.pad", ConvertPad},
    {"stablehlo.reshape", ConvertReshape},
    {"stablehlo.reverse", ConvertReverse},
    {"stablehlo.slice", ConvertSlice},
    {"stablehlo.transpose", ConvertTranspose},
};

}  // namespace

absl::Span<const Rule> MovementRules() { return kMovementRules; }

}  // namespace xla::stablehlo
