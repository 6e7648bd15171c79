// Products with few rows (or columns), whose time is that of reading the large
// operand, which is read in place. The few rows of the other operand are copied
// to scratch unless they can be read in place. SumAcross and SumAlong compute
// sums[i, j] for these rows i and the lines j of the large operand, whose depth
// is strided or contiguous, respectively.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>

#include "xla/backends/cpu/kernels/products/block_product.h"
#include "xla/backends/cpu/kernels/products/dot_algorithms.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/backends/cpu/kernels/products/skinny_kernels.h"
#include "xla/backends/cpu/kernels/products/skinny_shape.h"
#include "xla/backends/cpu/kernels/vector/element_runs.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace xla::cpu {
namespace {

// Each limit up to kLongDepth decides which algorithm or kernel sums an
// element, and so the order of its sum. The limits are therefore the same on
// all processors.

// The most rows, without and with micro kernels that read in place a large
// operand of at most kCachedBytes; with more rows, packing it pays.
constexpr int64_t kMaxFew = 8;
constexpr int64_t kMaxFewInPlace = 56;
// The most rows if the large operand is read in place and fits into the L1
// cache. The cache's size may decide here, since up to kCachedBytes packing
// gives the same bits.
constexpr int64_t kMaxFewInCache = 3 * kMaxFewInPlace;
// The elements of depth that are converted at a time: 4 lines of them are 16 KB
// of F32, half of an L1 cache.
constexpr int64_t kDepthBlock = 1024;
// If the depth of lines is strided, kMaxBlockDepth rows of the large operand
// are read at a time, which suits micro kernels, if it has at most kCachedBytes
// and so comes from L2 or L3 caches; else kShortDepth rows, so that memory is
// read in long runs.
constexpr int64_t kCachedBytes = 2 << 20;
constexpr int64_t kShortDepth = 16;
// Rows of the large operand that are shorter than this do not fill the tiles of
// micro kernels, which would copy them.
constexpr int64_t kShortRow = 32;
// Lines of this depth are read four at a time: hardware follows few streams.
constexpr int64_t kLongDepth = 1024;

// The lines of the large operand that are summed at a time: their sums, 4 KB of
// F32 for each of the few rows, stay in the L1 cache until they are stored.
constexpr int64_t kLineBlock = 1024;
// The same for kernels that read long runs: kAcrossSums sums, 64 KB of F32.
constexpr int64_t kMostLineBlock = 4096;
constexpr int64_t kAcrossSums = kLineBlock * kMaxLineRows;
// Longer rows of sums do not all map to the same cache sets.
constexpr int64_t kSumPadding = 16;
// The tasks of few lines of strided depth, if these have at least kLeastRun
// lines. Few threads get fewer tasks, with runs of kLongRunBytes, since what
// hardware prefetches beyond a run, up to the end of a page, is lost.
constexpr int64_t kLeastTasks = 8;
constexpr int64_t kLeastRun = 256;
constexpr int64_t kLongRunBytes = 4096;
// The tasks of a thread if depth is contiguous; memory is asked for within one.
constexpr int64_t kTasksPerThread = 16;
// The lines and their depth that are converted or computed at a time, 16 KB of
// F32, and the stride of their rows, chosen so that these do not all map to the
// same cache sets.
constexpr int64_t kBlockColumns = 512;
constexpr int64_t kBlockDepth = 8;
constexpr int64_t kBlockStride = kBlockColumns + 16;
// The most elements that are computed at a time.
constexpr int64_t kMaxComputed = std::max(kBlockColumns, kDepthBlock);
// The bytes of the large operand read, and the multiplications and additions
// done, per nanosecond.
constexpr double kSkinnyByteRate = 32;
constexpr double kSkinnyFlopRate = 96;

// sums[rows, columns] += a[rows, depth] b[columns, depth]. `cached_bytes` of b
// stay in the L2 cache.
using DotRowsKernel = void (*)(int64_t rows, int64_t columns, int64_t depth,
                               const void* a, int64_t a_stride, const void* b,
                               int64_t b_stride, void* sums, int64_t stride,
                               int64_t cached_bytes);
// By Scaling.
using ScaledKernels = std::array<LineKernels, 3>;
struct SkinnyTable {
  DotRowsKernel f32, f64;
  // By the type of sums, and the type of b if it is another one.
  LineKernels lines_f32, lines_f64, lines_bf16;
  ScaledKernels lines_s8, lines_s4, lines_packed_s4, lines_f8e4m3fn,
      lines_f8e5m2;
};

#define XLA_VECTOR_BODY "xla/backends/cpu/kernels/products/dot_skinny.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

const SkinnyTable& Table() {
  return TableOf(baseline::kSkinnyTable, avx2::kSkinnyTable,
                 avx512::kSkinnyTable);
}

// Returns the kernels that read `lines` in place, two to a byte if `packed`,
// and sum as `sum`; null if there are none.
const LineKernels* LineKernelsOf(PrimitiveType lines, PrimitiveType sum,
                                 bool packed = false,
                                 Scaling scaling = Scaling::kNone) {
  const SkinnyTable& table = Table();
  const auto scaled = [&](const ScaledKernels& kernels) {
    return sum == F32 ? &kernels[static_cast<int>(scaling)] : nullptr;
  };
  if (packed) return lines == S4 ? scaled(table.lines_packed_s4) : nullptr;
  switch (lines) {
    case S8:
      return scaled(table.lines_s8);
    case S4:
      return scaled(table.lines_s4);
    case F8E4M3FN:
      return scaled(table.lines_f8e4m3fn);
    case F8E5M2:
      return scaled(table.lines_f8e5m2);
    default:
      break;
  }
  if (scaling != Scaling::kNone) return nullptr;
  if (lines == sum) return sum == F32 ? &table.lines_f32 : &table.lines_f64;
  return lines == BF16 && sum == F32 ? &table.lines_bf16 : nullptr;
}

Scaling ScalingOf(const DotScales& scales) {
  return scales.type == PRIMITIVE_TYPE_INVALID ? Scaling::kNone
         : scales.rounds_to_bf16               ? Scaling::kRounded
                                               : Scaling::kFloat;
}

class SkinnyDotPlan : public UnfinishedDotPlan {
 public:
  SkinnyDotPlan(const DotDesc& desc, const KernelTarget& target);

