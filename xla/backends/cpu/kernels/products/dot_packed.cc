// Dots that pack their right operand: who packs and multiplies what.
#include <algorithm>

#include "xla/backends/cpu/kernels/products/dot_routes.h"
#include "xla/backends/cpu/kernels/products/left_rows.h"
#include "xla/backends/cpu/kernels/products/micro_kernels.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// Multiplications and additions that are worth a task, and the size from which
// a product is split.
constexpr double kTaskFlops = 2e6;
constexpr double kSplitFlops = 3e6;
// Of an item that all pack together, each thread takes so many tiles at least,
// if they are worth it; on few threads tiles stay as large as on eight.
constexpr int64_t kTilesPerThread = 4;
constexpr int64_t kFewThreads = 8;
// Bytes and columns of the right matrix that stay in the second cache.
constexpr int64_t kBlockBytes = 512 << 10;
constexpr int64_t kMaxColumns = 512;
constexpr int64_t kMinColumns = 64;
// Rows of a tile: those whose left matrix is brought along, times a few, and
// the most whose sums wait for their conversion.
constexpr int64_t kRowStep = LeftRows::kMaxRows;
constexpr int64_t kTileRows = 3 * kRowStep;
constexpr int64_t kMaxSumRows = 9 * kRowStep;
// Of the packed right matrix: columns beyond wait for those before.
constexpr int64_t kMaxPackedBytes = int64_t{32} << 20;
// Elements that one packing task takes at least.
constexpr int64_t kPackElements = 32 << 10;

// How a dot that packs is divided. There are three ways:
// - a task takes whole items;
// - the tasks of an item take columns, and pack them block by block for
//   themselves, which costs the least;
// - all pack an item together, then take tiles of it: for many threads, each of
//   which would pack for few rows.
// Sums of each element run over depth in the same order in all of them, so that
// they may be chosen by the number of threads.
struct PackedPlan {
  ProductKind kind;
  bool whole_items = false;
  int64_t tasks = 1;          // of whole items; else the most at a time
  int64_t block_columns = 0;  // of tasks that pack for themselves
  int64_t max_rows = 0;       // of such tasks
  size_t own_slot_bytes = 0;
  // If packed together: columns packed at a time, tiles, bytes.
  int64_t columns_at_once = 0, rows = 0, columns = 0;
  size_t packed_bytes = 0, slot_bytes = 0;

  PackedPlan(const DotDesc& desc, int num_threads);
  size_t ScratchBytes(const DotDesc& desc, int num_threads) const;

 private:
  void PlanTogether(const DotDesc& desc, double flops, int num_threads);
};

PackedPlan::PackedPlan(const DotDesc& desc, int num_threads)
    : kind(ProductKindOf(desc.lhs, desc.rhs, desc.out)) {
  const double flops = 2.0 * desc.m * desc.n * std::max<int64_t>(desc.k, 1) *
                       (kind.is_complex ? 4 : 1);
  const double total = flops * desc.batch;
  const int64_t panel = PanelColumns(kind);
  const int64_t panel_bytes = std::max<int64_t>(
      PackedRightBytes(kind, std::min(desc.k, kind.depth_block()), panel), 1);
  block_columns = std::clamp(kBlockBytes / panel_bytes, int64_t{1},
                             std::max<int64_t>(kMaxColumns / panel, 1)) *
                  panel;
  block_columns = std::min(block_columns, desc.n);
  max_rows =
      SumsInPlace(kind, desc.out) ? desc.m : std::min(desc.m, kMaxSumRows);
  const bool left_in_place = ReadsLeftInPlace(desc, kind);
  own_slot_bytes =
      PackedBlockBytes(kind, desc.k, block_columns) +
      TileScratchBytes(kind, desc.out, max_rows, block_columns, left_in_place);
  whole_items = flops <= kSplitFlops ||
                ItemsFillThreads(desc.batch, flops / kTaskFlops, num_threads);
  if (whole_items) {
    tasks = std::clamp<int64_t>(total / kTaskFlops, 1, desc.batch);
  } else {
    PlanTogether(desc, flops, num_threads);
  }
}

