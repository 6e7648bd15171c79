// Each task takes a range of rows of a batch element and processes them block
// by block. It packs both right matrices of that element for itself, or all
// tasks of an element share them if they are large.
#include "xla/backends/cpu/kernels/attention/attention.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "xla/backends/cpu/kernels/attention/attention_layout.h"
#include "xla/backends/cpu/kernels/products/dot_algorithms.h"
#include "xla/backends/cpu/kernels/products/left_rows.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// The rows of a block: enough to reuse a packed panel, and a multiple of those
// of micro kernels.
constexpr int64_t kMaxRows = 8 * MicroKernelSet::kMaxVectorRows;
constexpr int64_t kMinRows = 2 * MicroKernelSet::kMaxVectorRows;
// The tasks for each thread, so that none waits long for the others, and the
// least rows of a task that packs, which must repay that.
constexpr int64_t kTasksPerThread = 4;
constexpr int64_t kMinTaskRows = kMaxRows;
// The columns that are multiplied at a time where sums wait for a conversion,
// so that they do so in the second cache. A multiple of those of panels.
constexpr int64_t kSumColumns = 512;
// Right matrices of so many packed bytes are shared: they do not stay close to
// the core, and as many copies as threads would take more memory than they save
// time.
constexpr size_t kSharedBytes = 4 << 20;

// One of the two products, which multiplies a block of rows.
class Product {
 public:
  Product(const DotDesc& desc, const KernelTarget& target)
      : desc_(WithStrides(desc)),
        kind_(ProductKindOf(desc.lhs, desc.rhs, desc.out, target.caches)),
        in_place_(ReadsLeftInPlace(desc_, kind_)),
        step_(SumsInPlace(kind_, desc.out) ? desc.n
                                           : std::min(desc.n, kSumColumns)) {}

  const DotDesc& desc() const { return desc_; }
  size_t PackedBytes() const {
    return PackedRightBytes(kind_, desc_.k, desc_.n);
  }
  // Return the bytes of scratch for Pack, and for Multiply with this many rows.
  size_t ScratchBytes(int64_t rows) const {
    return std::max(PackRightScratchBytes(kind_, desc_.k),
                    TileScratchBytes(kind_, desc_.out, rows, step_, in_place_));
  }

  int64_t panels() const { return CeilOfRatio(desc_.n, PanelColumns(kind_)); }

  // Packs panels [first, last) of a right matrix. Calls for different panels
  // may run at once.
  void Pack(const void* rhs, int64_t first, int64_t last, char* packed,
            char* scratch) const {
    const RightMatrix right = {desc_.rhs, rhs, desc_.rhs_stride,
                               desc_.rhs_transposed};
    const auto column = [&](int64_t panel) {
      return std::min(panel * PanelColumns(kind_), desc_.n);
    };
    PackRight(kind_, right, desc_.k, desc_.n, column(first), column(last),
              packed, scratch);
  }

  ColumnRange AllColumns() const { return {0, desc_.n}; }
  ColumnRange AllDepths() const { return {0, desc_.k}; }

  // Computes these columns of out[rows, n] from rows [row0, row0 + rows) of the
  // left matrix, which have elements other than zero at these depths alone.
  // Writes some columns beside them, too.
  void Multiply(const void* lhs, int64_t row0, int64_t rows, const char* packed,
                ColumnRange columns, ColumnRange depths, char* out,
                char* scratch) const {
    const LeftRows left(desc_, kind_, lhs);
    const auto reader = [&](int64_t row, int64_t count, int64_t depth0,
                            int64_t depth, void* to, int64_t stride) {
      left(row0 + row, count, depth0, depth, to, stride);
    };
    ProductTile tile = {};
    tile.rows = rows;
    tile.packed_columns = desc_.n;
    tile.depth = desc_.k;
    if (depths.end - depths.begin < desc_.k) {
      tile.depth0 = RoundDownTo(depths.begin, kind_.depth_step());
      tile.depths = depths.end - tile.depth0;
    }
    tile.packed = packed;
    if (in_place_) {
      tile.left = Advance(lhs, row0 * desc_.lhs_stride, desc_.lhs);
      tile.left_stride = desc_.lhs_stride;
    }
    tile.out_type = desc_.out;
    tile.out = out;
    tile.out_stride = desc_.out_stride;
    tile.column0 = RoundDownTo(columns.begin, PanelColumns(kind_));
    const int64_t end =
        std::min(RoundUpTo(columns.end, PanelColumns(kind_)), desc_.n);
    for (; tile.column0 < end; tile.column0 += step_) {
      tile.columns = std::min(step_, end - tile.column0);
      MultiplyTile(kind_, tile, reader, scratch);
    }
  }

