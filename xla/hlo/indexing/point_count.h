// How many points the domain of an indexing map has, and how many elements it
// finds: what the costs of an op follow from.
#ifndef XLA_HLO_INDEXING_POINT_COUNT_H_
#define XLA_HLO_INDEXING_POINT_COUNT_H_

#include <cstdint>

#include "absl/types/span.h"
#include "xla/hlo/indexing/indexing_map.h"

namespace xla {

// How many values of the dimensions and ranges are inside: for a dot the number
// of products, for a padded window the number of places that have an element.
// Runtime variables add none, since each has one value. Constraints on them,
// and on variables of more values than are worth trying, are taken to hold. A
// double, so that it does not overflow.
double CountPoints(const IndexingMap& map);

// How many different elements of an array with dimensions `sizes` these points
// have. It may be too many, where indices depend on the same variables, but is
// never more than all of them or than the points.
double CountElements(const IndexingMap& map, absl::Span<const int64_t> sizes);

}  // namespace xla

#endif  // XLA_HLO_INDEXING_POINT_COUNT_H_
