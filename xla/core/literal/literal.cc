// Construction, moving and taking apart of owning literals and views.
#include "xla/core/literal/literal.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <ostream>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// The piece that default-constructed and moved-from literals refer to.
const LiteralPiece& NilPiece() {
  static const Shape* const shape = new Shape(ShapeUtil::MakeNil());
  static const LiteralPiece* const piece =
      new LiteralPiece(MakePieceTree(*shape));
  return *piece;
}

// Moves memory and dynamic sizes between pieces of the same shape.
void MovePieces(LiteralPiece& from, LiteralPiece& to) {
  to.buffer = std::exchange(from.buffer, nullptr);
  to.dynamic_sizes = std::exchange(from.dynamic_sizes, nullptr);
  to.allocation = std::exchange(from.allocation, nullptr);
  to.added_sizes = std::move(from.added_sizes);
  to.state = std::exchange(from.state, LiteralPiece::State::kKnown);
  for (size_t i = 0; i < to.children.size(); ++i) {
    MovePieces(from.children[i], to.children[i]);
  }
}

// Sets the buffers of an array, or of a tuple of arrays in order.
void SetBuffers(absl::Span<const char* const> buffers, LiteralPiece& root) {
  if (!root.shape->IsTuple()) {
    CHECK_EQ(buffers.size(), size_t{1});
    root.buffer = const_cast<char*>(buffers[0]);
    return;
  }
  CHECK_EQ(buffers.size(), root.children.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    CHECK(!root.children[i].shape->IsTuple()) << "nested tuple";
    root.children[i].buffer = const_cast<char*>(buffers[i]);
  }
}

template <typename Tree>
void SetBuffersFromTree(const Tree& tree, ShapeIndex& index,
                        LiteralPiece& piece) {
  if (!piece.shape->IsTuple()) {
    piece.buffer = const_cast<char*>(tree.element(index));
  }
  for (size_t i = 0; i < piece.children.size(); ++i) {
    index.push_back(static_cast<int64_t>(i));
    SetBuffersFromTree(tree, index, piece.children[i]);
    index.pop_back();
  }
}

}  // namespace

Literal::Literal()
    : shape_(std::make_unique<Shape>(*NilPiece().shape)),
      root_(std::make_unique<LiteralPiece>(MakePieceTree(*shape_))) {}

Literal::Literal(const Shape& dense_shape, Unallocated)
    : shape_(std::make_unique<Shape>(dense_shape)),
      root_(std::make_unique<LiteralPiece>(MakePieceTree(*shape_))) {}

Literal::Literal(const Shape& shape) : Literal(shape, true) {}

Literal::Literal(const Shape& shape, bool allocate_arrays)
    : Literal(DenseLiteralShape(shape), Unallocated()) {
  if (!allocate_arrays) return;
  CHECK_OK(LiteralBytes(*shape_).status());
  const absl::Status allocated = AllocatePieces(*root_);
  // Throw like standard containers; the code that runs programs catches it.
  if (absl::IsResourceExhausted(allocated)) throw std::bad_alloc();
  CHECK_OK(allocated);
}

Literal::Literal(Literal&& other) noexcept : Literal() {
  std::swap(shape_, other.shape_);
  std::swap(root_, other.root_);
}

Literal& Literal::operator=(Literal&& other) noexcept {
  if (this == &other) return *this;
  Literal old(std::move(*this));
  std::swap(shape_, other.shape_);
  std::swap(root_, other.root_);
  return *this;
}

Literal::~Literal() { FreePieces(*root_); }

absl::StatusOr<Literal> Literal::Make(const Shape& shape,
                                      bool allocate_arrays) {
  TF_RETURN_IF_ERROR(LiteralBytes(shape).status());
  Shape dense = DenseLiteralShape(shape);
  absl::Status plain = absl::OkStatus();
  ShapeUtil::ForEachLeafShape(shape, [&](const Shape& leaf, const ShapeIndex&) {
    if (leaf.IsArray() && leaf.has_layout() && !leaf.layout().is_plain()) {
      plain = absl::InvalidArgumentError(absl::StrCat(
          "literal: the layout of ", leaf.ToString(/*print_layout=*/true),
          " is more than an order of dimensions"));
    }
  });
  TF_RETURN_IF_ERROR(plain);
  Literal literal(dense, Unallocated());
  if (allocate_arrays) TF_RETURN_IF_ERROR(AllocatePieces(*literal.root_));
  return literal;
}

absl::StatusOr<std::unique_ptr<Literal>> Literal::MakeUnique(
    const Shape& shape, bool allocate_arrays) {
  TF_ASSIGN_OR_RETURN(Literal literal, Make(shape, allocate_arrays));
  return std::make_unique<Literal>(std::move(literal));
}

LiteralPiece& Literal::mutable_piece(ShapeIndexView shape_index) {
  return const_cast<LiteralPiece&>(piece(shape_index));
}

absl::Status Literal::MoveFrom(Literal&& src_literal,
                               const ShapeIndex& dest_shape_index) {
  if (!ShapeUtil::IndexIsValid(shape(), dest_shape_index)) {
    return absl::InvalidArgumentError(absl::StrCat("literal: no part ",
                                                   dest_shape_index.ToString(),
                                                   " in ", shape().ToString()));
  }
  LiteralPiece& dest = mutable_piece(dest_shape_index);
  if (!ShapeUtil::Equal(*dest.shape, src_literal.shape())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "literal: cannot move ", src_literal.shape().ToString(true), " to ",
        dest.shape->ToString(true)));
  }
  FreePieces(dest);
  MovePieces(*src_literal.root_, dest);
  src_literal = Literal();
  return absl::OkStatus();
}

