// Convolutions as matrix products: a row of the left matrix has all elements
// that the kernel meets at an output position. Rows are assembled block by
// block, never the whole matrix.
#include <algorithm>
#include <memory>
#include <numeric>

#include "xla/backends/cpu/kernels/convolutions/convolution_algorithms.h"
#include "xla/backends/cpu/kernels/convolutions/im2col.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// The multiplications and additions of F32 per nanosecond. Tasks are twice as
// long as those of dots, since each assembles rows of the left matrix.
constexpr double kFlopRate = 122;
constexpr double kTasksInOne = 2;
// The tiles per thread, if there is enough work.
constexpr double kTilesPerThread = 2;
// The rows of a tile: between those of one micro kernel and three times the
// rows that are read into scratch at a time.
constexpr int64_t kMinRows = MicroKernelSet::kMaxVectorRows;
constexpr int64_t kMaxRows = 12 * MicroKernelSet::kMaxVectorRows;
// The rows for which panels may come from beyond the L2 cache, and the columns
// for which rows may be assembled again.
constexpr int64_t kEnoughRows = 4 * MicroKernelSet::kMaxVectorRows;
constexpr int64_t kEnoughColumns = 64;
// The most output features that are packed together: more than most kernels
// have, so that rows are assembled once.
constexpr int64_t kMaxColumns = 1024;
// The most bytes of scratch for packed kernels, which is unrelated to caches:
// further blocks wait until the earlier ones are done.
constexpr int64_t kMaxPackedBytes = int64_t{32} << 20;
// The elements packed per nanosecond.
constexpr double kPackRate = 2;

// Whether rows of the left matrix can be read from the input in place.
bool ReadsInputInPlace(const ConvolutionDesc& desc, const ProductKind& kind) {
  for (const ConvolutionDim& dim : desc.dims) {
    if (dim.kernel != 1 || dim.stride != 1 || dim.padding_low != 0 ||
        dim.base_dilation != 1 || dim.input != dim.output) {
      return false;
    }
  }
  // Many rows at a distance of a page, or a simple fraction of one, would map
  // to few cache sets.
  return CanReadLeftInPlace(kind, desc.input, desc.in_features,
                            desc.in_features / desc.feature_groups) &&
         desc.batch_groups == 1 &&
         (desc.in_features * kind.element_bytes() % 1024 != 0 ||
          ReadsAnyRowsWell(kind));
}

// The tiles of a column block: `down` times `across`, the largest of which has
// so many rows and columns.
struct TileGrid {
  int64_t down, across;
  int64_t rows, columns;
  int64_t tasks;  // of all blocks at once
  // Whether each tile packs its part of the kernel, since no other needs it;
  // the bytes that it takes for that, and in all.
  bool tiles_pack;
  size_t pack_bytes, slot_bytes;
};

// A column block is a range of the output features of a group, whose part of
// the kernel is packed together; blocks that do not fit into scratch wait.
class ProductConvolutionPlan : public UnfinishedConvolutionPlan {
 public:
  ProductConvolutionPlan(const ConvolutionDesc& desc,
                         const KernelTarget& target);

  size_t ScratchBytes(int num_threads) const override {
    const TileGrid grid = GridFor(num_threads);
    return SharedBytes(grid) +
           WorkerSlots(grid.tasks, num_threads) * grid.slot_bytes;
  }
  size_t PackedKernelBytes() const { return blocks() * block_bytes_; }
  void PackKernel(const void* kernel, void* packed) const;
  void Run(const void* input, const void* kernel, void* out, void* scratch,
           ParallelRunner& runner) const override {
    RunTiles(input, kernel, out, scratch, runner, /*finish=*/nullptr);
  }
  void RunAndFinish(const void* input, const void* kernel, void* out,
                    void* scratch, ParallelRunner& runner,
                    const TileFinish& finish) const override {
    // Tiles have the features of one column block.
    if (sizes_.group_out % desc_.column_step != 0 && blocks() > 1) {
      return UnfinishedConvolutionPlan::RunAndFinish(input, kernel, out,
                                                     scratch, runner, finish);
    }
    RunTiles(input, kernel, out, scratch, runner, &finish);
  }

 private:
  // `finish` may be null.
  void RunTiles(const void* input, const void* kernel, void* out, void* scratch,
                ParallelRunner& runner, const TileFinish* finish) const;
  struct Arrays {
    const char *input, *kernel;
    char *out, *packed, *slots;
    const TileFinish* finish;
  };

