// Asks the processor, or on aarch64 the kernel.
#include "xla/base/processor/processor_features.h"

#include "xla/base/cpu_isa.h"

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace xla {
namespace {

// clang-format off
// X(name) for each extension of x86-64. Those that only operating systems use
// are left out.
#define XLA_X86_FEATURES(X)                                            \
  X("adx") X("aes") X("amx-bf16") X("amx-int8") X("amx-tile") X("avx") \
  X("avx2") X("avx512bf16") X("avx512bitalg") X("avx512bw")            \
  X("avx512cd") X("avx512dq") X("avx512f") X("avx512fp16")             \
  X("avx512ifma") X("avx512vbmi") X("avx512vbmi2") X("avx512vl")       \
  X("avx512vnni") X("avx512vpopcntdq") X("avxvnni") X("bmi") X("bmi2") \
  X("f16c") X("fma") X("gfni") X("lzcnt") X("movbe") X("pclmul")       \
  X("popcnt") X("sse2") X("sse3") X("sse4.1") X("sse4.2") X("ssse3")   \
  X("vaes") X("vpclmulqdq")

// LLVM's name for vectors of 512 bits, which all processors with AVX-512 have
// that are not of AVX10 with 256.
constexpr absl::string_view kWideVectors = "evex512";

// X(name, type of getauxval, bit) for each extension of aarch64. LLVM 19 reads
// fewer from /proc/cpuinfo, half precision not among them, and under an emulator
// reads those of the host.
#define XLA_AARCH64_FEATURES(X)          \
  X("aes", AT_HWCAP, HWCAP_AES)          \
  X("bf16", AT_HWCAP2, HWCAP2_BF16)      \
  X("complxnum", AT_HWCAP, HWCAP_FCMA)   \
  X("crc", AT_HWCAP, HWCAP_CRC32)        \
  X("dotprod", AT_HWCAP, HWCAP_ASIMDDP)  \
  X("fp-armv8", AT_HWCAP, HWCAP_FP)      \
  X("fp16fml", AT_HWCAP, HWCAP_ASIMDFHM) \
  X("fullfp16", AT_HWCAP, HWCAP_ASIMDHP) \
  X("i8mm", AT_HWCAP2, HWCAP2_I8MM)      \
  X("jsconv", AT_HWCAP, HWCAP_JSCVT)     \
  X("lse", AT_HWCAP, HWCAP_ATOMICS)      \
  X("neon", AT_HWCAP, HWCAP_ASIMD)       \
  X("rcpc", AT_HWCAP, HWCAP_LRCPC)       \
  X("rdm", AT_HWCAP, HWCAP_ASIMDRDM)     \
  X("sha2", AT_HWCAP, HWCAP_SHA2)        \
  X("sha3", AT_HWCAP, HWCAP_SHA3)        \
  X("sm4", AT_HWCAP, HWCAP_SM4)          \
  X("sve", AT_HWCAP, HWCAP_SVE)          \
  X("sve2", AT_HWCAP2, HWCAP2_SVE2)
// clang-format on

}  // namespace

const std::vector<absl::string_view>& KnownFeatures(bool is_aarch64) {
#define XLA_NAME(name, ...) name,
  static const auto* const x86 = new std::vector<absl::string_view>{
      XLA_X86_FEATURES(XLA_NAME) kWideVectors};
  static const auto* const aarch64 =
      new std::vector<absl::string_view>{XLA_AARCH64_FEATURES(XLA_NAME)};
#undef XLA_NAME
  return is_aarch64 ? *aarch64 : *x86;
}

bool ProcessorHas(absl::string_view feature) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (feature.substr(0, 4) == "amx-") return ProcessHasTiles();
  if (feature == kWideVectors) feature = "avx512f";
#define XLA_HAS(name) \
  if (feature == name) return __builtin_cpu_supports(name) != 0;
  XLA_X86_FEATURES(XLA_HAS)
#undef XLA_HAS
#elif defined(__aarch64__)
#define XLA_HAS(name, vector, bit) \
  if (feature == name) return (getauxval(vector) & (bit)) != 0;
  XLA_AARCH64_FEATURES(XLA_HAS)
#undef XLA_HAS
#endif
  return false;
}

}  // namespace xla
