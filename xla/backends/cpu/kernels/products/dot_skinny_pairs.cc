// Chooses kernels of few rows that multiply pairs of bfloat16.
#include "xla/backends/cpu/kernels/products/skinny_kernels.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace xla::cpu {
namespace {

#define XLA_VECTOR_EXTENSIONS
#define XLA_VECTOR_BODY "xla/backends/cpu/kernels/products/dot_skinny_pairs.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

}  // namespace

LineKernels PairLineKernels(PrimitiveType rows, PrimitiveType lines,
                            bool packed, Scaling scaling) {
#if defined(__x86_64__)
  if (rows != BF16 || CurrentVectorLevel() < VectorLevel::kAvx512Bf16) {
    return {};
  }
  if (lines == BF16 && scaling == Scaling::kNone) {
    return avx512_bf16::kBf16Lines;
  }
  if (lines == S8 && scaling == Scaling::kRounded) {
    return avx512_bf16::kS8Lines;
  }
  if (lines == S4 && scaling == Scaling::kRounded) {
    return packed ? avx512_bf16::kPackedS4Lines : avx512_bf16::kS4Lines;
  }
#endif
  return {};
}

}  // namespace xla::cpu
