// Ops that apply a region along dimensions or windows: reduce, reduce_window,
// select_and_scatter, map. Regions have their parameters in HLO's order:
// accumulators, then elements. Also cross-replica-sum, the oldest form of
// all_reduce.
#include "xla/hlo/ops/reduction/reduction.h"

#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"
#include "xla/stablehlo/to_hlo/ops/built.h"
#include "xla/stablehlo/to_hlo/ops/shapes.h"
#include "xla/stablehlo/to_hlo/ops/windows.h"

namespace xla::stablehlo {
namespace {

// N operands and N initial values give N results.
absl::Status ConvertReduce(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2 * conversion.result_count()));
  ReduceAttrs attrs;
  TF_ASSIGN_OR_RETURN(attrs.dimensions, conversion.Integers("dimensions"));
  TF_ASSIGN_OR_RETURN(HloComputation * body, conversion.Region(0));
  return conversion.Emit(HloOpcode::kReduce, conversion.operands(),
                         std::move(attrs), {body});
}

absl::Status ConvertReduceWindow(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2 * conversion.result_count()));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> sizes,
                      conversion.Integers("window_dimensions"));
  TF_ASSIGN_OR_RETURN(PaddingPairs padding,
                      conversion.PairsOrZeros("padding", sizes.size()));
  ReduceWindowAttrs attrs;
  TF_ASSIGN_OR_RETURN(attrs.window,
                      MakeWindow(conversion, sizes, padding,
                                 {.strides = "window_strides",
                                  .base_dilations = "base_dilations",
                                  .window_dilations = "window_dilations"}));
  TF_ASSIGN_OR_RETURN(HloComputation * body, conversion.Region(0));
  return conversion.Emit(HloOpcode::kReduceWindow, conversion.operands(),
                         std::move(attrs), {body});
}

absl::Status ConvertSelectAndScatter(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(3));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_RETURN_IF_ERROR(ExpectArray(conversion, 0));
  const int64_t rank = conversion.operand(0)->shape().rank();
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> sizes,
                      conversion.IntegersOr("window_dimensions", rank, 1));
  TF_ASSIGN_OR_RETURN(PaddingPairs padding,
                      conversion.PairsOrZeros("padding", rank));
  SelectAndScatterAttrs attrs;
  TF_ASSIGN_OR_RETURN(attrs.window, MakeWindow(conversion, sizes, padding,
                                               {.strides = "window_strides"}));
  TF_ASSIGN_OR_RETURN(HloComputation * select, conversion.Region(0));
  TF_ASSIGN_OR_RETURN(HloComputation * scatter, conversion.Region(1));
  return conversion.Emit(HloOpcode::kSelectAndScatter, conversion.operands(),
                         std::move(attrs), {select, scatter});
}

absl::Status ConvertMap(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  MapAttrs attrs;
  TF_ASSIGN_OR_RETURN(attrs.dimensions, conversion.Integers("dimensions"));
  TF_ASSIGN_OR_RETURN(HloComputation * body, conversion.Region(0));
  return conversion.Emit(HloOpcode::kMap, conversion.operands(),
                         std::move(attrs), {body});
}

// replica_groups is a matrix with a row for each group; short rows are filled
// up with -1.
absl::Status ConvertCrossReplicaSum(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> devices,
                      conversion.IntegersOrEmpty("replica_groups"));
  const Attribute* matrix = conversion.Find("replica_groups");
  int64_t columns = devices.size();
  if (matrix != nullptr && matrix->type != nullptr &&
      matrix->type->dimensions.size() == 2) {
    columns = matrix->type->dimensions[1];
  }
  std::vector<ReplicaGroup> groups;
  for (size_t i = 0; i < devices.size(); ++i) {
    if (i % columns == 0) groups.emplace_back();
    if (devices[i] >= 0) groups.back().add_replica_ids(devices[i]);
  }
  return EmitBuilt(conversion, [&](absl::Span<const XlaOp> args) {
    return CrossReplicaSum(args[0], groups);
  });
}

constexpr Rule kReductionRules[] = {
    {"stablehlo.cross-replica-sum", ConvertCrossReplicaSum},
    {"stablehlo.map", ConvertMap},
    {"stablehlo.reduce", ConvertReduce},
    {"stablehlo.reduce_window", ConvertReduceWindow},
    {"stablehlo.select_and_scatter", ConvertSelectAndScatter},
};

}  // namespace

absl::Span<const Rule> ReductionRules() { return kReductionRules; }

}  // namespace xla::stablehlo
