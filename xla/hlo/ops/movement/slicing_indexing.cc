// Indexing of concatenate, pad, slice, dynamic-slice and dynamic-update-slice.
#include <algorithm>
#include <limits>

#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/op_indexing.h"

namespace xla {
namespace {

// Returns the start along dimension d of a slice of `slice` elements of
// `whole`. The operands from `first` on hold the starts: a scalar for each
// dimension, or one vector.
IndexExpr Start(const IndexingArgs& args, size_t first, int64_t d,
                const Shape& whole, const Shape& slice, IndexingMap& map) {
  const Interval range = {0, whole.dimensions(static_cast<int>(d)) -
                                 slice.dimensions(static_cast<int>(d))};
  if (args.operand(first).dimensions().size() == 1) {
    return map.AddRuntime(range, static_cast<int64_t>(first),
                          {IndexExpr::Constant(d)});
  }
  return map.AddRuntime(range, static_cast<int64_t>(first) + d, {});
}

}  // namespace

OpIndexing ConcatenateIndexing(const IndexingArgs& args,
                               const ConcatenateAttrs& attrs) {
  const int64_t along = attrs.dimensions[0];
  OpIndexing indexing;
  int64_t start = 0;
  for (size_t i = 0; i < args.operands.size(); ++i) {
    IndexingMap map(args.result.dimensions());
    const int64_t size = args.operand(i).dimensions(static_cast<int>(along));
    map.Constrain(map.dimension(along), {start, start + size - 1});
    for (int64_t d = 0; d < map.dimension_count(); ++d) {
      map.AddResult(d == along ? map.space().Add(map.dimension(d), -start)
                               : map.dimension(d));
    }
    indexing.reads.push_back({static_cast<int64_t>(i), std::move(map)});
    start += size;
  }
  return indexing;
}

std::optional<OpIndexing> PadIndexing(const IndexingArgs& args,
                                      const PadAttrs& attrs) {
  IndexingMap map(args.result.dimensions());
  const IndexSpace& space = map.space();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() - 1;
  for (int64_t d = 0; d < map.dimension_count(); ++d) {
    const auto& padding = attrs.padding.dimensions(static_cast<int>(d));
    const IndexExpr place = space.Subtract(
        map.dimension(d), IndexExpr::Constant(padding.edge_padding_low()));
    map.AddResult(
        DilatedElement(place, args.operand(0).dimensions(static_cast<int>(d)),
                       std::min(padding.interior_padding(), kMost) + 1, map));
  }
  if (!map.known()) return std::nullopt;
  OpIndexing indexing;
  indexing.reads.push_back({0, std::move(map)});
  indexing.reads.push_back({1, IndexingMap(args.result.dimensions())});
  return indexing;
}

std::optional<OpIndexing> SliceIndexing(const IndexingArgs& args,
                                        const SliceAttrs& attrs) {
  IndexingMap map(args.result.dimensions());
  const IndexSpace& space = map.space();
  for (int64_t d = 0; d < map.dimension_count(); ++d) {
    const SliceRange& range = attrs.slice[d];
    map.AddResult(
        space.Add(space.Multiply(map.dimension(d), range.stride), range.start));
  }
  if (!map.known()) return std::nullopt;
  OpIndexing indexing;
  indexing.reads.push_back({0, std::move(map)});
  return indexing;
}

OpIndexing DynamicSliceIndexing(const IndexingArgs& args) {
  IndexingMap map(args.result.dimensions());
  for (int64_t d = 0; d < map.dimension_count(); ++d) {
    const IndexExpr start =
        Start(args, 1, d, args.operand(0), args.result, map);
    map.AddResult(map.space().Add(map.dimension(d), start));
  }
  OpIndexing indexing;
  indexing.reads.push_back({0, std::move(map)});
  return indexing;
}

OpIndexing DynamicUpdateSliceIndexing(const IndexingArgs& args) {
  const Shape& update = args.operand(1);
  IndexingMap map(args.result.dimensions());
  for (int64_t d = 0; d < map.dimension_count(); ++d) {
    const IndexExpr start = Start(args, 2, d, args.result, update, map);
    const IndexExpr element = map.space().Subtract(map.dimension(d), start);
    map.Constrain(element,
                  Interval::Below(update.dimensions(static_cast<int>(d))));
    map.AddResult(element);
  }
  OpIndexing indexing;
  indexing.reads.push_back({1, std::move(map)});
  indexing.reads.push_back(
      {0, IndexingMap::Identity(args.result.dimensions())});
  return indexing;
}

}  // namespace xla
