// CpuIsa: levels of a processor's instruction sets, by the names that XLA's
// flag xla_cpu_max_isa takes. What a level has is jit/target_info.h's to say
// for generated code and kernels/vector's for libraries.
#ifndef XLA_BASE_CPU_ISA_H_
#define XLA_BASE_CPU_ISA_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace xla {

// Each has what those before it of the same architecture have.
enum class CpuIsa {
  kSse2,        // x86-64
  kSse42,       // Nehalem, x86-64-v2
  kAvx,         // Sandy Bridge: neither F16C nor FMA
  kAvx2,        // Haswell, x86-64-v3: with F16C and FMA
  kAvx512,      // Skylake-X, x86-64-v4: F, BW, CD, DQ, VL
  kAvx512Vnni,  // Cascade Lake
  kAvx512Bf16,  // Cooper Lake
  kAvx512Fp16,  // Sapphire Rapids without AMX
  kAmx,         // Sapphire Rapids: tiles of int8 and bf16
  kAmxFp16,     // Granite Rapids
  kNeon,        // Armv8-A
  kSve,
  kSve2,
};

// "SSE2", "AVX512_BF16".
absl::string_view CpuIsaName(CpuIsa isa);

// The levels of this process's architecture, in order.
std::vector<CpuIsa> CpuIsasOfHost();

// The level called `name`, in upper or lower case; none for an empty name. SSE2
// and AVX512_FP16 are not XLA's, the others are. Errors: InvalidArgument for
// other names, and for levels of another architecture, that lists those of
// this one.
absl::StatusOr<std::optional<CpuIsa>> ParseCpuIsa(absl::string_view name);

// What --xla_cpu_max_isa in the environment variable XLA_FLAGS limits this
// process to, read once; none without it. A name that ParseCpuIsa refuses is a
// warning here, and an error of each compilation. Thread safe.
std::optional<CpuIsa> ProcessMaxIsa();

}  // namespace xla

#endif  // XLA_BASE_CPU_ISA_H_
