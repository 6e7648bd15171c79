// Products of few rows (or columns), whose time is that of reading the large
// operand: it is read as it is. The few rows of the other are brought into
// scratch unless they can be read in place; both cases below compute
// sums[i, j] for its rows i and the lines j of the large operand.
#include <algorithm>
#include <cstring>
#include <utility>

#include "xla/backends/cpu/kernels/products/block_product.h"
#include "xla/backends/cpu/kernels/products/dot_routes.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/backends/cpu/kernels/vector/element_runs.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// The most rows; more of them are worth packing the large operand, unless it
// lies as micro kernels read it.
constexpr int64_t kMaxFew = 8;
constexpr int64_t kMaxFewInPlace = 4 * MicroKernelSet::kMaxRows;
// Likewise where the large operand, as it is, fits into the first cache.
constexpr int64_t kMaxFewInCache = 3 * kMaxFewInPlace;
constexpr int64_t kFirstCacheBytes = 32 << 10;
// Lines of the large operand whose sums are kept in the first cache, and the
// depth that is read at a time where it has to be converted.
constexpr int64_t kLineBlock = 1024;
constexpr int64_t kDepthBlock = 1024;
// Converted lines are so far apart that they do not all fall into the same
// cache sets.
constexpr int64_t kBlockStride = kLineBlock + 16;
// Rows of the large operand that are read side by side, where lines lie across:
// as deep as kernels like if all of it is in some cache, else so that memory is
// read in long pieces.
constexpr int64_t kCachedBytes = 2 << 20;
constexpr int64_t kShortDepth = 16;
// Lines that are so long are read few at a time.
constexpr int64_t kLongDepth = 1024;
constexpr int64_t kRowsBytes = 128 << 10;
// What is worth a task: bytes of the large operand, multiplications and
// additions.
constexpr int64_t kTaskBytes = 512 << 10;
constexpr int64_t kTaskFlops = 3 << 19;

// sums[rows, columns] += a[rows, depth] b[columns, depth]
using DotRowsKernel = void (*)(int64_t rows, int64_t columns, int64_t depth,
                               const void* a, int64_t a_stride, const void* b,
                               int64_t b_stride, void* sums, int64_t stride);
struct SkinnyTable {
  DotRowsKernel f32, f64;
};

#define XLA_VECTOR_BODY "xla/backends/cpu/kernels/products/dot_skinny.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

DotRowsKernel DotRowsOf(PrimitiveType type) {
  const SkinnyTable& table =
      TableOf(baseline::kSkinnyTable, avx2::kSkinnyTable, avx512::kSkinnyTable);
  return type == F32 ? table.f32 : table.f64;
}

// The dot seen from its large operand.
struct Skinny {
  PrimitiveType sum;  // F32 or F64
  PanelType panel;
  int width;  // its bytes
  int64_t few, lines, depth;
  PrimitiveType few_type, line_type, out_type;
  bool few_is_left;
  // Whether the depth of an operand lies side by side in memory.
  bool few_along_depth, lines_along_depth;
  int64_t few_stride, line_stride, out_stride;
  bool few_in_place, sums_in_place;
  int64_t depth_step;  // of lines across
  int64_t lines_per_task, tasks_per_item;

  explicit Skinny(const DotDesc& desc) {
    const ProductKind kind = ProductKindOf(desc.lhs, desc.rhs, desc.out);
    sum = kind.sum;
    panel = kind.panel;
    width = primitive_util::ByteWidth(sum);
    depth = desc.k;
    out_type = desc.out;
    out_stride = desc.out_stride;
    few_is_left = desc.m <= desc.n;
    if (few_is_left) {
      few = desc.m;
      lines = desc.n;
      few_type = desc.lhs;
      line_type = desc.rhs;
      few_along_depth = !desc.lhs_transposed;
      lines_along_depth = desc.rhs_transposed;
      few_stride = desc.lhs_stride;
      line_stride = desc.rhs_stride;
    } else {
      few = desc.n;
      lines = desc.m;
      few_type = desc.rhs;
      line_type = desc.lhs;
      few_along_depth = desc.rhs_transposed;
      lines_along_depth = !desc.lhs_transposed;
      few_stride = desc.rhs_stride;
      line_stride = desc.lhs_stride;
    }
    // Rows a page apart would fall into the same cache sets.
    few_in_place = few_type == sum && few_along_depth &&
                   (few <= 4 || few_stride * width % 4096 != 0);
    sums_in_place = few_is_left && out_type == sum && !lines_along_depth;
    Divide();
  }

