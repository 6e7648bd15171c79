// Queries LLVM and the system about the processor.
#include "xla/backends/cpu/jit/target_info.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "xla/backends/cpu/jit/target_machine.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/processor/processor_features.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

constexpr char kX86Triple[] = "x86_64-unknown-linux-gnu";
constexpr char kAarch64Triple[] = "aarch64-unknown-linux-gnu";

std::string HostTriple() {
#if defined(__aarch64__)
  return kAarch64Triple;
#else
  return kX86Triple;
#endif
}

// The processor's extensions: whether it has each, by name.
using Extensions = std::map<std::string, bool>;

#if defined(__aarch64__)
Extensions HostExtensions() {
  Extensions extensions;
  for (const absl::string_view name : KnownFeatures(/*is_aarch64=*/true)) {
    extensions[std::string(name)] = ProcessorHas(name);
  }
  return extensions;
}
#else
Extensions HostExtensions() {
  Extensions extensions;
  for (const auto& entry : llvm::sys::getHostCPUFeatures()) {
    extensions[entry.getKey().str()] = entry.getValue();
  }
  return extensions;
}
#endif

// The names of the extensions that a target lists.
std::vector<std::string> ExtensionNames(const std::string& triple) {
  std::vector<std::string> names;
  if (triple == HostTriple()) {
    for (const auto& [name, present] : HostExtensions()) names.push_back(name);
    return names;
  }
  const bool is_aarch64 = llvm::Triple(triple).isAArch64();
  for (const absl::string_view name : KnownFeatures(is_aarch64)) {
    names.push_back(std::string(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Bytes of this processor's cache of data of a level; 0 where the system does
// not say. Linux knows what one core sees; sysconf may add up what all sockets
// of a virtual machine's host have.
int64_t CacheBytes(int level) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder =
        absl::StrCat("/sys/devices/system/cpu/cpu0/cache/index", index, "/");
    const auto read = [&](const char* name) {
      std::ifstream file(folder + name);
      std::string text;
      file >> text;
      return text;
    };
    if (read("level") != absl::StrCat(level) || read("type") == "Instruction") {
      continue;
    }
    std::string size = read("size");  // "32K"
    int64_t unit = 1;
    if (absl::EndsWith(size, "K")) unit = int64_t{1} << 10;
    if (absl::EndsWith(size, "M")) unit = int64_t{1} << 20;
    if (unit > 1) size.pop_back();
    int64_t bytes = 0;
    if (absl::SimpleAtoi(size, &bytes) && bytes > 0 && bytes < (1 << 30)) {
      return bytes * unit;
    }
  }
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  const int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
                       _SC_LEVEL3_CACHE_SIZE};
  return std::max<int64_t>(0, sysconf(names[level - 1]));
#else
  return 0;
#endif
}

bool KnowsFeature(const llvm::MCSubtargetInfo& subtarget,
                  llvm::StringRef name) {
  return llvm::any_of(subtarget.getAllProcessorFeatures(),
                      [&](const auto& entry) { return name == entry.Key; });
}

// Fills in the fields that follow from the features.
void Derive(TargetInfo& target) {
  const llvm::Triple triple(target.triple);
  target.is_x86 = triple.isX86();
  target.is_aarch64 = triple.isAArch64();
  const auto has = [&](absl::string_view name) { return target.Has(name); };
  if (target.is_aarch64) {
    target.vector_bytes = 16;
    target.num_vector_registers = 32;
    target.has_fma = target.has_round = target.has_f16c = true;
  } else {
    target.has_avx = has("avx");
    target.has_avx2 = has("avx2");
    target.has_fma = has("fma");
    target.has_round = has("sse4.1");
    target.has_f16c = has("f16c");
    target.has_avx512 =
        has("avx512f") && has("avx512bw") && has("avx512dq") && has("avx512vl");
    target.has_avx512_fp16 = target.has_avx512 && has("avx512fp16");
    target.vector_bytes = target.has_avx512 ? 64 : target.has_avx ? 32 : 16;
    target.num_vector_registers = target.has_avx512 ? 32 : 16;
  }
}

TargetInfo FindProcessor() {
  TargetInfo target;
  target.triple = HostTriple();
  target.cpu = llvm::sys::getHostCPUName().str();
  for (const auto& [name, present] : HostExtensions()) {
    const bool usable =
        present && (!absl::StartsWith(name, "amx-") || ProcessHasTiles());
    target.features.push_back(absl::StrCat(usable ? "+" : "-", name));
  }
  target.data_layout = DataLayoutOf(target);
  Derive(target);
  target.l1_bytes = CacheBytes(1);
  target.l2_bytes = CacheBytes(2);
  target.l3_bytes = CacheBytes(3);
  target.cost_table = target.cpu;
  return target;
}

TargetInfo FindHost() {
  TargetInfo target = ProcessorTarget();
  if (const std::optional<CpuIsa> isa = ProcessMaxIsa()) {
    absl::StatusOr<TargetInfo> limited = LimitIsa(target, *isa);
    if (limited.ok()) {
      target = *std::move(limited);
    } else {
      LOG(WARNING) << limited.status().message();
    }
  }
  const char* table = std::getenv("TESSERA_COST_TABLE");
  if (table != nullptr && *table != '\0') {
    target.cost_table = table;
    target.l1_bytes = target.l2_bytes = target.l3_bytes = 0;
  }
  const char* bits = std::getenv("TESSERA_VECTOR_BITS");
  if (bits != nullptr && *bits != '\0') {
    int number = 0;
    absl::StatusOr<TargetInfo> narrowed =
        absl::SimpleAtoi(bits, &number)
            ? WithVectorBits(target, number)
            : InvalidArgument("TESSERA_VECTOR_BITS=%s is no number", bits);
    if (narrowed.ok()) return *std::move(narrowed);
    LOG(WARNING) << narrowed.status().message();
  }
  return target;
}

// A level of x86: the extensions of the processor that LLVM calls `cpu`, except
// those whose names start with `without`; and, separated by commas, those that
// the level adds to the one before.
struct X86Level {
  CpuIsa isa;
  const char* cpu;
  absl::string_view without;
  absl::string_view adds;
};
constexpr X86Level kX86Levels[] = {
    {CpuIsa::kSse2, "x86-64", "", "sse2"},
    {CpuIsa::kSse42, "nehalem", "", "sse3,ssse3,sse4.1,sse4.2,popcnt"},
    {CpuIsa::kAvx, "sandybridge", "", "avx"},
    {CpuIsa::kAvx2, "haswell", "", "avx2,fma,f16c,bmi,bmi2,lzcnt"},
    {CpuIsa::kAvx512, "skylake-avx512", "",
     "avx512f,avx512bw,avx512cd,avx512dq,avx512vl"},
    {CpuIsa::kAvx512Vnni, "cascadelake", "", "avx512vnni"},
    {CpuIsa::kAvx512Bf16, "cooperlake", "", "avx512bf16"},
    {CpuIsa::kAvx512Fp16, "sapphirerapids", "amx-", "avx512fp16"},
    {CpuIsa::kAmx, "sapphirerapids", "", "amx-tile,amx-int8,amx-bf16"},
    {CpuIsa::kAmxFp16, "graniterapids", "", "amx-fp16"},
};

const X86Level* FindX86Level(CpuIsa isa) {
  for (const X86Level& level : kX86Levels) {
    if (level.isa == isa) return &level;
  }
  return nullptr;
}

absl::Status NoSuchLevel(const TargetInfo& target, CpuIsa isa) {
  return InvalidArgument("%s is no level of %s", CpuIsaName(isa),
                         target.triple);
}

absl::StatusOr<TargetInfo> LimitX86(TargetInfo target, CpuIsa isa) {
  const X86Level* const level = FindX86Level(isa);
  if (level == nullptr) return NoSuchLevel(target, isa);
  TF_ASSIGN_OR_RETURN(const TargetInfo whole, TargetFor(level->cpu));
  bool changed = false;
  for (std::string& feature : target.features) {
    const absl::string_view name = absl::string_view(feature).substr(1);
    if (feature[0] == '-' ||
        (whole.Has(name) &&
         (level->without.empty() || !absl::StartsWith(name, level->without)))) {
      continue;
    }
    feature[0] = '-';
    changed = true;
  }
  if (changed) target.cpu = level->cpu;
  return target;
}

absl::StatusOr<TargetInfo> LimitAarch64(TargetInfo target, CpuIsa isa) {
  if (isa != CpuIsa::kNeon && isa != CpuIsa::kSve && isa != CpuIsa::kSve2) {
    return NoSuchLevel(target, isa);
  }
  bool changed = false;
  for (std::string& feature : target.features) {
    const bool is_beyond_neon = feature == "+sve" || feature == "+dotprod" ||
                                feature == "+bf16" || feature == "+i8mm";
    if (feature == "+sve2" ? isa != CpuIsa::kSve2
                           : is_beyond_neon && isa == CpuIsa::kNeon) {
      feature[0] = '-';
      changed = true;
    }
  }
  // A processor name with SVE would imply it; the features listed suffice.
  if (changed) target.cpu = "generic";
  return target;
}

// The parts of a fingerprint: the architecture, the processor, and the
// extensions it needs.
struct Fingerprint {
  std::string arch, cpu;
  std::vector<std::string> needs;
};

absl::StatusOr<Fingerprint> ParseFingerprint(absl::string_view text) {
  const std::vector<std::string> parts = absl::StrSplit(text, ' ');
  if (parts.size() != 4 || parts[0] != "tessera-cpu-1") {
    return InvalidArgument("\"%s\" does not name a processor",
                           text.substr(0, 80));
  }
  return Fingerprint{parts[1], parts[2],
                     absl::StrSplit(parts[3], ',', absl::SkipEmpty())};
}

std::string Arch(const TargetInfo& target) {
  return target.is_aarch64 ? "aarch64" : "x86_64";
}

}  // namespace

