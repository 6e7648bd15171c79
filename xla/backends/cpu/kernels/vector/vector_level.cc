// Detects the processor's level, and keeps the level to which each thread is
// limited.
#include "xla/backends/cpu/kernels/vector/vector_level.h"

#include <algorithm>
#include <optional>
#include <utility>

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace xla::cpu {
namespace {

bool HasAvxVnni() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avxvnni") != 0;
  return has;
#else
  return false;
#endif
}

VectorLevel Detect() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("f16c") || !__builtin_cpu_supports("bmi") ||
      !__builtin_cpu_supports("bmi2")) {
    return VectorLevel::kBaseline;
  }
  if (!__builtin_cpu_supports("avx512f") ||
      !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") ||
      !__builtin_cpu_supports("avx512vl")) {
    return HasAvxVnni() ? VectorLevel::kAvxVnni : VectorLevel::kAvx2;
  }
  if (!__builtin_cpu_supports("avx512vnni")) return VectorLevel::kAvx512;
  if (!__builtin_cpu_supports("avx512bf16")) return VectorLevel::kAvx512Vnni;
  return ProcessHasTiles() ? VectorLevel::kAmx : VectorLevel::kAvx512Bf16;
#elif defined(__aarch64__)
  if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) == 0) return VectorLevel::kBaseline;
  const auto more = getauxval(AT_HWCAP2);
  if ((more & HWCAP2_BF16) == 0) return VectorLevel::kNeonDotProd;
  return (more & HWCAP2_I8MM) != 0 ? VectorLevel::kNeonI8mm
                                   : VectorLevel::kNeonBf16;
#else
  return VectorLevel::kBaseline;
#endif
}

// The level of this thread's innermost scope.
thread_local VectorLevel wanted_level = VectorLevel::kNeonI8mm;
// Whether this thread plans for another processor.
thread_local bool plans = false;

}  // namespace

VectorLevel VectorLevelOf(CpuIsa isa) {
  if (isa > CpuIsa::kNeon) return VectorLevel::kNeonI8mm;
  if (isa < CpuIsa::kAvx2 || isa == CpuIsa::kNeon) {
    return VectorLevel::kBaseline;
  }
  if (isa < CpuIsa::kAvx512) return VectorLevel::kAvx2;
  if (isa < CpuIsa::kAvx512Vnni) return VectorLevel::kAvx512;
  if (isa < CpuIsa::kAvx512Bf16) return VectorLevel::kAvx512Vnni;
  return isa < CpuIsa::kAmx ? VectorLevel::kAvx512Bf16 : VectorLevel::kAmx;
}

VectorLevel ProcessorVectorLevel() {
  static const VectorLevel level = [] {
    const std::optional<CpuIsa> isa = ProcessMaxIsa();
    return isa.has_value() ? std::min(Detect(), VectorLevelOf(*isa)) : Detect();
  }();
  return level;
}

VectorLevel CurrentVectorLevel() {
  return plans ? wanted_level : std::min(ProcessorVectorLevel(), wanted_level);
}

VectorLevelScope::VectorLevelScope(VectorLevel level)
    : before_(std::exchange(wanted_level, level == VectorLevel::kAvxVnni &&
                                                  !HasAvxVnni() && !plans
                                              ? VectorLevel::kAvx2
                                              : level)) {}

VectorLevelScope::~VectorLevelScope() { wanted_level = before_; }

PlanningScope::PlanningScope() : before_(std::exchange(plans, true)) {}

PlanningScope::~PlanningScope() { plans = before_; }

void VectorLevelRunner::ParallelFor(int64_t count,
                                    absl::FunctionRef<void(int64_t)> fn) {
  runner_->ParallelFor(count, [&](int64_t i) {
    const VectorLevelScope scope(level_);
    fn(i);
  });
}

}  // namespace xla::cpu