void PackedPlan::PlanTogether(const DotDesc& desc, double flops,
                              int num_threads) {
  const int64_t panel = PanelColumns(kind);
  const int64_t column_bytes = PackedRightBytes(kind, desc.k, panel) / panel;
  columns_at_once =
      std::max(kMaxPackedBytes / std::max<int64_t>(column_bytes, 1),
               int64_t{256}) /
      panel * panel;
  columns_at_once = std::min(std::max(columns_at_once, panel), desc.n);
  packed_bytes = PackedRightBytes(kind, desc.k, columns_at_once);
  rows = std::min(desc.m, kTileRows);
  columns = std::min(kMaxColumns, columns_at_once);
  const auto tiles = [&] {
    return CeilOfRatio(desc.m, rows) * CeilOfRatio(columns_at_once, columns);
  };
  const int64_t wanted = std::clamp<int64_t>(
      flops / (2 * kTaskFlops), 1,
      kTilesPerThread * std::max<int64_t>(num_threads, kFewThreads));
  while (tiles() < wanted) {
    if (columns > 256) {
      columns /= 2;
    } else if (rows > kRowStep) {
      rows -= kRowStep;
    } else if (columns > 128) {
      columns /= 2;
    } else {
      break;
    }
  }
  columns = std::min(RoundUpTo(columns, panel), desc.n);
  tasks = std::clamp<int64_t>(
      std::max(tiles(), CeilOfRatio(columns_at_once, panel)), 1, wanted);
  slot_bytes = std::max(PackRightScratchBytes(kind, desc.k),
                        TileScratchBytes(kind, desc.out, rows, columns,
                                         ReadsLeftInPlace(desc, kind)));
}

// The operands of one item of the batch.
struct Item {
  const char *lhs, *rhs;
  char* out;
};

ProductTile TileOf(const DotDesc& desc, const ProductKind& kind,
                   const Item& item) {
  ProductTile tile = {};
  tile.depth = desc.k;
  tile.out_type = desc.out;
  tile.out = item.out;
  tile.out_stride = desc.out_stride;
  if (ReadsLeftInPlace(desc, kind)) {
    tile.left = item.lhs;
    tile.left_stride = desc.lhs_stride;
  }
  return tile;
}

// A range of an item's result.
struct TaskRange {
  int64_t row0, rows, column0, columns;
};

// Packs for itself.
void RunTaskRange(const DotDesc& desc, const PackedPlan& plan, const Item& item,
                  const TaskRange& range, char* scratch) {
  const LeftRows reader(desc, plan.kind, item.lhs);
  const int64_t end = range.column0 + range.columns;
  for (int64_t c = range.column0; c < end; c += plan.block_columns) {
    const int64_t right_at = desc.rhs_transposed ? c * desc.rhs_stride : c;
    const RightMatrix right = {desc.rhs, Advance(item.rhs, right_at, desc.rhs),
                               desc.rhs_stride, desc.rhs_transposed};
    ProductTile tile = TileOf(desc, plan.kind, item);
    tile.right = &right;
    tile.pack_memory = scratch;
    tile.columns = std::min(plan.block_columns, end - c);
    tile.out = item.out + c * primitive_util::ByteWidth(desc.out);
    char* const rest =
        scratch + PackedBlockBytes(plan.kind, desc.k, tile.columns);
    for (int64_t i = 0; i < range.rows; i += plan.max_rows) {
      tile.row0 = range.row0 + i;
      tile.rows = std::min(plan.max_rows, range.rows - i);
      MultiplyTile(plan.kind, tile, reader, rest);
    }
  }
}

// The tasks of an item for some threads: columns, and rows only where there are
// too few columns, since each task packs its columns. Tasks have as many panels
// as others, or one more, and so with the rows of a kernel.
struct TaskGrid {
  int64_t panel, panels, across, row_units, down;

  TaskGrid(const DotDesc& desc, const PackedPlan& plan, int64_t threads)
      : panel(PanelColumns(plan.kind)), panels(CeilOfRatio(desc.n, panel)) {
    across = CeilOfRatio(desc.n, plan.block_columns);
    if (across < 4 * threads) {
      across = std::max(across, std::min(RoundUpTo(across, threads),
                                         CeilOfRatio(desc.n, kMinColumns)));
    }
    across = std::min(across, panels);
    row_units = CeilOfRatio(desc.m, MicroKernelSet::kMaxRows);
    down = std::clamp<int64_t>(CeilOfRatio(threads, across), 1,
                               CeilOfRatio(desc.m, kRowStep));
  }
  int64_t count() const { return across * down; }
  TaskRange At(const DotDesc& desc, int64_t i) const {
    const auto row = [&](int64_t range) {
      return std::min(row_units * range / down * MicroKernelSet::kMaxRows,
                      desc.m);
    };
    const auto column = [&](int64_t range) {
      return std::min(panels * range / across * panel, desc.n);
    };
    const int64_t r = i % down, c = i / down;
    return {row(r), row(r + 1) - row(r), column(c), column(c + 1) - column(c)};
  }
};

// Whether there are so many threads that each packing for itself would be more
// than all of the item.
bool PacksTogether(const PackedPlan& plan, const TaskGrid& grid,
                   int64_t num_threads) {
  return WorkerSlots(grid.count(), num_threads) * plan.own_slot_bytes >
         plan.packed_bytes + plan.tasks * plan.slot_bytes;
}

