// One block of a matrix product: micro kernels over all its rows and columns.
// Callers pack, convert and split: packed_product.h, dot_skinny.cc,
// ../triangular_blocks.h.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_BLOCK_PRODUCT_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_BLOCK_PRODUCT_H_

#include <cstdint>

#include "xla/backends/cpu/kernels/products/micro_kernels.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"

namespace xla::cpu {

// The depth of a block, at most. Fixed, whatever the caches: sums of blocks are
// added up, so that it is part of the order of each sum.
inline constexpr int64_t kMaxBlockDepth = 512;

// The micro kernels of a plan, and the bytes of a right matrix that stay in the
// second cache while rows of the left one go by.
struct BlockKernels {
  const MicroKernelSet* set = nullptr;
  int64_t cached_right_bytes = 0;
};

// Those of the current VectorLevel.
BlockKernels BlockKernelsFor(PanelType panel, const CacheSizes& caches);

// [rows, depth] by [depth, columns]; strides in elements.
struct BlockProduct {
  BlockKernels kernels;
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

// Reads and writes nothing beyond the matrices, except for the columns that
// fill up the last panel. A block without depth is all zeros.
void MultiplyBlock(const BlockProduct& block);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_BLOCK_PRODUCT_H_