  // The few rows, sums, transposed sums, converted large operand.
  int64_t row_stride() const { return few_in_place ? few_stride : depth; }
  size_t few_bytes() const {
    return few_in_place ? 0 : RoundUpTo(few * depth * width, 64);
  }
  size_t sum_bytes() const {
    return sums_in_place ? 0 : RoundUpTo(few * kLineBlock * width, 64);
  }
  size_t block_bytes() const {
    if (line_type == sum) return 0;
    return RoundUpTo(
        std::max(kShortDepth * kBlockStride, 4 * kDepthBlock) * width, 64);
  }
  size_t task_bytes() const { return 2 * sum_bytes() + block_bytes(); }

 private:
  void Divide() {
    const int64_t line_bytes =
        std::max<int64_t>(depth, 1) * primitive_util::ByteWidth(line_type);
    const bool cached = line_type == sum && lines * line_bytes <= kCachedBytes;
    depth_step = cached ? kMaxBlockDepth : kShortDepth;
    // Lines that lie across should be read in long pieces.
    const int64_t least = lines_along_depth ? 16 : cached ? 64 : kLineBlock;
    const int64_t line_flops = 2 * few * std::max<int64_t>(depth, 1);
    lines_per_task =
        std::max(
            std::min(kTaskBytes / line_bytes, kTaskFlops / line_flops) / least,
            int64_t{1}) *
        least;
    tasks_per_item = CeilOfRatio(lines, lines_per_task);
    // Alike, as far as they go.
    const int64_t each = CeilOfRatio(lines, tasks_per_item);
    lines_per_task = RoundUpTo(each, least);
    tasks_per_item = CeilOfRatio(lines, lines_per_task);
  }
};

// Tasks share their item's few rows, so items run one after the other where
// threads do not take whole ones. The sums of an item are the same in both.
bool TakesWholeItems(const DotDesc& desc, const Skinny& s, int num_threads) {
  return ItemsFillThreads(desc.batch, s.tasks_per_item, num_threads);
}

// Tasks of these: runs of items.
int64_t TasksOfItems(const DotDesc& desc, const Skinny& s) {
  const int64_t tasks =
      std::max(desc.batch * s.lines * s.depth *
                   primitive_util::ByteWidth(s.line_type) / (kTaskBytes / 2),
               desc.batch * s.lines * s.depth * s.few * 2 / kTaskFlops);
  return std::clamp<int64_t>(tasks, 1, desc.batch);
}

// The few rows: in place or in `to`.
const char* ReadFew(const Skinny& s, const char* from, char* to) {
  if (s.few_in_place) return from;
  const RunConverter convert = RunConverterOf(s.few_type, s.sum);
  const int bytes = primitive_util::ByteWidth(s.few_type);
  const int64_t row_bytes = s.depth * s.width;
  if (s.few_along_depth) {
    for (int64_t i = 0; i < s.few; ++i) {
      convert(from + i * s.few_stride * bytes, to + i * row_bytes, s.depth);
    }
    return to;
  }
  char line[kMaxFewInCache * sizeof(double)];
  for (int64_t l = 0; l < s.depth; ++l) {
    convert(from + l * s.few_stride * bytes, line, s.few);
    for (int64_t i = 0; i < s.few; ++i) {
      std::memcpy(to + i * row_bytes + l * s.width, line + i * s.width,
                  s.width);
    }
  }
  return to;
}

