// One block of a matrix product: micro kernels over all its rows and columns.
// Callers pack, convert and split: packed_product.h, dot_skinny.cc,
// ../triangular_blocks.h.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_BLOCK_PRODUCT_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_BLOCK_PRODUCT_H_

#include <cstdint>

#include "absl/types/span.h"
#include "xla/backends/cpu/kernels/products/micro_kernels.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"

namespace xla::cpu {

// The micro kernels of a plan, and what stays in caches.
struct BlockKernels {
  const MicroKernelSet* set = nullptr;
  // The bytes of a right matrix that stay in the L2 cache while rows of the
  // left one stream by, and those of left rows that do while panels stream by.
  int64_t cached_right_bytes = 0, cached_left_bytes = 0;
  int64_t first_cache_bytes = 0;
};

// Returns those of the current VectorLevel.
BlockKernels BlockKernelsFor(PanelType panel, const CacheSizes& caches);

// Panels of a right matrix, one after the other, each of `rows` rows, the last
// one filled up to whole vectors.
struct Panels {
  const void* data = nullptr;
  int64_t columns = 0, rows = 0;
};

// Rows of `row_bytes` bytes that are `stride` bytes apart.
struct MemoryRows {
  const char* data = nullptr;
  int64_t rows = 0, row_bytes = 0, stride = 0;
};

// A product of [rows, depth] and [depth, columns]; strides are in elements.
struct BlockProduct {
  BlockKernels kernels;
  int64_t rows, columns, depth;
  const void* left;
  int64_t left_stride;
  // The panels one after the other, each of its start rows and depth rows, or
  // of panel_rows if that is not 0, the last one filled up to whole vectors;
  // or, with a stride, the matrix in place. With panel_rows, those from
  // right_row on are multiplied.
  const void* right;
  int64_t right_stride = 0;
  // If not null, the matrix in place is packed to here as its first rows are
  // multiplied; then this may be `right` for other rows. For sets that have
  // packing kernels.
  void* packed = nullptr;
  int64_t panel_rows = 0, right_row = 0;
  void* out;
  int64_t out_stride;
  bool accumulate = false;  // adds to `out`
  // Those of the next block, which are brought into the L2 cache.
  Panels next;
  // What is read after the block. It is brought there, too, as far as kernels
  // find the time.
  absl::Span<const MemoryRows> read_later;
};

// Reads and writes nothing beyond the matrices, except for the columns that
// fill up the last panel. A block without depth writes zeros.
void MultiplyBlock(const BlockProduct& block);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_BLOCK_PRODUCT_H_
