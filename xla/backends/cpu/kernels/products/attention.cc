// Each thread takes a range of rows of an item, packs both right matrices of
// that item for itself and goes over its rows block by block.
#include "xla/backends/cpu/kernels/products/attention.h"

#include <algorithm>

#include "xla/backends/cpu/kernels/products/dot_routes.h"
#include "xla/backends/cpu/kernels/products/left_rows.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// Of the values between the products; with both right matrices they stay in the
// second cache.
constexpr int64_t kBlockBytes = 256 << 10;
constexpr int64_t kMaxRows = 8 * MicroKernelSet::kMaxRows;
constexpr int64_t kMinRows = 2 * MicroKernelSet::kMaxRows;
// Ranges for each thread, so that none waits long for the others; each range
// packs for itself, which the least rows of one are worth.
constexpr int64_t kRangesPerThread = 4;
constexpr int64_t kMinRangeRows = kMaxRows;

bool IsEmpty(const DotDesc& desc) {
  return desc.batch == 0 || desc.m == 0 || desc.n == 0;
}

// One of the two products, of a block of rows.
class Product {
 public:
  explicit Product(const DotDesc& desc)
      : desc_(desc),
        kind_(ProductKindOf(desc.lhs, desc.rhs, desc.out)),
        in_place_(ReadsLeftInPlace(desc, kind_)) {}

  size_t PackedBytes() const {
    return PackedRightBytes(kind_, desc_.k, desc_.n);
  }
  // For Pack, and for Multiply with so many rows.
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

  // out[rows, n] of rows [row0, row0 + rows) of the left matrix.
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
  const DotDesc& desc_;
  const ProductKind kind_;
  const bool in_place_;
};

// How it is divided; what a thread has of the scratch.
struct Plan {
  DotDesc first_desc, second_desc;  // with strides
  Product first, second;
  int64_t row_bytes;       // between the products
  int64_t rows;            // of a block
  int64_t ranges, length;  // of an item's rows
  size_t first_bytes, second_bytes, block_bytes, rest_bytes;

  Plan(const AttentionDesc& desc, int64_t num_threads)
      : first_desc(WithStrides(desc.first)),
        second_desc(WithStrides(desc.second)),
        first(first_desc),
        second(second_desc) {
    const DotDesc& d = first_desc;
    row_bytes = d.n * primitive_util::ByteWidth(d.out);
    rows = std::clamp(kBlockBytes / std::max<int64_t>(row_bytes, 1), kMinRows,
                      kMaxRows);
    rows = std::min(rows / MicroKernelSet::kMaxRows * MicroKernelSet::kMaxRows,
                    d.m);
    ranges = std::clamp<int64_t>(
        CeilOfRatio(kRangesPerThread * num_threads, d.batch), 1,
        CeilOfRatio(d.m, kMinRangeRows));
    length = RoundUpTo(CeilOfRatio(d.m, ranges), rows);
    ranges = CeilOfRatio(d.m, length);
    first_bytes = RoundUpTo(first.PackedBytes(), 64);
    second_bytes = RoundUpTo(second.PackedBytes(), 64);
    block_bytes = RoundUpTo(rows * row_bytes, 64);
    rest_bytes = RoundUpTo(
        std::max(first.ScratchBytes(rows), second.ScratchBytes(rows)), 64);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  int64_t tasks() const { return first_desc.batch * ranges; }
  size_t slot_bytes() const {
    return first_bytes + second_bytes + block_bytes + rest_bytes;
  }
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

size_t AttentionScratchBytes(const AttentionDesc& desc, int num_threads) {
  if (IsEmpty(desc.second)) return 0;
  const Plan plan(desc, num_threads);
  return WorkerSlots(plan.tasks(), num_threads) * plan.slot_bytes();
}

void Attention(const AttentionDesc& desc, const void* lhs, const void* rhs,
               const void* values, void* out, RowFunction row_function,
               void* scratch, ParallelRunner& runner) {
  if (IsEmpty(desc.second)) return;
  const Plan plan(desc, runner.num_threads());
  const DotDesc& first = plan.first_desc;
  const DotDesc& second = plan.second_desc;
  ForEachTask(runner, plan.tasks(), [&](int64_t task, int64_t slot) {
    const int64_t item = task / plan.ranges;
    const int64_t begin = task % plan.ranges * plan.length;
    const int64_t end = std::min(begin + plan.length, first.m);
    char* const first_packed =
        static_cast<char*>(scratch) + slot * plan.slot_bytes();
    char* const second_packed = first_packed + plan.first_bytes;
    char* const block = second_packed + plan.second_bytes;
    char* const rest = block + plan.block_bytes;
    plan.first.Pack(Advance(rhs, item * first.rhs_batch_stride, first.rhs),
                    first_packed, rest);
    plan.second.Pack(
        Advance(values, item * second.rhs_batch_stride, second.rhs),
        second_packed, rest);
    const char* left = Advance(lhs, item * first.lhs_batch_stride, first.lhs);
    for (int64_t row = begin; row < end; row += plan.rows) {
      const int64_t rows = std::min(plan.rows, end - row);
      plan.first.Multiply(left, row, rows, first_packed, block, rest);
      row_function(item * first.m + row, rows, block);
      const int64_t at =
          item * second.out_batch_stride + row * second.out_stride;
      plan.second.Multiply(block, 0, rows, second_packed,
                           const_cast<char*>(Advance(out, at, second.out)),
                           rest);
    }
  });
}

}  // namespace xla::cpu