 private:
  const DotDesc desc_;
  const ProductKind kind_;
  const bool in_place_;
  const int64_t step_;
};

// The number of tasks of a batch element, and the rows of each.
struct RowRanges {
  int64_t count, length;
};

// What a call of Run gets.
struct AttentionOperands {
  const void *lhs, *rhs, *values;
  void* out;
  RowFunction row_function;
};

// An item's arrays.
struct AttentionItem {
  const char *lhs, *rhs, *values;
  char* out;
  int64_t row;  // the first of the item's rows among those of all items
};

// Returns the first product as rows are multiplied: if they are not equally far
// apart, they are copied first.
DotDesc FirstOf(const AttentionDesc& desc, const AttentionLayout& layout) {
  DotDesc first = desc.first;
  if (!first.lhs_transposed) {
    first.lhs_stride = layout.has_plain_rows() ? layout.rows[0].lhs : first.k;
    // A single row may have any stride.
    if (first.m <= 1) first.lhs_stride = first.k;
  }
  return first;
}

DotDesc SecondOf(const AttentionDesc& desc, const AttentionLayout& layout) {
  DotDesc second = desc.second;
  second.out_stride = layout.has_plain_rows() ? layout.rows[0].out : second.n;
  if (second.m <= 1) second.out_stride = second.n;
  return second;
}

class BlockedAttentionPlan : public AttentionPlan {
 public:
  BlockedAttentionPlan(const AttentionDesc& desc, const KernelTarget& target);

  size_t ScratchBytes(int num_threads) const override;
  void Run(const void* lhs, const void* rhs, const void* values, void* out,
           RowFunction row_function, void* scratch,
           ParallelRunner& runner) const override;

 private:
  // The result of a row is the same in every range.
  RowRanges RangesFor(int64_t num_threads) const;
  int64_t PackTasks(const Product& product, int64_t num_threads) const {
    return std::min(product.panels(), kTasksPerThread * num_threads);
  }
  AttentionItem ItemAt(const AttentionOperands& operands, int64_t i) const;
  // Packs both right matrices of an item for all tasks.
  void PackTogether(const AttentionItem& item, char* packed, char* slots,
                    ParallelRunner& runner) const;
  // Computes rows [begin, end) of an item; `slot` is behind what is packed.
  void RunRows(const AttentionItem& item, RowFunction row_function,
               int64_t begin, int64_t end, const char* packed,
               char* slot) const;
  // Makes the columns of rows that are read, if the row function may; false if
  // others are not zero.
  bool MakeNarrowRows(RowFunction row_function, int64_t row, int64_t rows,
                      ColumnRange read, char* block, char* made) const;
  // Whether the products of zeros and the item's values are zeros.
  bool HasFiniteValues(const AttentionItem& item) const;
  void CopyLeft(const AttentionItem& item, int64_t row, int64_t rows,
                char* to) const;
  void CopyOut(const char* from, int64_t row, int64_t rows,
               const AttentionItem& item) const;

  const AttentionLayout layout_;
  const Product first_, second_;
  const int64_t batch_, m_;
  const bool narrows_rows_;
  int64_t rows_;  // of a block
  bool shares_packed_;
  // For each block of rows of an item, the columns of it that are read.
  std::vector<ColumnRange> columns_read_;
  size_t first_bytes_, packed_bytes_;
  // Of a block of rows, of the rows made of it if they have memory of their
  // own, of copied rows of the left matrix or of the result, and of all these
  // with the scratch of products.
  size_t block_bytes_, left_bytes_, copy_bytes_, slot_bytes_;
};

