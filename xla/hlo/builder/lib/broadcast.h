// Broadcasting as TensorFlow does it.
#ifndef XLA_HLO_BUILDER_LIB_BROADCAST_H_
#define XLA_HLO_BUILDER_LIB_BROADCAST_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// [.., x, ..] -> [.., x y, ..]: the input repeated along each dimension until
// it has sizes `output_dims`; dimensions are matched from the last, and new
// ones are put before. Errors: broadcast_to_c1 where sizes do not divide.
absl::StatusOr<XlaOp> BroadcastTo(XlaOp input,
                                  absl::Span<int64_t const> output_dims);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_BROADCAST_H_
