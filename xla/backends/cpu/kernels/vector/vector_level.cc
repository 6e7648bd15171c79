// Asks the processor what it can do.
#include "xla/backends/cpu/kernels/vector/vector_level.h"

namespace xla::cpu {
namespace {

VectorLevel Detect() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    return VectorLevel::kBaseline;
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return VectorLevel::kAvx512;
  }
  return VectorLevel::kAvx2;
#else
  return VectorLevel::kBaseline;
#endif
}

}  // namespace

VectorLevel ProcessorVectorLevel() {
  static const VectorLevel level = Detect();
  return level;
}

}  // namespace xla::cpu
