// The table of ISA names, parsing of the flag in the environment, and the
// request for tiles.
#include "xla/base/cpu_isa.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "xla/base/logging.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace xla {
namespace {

struct IsaName {
  CpuIsa isa;
  absl::string_view name;
  bool is_x86;
};

constexpr IsaName kIsaNames[] = {
    {CpuIsa::kSse2, "SSE2", true},
    {CpuIsa::kSse42, "SSE4_2", true},
    {CpuIsa::kAvx, "AVX", true},
    {CpuIsa::kAvx2, "AVX2", true},
    {CpuIsa::kAvx512, "AVX512", true},
    {CpuIsa::kAvx512Vnni, "AVX512_VNNI", true},
    {CpuIsa::kAvx512Bf16, "AVX512_BF16", true},
    {CpuIsa::kAvx512Fp16, "AVX512_FP16", true},
    {CpuIsa::kAmx, "AMX", true},
    {CpuIsa::kAmxFp16, "AMX_FP16", true},
    {CpuIsa::kNeon, "NEON", false},
    {CpuIsa::kSve, "SVE", false},
    {CpuIsa::kSve2, "SVE2", false},
};

#if defined(__x86_64__)
constexpr bool kHostIsX86 = true;
#else
constexpr bool kHostIsX86 = false;
#endif

std::optional<CpuIsa> ReadFlags(const char* flags) {
  std::optional<CpuIsa> isa;
  for (absl::string_view left = flags == nullptr ? "" : flags; !left.empty();) {
    const size_t size =
        std::find_if(left.begin(), left.end(), absl::ascii_isspace) -
        left.begin();
    absl::string_view flag = left.substr(0, size);
    left.remove_prefix(std::min(left.size(), size + 1));
    if (!absl::ConsumePrefix(&flag, "--xla_cpu_max_isa=")) continue;
    // The last occurrence wins, as for all flags.
    const absl::StatusOr<std::optional<CpuIsa>> parsed = ParseCpuIsa(flag);
    if (parsed.ok()) {
      isa = *parsed;
    } else {
      log_internal::LogAt(
          absl::LogSeverity::kWarning, __FILE__, __LINE__,
          absl::StrCat("XLA_FLAGS: ", parsed.status().message()));
    }
  }
  return isa;
}

bool RequestTiles() {
#if defined(__x86_64__)
  constexpr unsigned kBf16 = 1u << 22, kTile = 1u << 24, kInt8 = 1u << 25;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0 ||
      (edx & kBf16) == 0 || (edx & kTile) == 0 || (edx & kInt8) == 0) {
    return false;
  }
  // Linux's ARCH_REQ_XCOMP_PERM and the number of the tiles' state, which the
  // headers of older systems lack.
  constexpr int kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

}  // namespace

absl::string_view CpuIsaName(CpuIsa isa) {
  for (const IsaName& entry : kIsaNames) {
    if (entry.isa == isa) return entry.name;
  }
  return "";
}

std::vector<CpuIsa> CpuIsasOfHost() {
  std::vector<CpuIsa> isas;
  for (const IsaName& entry : kIsaNames) {
    if (entry.is_x86 == kHostIsX86) isas.push_back(entry.isa);
  }
  return isas;
}

absl::StatusOr<std::optional<CpuIsa>> ParseCpuIsa(absl::string_view name) {
  if (name.empty()) return std::nullopt;
  for (const IsaName& entry : kIsaNames) {
    if (entry.is_x86 == kHostIsX86 &&
        absl::EqualsIgnoreCase(entry.name, name)) {
      return entry.isa;
    }
  }
  const std::string known =
      absl::StrJoin(CpuIsasOfHost(), ", ", [](std::string* out, CpuIsa isa) {
        absl::StrAppend(out, CpuIsaName(isa));
      });
  return absl::InvalidArgumentError(absl::StrCat(
      "xla_cpu_max_isa: \"", name.substr(0, 80),
      "\" is no instruction set of this architecture, which has ", known));
}

std::optional<CpuIsa> ProcessMaxIsa() {
  static const std::optional<CpuIsa> isa = ReadFlags(std::getenv("XLA_FLAGS"));
  return isa;
}

bool ProcessHasTiles() {
  static const bool has_tiles = RequestTiles();
  return has_tiles;
}

}  // namespace xla
