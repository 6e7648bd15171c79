// Products whose time is that of reading one large operand: it is read once,
// in order, as it is. The few rows (or columns) of the other are brought into
// scratch; both cases below compute sums[i, j] for its rows i and the lines j
// of the large operand.
#include <algorithm>
#include <cstring>

#include "xla/backends/cpu/kernels/products/dot_routes.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/backends/cpu/kernels/vector/element_runs.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/core/primitive_util.h"

#if defined(__clang__)
#define XLA_UNROLL _Pragma("unroll")
#else
#define XLA_UNROLL _Pragma("GCC unroll 16")
#endif

namespace xla::cpu {
namespace {

constexpr int64_t kMaxFew = 8;
// Rows of the large operand that one update takes.
constexpr int kUpdateDepth = 8;
// Lines of the large operand whose sums are kept in the first cache, and the
// depth that is read at a time where it has to be converted.
constexpr int64_t kLineBlock = 512;
constexpr int64_t kDepthBlock = 1024;
// Bytes of the large operand that are worth a task.
constexpr int64_t kTaskBytes = 512 << 10;

struct SkinnyKernels {
  // sums[rows, columns] += a[rows, kUpdateDepth] b[kUpdateDepth, columns]
  void (*update)(int64_t rows, int64_t columns, const void* a, int64_t a_stride,
                 const void* b, int64_t b_stride, void* sums, int64_t stride);
  // sums[rows, columns] += a[rows, depth] b[columns, depth]
  void (*dot)(int64_t rows, int64_t columns, int64_t depth, const void* a,
              int64_t a_stride, const void* b, int64_t b_stride, void* sums,
              int64_t stride);
};
struct SkinnyTable {
  SkinnyKernels f32, f64;
};

#define XLA_VECTOR_BODY "xla/backends/cpu/kernels/products/dot_skinny.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

const SkinnyKernels& KernelsOf(PrimitiveType type) {
  static const SkinnyTable& table =
      TableOf(baseline::kSkinnyTable, avx2::kSkinnyTable, avx512::kSkinnyTable);
  return type == F32 ? table.f32 : table.f64;
}

// The dot seen from its large operand.
struct Skinny {
  PrimitiveType sum;  // F32 or F64
  int width;          // its bytes
  int64_t few, lines, depth;
  PrimitiveType few_type, line_type, out_type;
  bool few_is_left;
  // Whether the depth of an operand lies side by side in memory.
  bool few_along_depth, lines_along_depth;
  int64_t few_stride, line_stride;
  int64_t padded_depth;  // stride of the few rows in scratch
  int64_t lines_per_task, tasks_per_item;

  explicit Skinny(const DotDesc& desc) {
    sum = ProductKindOf(desc.lhs, desc.rhs, desc.out).sum;
    width = primitive_util::ByteWidth(sum);
    depth = desc.k;
    out_type = desc.out;
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
    padded_depth = (depth + kUpdateDepth - 1) / kUpdateDepth * kUpdateDepth;
    const int64_t line_bytes =
        std::max<int64_t>(depth, 1) * primitive_util::ByteWidth(line_type);
    // Lines that lie across should be read in long pieces.
    const int64_t least = lines_along_depth ? 4 : kLineBlock;
    lines_per_task =
        std::max(kTaskBytes / line_bytes / least, int64_t{1}) * least;
    tasks_per_item = (lines + lines_per_task - 1) / lines_per_task;
  }