bool TargetInfo::Has(absl::string_view feature) const {
  const auto entry = std::lower_bound(
      features.begin(), features.end(), feature,
      [](absl::string_view a, absl::string_view b) { return a.substr(1) < b; });
  return entry != features.end() && (*entry)[0] == '+' &&
         absl::string_view(*entry).substr(1) == feature;
}

int TargetInfo::Lanes(int element_bytes) const {
  return std::max(1, vector_bytes / std::max(1, element_bytes));
}

const TargetInfo& ProcessorTarget() {
  static const TargetInfo* const target = new TargetInfo(FindProcessor());
  return *target;
}

const TargetInfo& HostTarget() {
  static const TargetInfo* const target = new TargetInfo(FindHost());
  return *target;
}

absl::StatusOr<TargetInfo> TargetFor(absl::string_view cpu,
                                     const std::vector<std::string>& features,
                                     absl::string_view triple) {
  TargetInfo target;
  target.triple = triple.empty() ? HostTriple() : std::string(triple);
  target.cpu = target.cost_table = std::string(cpu);
  TF_ASSIGN_OR_RETURN(const llvm::Target* registered,
                      RegisteredTarget(target.triple));
  const std::unique_ptr<llvm::MCSubtargetInfo> generic(
      registered->createMCSubtargetInfo(target.triple, "", ""));
  if (generic == nullptr || !generic->isCPUStringValid(target.cpu)) {
    return InvalidArgument("LLVM knows no processor \"%s\" of %s", cpu,
                           target.triple);
  }
  for (const std::string& feature : features) {
    const llvm::StringRef name = llvm::StringRef(feature).drop_front(
        std::min<size_t>(1, feature.size()));
    if (!KnowsFeature(*generic, name) ||
        (feature[0] != '+' && feature[0] != '-')) {
      return InvalidArgument("LLVM knows no feature \"%s\" of %s", feature,
                             target.triple);
    }
  }
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      registered->createMCSubtargetInfo(target.triple, target.cpu,
                                        absl::StrJoin(features, ",")));
  for (const std::string& name : ExtensionNames(target.triple)) {
    const std::string enabled = absl::StrCat("+", name);
    // checkFeatures would print a warning for a name that it does not know.
    if (!KnowsFeature(*generic, name)) continue;
    target.features.push_back(
        subtarget->checkFeatures(enabled) ? enabled : absl::StrCat("-", name));
  }
  target.data_layout = DataLayoutOf(target);
  Derive(target);
  return target;
}

