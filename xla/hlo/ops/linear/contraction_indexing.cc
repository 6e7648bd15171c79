// Which elements a dot or a convolution multiplies and sums.
#include <algorithm>

#include "xla/core/dimension_position.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/op_indexing.h"
#include "xla/hlo/ops/reduction/window_indexing.h"

namespace xla {
namespace {

// One side: batch dimensions are the first of the result, contracting ones are
// ranges in their order, the others are the result's from `*free` on.
template <typename List>
IndexingMap DotSide(const IndexingArgs& args, const Shape& operand,
                    const List& batch, const List& contracting, int64_t* free) {
  IndexingMap map(args.result.dimensions());
  std::vector<IndexExpr> summed;
  for (int64_t d : contracting) {
    summed.push_back(
        map.AddRange(Interval::Below(operand.dimensions(static_cast<int>(d)))));
  }
  for (size_t i = 0; i < operand.dimensions().size(); ++i) {
    const int64_t d = static_cast<int64_t>(i);
    const int64_t k = PositionOf(contracting, d);
    const int64_t b = PositionOf(batch, d);
    map.AddResult(k >= 0   ? summed[k]
                  : b >= 0 ? map.dimension(b)
                           : map.dimension((*free)++));
  }
  return map;
}

}  // namespace

OpIndexing DotIndexing(const IndexingArgs& args, const DotAttrs& attrs) {
  const DotDimensionNumbers& dnums = attrs.dot_dimension_numbers;
  OpIndexing indexing;
  int64_t free = dnums.lhs_batch_dimensions_size();
  indexing.reads.push_back(
      {0, DotSide(args, args.operand(0), dnums.lhs_batch_dimensions(),
                  dnums.lhs_contracting_dimensions(), &free)});
  indexing.reads.push_back(
      {1, DotSide(args, args.operand(1), dnums.rhs_batch_dimensions(),
                  dnums.rhs_contracting_dimensions(), &free)});
  return indexing;
}

std::optional<OpIndexing> ConvolutionIndexing(const IndexingArgs& args,
                                              const ConvolutionAttrs& attrs) {
  // The integers of a sparse kernel say where its values are.
  if (!args.operand(1).IsArray() || attrs.sparsity_config.has_rhs() ||
      attrs.sparsity_config.has_lhs()) {
    return std::nullopt;
  }
  const ConvolutionDimensionNumbers& dnums =
      attrs.convolution_dimension_numbers;
  const Shape& input = args.operand(0);
  const Shape& kernel = args.operand(1);
  auto size = [](const Shape& shape, int64_t d) {
    return shape.dimensions(static_cast<int>(d));
  };
  // Both have the ranges (input feature of a group, window...).
  IndexingMap in(args.result.dimensions());
  const IndexSpace& space = in.space();
  const IndexExpr batch = in.dimension(dnums.output_batch_dimension());
  const IndexExpr feature = in.dimension(dnums.output_feature_dimension());
  const int64_t group_features =
      size(kernel, dnums.kernel_input_feature_dimension());
  const IndexExpr in_feature = in.AddRange(Interval::Below(group_features));
  std::vector<IndexExpr> windows;
  for (const WindowDimension& dim : attrs.window.dimensions()) {
    windows.push_back(in.AddRange(Interval::Below(dim.size())));
  }
  // Output features are cut into as many groups as input features or batches.
  const int64_t groups =
      std::max(attrs.feature_group_count, attrs.batch_group_count);
  const int64_t group_size = std::max<int64_t>(
      1, size(args.result, dnums.output_feature_dimension()) / groups);
  const IndexExpr group = space.FloorDiv(feature, group_size);

  std::vector<IndexExpr> at(input.dimensions().size());
  at[dnums.input_batch_dimension()] =
      attrs.batch_group_count == 1
          ? batch
          : space.Add(batch, space.Multiply(
                                 group, size(args.result,
                                             dnums.output_batch_dimension())));
  at[dnums.input_feature_dimension()] =
      attrs.feature_group_count == 1
          ? in_feature
          : space.Add(in_feature, space.Multiply(group, group_features));
  for (int i = 0; i < attrs.window.dimensions_size(); ++i) {
    const int64_t d = dnums.input_spatial_dimensions(i);
    at[d] = WindowElement(attrs.window.dimensions(i),
                          in.dimension(dnums.output_spatial_dimensions(i)),
                          windows[i], size(input, d), in);
  }
  std::vector<IndexExpr> kernel_at(kernel.dimensions().size());
  kernel_at[dnums.kernel_input_feature_dimension()] = in_feature;
  kernel_at[dnums.kernel_output_feature_dimension()] = feature;
  for (int i = 0; i < attrs.window.dimensions_size(); ++i) {
    const WindowDimension& dim = attrs.window.dimensions(i);
    kernel_at[dnums.kernel_spatial_dimensions(i)] =
        dim.window_reversal()
            ? space.Subtract(IndexExpr::Constant(dim.size() - 1), windows[i])
            : windows[i];
  }
  IndexingMap of_kernel = in;
  for (IndexExpr& index : at) in.AddResult(std::move(index));
  for (IndexExpr& index : kernel_at) of_kernel.AddResult(std::move(index));
  if (!in.known() || !of_kernel.known()) return std::nullopt;
  OpIndexing indexing;
  indexing.reads.push_back({0, std::move(in)});
  indexing.reads.push_back({1, std::move(of_kernel)});
  return indexing;
}

std::optional<DimensionFactors> ConvolutionFactors(
    const FactorArgs& args, const ConvolutionAttrs& attrs) {
  const std::optional<OpIndexing> indexing =
      ConvolutionIndexing({args.operands, args.result}, attrs);
  if (!indexing.has_value()) return std::nullopt;
  std::optional<DimensionFactors> found = FactorsOfIndexing(args, *indexing);
  if (!found.has_value()) return std::nullopt;
  const ConvolutionDimensionNumbers& dnums =
      attrs.convolution_dimension_numbers;
  for (int i = 0; i < attrs.window.dimensions_size(); ++i) {
    const int64_t result_d = dnums.output_spatial_dimensions(i);
    const DimensionFactors::Dimension& kernel =
        found->operands[1][dnums.kernel_spatial_dimensions(i)];
    const DimensionFactors::Dimension result = found->results[0][result_d];
    DimensionFactors::Dimension& input =
        found->operands[0][dnums.input_spatial_dimensions(i)];
    if (kernel.size() != 1 || input.empty() || input == kernel ||
        attrs.window.dimensions(i).size() <=
            args.result.dimensions(static_cast<int>(result_d))) {
      continue;
    }
    input = kernel;
    found->factors[kernel[0]].kind = FactorKind::kPermuted;
    for (const int32_t factor : result) {
      found->factors[factor].kind = FactorKind::kWhole;
    }
  }
  return found;
}

}  // namespace xla
