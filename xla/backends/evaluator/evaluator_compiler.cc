// Verifies a module and checks its entry layout.
#include "xla/backends/evaluator/evaluator_compiler.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/evaluator/evaluator_executable.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/replicated.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {
namespace {

static_assert(Executable::kMaxDevices <= ReplicatedOptions::kMaxDevices);

absl::Status CheckConfig(const HloModuleConfig& config) {
  TF_RETURN_IF_ERROR(CheckDeviceCounts(config));
  if (config.use_spmd_partitioning && config.num_partitions > 1) {
    return absl::UnimplementedError(
        "the evaluator does not partition programs: every partition runs the "
        "program as it is (use_spmd_partitioning must be false)");
  }
  return absl::OkStatus();
}

absl::Status CheckLayout(const std::string& what, const Shape& layout,
                         const Shape& shape) {
  if (ShapeUtil::Compatible(layout, shape)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "entry computation layout: ", what, " is ", layout.ToString(),
      ", but the program has ", shape.ToString()));
}

absl::Status CheckEntryLayout(const HloModule& module) {
  const ProgramShape& layout = module.entry_computation_layout();
  const HloComputation& entry = *module.entry_computation();
  if (layout.parameters_size() != entry.num_parameters()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "entry computation layout: ", layout.parameters_size(),
        " parameters, but the program has ", entry.num_parameters()));
  }
  for (int i = 0; i < layout.parameters_size(); ++i) {
    TF_RETURN_IF_ERROR(CheckLayout(absl::StrCat("parameter ", i),
                                   layout.parameters(i),
                                   entry.parameter_instruction(i)->shape()));
  }
  return CheckLayout("the result", layout.result(),
                     entry.root_instruction()->shape());
}

}  // namespace

absl::StatusOr<std::unique_ptr<Executable>> EvaluatorCompiler::Compile(
    std::unique_ptr<HloModule> module) {
  TF_RETURN_IF_ERROR(CheckConfig(module->config()));
  TF_RETURN_IF_ERROR(HloVerifier().Verify(*module));
  TF_RETURN_IF_ERROR(CheckEntryLayout(*module));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<FfiCalls> ffi_calls,
                      FfiCalls::Create(*module));
  return std::make_unique<EvaluatorExecutable>(std::move(module),
                                               std::move(ffi_calls));
}

}  // namespace xla