std::vector<Literal> Literal::DecomposeTuple() {
  std::vector<Literal> elements;
  if (!shape().IsTuple()) return elements;
  elements.reserve(root_->children.size());
  for (LiteralPiece& child : root_->children) {
    Literal element(*child.shape, Unallocated());
    MovePieces(child, *element.root_);
    elements.push_back(std::move(element));
  }
  *this = Literal();
  return elements;
}

Literal Literal::SubLiteral(ShapeIndexView shape_index) {
  const LiteralPiece& part = piece(shape_index);
  Literal result(*part.shape, Unallocated());
  MovePieces(mutable_piece(shape_index), *result.root_);
  *this = Literal();
  return result;
}

Literal MutableLiteralBase::MoveIntoTuple(absl::Span<Literal> elements) {
  std::vector<const Shape*> shapes;
  shapes.reserve(elements.size());
  for (const Literal& element : elements) shapes.push_back(&element.shape());
  Literal tuple(ShapeUtil::MakeTupleShapeWithPtrs(shapes),
                Literal::Unallocated());
  for (size_t i = 0; i < elements.size(); ++i) {
    MovePieces(*elements[i].root_, tuple.root_->children[i]);
    elements[i] = Literal();
  }
  return tuple;
}

Literal LiteralBase::CreateFromShapeWithUnknownLeafArrays(const Shape& shape) {
  return Literal::Placeholder(shape, LiteralPiece::State::kUnknown);
}

Literal LiteralBase::CreateFromShapeWithUndeterminedLeafArrays(
    const Shape& shape) {
  return Literal::Placeholder(shape, LiteralPiece::State::kUndetermined);
}

Literal Literal::Placeholder(const Shape& shape, LiteralPiece::State state) {
  Literal result(shape, /*allocate_arrays=*/false);
  ForEachPiece(*result.root_, [state](LiteralPiece& piece) {
    if (piece.shape->IsArray()) piece.state = state;
  });
  return result;
}

LiteralSlice::LiteralSlice() : root_(&NilPiece()) {}

BorrowingLiteral::BorrowingLiteral()
    : shape_(std::make_unique<Shape>(*NilPiece().shape)),
      root_(std::make_unique<LiteralPiece>(MakePieceTree(*shape_))) {}

BorrowingLiteral::BorrowingLiteral(const char* src_buf_ptr, const Shape& shape)
    : BorrowingLiteral(absl::MakeConstSpan(&src_buf_ptr, 1), shape) {}

BorrowingLiteral::BorrowingLiteral(absl::Span<const char* const> src_buf_ptrs,
                                   const Shape& shape)
    : shape_(std::make_unique<Shape>(DenseLiteralShape(shape))),
      root_(std::make_unique<LiteralPiece>(MakePieceTree(*shape_))) {
  SetBuffers(src_buf_ptrs, *root_);
}

BorrowingLiteral::BorrowingLiteral(const ShapeTree<const char*>& src_buf_ptrs)
    : shape_(std::make_unique<Shape>(DenseLiteralShape(src_buf_ptrs.shape()))),
      root_(std::make_unique<LiteralPiece>(MakePieceTree(*shape_))) {
  ShapeIndex index;
  SetBuffersFromTree(src_buf_ptrs, index, *root_);
}

MutableBorrowingLiteral::MutableBorrowingLiteral()
    : MutableBorrowingLiteral(NilPiece()) {}

MutableBorrowingLiteral::MutableBorrowingLiteral(const LiteralPiece& piece)
    : shape_(std::make_unique<Shape>(*piece.shape)),
      root_(std::make_unique<LiteralPiece>(MakePieceTree(*shape_))) {
  SharePieces(piece, *root_);
}

MutableBorrowingLiteral::MutableBorrowingLiteral(const char* src_buf_ptr,
                                                 const Shape& shape)
    : shape_(std::make_unique<Shape>(DenseLiteralShape(shape))),
      root_(std::make_unique<LiteralPiece>(MakePieceTree(*shape_))) {
  SetBuffers(absl::MakeConstSpan(&src_buf_ptr, 1), *root_);
}

MutableBorrowingLiteral::MutableBorrowingLiteral(absl::Span<char*> src_buf_ptrs,
                                                 const Shape& shape)
    : shape_(std::make_unique<Shape>(DenseLiteralShape(shape))),
      root_(std::make_unique<LiteralPiece>(MakePieceTree(*shape_))) {
  SetBuffers({src_buf_ptrs.data(), src_buf_ptrs.size()}, *root_);
}

MutableBorrowingLiteral::MutableBorrowingLiteral(ShapeTree<char*> src_buf_ptrs)
    : shape_(std::make_unique<Shape>(DenseLiteralShape(src_buf_ptrs.shape()))),
      root_(std::make_unique<LiteralPiece>(MakePieceTree(*shape_))) {
  ShapeIndex index;
  SetBuffersFromTree(src_buf_ptrs, index, *root_);
}

MutableBorrowingLiteral& MutableBorrowingLiteral::operator=(
    const MutableBorrowingLiteral& other) {
  if (this != &other) {
    MutableBorrowingLiteral copy(other);
    std::swap(shape_, copy.shape_);
    std::swap(root_, copy.root_);
  }
  return *this;
}

std::ostream& operator<<(std::ostream& out, const Literal& literal) {
  return out << literal.ToString();
}

}  // namespace xla