// Sums of lines [first, first + count), count <= kLineBlock, that lie across.
void SumAcross(const Skinny& s, const char* few, const char* large,
               int64_t first, int64_t count, char* sums, int64_t sum_stride,
               char* block) {
  const RunConverter convert = RunConverterOf(s.line_type, s.sum);
  const int bytes = primitive_util::ByteWidth(s.line_type);
  BlockProduct product = {};
  product.panel = s.panel;
  product.rows = s.few;
  product.columns = count;
  product.left_stride = s.row_stride();
  product.out = sums;
  product.out_stride = sum_stride;
  // Depth 0 still has to write zeros.
  int64_t l = 0;
  do {
    product.depth = std::min(s.depth_step, s.depth - l);
    product.left = few + l * s.width;
    const char* from = large + (l * s.line_stride + first) * bytes;
    product.right = from;
    product.right_stride = s.line_stride;
    if (s.line_type != s.sum) {
      for (int64_t r = 0; r < product.depth; ++r) {
        convert(from + r * s.line_stride * bytes,
                block + r * kBlockStride * s.width, count);
      }
      product.right = block;
      product.right_stride = kBlockStride;
    }
    product.accumulate = l > 0;
    MultiplyBlock(product);
    l += s.depth_step;
  } while (l < s.depth);
}

void SumAlong(const Skinny& s, const char* few, const char* large,
              int64_t first, int64_t count, char* sums, char* block) {
  const DotRowsKernel dot = DotRowsOf(s.sum);
  std::memset(sums, 0, s.sum_bytes());
  const int bytes = primitive_util::ByteWidth(s.line_type);
  const char* from = large + first * s.line_stride * bytes;
  if (s.line_type == s.sum) {
    return dot(s.few, count, s.depth, few, s.row_stride(), from, s.line_stride,
               sums, kLineBlock);
  }
  const RunConverter convert = RunConverterOf(s.line_type, s.sum);
  for (int64_t j = 0; j < count; j += 4) {
    const int64_t lines = std::min<int64_t>(4, count - j);
    for (int64_t l = 0; l < s.depth; l += kDepthBlock) {
      const int64_t depth = std::min(kDepthBlock, s.depth - l);
      for (int64_t r = 0; r < lines; ++r) {
        convert(from + ((j + r) * s.line_stride + l) * bytes,
                block + r * kDepthBlock * s.width, depth);
      }
      dot(s.few, lines, depth, few + l * s.width, s.row_stride(), block,
          kDepthBlock, sums + j * s.width, kLineBlock);
    }
  }
}

void Store(const Skinny& s, int64_t first, int64_t count, const char* sums,
           char* transposed, char* out) {
  const RunConverter convert = RunConverterOf(s.sum, s.out_type);
  const int bytes = primitive_util::ByteWidth(s.out_type);
  const int64_t row_bytes = kLineBlock * s.width;
  if (s.few_is_left) {
    for (int64_t i = 0; i < s.few; ++i) {
      convert(sums + i * row_bytes, out + (i * s.out_stride + first) * bytes,
              count);
    }
    return;
  }
  if (s.few == 1 && s.out_stride == 1) {
    return convert(sums, out + first * bytes, count);
  }
  for (int64_t i = 0; i < s.few; ++i) {
    for (int64_t j = 0; j < count; ++j) {
      std::memcpy(transposed + (j * s.few + i) * s.width,
                  sums + i * row_bytes + j * s.width, s.width);
    }
  }
  for (int64_t j = 0; j < count; ++j) {
    convert(transposed + j * s.few * s.width,
            out + (first + j) * s.out_stride * bytes, s.few);
  }
}