BlockedAttentionPlan::BlockedAttentionPlan(const AttentionDesc& desc,
                                           const KernelTarget& target)
    : layout_(desc),
      first_(FirstOf(desc, layout_), target),
      second_(SecondOf(desc, layout_), target),
      batch_(desc.first.batch),
      m_(desc.first.m),
      narrows_rows_(desc.narrows_rows) {
  const int block_width = primitive_util::ByteWidth(desc.first.out);
  const int left_width = primitive_util::ByteWidth(desc.second.lhs);
  const int64_t block_row = desc.first.n * block_width;
  const int64_t left_row =
      left_width == block_width ? 0 : desc.first.n * left_width;
  // Takes a quarter of the L2 cache, since both right matrices are there too.
  const int64_t cached_bytes = target.caches.l2_bytes / 4;
  rows_ = std::clamp(cached_bytes / std::max<int64_t>(block_row + left_row, 1),
                     kMinRows, kMaxRows);
  rows_ = std::min(RoundDownTo(rows_, MicroKernelSet::kMaxVectorRows), m_);
  for (int64_t row = 0; row < m_; row += rows_) {
    columns_read_.push_back(
        desc.columns_read == nullptr
            ? first_.AllColumns()
            : desc.columns_read(row, std::min(rows_, m_ - row)));
  }
  first_bytes_ = RoundUpTo(first_.PackedBytes(), 64);
  packed_bytes_ = first_bytes_ + RoundUpTo(second_.PackedBytes(), 64);
  shares_packed_ = packed_bytes_ > kSharedBytes;
  block_bytes_ = RoundUpTo(rows_ * block_row, 64);
  left_bytes_ = RoundUpTo(rows_ * left_row, 64);
  const int64_t copied =
      std::max(desc.first.k * primitive_util::ByteWidth(desc.first.lhs),
               desc.second.n * primitive_util::ByteWidth(desc.second.out));
  copy_bytes_ = layout_.has_plain_rows() ? 0 : RoundUpTo(rows_ * copied, 64);
  slot_bytes_ = block_bytes_ + left_bytes_ + copy_bytes_ +
                RoundUpTo(std::max(first_.ScratchBytes(rows_),
                                   second_.ScratchBytes(rows_)),
                          64);
}

RowRanges BlockedAttentionPlan::RangesFor(int64_t num_threads) const {
  const int64_t items = shares_packed_ ? 1 : batch_;
  const int64_t least = shares_packed_ ? rows_ : kMinTaskRows;
  const int64_t wanted =
      std::clamp<int64_t>(CeilOfRatio(kTasksPerThread * num_threads, items), 1,
                          CeilOfRatio(m_, least));
  const int64_t length = RoundUpTo(CeilOfRatio(m_, wanted), rows_);
  return {CeilOfRatio(m_, length), length};
}

size_t BlockedAttentionPlan::ScratchBytes(int num_threads) const {
  const int64_t ranges = RangesFor(num_threads).count;
  if (!shares_packed_) {
    return WorkerSlots(batch_ * ranges, num_threads) *
           (packed_bytes_ + slot_bytes_);
  }
  const int64_t tasks = std::max({ranges, PackTasks(first_, num_threads),
                                  PackTasks(second_, num_threads)});
  return packed_bytes_ + WorkerSlots(tasks, num_threads) * slot_bytes_;
}

AttentionItem BlockedAttentionPlan::ItemAt(const AttentionOperands& operands,
                                           int64_t i) const {
  const AttentionDim at = OffsetsAt(layout_.batch, i);
  return {Advance(operands.lhs, at.lhs, first_.desc().lhs),
          Advance(operands.rhs, at.rhs, first_.desc().rhs),
          Advance(operands.values, at.values, second_.desc().rhs),
          const_cast<char*>(Advance(operands.out, at.out, second_.desc().out)),
          i * m_};
}

