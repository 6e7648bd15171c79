// Indexing of element-wise ops, and of elements with holes between them.
#include "xla/hlo/ops/op_indexing.h"

#include "xla/core/window_math.h"

namespace xla {

IndexExpr DilatedElement(const IndexExpr& place, int64_t size, int64_t step,
                         IndexingMap& map) {
  // A single element has no holes beside it.
  if (size <= 1) step = 1;
  const IndexSpace& space = map.space();
  map.Constrain(place, Interval::Below(window_util::DilatedBound(size, step)));
  map.Constrain(space.Mod(place, step), Interval::Point(0));
  return space.FloorDiv(place, step);
}

OpIndexing ElementwiseIndexing(const IndexingArgs& args) {
  OpIndexing indexing;
  const absl::Span<const int64_t> sizes = args.result.dimensions();
  for (size_t i = 0; i < args.operands.size(); ++i) {
    const bool scalar = args.operand(i).dimensions().empty();
    indexing.reads.push_back(
        {static_cast<int64_t>(i),
         scalar ? IndexingMap(sizes) : IndexingMap::Identity(sizes)});
  }
  return indexing;
}

}  // namespace xla
