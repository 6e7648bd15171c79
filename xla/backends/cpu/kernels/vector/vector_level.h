// VectorLevel: the instruction sets that this folder is compiled for, and which
// of them a kernel uses. for_each_vector_level.h compiles bodies once per
// level.
#ifndef XLA_BACKENDS_CPU_KERNELS_VECTOR_VECTOR_LEVEL_H_
#define XLA_BACKENDS_CPU_KERNELS_VECTOR_VECTOR_LEVEL_H_

// Fully unrolls the following loop, which has a small constant number of
// iterations and variables that should be registers.
#if defined(__clang__)
#define XLA_UNROLL _Pragma("unroll")
#else
#define XLA_UNROLL _Pragma("GCC unroll 16")
#endif

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "xla/base/cpu_isa.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

enum class VectorLevel {
  kBaseline,    // what the compiler assumes of the target: SSE2, NEON
  kAvx2,        // AVX2, FMA, F16C
  kAvxVnni,     // products of integers as kAvx512Vnni, without AVX-512
  kAvx512,      // AVX-512 F, BW, DQ, VL and the above
  kAvx512Vnni,  // products of 8-bit and 16-bit integers
  kAvx512Bf16,  // products of bfloat16
  kAmx,         // AMX's tiles, for products of 8-bit integers and of bfloat16
  // For aarch64, where those above from kAvx2 on are the same as the baseline:
  kNeonDotProd,  // FEAT_DotProd: products of 8-bit integers
  kNeonBf16,     // FEAT_BF16 and the above: products of bfloat16 matrices
  kNeonI8mm,     // FEAT_I8MM and the above: products of 8-bit matrices
};

// Returns the best level of code for processors of the level `isa`.
VectorLevel VectorLevelOf(CpuIsa isa);

// Returns the best level of this processor within ProcessMaxIsa(); detected
// once.
VectorLevel ProcessorVectorLevel();

// Returns the level of the kernels that this thread calls: the processor's,
// unless a VectorLevelScope lowers it; in a PlanningScope, that of the kernels
// that it plans.
VectorLevel CurrentVectorLevel();

// While one lives, the kernels that this thread calls use `level`, or the
// processor's level if that is lower, or kAvx2 for a kAvxVnni that the
// processor lacks, as some with AVX-512 do; its end restores the previous
// level. The scratch bytes of a kernel must be requested at the level at which
// it runs. Other threads that work for a kernel get its level from its runner
// (VectorLevelRunner).
class VectorLevelScope {
 public:
  explicit VectorLevelScope(VectorLevel level);
  ~VectorLevelScope();
  VectorLevelScope(const VectorLevelScope&) = delete;
  VectorLevelScope& operator=(const VectorLevelScope&) = delete;

 private:
  const VectorLevel before_;
};

// While one lives, this thread plans for another processor: CurrentVectorLevel
// is the level of the innermost VectorLevelScope, whether or not this processor
// has it. No kernel may be called meanwhile.
class PlanningScope {
 public:
  PlanningScope();
  ~PlanningScope();
  PlanningScope(const PlanningScope&) = delete;
  PlanningScope& operator=(const PlanningScope&) = delete;

 private:
  const bool before_;
};

// Runs loops on `runner`, which outlives it, with each call in a scope of
// `level`.
class VectorLevelRunner : public ParallelRunner {
 public:
  VectorLevelRunner(ParallelRunner* runner, VectorLevel level)
      : runner_(runner), level_(level) {}

  int num_threads() const override { return runner_->num_threads(); }
  void ParallelFor(int64_t count, absl::FunctionRef<void(int64_t)> fn) override;

 private:
  ParallelRunner* const runner_;
  const VectorLevel level_;
};

// Returns the table of the current level among those of one body, which are the
// same for all levels with AVX-512, and for all of aarch64.
template <typename Table>
const Table& TableOf(const Table& baseline, const Table& avx2,
                     const Table& avx512) {
  switch (CurrentVectorLevel()) {
    case VectorLevel::kBaseline:
    case VectorLevel::kNeonDotProd:
    case VectorLevel::kNeonBf16:
    case VectorLevel::kNeonI8mm:
      return baseline;
    case VectorLevel::kAvx2:
    case VectorLevel::kAvxVnni:
      return avx2;
    case VectorLevel::kAvx512:
    case VectorLevel::kAvx512Vnni:
    case VectorLevel::kAvx512Bf16:
    case VectorLevel::kAmx:
      return avx512;
  }
  return baseline;
}

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_VECTOR_VECTOR_LEVEL_H_
