// Divides dots that pack their right operand: which task packs and multiplies
// what.
#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#include "xla/backends/cpu/kernels/products/dot_algorithms.h"
#include "xla/backends/cpu/kernels/products/left_rows.h"
#include "xla/backends/cpu/kernels/products/micro_kernels.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// The multiplications and additions of F32 per nanosecond, and the size in
// tasks from which a product is split.
constexpr double kFlopRate = 122;
constexpr double kSplitTasks = 1.5;
// The least tiles per thread of an item that all threads pack together, if
// there is enough work; on fewer than kFewThreads threads tiles are as large as
// on that many.
constexpr int64_t kTilesPerThread = 4;
constexpr int64_t kFewThreads = 8;
// The most bytes of a row of the columns that a task packs at a time, which
// prefetchers follow. Longer ones would not make packing faster, while other
// programs that share the core take a part of its caches.
constexpr int64_t kMaxRowBytes = 1024;
// The least columns of a task: reading the left matrix again pays from two
// panels of 128 bytes of f32 on.
constexpr int64_t kMinColumns = 64;
// The tasks' worth of work per thread from which threads get two tasks each:
// cores may run at different speeds, and one that shares its execution units
// with another program at half of its own.
constexpr double kUnevenTasks = 32;
// The bytes of a packed matrix that stay in all caches of the second level.
constexpr size_t kKeptPackedBytes = size_t{512} << 10;
// By how much the times of divisions that count as equal may differ.
constexpr double kSameTime = 1.03;
// The rows of F32 that could be multiplied with a column while it is packed.
constexpr int64_t kPackingRows = 16;
// The rows that are read into scratch at a time, the rows of a tile, and the
// most rows whose sums wait in scratch for their conversion.
constexpr int64_t kRowStep = LeftRows::kMaxRows;
constexpr int64_t kTileRows = 3 * kRowStep;
constexpr int64_t kMaxSumRows = 9 * kRowStep;
// The most bytes of scratch for a packed right matrix, which is unrelated to
// caches: further columns wait until the earlier ones are done.
constexpr int64_t kMaxPackedBytes = int64_t{32} << 20;
// The elements packed per nanosecond.
constexpr double kPackRate = 2;

// The operands and result of one item, that is one element of the batch.
struct Item {
  const char *lhs, *rhs;  // rhs is packed or computed if the desc says so
  char* out;
  int64_t row;      // the first of the item's rows among those of all items
  int64_t rhs_row;  // and of those of rhs
};

// The bytes of scratch of a task: for packing, and in all.
struct SlotBytes {
  size_t pack, total;
};

// A rectangle of an item's result.
struct TaskRange {
  int64_t row0, rows, column0, columns;
};

// The division of an item that all threads pack together.
struct SharedPacking {
  int64_t columns_at_once = 0;    // packed before they are multiplied
  int64_t rows = 0, columns = 0;  // of a tile
  int64_t tasks = 1;              // the most at a time
  size_t packed_bytes = 0, slot_bytes = 0;
};

// The tasks of an item if each task packs its own columns. Tasks divide the
// columns, and the rows only if there are too few columns. Their numbers of
// panels differ by at most one, and so do their numbers of row groups of micro
// kernels.
struct TaskGrid {
  int64_t panel, panels, across, block_rows, row_blocks, down;

  int64_t count() const { return across * down; }
  // The most columns of a task.
  int64_t columns() const { return CeilOfRatio(panels, across) * panel; }
  TaskRange At(const DotDesc& desc, int64_t i) const {
    const auto row = [&](int64_t r) {
      return std::min(row_blocks * r / down * block_rows, desc.m);
    };
    const auto column = [&](int64_t c) {
      return std::min(panels * c / across * panel, desc.n);
    };
    const int64_t r = i % down, c = i / down;
    return {row(r), row(r + 1) - row(r), column(c), column(c + 1) - column(c)};
  }
};

// Returns the most columns that a task packs at a time. Splitting complex
// numbers pays only in longer rows.
int64_t MaxColumns(const ProductKind& kind) {
  return (kind.is_complex ? 4 : 1) * kMaxRowBytes / kind.element_bytes();
}

// Returns what tasks and tiles begin at multiples of, which are multiples of
// `columns`.
int64_t ColumnStep(const DotDesc& desc, int64_t columns) {
  const int64_t step = std::lcm(columns, desc.column_step);
  return desc.rhs_computed && !desc.rhs_transposed
             ? std::lcm(step, desc.rhs_step)
             : step;
}

