// Convolutions as matrix products: a row of the left matrix has all elements
// that the kernel meets at an output position. Rows are assembled block by
// block, never the whole matrix.
#include <algorithm>
#include <memory>
#include <numeric>

#include "xla/backends/cpu/kernels/products/convolution_algorithms.h"
#include "xla/backends/cpu/kernels/products/im2col.h"
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
// The most tasks of one convolution: a few for each thread of large machines.
constexpr double kMaxTasks = 256;
// The rows of a tile: between those of one micro kernel and three times the
// rows that are read into scratch at a time.
constexpr int64_t kMinRows = MicroKernelSet::kMaxRows;
constexpr int64_t kMaxRows = 12 * MicroKernelSet::kMaxRows;
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
  // Rows at a distance of a page, or a simple fraction of one, would map to few
  // cache sets.
  return CanReadLeftInPlace(kind, desc.input, desc.in_features,
                            desc.in_features / desc.feature_groups) &&
         desc.batch_groups == 1 &&
         desc.in_features * kind.element_bytes() % 1024 != 0;
}

// A column block is a range of the output features of a group, whose part of
// the kernel is packed together; blocks that do not fit into scratch wait.
class ProductConvolutionPlan : public UnfinishedConvolutionPlan {
 public:
  ProductConvolutionPlan(const ConvolutionDesc& desc,
                         const KernelTarget& target);

  size_t ScratchBytes(int num_threads) const override {
    return (desc_.kernel_packed ? 0 : blocks_at_once_ * block_bytes_) +
           WorkerSlots(tasks_, num_threads) * slot_bytes_;
  }
  size_t PackedKernelBytes() const { return blocks() * block_bytes_; }
  void PackKernel(const void* kernel, void* packed) const;
  void Run(const void* input, const void* kernel, void* out, void* scratch,
           ParallelRunner& runner) const override {
    RunTiles(input, kernel, out, scratch, runner, /*finish=*/nullptr);
  }
  void RunAndFinish(const void* input, const void* kernel, void* out,
                    void* scratch, ParallelRunner& runner,
                    TileFunction finish) const override {
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
                ParallelRunner& runner, const TileFunction* finish) const;
  struct Arrays {
    const char *input, *kernel;
    char *out, *packed, *slots;
    const TileFunction* finish;
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
  // Computes column blocks [first_block, first_block + blocks).
  void RunBlocks(const Arrays& arrays, int64_t first_block, int64_t blocks,
                 ParallelRunner& runner) const;
  void Pack(const Arrays& arrays, int64_t first_block, int64_t i, int64_t first,
            int64_t last, char* scratch) const;
  void Multiply(const Arrays& arrays, int64_t first_block, int64_t i,
                int64_t tile_row, char* scratch) const;

  const ConvolutionDesc desc_;
  const ConvolutionSizes sizes_;
  const ProductKind kind_;
  const bool input_in_place_;
  const int64_t panel_columns_;
  const int64_t pack_elements_;  // of a task that packs
  const int64_t depth_, rows_;   // of a group's product
  int64_t block_columns_, blocks_per_group_, blocks_at_once_;
  int64_t tile_rows_, tasks_;
  size_t block_bytes_, slot_bytes_;
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
  const double flops = 2.0 * rows_ * depth_ * block_columns_ * blocks_at_once_;
  const double task_flops =
      kTasksInOne * target.TaskUnits(kFlopRate * kind_.group);
  const double wanted = std::clamp(flops / task_flops, 1.0, kMaxTasks);
  tile_rows_ = std::clamp<int64_t>(
      static_cast<int64_t>(rows_ * blocks_at_once_ / wanted), kMinRows,
      kMaxRows);
  tile_rows_ = CeilOfRatio(rows_, CeilOfRatio(rows_, tile_rows_));
  const int64_t tiles = CeilOfRatio(rows_, tile_rows_) * blocks_at_once_;
  tasks_ = std::min(tiles, static_cast<int64_t>(wanted));
  slot_bytes_ =
      std::max(PackRightScratchBytes(kind_, depth_),
               TileScratchBytes(kind_, desc.out, tile_rows_, block_columns_));
}

void ProductConvolutionPlan::RunTiles(const void* input, const void* kernel,
                                      void* out, void* scratch,
                                      ParallelRunner& runner,
                                      const TileFunction* finish) const {
  char* const memory = static_cast<char*>(scratch);
  Arrays arrays = {static_cast<const char*>(input),
                   static_cast<const char*>(kernel),
                   static_cast<char*>(out),
                   memory,
                   memory + blocks_at_once_ * block_bytes_,
                   finish};
  if (desc_.kernel_packed) {
    arrays.packed = static_cast<char*>(const_cast<void*>(kernel));
    arrays.slots = memory;
  }
  for (int64_t i = 0; i < blocks(); i += blocks_at_once_) {
    RunBlocks(arrays, i, std::min(blocks_at_once_, blocks() - i), runner);
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
                                       int64_t first_block, int64_t blocks,
                                       ParallelRunner& runner) const {
  const int64_t panels = CeilOfRatio(block_columns_, panel_columns_);
  const int64_t pack_tasks =
      std::clamp<int64_t>(depth_ * block_columns_ * blocks / pack_elements_, 1,
                          std::min(blocks * panels, tasks_));
  const auto pack = [&](int64_t t, int64_t slot) {
    const int64_t end = blocks * panels * (t + 1) / pack_tasks;
    for (int64_t i = blocks * panels * t / pack_tasks; i < end;) {
      const int64_t last = std::min(end, (i / panels + 1) * panels);
      Pack(arrays, first_block, i / panels, i % panels * panel_columns_,
           (last - i / panels * panels) * panel_columns_,
           arrays.slots + slot * slot_bytes_);
      i = last;
    }
  };
  const int64_t tiles = CeilOfRatio(rows_, tile_rows_);
  if (!desc_.kernel_packed) ForEachTask(runner, pack_tasks, pack);
  ForEachRange(runner, blocks * tiles, tasks_,
               [&](int64_t first, int64_t last, int64_t slot) {
                 for (int64_t i = first; i < last; ++i) {
                   Multiply(arrays, first_block, i / tiles, i % tiles,
                            arrays.slots + slot * slot_bytes_);
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
  const RightMatrix right = {
      desc_.kernel,
      arrays.kernel + Feature(block) * primitive_util::ByteWidth(desc_.kernel),
      desc_.out_features, /*transposed=*/false};
  PackRight(kind_, right, depth_, columns, first, std::min(last, columns),
            arrays.packed + i * block_bytes_, scratch);
}

void ProductConvolutionPlan::Multiply(const Arrays& arrays, int64_t first_block,
                                      int64_t i, int64_t tile_row,
                                      char* scratch) const {
  const int64_t block = first_block + i;
  const int64_t group = block / blocks_per_group_;
  ProductTile tile = {};
  tile.row0 = tile_row * tile_rows_;
  tile.rows = std::min(tile_rows_, rows_ - tile.row0);
  tile.columns = tile.packed_columns = Columns(block);
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
  tile.finish_column = Feature(block);
  MultiplyTile(kind_, tile, Im2Col(desc_, sizes_, kind_, arrays.input, group),
               scratch);
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
