// Tidies, verifies, measures and tests edited programs.
#include "xla/tools/reduction/trials.h"

#include <algorithm>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/simplify/dce.h"
#include "xla/hlo/verifier/hlo_verifier.h"
#include "xla/tools/reduction/entry_values.h"

namespace xla::tools {
namespace {

// A fusion or call need not pass what the called computation does not read.
absl::Status DropUnusedOperands(HloModule& module) {
  absl::flat_hash_map<const HloComputation*, int> callers;
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction* hlo : computation->instructions()) {
      for (const HloComputation* called : hlo->called_computations()) {
        ++callers[called];
      }
    }
  }
  for (HloComputation* computation : module.computations()) {
    for (HloInstruction* hlo : computation->instructions()) {
      if (hlo->opcode() != HloOpcode::kFusion &&
          hlo->opcode() != HloOpcode::kCall) {
        continue;
      }
      HloComputation* called = hlo->called_computations()[0];
      if (callers[called] != 1) continue;
      for (int64_t i = called->num_parameters() - 1; i >= 0; --i) {
        const HloInstruction* parameter = called->parameter_instruction(i);
        if (parameter->user_count() > 0 || parameter->IsRoot()) continue;
        TF_RETURN_IF_ERROR(called->RemoveParameter(i));
        hlo->RemoveOperandAt(i);
      }
    }
  }
  return absl::OkStatus();
}

absl::Status DropUnusedArguments(ReducibleProgram& program) {
  HloComputation& entry = *program.module->entry_computation();
  for (int64_t i = entry.num_parameters() - 1; i >= 0; --i) {
    const HloInstruction* parameter = entry.parameter_instruction(i);
    if (parameter->user_count() > 0 || parameter->IsRoot()) continue;
    TF_RETURN_IF_ERROR(entry.RemoveParameter(i));
    if (!program.arguments.empty()) {
      program.arguments.erase(program.arguments.begin() + i);
    }
  }
  return absl::OkStatus();
}

// Layouts of the entry, aliases and donors stay if parameters and result do.
void MatchSignature(const HloModule& before, HloModule& module) {
  const ProgramShape old_shape =
      before.entry_computation()->ComputeProgramShape();
  const ProgramShape new_shape =
      module.entry_computation()->ComputeProgramShape();
  bool same = old_shape.result() == new_shape.result() &&
              old_shape.parameters_size() == new_shape.parameters_size();
  for (int i = 0; same && i < new_shape.parameters_size(); ++i) {
    same = old_shape.parameters(i) == new_shape.parameters(i);
  }
  if (same) return;
  module.mutable_input_output_alias().Clear();
  module.mutable_buffer_donor().Clear();
  module.mutable_config().SetComputationLayoutIfExists(new_shape);
}

absl::Status Tidy(const HloModule& before, ReducibleProgram& program) {
  HloModule& module = *program.module;
  const bool scheduled = module.is_scheduled();
  module.clear_schedule();
  TF_RETURN_IF_ERROR(HloDCE().Run(&module).status());
  TF_RETURN_IF_ERROR(DropUnusedOperands(module));
  TF_RETURN_IF_ERROR(HloDCE().Run(&module).status());
  TF_RETURN_IF_ERROR(DropUnusedArguments(program));
  module.Cleanup();
  MatchSignature(before, module);
  if (scheduled) {
    for (HloComputation* computation : module.computations()) {
      TF_RETURN_IF_ERROR(computation->SetInstructionOrder(
          computation->MakeInstructionPostOrder()));
    }
    module.set_is_scheduled(true);
  }
  // Programs may come from between passes.
  return HloVerifier({.allow_entry_buffers = true}).Verify(module);
}

}  // namespace

Trials::Trials(ReducibleProgram program, const FailureTest& fails,
               const ReductionOptions& options)
    : fails_(fails),
      options_(options),
      has_arguments_(static_cast<int64_t>(program.arguments.size()) ==
                     program.module->entry_computation()->num_parameters()),
      best_(std::move(program)),
      best_size_(SizeOf(*best_.module)) {}

bool Trials::Try(ReducibleProgram program) {
  if (exhausted() || !Tidy(*best_.module, program).ok()) return false;
  const ProgramSize size = SizeOf(*program.module);
  if (!(size < best_size_)) return false;
  ++tests_;
  const bool fails = fails_(program);
  if (fails) {
    best_ = std::move(program);
    best_size_ = size;
  }
  if (options_.progress != nullptr) {
    options_.progress(step_, tests_, best_size_.instructions);
  }
  return fails;
}

bool Trials::TryChunks(std::vector<std::string> items, Edit edit) {
  bool changed = false;
  for (size_t size = items.size(); size > 0; size /= 2) {
    for (size_t end = items.size(); end > 0;) {
      if (exhausted()) return changed;
      const size_t begin = end > size ? end - size : 0;
      ReducibleProgram copy = Copy();
      const absl::StatusOr<bool> edited =
          edit(copy, absl::MakeConstSpan(items).subspan(begin, end - begin));
      if (edited.ok() && *edited && Try(std::move(copy))) {
        changed = true;
        items.erase(items.begin() + begin, items.begin() + end);
      }
      end = begin;
    }
  }
  return changed;
}

absl::flat_hash_map<std::string, Literal> Trials::Values() const {
  return EntryValues(*best_.module, best_.arguments,
                     options_.evaluation_limit_s);
}

HloInstruction* FindInstruction(const HloModule& module,
                                absl::string_view name) {
  for (const HloComputation* computation : module.computations()) {
    for (HloInstruction* hlo : computation->instructions()) {
      if (hlo->name() == name) return hlo;
    }
  }
  return nullptr;
}

std::vector<std::string> NamesOf(
    const HloModule& module,
    absl::FunctionRef<bool(const HloInstruction& hlo)> wanted) {
  std::vector<std::string> names;
  for (const HloComputation* computation : module.MakeComputationPostOrder()) {
    for (const HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      if (wanted(*hlo)) names.push_back(hlo->name());
    }
  }
  return names;
}

}  // namespace xla::tools
