// Each task takes a range of rows of a batch element and processes them block
// by block. It packs both right matrices of that element for itself, or all
// tasks of an element share them if they are large.
#include "xla/backends/cpu/kernels/products/attention.h"

#include <algorithm>
#include <memory>

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
constexpr int64_t kMaxRows = 8 * MicroKernelSet::kMaxRows;
constexpr int64_t kMinRows = 2 * MicroKernelSet::kMaxRows;
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

  // Packs panels [first, last) of an item of the batch. Calls for different
  // panels may run at once.
  void Pack(const void* rhs, int64_t item, int64_t first, int64_t last,
            char* packed, char* scratch) const {
    const RightMatrix right = {
        desc_.rhs, Advance(rhs, item * desc_.rhs_batch_stride, desc_.rhs),
        desc_.rhs_stride, desc_.rhs_transposed};
    const auto column = [&](int64_t panel) {
      return std::min(panel * PanelColumns(kind_), desc_.n);
    };
    PackRight(kind_, right, desc_.k, desc_.n, column(first), column(last),
              packed, scratch);
  }

  // Computes out[rows, n] from rows [row0, row0 + rows) of the left matrix.
  void Multiply(const void* lhs, int64_t row0, int64_t rows, const char* packed,
                char* out, char* scratch) const {
    const LeftRows left(desc_, kind_, lhs);
    const auto reader = [&](int64_t row, int64_t count, int64_t depth0,
                            int64_t depth, void* to, int64_t stride) {
      left(row0 + row, count, depth0, depth, to, stride);
    };
    ProductTile tile = {};
    tile.rows = rows;
    tile.packed_columns = desc_.n;
    tile.depth = desc_.k;
    tile.packed = packed;
    if (in_place_) {
      tile.left = Advance(lhs, row0 * desc_.lhs_stride, desc_.lhs);
      tile.left_stride = desc_.lhs_stride;
    }
    tile.out_type = desc_.out;
    tile.out = out;
    tile.out_stride = desc_.out_stride;
    for (; tile.column0 < desc_.n; tile.column0 += step_) {
      tile.columns = std::min(step_, desc_.n - tile.column0);
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
  // Packs both right matrices of an item for all tasks.
  void PackTogether(const AttentionOperands& operands, int64_t item,
                    char* packed, char* slots, ParallelRunner& runner) const;
  // Computes rows [begin, end) of an item; `slot` is behind what is packed.
  void RunRows(const AttentionOperands& operands, int64_t item, int64_t begin,
               int64_t end, const char* packed, char* slot) const;

  const Product first_, second_;
  const int64_t batch_, m_;
  int64_t rows_;  // of a block
  bool shares_packed_;
  size_t first_bytes_, packed_bytes_;
  // Of a block of rows, of the rows made of it if they have memory of their
  // own, and of both with the scratch of products.
  size_t block_bytes_, left_bytes_, slot_bytes_;
};

BlockedAttentionPlan::BlockedAttentionPlan(const AttentionDesc& desc,
                                           const KernelTarget& target)
    : first_(desc.first, target),
      second_(desc.second, target),
      batch_(desc.first.batch),
      m_(desc.first.m) {
  const int block_width = primitive_util::ByteWidth(desc.first.out);
  const int left_width = primitive_util::ByteWidth(desc.second.lhs);
  const int64_t block_row = desc.first.n * block_width;
  const int64_t left_row =
      left_width == block_width ? 0 : desc.first.n * left_width;
  // Takes a quarter of the L2 cache, since both right matrices are there too.
  const int64_t cached_bytes = target.caches.l2_bytes / 4;
  rows_ = std::clamp(cached_bytes / std::max<int64_t>(block_row + left_row, 1),
                     kMinRows, kMaxRows);
  rows_ = std::min(RoundDownTo(rows_, MicroKernelSet::kMaxRows), m_);
  first_bytes_ = RoundUpTo(first_.PackedBytes(), 64);
  packed_bytes_ = first_bytes_ + RoundUpTo(second_.PackedBytes(), 64);
  shares_packed_ = packed_bytes_ > kSharedBytes;
  block_bytes_ = RoundUpTo(rows_ * block_row, 64);
  left_bytes_ = RoundUpTo(rows_ * left_row, 64);
  slot_bytes_ = block_bytes_ + left_bytes_ +
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

void BlockedAttentionPlan::PackTogether(const AttentionOperands& operands,
                                        int64_t item, char* packed, char* slots,
                                        ParallelRunner& runner) const {
  const auto pack = [&](const Product& product, const void* right, char* to) {
    ForEachRange(
        runner, product.panels(), PackTasks(product, runner.num_threads()),
        [&](int64_t begin, int64_t end, int64_t slot) {
          product.Pack(right, item, begin, end, to, slots + slot * slot_bytes_);
        });
  };
  pack(first_, operands.rhs, packed);
  pack(second_, operands.values, packed + first_bytes_);
}

void BlockedAttentionPlan::RunRows(const AttentionOperands& operands,
                                   int64_t item, int64_t begin, int64_t end,
                                   const char* packed, char* slot) const {
  const DotDesc& first = first_.desc();
  const DotDesc& second = second_.desc();
  char* const block = slot;
  char* const made = left_bytes_ == 0 ? block : slot + block_bytes_;
  char* const rest = slot + block_bytes_ + left_bytes_;
  const char* left =
      Advance(operands.lhs, item * first.lhs_batch_stride, first.lhs);
  for (int64_t row = begin; row < end; row += rows_) {
    const int64_t rows = std::min(rows_, end - row);
    first_.Multiply(left, row, rows, packed, block, rest);
    operands.row_function(item * m_ + row, rows, block, made);
    const int64_t at = item * second.out_batch_stride + row * second.out_stride;
    second_.Multiply(made, 0, rows, packed + first_bytes_,
                     const_cast<char*>(Advance(operands.out, at, second.out)),
                     rest);
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
    for (int64_t item = 0; item < batch_; ++item) {
      PackTogether(operands, item, memory, slots, runner);
      ForEachTask(runner, ranges.count, [&](int64_t task, int64_t slot) {
        const int64_t begin = task * ranges.length;
        RunRows(operands, item, begin, std::min(begin + ranges.length, m_),
                memory, slots + slot * slot_bytes_);
      });
    }
    return;
  }
  ForEachTask(runner, batch_ * ranges.count, [&](int64_t task, int64_t slot) {
    const int64_t item = task / ranges.count;
    const int64_t begin = task % ranges.count * ranges.length;
    char* const packed = memory + slot * (packed_bytes_ + slot_bytes_);
    char* const rest = packed + packed_bytes_;
    first_.Pack(rhs, item, 0, first_.panels(), packed, rest);
    second_.Pack(values, item, 0, second_.panels(), packed + first_bytes_,
                 rest);
    RunRows(operands, item, begin, std::min(begin + ranges.length, m_), packed,
            rest);
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
