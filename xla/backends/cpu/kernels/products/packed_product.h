// Matrix products by blocks: the right matrix is packed into micro panels, a
// LeftReader brings rows of the left one, and each call computes a tile of the
// result. Dots and convolutions use it, and decide which task does which tile.
// Source: Goto and van de Geijn, "Anatomy of high-performance matrix
// multiplication", 2008, with the left matrix not packed.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_PACKED_PRODUCT_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_PACKED_PRODUCT_H_

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "xla/backends/cpu/kernels/products/block_product.h"
#include "xla/backends/cpu/kernels/products/micro_kernels.h"
#include "xla/base/checked_math.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// How the sums of products of some types are computed.
struct ProductKind {
  PrimitiveType element;  // what operands are converted to: F32, F64, C64,
                          // C128, S16, U32 or U64
  PanelType panel;        // what those are multiplied as
  PrimitiveType sum;      // F32, F64, C64, C128, U32 or U64; S64 for U64 whose
                          // result is not an integer
  // Complex numbers count as two real rows of twice the depth.
  bool is_complex = false;
  // Numbers side by side in an element of a panel's depth.
  int pairs = 1;
  BlockKernels kernels = {};

  // Elements of depth that are summed at a time.
  int64_t depth_block() const {
    return kMaxBlockDepth * pairs / (is_complex ? 2 : 1);
  }
  // Elements of a panel's depth for `depth` operand elements.
  int64_t panel_depth(int64_t depth) const {
    return is_complex ? 2 * depth : CeilOfRatio(depth, pairs);
  }
  int element_bytes() const;
};

// For products of array types `lhs` and `rhs` whose sums become `out`. Floats
// are summed in F32, or F64 if any type is; integers so that the result is
// exact, modulo 2^bits if it is an integer.
// Micro kernels are those of the current VectorLevel.
ProductKind ProductKindOf(PrimitiveType lhs, PrimitiveType rhs,
                          PrimitiveType out, const CacheSizes& caches);

// Whether sums are what the result consists of, so that they need no memory.
bool SumsInPlace(const ProductKind& kind, PrimitiveType out);

// [depth, columns], or [columns, depth] if transposed; its rows are `stride`
// elements apart.
struct RightMatrix {
  PrimitiveType type;
  const void* data;
  int64_t stride;
  bool transposed;
};

// Bytes of `columns` columns once packed; a multiple of 64.
size_t PackedRightBytes(const ProductKind& kind, int64_t depth,
                        int64_t columns);
// Columns in a panel of full width; packing starts at a multiple of it.
int64_t PanelColumns(const ProductKind& kind);
// Bytes that one call of PackRight needs.
size_t PackRightScratchBytes(const ProductKind& kind, int64_t depth);
// Packs columns [first, last) of `columns`; both are multiples of
// PanelColumns, or `columns`. Calls for different columns may run at once.
void PackRight(const ProductKind& kind, const RightMatrix& right, int64_t depth,
               int64_t columns, int64_t first, int64_t last, void* packed,
               void* scratch);

// Bytes of one block of depth of `columns` columns once packed, and of what
// packing it needs.
size_t PackedBlockBytes(const ProductKind& kind, int64_t depth,
                        int64_t columns);

// Writes elements [depth0, depth0 + depth) of rows [row0, row0 + rows) to
// `to`, `stride` elements apart, as ProductKind::element. May write up to 7
// elements more behind each row, before writing the next.
using LeftReader =
    absl::FunctionRef<void(int64_t row0, int64_t rows, int64_t depth0,
                           int64_t depth, void* to, int64_t stride)>;

// A tile of a product, and where its operands are.
struct ProductTile {
  int64_t row0, rows;
  int64_t column0, columns;  // column0 is a multiple of PanelColumns
  int64_t depth;
  const void* packed;      // the right matrix
  int64_t packed_columns;  // of the whole right matrix
  // Instead of these two: the right matrix as it is, from the tile's first
  // column, and PackedBlockBytes of memory, into which it is packed block by
  // block.
  const RightMatrix* right = nullptr;
  void* pack_memory = nullptr;
  // The left matrix, if its rows can be read in place: it has the kind's
  // element type, which is real and no pair.
  const void* left = nullptr;
  int64_t left_stride = 0;
  // The result, whose rows are out_stride elements apart.
  PrimitiveType out_type;
  void* out;
  int64_t out_stride;
};

// Bytes that MultiplyTile needs for tiles of at most that many rows and
// columns; a multiple of 64. Fewer if `left_in_place`: tile.left is set.
size_t TileScratchBytes(const ProductKind& kind, PrimitiveType out_type,
                        int64_t rows, int64_t columns,
                        bool left_in_place = false);
// Does not call `reader` if tile.left is set.
void MultiplyTile(const ProductKind& kind, const ProductTile& tile,
                  LeftReader reader, void* scratch);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_PACKED_PRODUCT_H_
