// Converts rows, or transposes columns into rows, eight at a time.
#include "xla/backends/cpu/kernels/products/left_rows.h"

#include <algorithm>

#include "xla/backends/cpu/kernels/vector/transposing.h"

namespace xla::cpu {

bool ReadsLeftInPlace(const DotDesc& desc, const ProductKind& kind) {
  return !desc.lhs_transposed &&
         CanReadLeftInPlace(kind, desc.lhs, desc.lhs_stride, desc.k) &&
         (desc.lhs_stride * kind.element_bytes() % 4096 != 0 || desc.m <= 4 ||
          ReadsAnyRowsWell(kind));
}

LeftRows::LeftRows(const DotDesc& desc, const ProductKind& kind,
                   const void* lhs)
    : desc_(desc),
      width_(kind.element_bytes()),
      same_type_(desc.lhs == kind.left),
      lhs_(lhs),
      convert_(RunConverterOf(desc.lhs, kind.left)) {}

void LeftRows::operator()(int64_t row0, int64_t rows, int64_t depth0,
                          int64_t depth, void* to, int64_t stride) const {
  char* out = static_cast<char*>(to);
  if (desc_.lhs_transposed) {
    return ReadColumns(row0, rows, depth0, depth, out, stride);
  }
  for (int64_t i = 0; i < rows; ++i) {
    convert_(Advance(lhs_, (row0 + i) * desc_.lhs_stride + depth0, desc_.lhs),
             out + i * stride * width_, depth);
  }
}

void LeftRows::ReadColumns(int64_t row0, int64_t rows, int64_t depth0,
                           int64_t depth, char* to, int64_t stride) const {
  char converted[kTransposedRows][kMaxRows * 16];
  const void* columns[kTransposedRows];
  for (int64_t l = 0; l < depth; l += kTransposedRows) {
    for (int64_t r = 0; r < kTransposedRows; ++r) {
      // Beyond the end any column will do, since it goes into the padding.
      const int64_t at = depth0 + std::min(l + r, depth - 1);
      columns[r] = Advance(lhs_, at * desc_.lhs_stride + row0, desc_.lhs);
      if (same_type_) continue;
      convert_(columns[r], converted[r], rows);
      columns[r] = converted[r];
    }
    RowsToColumns(width_, columns, rows, to + l * width_, stride);
  }
}

}  // namespace xla::cpu
