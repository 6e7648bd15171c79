// Literal, which owns its memory, and views: of a literal or a part of it
// (LiteralSlice), of a foreign buffer (BorrowingLiteral), and mutable ones.
#ifndef XLA_CORE_LITERAL_LITERAL_H_
#define XLA_CORE_LITERAL_LITERAL_H_

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal_base.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/literal/mutable_literal.h"
#include "xla/core/shape.h"
#include "xla/core/shape_tree.h"
#include "xla/core/shape_util.h"

namespace xla {

// Owns its shape and memory. Moves keep views of it valid; a moved-from or
// default literal is the empty tuple `()`. Memory starts at a multiple of 64
// bytes and is zero at first.
class Literal : public MutableLiteralBase {
 public:
  Literal();
  // Tiles and padding of the layout are dropped. Aborts when the shape is too
  // large: use Make for shapes that come from input.
  explicit Literal(const Shape& shape);
  // With `allocate_arrays` false, the buffers are null until moved in.
  Literal(const Shape& shape, bool allocate_arrays);
  Literal(Literal&& other) noexcept;
  Literal& operator=(Literal&& other) noexcept;
  Literal(const Literal&) = delete;
  Literal& operator=(const Literal&) = delete;
  ~Literal() override;

  // Errors: InvalidArgument for tiled or padded layouts; and those of
  // LiteralBytes.
  static absl::StatusOr<Literal> Make(const Shape& shape,
                                      bool allocate_arrays = true);
  static absl::StatusOr<std::unique_ptr<Literal>> MakeUnique(
      const Shape& shape, bool allocate_arrays = true);

  // Reads what LiteralBase::Serialize writes. Errors: InvalidArgument for data
  // that is too short, too long or malformed; and those of Make.
  template <typename InputIterator>
  static absl::StatusOr<Literal> Deserialize(InputIterator begin,
                                             InputIterator end) {
    return DeserializeFromString(std::string(begin, end));
  }
  static absl::StatusOr<Literal> DeserializeFromString(absl::string_view data);

  // Moves the values of `src_literal` to the subtree `dest_shape_index`, whose
  // shape must be the same, layouts included. Leaves `src_literal` empty.
  absl::Status MoveFrom(Literal&& src_literal,
                        const ShapeIndex& dest_shape_index = {});
  // Returns the elements of a tuple and leaves `()`. A non-tuple has none.
  std::vector<Literal> DecomposeTuple();
  // Returns a part without copying it, and leaves nothing that has a use. Of a
  // const literal, returns a copy.
  Literal SubLiteral(ShapeIndexView shape_index);
  using LiteralBase::SubLiteral;

  Shape* mutable_shape_do_not_use() override { return shape_.get(); }
  const LiteralPiece& root_piece() const override { return *root_; }

 private:
  friend class LiteralBase;
  friend class MutableLiteralBase;

  struct Unallocated {};
  Literal(const Shape& dense_shape, Unallocated);
  static Literal Placeholder(const Shape& shape, LiteralPiece::State state);
  LiteralPiece& mutable_piece(ShapeIndexView shape_index);

  // A pointer, so that views outlive a move of the literal.
  std::unique_ptr<Shape> shape_;
  std::unique_ptr<LiteralPiece> root_;
};

// A read-only view of a literal, or of one subtree. The literal must outlive
// it. Cheap to copy.
class LiteralSlice : public LiteralBase {
 public:
  LiteralSlice();
  // NOLINTNEXTLINE(google-explicit-constructor): as a string converts.
  LiteralSlice(const LiteralBase& literal) : root_(&literal.root_piece()) {}
  LiteralSlice(const LiteralBase& literal, const ShapeIndex& view_root)
      : root_(&literal.piece(view_root)) {}
  LiteralSlice(const LiteralSlice&) = default;
  LiteralSlice& operator=(const LiteralSlice&) = default;

  const LiteralPiece& root_piece() const override { return *root_; }

 private:
  const LiteralPiece* root_;
};

// A read-only view of buffers that hold values of `shape`, dense, in the order
// of its layout. Dynamic dimensions have their bound as size.
class BorrowingLiteral : public LiteralBase {
 public:
  BorrowingLiteral();
  BorrowingLiteral(const char* src_buf_ptr, const Shape& shape);
  // Views a tuple of arrays, one buffer each.
  BorrowingLiteral(absl::Span<const char* const> src_buf_ptrs,
                   const Shape& shape);
  explicit BorrowingLiteral(const ShapeTree<const char*>& src_buf_ptrs);

  const LiteralPiece& root_piece() const override { return *root_; }

 private:
  std::unique_ptr<Shape> shape_;
  std::unique_ptr<LiteralPiece> root_;
};

// A writable view of a literal, a subtree, or foreign buffers.
class MutableBorrowingLiteral : public MutableLiteralBase {
 public:
  MutableBorrowingLiteral();
  // NOLINTNEXTLINE(google-explicit-constructor): as XLA has it.
  MutableBorrowingLiteral(MutableLiteralBase* literal)
      : MutableBorrowingLiteral(literal->root_piece()) {}
  MutableBorrowingLiteral(MutableBorrowingLiteral literal,
                          const ShapeIndex& view_root)
      : MutableBorrowingLiteral(literal.piece(view_root)) {}
  MutableBorrowingLiteral(const char* src_buf_ptr, const Shape& shape);
  MutableBorrowingLiteral(absl::Span<char*> src_buf_ptrs, const Shape& shape);
  explicit MutableBorrowingLiteral(ShapeTree<char*> src_buf_ptrs);
  MutableBorrowingLiteral(const MutableBorrowingLiteral& other)
      : MutableBorrowingLiteral(*other.root_) {}
  MutableBorrowingLiteral& operator=(const MutableBorrowingLiteral& other);

  Shape* mutable_shape_do_not_use() override { return shape_.get(); }
  const LiteralPiece& root_piece() const override { return *root_; }

 private:
  explicit MutableBorrowingLiteral(const LiteralPiece& piece);

  std::unique_ptr<Shape> shape_;
  std::unique_ptr<LiteralPiece> root_;
};

template <typename NativeT>
Literal LiteralBase::Replicate(int64_t times) const {
  TypedPiece({}, TypeOf<NativeT>());
  return Replicate(times);
}

std::ostream& operator<<(std::ostream& out, const Literal& literal);

}  // namespace xla

#endif  // XLA_CORE_LITERAL_LITERAL_H_
