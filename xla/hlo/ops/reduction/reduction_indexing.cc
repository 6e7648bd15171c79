// Indexing of reduce and reduce-window, and the factors of scan.
#include <algorithm>

#include "xla/hlo/ops/op_indexing.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/ops/reduction/window_indexing.h"

namespace xla {
namespace {

// All k operands at `map`, and their k init values.
OpIndexing WithInits(const IndexingArgs& args, const IndexingMap& map) {
  OpIndexing indexing;
  const int64_t k = static_cast<int64_t>(args.operands.size()) / 2;
  for (int64_t i = 0; i < 2 * k; ++i) {
    indexing.reads.push_back(
        {i, i < k ? map : IndexingMap(args.result.dimensions())});
  }
  return indexing;
}

}  // namespace

IndexExpr WindowElement(const WindowDimension& dim, const IndexExpr& output,
                        const IndexExpr& window, int64_t size,
                        IndexingMap& map) {
  const IndexSpace& space = map.space();
  const IndexExpr place =
      space.Add(space.Add(space.Multiply(output, dim.stride()),
                          space.Multiply(window, dim.window_dilation())),
                space.Multiply(IndexExpr::Constant(dim.padding_low()), -1));
  return DilatedElement(place, size, dim.base_dilation(), map);
}

OpIndexing ReduceIndexing(const IndexingArgs& args, const ReduceAttrs& attrs) {
  IndexingMap map(args.result.dimensions());
  const Shape& operand = args.operand(0);
  int64_t kept = 0;
  for (size_t d = 0; d < operand.dimensions().size(); ++d) {
    const int64_t dim = static_cast<int64_t>(d);
    const bool reduced =
        std::find(attrs.dimensions.begin(), attrs.dimensions.end(), dim) !=
        attrs.dimensions.end();
    map.AddResult(reduced ? map.AddRange(Interval::Below(
                                operand.dimensions(static_cast<int>(d))))
                          : map.dimension(kept++));
  }
  return WithInits(args, map);
}

std::optional<OpIndexing> ReduceWindowIndexing(const IndexingArgs& args,
                                               const ReduceWindowAttrs& attrs) {
  IndexingMap map(args.result.dimensions());
  for (int64_t d = 0; d < map.dimension_count(); ++d) {
    const WindowDimension& dim = attrs.window.dimensions(static_cast<int>(d));
    const IndexExpr window = map.AddRange(Interval::Below(dim.size()));
    map.AddResult(WindowElement(dim, map.dimension(d), window,
                                args.operand(0).dimensions(static_cast<int>(d)),
                                map));
  }
  if (!map.known()) return std::nullopt;
  return WithInits(args, map);
}

DimensionFactors SelectAndScatterFactors(const FactorArgs& args,
                                         const SelectAndScatterAttrs& attrs) {
  DimensionFactors found;
  DimensionFactors::Array operand;
  for (int d = 0; d < args.result.rank(); ++d) {
    const WindowDimension& dim = attrs.window.dimensions(d);
    const bool moves = dim.size() != 1 || dim.stride() != 1 ||
                       dim.padding_low() != 0 || dim.padding_high() != 0;
    operand.push_back(
        found.Add(moves ? FactorKind::kPermuted : FactorKind::kPassedThrough,
                  args.result.dimensions(d)));
  }
  // Along permuted dimensions the source has another size, and no factor if
  // that is one element.
  DimensionFactors::Array source = operand;
  for (int d = 0; d < args.result.rank(); ++d) {
    if (args.operand(1).dimensions(d) == 1) source[d].clear();
  }
  found.operands = {operand, std::move(source), {}};
  found.results = {std::move(operand)};
  return found;
}

DimensionFactors ScanFactors(const FactorArgs& args, const ScanAttrs& attrs) {
  DimensionFactors found;
  const absl::Span<const int64_t> sizes = args.operand(0).dimensions();
  DimensionFactors::Array stacked;
  DimensionFactors::Array slice;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const bool is_scanned = static_cast<int64_t>(d) == attrs.dimensions[0];
    stacked.push_back(
        found.Add(is_scanned ? FactorKind::kWhole : FactorKind::kPassedThrough,
                  sizes[d]));
    if (!is_scanned) slice.push_back(stacked.back());
  }
  // Other arrays, such as scalars that are carried, are whole.
  auto add = [&](const Shape& shape, const DimensionFactors::Array& dimensions,
                 std::vector<DimensionFactors::Array>& to) {
    DimensionFactors::Array& array = to.emplace_back();
    for (size_t d = 0; d < shape.dimensions().size(); ++d) {
      const int64_t size = shape.dimensions(static_cast<int>(d));
      int64_t expected = -1;
      if (shape.dimensions().size() == dimensions.size()) {
        expected = 1;
        for (const int32_t f : dimensions[d]) expected = found.factors[f].size;
      }
      array.push_back(size == expected ? dimensions[d]
                                       : found.Add(FactorKind::kWhole, size));
    }
  };
  const size_t inputs = args.operands.size() - attrs.num_carries;
  for (size_t i = 0; i < args.operands.size(); ++i) {
    add(args.operand(i), i < inputs ? stacked : slice, found.operands);
  }
  if (!args.result.IsTuple()) {
    add(args.result, attrs.num_carries == 0 ? stacked : slice, found.results);
    return found;
  }
  const size_t outputs = args.result.tuple_shapes_size() - attrs.num_carries;
  for (size_t i = 0; i < outputs + attrs.num_carries; ++i) {
    add(args.result.tuple_shapes(static_cast<int>(i)),
        i < outputs ? stacked : slice, found.results);
  }
  return found;
}

}  // namespace xla