// There are three ways to divide a dot:
// - each task takes whole items;
// - the tasks of an item take columns, and pack them block by block for
//   themselves unless they are packed already, which costs the least;
// - all pack an item together, then take tiles of it: for many threads, each of
//   which would pack for few rows.
// Sums of each element run over depth in the same order in all of them, so that
// a large product may choose by the number of threads when it runs.
class PackedDotPlan : public DotPlan {
 public:
  PackedDotPlan(const DotDesc& desc, const KernelTarget& target);

  size_t ScratchBytes(int num_threads) const override;
  void Run(const void* lhs, const void* rhs, void* out, void* scratch,
           ParallelRunner& runner) const override {
    RunTasks(lhs, rhs, out, scratch, runner, /*finish=*/nullptr);
  }
  void RunAndFinish(const void* lhs, const void* rhs, void* out, void* scratch,
                    ParallelRunner& runner,
                    const TileFinish& finish) const override {
    RunTasks(lhs, rhs, out, scratch, runner, &finish);
  }

 private:
  bool TakesWholeItems(int64_t num_threads) const {
    return is_small_ ||
           ItemsFillThreads(desc_.batch, static_cast<int64_t>(item_tasks_),
                            num_threads);
  }
  // Of a task of so many columns, of which it takes block_columns_ at a time.
  SlotBytes SlotBytesFor(int64_t columns) const;
  TaskGrid GridFor(int64_t num_threads) const;
  int64_t TimeOf(const TaskGrid& grid, int64_t num_threads) const;
  int64_t ElementsReadBy(const TaskGrid& grid) const;
  SharedPacking SharedPackingFor(int64_t num_threads) const;
  // Whether there are so many threads that their packed copies would be larger
  // than the whole packed item.
  bool PacksTogether(const TaskGrid& grid, const SharedPacking& shared,
                     int64_t num_threads) const {
    return !desc_.rhs_packed &&
           WorkerSlots(grid.count(), num_threads) *
                   SlotBytesFor(grid.columns()).total >
               shared.packed_bytes + shared.tasks * shared.slot_bytes;
  }

  const char* RhsAt(const void* rhs, int64_t i) const {
    if (desc_.rhs_computed) return static_cast<const char*>(rhs);
    return desc_.rhs_packed
               ? static_cast<const char*>(rhs) + i * item_packed_bytes_
               : Advance(rhs, RhsItem(desc_, i), desc_.rhs);
  }
  Item ItemAt(const void* lhs, const void* rhs, void* out, int64_t i) const {
    return {
        Advance(lhs, i * desc_.lhs_batch_stride, desc_.lhs), RhsAt(rhs, i),
        const_cast<char*>(Advance(out, i * desc_.out_batch_stride, desc_.out)),
        i * desc_.m, i * (desc_.rhs_transposed ? desc_.n : desc_.k)};
  }
  RightMatrix RightAt(const Item& item, int64_t column) const {
    if (desc_.rhs_computed) {
      RightMatrix right = {desc_.rhs, nullptr, 0, desc_.rhs_transposed};
      right.computed = reinterpret_cast<const OperandFunction*>(item.rhs);
      right.row = item.rhs_row + (desc_.rhs_transposed ? column : 0);
      right.column = desc_.rhs_transposed ? 0 : column;
      return right;
    }
    const int64_t at =
        desc_.rhs_transposed ? column * desc_.rhs_stride : column;
    return {desc_.rhs, Advance(item.rhs, at, desc_.rhs), desc_.rhs_stride,
            desc_.rhs_transposed};
  }
  ProductTile TileOf(const Item& item) const;
  // `finish` may be null.
  void RunTasks(const void* lhs, const void* rhs, void* out, void* scratch,
                ParallelRunner& runner, const TileFinish* finish) const;
  void RunTaskRange(const Item& item, const TaskRange& range, size_t pack_bytes,
                    char* scratch, const TileFinish* finish) const;
  void RunTogether(const SharedPacking& shared, const Item& item, char* scratch,
                   ParallelRunner& runner, const TileFinish* finish) const;

