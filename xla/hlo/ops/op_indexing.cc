// Indexing of element-wise ops.
#include "xla/hlo/ops/op_indexing.h"

namespace xla {

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
