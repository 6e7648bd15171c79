// The leaves of a shape: its arrays and tokens in order. Only they have memory
// at run time; tuples only name them.
#ifndef XLA_HLO_ANALYSIS_LEAVES_H_
#define XLA_HLO_ANALYSIS_LEAVES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"

namespace xla {

int LeafCount(const Shape& shape);
// Pointers into `shape`.
std::vector<const Shape*> Leaves(const Shape& shape);
// Returns the number of the leaf at `index` among the leaves; -1 if there is
// none.
int LeafNumberAt(const Shape& shape, ShapeIndexView index);

// Returns the bytes of a leaf in memory: elements of at least a byte, then an
// int32 for each dimension if any is dynamic; 0 for tokens. Errors: those of
// LiteralBytes.
absl::StatusOr<int64_t> LeafBytes(const Shape& leaf);

// True if both are arrays of the same dimensions, static and in the same
// layout, whose elements take as many bytes: element i of either is at the
// same place.
bool SamePlaces(const Shape& a, const Shape& b);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_LEAVES_H_
