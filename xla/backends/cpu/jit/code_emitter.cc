// Keeps emitters with their target machines and passes; lists the passes of
// LLVM's code generator that are left out.
#include "xla/backends/cpu/jit/code_emitter.h"

#include <map>
#include <mutex>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Pass.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

// The number of modules after which the passes are made anew: they keep a
// little memory for each type that they have seen, even when its context is
// gone.
constexpr int kModulesOfPasses = 200;

// The emitters that are not in use.
struct Pool {
  std::mutex mutex;
  std::map<std::string, std::vector<std::unique_ptr<CodeEmitter>>> idle;
};

Pool& EmitterPool() {
  static Pool* const pool = new Pool;
  return *pool;
}

// The most idle emitters of a kind that are kept: more than threads that
// compile would be a waste.
constexpr size_t kMaxIdle = 64;

// By their names in LLVM 19. If another release drops or changes a name, the
// pass runs and costs time, nothing else.
using Names = absl::flat_hash_set<absl::string_view>;

// Passes for features that no generated code has, or that do not help
// vectorized loops.
const Names& Needless() {
  static const Names* const names = new Names{
      // Integers beyond 128 bits, tile registers, thread-local data, vectors of
      // C library functions, the C library itself.
      "Expand large div/rem",
      "Expand large fp convert",
      "Lower AMX intrinsics",
      "Lower AMX type for load/store",
      "Tile Register Pre-configure",
      "Tile Register Configure",
      "X86 Lower Tile Copy",
      "TLS Variable Hoist",
      "Local Dynamic TLS Access Clean-up",
      "Replace intrinsics with calls to vector library",
      "Partially inline calls to library functions",
      "Merge contiguous icmps into a memcmp",
      "Expand memcmp() to load/stores",
      // Exceptions, garbage collection, computed jumps.
      "Exception handling preparation",
      "Lower Garbage Collection Instructions",
      "Shadow Stack GC Lowering",
      "Analyze Machine Code For Garbage Collection",
      "Fixup Statepoint Caller Saved",
      "StackMap Liveness Analysis",
      "Contiguously Lay Out Funclets",
      "Prepare callbr",
      "Expand indirectbr instructions",
      "Check CFA info and insert CFI instructions if needed",
      // Debuggers, profilers, tracers.
      "Live DEBUG_VALUE analysis",
      "Remove Redundant DEBUG_VALUE analysis",
      "Machine Sanitizer Binary Metadata",
      "Pseudo Probe Inserter",
      "Insert fentry calls",
      "Insert XRay ops",
      "Implement the 'patchable-function' attribute",
      "Instrument function entry/exit with calls to e.g. mcount() (post "
      "inlining)",
      "Register Allocation Pass Scoring",
      "Stack Frame Layout Analysis",
      // Hardening.
      "Safe Stack instrumentation pass",
      "Insert KCFI indirect call checks",
      "X86 speculative load hardening",
      "X86 Load Value Injection (LVI) Load Hardening",
      "X86 Load Value Injection (LVI) Ret-Hardening",
      "X86 Speculative Execution Side Effect Suppression",
      "X86 Indirect Branch Tracking",
      "X86 Indirect Thunks",
      "X86 Return Thunks",
      "X86 Windows Fixup Buffer Security Check",
      // Passes for other processors and for profiles.
      "X86 Atom pad short functions",
      "X86 Discriminate Memory Operands",
      "X86 Insert Cache Prefetches",
      "X86 insert wait instruction",
      "Argument Stack Rebase",
      // Passes that do what the IR has already, or that pay off in other kinds
      // of code. Loops over arrays need no induction variables but their own:
      // addresses are a base, an index and a constant; finding better ones took
      // up to two thirds of the time for bodies with many loads.
      "Loop Strength Reduction",
      "Machine InstCombiner",
      "Canonicalize Freeze Instructions in Loops",
      "Constant Hoisting",
      "Interleaved Access Pass",
      "X86 Partial Reduction",
      "X86 Domain Reassignment Pass",
      "X86 cmov Conversion",
      "Early If-Conversion",
      "Shrink Wrapping analysis",
      // Processors that reorder instructions do this themselves; the pass takes
      // time quadratic in the length of a block.
      "Post RA top-down list latency scheduler",
  };
  return *names;
}

}  // namespace