void BlockedAttentionPlan::PackTogether(const AttentionItem& item, char* packed,
                                        char* slots,
                                        ParallelRunner& runner) const {
  const auto pack = [&](const Product& product, const void* right, char* to) {
    ForEachRange(
        runner, product.panels(), PackTasks(product, runner.num_threads()),
        [&](int64_t begin, int64_t end, int64_t slot) {
          product.Pack(right, begin, end, to, slots + slot * slot_bytes_);
        });
  };
  pack(first_, item.rhs, packed);
  pack(second_, item.values, packed + first_bytes_);
}

bool BlockedAttentionPlan::HasFiniteValues(const AttentionItem& item) const {
  const DotDesc& second = second_.desc();
  return AreFinite(
      second.rhs, item.values, second.rhs_transposed ? second.n : second.k,
      second.rhs_transposed ? second.k : second.n, second.rhs_stride);
}

void BlockedAttentionPlan::CopyLeft(const AttentionItem& item, int64_t row,
                                    int64_t rows, char* to) const {
  const DotDesc& first = first_.desc();
  const int64_t bytes = first.k * primitive_util::ByteWidth(first.lhs);
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t at = OffsetsAt(layout_.rows, row + i).lhs;
    std::memcpy(to + i * bytes, Advance(item.lhs, at, first.lhs), bytes);
  }
}

void BlockedAttentionPlan::CopyOut(const char* from, int64_t row, int64_t rows,
                                   const AttentionItem& item) const {
  const DotDesc& second = second_.desc();
  const int width = primitive_util::ByteWidth(second.out);
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t at = OffsetsAt(layout_.rows, row + i).out;
    std::memcpy(item.out + at * width, from + i * second.n * width,
                second.n * width);
  }
}

bool BlockedAttentionPlan::MakeNarrowRows(RowFunction row_function, int64_t row,
                                          int64_t rows, ColumnRange read,
                                          char* block, char* made) const {
  const int64_t columns = second_.desc().k;
  ColumnRange asked = read;
  const bool behind = read.end < columns;
  if (behind) {
    ++asked.end;
  } else {
    --asked.begin;
  }
  if (!narrows_rows_) return false;
  row_function(row, rows, asked, block, made);
  return IsZeroColumn(second_.desc().lhs, made, rows, columns,
                      behind ? read.end : asked.begin);
}

void BlockedAttentionPlan::RunRows(const AttentionItem& item,
                                   RowFunction row_function, int64_t begin,
                                   int64_t end, const char* packed,
                                   char* slot) const {
  const DotDesc& second = second_.desc();
  char* const block = slot;
  char* const made = left_bytes_ == 0 ? block : slot + block_bytes_;
  char* const copy = slot + block_bytes_ + left_bytes_;
  char* const rest = copy + copy_bytes_;
  const bool copies = copy_bytes_ > 0;
  // Whether zeros of the left rows may be left out; nullopt if not known yet.
  std::optional<bool> may_skip;
  for (int64_t row = begin; row < end; row += rows_) {
    const int64_t rows = std::min(rows_, end - row);
    const ColumnRange read = columns_read_[row / rows_];
    if (copies) CopyLeft(item, row, rows, copy);
    const auto multiply = [&] {
      first_.Multiply(copies ? copy : item.lhs, copies ? 0 : row, rows, packed,
                      read, first_.AllDepths(), block, rest);
    };
    multiply();
    const ColumnRange all = first_.AllColumns();
    ColumnRange used = all;
    if (read.end - read.begin < all.end && !may_skip.has_value()) {
      may_skip = HasFiniteValues(item);
    }
    if (read.end - read.begin == all.end || !*may_skip) {
      row_function(item.row + row, rows, all, block, made);
    } else if (MakeNarrowRows(row_function, item.row + row, rows, read, block,
                              made)) {
      used = read;
    } else {
      // Which was overwritten.
      if (narrows_rows_ && made == block) multiply();
      row_function(item.row + row, rows, all, block, made);
      if (IsZeroOutside(second.lhs, made, rows, second.k, read)) used = read;
    }
    char* const out =
        copies ? copy
               : item.out + row * second.out_stride *
                                primitive_util::ByteWidth(second.out);
    second_.Multiply(made, 0, rows, packed + first_bytes_, second_.AllColumns(),
                     used, out, rest);
    if (copies) CopyOut(copy, row, rows, item);
  }
}

