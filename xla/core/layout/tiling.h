// The positions of an array's elements in memory under tiles and padding: the
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
  // Dynamic dimensions count with their bound. Errors: InvalidArgument for
  // anything but an array with a valid layout, unbounded dimensions, and sizes
  // that overflow int64.
  static absl::StatusOr<Tiling> Create(const Shape& shape);
  static absl::StatusOr<Tiling> Create(absl::Span<const int64_t> dimensions,
                                       const Layout& layout);

  // The sizes from major to minor after all tiles are applied:
  // f32[3,5]{1,0:T(2,2)} has (2,3,2,2).
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
  // One tile: the sizes that it applies to, and how they combine and split.
  struct Step {
    DimensionVector tile;      // sizes, combined dimensions left out
    DimensionVector before;    // the sizes that the tile applies to
    DimensionVector combined;  // the sizes after combining
    // For each dimension of `before`, its dimension in `combined`.
    absl::InlinedVector<int, 6> target;
    int64_t prefix;  // number of dimensions that the tile leaves alone
  };

  absl::Status AddTile(const Tile& tile, DimensionVector& sizes);

  DimensionVector dimensions_;  // logical
  DimensionVector minor_to_major_;
  DimensionVector padded_;  // major to minor, before tiles
  absl::InlinedVector<Step, 2> steps_;
  DimensionVector physical_;
  int64_t padded_element_count_ = 1;
};

// Returns true if `shape`, an array with a layout, has tiles or padding, so
// that its elements do not simply lie one after the other.
bool HasTilesOrPadding(const Shape& shape);

// Returns true if memory holds several elements of array `shape` in a byte, the
// first one in the lowest bits: the type has 1, 2 or 4 bits, and the layout
// states as many. PRED and arrays of dynamic sizes are never packed.
bool IsBitPacked(const Shape& shape);

// Returns true if memory holds array `shape` otherwise than one element after
// the other, each in whole bytes: with tiles, padding or packed bits.
bool HasOwnBuffer(const Shape& shape);

// Returns true if the elements of array `shape` lie one after the other in the
// order of its dimensions, each in whole bytes, as they do without a layout.
bool IsDenseRowMajor(const Shape& shape);

// Checks that memory can hold the arrays of `shape` as their layouts say:
// elements are as wide as their type, or take a byte if that has less, and no
// metadata precedes them, since dynamic sizes follow the elements. Errors:
// Unimplemented.
absl::Status CheckElementStorage(const Shape& shape);

// Returns the buffer of array `shape`, which HasOwnBuffer, as a row-major array
// of its elements, padding included: [n], or [1,n] if `shape` itself is a
// vector, so that the two cannot be confused. Packed bits are the bytes that
// hold them: [n] of U8, or, if rows without tiles and padding fill whole bytes,
// the dimensions from major to minor, the last one in bytes. Errors: as
// Tiling::Create.
absl::StatusOr<Shape> BufferVectorShape(const Shape& shape);

// Returns true if `array` is the buffer vector of `stated`, the form in which
// programs hold arrays whose entry layout is tiled, padded or packed.
bool IsBufferVector(const Shape& array, const Shape& stated);

// Bytes of the buffer of array `shape`: padded elements of
// element_size_in_bits (or the natural width) each, rounded up to a byte,
// without the metadata prefix. Errors: as Tiling::Create.
absl::StatusOr<int64_t> PaddedByteSize(const Shape& shape);

// Like PaddedByteSize, but with the metadata prefix: the bytes to allocate.
absl::StatusOr<int64_t> BufferByteSize(const Shape& shape);

}  // namespace xla

#endif  // XLA_CORE_LAYOUT_TILING_H_
