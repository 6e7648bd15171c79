// Adds, removes, replaces and renumbers parameters.
#include "xla/hlo/ir/computation/computation_parameters.h"

#include <utility>
#include <vector>

#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/permutation_util.h"
#include "xla/core/shape/shape_layout.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/values.h"

namespace xla {
namespace {

// Returns the entry layout of the module that `computation` is the entry of;
// null if it has none.
ComputationLayout* EntryLayout(HloComputation& computation) {
  CHECK(computation.IsEntryComputation())
      << computation.name() << " is no entry";
  HloModuleConfig& config = computation.parent()->mutable_config();
  if (!config.has_entry_computation_layout()) return nullptr;
  return config.mutable_entry_computation_layout();
}

void CheckParameter(const HloInstruction& instruction) {
  CHECK(instruction.opcode() == HloOpcode::kParameter)
      << instruction.name() << " is no parameter";
}

}  // namespace

HloComputation& ComputationParameters::self() {
  return static_cast<HloComputation&>(*this);
}

HloInstruction* ComputationParameters::AddParameter(
    std::unique_ptr<HloInstruction> parameter) {
  CheckParameter(*parameter);
  return self().AddInstruction(std::move(parameter));
}

absl::Status ComputationParameters::RemoveParameter(int64_t i) {
  auto& parameters = self().parameters_;
  CHECK(i >= 0 && i < self().num_parameters()) << self().name() << ": " << i;
  HloInstruction* parameter = parameters[i];
  if (!parameter->IsDead() || parameter->HasControlDependencies()) {
    return FailedPrecondition("parameter %s is used", parameter->name());
  }
  parameters.erase(parameters.begin() + i);
  self().Retire(parameter);
  for (size_t k = i; k < parameters.size(); ++k) {
    parameters[k]->mutable_attrs<ParameterAttrs>().number = k;
  }
  return absl::OkStatus();
}

absl::Status
ComputationParameters::RemoveUnusedParametersFromFusedComputation() {
  CHECK(self().IsFusionComputation()) << self().name() << " is no fusion's";
  return RemoveUnusedParametersFromAnyComputation();
}
absl::Status ComputationParameters::RemoveUnusedParametersFromAnyComputation() {
  for (int64_t i = self().num_parameters() - 1; i >= 0; --i) {
    if (!self().parameter_instruction(i)->IsDead()) continue;
    TF_RETURN_IF_ERROR(RemoveParameter(i));
  }
  return absl::OkStatus();
}

HloInstruction* ComputationParameters::ReplaceParameter(
    int64_t param_no, std::unique_ptr<HloInstruction> instruction) {
  CheckParameter(*instruction);
  CHECK(param_no >= 0 && param_no < self().num_parameters())
      << self().name() << ": " << param_no;
  CHECK_EQ(instruction->parameter_number(), param_no) << self().name();
  HloInstruction* old_instruction =
      std::exchange(self().parameters_[param_no], nullptr);
  HloInstruction* added = self().AddInstruction(std::move(instruction));
  CHECK_OK(old_instruction->ReplaceAllUsesWithDifferentShape(added));
  CHECK_OK(self().ForceRemoveInstruction(old_instruction));
  return added;
}

absl::Status ComputationParameters::PermuteParameters(
    absl::Span<const int64_t> permutation) {
  auto& parameters = self().parameters_;
  if (permutation.size() != parameters.size() || !IsPermutation(permutation)) {
    return InvalidArgument("no permutation of the %d parameters of %s",
                           self().num_parameters(), self().name());
  }
  const std::vector<HloInstruction*> old_parameters = parameters;
  for (size_t i = 0; i < permutation.size(); ++i) {
    parameters[permutation[i]] = old_parameters[i];
    old_parameters[i]->mutable_attrs<ParameterAttrs>().number = permutation[i];
  }
  return absl::OkStatus();
}

HloInstruction* ComputationParameters::AddEntryComputationParameter(
    std::unique_ptr<HloInstruction> instruction) {
  CheckParameter(*instruction);
  CHECK_EQ(instruction->parameter_number(), self().num_parameters());
  ComputationLayout* layout = EntryLayout(self());
  if (layout != nullptr) {
    layout->add_parameter_layout(ShapeLayout(instruction->shape()));
  }
  return self().AddInstruction(std::move(instruction));
}

absl::Status ComputationParameters::ReplaceEntryComputationParameter(
    int64_t param_no, HloInstruction* old_instruction,
    std::unique_ptr<HloInstruction> instruction) {
  CheckParameter(*instruction);
  CHECK(param_no >= 0 && param_no < self().num_parameters())
      << self().name() << ": " << param_no;
  CHECK(self().parameters_[param_no] == old_instruction)
      << old_instruction->name();
  CHECK_EQ(instruction->parameter_number(), param_no) << self().name();
  ComputationLayout* layout = EntryLayout(self());
  if (layout != nullptr) {
    *layout->mutable_parameter_layout(param_no) =
        ShapeLayout(instruction->shape());
  }
  self().parameters_[param_no] = nullptr;
  HloInstruction* added = self().AddInstruction(std::move(instruction));
  TF_RETURN_IF_ERROR(old_instruction->ReplaceAllUsesWithDifferentShape(added));
  return self().ForceRemoveInstruction(old_instruction);
}

absl::Status ComputationParameters::ReplaceWithNewEntryComputationParameter(
    HloInstruction* old_instruction,
    std::unique_ptr<HloInstruction> new_instruction) {
  return self().ReplaceInstruction(
      old_instruction,
      AddEntryComputationParameter(std::move(new_instruction)));
}

}  // namespace xla
