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

// The number of elements of all arrays, dynamic dimensions at their bounds, and
// the bytes of these elements, each of at least one. Doubles, so that they do
// not overflow.
double ElementsOf(const Shape& shape);
double BytesOf(const Shape& shape);

int LeafCount(const Shape& shape);
// The leaves of a tuple before those of an element.
int FirstLeafOfElement(const Shape& tuple, int64_t element);
// Pointers into `shape`.
std::vector<const Shape*> Leaves(const Shape& shape);
// Returns the first leaf; an empty tuple if there is none.
const Shape& FirstLeaf(const Shape& shape);
// The number among them of the leaf at `index`; -1 if no leaf is there.
int LeafNumberAt(const Shape& shape, ShapeIndexView index);

// Returns the bytes of a leaf in memory: elements of at least a byte, then an
// int32 for each dimension if any is dynamic; 0 for tokens. Errors: those of
// LiteralBytes.
absl::StatusOr<int64_t> LeafBytes(const Shape& leaf);

// True if both are static arrays of as many elements, which take as many bytes
// each, and those with the same linear index in row-major order are at the same
// place: the arrays have the same dimensions and layout, or both are row-major.
bool SamePlaces(const Shape& a, const Shape& b);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_LEAVES_H_