void BlockedAttentionPlan::Run(const void* lhs, const void* rhs,
                               const void* values, void* out,
                               RowFunction row_function, void* scratch,
                               ParallelRunner& runner) const {
  const AttentionOperands operands = {lhs, rhs, values, out, row_function};
  const RowRanges ranges = RangesFor(runner.num_threads());
  char* const memory = static_cast<char*>(scratch);
  if (shares_packed_) {
    char* const slots = memory + packed_bytes_;
    for (int64_t i = 0; i < batch_; ++i) {
      const AttentionItem item = ItemAt(operands, i);
      PackTogether(item, memory, slots, runner);
      ForEachTask(runner, ranges.count, [&](int64_t task, int64_t slot) {
        const int64_t begin = task * ranges.length;
        RunRows(item, row_function, begin, std::min(begin + ranges.length, m_),
                memory, slots + slot * slot_bytes_);
      });
    }
    return;
  }
  ForEachTask(runner, batch_ * ranges.count, [&](int64_t task, int64_t slot) {
    const AttentionItem item = ItemAt(operands, task / ranges.count);
    const int64_t begin = task % ranges.count * ranges.length;
    char* const packed = memory + slot * (packed_bytes_ + slot_bytes_);
    char* const rest = packed + packed_bytes_;
    first_.Pack(item.rhs, 0, first_.panels(), packed, rest);
    second_.Pack(item.values, 0, second_.panels(), packed + first_bytes_, rest);
    RunRows(item, row_function, begin, std::min(begin + ranges.length, m_),
            packed, rest);
  });
}

// Plan of a result without elements.
class EmptyAttentionPlan : public AttentionPlan {
 public:
  size_t ScratchBytes(int num_threads) const override { return 0; }
  void Run(const void* lhs, const void* rhs, const void* values, void* out,
           RowFunction row_function, void* scratch,
           ParallelRunner& runner) const override {}
};

}  // namespace

absl::Status CheckAttention(const AttentionDesc& desc) {
  TF_RETURN_IF_ERROR(CheckDot(desc.first));
  TF_RETURN_IF_ERROR(CheckDot(desc.second));
  const DotDesc& first = desc.first;
  const DotDesc& second = desc.second;
  const bool packed = first.out_stride == 0 && first.out_batch_stride == 0 &&
                      second.lhs_stride == 0 && second.lhs_batch_stride == 0;
  if (!packed || second.lhs_transposed || first.batch != second.batch ||
      first.m != second.m || first.n != second.k) {
    return absl::InvalidArgumentError(
        "attention: the result of the first product is no left operand of "
        "the second");
  }
  const auto fits = [](const std::vector<AttentionDim>& dims, int64_t size) {
    for (const AttentionDim& dim : dims) {
      if (dim.size < 0 || (dim.size != 0 && size % dim.size != 0)) return false;
      if (dim.size == 0) return size == 0;
      size /= dim.size;
    }
    return dims.empty() || size == 1;
  };
  if (!fits(desc.batch, first.batch) || !fits(desc.rows, first.m) ||
      (first.lhs_transposed && desc.rows.size() > 1)) {
    return absl::InvalidArgumentError(
        "attention: dimensions of the batch or of the rows are not those of "
        "the products");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<const AttentionPlan>> AttentionPlan::Make(
    const AttentionDesc& desc, const KernelTarget& target) {
  TF_RETURN_IF_ERROR(CheckAttention(desc));
  const DotDesc& second = desc.second;
  if (second.batch == 0 || second.m == 0 || second.n == 0) {
    return std::make_unique<EmptyAttentionPlan>();
  }
  const VectorLevelScope scope(target.vector_level);
  return std::make_unique<BlockedAttentionPlan>(desc, target);
}

}  // namespace xla::cpu
