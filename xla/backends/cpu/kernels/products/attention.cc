// Each task takes a range of rows of a batch element, packs both right matrices
// of that element for itself and processes its rows block by block.
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
// least rows of a task, which must repay its packing.
constexpr int64_t kTasksPerThread = 4;
constexpr int64_t kMinTaskRows = kMaxRows;

// One of the two products, which multiplies a block of rows.
class Product {
 public:
  Product(const DotDesc& desc, const KernelTarget& target)
      : desc_(WithStrides(desc)),
        kind_(ProductKindOf(desc.lhs, desc.rhs, desc.out, target.caches)),
        in_place_(ReadsLeftInPlace(desc_, kind_)) {}

  const DotDesc& desc() const { return desc_; }
  size_t PackedBytes() const {
    return PackedRightBytes(kind_, desc_.k, desc_.n);
  }
  // Return the bytes of scratch for Pack, and for Multiply with this many rows.
  size_t ScratchBytes(int64_t rows) const {
    return std::max(
        PackRightScratchBytes(kind_, desc_.k),
        TileScratchBytes(kind_, desc_.out, rows, desc_.n, in_place_));
  }

  void Pack(const void* rhs, char* packed, char* scratch) const {
    const RightMatrix right = {desc_.rhs, rhs, desc_.rhs_stride,
                               desc_.rhs_transposed};
    PackRight(kind_, right, desc_.k, desc_.n, 0, desc_.n, packed, scratch);
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
    tile.columns = tile.packed_columns = desc_.n;
    tile.depth = desc_.k;
    tile.packed = packed;
    if (in_place_) {
      tile.left = Advance(lhs, row0 * desc_.lhs_stride, desc_.lhs);
      tile.left_stride = desc_.lhs_stride;
    }
    tile.out_type = desc_.out;
    tile.out = out;
    tile.out_stride = desc_.out_stride;
    MultiplyTile(kind_, tile, reader, scratch);
  }

 private:
  const DotDesc desc_;
  const ProductKind kind_;
  const bool in_place_;
};

// The number of tasks of a batch element, and the rows of each.
struct RowRanges {
  int64_t count, length;
};

class BlockedAttentionPlan : public AttentionPlan {
 public:
  BlockedAttentionPlan(const AttentionDesc& desc, const KernelTarget& target);

  size_t ScratchBytes(int num_threads) const override {
    return WorkerSlots(batch_ * RangesFor(num_threads).count, num_threads) *
           slot_bytes_;
  }
  void Run(const void* lhs, const void* rhs, const void* values, void* out,
           RowFunction row_function, void* scratch,
           ParallelRunner& runner) const override;

 private:
  // The result of a row is the same in every range.
  RowRanges RangesFor(int64_t num_threads) const;

  const Product first_, second_;
  const int64_t batch_, m_;
  int64_t rows_;  // of a block
  size_t first_bytes_, second_bytes_, block_bytes_, slot_bytes_;
};

BlockedAttentionPlan::BlockedAttentionPlan(const AttentionDesc& desc,
                                           const KernelTarget& target)
    : first_(desc.first, target),
      second_(desc.second, target),
      batch_(desc.first.batch),
      m_(desc.first.m) {
  const int64_t row_bytes =
      desc.first.n * primitive_util::ByteWidth(desc.first.out);
  // Takes a quarter of the L2 cache, since both right matrices are there too.
  const int64_t cached_bytes = target.caches.l2_bytes / 4;
  rows_ = std::clamp(cached_bytes / std::max<int64_t>(row_bytes, 1), kMinRows,
                     kMaxRows);
  rows_ = std::min(RoundDownTo(rows_, MicroKernelSet::kMaxRows), m_);
  first_bytes_ = RoundUpTo(first_.PackedBytes(), 64);
  second_bytes_ = RoundUpTo(second_.PackedBytes(), 64);
  block_bytes_ = RoundUpTo(rows_ * row_bytes, 64);
  const size_t product_bytes = RoundUpTo(
      std::max(first_.ScratchBytes(rows_), second_.ScratchBytes(rows_)), 64);
  slot_bytes_ = first_bytes_ + second_bytes_ + block_bytes_ + product_bytes;
}

RowRanges BlockedAttentionPlan::RangesFor(int64_t num_threads) const {
  const int64_t wanted =
      std::clamp<int64_t>(CeilOfRatio(kTasksPerThread * num_threads, batch_), 1,
                          CeilOfRatio(m_, kMinTaskRows));
  const int64_t length = RoundUpTo(CeilOfRatio(m_, wanted), rows_);
  return {CeilOfRatio(m_, length), length};
}

void BlockedAttentionPlan::Run(const void* lhs, const void* rhs,
                               const void* values, void* out,
                               RowFunction row_function, void* scratch,
                               ParallelRunner& runner) const {
  const DotDesc& first = first_.desc();
  const DotDesc& second = second_.desc();
  const RowRanges ranges = RangesFor(runner.num_threads());
  ForEachTask(runner, batch_ * ranges.count, [&](int64_t task, int64_t slot) {
    const int64_t item = task / ranges.count;
    const int64_t begin = task % ranges.count * ranges.length;
    const int64_t end = std::min(begin + ranges.length, m_);
    char* const first_packed = static_cast<char*>(scratch) + slot * slot_bytes_;
    char* const second_packed = first_packed + first_bytes_;
    char* const block = second_packed + second_bytes_;
    char* const rest = block + block_bytes_;
    first_.Pack(Advance(rhs, item * first.rhs_batch_stride, first.rhs),
                first_packed, rest);
    second_.Pack(Advance(values, item * second.rhs_batch_stride, second.rhs),
                 second_packed, rest);
    const char* left = Advance(lhs, item * first.lhs_batch_stride, first.lhs);
    for (int64_t row = begin; row < end; row += rows_) {
      const int64_t rows = std::min(rows_, end - row);
      first_.Multiply(left, row, rows, first_packed, block, rest);
      row_function(item * m_ + row, rows, block);
      const int64_t at =
          item * second.out_batch_stride + row * second.out_stride;
      second_.Multiply(block, 0, rows, second_packed,
                       const_cast<char*>(Advance(out, at, second.out)), rest);
    }
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
      first.m != second.m || first.n != second.k ||
      primitive_util::ByteWidth(first.out) !=
          primitive_util::ByteWidth(second.lhs)) {
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
