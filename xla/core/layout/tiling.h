// Where the elements of an array lie in memory under tiles and padding: the
// formula of the tiled layout document. Moves no data (relayout.h does).
#ifndef XLA_CORE_LAYOUT_TILING_H_
#define XLA_CORE_LAYOUT_TILING_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/layout.h"
#include "xla/core/shape.h"

namespace xla {

// The map between the indices of one array and the positions of its buffer.
// In this order: dimensions are padded to padded_dimensions, put in major to
// minor order, then for each tile combined, padded to a multiple of the tile
// and split in tile number and position within the tile. A tile with fewer
// sizes than dimensions covers the most minor ones; one with more sees
// leading dimensions of size 1. Copyable; thread safe once made.
class Tiling {
 public:
  // Dynamic dimensions count their bound. Errors: InvalidArgument for
  // anything but an array with a valid layout, unbounded dimensions, and
  // sizes that overflow int64.
  static absl::StatusOr<Tiling> Create(const Shape& shape);
  static absl::StatusOr<Tiling> Create(absl::Span<const int64_t> dimensions,
                                       const Layout& layout);

  // Sizes from major to minor after all tiles: f32[3,5]{1,0:T(2,2)} has
  // (2,3,2,2).
  absl::Span<const int64_t> physical_dimensions() const { return physical_; }
  // Elements in the buffer, padding and tail alignment included.
  int64_t padded_element_count() const { return padded_element_count_; }

  // `index` has one entry per dimension, in bounds.
  DimensionVector PhysicalIndex(absl::Span<const int64_t> index) const;
  int64_t LinearIndex(absl::Span<const int64_t> index) const;
  // Writes the index of the element at `linear`, which is below
  // padded_element_count(); false where there is padding.
  bool MultiIndex(int64_t linear, absl::Span<int64_t> index) const;

 private:
  // One tile: sizes it meets, and how they combine and split.
  struct Step {
    DimensionVector tile;      // sizes, combined dimensions left out
    DimensionVector before;    // the sizes that the tile meets
    DimensionVector combined;  // those after combining
    // For each dimension of `before`, its dimension in `combined`.
    absl::InlinedVector<int, 6> target;
    int64_t prefix;  // dimensions that the tile leaves alone
  };

  absl::Status AddTile(const Tile& tile, DimensionVector& sizes);

  DimensionVector dimensions_;  // logical
  DimensionVector minor_to_major_;
  DimensionVector padded_;  // major to minor, before tiles
  absl::InlinedVector<Step, 2> steps_;
  DimensionVector physical_;
  int64_t padded_element_count_ = 1;
};

// Whether the elements of `shape`, an array with a layout, do not just lie one
// behind the other in the order of its dimensions: tiles or padding.
bool HasTilesOrPadding(const Shape& shape);

// Whether the elements of array `shape` lie one behind the other in the order
// of its dimensions, as they do without a layout.
bool IsDenseRowMajor(const Shape& shape);

// Whether memory holds the arrays of `shape` as their layouts say: elements of
// a byte or more are as wide as their type, and no metadata stands before them,
// since dynamic sizes stand behind. Errors: Unimplemented.
absl::Status CheckElementStorage(const Shape& shape);

// The buffer of array `shape` as a row-major array of its elements, padding
// included: [n], or [1,n] where `shape` is a vector itself, so that the two
// cannot be mistaken for each other. Errors: as Tiling::Create.
absl::StatusOr<Shape> BufferVectorShape(const Shape& shape);

// Whether `array` is the vector of the buffer of `stated`: the form in which
// programs have what their entry layout states as tiled or padded.
bool IsBufferVector(const Shape& array, const Shape& stated);

// Bytes of the buffer of array `shape`: padded elements of
// element_size_in_bits (or the natural width) each, rounded up to a byte,
// without the metadata prefix. Errors: as Tiling::Create.
absl::StatusOr<int64_t> PaddedByteSize(const Shape& shape);

// As PaddedByteSize, with the metadata prefix: what to allocate.
absl::StatusOr<int64_t> BufferByteSize(const Shape& shape);

}  // namespace xla

#endif  // XLA_CORE_LAYOUT_TILING_H_