  size_t ScratchBytes(int num_threads) const override {
    if (TakesWholeItems(num_threads)) {
      return WorkerSlots(batch_tasks_, num_threads) *
             (few_bytes_ + task_bytes_);
    }
    return few_bytes_ + WorkerSlots(tasks_per_item_, num_threads) * task_bytes_;
  }
  void Run(const void* lhs, const void* rhs, void* out, void* scratch,
           ParallelRunner& runner) const override;

 private:
  void ChooseKernels(const KernelTarget& target);
  void DivideItem(const KernelTarget& target);
  // Whether a kernel reads lines of strided depth side by side.
  bool ReadsLongRuns() const {
    return line_kernel_ != nullptr && !s_.lines_along_depth;
  }
  int64_t LinesPerTask(int num_threads) const;
  // The tasks of one item share its few rows, so items run one after the other
  // unless each task takes whole ones. Both sum in the same order.
  bool TakesWholeItems(int num_threads) const {
    return ItemsFillThreads(batch_, tasks_per_item_, num_threads);
  }
  const char* ReadFew(const char* from, char* to) const;
  // The bytes of so many elements of lines, the first one of which begins a
  // byte.
  int64_t LineBytes(int64_t elements) const {
    return elements * line_width_ / lines_in_byte_;
  }
  // The elements from the first item to another one.
  int64_t FewAt(int64_t item) const {
    return s_.few_is_left ? item * desc_.lhs_batch_stride
                          : RhsItem(desc_, item);
  }
  int64_t LinesAt(int64_t item) const {
    return s_.few_is_left ? RhsItem(desc_, item)
                          : item * desc_.lhs_batch_stride;
  }
  Lines LinesOf(const char* large, int64_t item) const;
  const void* ReadScales(const Lines& large, int64_t first, int64_t count,
                         int64_t group, char* to) const;
  void SumScaled(const char* few, const Lines& large, int64_t first,
                 int64_t count, char* sums, int64_t sum_stride,
                 char* block) const;
  void ReadLine(const Lines& large, int64_t row, int64_t column, int64_t count,
                char* to) const;
  void SumAcross(const char* few, const Lines& large, int64_t first,
                 int64_t count, char* sums, int64_t sum_stride,
                 char* block) const;
  void SumBlocks(const char* few, const Lines& large, int64_t first,
                 int64_t count, char* sums, int64_t sum_stride,
                 char* block) const;
  void SumAlong(const char* few, const Lines& large, int64_t first,
                int64_t count, char* sums, char* block) const;
  void Store(int64_t first, int64_t count, const char* sums, char* transposed,
             char* out) const;
  void RunLines(int64_t first, int64_t end, const char* few, const Lines& large,
                char* out, char* scratch) const;
  void RunItem(const char* few, const Lines& large, char* out,
               char* scratch) const;