  int64_t blocks() const { return sizes_.groups * blocks_per_group_; }

  // The first output feature of a column block, and the number of its features.
  int64_t Feature(int64_t block) const {
    return block / blocks_per_group_ * sizes_.group_out +
           block % blocks_per_group_ * block_columns_;
  }
  int64_t Columns(int64_t block) const {
    return std::min(
        block_columns_,
        sizes_.group_out - block % blocks_per_group_ * block_columns_);
  }
  TileGrid GridFor(int64_t num_threads) const;
  // Returns the bytes of scratch that all tasks use together.
  size_t SharedBytes(const TileGrid& grid) const {
    return desc_.kernel_packed || grid.tiles_pack
               ? 0
               : blocks_at_once_ * block_bytes_;
  }
  // Returns the first row of tile `i` of `grid.down`, and the first column,
  // within its block, of tile `i` of `grid.across`. Numbers of rows and columns
  // are those of whole micro kernels and panels but at the end.
  int64_t TileRow(const TileGrid& grid, int64_t i) const {
    const int64_t max_rows = kind_.kernels.set->max_rows;
    return std::min(CeilOfRatio(rows_, max_rows) * i / grid.down * max_rows,
                    rows_);
  }
  int64_t TileColumn(const TileGrid& grid, int64_t i) const {
    return panels_ * i / grid.across * panel_columns_;
  }
  // Computes column blocks [first_block, first_block + blocks).
  void RunBlocks(const Arrays& arrays, const TileGrid& grid,
                 int64_t first_block, int64_t blocks,
                 ParallelRunner& runner) const;
  // Returns the kernel from output feature `feature` on.
  RightMatrix RightAt(const Arrays& arrays, int64_t feature) const {
    return {desc_.kernel,
            arrays.kernel + feature * primitive_util::ByteWidth(desc_.kernel),
            desc_.out_features, /*transposed=*/false};
  }
  void Pack(const Arrays& arrays, int64_t first_block, int64_t i, int64_t first,
            int64_t last, char* scratch) const;
  void Multiply(const Arrays& arrays, const TileGrid& grid, int64_t first_block,
                int64_t tile, char* scratch) const;

  const ConvolutionDesc desc_;
  const ConvolutionSizes sizes_;
  const ProductKind kind_;
  const bool input_in_place_;
  const int64_t panel_columns_;
  const int64_t pack_elements_;  // of a task that packs
  const int64_t depth_, rows_;   // of a group's product
  int64_t block_columns_, blocks_per_group_, blocks_at_once_;
  int64_t panels_;     // of a block
  double most_tasks_;  // that blocks_at_once_ are worth
  size_t block_bytes_;
};

ProductConvolutionPlan::ProductConvolutionPlan(const ConvolutionDesc& desc,
                                               const KernelTarget& target)
    : UnfinishedConvolutionPlan(desc),
      desc_(desc),
      sizes_(desc),
      kind_(ProductKindOf(desc.input, desc.kernel, desc.out, target.caches)),
      input_in_place_(ReadsInputInPlace(desc, kind_)),
      panel_columns_(std::lcm(PanelColumns(kind_), desc.column_step)),
      pack_elements_(target.TaskUnits(kPackRate)),
      depth_(sizes_.taps * sizes_.group_in),
      rows_(sizes_.out_batch * sizes_.positions) {
  const int64_t panel = panel_columns_;
  const int64_t panel_bytes = PackedRightBytes(kind_, depth_, panel);
  block_columns_ =
      std::clamp(kMaxPackedBytes / std::max<int64_t>(panel_bytes, 1) * panel,
                 panel, std::max(panel, RoundDownTo(kMaxColumns, panel)));
  block_columns_ = std::min(block_columns_, sizes_.group_out);
  blocks_per_group_ = CeilOfRatio(sizes_.group_out, block_columns_);
  block_bytes_ = PackedRightBytes(kind_, depth_, block_columns_);
  blocks_at_once_ =
      desc.kernel_packed
          ? blocks()
          : std::clamp<int64_t>(
                kMaxPackedBytes / std::max<int64_t>(block_bytes_, 1), 1,
                blocks());
  panels_ = CeilOfRatio(block_columns_, panel_columns_);
  const double flops = 2.0 * rows_ * depth_ * block_columns_ * blocks_at_once_;
  most_tasks_ =
      flops / (kTasksInOne * target.TaskUnits(kFlopRate * kind_.rate()));
}