absl::StatusOr<TargetInfo> TargetForIsa(CpuIsa isa) {
  const X86Level* const level = FindX86Level(isa);
  const char* const cpu = level != nullptr       ? level->cpu
                          : isa == CpuIsa::kNeon ? "generic"
                          : isa == CpuIsa::kSve  ? "neoverse-v1"
                                                 : "neoverse-n2";
  TF_ASSIGN_OR_RETURN(
      TargetInfo target,
      TargetFor(cpu, {}, level != nullptr ? kX86Triple : kAarch64Triple));
  return LimitIsa(std::move(target), isa);
}

absl::StatusOr<TargetInfo> WithVectorBits(TargetInfo target, int bits) {
  if (bits != 128 && bits != 256 && bits != 512) {
    return InvalidArgument("vectors have 128, 256 or 512 bits, not %d", bits);
  }
  if (bits / 8 > target.vector_bytes) {
    return InvalidArgument("%s has vectors of %d bits, %d are asked for",
                           target.cpu, target.vector_bytes * 8, bits);
  }
  target.vector_bytes = bits / 8;
  return target;
}

absl::StatusOr<TargetInfo> LimitIsa(TargetInfo target, CpuIsa isa) {
  const int vector_bytes = target.vector_bytes;
  TF_ASSIGN_OR_RETURN(TargetInfo limited,
                      target.is_x86 ? LimitX86(std::move(target), isa)
                                    : LimitAarch64(std::move(target), isa));
  Derive(limited);
  limited.vector_bytes = std::min(limited.vector_bytes, vector_bytes);
  return limited;
}

