// Which element of a dimension a window covers.
#ifndef XLA_HLO_OPS_REDUCTION_WINDOW_INDEXING_H_
#define XLA_HLO_OPS_REDUCTION_WINDOW_INDEXING_H_

#include <cstdint>

#include "xla/hlo/indexing/indexing_map.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// The element, of `size`, at place `window` of the window at place `output`;
// constrains `map` to where there is one. Reversal is the caller's to apply: it
// concerns the kernel.
IndexExpr WindowElement(const WindowDimension& dim, const IndexExpr& output,
                        const IndexExpr& window, int64_t size,
                        IndexingMap& map);

}  // namespace xla

#endif  // XLA_HLO_OPS_REDUCTION_WINDOW_INDEXING_H_
