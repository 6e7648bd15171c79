// The kernels of dots of few rows that read lines of the large operand in place
// and convert them: what they are called with. Private to dot_skinny.cc and
// dot_skinny_pairs.cc.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_SKINNY_KERNELS_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_SKINNY_KERNELS_H_

#include <cstdint>

#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// The most rows of these kernels, and of the ones for F64.
inline constexpr int64_t kMaxLineRows = 16;
inline constexpr int64_t kMaxDoubleRows = 2;
// The bytes of a row that are summed at a time where depth is contiguous: those
// of eight rows are half of an L1 cache.
inline constexpr int64_t kLineDepthBytes = 2048;

// Whether elements of b are multiplied by scales, and products then rounded to
// BF16.
enum class Scaling { kNone, kFloat, kRounded };

// sums[rows, columns] = or += a[rows, depth] b[depth, columns], or sums += a
// b[columns, depth], of at most kMaxLineRows rows.
struct LineCall {
  int64_t rows, columns, depth;
  const void* a;
  int64_t a_stride;
  const void* b;
  int64_t b_stride;
  const void* scales;  // for each column
  void* sums;
  int64_t stride;
  bool accumulate;
};
using LineKernel = void (*)(const LineCall& call);
// Where the depth of lines is strided and where it is contiguous; null where
// other kernels are as fast.
struct LineKernels {
  LineKernel across = nullptr, along = nullptr;
};

// Returns the kernels of the current VectorLevel that multiply pairs of BF16
// elements, for rows and lines of these types whose products are summed as F32.
// Subnormal numbers count as zeros. Elements of packed lines lie two to a byte.
LineKernels PairLineKernels(PrimitiveType rows, PrimitiveType lines,
                            bool packed, Scaling scaling);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_SKINNY_KERNELS_H_
