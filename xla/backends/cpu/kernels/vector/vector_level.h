// VectorLevel: which of the instruction sets that this folder is compiled for
// the processor has. Bodies are compiled once per level by
// for_each_vector_level.h, which see.
#ifndef XLA_BACKENDS_CPU_KERNELS_VECTOR_VECTOR_LEVEL_H_
#define XLA_BACKENDS_CPU_KERNELS_VECTOR_VECTOR_LEVEL_H_

// Before a loop of a known, small number of steps whose variables are to be
// registers: it leaves no loop.
#if defined(__clang__)
#define XLA_UNROLL _Pragma("unroll")
#else
#define XLA_UNROLL _Pragma("GCC unroll 16")
#endif

namespace xla::cpu {

enum class VectorLevel {
  kBaseline,  // what the compiler assumes of the target: SSE2, NEON
  kAvx2,      // AVX2, FMA
  kAvx512,    // AVX-512 F, BW, DQ, VL and the above
};

// The best level of this processor; looked up once.
VectorLevel ProcessorVectorLevel();

// Picks the table of the processor's level from those of one body.
template <typename Table>
const Table& TableOf(const Table& baseline, const Table& avx2,
                     const Table& avx512) {
  switch (ProcessorVectorLevel()) {
    case VectorLevel::kBaseline:
      return baseline;
    case VectorLevel::kAvx2:
      return avx2;
    case VectorLevel::kAvx512:
      return avx512;
  }
  return baseline;
}

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_VECTOR_VECTOR_LEVEL_H_
