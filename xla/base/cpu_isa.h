// CpuIsa: levels of a processor's instruction sets, named as XLA's flag
// xla_cpu_max_isa names them. jit/target_info.h says what a level includes for
// generated code, and kernels/vector for library kernels.
#ifndef XLA_BASE_CPU_ISA_H_
#define XLA_BASE_CPU_ISA_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace xla {

// Each level includes those before it of the same architecture.
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

// Returns the name: "SSE2", "AVX512_BF16".
absl::string_view CpuIsaName(CpuIsa isa);

// Returns the levels of this process's architecture, in order.
std::vector<CpuIsa> CpuIsasOfHost();

// Returns the level called `name`, in any case; nullopt for an empty name. XLA
// has all of these names but SSE2 and AVX512_FP16. Errors: InvalidArgument,
// listing the names of this architecture, for any other name and for levels of
// another architecture.
absl::StatusOr<std::optional<CpuIsa>> ParseCpuIsa(absl::string_view name);

// Returns the level that --xla_cpu_max_isa in the environment variable
// XLA_FLAGS limits this process to, or nullopt. Reads the variable once. A name
// that ParseCpuIsa refuses is a warning here and an error in each compilation.
// Thread safe.
std::optional<CpuIsa> ProcessMaxIsa();

// Whether this process may use AMX's tiles of int8 and bfloat16: whether the
// processor has them, and Linux gives them to a process that asks, which the
// first call does. From then on, alternate signal stacks must have room for the
// tiles (getauxval(AT_MINSIGSTKSZ)); Linux refuses where a smaller one exists
// already. Thread safe. Source: Linux, Documentation/arch/x86/xstate.rst.
bool ProcessHasTiles();

}  // namespace xla

#endif  // XLA_BASE_CPU_ISA_H_