size_t PackedPlan::ScratchBytes(const DotDesc& desc, int num_threads) const {
  if (whole_items) return WorkerSlots(tasks, num_threads) * own_slot_bytes;
  const TaskGrid grid(desc, *this, num_threads);
  return PacksTogether(*this, grid, num_threads)
             ? packed_bytes + WorkerSlots(tasks, num_threads) * slot_bytes
             : WorkerSlots(grid.count(), num_threads) * own_slot_bytes;
}

// An item by all threads, so many columns at a time.
void RunTogether(const DotDesc& desc, const PackedPlan& plan, const Item& item,
                 char* scratch, ParallelRunner& runner) {
  char* packed = scratch;
  char* slots = scratch + plan.packed_bytes;
  const LeftRows reader(desc, plan.kind, item.lhs);
  const int64_t panel = PanelColumns(plan.kind);
  for (int64_t c = 0; c < desc.n; c += plan.columns_at_once) {
    const int64_t width = std::min(plan.columns_at_once, desc.n - c);
    const int64_t right_at = desc.rhs_transposed ? c * desc.rhs_stride : c;
    const RightMatrix right = {desc.rhs, Advance(item.rhs, right_at, desc.rhs),
                               desc.rhs_stride, desc.rhs_transposed};
    const int64_t panels = CeilOfRatio(width, panel);
    const int64_t pack_tasks = std::clamp<int64_t>(
        width * desc.k / kPackElements, 1, std::min(panels, plan.tasks));
    ForEachTask(runner, pack_tasks, [&](int64_t t, int64_t slot) {
      const int64_t first = panels * t / pack_tasks * panel;
      const int64_t last =
          std::min(panels * (t + 1) / pack_tasks * panel, width);
      PackRight(plan.kind, right, desc.k, width, first, last, packed,
                slots + slot * plan.slot_bytes);
    });
    ProductTile tile = TileOf(desc, plan.kind, item);
    tile.packed = packed;
    tile.packed_columns = width;
    tile.out = item.out + c * primitive_util::ByteWidth(desc.out);
    const int64_t across = CeilOfRatio(width, plan.columns);
    const int64_t tiles = across * CeilOfRatio(desc.m, plan.rows);
    const int64_t tasks = std::min(tiles, plan.tasks);
    const auto run = [&](int64_t first, int64_t last, int64_t slot) {
      ProductTile own = tile;
      for (int64_t i = first; i < last; ++i) {
        own.row0 = i / across * plan.rows;
        own.rows = std::min(plan.rows, desc.m - own.row0);
        own.column0 = i % across * plan.columns;
        own.columns = std::min(plan.columns, width - own.column0);
        MultiplyTile(plan.kind, own, reader, slots + slot * plan.slot_bytes);
      }
    };
    ForEachRange(runner, tiles, tasks, run);
  }
}

void SplitItem(const DotDesc& desc, const PackedPlan& plan, const Item& item,
               char* scratch, ParallelRunner& runner) {
  const TaskGrid grid(desc, plan, runner.num_threads());
  if (PacksTogether(plan, grid, runner.num_threads())) {
    return RunTogether(desc, plan, item, scratch, runner);
  }
  ForEachTask(runner, grid.count(), [&](int64_t i, int64_t slot) {
    RunTaskRange(desc, plan, item, grid.At(desc, i),
                 scratch + slot * plan.own_slot_bytes);
  });
}

}  // namespace

size_t PackedDotScratchBytes(const DotDesc& desc, int num_threads) {
  return PackedPlan(desc, num_threads).ScratchBytes(desc, num_threads);
}

void PackedDot(const DotDesc& desc, const void* lhs, const void* rhs, void* out,
               void* scratch, ParallelRunner& runner) {
  const PackedPlan plan(desc, runner.num_threads());
  const auto item_at = [&](int64_t i) {
    return Item{
        Advance(lhs, i * desc.lhs_batch_stride, desc.lhs),
        Advance(rhs, i * desc.rhs_batch_stride, desc.rhs),
        const_cast<char*>(Advance(out, i * desc.out_batch_stride, desc.out))};
  };
  char* memory = static_cast<char*>(scratch);
  if (!plan.whole_items) {
    for (int64_t i = 0; i < desc.batch; ++i) {
      SplitItem(desc, plan, item_at(i), memory, runner);
    }
    return;
  }
  ForEachRange(runner, desc.batch, plan.tasks,
               [&](int64_t first, int64_t last, int64_t slot) {
                 for (int64_t i = first; i < last; ++i) {
                   RunTaskRange(desc, plan, item_at(i), {0, desc.m, 0, desc.n},
                                memory + slot * plan.own_slot_bytes);
                 }
               });
}

}  // namespace xla::cpu
