// One block of a matrix product: micro kernels over all rows and columns of it,
// for a depth that keeps its right matrix in the second cache. Who packs,
// converts and divides is above: packed_product.h, dot_skinny.cc.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_BLOCK_PRODUCT_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_BLOCK_PRODUCT_H_

#include <cstdint>

#include "xla/backends/cpu/kernels/products/micro_kernels.h"

namespace xla::cpu {

// The most depth of a block whose right matrix is in place.
inline constexpr int64_t kMaxBlockDepth = 512;

// [rows, depth] by [depth, columns]; strides in elements.
struct BlockProduct {
  PanelType panel;
  int64_t rows, columns, depth;
  const void* left;
  int64_t left_stride;
  // Panels one after the other, each of depth rows, the last one filled up to
  // a whole narrow panel; or, with a stride, the matrix as it is.
  const void* right;
  int64_t right_stride = 0;
  void* out;
  int64_t out_stride;
  bool accumulate = false;  // adds to `out`
};

// Reads and writes nothing beyond the matrices but what fills panels. Without
// depth: zeros.
void MultiplyBlock(const BlockProduct& block);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_BLOCK_PRODUCT_H_
