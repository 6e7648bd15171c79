// Matrix products by blocks: the right matrix is packed into micro panels, a
// LeftReader brings rows of the left one, and each call computes a tile of the
// result. Dots and convolutions use it, and decide which task does which tile.
// Source: Goto and van de Geijn, "Anatomy of high-performance matrix
// multiplication", 2008, with the left matrix not packed.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_PACKED_PRODUCT_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_PACKED_PRODUCT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "xla/backends/cpu/kernels/products/block_product.h"
#include "xla/backends/cpu/kernels/products/micro_kernels.h"
#include "xla/backends/cpu/kernels/products/operand_function.h"
#include "xla/backends/cpu/kernels/products/tile_function.h"
#include "xla/base/checked_math.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// How sums of products of given types are computed.
struct ProductKind {
  PrimitiveType element;  // what operands are converted to: F32, F64, C64,
                          // C128, S16, U32, U64, BF16, S8 or U8
  PanelType panel;        // what those are multiplied as
  PrimitiveType sum;      // F32, F64, C64, C128, U32 or U64; S64 for U64 whose
                          // result is not an integer
  // A row of complex numbers counts as two real rows of twice the depth.
  bool is_complex = false;
  // The numbers in one element of a panel's depth: 1, 2 or 4.
  int group = 1;
  // What the left operand is converted to if not `element`: U8 or S8.
  PrimitiveType left = element;
  // Whether 128 is added to elements of the left operand, modulo 256, which
  // makes signed ones unsigned and the reverse; panels begin with a row that
  // corrects the sums.
  bool shifts_left = false;
  BlockKernels kernels = {};

  // The elements of depth that are summed at a time.
  int64_t depth_block() const {
    return int64_t{kernels.set->max_depth} * group / (is_complex ? 2 : 1);
  }
  // Returns what parts of depth begin at multiples of.
  int64_t depth_step() const { return kernels.set->depth_step * group; }
  // Returns the elements of a panel's depth for `depth` operand elements.
  int64_t panel_depth(int64_t depth) const {
    return is_complex ? 2 * depth : CeilOfRatio(depth, group);
  }
  // Returns the rows of packed panels for `depth` operand elements: those of
  // its blocks, each with its start row, and those that fill up the last one.
  int64_t panel_rows(int64_t depth) const {
    const int64_t blocks =
        std::max<int64_t>(CeilOfRatio(depth, depth_block()), 1);
    return RoundUpTo<int64_t>(panel_depth(depth), kernels.set->depth_step) +
           blocks * kernels.set->start_rows;
  }
  int element_bytes() const;
  // Returns the multiplications in the time of one of F32, about.
  int rate() const {
    return kernels.set->set_up_tiles != nullptr ? 5 * group : group;
  }
};

// Returns the kind for products of array types `lhs` and `rhs` whose sums
// become `out`. Floats are summed in F32, or F64 if any type is; integers so
// that the result is exact, modulo 2^bits if it is an integer. Micro kernels
// are those of the current VectorLevel: where it multiplies bfloat16, subnormal
// operands and sums of types that fit into bfloat16 count as zeros.
ProductKind ProductKindOf(PrimitiveType lhs, PrimitiveType rhs,
                          PrimitiveType out, const CacheSizes& caches);

// Whether the result consists of the sums themselves, so that they need no
// memory of their own.
bool SumsInPlace(const ProductKind& kind, PrimitiveType out);

// A matrix [depth, columns], or [columns, depth] if transposed, whose rows are
// `stride` elements apart.
struct RightMatrix {
  PrimitiveType type;
  const void* data;
  int64_t stride;
  bool transposed;
  // Instead of `data`, what computes rows; the matrix begins at row `row` and
  // column `column` of these.
  const OperandFunction* computed = nullptr;
  int64_t row = 0, column = 0;
};

// Returns the bytes of `columns` packed columns, a multiple of 64.
size_t PackedRightBytes(const ProductKind& kind, int64_t depth,
                        int64_t columns);
// Returns the columns of a full panel; packing starts at multiples of it.
int64_t PanelColumns(const ProductKind& kind);
// Returns the bytes of scratch that one call of PackRight needs.
size_t PackRightScratchBytes(const ProductKind& kind, int64_t depth);
// Packs columns [first, last) of `columns`; both are multiples of
// PanelColumns, or `columns`. Calls for different columns may run at once.
void PackRight(const ProductKind& kind, const RightMatrix& right, int64_t depth,
               int64_t columns, int64_t first, int64_t last, void* packed,
               void* scratch);

// Returns the bytes of one packed block of depth of `columns` columns, together
// with the scratch for packing it.
size_t PackedBlockBytes(const ProductKind& kind, int64_t depth,
                        int64_t columns);

// Writes elements [depth0, depth0 + depth) of rows [row0, row0 + rows) to
// `to`, `stride` elements apart, as ProductKind::left. May write up to 7
// more elements behind each row before it writes the next one.
using LeftReader =
    absl::FunctionRef<void(int64_t row0, int64_t rows, int64_t depth0,
                           int64_t depth, void* to, int64_t stride)>;

// Whether micro kernels can read rows of a left matrix of `type` in place,
// which are `stride` elements apart and have `depth` of them.
bool CanReadLeftInPlace(const ProductKind& kind, PrimitiveType type,
                        int64_t stride, int64_t depth);
// Whether that costs nothing, however many bytes there are between rows: if
// they map to the same cache set, those of a micro kernel must fit into its
// ways, of which all processors have at least eight.
bool ReadsAnyRowsWell(const ProductKind& kind);

// A tile of a product, and where its operands are.
struct ProductTile {
  int64_t row0, rows;
  int64_t column0, columns;  // column0 is a multiple of PanelColumns
  int64_t depth;
  // If not the whole depth, the part of it in which the left matrix may have
  // elements other than zero, whose products alone are added. Depths begin at a
  // multiple of ProductKind::depth_step, and panels have no start rows.
  int64_t depth0 = 0, depths = -1;
  const void* packed;      // the right matrix
  int64_t packed_columns;  // of the whole right matrix
  // The columns behind the tile's that the caller multiplies next: what it
  // needs of them first is prefetched.
  int64_t columns_after = 0;
  // Instead of these two, the right matrix in place, from the tile's first
  // column, and PackedBlockBytes of memory, into which it is packed block by
  // block.
  const RightMatrix* right = nullptr;
  void* pack_memory = nullptr;
  // The left matrix, if its rows can be read in place (CanReadLeftInPlace).
  const void* left = nullptr;
  int64_t left_stride = 0;
  // The result, whose rows are out_stride elements apart.
  PrimitiveType out_type;
  void* out;
  int64_t out_stride;
  // If not null, called with parts of the tile's rows once they are in `out`.
  // It gets the rows after finish_row and the tile's columns as the ones from
  // finish_column on.
  const TileFinish* finish = nullptr;
  int64_t finish_row = 0, finish_column = 0;
};

// Returns the bytes of scratch that MultiplyTile needs for tiles of at most
// this many rows and columns, a multiple of 64. There are fewer if
// `left_in_place`, that is if tile.left is set.
size_t TileScratchBytes(const ProductKind& kind, PrimitiveType out_type,
                        int64_t rows, int64_t columns,
                        bool left_in_place = false);
// Does not call `reader` if tile.left is set.
void MultiplyTile(const ProductKind& kind, const ProductTile& tile,
                  LeftReader reader, void* scratch);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_PACKED_PRODUCT_H_