TileGrid ProductConvolutionPlan::GridFor(int64_t num_threads) const {
  const double wanted = std::clamp(
      most_tasks_, 1.0, kTilesPerThread * static_cast<double>(num_threads));
  const int64_t tiles =
      CeilOfRatio(static_cast<int64_t>(wanted), blocks_at_once_);
  TileGrid grid;
  grid.down = CeilOfRatio(rows_, kMaxRows);
  // If that is not enough, tiles have less rows first, then less columns.
  grid.down = std::max(grid.down, std::min(tiles, rows_ / kEnoughRows));
  grid.across = std::clamp<int64_t>(
      CeilOfRatio(tiles, grid.down), 1,
      std::clamp<int64_t>(block_columns_ / kEnoughColumns, 1, panels_));
  grid.down = std::max(
      grid.down, std::min(CeilOfRatio(tiles, grid.across), rows_ / kMinRows));
  const int64_t max_rows = kind_.kernels.set->max_rows;
  const int64_t row_blocks = CeilOfRatio(rows_, max_rows);
  // As many tiles for each thread as for the others.
  if (grid.down > 1 && blocks_at_once_ == 1 &&
      grid.down * grid.across > num_threads) {
    grid.down = CeilOfRatio(RoundUpTo(grid.down * grid.across, num_threads),
                            grid.across);
  }
  grid.down = std::min(grid.down, row_blocks);
  grid.rows = std::min(CeilOfRatio(row_blocks, grid.down) * max_rows, rows_);
  grid.columns = std::min(CeilOfRatio(panels_, grid.across) * panel_columns_,
                          block_columns_);
  grid.tasks = std::clamp<int64_t>(static_cast<int64_t>(most_tasks_), 1,
                                   grid.down * grid.across * blocks_at_once_);
  grid.tiles_pack = grid.down == 1 && !desc_.kernel_packed;
  grid.pack_bytes =
      grid.tiles_pack ? PackedBlockBytes(kind_, depth_, grid.columns) : 0;
  grid.slot_bytes = std::max(
      PackRightScratchBytes(kind_, depth_),
      grid.pack_bytes + TileScratchBytes(kind_, desc_.out, grid.rows,
                                         grid.columns, input_in_place_));
  return grid;
}

void ProductConvolutionPlan::RunTiles(const void* input, const void* kernel,
                                      void* out, void* scratch,
                                      ParallelRunner& runner,
                                      const TileFinish* finish) const {
  const TileGrid grid = GridFor(runner.num_threads());
  char* const memory = static_cast<char*>(scratch);
  Arrays arrays = {
      static_cast<const char*>(input), static_cast<const char*>(kernel),
      static_cast<char*>(out),         memory,
      memory + SharedBytes(grid),      finish};
  if (desc_.kernel_packed) {
    arrays.packed = static_cast<char*>(const_cast<void*>(kernel));
  }
  for (int64_t i = 0; i < blocks(); i += blocks_at_once_) {
    RunBlocks(arrays, grid, i, std::min(blocks_at_once_, blocks() - i), runner);
  }
}

void ProductConvolutionPlan::PackKernel(const void* kernel,
                                        void* packed) const {
  const auto scratch =
      std::make_unique<char[]>(PackRightScratchBytes(kind_, depth_));
  Arrays arrays = {};
  arrays.kernel = static_cast<const char*>(kernel);
  arrays.packed = static_cast<char*>(packed);
  for (int64_t i = 0; i < blocks(); ++i) {
    Pack(arrays, 0, i, 0, Columns(i), scratch.get());
  }
}