  const DotDesc desc_;
  const SkinnyShape s_;
  const int64_t batch_;
  bool cached_;              // the large operand is read from caches
  const bool computed_;      // the large operand, in parts that begin at
  const int64_t line_step_;  // multiples of this
  const DotScales scales_;
  PrimitiveType sum_;  // F32 or F64
  int width_;          // its bytes
  int few_width_, line_width_, out_width_;
  const int lines_in_byte_;  // 2 if elements are packed
  BlockKernels kernels_;
  DotRowsKernel dot_rows_;
  // Reads the large operand in place if not null.
  LineKernel line_kernel_ = nullptr;
  int64_t line_bytes_, cached_line_bytes_;
  RunConverter convert_few_, convert_lines_, convert_sums_;
  bool few_in_place_, sums_in_place_;
  // What ReadFew makes of the few rows, the bytes of an element, and from row
  // to row.
  PrimitiveType few_as_;
  int64_t few_bytes_each_;
  int64_t few_row_stride_;
  int64_t depth_step_;  // where lines lie across
  int64_t line_block_, sum_stride_, lines_per_task_, tasks_per_item_;
  int64_t batch_tasks_;  // of whole items
  // Scratch holds the few rows, and for each task sums, transposed sums and a
  // converted block of the large operand.
  size_t few_bytes_, sum_bytes_, task_bytes_;
};

SkinnyDotPlan::SkinnyDotPlan(const DotDesc& desc, const KernelTarget& target)
    : UnfinishedDotPlan(desc),
      desc_(desc),
      s_(desc),
      batch_(desc.batch),
      computed_(desc.rhs_computed),
      line_step_(desc.rhs_computed ? desc.rhs_step : 1),
      scales_(desc.scales),
      lines_in_byte_(desc.rhs_bits_packed ? 2 : 1) {
  sum_ = ProductKindOf(desc.lhs, desc.rhs, desc.out, target.caches).sum;
  kernels_ = BlockKernelsFor(sum_ == F32 ? PanelType::kF32 : PanelType::kF64,
                             target.caches);
  width_ = primitive_util::ByteWidth(sum_);
  few_width_ = primitive_util::ByteWidth(s_.few_type);
  line_width_ = primitive_util::ByteWidth(s_.line_type);
  out_width_ = primitive_util::ByteWidth(s_.out_type);
  line_bytes_ = std::max<int64_t>(LineBytes(std::max<int64_t>(s_.depth, 1)), 1);
  dot_rows_ = sum_ == F32 ? Table().f32 : Table().f64;
  // Takes an eighth, since the few rows, the sums and the data read next are
  // there too.
  cached_line_bytes_ = target.caches.l2_bytes / 8;
  convert_lines_ = RunConverterOf(s_.line_type, sum_);
  convert_sums_ = RunConverterOf(sum_, s_.out_type);
  few_as_ = sum_;
  ChooseKernels(target);
  convert_few_ = RunConverterOf(s_.few_type, few_as_);
  few_bytes_each_ = primitive_util::ByteWidth(few_as_);
  // Rows a page apart would map to the same cache sets.
  few_in_place_ = s_.few_type == few_as_ && s_.few_along_depth &&
                  (s_.few <= 4 || s_.few_stride * few_bytes_each_ % 4096 != 0);
  few_row_stride_ = few_in_place_ ? s_.few_stride
                    : s_.depth * few_bytes_each_ % 4096 != 0
                        ? s_.depth
                        : s_.depth + 2048 / few_bytes_each_;
  sums_in_place_ = s_.few_is_left && s_.out_type == sum_ &&
                   !s_.lines_along_depth &&
                   (line_kernel_ == nullptr || s_.few <= 4 ||
                    s_.out_stride * width_ % 4096 != 0);
  few_bytes_ = few_in_place_
                   ? 0
                   : RoundUpTo(s_.few * few_row_stride_ * few_bytes_each_, 64);
  sum_bytes_ =
      sums_in_place_ ? 0 : RoundUpTo(s_.few * sum_stride_ * width_, 64);
  const int64_t block_bytes =
      s_.line_type == sum_ && !computed_
          ? 0
          : RoundUpTo(
                std::max(kBlockDepth * kBlockStride, 4 * kDepthBlock) * width_,
                64);
  task_bytes_ = 2 * sum_bytes_ + block_bytes;
  DivideItem(target);
}

void SkinnyDotPlan::ChooseKernels(const KernelTarget& target) {
  const bool short_rows = !s_.lines_along_depth && s_.lines < kShortRow;
  cached_ = s_.line_type == sum_ && !computed_ && !short_rows &&
            s_.lines * line_bytes_ <= kCachedBytes;
  depth_step_ = cached_ ? kMaxBlockDepth : kShortDepth;
  const LineKernels* kernels = LineKernelsOf(
      s_.line_type, sum_, desc_.rhs_bits_packed, ScalingOf(scales_));
  const int64_t most_rows = sum_ == F64 ? kMaxDoubleRows : kMaxLineRows;
  if (kernels != nullptr && s_.few <= most_rows && !cached_ && !computed_) {
    line_kernel_ = s_.lines_along_depth ? kernels->along : kernels->across;
    const LineKernels pairs = PairLineKernels(
        s_.few_type, s_.line_type, desc_.rhs_bits_packed, ScalingOf(scales_));
    if (sum_ == F32 && pairs.across != nullptr) {
      line_kernel_ = s_.lines_along_depth ? pairs.along : pairs.across;
      few_as_ = s_.few_type;
    }
  }
  const int64_t most = ReadsLongRuns() ? kMostLineBlock : kLineBlock;
  line_block_ = std::clamp(kAcrossSums / s_.few / 64 * 64, kLineBlock, most);
  sum_stride_ = std::min(line_block_, RoundUpTo(s_.lines, 64)) + kSumPadding;
}

void SkinnyDotPlan::DivideItem(const KernelTarget& target) {
  const int64_t task_bytes = target.TaskUnits(kSkinnyByteRate);
  const int64_t task_flops = target.TaskUnits(kSkinnyFlopRate);
  // Lines of strided depth should be read in long runs, of which few lines make
  // some tasks nevertheless.
  const int64_t run =
      std::clamp(RoundUpTo(s_.lines / kLeastTasks, 64), kLeastRun, kLineBlock);
  const int64_t least = s_.lines_along_depth ? 16
                        : cached_            ? 64
                                             : std::lcm(run, line_step_);
  const int64_t line_flops = 2 * s_.few * std::max<int64_t>(s_.depth, 1);
  lines_per_task_ =
      std::max(
          std::min(task_bytes / line_bytes_, task_flops / line_flops) / least,
          int64_t{1}) *
      least;
  tasks_per_item_ = CeilOfRatio(s_.lines, lines_per_task_);
  // Divides lines as evenly as multiples of `least` allow.
  const int64_t each = CeilOfRatio(s_.lines, tasks_per_item_);
  lines_per_task_ = RoundUpTo(each, least);
  tasks_per_item_ = CeilOfRatio(s_.lines, lines_per_task_);
  const int64_t elements = batch_ * s_.lines * s_.depth;
  batch_tasks_ =
      std::clamp<int64_t>(std::max(LineBytes(elements) / (task_bytes / 2),
                                   elements * s_.few * 2 / task_flops),
                          1, batch_);
}

// Returns the lines of a task, on which no bits depend.
int64_t SkinnyDotPlan::LinesPerTask(int num_threads) const {
  if (line_kernel_ == nullptr) return lines_per_task_;
  const bool across = ReadsLongRuns();
  const int64_t most = across ? LineBytes(s_.lines) / kLongRunBytes
                              : kTasksPerThread * num_threads;
  const int64_t tasks =
      std::min(std::max<int64_t>(most, num_threads), tasks_per_item_);
  return RoundUpTo(CeilOfRatio(s_.lines, tasks), across ? 64 : 16);
}

// Returns the few rows, in place or copied to `to`.
const char* SkinnyDotPlan::ReadFew(const char* from, char* to) const {
  if (few_in_place_) return from;
  const int64_t width = few_bytes_each_;
  const int64_t row_bytes = few_row_stride_ * width;
  if (s_.few_along_depth) {
    for (int64_t i = 0; i < s_.few; ++i) {
      convert_few_(from + i * s_.few_stride * few_width_, to + i * row_bytes,
                   s_.depth);
    }
    return to;
  }
  char line[kMaxFewInCache * sizeof(double)];
  for (int64_t l = 0; l < s_.depth; ++l) {
    convert_few_(from + l * s_.few_stride * few_width_, line, s_.few);
    for (int64_t i = 0; i < s_.few; ++i) {
      std::memcpy(to + i * row_bytes + l * width, line + i * width, width);
    }
  }
  return to;
}

Lines SkinnyDotPlan::LinesOf(const char* large, int64_t item) const {
  if (TakesScaledOperand(desc_)) {
    const auto& scaled = *reinterpret_cast<const ScaledOperand*>(large);
    return {static_cast<const char*>(scaled.elements), nullptr, 0,
            static_cast<const char*>(scaled.scales)};
  }
  if (!computed_) return {large + LinesAt(item) * line_width_};
  return {nullptr, reinterpret_cast<const OperandFunction*>(large),
          item * (s_.lines_along_depth ? s_.lines : s_.depth)};
}

// Reads `count` elements of a row as `sum_`.
void SkinnyDotPlan::ReadLine(const Lines& large, int64_t row, int64_t column,
                             int64_t count, char* to) const {
  if (large.computed == nullptr) {
    return convert_lines_(
        large.data + (row * s_.line_stride + column) * line_width_, to, count);
  }
  if (s_.line_type == sum_) {
    return (*large.computed)(large.row + row, column, count, to);
  }
  alignas(64) char computed[kMaxComputed * sizeof(double)];
  (*large.computed)(large.row + row, column, count, computed);
  convert_lines_(computed, to, count);
}

// Returns the scales of lines [first, first + count) in a group of the depth,
// converted to `to` unless they lie so in memory.
const void* SkinnyDotPlan::ReadScales(const Lines& large, int64_t first,
                                      int64_t count, int64_t group,
                                      char* to) const {
  const int64_t width = primitive_util::ByteWidth(scales_.type);
  const int64_t groups = CeilOfRatio(s_.depth, scales_.group);
  const RunConverter convert = RunConverterOf(scales_.type, F32);
  if (!s_.lines_along_depth || groups == 1) {
    const char* from = large.scales + (group * s_.lines + first) * width;
    if (scales_.type == F32) return from;
    convert(from, to, count);
    return to;
  }
  for (int64_t j = 0; j < count; ++j) {
    convert(large.scales + ((first + j) * groups + group) * width,
            to + j * sizeof(float), 1);
  }
  return to;
}

// Sums lines that have scales, which are constant along groups of the depth.
void SkinnyDotPlan::SumScaled(const char* few, const Lines& large,
                              int64_t first, int64_t count, char* sums,
                              int64_t sum_stride, char* block) const {
  const bool along = s_.lines_along_depth;
  // Lines of contiguous depth are read to their ends, some at a time.
  constexpr int64_t kLines = 16;
  const int64_t step = along && scales_.group < s_.depth ? kLines : count;
  for (int64_t j = 0; j < count; j += step) {
    const int64_t lines = std::min(step, count - j);
    for (int64_t l = 0; l < s_.depth; l += scales_.group) {
      const int64_t at = along ? (first + j) * s_.line_stride + l
                               : l * s_.line_stride + first + j;
      line_kernel_({.rows = s_.few,
                    .columns = lines,
                    .depth = std::min(scales_.group, s_.depth - l),
                    .a = few + l * few_bytes_each_,
                    .a_stride = few_row_stride_,
                    .b = large.data + LineBytes(at),
                    .b_stride = s_.line_stride,
                    .scales = ReadScales(large, first + j, lines,
                                         l / scales_.group, block),
                    .sums = sums + j * width_,
                    .stride = sum_stride,
                    .accumulate = l > 0});
    }
  }
}

// Sums lines [first, first + count), count <= line_block_, of strided depth.
void SkinnyDotPlan::SumAcross(const char* few, const Lines& large,
                              int64_t first, int64_t count, char* sums,
                              int64_t sum_stride, char* block) const {
  if (large.scales != nullptr) {
    return SumScaled(few, large, first, count, sums, sum_stride, block);
  }
  if (line_kernel_ != nullptr && s_.depth > 0) {
    return line_kernel_({.rows = s_.few,
                         .columns = count,
                         .depth = s_.depth,
                         .a = few,
                         .a_stride = few_row_stride_,
                         .b = large.data + LineBytes(first),
                         .b_stride = s_.line_stride,
                         .scales = nullptr,
                         .sums = sums,
                         .stride = sum_stride,
                         .accumulate = false});
  }
  if (s_.line_type != sum_ || computed_) {
    return SumBlocks(few, large, first, count, sums, sum_stride, block);
  }
  BlockProduct product = {};
  product.kernels = kernels_;
  product.rows = s_.few;
  product.columns = count;
  product.left_stride = few_row_stride_;
  product.out = sums;
  product.out_stride = sum_stride;
  product.right_stride = s_.line_stride;
  // With depth 0, zeros must be written.
  int64_t l = 0;
  do {
    product.depth = std::min(depth_step_, s_.depth - l);
    product.left = few + l * width_;
    product.right = large.data + (l * s_.line_stride + first) * line_width_;
    product.accumulate = l > 0;
    MultiplyBlock(product);
    l += depth_step_;
  } while (l < s_.depth);
}

// SumAcross by blocks that are converted or computed.
void SkinnyDotPlan::SumBlocks(const char* few, const Lines& large,
                              int64_t first, int64_t count, char* sums,
                              int64_t sum_stride, char* block) const {
  BlockProduct product = {};
  product.kernels = kernels_;
  product.rows = s_.few;
  product.left_stride = few_row_stride_;
  product.right = block;
  product.right_stride = kBlockStride;
  product.out_stride = sum_stride;
  // With depth 0, zeros must be written.
  int64_t l = 0;
  do {
    product.depth = std::min(kBlockDepth, s_.depth - l);
    product.left = few + l * width_;
    product.accumulate = l > 0;
    for (int64_t j = 0; j < count; j += kBlockColumns) {
      product.columns = std::min(kBlockColumns, count - j);
      product.out = sums + j * width_;
      for (int64_t r = 0; r < product.depth; ++r) {
        ReadLine(large, l + r, first + j, product.columns,
                 block + r * kBlockStride * width_);
      }
      MultiplyBlock(product);
    }
    l += kBlockDepth;
  } while (l < s_.depth);
}

// Sums lines of contiguous depth.
void SkinnyDotPlan::SumAlong(const char* few, const Lines& large, int64_t first,
                             int64_t count, char* sums, char* block) const {
  std::memset(sums, 0, sum_bytes_);
  if (large.scales != nullptr) {
    return SumScaled(few, large, first, count, sums, sum_stride_, block);
  }
  if (line_kernel_ != nullptr) {
    return line_kernel_({.rows = s_.few,
                         .columns = count,
                         .depth = s_.depth,
                         .a = few,
                         .a_stride = few_row_stride_,
                         .b = large.data + LineBytes(first * s_.line_stride),
                         .b_stride = s_.line_stride,
                         .scales = nullptr,
                         .sums = sums,
                         .stride = sum_stride_,
                         .accumulate = true});
  }
  if (s_.line_type == sum_ && !computed_) {
    return dot_rows_(s_.few, count, s_.depth, few, few_row_stride_,
                     large.data + first * s_.line_stride * line_width_,
                     s_.line_stride, sums, sum_stride_, cached_line_bytes_);
  }
  for (int64_t j = 0; j < count; j += 4) {
    const int64_t lines = std::min<int64_t>(4, count - j);
    for (int64_t l = 0; l < s_.depth; l += kDepthBlock) {
      const int64_t depth = std::min(kDepthBlock, s_.depth - l);
      for (int64_t r = 0; r < lines; ++r) {
        ReadLine(large, first + j + r, l, depth,
                 block + r * kDepthBlock * width_);
      }
      dot_rows_(s_.few, lines, depth, few + l * width_, few_row_stride_, block,
                kDepthBlock, sums + j * width_, sum_stride_,
                cached_line_bytes_);
    }
  }
}

void SkinnyDotPlan::Store(int64_t first, int64_t count, const char* sums,
                          char* transposed, char* out) const {
  const int64_t row_bytes = sum_stride_ * width_;
  if (s_.few_is_left) {
    for (int64_t i = 0; i < s_.few; ++i) {
      convert_sums_(sums + i * row_bytes,
                    out + (i * s_.out_stride + first) * out_width_, count);
    }
    return;
  }
  if (s_.few == 1 && s_.out_stride == 1) {
    return convert_sums_(sums, out + first * out_width_, count);
  }
  for (int64_t i = 0; i < s_.few; ++i) {
    for (int64_t j = 0; j < count; ++j) {
      std::memcpy(transposed + (j * s_.few + i) * width_,
                  sums + i * row_bytes + j * width_, width_);
    }
  }
  for (int64_t j = 0; j < count; ++j) {
    convert_sums_(transposed + j * s_.few * width_,
                  out + (first + j) * s_.out_stride * out_width_, s_.few);
  }
}

// Computes lines [first, end) of the result.
void SkinnyDotPlan::RunLines(int64_t first, int64_t end, const char* few,
                             const Lines& large, char* out,
                             char* scratch) const {
  char* sums = scratch;
  char* transposed = sums + sum_bytes_;
  char* block = transposed + sum_bytes_;
  for (int64_t j = first; j < end; j += line_block_) {
    const int64_t count = std::min(line_block_, end - j);
    if (sums_in_place_) {
      SumAcross(few, large, j, count, out + j * width_, s_.out_stride, block);
      continue;
    }
    if (s_.lines_along_depth) {
      SumAlong(few, large, j, count, sums, block);
    } else {
      SumAcross(few, large, j, count, sums, sum_stride_, block);
    }
    Store(j, count, sums, transposed, out);
  }
}

void SkinnyDotPlan::RunItem(const char* few, const Lines& large, char* out,
                            char* scratch) const {
  const char* const rows = ReadFew(few, scratch);
  const int64_t step = line_kernel_ == nullptr ? lines_per_task_ : s_.lines;
  for (int64_t j = 0; j < s_.lines; j += step) {
    RunLines(j, std::min(j + step, s_.lines), rows, large, out,
             scratch + few_bytes_);
  }
}

void SkinnyDotPlan::Run(const void* lhs, const void* rhs, void* out,
                        void* scratch, ParallelRunner& runner) const {
  const char* const few = static_cast<const char*>(s_.few_is_left ? lhs : rhs);
  const char* const large =
      static_cast<const char*>(s_.few_is_left ? rhs : lhs);
  char* const result = static_cast<char*>(out);
  char* const memory = static_cast<char*>(scratch);
  if (batch_ == 1 && tasks_per_item_ == 1) {
    return RunItem(few, LinesOf(large, 0), result, memory);
  }
  const int64_t out_step = s_.out_batch_stride * out_width_;
  if (TakesWholeItems(runner.num_threads())) {
    const auto run = [&](int64_t first, int64_t last, int64_t slot) {
      for (int64_t i = first; i < last; ++i) {
        RunItem(few + FewAt(i) * few_width_, LinesOf(large, i),
                result + i * out_step,
                memory + slot * (few_bytes_ + task_bytes_));
      }
    };
    return ForEachRange(runner, batch_, batch_tasks_, run);
  }
  const int64_t step = LinesPerTask(runner.num_threads());
  const int64_t tasks = CeilOfRatio(s_.lines, step);
  for (int64_t i = 0; i < batch_; ++i) {
    const char* const rows = ReadFew(few + FewAt(i) * few_width_, memory);
    const Lines lines = LinesOf(large, i);
    ForEachTask(runner, tasks, [&](int64_t task, int64_t slot) {
      RunLines(task * step, std::min((task + 1) * step, s_.lines), rows, lines,
               result + i * out_step, memory + few_bytes_ + slot * task_bytes_);
    });
  }
}

}  // namespace

