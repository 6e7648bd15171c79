// Transposes a few rows of a matrix to columns of another, or back: the inner
// step of packing and gathering.
#ifndef XLA_BACKENDS_CPU_KERNELS_VECTOR_TRANSPOSING_H_
#define XLA_BACKENDS_CPU_KERNELS_VECTOR_TRANSPOSING_H_

#include <cstdint>

namespace xla::cpu {

inline constexpr int64_t kTransposedRows = 8;

// to[l * stride + r] = rows[r][l] for l in [0, count) and each of the
// kTransposedRows rows; elements have `width` bytes: 1, 2, 4, 8 or 16.
void RowsToColumns(int width, const void* const* rows, int64_t count, void* to,
                   int64_t stride);

// The reverse: to[r][l] = from[l * stride + r].
void ColumnsToRows(int width, const void* from, int64_t stride, int64_t count,
                   void* const* rows);

// to[l * group + r] = rows[r][l] for l in [0, count) and r in [0, group), where
// group is 2 or 4; elements have `width` bytes: 1 or 2.
void InterleaveRows(int group, int width, const void* const* rows,
                    int64_t count, void* to);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_VECTOR_TRANSPOSING_H_
