// LiteralPiece: one node of a literal, the elements of an array or the children
// of a tuple. The literals decide who owns the memory and what is done with it.
#ifndef XLA_CORE_LITERAL_LITERAL_PIECE_H_
#define XLA_CORE_LITERAL_LITERAL_PIECE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {

// A view of memory. Elements lie densely in the order of the layout's
// minor_to_major, one per byte for types below 8 bits.
struct LiteralPiece {
  // Whether there are values. Placeholders, which have no memory, stand for
  // values that cannot be known before a program runs, or that nobody has
  // looked for yet.
  enum class State : uint8_t { kKnown, kUnknown, kUndetermined };

  const Shape* shape = nullptr;
  char* buffer = nullptr;
  // One size per dimension, or null when no dimension is dynamic.
  int32_t* dynamic_sizes = nullptr;
  // The memory to free; null when this does not own it.
  void* allocation = nullptr;
  // The memory of sizes of a dimension that was made dynamic later.
  std::unique_ptr<int32_t[]> added_sizes;
  State state = State::kKnown;
  std::vector<LiteralPiece> children;

  // The number of elements that the bounds of the shape make room for.
  int64_t element_count() const;
  // Bytes of the elements, dynamic sizes not counted; 0 for tuples and tokens.
  int64_t size_bytes() const;
  int64_t dynamic_size(int64_t dimension) const;
  // Returns the position in `buffer`, in elements. `multi_index` must be in
  // bounds.
  int64_t LinearIndex(absl::Span<const int64_t> multi_index) const;
};

// Returns the shape that a literal for `shape` has: missing layouts are set;
// the others lose tiles and padding.
Shape DenseLiteralShape(const Shape& shape);

// Returns the bytes of one element in a literal: 1 for types below 8 bits, 0
// for types without elements.
inline int LiteralElementBytes(PrimitiveType type) {
  return primitive_util::IsArrayType(type) ? primitive_util::ByteWidth(type)
                                           : 0;
}

// Returns the bytes of all arrays of `shape`. Errors: InvalidArgument when a
// dimension is negative or unbounded, or the layout is not a permutation;
// ResourceExhausted when the total overflows or is more than this machine's
// memory.
absl::StatusOr<int64_t> LiteralBytes(const Shape& shape);

// Builds the tree of pieces for `shape`, which must outlive it.
LiteralPiece MakePieceTree(const Shape& shape);

// Gives every array of the tree zeroed memory at a multiple of 64 bytes.
// Errors: ResourceExhausted; memory allocated before the failure stays in the
// tree.
absl::Status AllocatePieces(LiteralPiece& piece);
void FreePieces(LiteralPiece& piece);

// Makes `to`, of a compatible shape, a view of the memory of `from`.
void SharePieces(const LiteralPiece& from, LiteralPiece& to);

// Calls `visit` for each node, parents first. `Piece` is LiteralPiece or const.
template <typename Piece, typename Visitor>
void ForEachPiece(Piece& piece, const Visitor& visit) {
  visit(piece);
  for (auto& child : piece.children) ForEachPiece(child, visit);
}

}  // namespace xla

#endif  // XLA_CORE_LITERAL_LITERAL_PIECE_H_
