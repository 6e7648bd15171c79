// Picks the loops for a width of elements.
#include "xla/backends/cpu/kernels/vector/transposing.h"

#include <bit>

#include "xla/backends/cpu/kernels/vector/vector_level.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace xla::cpu {
namespace {

struct Wide {
  uint64_t parts[2];
};

// Indexed by the logarithm of the width.
struct TransposingTable {
  void (*to_columns[5])(const void* const* rows, int64_t count, void* to,
                        int64_t stride);
  void (*to_rows[5])(const void* from, int64_t stride, int64_t count,
                     void* const* rows);
  // Indexed by the logarithms of the group, less one, and of the width.
  void (*interleave[2][2])(const void* const* rows, int64_t count, void* to);
};

#define XLA_VECTOR_BODY "xla/backends/cpu/kernels/vector/transposing.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

const TransposingTable& Table() {
  return TableOf(baseline::kTransposingTable, avx2::kTransposingTable,
                 avx512::kTransposingTable);
}

int IndexOf(int width) {
  return std::countr_zero(static_cast<unsigned>(width));
}

}  // namespace

void RowsToColumns(int width, const void* const* rows, int64_t count, void* to,
                   int64_t stride) {
  Table().to_columns[IndexOf(width)](rows, count, to, stride);
}

void ColumnsToRows(int width, const void* from, int64_t stride, int64_t count,
                   void* const* rows) {
  Table().to_rows[IndexOf(width)](from, stride, count, rows);
}

void InterleaveRows(int group, int width, const void* const* rows,
                    int64_t count, void* to) {
  Table().interleave[IndexOf(group) - 1][IndexOf(width)](rows, count, to);
}

}  // namespace xla::cpu
