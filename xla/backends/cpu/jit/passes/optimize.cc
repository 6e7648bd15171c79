// Runs the passes with just the analyses that they require: LLVM's PassBuilder
// would link every pass there is and register them for each module.
#include "xla/backends/cpu/jit/passes/optimize.h"

#include <string>
#include <utility>
#include <vector>

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "xla/backends/cpu/jit/passes/scalar_loops.h"
#include "xla/base/errors.h"

namespace xla::cpu {
namespace {

// The analysis managers, in the order of destruction that LLVM requires.
struct Analyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::ModuleAnalysisManager modules;

  explicit Analyses(llvm::TargetMachine& machine) {
    llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
    library.disableAllFunctions();
    const auto add = [&](auto analysis) {
      functions.registerPass([analysis] { return analysis; });
    };
    functions.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
    functions.registerPass(
        [library] { return llvm::TargetLibraryAnalysis(library); });
    functions.registerPass(
        [&machine] { return machine.getTargetIRAnalysis(); });
    functions.registerPass([] {
      llvm::AAManager aliases;
      aliases.registerFunctionAnalysis<llvm::BasicAA>();
      aliases.registerFunctionAnalysis<llvm::ScopedNoAliasAA>();
      return aliases;
    });
    add(llvm::AssumptionAnalysis());
    add(llvm::BasicAA());
    add(llvm::BlockFrequencyAnalysis());
    add(llvm::BranchProbabilityAnalysis());
    add(llvm::DominatorTreeAnalysis());
    add(llvm::LoopAnalysis());
    add(llvm::MemorySSAAnalysis());
    add(llvm::OptimizationRemarkEmitterAnalysis());
    add(llvm::PostDominatorTreeAnalysis());
    add(llvm::ScalarEvolutionAnalysis());
    add(llvm::ScopedNoAliasAA());
    loops.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
    modules.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
    modules.registerPass([] { return llvm::ProfileSummaryAnalysis(); });
    functions.registerPass(
        [this] { return llvm::ModuleAnalysisManagerFunctionProxy(modules); });
    functions.registerPass(
        [this] { return llvm::LoopAnalysisManagerFunctionProxy(loops); });
    modules.registerPass(
        [this] { return llvm::FunctionAnalysisManagerModuleProxy(functions); });
    loops.registerPass(
        [this] { return llvm::FunctionAnalysisManagerLoopProxy(functions); });
  }
};

// Inlines calls of functions marked alwaysinline, including the calls in these,
// and removes internal functions that are then unused.
void InlineMarked(llvm::Module& module) {
  std::vector<llvm::Function*> marked;
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() &&
        function.hasFnAttribute(llvm::Attribute::AlwaysInline)) {
      marked.push_back(&function);
    }
  }
  // Inlines one function after the other: a marked function that calls marked
  // ones copies those calls to its callers, where a later iteration inlines
  // them. A chain of calls is at most as long as the number of functions, so
  // the loop ends even with recursion.
  bool changed = !marked.empty();
  for (size_t round = 0; changed && round < marked.size() + 1; ++round) {
    changed = false;
    for (llvm::Function* callee : marked) {
      std::vector<llvm::CallInst*> calls;
      for (llvm::User* user : callee->users()) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(user);
        if (call != nullptr && call->getCalledFunction() == callee &&
            call->getFunction() != callee) {
          calls.push_back(call);
        }
      }
      for (llvm::CallInst* call : calls) {
        llvm::InlineFunctionInfo info;
        changed |= llvm::InlineFunction(*call, info).isSuccess();
      }
    }
  }
  for (llvm::Function* function : marked) {
    if (function->hasLocalLinkage() && function->use_empty()) {
      function->eraseFromParent();
    }
  }
}

// True if a loop of `function` is marked for unrolling.
bool HasUnrollMark(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function) {
    const llvm::Instruction* end = block.getTerminator();
    if (end == nullptr) continue;
    const llvm::MDNode* loop = end->getMetadata(llvm::LLVMContext::MD_loop);
    if (loop == nullptr) continue;
    for (const llvm::MDOperand& operand : llvm::drop_begin(loop->operands())) {
      const auto* node = llvm::dyn_cast_or_null<llvm::MDNode>(operand.get());
      if (node == nullptr || node->getNumOperands() == 0) continue;
      const auto* name = llvm::dyn_cast<llvm::MDString>(node->getOperand(0));
      if (name != nullptr &&
          name->getString().starts_with("llvm.loop.unroll.") &&
          name->getString() != "llvm.loop.unroll.disable") {
        return true;
      }
    }
  }
  return false;
}

llvm::SimplifyCFGOptions BranchOptions() {
  return llvm::SimplifyCFGOptions().convertSwitchRangeToICmp(true);
}

llvm::InstCombineOptions CombineOptions() {
  return llvm::InstCombineOptions().setMaxIterations(1);
}

llvm::FunctionPassManager Pipeline(OptLevel level, bool unroll, bool loops) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  const bool hot = level == OptLevel::kHot;
  // Unrolling is first: the passes after it clean up the unrolled bodies.
  if (unroll) {
    llvm::LoopUnrollOptions options(/*OptLevel=*/2, /*OnlyWhenForced=*/true);
    passes.addPass(llvm::LoopUnrollPass(options));
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  }
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/hot));
  passes.addPass(llvm::SimplifyCFGPass(BranchOptions()));
  if (!hot) return passes;
  passes.addPass(llvm::InstCombinePass(CombineOptions()));
  if (loops) {
    llvm::LICMOptions options;
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(
        llvm::LICMPass(options), /*UseMemorySSA=*/true));
    // What LICM hoisted may now be redundant.
    passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
    passes.addPass(KeptBoundsPass());
    passes.addPass(VectorChainsPass());
  }
  passes.addPass(llvm::SimplifyCFGPass(BranchOptions()));
  return passes;
}

// True if some block jumps to itself or to an earlier block.
bool MayLoop(const llvm::Function& function) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  for (const llvm::BasicBlock& block : function) {
    seen.insert(&block);
    const llvm::Instruction* end = block.getTerminator();
    for (unsigned i = 0; end != nullptr && i < end->getNumSuccessors(); ++i) {
      if (seen.contains(end->getSuccessor(i))) return true;
    }
  }
  return false;
}

}  // namespace

void OptimizeModule(llvm::Module& module, llvm::TargetMachine& machine,
                    OptLevel level) {
  InlineMarked(module);
  Analyses analyses(machine);
  // Users of BlockFrequency look up a cached profile summary, which is empty.
  analyses.modules.getResult<llvm::ProfileSummaryAnalysis>(module);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    // No exception passes through the function, so it needs no unwind table.
    function.setDoesNotThrow();
    function.removeFnAttr(llvm::Attribute::UWTable);
    Pipeline(level, HasUnrollMark(function), MayLoop(function))
        .run(function, analyses.functions);
    analyses.functions.clear(function, function.getName());
  }
}

absl::Status VerifyModule(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!llvm::verifyModule(module, &stream)) return absl::OkStatus();
  stream.flush();
  // Characters of the verifier's text that an error message quotes.
  constexpr size_t kLongest = 4000;
  return Internal("malformed LLVM IR in module %s: %s",
                  module.getModuleIdentifier(), text.substr(0, kLongest));
}

}  // namespace xla::cpu