  // The few rows, sums, transposed sums, converted large operand.
  size_t few_bytes() const { return RoundUpTo64(few * padded_depth * width); }
  size_t sum_bytes() const { return RoundUpTo64(few * kLineBlock * width); }
  size_t block_bytes() const {
    return RoundUpTo64(std::max(kUpdateDepth * kLineBlock, 4 * kDepthBlock) *
                       width);
  }
  size_t task_bytes() const { return 2 * sum_bytes() + block_bytes(); }
};

// Tasks share their item's few rows, so items run one after the other, but for
// those that are one task each.
int64_t ItemsAtOnce(const DotDesc& desc, const Skinny& s) {
  return s.tasks_per_item == 1 ? std::min<int64_t>(desc.batch, 32) : 1;
}
int64_t LanesPerItem(const Skinny& s) {
  return std::min<int64_t>(s.tasks_per_item, 64);
}

void ReadFew(const Skinny& s, const char* from, char* to) {
  const RunConverter convert = RunConverterOf(s.few_type, s.sum);
  const int bytes = primitive_util::ByteWidth(s.few_type);
  const int64_t row_bytes = s.padded_depth * s.width;
  if (s.few_along_depth) {
    for (int64_t i = 0; i < s.few; ++i) {
      convert(from + i * s.few_stride * bytes, to + i * row_bytes, s.depth);
    }
  } else {
    char line[kMaxFew * sizeof(double)];
    for (int64_t l = 0; l < s.depth; ++l) {
      convert(from + l * s.few_stride * bytes, line, s.few);
      for (int64_t i = 0; i < s.few; ++i) {
        std::memcpy(to + i * row_bytes + l * s.width, line + i * s.width,
                    s.width);
      }
    }
  }
  for (int64_t i = 0; i < s.few; ++i) {
    std::memset(to + i * row_bytes + s.depth * s.width, 0,
                (s.padded_depth - s.depth) * s.width);
  }
}

// Sums of lines [first, first + count), count <= kLineBlock, that lie across.
void SumAcross(const Skinny& s, const char* few, const char* large,
               int64_t first, int64_t count, char* sums, char* block) {
  const SkinnyKernels& kernels = KernelsOf(s.sum);
  const RunConverter convert = RunConverterOf(s.line_type, s.sum);
  const int bytes = primitive_util::ByteWidth(s.line_type);
  for (int64_t l = 0; l < s.depth; l += kUpdateDepth) {
    const char* from = large + (l * s.line_stride + first) * bytes;
    const int64_t rows = std::min<int64_t>(kUpdateDepth, s.depth - l);
    const char* b = from;
    int64_t b_stride = s.line_stride;
    if (s.line_type != s.sum || rows < kUpdateDepth) {
      for (int64_t r = 0; r < kUpdateDepth; ++r) {
        char* to = block + r * kLineBlock * s.width;
        if (r < rows) {
          convert(from + r * s.line_stride * bytes, to, count);
        } else {
          std::memset(to, 0, count * s.width);
        }
      }
      b = block;
      b_stride = kLineBlock;
    }
    kernels.update(s.few, count, few + l * s.width, s.padded_depth, b, b_stride,
                   sums, kLineBlock);
  }
}

void SumAlong(const Skinny& s, const char* few, const char* large,
              int64_t first, int64_t count, char* sums, char* block) {
  const SkinnyKernels& kernels = KernelsOf(s.sum);
  const int bytes = primitive_util::ByteWidth(s.line_type);
  const char* from = large + first * s.line_stride * bytes;
  if (s.line_type == s.sum) {
    return kernels.dot(s.few, count, s.depth, few, s.padded_depth, from,
                       s.line_stride, sums, kLineBlock);
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
      kernels.dot(s.few, lines, depth, few + l * s.width, s.padded_depth, block,
                  kDepthBlock, sums + j * s.width, kLineBlock);
    }
  }
}

void Store(const Skinny& s, int64_t out_stride, int64_t first, int64_t count,
           const char* sums, char* turned, char* out) {
  const RunConverter convert = RunConverterOf(s.sum, s.out_type);
  const int bytes = primitive_util::ByteWidth(s.out_type);
  const int64_t row_bytes = kLineBlock * s.width;
  if (s.few_is_left) {
    for (int64_t i = 0; i < s.few; ++i) {
      convert(sums + i * row_bytes, out + (i * out_stride + first) * bytes,
              count);
    }
    return;
  }
  if (s.few == 1 && out_stride == 1) {
    return convert(sums, out + first * bytes, count);
  }
  for (int64_t i = 0; i < s.few; ++i) {
    for (int64_t j = 0; j < count; ++j) {
      std::memcpy(turned + (j * s.few + i) * s.width,
                  sums + i * row_bytes + j * s.width, s.width);
    }
  }
  for (int64_t j = 0; j < count; ++j) {
    convert(turned + j * s.few * s.width,
            out + (first + j) * out_stride * bytes, s.few);
  }
}

void RunTask(const Skinny& s, int64_t out_stride, int64_t task, const char* few,
             const char* large, char* out, char* scratch) {
  char* sums = scratch;
  char* turned = sums + s.sum_bytes();
  char* block = turned + s.sum_bytes();
  const int64_t end = std::min((task + 1) * s.lines_per_task, s.lines);
  for (int64_t j = task * s.lines_per_task; j < end; j += kLineBlock) {
    const int64_t count = std::min(kLineBlock, end - j);
    std::memset(sums, 0, s.sum_bytes());
    if (s.lines_along_depth) {
      SumAlong(s, few, large, j, count, sums, block);
    } else {
      SumAcross(s, few, large, j, count, sums, block);
    }
    Store(s, out_stride, j, count, sums, turned, out);
  }
}

}  // namespace

bool IsSkinnyDot(const DotDesc& desc) {
  if (std::min(desc.m, desc.n) > kMaxFew) return false;
  const ProductKind kind = ProductKindOf(desc.lhs, desc.rhs, desc.out);
  return kind.sum == F32 || kind.sum == F64;
}

size_t SkinnyDotScratchBytes(const DotDesc& desc) {
  const Skinny s(desc);
  return ItemsAtOnce(desc, s) *
         (s.few_bytes() + LanesPerItem(s) * s.task_bytes());
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
  if (s.tasks_per_item == 1) {
    // Runs of items, each with scratch of its own.
    const int64_t item_bytes = std::max<int64_t>(
        1, s.lines * s.depth * primitive_util::ByteWidth(s.line_type));
    const int64_t lanes = std::clamp<int64_t>(
        desc.batch * item_bytes / (kTaskBytes / 2), 1, ItemsAtOnce(desc, s));
    const auto run = [&](int64_t lane) {
      char* few = memory + lane * (s.few_bytes() + s.task_bytes());
      for (int64_t i = desc.batch * lane / lanes;
           i < desc.batch * (lane + 1) / lanes; ++i) {
        const Item item = item_at(i);
        ReadFew(s, item.few, few);
        RunTask(s, desc.out_stride, 0, few, item.large, item.out,
                few + s.few_bytes());
      }
    };
    if (lanes == 1) return run(0);
    return runner.ParallelFor(lanes, run);
  }
  const int64_t lanes = LanesPerItem(s);
  for (int64_t i = 0; i < desc.batch; ++i) {
    const Item item = item_at(i);
    ReadFew(s, item.few, memory);
    runner.ParallelFor(lanes, [&](int64_t lane) {
      char* own = memory + s.few_bytes() + lane * s.task_bytes();
      for (int64_t task = s.tasks_per_item * lane / lanes;
           task < s.tasks_per_item * (lane + 1) / lanes; ++task) {
        RunTask(s, desc.out_stride, task, memory, item.large, item.out, own);
      }
    });
  }
}

}  // namespace xla::cpu
