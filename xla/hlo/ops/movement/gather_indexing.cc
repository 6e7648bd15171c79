// Indexing of gather, and the factors of scatter.
#include "xla/core/dimension_position.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/op_indexing.h"

namespace xla {
OpIndexing GatherIndexing(const IndexingArgs& args, const GatherAttrs& attrs) {
  const GatherDimensionNumbers& dnums = attrs.dimension_numbers;
  const Shape& operand = args.operand(0);
  const int64_t start_rank =
      static_cast<int64_t>(args.operand(1).dimensions().size());
  IndexingMap map(args.result.dimensions());

  // The dimensions of the result that count slices are those of the start
  // indices without the index vector's.
  std::vector<IndexExpr> batch;
  for (int64_t d = 0; d < map.dimension_count(); ++d) {
    if (PositionOf(dnums.offset_dims(), d) < 0)
      batch.push_back(map.dimension(d));
  }
  std::vector<IndexExpr> where = batch;
  if (dnums.index_vector_dim() < start_rank) {
    where.insert(where.begin() + dnums.index_vector_dim(), IndexExpr());
  }
  size_t offset = 0;
  for (size_t d = 0; d < operand.dimensions().size(); ++d) {
    const int64_t dim = static_cast<int64_t>(d);
    IndexExpr index;
    const int64_t batching = PositionOf(dnums.operand_batching_dims(), dim);
    if (batching >= 0) {
      index =
          where[dnums.start_indices_batching_dims(static_cast<int>(batching))];
    } else if (PositionOf(dnums.collapsed_slice_dims(), dim) < 0) {
      index = map.dimension(dnums.offset_dims(static_cast<int>(offset++)));
    }
    const int64_t place = PositionOf(dnums.start_index_map(), dim);
    // A slice without elements has none anywhere.
    if (attrs.slice_sizes[d] == 0) map.Constrain(index, Interval::Below(0));
    if (place >= 0) {
      std::vector<IndexExpr> at = where;
      if (dnums.index_vector_dim() < start_rank) {
        at[dnums.index_vector_dim()] = IndexExpr::Constant(place);
      }
      const Interval range = {
          0, operand.dimensions(static_cast<int>(d)) - attrs.slice_sizes[d]};
      index = map.space().Add(index, map.AddRuntime(range, 1, std::move(at)));
    }
    map.AddResult(std::move(index));
  }
  OpIndexing indexing;
  indexing.reads.push_back({0, std::move(map)});
  return indexing;
}

DimensionFactors ScatterFactors(const FactorArgs& args,
                                const ScatterAttrs& attrs) {
  const ScatterDimensionNumbers& dnums = attrs.dimension_numbers;
  const size_t inputs = args.operands.size() / 2;
  const Shape& input = args.operand(0);
  const Shape& indices = args.operand(inputs);
  const Shape& update = args.operand(inputs + 1);
  DimensionFactors found;
  // Dimensions of the indices without the index vector's are those of the
  // update that are not a window's, in their order.
  DimensionFactors::Array of_indices(indices.rank());
  for (int d = 0; d < indices.rank(); ++d) {
    const bool batching =
        PositionOf(dnums.scatter_indices_batching_dims(), d) >= 0;
    of_indices[d] =
        found.Add(batching ? FactorKind::kPassedThrough : FactorKind::kWhole,
                  indices.dimensions(d));
  }
  DimensionFactors::Array of_update(update.rank());
  int next = 0;
  for (int d = 0; d < update.rank(); ++d) {
    if (PositionOf(dnums.update_window_dims(), d) >= 0) continue;
    if (next == dnums.index_vector_dim()) ++next;
    of_update[d] = of_indices[next++];
  }
  DimensionFactors::Array of_input;
  int window = 0;
  for (int d = 0; d < input.rank(); ++d) {
    const int64_t batching = PositionOf(dnums.input_batching_dims(), d);
    if (batching >= 0) {
      of_input.push_back(of_indices[dnums.scatter_indices_batching_dims(
          static_cast<int>(batching))]);
    } else if (PositionOf(dnums.inserted_window_dims(), d) >= 0) {
      of_input.push_back(found.Add(FactorKind::kWhole, input.dimensions(d)));
    } else {
      const int at = static_cast<int>(dnums.update_window_dims(window++));
      const bool all = update.dimensions(at) == input.dimensions(d);
      of_input.push_back(
          found.Add(all ? FactorKind::kPassedThrough : FactorKind::kWhole,
                    input.dimensions(d)));
      of_update[at] =
          all ? of_input.back()
              : found.Add(FactorKind::kWhole, update.dimensions(at));
    }
  }
  found.operands.assign(inputs, of_input);
  found.operands.push_back(std::move(of_indices));
  found.operands.insert(found.operands.end(), inputs, of_update);
  found.results.assign(inputs, of_input);
  return found;
}

}  // namespace xla
