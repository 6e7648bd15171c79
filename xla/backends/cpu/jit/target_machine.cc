// Makes target machines; turns LLVM's fatal errors into Status.
#include "xla/backends/cpu/jit/target_machine.h"

#include <csetjmp>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

// Where this thread continues after a fatal error in LLVM; null outside a
// guard.
struct Landing {
  std::jmp_buf place;
  std::string reason;
};
thread_local Landing* landing = nullptr;

void OnFatalError(void*, const char* reason, bool) {
  // Without a guard, LLVM ends the process, as is its default.
  if (landing == nullptr) return;
  landing->reason = reason;
  // LLVM is built without exceptions, so no frame in between has to be unwound,
  // and it holds no lock of its own while it calls this.
  std::longjmp(landing->place, 1);
}

llvm::TargetOptions Options() {
  llvm::TargetOptions options;
  // Results must not depend on what the code generator happens to contract;
  // fused multiply-adds are explicit in the IR.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  options.ExceptionModel = llvm::ExceptionHandling::None;
  options.EnableFastISel = false;
  return options;
}

std::string FeatureText(const TargetInfo& target) {
  std::string text = absl::StrJoin(target.features, ",");
  // Some processors' names imply this tuning flag; TargetInfo's vector width
  // decides instead.
  if (target.is_x86 && target.has_avx512) {
    absl::StrAppend(&text, target.vector_bytes == 64 ? ",-" : ",+",
                    "prefer-256-bit");
  }
  // Zen's gathers take longer than as many loads and inserts: 16 elements of
  // F32 in L1 take 40 cycles of Zen 4 and 16.
  if (target.is_x86 && absl::StartsWith(target.cpu, "znver")) {
    absl::StrAppend(&text, ",+prefer-no-gather");
  }
  return text;
}

}  // namespace

void InitializeLlvm() {
  static const bool done = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::install_fatal_error_handler(OnFatalError);
    return true;
  }();
  (void)done;
}

absl::StatusOr<const llvm::Target*> RegisteredTarget(
    const std::string& triple) {
  InitializeLlvm();
  std::string error;
  const llvm::Target* target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) {
    return Unimplemented("no code generator for %s: %s", triple, error);
  }
  return target;
}

std::string DataLayoutOf(const TargetInfo& target) {
  auto machine = MakeTargetMachine(target, OptLevel::kHot);
  if (!machine.ok()) return "";
  return (*machine)->createDataLayout().getStringRepresentation();
}

absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> MakeTargetMachine(
    const TargetInfo& target, OptLevel level) {
  TF_ASSIGN_OR_RETURN(const llvm::Target* registered,
                      RegisteredTarget(target.triple));
  // Position-independent code reaches far symbols through tables, so that the
  // code may lie anywhere; the small model keeps everything else short.
  std::unique_ptr<llvm::TargetMachine> machine(registered->createTargetMachine(
      target.triple, target.cpu, FeatureText(target), Options(),
      llvm::Reloc::PIC_, llvm::CodeModel::Small,
      level == OptLevel::kHot ? llvm::CodeGenOptLevel::Default
                              : llvm::CodeGenOptLevel::None));
  if (machine == nullptr) {
    return Internal("LLVM makes no code for %s", target.triple);
  }
  // Targets turn it on for unoptimized code, whatever the options say; on
  // aarch64 it confuses bfloat with half.
  machine->setGlobalISel(false);
  return machine;
}

std::string TargetMachineKey(const TargetInfo& target, OptLevel level) {
  return absl::StrCat(static_cast<int>(level), " ", target.triple, " ",
                      target.cpu, " ", FeatureText(target));
}

absl::Status GuardFatalErrors(absl::FunctionRef<absl::Status()> body) {
  InitializeLlvm();
  // On the heap: locals that change after setjmp would be indeterminate.
  const auto here = std::make_unique<Landing>();
  Landing* const outer = landing;
  if (setjmp(here->place) != 0) {
    landing = outer;
    return Internal("LLVM: %s", here->reason);
  }
  landing = here.get();
  absl::Status status = body();
  landing = outer;
  return status;
}

}  // namespace xla::cpu
