// Counts the points in the domain of an indexing map and the elements to which
// it maps them, from which the costs of an op follow.
#ifndef XLA_HLO_INDEXING_POINT_COUNT_H_
#define XLA_HLO_INDEXING_POINT_COUNT_H_

#include <cstdint>

#include "absl/types/span.h"
#include "xla/hlo/indexing/indexing_map.h"

namespace xla {

// Returns the number of values of the dimensions and ranges in the domain: for
// a dot the number of products, for a padded window the number of positions
// that have an element. Runtime variables add none, since each has one value.
// Constraints on them, and on variables with too many values to enumerate, are
// assumed to hold. The result is a double, so that it does not overflow.
double CountPoints(const IndexingMap& map);

// Returns the number of different elements of an array with dimensions `sizes`
// that these points map to. It may be too large if several indices depend on
// the same variables, but never exceeds the number of elements or of points.
double CountElements(const IndexingMap& map, absl::Span<const int64_t> sizes);

}  // namespace xla

#endif  // XLA_HLO_INDEXING_POINT_COUNT_H_