  const DotDesc desc_;
  const ProductKind kind_;
  const bool left_in_place_;
  // Tasks and tiles begin at multiples of so many columns: of a panel, of what
  // finishing takes, and of what rhs is computed in.
  const int64_t panel_columns_;
  const int64_t pack_elements_;  // of a task that only packs
  const size_t item_packed_bytes_;
  double item_tasks_;  // how many tasks an item is worth
  bool is_small_;      // tasks take whole items, whatever the number of threads
  int64_t batch_tasks_;    // of whole items
  int64_t block_columns_;  // that a task packs for itself at a time
  int64_t max_rows_;       // that it multiplies at a time
  // Whether it packs them for all of depth before, so that the sums of few rows
  // at a time wait in scratch.
  bool packs_depth_;
  SlotBytes item_slot_;  // of a task that takes whole items
};

PackedDotPlan::PackedDotPlan(const DotDesc& desc, const KernelTarget& target)
    : desc_(desc),
      kind_(ProductKindOf(desc.lhs, desc.rhs, desc.out, target.caches)),
      left_in_place_(ReadsLeftInPlace(desc, kind_)),
      panel_columns_(ColumnStep(desc, PanelColumns(kind_))),
      pack_elements_(target.TaskUnits(kPackRate)),
      item_packed_bytes_(PackedRightBytes(kind_, desc.k, desc.n)) {
  const double flops = 2.0 * desc.m * desc.n * std::max<int64_t>(desc.k, 1) *
                       (kind_.is_complex ? 4 : 1);
  item_tasks_ =
      flops / static_cast<double>(target.TaskUnits(kFlopRate * kind_.rate()));
  is_small_ = item_tasks_ <= kSplitTasks;
  batch_tasks_ = std::clamp<int64_t>(
      static_cast<int64_t>(item_tasks_ * desc.batch), 1, desc.batch);
  const int64_t panel_bytes = std::max<int64_t>(
      PackedRightBytes(kind_, std::min(desc.k, kind_.depth_block()),
                       panel_columns_),
      1);
  block_columns_ =
      std::clamp(kind_.kernels.cached_right_bytes / panel_bytes, int64_t{1},
                 std::max<int64_t>(MaxColumns(kind_) / panel_columns_, 1)) *
      panel_columns_;
  block_columns_ = std::min(block_columns_, desc.n);
  const bool in_place = SumsInPlace(kind_, desc.out);
  packs_depth_ = !in_place && !desc.rhs_packed && desc.m > kTileRows &&
                 2 * static_cast<int64_t>(
                         PackedRightBytes(kind_, desc.k, block_columns_)) <=
                     target.caches.l2_bytes;
  max_rows_ = in_place
                  ? desc.m
                  : std::min(desc.m, packs_depth_ ? kTileRows : kMaxSumRows);
  item_slot_ = SlotBytesFor(desc.n);
}

SlotBytes PackedDotPlan::SlotBytesFor(int64_t columns) const {
  columns = std::min(columns, block_columns_);
  SlotBytes bytes = {};
  if (!desc_.rhs_packed) {
    bytes.pack = packs_depth_ ? PackedRightBytes(kind_, desc_.k, columns) +
                                    PackRightScratchBytes(kind_, desc_.k)
                              : PackedBlockBytes(kind_, desc_.k, columns);
  }
  bytes.total = bytes.pack + TileScratchBytes(kind_, desc_.out, max_rows_,
                                              columns, left_in_place_);
  return bytes;
}

SharedPacking PackedDotPlan::SharedPackingFor(int64_t num_threads) const {
  SharedPacking shared;
  const int64_t column_bytes =
      PackedRightBytes(kind_, desc_.k, panel_columns_) / panel_columns_;
  shared.columns_at_once =
      std::max(kMaxPackedBytes / std::max<int64_t>(column_bytes, 1),
               int64_t{256}) /
      panel_columns_ * panel_columns_;
  shared.columns_at_once =
      std::min(std::max(shared.columns_at_once, panel_columns_), desc_.n);
  shared.packed_bytes =
      PackedRightBytes(kind_, desc_.k, shared.columns_at_once);
  shared.rows = std::min(desc_.m, kTileRows);
  shared.columns = std::min(2 * MaxColumns(kind_), shared.columns_at_once);
  const auto tiles = [&] {
    return CeilOfRatio(desc_.m, shared.rows) *
           CeilOfRatio(shared.columns_at_once, shared.columns);
  };
  const int64_t wanted = std::clamp<int64_t>(
      static_cast<int64_t>(item_tasks_ / 2), 1,
      kTilesPerThread * std::max<int64_t>(num_threads, kFewThreads));
  while (tiles() < wanted) {
    if (shared.columns > 256) {
      shared.columns /= 2;
    } else if (shared.rows > kRowStep) {
      shared.rows -= kRowStep;
    } else if (shared.columns > 128) {
      shared.columns /= 2;
    } else {
      break;
    }
  }
  shared.columns = std::min(RoundUpTo(shared.columns, panel_columns_), desc_.n);
  shared.tasks = std::clamp<int64_t>(
      std::max(tiles(), CeilOfRatio(shared.columns_at_once, panel_columns_)), 1,
      wanted);
  shared.slot_bytes =
      std::max(PackRightScratchBytes(kind_, desc_.k),
               TileScratchBytes(kind_, desc_.out, shared.rows, shared.columns,
                                left_in_place_));
  return shared;
}