namespace {

// Whether micro kernels are faster than sums along or across lines. Along short
// lines, adding up the lanes of a vector and ordering the sums takes more time
// than the products; with few lines, copying the few rows does if their depth
// is strided. The factors come from measurements with AVX2 and AVX-512.
bool HasShortLines(const DotDesc& desc, PrimitiveType sum) {
  const SkinnyShape s(desc);
  if (s.few <= 1) return false;
  if (!s.lines_along_depth) {
    return !s.few_along_depth && s.lines <= 8 * s.few;
  }
  if (s.few_is_left) return s.depth <= 8 * s.few;
  // The sums of a line are a part of a row of the result.
  return s.few > kMaxFew || s.depth < (16 * s.few + 32) * (sum == F64 ? 2 : 1);
}

}  // namespace

bool HasFewRows(const DotDesc& desc, const KernelTarget& target) {
  const PrimitiveType sum =
      ProductKindOf(desc.lhs, desc.rhs, desc.out, target.caches).sum;
  const int64_t few = std::min(desc.m, desc.n);
  if (sum != F32 && sum != F64) return false;
  if (!desc.rhs_computed && HasShortLines(desc, sum)) return false;
  if (few <= kMaxFew) return true;
  const PrimitiveType lines = desc.m <= desc.n ? desc.rhs : desc.lhs;
  return sum == F32 && few <= kMaxLineRows && !desc.rhs_computed &&
         LineKernelsOf(lines, sum) != nullptr &&
         std::max(desc.m, desc.n) * desc.k * primitive_util::ByteWidth(lines) >
             kCachedBytes;
}

