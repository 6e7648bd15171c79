// Ops whose indices are data: gather, scatter, sort, torch_index_select.
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/builder/lib/slicing.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"
#include "xla/stablehlo/to_hlo/ops/built.h"
#include "xla/stablehlo/to_hlo/ops/shapes.h"

namespace xla::stablehlo {
namespace {

absl::StatusOr<GatherAttrs> GatherAttrsOf(OpConversion& conversion) {
  GatherAttrs attrs;
  GatherDimensionNumbers& dims = attrs.dimension_numbers;
  TF_RETURN_IF_ERROR(
      AddDimensions(conversion, "offset_dims", dims.mutable_offset_dims()));
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "collapsed_slice_dims",
                                   dims.mutable_collapsed_slice_dims()));
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "start_index_map",
                                   dims.mutable_start_index_map()));
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "operand_batching_dims",
                                   dims.mutable_operand_batching_dims()));
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "start_indices_batching_dims",
                                   dims.mutable_start_indices_batching_dims()));
  TF_ASSIGN_OR_RETURN(int64_t index_vector_dim,
                      conversion.IntegerOr("index_vector_dim", 0));
  dims.set_index_vector_dim(index_vector_dim);
  TF_ASSIGN_OR_RETURN(attrs.indices_are_sorted,
                      conversion.BoolOr("indices_are_sorted", false));
  return attrs;
}

absl::Status ConvertGather(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(GatherAttrs attrs, GatherAttrsOf(conversion));
  TF_ASSIGN_OR_RETURN(attrs.slice_sizes, conversion.Integers("slice_sizes"));
  return conversion.Emit(HloOpcode::kGather, conversion.operands(),
                         std::move(attrs));
}

// The slice sizes are an operand.
absl::Status ConvertDynamicGather(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(3));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(GatherAttrs attrs, GatherAttrsOf(conversion));
  TF_ASSIGN_OR_RETURN(attrs.slice_sizes, conversion.ConstantIntegers(2));
  return conversion.Emit(HloOpcode::kGather,
                         {conversion.operand(0), conversion.operand(1)},
                         std::move(attrs));
}

// The operands are N inputs, the indices, N updates.
absl::Status ConvertScatter(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(
      conversion.ExpectOperands(2 * conversion.result_count() + 1));
  ScatterAttrs attrs;
  ScatterDimensionNumbers& dims = attrs.dimension_numbers;
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "update_window_dims",
                                   dims.mutable_update_window_dims()));
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "inserted_window_dims",
                                   dims.mutable_inserted_window_dims()));
  TF_RETURN_IF_ERROR(
      AddDimensions(conversion, "scatter_dims_to_operand_dims",
                    dims.mutable_scatter_dims_to_operand_dims()));
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "input_batching_dims",
                                   dims.mutable_input_batching_dims()));
  TF_RETURN_IF_ERROR(
      AddDimensions(conversion, "scatter_indices_batching_dims",
                    dims.mutable_scatter_indices_batching_dims()));
  TF_ASSIGN_OR_RETURN(int64_t index_vector_dim,
                      conversion.IntegerOr("index_vector_dim", 0));
  dims.set_index_vector_dim(index_vector_dim);
  TF_ASSIGN_OR_RETURN(attrs.indices_are_sorted,
                      conversion.BoolOr("indices_are_sorted", false));
  TF_ASSIGN_OR_RETURN(attrs.unique_indices,
                      conversion.BoolOr("unique_indices", false));
  TF_ASSIGN_OR_RETURN(HloComputation * update, conversion.Region(0));
  return conversion.Emit(HloOpcode::kScatter, conversion.operands(),
                         std::move(attrs), {update});
}

// A negative dimension counts from the end.
absl::Status ConvertSort(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(conversion.result_count()));
  TF_RETURN_IF_ERROR(ExpectArray(conversion, 0));
  SortAttrs attrs;
  TF_ASSIGN_OR_RETURN(int64_t dimension, conversion.IntegerOr("dimension", -1));
  if (dimension < 0) dimension += conversion.operand(0)->shape().rank();
  attrs.dimensions = {dimension};
  TF_ASSIGN_OR_RETURN(attrs.is_stable, conversion.BoolOr("is_stable", false));
  TF_ASSIGN_OR_RETURN(HloComputation * comparator, conversion.Region(0));
  return conversion.Emit(HloOpcode::kSort, conversion.operands(),
                         std::move(attrs), {comparator});
}

absl::Status ConvertTorchIndexSelect(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(int64_t dim, conversion.Integer("dim"));
  TF_ASSIGN_OR_RETURN(int64_t batch_dims,
                      conversion.IntegerOr("batch_dims", 0));
  return EmitBuilt(conversion, [&](absl::Span<const XlaOp> args) {
    return TorchIndexSelect(args[0], args[1], dim, batch_dims);
  });
}

constexpr Rule kIndexingRules[] = {
    {"stablehlo.dynamic_gather", ConvertDynamicGather},
    {"stablehlo.gather", ConvertGather},
    {"stablehlo.scatter", ConvertScatter},
    {"stablehlo.sort", ConvertSort},
    {"stablehlo.torch_index_select", ConvertTorchIndexSelect},
};

}  // namespace

absl::Span<const Rule> IndexingRules() { return kIndexingRules; }

}  // namespace xla::stablehlo
