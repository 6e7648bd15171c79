// Finds the element of a dimension that a window covers.
#ifndef XLA_HLO_OPS_REDUCTION_WINDOW_INDEXING_H_
#define XLA_HLO_OPS_REDUCTION_WINDOW_INDEXING_H_

#include <cstdint>

#include "xla/hlo/indexing/indexing_map.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Returns the element, of `size`, at position `window` of window number
// `output`; constrains `map` to positions that have one. Reversal concerns the
// kernel, so callers apply it.
IndexExpr WindowElement(const WindowDimension& dim, const IndexExpr& output,
                        const IndexExpr& window, int64_t size,
                        IndexingMap& map);

}  // namespace xla

#endif  // XLA_HLO_OPS_REDUCTION_WINDOW_INDEXING_H_