TaskGrid PackedDotPlan::GridFor(int64_t num_threads) const {
  TaskGrid grid;
  // Tasks that pack for themselves need not begin at whole panels.
  grid.panel = desc_.rhs_packed
                   ? panel_columns_
                   : ColumnStep(desc_, 2 * kind_.kernels.set->lanes);
  grid.panels = CeilOfRatio(desc_.n, grid.panel);
  grid.block_rows = kind_.kernels.set->max_rows;
  grid.row_blocks = CeilOfRatio(desc_.m, grid.block_rows);
  int64_t most = CeilOfRatio(desc_.n, block_columns_);
  const bool uneven =
      item_tasks_ >= kUnevenTasks * static_cast<double>(num_threads);
  const int64_t wanted =
      RoundUpTo(std::max(most, uneven ? 2 * num_threads : 1), num_threads);
  if (most < 4 * num_threads) {
    most = std::max(most, std::min(wanted, CeilOfRatio(desc_.n, kMinColumns)));
  }
  most = std::min(most, grid.panels);
  grid.across = most;
  grid.down = 1;
  // Many tasks wait little for the last one.
  if (most >= 4 * num_threads) return grid;
  const bool keeps_packed =
      desc_.rhs_packed && item_packed_bytes_ <= kKeptPackedBytes;
  const auto grid_of = [&](int64_t across) {
    TaskGrid other = grid;
    other.across = across;
    other.down = std::clamp<int64_t>(
        CeilOfRatio(keeps_packed ? wanted : num_threads, across), 1,
        CeilOfRatio(desc_.m, kRowStep));
    return other;
  };
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int64_t across = most; across >= 1; --across) {
    const TaskGrid other = grid_of(across);
    const int64_t time = TimeOf(other, num_threads);
    if (time >= least) continue;
    least = time;
    grid = other;
  }
  if (!keeps_packed) return grid;
  // A small packed matrix stays in the caches of all threads, so of divisions
  // that take about as long the one counts whose tasks read the least of the
  // left matrix: if they take whole rows, those of one product, which are the
  // left matrix of the next, stay in the thread's cache.
  for (int64_t across = grid.across - 1; across >= 1; --across) {
    const TaskGrid other = grid_of(across);
    if (static_cast<double>(TimeOf(other, num_threads)) <=
            kSameTime * static_cast<double>(least) &&
        ElementsReadBy(other) < ElementsReadBy(grid)) {
      grid = other;
    }
  }
  return grid;
}

// Returns the elements of both operands that all tasks read.
int64_t PackedDotPlan::ElementsReadBy(const TaskGrid& grid) const {
  return desc_.k * (grid.across * desc_.m + grid.down * desc_.n);
}

// Returns the time of the longest tasks one after the other on a thread, in
// columns times rows.
int64_t PackedDotPlan::TimeOf(const TaskGrid& grid, int64_t num_threads) const {
  const int64_t columns =
      std::min(CeilOfRatio(grid.panels, grid.across) * grid.panel,
               RoundUpTo(desc_.n, kind_.kernels.set->lanes));
  const int64_t rows = std::min(
      CeilOfRatio(grid.row_blocks, grid.down) * grid.block_rows, desc_.m);
  return CeilOfRatio(grid.count(), num_threads) * columns *
         (rows +
          (desc_.rhs_packed ? 0 : kPackingRows * kind_.rate() / kind_.group));
}

