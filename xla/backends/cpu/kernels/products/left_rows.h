// LeftRows reads rows of the left operand of a dot for tiles of products.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_LEFT_ROWS_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_LEFT_ROWS_H_

#include <cstdint>

#include "xla/backends/cpu/kernels/products/dot.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/backends/cpu/kernels/vector/element_runs.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {

inline const char* Advance(const void* data, int64_t elements,
                           PrimitiveType type) {
  return static_cast<const char*>(data) +
         elements * primitive_util::ByteWidth(type);
}

// Whether micro kernels should read rows of the left operand in place: many
// rows at distances that are multiples of a page would map to the same cache
// sets.
bool ReadsLeftInPlace(const DotDesc& desc, const ProductKind& kind);

// Makes a LeftReader of the operand at `lhs`, of any type and order, which
// reads at most kMaxRows rows at a time. Strides of `desc` are filled in;
// borrows both.
class LeftRows {
 public:
  static constexpr int64_t kMaxRows = 4 * MicroKernelSet::kMaxVectorRows;

  LeftRows(const DotDesc& desc, const ProductKind& kind, const void* lhs);

  void operator()(int64_t row0, int64_t rows, int64_t depth0, int64_t depth,
                  void* to, int64_t stride) const;

 private:
  void ReadColumns(int64_t row0, int64_t rows, int64_t depth0, int64_t depth,
                   char* to, int64_t stride) const;

  const DotDesc& desc_;
  const int width_;
  const bool same_type_;
  const void* lhs_;
  const RunConverter convert_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_LEFT_ROWS_H_