void ProductConvolutionPlan::RunBlocks(const Arrays& arrays,
                                       const TileGrid& grid,
                                       int64_t first_block, int64_t blocks,
                                       ParallelRunner& runner) const {
  const int64_t pack_tasks =
      std::clamp<int64_t>(depth_ * block_columns_ * blocks / pack_elements_, 1,
                          std::min(blocks * panels_, grid.tasks));
  const auto pack = [&](int64_t t, int64_t slot) {
    const int64_t end = blocks * panels_ * (t + 1) / pack_tasks;
    for (int64_t i = blocks * panels_ * t / pack_tasks; i < end;) {
      const int64_t last = std::min(end, (i / panels_ + 1) * panels_);
      Pack(arrays, first_block, i / panels_, i % panels_ * panel_columns_,
           (last - i / panels_ * panels_) * panel_columns_,
           arrays.slots + slot * grid.slot_bytes);
      i = last;
    }
  };
  if (!desc_.kernel_packed && !grid.tiles_pack) {
    ForEachTask(runner, pack_tasks, pack);
  }
  const int64_t tiles = blocks * grid.across * grid.down;
  ForEachRange(runner, tiles, std::min(grid.tasks, tiles),
               [&](int64_t first, int64_t last, int64_t slot) {
                 for (int64_t i = first; i < last; ++i) {
                   Multiply(arrays, grid, first_block, i,
                            arrays.slots + slot * grid.slot_bytes);
                 }
               });
}

// Packs columns [first, last) of block number `i` in scratch.
void ProductConvolutionPlan::Pack(const Arrays& arrays, int64_t first_block,
                                  int64_t i, int64_t first, int64_t last,
                                  char* scratch) const {
  const int64_t block = first_block + i;
  const int64_t columns = Columns(block);
  if (first >= columns) return;
  PackRight(kind_, RightAt(arrays, Feature(block)), depth_, columns, first,
            std::min(last, columns), arrays.packed + i * block_bytes_, scratch);
}

// Computes a tile of several column blocks: all rows of some columns before the
// next columns.
void ProductConvolutionPlan::Multiply(const Arrays& arrays,
                                      const TileGrid& grid, int64_t first_block,
                                      int64_t tile_number,
                                      char* scratch) const {
  const int64_t row = tile_number % grid.down;
  const int64_t column = tile_number / grid.down % grid.across;
  const int64_t i = tile_number / (grid.down * grid.across);
  const int64_t block = first_block + i;
  const int64_t group = block / blocks_per_group_;
  ProductTile tile = {};
  tile.row0 = TileRow(grid, row);
  tile.rows = TileRow(grid, row + 1) - tile.row0;
  tile.packed_columns = Columns(block);
  tile.column0 = TileColumn(grid, column);
  tile.columns = std::min(TileColumn(grid, column + 1), tile.packed_columns) -
                 tile.column0;
  // The last block of a group may have less columns than others.
  if (tile.columns <= 0) return;
  tile.depth = depth_;
  tile.packed = arrays.packed + i * block_bytes_;
  tile.out_type = desc_.out;
  tile.out = arrays.out + Feature(block) * primitive_util::ByteWidth(desc_.out);
  tile.out_stride = desc_.out_features;
  if (input_in_place_) {
    tile.left = arrays.input + group * sizes_.group_in *
                                   primitive_util::ByteWidth(desc_.input);
    tile.left_stride = desc_.in_features;
  }
  tile.finish = arrays.finish;
  tile.finish_column = Feature(block) + tile.column0;
  RightMatrix right;
  if (grid.tiles_pack) {
    right = RightAt(arrays, Feature(block) + tile.column0);
    tile.right = &right;
    tile.pack_memory = scratch;
    tile.out = arrays.out + (Feature(block) + tile.column0) *
                                primitive_util::ByteWidth(desc_.out);
    tile.column0 = 0;
  }
  MultiplyTile(kind_, tile, Im2Col(desc_, sizes_, kind_, arrays.input, group),
               scratch + grid.pack_bytes);
}

}  // namespace

bool MultipliesInPlace(const ConvolutionDesc& desc,
                       const KernelTarget& target) {
  return ReadsInputInPlace(
      desc, ProductKindOf(desc.input, desc.kernel, desc.out, target.caches));
}

size_t PackedKernelBytesOf(const ConvolutionDesc& desc,
                           const KernelTarget& target) {
  return ProductConvolutionPlan(desc, target).PackedKernelBytes();
}

void PackWholeKernel(const ConvolutionDesc& desc, const KernelTarget& target,
                     const void* kernel, void* packed) {
  ProductConvolutionPlan(desc, target).PackKernel(kernel, packed);
}

std::unique_ptr<const ConvolutionPlan> PlanConvolutionProduct(
    const ConvolutionDesc& desc, const KernelTarget& target) {
  return std::make_unique<ProductConvolutionPlan>(desc, target);
}

}  // namespace xla::cpu