size_t PackedDotPlan::ScratchBytes(int num_threads) const {
  if (TakesWholeItems(num_threads)) {
    return WorkerSlots(batch_tasks_, num_threads) * item_slot_.total;
  }
  const TaskGrid grid = GridFor(num_threads);
  const SharedPacking shared = SharedPackingFor(num_threads);
  if (!PacksTogether(grid, shared, num_threads)) {
    return WorkerSlots(grid.count(), num_threads) *
           SlotBytesFor(grid.columns()).total;
  }
  return shared.packed_bytes +
         WorkerSlots(shared.tasks, num_threads) * shared.slot_bytes;
}

ProductTile PackedDotPlan::TileOf(const Item& item) const {
  ProductTile tile = {};
  tile.depth = desc_.k;
  tile.out_type = desc_.out;
  tile.out = item.out;
  tile.out_stride = desc_.out_stride;
  tile.finish_row = item.row;
  if (left_in_place_) {
    tile.left = item.lhs;
    tile.left_stride = desc_.lhs_stride;
  }
  return tile;
}

// Computes a rectangle, and packs the columns that it needs.
void PackedDotPlan::RunTaskRange(const Item& item, const TaskRange& range,
                                 size_t pack_bytes, char* scratch,
                                 const TileFinish* finish) const {
  const LeftRows reader(desc_, kind_, item.lhs);
  const int64_t end = range.column0 + range.columns;
  for (int64_t c = range.column0; c < end; c += block_columns_) {
    RightMatrix right;
    ProductTile tile = TileOf(item);
    tile.columns = std::min(block_columns_, end - c);
    if (desc_.rhs_packed) {
      tile.packed = item.rhs;
      tile.packed_columns = desc_.n;
      tile.column0 = c;
    } else {
      right = RightAt(item, c);
      tile.out = item.out + c * primitive_util::ByteWidth(desc_.out);
      if (packs_depth_) {
        PackRight(kind_, right, desc_.k, tile.columns, 0, tile.columns, scratch,
                  scratch + PackedRightBytes(kind_, desc_.k, tile.columns));
        tile.packed = scratch;
        tile.packed_columns = tile.columns;
      } else {
        tile.right = &right;
        tile.pack_memory = scratch;
      }
    }
    char* const rest = scratch + pack_bytes;
    tile.finish = finish;
    tile.finish_column = c;
    for (int64_t i = 0; i < range.rows; i += max_rows_) {
      tile.row0 = range.row0 + i;
      tile.rows = std::min(max_rows_, range.rows - i);
      if (desc_.rhs_packed && i + tile.rows == range.rows) {
        tile.columns_after = std::min(block_columns_, end - c - tile.columns);
      }
      MultiplyTile(kind_, tile, reader, rest);
    }
  }
}

// Computes an item by all threads, columns_at_once at a time.
void PackedDotPlan::RunTogether(const SharedPacking& shared, const Item& item,
                                char* scratch, ParallelRunner& runner,
                                const TileFinish* finish) const {
  char* packed = scratch;
  char* slots = scratch + shared.packed_bytes;
  const LeftRows reader(desc_, kind_, item.lhs);
  for (int64_t c = 0; c < desc_.n; c += shared.columns_at_once) {
    const int64_t width = std::min(shared.columns_at_once, desc_.n - c);
    const RightMatrix right = RightAt(item, c);
    const int64_t panels = CeilOfRatio(width, panel_columns_);
    const int64_t pack_tasks = std::clamp<int64_t>(
        width * desc_.k / pack_elements_, 1, std::min(panels, shared.tasks));
    ForEachTask(runner, pack_tasks, [&](int64_t t, int64_t slot) {
      const int64_t first = panels * t / pack_tasks * panel_columns_;
      const int64_t last =
          std::min(panels * (t + 1) / pack_tasks * panel_columns_, width);
      PackRight(kind_, right, desc_.k, width, first, last, packed,
                slots + slot * shared.slot_bytes);
    });
    ProductTile tile = TileOf(item);
    tile.packed = packed;
    tile.packed_columns = width;
    tile.finish = finish;
    tile.out = item.out + c * primitive_util::ByteWidth(desc_.out);
    const int64_t across = CeilOfRatio(width, shared.columns);
    const int64_t tiles = across * CeilOfRatio(desc_.m, shared.rows);
    const auto run = [&](int64_t first, int64_t last, int64_t slot) {
      ProductTile own = tile;
      for (int64_t i = first; i < last; ++i) {
        own.row0 = i / across * shared.rows;
        own.rows = std::min(shared.rows, desc_.m - own.row0);
        own.column0 = i % across * shared.columns;
        own.columns = std::min(shared.columns, width - own.column0);
        own.finish_column = c + own.column0;
        MultiplyTile(kind_, own, reader, slots + slot * shared.slot_bytes);
      }
    };
    ForEachRange(runner, tiles, std::min(tiles, shared.tasks), run);
  }
}

