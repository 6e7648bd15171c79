// VectorLevel: the instruction sets that this folder is compiled for, and which
// of them a kernel uses. Bodies are compiled once per level by
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

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "xla/base/cpu_isa.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

enum class VectorLevel {
  kBaseline,  // what the compiler assumes of the target: SSE2, NEON
  kAvx2,      // AVX2, FMA
  kAvx512,    // AVX-512 F, BW, DQ, VL and the above
};

// The best level of code for processors of the level `isa`.
VectorLevel VectorLevelOf(CpuIsa isa);

// The best level of this processor within ProcessMaxIsa(); looked up once.
VectorLevel ProcessorVectorLevel();

// The level of the kernels that this thread calls: the processor's, unless a
// VectorLevelScope says less.
VectorLevel CurrentVectorLevel();

// While one lives, the kernels that this thread calls use `level`, or the
// processor's if that is less; what was so before holds again afterwards. A
// kernel's bytes of scratch must be asked for at the level that it runs at.
// What a kernel gives to other threads is up to its runner: VectorLevelRunner.
class VectorLevelScope {
 public:
  explicit VectorLevelScope(VectorLevel level);
  ~VectorLevelScope();
  VectorLevelScope(const VectorLevelScope&) = delete;
  VectorLevelScope& operator=(const VectorLevelScope&) = delete;

 private:
  const VectorLevel before_;
};

// Runs loops on `runner`, which outlives it, each call in a scope of `level`.
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

// Picks the table of the current level from those of one body.
template <typename Table>
const Table& TableOf(const Table& baseline, const Table& avx2,
                     const Table& avx512) {
  switch (CurrentVectorLevel()) {
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
