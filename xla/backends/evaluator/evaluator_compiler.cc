// Checks a module and prepares what its custom calls need.
#include "xla/backends/evaluator/evaluator_compiler.h"

#include <utility>

#include "xla/backends/evaluator/evaluator_executable.h"
#include "xla/backends/partition_module.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/evaluator/replicated.h"
#include "xla/hlo/transforms/dynamic/dynamic_dimension_inference.h"

namespace xla {

static_assert(Executable::kMaxDevices <= ReplicatedOptions::kMaxDevices);

absl::StatusOr<std::unique_ptr<Executable>> EvaluatorCompiler::Compile(
    std::unique_ptr<HloModule> module) {
  TF_RETURN_IF_ERROR(CheckProgram(*module));
  TF_RETURN_IF_ERROR(PartitionModule(module.get()));
  TF_RETURN_IF_ERROR(DynamicDimensionInference().Run(module.get()).status());
  TF_ASSIGN_OR_RETURN(std::unique_ptr<FfiCalls> ffi_calls,
                      FfiCalls::Create(*module));
  return std::make_unique<EvaluatorExecutable>(std::move(module),
                                               std::move(ffi_calls));
}

}  // namespace xla
