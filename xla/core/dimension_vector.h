// The container of dimension sizes and dimension numbers: no allocation up to
// six dimensions. Knows nothing of shapes.
#ifndef XLA_CORE_DIMENSION_VECTOR_H_
#define XLA_CORE_DIMENSION_VECTOR_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

namespace xla {

// The number of dimensions that fit without allocation.
inline constexpr int InlineRank() { return 6; }

using DimensionVector = absl::InlinedVector<int64_t, InlineRank()>;
using DimensionVectorSpan = absl::Span<const int64_t>;

}  // namespace xla

#endif  // XLA_CORE_DIMENSION_VECTOR_H_