void PackedDotPlan::RunTasks(const void* lhs, const void* rhs, void* out,
                             void* scratch, ParallelRunner& runner,
                             const TileFinish* finish) const {
  const int64_t num_threads = runner.num_threads();
  char* const memory = static_cast<char*>(scratch);
  if (TakesWholeItems(num_threads)) {
    return ForEachRange(runner, desc_.batch, batch_tasks_,
                        [&](int64_t first, int64_t last, int64_t slot) {
                          for (int64_t i = first; i < last; ++i) {
                            RunTaskRange(
                                ItemAt(lhs, rhs, out, i),
                                {0, desc_.m, 0, desc_.n}, item_slot_.pack,
                                memory + slot * item_slot_.total, finish);
                          }
                        });
  }
  const TaskGrid grid = GridFor(num_threads);
  const SharedPacking shared = SharedPackingFor(num_threads);
  const bool together = PacksTogether(grid, shared, num_threads);
  const SlotBytes bytes = SlotBytesFor(grid.columns());
  for (int64_t i = 0; i < desc_.batch; ++i) {
    const Item item = ItemAt(lhs, rhs, out, i);
    if (together) {
      RunTogether(shared, item, memory, runner, finish);
      continue;
    }
    ForEachTask(runner, grid.count(), [&](int64_t task, int64_t slot) {
      RunTaskRange(item, grid.At(desc_, task), bytes.pack,
                   memory + slot * bytes.total, finish);
    });
  }
}

// How the right operands of all items are packed by tasks of whole panels.
struct WholePacking {
  ProductKind kind;
  int64_t panel_columns, panels;  // of an item
  int64_t tasks;
  size_t item_bytes, slot_bytes;  // packed, and of a task's scratch

  WholePacking(const DotDesc& desc, const KernelTarget& target)
      : kind(ProductKindOf(desc.lhs, desc.rhs, desc.out, target.caches)),
        panel_columns(PanelColumns(kind)),
        panels(CeilOfRatio(desc.n, panel_columns)),
        tasks(std::clamp<int64_t>(
            desc.batch * desc.n * desc.k / target.TaskUnits(kPackRate), 1,
            std::max<int64_t>(desc.batch * panels, 1))),
        item_bytes(PackedRightBytes(kind, desc.k, desc.n)),
        slot_bytes(PackRightScratchBytes(kind, desc.k)) {}
};

}  // namespace

size_t PackedBytesOf(const DotDesc& desc, const KernelTarget& target) {
  const ProductKind kind =
      ProductKindOf(desc.lhs, desc.rhs, desc.out, target.caches);
  return desc.batch * PackedRightBytes(kind, desc.k, desc.n);
}

void PackWhole(const DotDesc& desc, const KernelTarget& target, const void* rhs,
               void* packed, void* scratch, ParallelRunner& runner) {
  const WholePacking packing(desc, target);
  ForEachRange(
      runner, desc.batch * packing.panels, packing.tasks,
      [&](int64_t first, int64_t last, int64_t slot) {
        char* const own =
            static_cast<char*>(scratch) + slot * packing.slot_bytes;
        while (first < last) {
          const int64_t item = first / packing.panels;
          const int64_t end = std::min(last, (item + 1) * packing.panels);
          const RightMatrix right = {
              desc.rhs, Advance(rhs, RhsItem(desc, item), desc.rhs),
              desc.rhs_stride, desc.rhs_transposed};
          const int64_t before = item * packing.panels;
          PackRight(packing.kind, right, desc.k, desc.n,
                    (first - before) * packing.panel_columns,
                    std::min((end - before) * packing.panel_columns, desc.n),
                    static_cast<char*>(packed) + item * packing.item_bytes,
                    own);
          first = end;
        }
      });
}

size_t PackWholeScratchBytes(const DotDesc& desc, const KernelTarget& target,
                             int num_threads) {
  const WholePacking packing(desc, target);
  return WorkerSlots(packing.tasks, num_threads) * packing.slot_bytes;
}

std::unique_ptr<const DotPlan> PlanPackedDot(const DotDesc& desc,
                                             const KernelTarget& target) {
  return std::make_unique<PackedDotPlan>(desc, target);
}

}  // namespace xla::cpu
