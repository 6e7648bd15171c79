// Sizes, allocation and sharing of literal memory.
#include "xla/core/literal/literal_piece.h"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "xla/base/checked_math.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout.h"
#include "xla/core/layout_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// Bytes: a cache line, and the width of the widest vector registers.
constexpr size_t kAlignment = 64;

// Bounds literals to the machine's memory, since allocating more would only get
// the process killed.
int64_t MaxBytes() {
  static const int64_t max_bytes = [] {
    int64_t pages = sysconf(_SC_PHYS_PAGES);
    int64_t page_bytes = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && page_bytes > 0 ? pages * page_bytes : int64_t{1} << 40;
  }();
  return max_bytes;
}

// Prints the total size, also where it exceeds 64 bits.
std::string TotalBytes(const Shape& shape) {
  double bytes = LiteralElementBytes(shape.element_type());
  for (const int64_t size : shape.dimensions()) bytes *= size;
  return absl::StrFormat("%.0f", bytes);
}

absl::Status AddArrayBytes(const Shape& shape, int64_t& total) {
  int64_t bytes = LiteralElementBytes(shape.element_type());
  bool overflow = false;
  bool empty = false;
  for (int i = 0; i < shape.dimensions_size(); ++i) {
    const int64_t size = shape.dimensions(i);
    if (shape.is_dynamic_dimension(i) &&
        size > std::numeric_limits<int32_t>::max()) {
      return absl::ResourceExhaustedError(
          absl::StrCat("literal: the bound of a dynamic dimension of ",
                       shape.ToString(), " is beyond 32 bits"));
    }
    if (size < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "literal: ", shape.ToString(), " has no size for a dimension"));
    }
    empty |= size == 0;
    overflow |= __builtin_mul_overflow(bytes, size, &bytes);
  }
  if (empty) return absl::OkStatus();
  overflow |= __builtin_add_overflow(total, bytes, &total);
  if (overflow || total > MaxBytes()) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "out of memory: ", TotalBytes(shape), " bytes for ", shape.ToString(),
        " are more than the ", MaxBytes(), " of this machine"));
  }
  return absl::OkStatus();
}

absl::Status AddBytes(const Shape& shape, int64_t& total) {
  if (shape.IsTuple()) {
    for (const Shape& part : shape.tuple_shapes()) {
      TF_RETURN_IF_ERROR(AddBytes(part, total));
    }
    return absl::OkStatus();
  }
  if (shape.IsToken()) return absl::OkStatus();
  if (!shape.IsArray()) {
    return absl::InvalidArgumentError(
        absl::StrCat("literal: ", shape.ToString(), " has no values"));
  }
  if (shape.has_layout()) {
    TF_RETURN_IF_ERROR(
        LayoutUtil::ValidateLayoutForShape(shape.layout(), shape));
  }
  return AddArrayBytes(shape, total);
}

void MakeDense(Shape& shape) {
  for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
    MakeDense(*shape.mutable_tuple_shapes(i));
  }
  if (!shape.IsArray()) return;
  if (!shape.has_layout()) {
    LayoutUtil::SetToDefaultLayout(&shape);
  } else if (!shape.layout().is_plain()) {
    Layout dense(shape.layout().minor_to_major());
    dense.set_element_size_in_bits(shape.layout().element_size_in_bits());
    dense.set_memory_space(shape.layout().memory_space());
    *shape.mutable_layout() = dense;
  }
}

}  // namespace

int64_t LiteralPiece::element_count() const {
  if (!shape->IsArray()) return 0;
  int64_t count = 1;
  for (int64_t size : shape->dimensions()) count *= size;
  return count;
}

int64_t LiteralPiece::size_bytes() const {
  return element_count() * LiteralElementBytes(shape->element_type());
}

int64_t LiteralPiece::dynamic_size(int64_t dimension) const {
  CHECK(shape->IsArray() && dimension >= 0 &&
        dimension < shape->dimensions_size())
      << "no dimension " << dimension << " in " << shape->ToString();
  if (dynamic_sizes == nullptr || !shape->is_dynamic_dimension(dimension)) {
    return shape->dimensions(dimension);
  }
  return dynamic_sizes[dimension];
}

int64_t LiteralPiece::LinearIndex(absl::Span<const int64_t> multi_index) const {
  CHECK_EQ(static_cast<int64_t>(multi_index.size()), shape->dimensions_size());
  int64_t linear = 0;
  int64_t stride = 1;
  for (int64_t dim : shape->layout().minor_to_major()) {
    int64_t size = shape->dimensions(dim);
    CHECK(multi_index[dim] >= 0 && multi_index[dim] < size)
        << "index " << multi_index[dim] << " of dimension " << dim << " in "
        << shape->ToString();
    linear += stride * multi_index[dim];
    stride *= size;
  }
  return linear;
}

Shape DenseLiteralShape(const Shape& shape) {
  Shape dense = shape;
  MakeDense(dense);
  return dense;
}

absl::StatusOr<int64_t> LiteralBytes(const Shape& shape) {
  int64_t total = 0;
  TF_RETURN_IF_ERROR(AddBytes(shape, total));
  return total;
}

LiteralPiece MakePieceTree(const Shape& shape) {
  LiteralPiece piece;
  piece.shape = &shape;
  piece.children.reserve(shape.tuple_shapes_size());
  for (const Shape& part : shape.tuple_shapes()) {
    piece.children.push_back(MakePieceTree(part));
  }
  return piece;
}

absl::Status AllocatePieces(LiteralPiece& piece) {
  for (LiteralPiece& child : piece.children) {
    TF_RETURN_IF_ERROR(AllocatePieces(child));
  }
  if (!piece.shape->IsArray()) return absl::OkStatus();
  const bool dynamic = piece.shape->is_dynamic();
  const size_t data_bytes = piece.size_bytes();
  const size_t sizes_at = RoundUpTo(data_bytes, kAlignment);
  const size_t sizes_bytes =
      dynamic ? piece.shape->dimensions_size() * sizeof(int32_t) : 0;
  // calloc gets large blocks from the kernel, which zeroes pages on demand.
  piece.allocation = std::calloc(1, sizes_at + sizes_bytes + kAlignment);
  if (piece.allocation == nullptr) {
    return absl::ResourceExhaustedError(absl::StrCat("literal: no memory for ",
                                                     data_bytes, " bytes of ",
                                                     piece.shape->ToString()));
  }
  uintptr_t address = reinterpret_cast<uintptr_t>(piece.allocation);
  address = RoundUpTo(address, kAlignment);
  piece.buffer = reinterpret_cast<char*>(address);
  if (dynamic) {
    piece.dynamic_sizes = reinterpret_cast<int32_t*>(piece.buffer + sizes_at);
    for (int i = 0; i < piece.shape->dimensions_size(); ++i) {
      piece.dynamic_sizes[i] = static_cast<int32_t>(piece.shape->dimensions(i));
    }
  }
  return absl::OkStatus();
}

void FreePieces(LiteralPiece& piece) {
  ForEachPiece(piece, [](LiteralPiece& p) {
    std::free(p.allocation);
    p.allocation = nullptr;
    p.buffer = nullptr;
    p.dynamic_sizes = nullptr;
    p.added_sizes = nullptr;
  });
}

void SharePieces(const LiteralPiece& from, LiteralPiece& to) {
  to.buffer = from.buffer;
  to.dynamic_sizes = from.dynamic_sizes;
  to.state = from.state;
  CHECK_EQ(from.children.size(), to.children.size());
  for (size_t i = 0; i < to.children.size(); ++i) {
    SharePieces(from.children[i], to.children[i]);
  }
}

}  // namespace xla
