// Two tables of passes by the names that LLVM 19 gives them. A name that
// another release drops or changes costs time, nothing else.
#include "xla/backends/cpu/jit/codegen_passes.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "llvm/Pass.h"

namespace xla::cpu {
namespace {

using Names = absl::flat_hash_set<absl::string_view>;

// For features that no generated code has, or of no use to vectorised loops.
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
      // Processors and profiles of others.
      "X86 Atom pad short functions",
      "X86 Discriminate Memory Operands",
      "X86 Insert Cache Prefetches",
      "X86 insert wait instruction",
      "Argument Stack Rebase",
      // What the IR has already, or what pays in other kinds of code. Loops
      // over arrays need no other induction variables than theirs: addresses
      // are a base, an index and a constant; finding better ones took up to
      // two thirds of the time for bodies with many loads.
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
  };
  return *names;
}

// What only makes code faster.
const Names& ForHotCode() {
  static const Names* const names = new Names{
      "CodeGen Prepare",
      "Early Tail Duplication",
      "Optimize machine instruction PHIs",
      "Merge disjoint stack slots",
      "Early Machine Loop Invariant Code Motion",
      "Machine Loop Invariant Code Motion",
      "Machine Common Subexpression Elimination",
      "Machine code sinking",
      "Peephole Optimizations",
      "Live Range Shrink",
      "X86 LEA Optimize",
      "X86 Optimize Call Frame",
      "X86 Avoid Store Forwarding Blocks",
      "Rename Disconnected Subregister Components",
      "Machine Instruction Scheduler",
      "Stack Slot Coloring",
      "Machine Copy Propagation Pass",
      "PostRA Machine Sink",
      "Machine Late Instructions Cleanup Pass",
      "Tail Duplication",
      "Post RA top-down list latency scheduler",
      "BreakFalseDeps",
      "X86 Byte/Word Instruction Fixup",
      "X86 LEA Fixup",
      "X86 Fixup Inst Tuning",
      "X86 Fixup Vector Constants",
  };
  return *names;
}

}  // namespace

void CodegenPasses::add(llvm::Pass* pass) {
  const llvm::StringRef name = pass->getPassName();
  const absl::string_view key(name.data(), name.size());
  if (Needless().contains(key) ||
      (level_ == OptLevel::kCold && ForHotCode().contains(key))) {
    delete pass;
    return;
  }
  passes_.add(pass);
}

}  // namespace xla::cpu
