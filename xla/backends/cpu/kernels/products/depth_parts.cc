// Says how many parts there are, and adds their sums.
#include "xla/backends/cpu/kernels/products/depth_parts.h"

#include <algorithm>

#include "xla/backends/cpu/kernels/vector/element_runs.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// The most parts of a result of one tile, that is of up to so many rows and
// columns; a larger one, which other algorithms divide as well, has fewer.
constexpr int64_t kMostParts = 16;
constexpr int64_t kTileSize = 64;
// The least depth of a part, and what that of all but the last one is a
// multiple of.
constexpr int64_t kLeastDepth = 512;
constexpr int64_t kDepthStep = 16;
// The least multiplications and additions of a part, or bytes of its operands.
constexpr double kPartFlops = 1 << 20;
constexpr double kPartBytes = 1 << 18;
// The elements of the result that are added up by a task, times parts.
constexpr int64_t kAddedElements = 1 << 16;
// The elements of a row that are added up at a time.
constexpr int64_t kAddedColumns = 256;

// Adds up the sums of all parts of a row, which are `step` elements apart.
template <typename T>
void AddRow(const T* sums, int64_t parts, int64_t step, int64_t columns,
            RunConverter convert, char* out, int64_t out_width) {
  T row[kAddedColumns];
  for (int64_t j = 0; j < columns; j += kAddedColumns) {
    const int64_t count = std::min(kAddedColumns, columns - j);
    const T* from = sums + j;
    std::copy_n(from, count, row);
    for (int64_t part = 1; part < parts; ++part) {
      from += step;
      for (int64_t c = 0; c < count; ++c) row[c] += from[c];
    }
    convert(row, out + j * out_width, count);
  }
}

}  // namespace

int64_t DepthOfParts(int64_t rows, int64_t columns, int64_t depth,
                     int64_t bytes) {
  const double tiles = static_cast<double>(CeilOfRatio(rows, kTileSize)) *
                       CeilOfRatio(columns, kTileSize);
  const double flops = 2.0 * rows * columns * depth;
  const double all_bytes = static_cast<double>(depth) * bytes;
  const int64_t parts =
      std::min({static_cast<int64_t>(kMostParts / tiles), depth / kLeastDepth,
                static_cast<int64_t>(
                    std::max(flops / kPartFlops, all_bytes / kPartBytes))});
  if (parts <= 1) return depth;
  return std::min(RoundUpTo(CeilOfRatio(depth, parts), kDepthStep), depth);
}

void AddParts(PrimitiveType sum, const void* sums, int64_t parts, int64_t rows,
              int64_t columns, PrimitiveType type, void* out,
              int64_t out_stride, ParallelRunner& runner) {
  const RunConverter convert = RunConverterOf(sum, type);
  const int64_t width = primitive_util::ByteWidth(type);
  const int64_t step = rows * columns;
  const int64_t tasks =
      std::clamp<int64_t>(parts * step / kAddedElements, 1, rows);
  ForEachRange(
      runner, rows, tasks, [&](int64_t first, int64_t last, int64_t slot) {
        for (int64_t i = first; i < last; ++i) {
          char* const to = static_cast<char*>(out) + i * out_stride * width;
          if (sum == F32) {
            AddRow(static_cast<const float*>(sums) + i * columns, parts, step,
                   columns, convert, to, width);
          } else {
            AddRow(static_cast<const double*>(sums) + i * columns, parts, step,
                   columns, convert, to, width);
          }
        }
      });
}

}  // namespace xla::cpu