// The pass manager to which TargetMachine::addPassesToEmitFile adds its passes.
// LLVM's list has some two hundred for every function, most of them for
// exceptions, garbage collection, debuggers, tracing, hardening and operating
// systems, which generated code does not use; each costs microseconds.
class CodegenPasses : public llvm::legacy::PassManagerBase {
 public:
  void add(llvm::Pass* pass) override;
  void Run(llvm::Module& module) { passes_.run(module); }

 private:
  llvm::legacy::PassManager passes_;
};

void CodegenPasses::add(llvm::Pass* pass) {
  const llvm::StringRef name = pass->getPassName();
  const absl::string_view key(name.data(), name.size());
  if (Needless().contains(key)) {
    delete pass;
    return;
  }
  passes_.add(pass);
}

CodeEmitter::CodeEmitter(std::unique_ptr<llvm::TargetMachine> machine)
    : machine_(std::move(machine)), stream_(buffer_) {}

CodeEmitter::~CodeEmitter() = default;

absl::StatusOr<std::unique_ptr<CodegenPasses>> CodeEmitter::MakePasses(
    llvm::CodeGenFileType type) {
  auto passes = std::make_unique<CodegenPasses>();
  llvm::TargetLibraryInfoImpl library(machine_->getTargetTriple());
  library.disableAllFunctions();
  passes->add(new llvm::TargetLibraryInfoWrapperPass(library));
  if (machine_->addPassesToEmitFile(*passes, stream_, nullptr, type,
                                    /*DisableVerify=*/true)) {
    return Internal("LLVM cannot write code for this machine");
  }
  return passes;
}

std::string CodeEmitter::Run(CodegenPasses& passes, llvm::Module& module) {
  buffer_.clear();
  passes.Run(module);
  return std::string(buffer_.begin(), buffer_.end());
}

absl::StatusOr<std::string> CodeEmitter::EmitObject(llvm::Module& module) {
  if (passes_ == nullptr || modules_ == kModulesOfPasses) {
    passes_.reset();
    TF_ASSIGN_OR_RETURN(passes_, MakePasses(llvm::CodeGenFileType::ObjectFile));
    modules_ = 0;
  }
  ++modules_;
  return Run(*passes_, module);
}

absl::StatusOr<std::string> CodeEmitter::EmitAssembly(llvm::Module& module) {
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<CodegenPasses> passes,
                      MakePasses(llvm::CodeGenFileType::AssemblyFile));
  return Run(*passes, module);
}

absl::StatusOr<CodeEmitterLease> CodeEmitterLease::Borrow(
    const TargetInfo& target, OptLevel level) {
  std::string key = TargetMachineKey(target, level);
  {
    Pool& pool = EmitterPool();
    const std::lock_guard lock(pool.mutex);
    auto& idle = pool.idle[key];
    if (!idle.empty()) {
      auto emitter = std::move(idle.back());
      idle.pop_back();
      return CodeEmitterLease(std::move(key), std::move(emitter));
    }
  }
  TF_ASSIGN_OR_RETURN(auto machine, MakeTargetMachine(target, level));
  return CodeEmitterLease(std::move(key),
                          std::make_unique<CodeEmitter>(std::move(machine)));
}

CodeEmitterLease::~CodeEmitterLease() {
  if (emitter_ == nullptr) return;
  Pool& pool = EmitterPool();
  const std::lock_guard lock(pool.mutex);
  auto& idle = pool.idle[key_];
  if (idle.size() < kMaxIdle) idle.push_back(std::move(emitter_));
}

}  // namespace xla::cpu
