// One LLVM module for each function, so that they compile side by side and
// equal ones compile once.
#include "xla/backends/cpu/codegen/program_code.h"

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

}  // namespace

absl::StatusOr<ProgramCode> CompileProgram(
    const HloModule& module, const BufferAssignment& assignment,
    const TargetInfo& target, absl::Span<const KernelSpec> kernels,
    absl::Span<const HloComputation* const> computations,
    const CompileInParallel& parallel_for, bool keep_dumps) {
  ProgramCode program;
  if (kernels.empty() && computations.empty()) return program;
  const KernelEmitter emitter(module, assignment, target);
  std::vector<ModuleInput> inputs;
  for (size_t i = 0; i < kernels.size(); ++i) {
    ModuleInput input = NewModule(kernels[i].name, target);
    TF_RETURN_IF_ERROR(
        emitter.Emit(kernels[i], KernelSymbol(i), *input.module));
    inputs.push_back(std::move(input));
  }
  for (size_t i = 0; i < computations.size(); ++i) {
    ModuleInput input = NewModule(computations[i]->name(), target);
    TF_RETURN_IF_ERROR(
        emitter.EmitMap(*computations[i], ComputationSymbol(i), *input.module));
    inputs.push_back(std::move(input));
  }
  const JitCompiler compiler({.target = target, .keep_dumps = keep_dumps});
  TF_ASSIGN_OR_RETURN(program.code,
                      compiler.Compile(std::move(inputs), parallel_for));
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