std::string MissingForIsa(const TargetInfo& target, CpuIsa isa) {
  if (target.is_aarch64) {
    if (isa == CpuIsa::kNeon) return "";
    const absl::string_view name = isa == CpuIsa::kSve ? "sve" : "sve2";
    if (isa != CpuIsa::kSve && isa != CpuIsa::kSve2) return "x86";
    return target.Has(name) ? "" : std::string(name);
  }
  if (FindX86Level(isa) == nullptr) return "aarch64";
  for (const X86Level& level : kX86Levels) {
    if (level.isa > isa) break;
    for (absl::string_view name : absl::StrSplit(level.adds, ',')) {
      if (!target.Has(name)) return std::string(name);
    }
  }
  return "";
}

std::string TargetFingerprint(const TargetInfo& target) {
  std::vector<absl::string_view> needs;
  for (const std::string& feature : target.features) {
    if (feature[0] == '+')
      needs.push_back(absl::string_view(feature).substr(1));
  }
  return absl::StrCat("tessera-cpu-1 ", Arch(target), " ", target.cpu, " ",
                      absl::StrJoin(needs, ","));
}

absl::Status CheckFingerprint(absl::string_view fingerprint,
                              const TargetInfo& host) {
  TF_ASSIGN_OR_RETURN(const Fingerprint needed, ParseFingerprint(fingerprint));
  if (needed.arch != Arch(host)) {
    return FailedPrecondition("the program was compiled for %s, this is %s",
                              needed.arch, Arch(host));
  }
  for (const std::string& feature : needed.needs) {
    if (!host.Has(feature)) {
      return FailedPrecondition(
          "the program was compiled for %s and needs %s, which %s lacks",
          needed.cpu, feature, host.cpu);
    }
  }
  if (host.is_aarch64 && needed.cpu != host.cpu && needed.cpu != "generic") {
    return FailedPrecondition("the program was compiled for %s, this is %s",
                              needed.cpu, host.cpu);
  }
  return absl::OkStatus();
}

}  // namespace xla::cpu