namespace {

// Whether rows and groups of packed elements begin with bytes.
bool HasWholeBytes(const DotDesc& desc) {
  if (!desc.rhs_transposed) return desc.n % 2 == 0;
  return desc.k % 2 == 0 && (desc.scales.type == PRIMITIVE_TYPE_INVALID ||
                             desc.scales.group % 2 == 0);
}

}  // namespace

bool HasScaledKernel(const DotDesc& desc) {
  return desc.batch == 1 && desc.m <= kMaxLineRows && desc.m <= desc.n &&
         desc.k > 0 && desc.lhs != F64 && desc.out != F64 &&
         !primitive_util::IsComplexType(desc.lhs) &&
         !primitive_util::IsComplexType(desc.out) &&
         LineKernelsOf(desc.rhs, F32, desc.rhs_bits_packed,
                       ScalingOf(desc.scales)) != nullptr &&
         (!desc.rhs_bits_packed || HasWholeBytes(desc));
}

bool IsSkinnyDot(const DotDesc& desc, const KernelTarget& target) {
  if (HasFewRows(desc, target)) return true;
  const ProductKind kind =
      ProductKindOf(desc.lhs, desc.rhs, desc.out, target.caches);
  if (kind.sum != F32 && kind.sum != F64) return false;
  if (desc.m > desc.n || desc.lhs_transposed || desc.rhs_transposed ||
      desc.rhs != kind.sum) {
    return false;
  }
  const int64_t bytes = desc.k * desc.n * primitive_util::ByteWidth(kind.sum);
  if (bytes > kCachedBytes) return false;
  return desc.m <= kMaxFewInPlace ||
         (desc.m <= kMaxFewInCache && bytes <= target.first_cache_bytes());
}

std::unique_ptr<const DotPlan> PlanSkinnyDot(const DotDesc& desc,
                                             const KernelTarget& target) {
  return std::make_unique<SkinnyDotPlan>(desc, target);
}

}  // namespace xla::cpu