void RunTask(const Skinny& s, int64_t task, const char* few, const char* large,
             char* out, char* scratch) {
  char* sums = scratch;
  char* transposed = sums + s.sum_bytes();
  char* block = transposed + s.sum_bytes();
  const int64_t end = std::min((task + 1) * s.lines_per_task, s.lines);
  for (int64_t j = task * s.lines_per_task; j < end; j += kLineBlock) {
    const int64_t count = std::min(kLineBlock, end - j);
    if (s.sums_in_place) {
      SumAcross(s, few, large, j, count, out + j * s.width, s.out_stride,
                block);
      continue;
    }
    if (s.lines_along_depth) {
      SumAlong(s, few, large, j, count, sums, block);
    } else {
      SumAcross(s, few, large, j, count, sums, kLineBlock, block);
    }
    Store(s, j, count, sums, transposed, out);
  }
}

}  // namespace

bool IsSkinnyDot(const DotDesc& desc) {
  const ProductKind kind = ProductKindOf(desc.lhs, desc.rhs, desc.out);
  if (kind.sum != F32 && kind.sum != F64) return false;
  if (std::min(desc.m, desc.n) <= kMaxFew) return true;
  if (desc.m > desc.n || desc.rhs_transposed || desc.rhs != kind.sum) {
    return false;
  }
  const int64_t bytes = desc.k * desc.n * kind.element_bytes();
  return desc.m <= kMaxFewInPlace ||
         (desc.m <= kMaxFewInCache && bytes <= kFirstCacheBytes &&
          !desc.lhs_transposed);
}

size_t SkinnyDotScratchBytes(const DotDesc& desc, int num_threads) {
  const Skinny s(desc);
  if (TakesWholeItems(desc, s, num_threads)) {
    return WorkerSlots(TasksOfItems(desc, s), num_threads) *
           (s.few_bytes() + s.task_bytes());
  }
  return s.few_bytes() +
         WorkerSlots(s.tasks_per_item, num_threads) * s.task_bytes();
}

void SkinnyDot(const DotDesc& desc, const void* lhs, const void* rhs, void* out,
               void* scratch, ParallelRunner& runner) {
  const Skinny s(desc);
  const auto offset = [](const void* data, int64_t elements,
                         PrimitiveType type) {
    return static_cast<const char*>(data) +
           elements * primitive_util::ByteWidth(type);
  };
  struct Item {
    const char *few, *large;
    char* out;
  };
  const auto item_at = [&](int64_t i) {
    const char* l = offset(lhs, i * desc.lhs_batch_stride, desc.lhs);
    const char* r = offset(rhs, i * desc.rhs_batch_stride, desc.rhs);
    char* o =
        const_cast<char*>(offset(out, i * desc.out_batch_stride, desc.out));
    return s.few_is_left ? Item{l, r, o} : Item{r, l, o};
  };
  char* memory = static_cast<char*>(scratch);
  if (TakesWholeItems(desc, s, runner.num_threads())) {
    const auto run = [&](int64_t first, int64_t last, int64_t slot) {
      char* few = memory + slot * (s.few_bytes() + s.task_bytes());
      for (int64_t i = first; i < last; ++i) {
        const Item item = item_at(i);
        const char* const rows = ReadFew(s, item.few, few);
        for (int64_t task = 0; task < s.tasks_per_item; ++task) {
          RunTask(s, task, rows, item.large, item.out, few + s.few_bytes());
        }
      }
    };
    return ForEachRange(runner, desc.batch, TasksOfItems(desc, s), run);
  }
  for (int64_t i = 0; i < desc.batch; ++i) {
    const Item item = item_at(i);
    const char* const few = ReadFew(s, item.few, memory);
    ForEachTask(runner, s.tasks_per_item, [&](int64_t task, int64_t slot) {
      RunTask(s, task, few, item.large, item.out,
              memory + s.few_bytes() + slot * s.task_bytes());
    });
  }
}

}  // namespace xla::cpu
