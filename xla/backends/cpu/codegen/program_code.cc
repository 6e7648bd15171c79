// Functions are dealt out to LLVM modules, which compile side by side.
#include "xla/backends/cpu/codegen/program_code.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/codegen/kernel_emitter.h"
#include "xla/backends/cpu/jit/jit_compiler.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

std::string KernelSymbol(size_t i) { return absl::StrCat("kernel.", i); }
std::string ComputationSymbol(size_t i) {
  return absl::StrCat("computation.", i);
}

// LLVM takes most of its time for each function, but some for each module, so
// several functions share one; how many there are keeps the threads busy.
constexpr size_t kMostInModule = 16;

size_t FunctionsInModule(size_t functions, int threads) {
  const size_t share = (functions + threads - 1) / threads;
  return std::clamp(share, size_t{1}, kMostInModule);
}

}  // namespace

absl::StatusOr<ProgramCode> CompileProgram(
    const HloModule& module, const BufferAssignment& assignment,
    const TargetInfo& target, absl::Span<const KernelSpec> kernels,
    absl::Span<const HloComputation* const> computations,
    const CompileThreads& threads, bool keep_dumps) {
  ProgramCode program;
  const size_t functions = kernels.size() + computations.size();
  if (functions == 0) return program;
  const KernelEmitter emitter(module, assignment, target);
  auto emit = [&](size_t i, llvm::Module& to) {
    if (i < kernels.size())
      return emitter.Emit(kernels[i], KernelSymbol(i), to);
    i -= kernels.size();
    return emitter.EmitMap(*computations[i], ComputationSymbol(i), to);
  };
  const size_t group = FunctionsInModule(functions, threads.count);
  std::vector<ModuleInput> inputs((functions + group - 1) / group);
  std::vector<absl::Status> statuses(inputs.size());
  auto emit_group = [&](int64_t g) {
    const size_t first = g * group;
    inputs[g] = NewModule(first < kernels.size()
                              ? kernels[first].name
                              : computations[first - kernels.size()]->name(),
                          target);
    for (size_t i = first; i < std::min(first + group, functions); ++i) {
      statuses[g] = emit(i, *inputs[g].module);
      if (!statuses[g].ok()) return;
    }
  };
  if (threads.parallel_for != nullptr) {
    threads.parallel_for(inputs.size(), emit_group);
  } else {
    for (size_t g = 0; g < inputs.size(); ++g) emit_group(g);
  }
  for (const absl::Status& status : statuses) TF_RETURN_IF_ERROR(status);
  const JitCompiler compiler({.target = target, .keep_dumps = keep_dumps});
  TF_ASSIGN_OR_RETURN(
      program.code, compiler.Compile(std::move(inputs), threads.parallel_for));
  for (size_t i = 0; i < kernels.size(); ++i) {
    TF_ASSIGN_OR_RETURN(void* address, program.code->Find(KernelSymbol(i)));
    program.kernels.push_back(address);
  }
  for (size_t i = 0; i < computations.size(); ++i) {
    TF_ASSIGN_OR_RETURN(void* address,
                        program.code->Find(ComputationSymbol(i)));
    program.computations.push_back(address);
  }
  return program;
}

}  // namespace xla::cpu
