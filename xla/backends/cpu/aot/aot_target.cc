// Maps names to processors of LLVM.
#include "xla/backends/cpu/aot/aot_target.h"

#include <algorithm>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/Support/TargetSelect.h"
#include "xla/base/cpu_isa.h"
#include "xla/base/processor/processor_features.h"
#include "xla/base/status_macros.h"

namespace xla::cpu::aot {
namespace {

// The levels, and the names that the psABI of x86-64 or LLVM has for them.
struct NamedLevel {
  CpuIsa isa;
  absl::string_view abi_name;
};
constexpr NamedLevel kLevels[] = {
    {CpuIsa::kSse2, "x86-64"},
    {CpuIsa::kSse42, "x86-64-v2"},
    {CpuIsa::kAvx, ""},
    {CpuIsa::kAvx2, "x86-64-v3"},
    {CpuIsa::kAvx512, "x86-64-v4"},
    {CpuIsa::kAvx512Vnni, ""},
    {CpuIsa::kAvx512Bf16, ""},
    {CpuIsa::kAvx512Fp16, ""},
    {CpuIsa::kAmx, ""},
    {CpuIsa::kAmxFp16, ""},
    {CpuIsa::kNeon, "armv8-a"},
    {CpuIsa::kSve, ""},
    {CpuIsa::kSve2, "armv9-a"},
};

const NamedLevel* FindLevel(absl::string_view name) {
  for (const NamedLevel& level : kLevels) {
    if (absl::EqualsIgnoreCase(name, CpuIsaName(level.isa)) ||
        (!level.abi_name.empty() && name == level.abi_name)) {
      return &level;
    }
  }
  return nullptr;
}

// The least processor of the architecture, which needs no check.
absl::StatusOr<TargetInfo> Least(const TargetInfo& target) {
  return TargetFor(target.is_aarch64 ? "generic" : "x86-64", {}, target.triple);
}

// Removes the extensions that a program cannot look for.
absl::StatusOr<TargetInfo> WithKnownFeatures(TargetInfo target) {
  TF_ASSIGN_OR_RETURN(const TargetInfo least, Least(target));
  const auto& known = KnownFeatures(target.is_aarch64);
  for (std::string& feature : target.features) {
    const absl::string_view name = absl::string_view(feature).substr(1);
    if (!absl::c_linear_search(known, name) && !least.Has(name)) {
      feature[0] = '-';
    }
  }
  return target;
}

void InitializeTargets() {
  static const bool done = [] {
    // The code generator of the other architecture; the JIT compiler sees to
    // its own.
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    return true;
  }();
  (void)done;
}

}  // namespace

absl::StatusOr<TargetInfo> AotTarget(absl::string_view name) {
  InitializeTargets();
  if (name == "native") return WithKnownFeatures(HostTarget());
  if (const NamedLevel* level = FindLevel(name)) {
    TF_ASSIGN_OR_RETURN(TargetInfo target, TargetForIsa(level->isa));
    return WithKnownFeatures(std::move(target));
  }
  for (const char* triple :
       {"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"}) {
    // "generic" would be a processor of either architecture.
    if (name.empty() || name == "generic") break;
    absl::StatusOr<TargetInfo> target = TargetFor(name, {}, triple);
    if (target.ok()) return WithKnownFeatures(*std::move(target));
  }
  std::vector<std::string> names = {"native"};
  for (const NamedLevel& level : kLevels) {
    if (!level.abi_name.empty()) names.push_back(std::string(level.abi_name));
  }
  for (const NamedLevel& level : kLevels) {
    names.push_back(std::string(CpuIsaName(level.isa)));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "no processor is called '", name, "': use ", absl::StrJoin(names, ", "),
      ", or a name that LLVM knows, such as haswell or neoverse-v1"));
}

absl::StatusOr<std::string> NeededFeatures(const TargetInfo& target) {
  TF_ASSIGN_OR_RETURN(const TargetInfo least, Least(target));
  std::vector<absl::string_view> needed;
  for (const std::string& feature : target.features) {
    const absl::string_view name = absl::string_view(feature).substr(1);
    if (feature[0] == '+' && !least.Has(name)) needed.push_back(name);
  }
  return absl::StrJoin(needed, ",");
}

CpuIsa IsaOf(const TargetInfo& target) {
  CpuIsa isa = target.is_aarch64 ? CpuIsa::kNeon : CpuIsa::kSse2;
  for (const NamedLevel& level : kLevels) {
    if ((level.isa >= CpuIsa::kNeon) == target.is_aarch64 &&
        MissingForIsa(target, level.isa).empty()) {
      isa = level.isa;
    }
  }
  return isa;
}

}  // namespace xla::cpu::aot
