// Follows control flow with the evaluator, and cuts computations out of
// modules.
#include "xla/tools/debugging/computation_runs.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/source_line.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla::tools {
namespace {

absl::StatusOr<Literal> EvaluateRun(const ComputationRun& run, uint64_t seed) {
  HloEvaluator evaluator;
  evaluator.set_seed(seed);
  return evaluator.Evaluate(*run.computation,
                            absl::MakeConstSpan(run.arguments));
}

// The branch that a conditional takes; the last one for an index out of range.
int64_t BranchTaken(const HloInstruction& conditional, const Literal& index) {
  if (index.shape().element_type() == PRED) {
    return index.GetFirstElement<bool>() ? 0 : 1;
  }
  const int64_t last = conditional.branch_count() - 1;
  const int64_t branch = index.GetFirstElement<int32_t>();
  return branch < 0 || branch > last ? last : branch;
}

// Makes `entry` of `module` the entry, and drops what it does not reach.
absl::StatusOr<std::unique_ptr<HloModule>> WithEntry(
    std::unique_ptr<HloModule> module, HloComputation* entry) {
  module->ReplaceEntryComputation(entry);
  TF_RETURN_IF_ERROR(module->RemoveUnusedComputations());
  module->Cleanup();
  TF_RETURN_IF_ERROR(
      HloVerifier({.allow_entry_buffers = true}).Verify(*module));
  return module;
}

// A copy of the module of `computation`, and the copy of `computation`. A
// schedule is no part of what programs compute.
absl::StatusOr<std::pair<std::unique_ptr<HloModule>, HloComputation*>>
CopyModuleOf(const HloComputation& computation) {
  std::unique_ptr<HloModule> module = computation.parent()->Clone("");
  if (module->has_schedule()) module->clear_schedule();
  HloComputation* const copy =
      module->GetComputationWithName(computation.name());
  if (copy == nullptr) {
    return absl::InternalError(
        absl::StrCat("the copy of a module has no ", computation.name()));
  }
  return std::make_pair(std::move(module), copy);
}

}  // namespace

bool RunsComputations(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kWhile ||
         hlo.opcode() == HloOpcode::kConditional ||
         hlo.opcode() == HloOpcode::kCall || hlo.opcode() == HloOpcode::kFusion;
}

const HloComputation* ComputationOf(const HloInstruction& hlo,
                                    const RunRole& role) {
  switch (role.kind) {
    case RunRole::Kind::kBody:
      return hlo.while_body();
    case RunRole::Kind::kCondition:
      return hlo.while_condition();
    case RunRole::Kind::kBranch:
      return role.number < hlo.branch_count()
                 ? hlo.branch_computation(role.number)
                 : nullptr;
    case RunRole::Kind::kCalled:
      return hlo.called_computations()[0];
  }
  return nullptr;
}

std::string NameAndLine(const HloInstruction& hlo) {
  const std::string line = SourceLine(hlo);
  return line.empty() ? std::string(hlo.name())
                      : absl::StrCat(hlo.name(), " (", line, ")");
}

std::string DescribeRole(const RunRole& role, const HloInstruction& hlo) {
  const std::string caller =
      absl::StrCat(HloOpcodeString(hlo.opcode()), " ", NameAndLine(hlo),
                   " of computation ", hlo.parent()->name());
  switch (role.kind) {
    case RunRole::Kind::kBody:
      return absl::StrCat("the body of ", caller, ", in iteration ",
                          role.number);
    case RunRole::Kind::kCondition:
      return absl::StrCat("the condition of ", caller, ", before iteration ",
                          role.number);
    case RunRole::Kind::kBranch:
      return absl::StrCat("branch ", role.number, " of ", caller);
    case RunRole::Kind::kCalled:
      return absl::StrCat("what is called by ", caller);
  }
  return caller;
}

absl::Status ForEachRun(const HloInstruction& hlo,
                        std::vector<Literal> operands, uint64_t seed,
                        absl::FunctionRef<absl::StatusOr<bool>(
                            ComputationRun& run, const Literal& result)>
                            stop) {
  ComputationRun run;
  if (hlo.opcode() != HloOpcode::kWhile) {
    if (hlo.opcode() == HloOpcode::kConditional) {
      run.role = {RunRole::Kind::kBranch, BranchTaken(hlo, operands[0])};
      run.arguments.push_back(std::move(operands[run.role.number + 1]));
    } else {
      run.arguments = std::move(operands);
    }
    run.computation = ComputationOf(hlo, run.role);
    TF_ASSIGN_OR_RETURN(const Literal result, EvaluateRun(run, seed));
    return stop(run, result).status();
  }
  run.arguments = std::move(operands);
  for (int64_t iteration = 0;; ++iteration) {
    run.role = {RunRole::Kind::kCondition, iteration};
    run.computation = hlo.while_condition();
    TF_ASSIGN_OR_RETURN(const Literal go_on, EvaluateRun(run, seed));
    TF_ASSIGN_OR_RETURN(const bool at_condition, stop(run, go_on));
    if (at_condition || !go_on.GetFirstElement<bool>()) {
      return absl::OkStatus();
    }
    run.role.kind = RunRole::Kind::kBody;
    run.computation = hlo.while_body();
    TF_ASSIGN_OR_RETURN(Literal next, EvaluateRun(run, seed));
    TF_ASSIGN_OR_RETURN(const bool at_body, stop(run, next));
    if (at_body) return absl::OkStatus();
    run.arguments[0] = std::move(next);
  }
}

EvaluatedValues::EvaluatedValues(const HloComputation& computation,
                                 absl::Span<const Literal> arguments,
                                 uint64_t seed)
    : computation_(computation), arguments_(arguments) {
  HloEvaluator evaluator;
  evaluator.set_seed(seed);
  evaluator.set_eval_literal_handler(
      [&](const HloInstruction* hlo, const LiteralSlice& literal) {
        if (hlo->parent() == &computation_) values_[hlo] = literal.Clone();
      });
  evaluator.Evaluate(computation, arguments).IgnoreError();
}

const Literal* EvaluatedValues::Find(const HloInstruction& hlo) const {
  if (hlo.opcode() == HloOpcode::kParameter) {
    const size_t number = hlo.parameter_number();
    return number < arguments_.size() ? &arguments_[number] : nullptr;
  }
  if (hlo.opcode() == HloOpcode::kConstant) return &hlo.literal();
  const auto found = values_.find(&hlo);
  return found == values_.end() ? nullptr : &found->second;
}

absl::StatusOr<std::vector<Literal>> EvaluatedValues::OperandsOf(
    const HloInstruction& hlo) const {
  std::vector<Literal> operands;
  for (const HloInstruction* operand : hlo.operands()) {
    const Literal* const value = Find(*operand);
    if (value == nullptr) {
      return absl::NotFoundError(absl::StrCat("no value of ", operand->name()));
    }
    operands.push_back(value->Clone());
  }
  return operands;
}

absl::StatusOr<std::unique_ptr<HloModule>> ModuleOf(
    const HloComputation& computation) {
  TF_ASSIGN_OR_RETURN(auto copy, CopyModuleOf(computation));
  return WithEntry(std::move(copy.first), copy.second);
}

absl::StatusOr<std::unique_ptr<HloModule>> ModuleOf(const HloInstruction& hlo) {
  TF_ASSIGN_OR_RETURN(auto copy, CopyModuleOf(*hlo.parent()));
  HloInstruction* const original =
      copy.second->GetInstructionWithName(hlo.name());
  if (original == nullptr) {
    return absl::InternalError(
        absl::StrCat("the copy of a module has no ", hlo.name()));
  }
  HloComputation::Builder builder(absl::StrCat(hlo.name(), "_alone"));
  std::vector<HloInstruction*> operands;
  for (int64_t i = 0; i < hlo.operand_count(); ++i) {
    operands.push_back(builder.AddInstruction(HloInstruction::CreateParameter(
        i, hlo.operand(i)->shape(), absl::StrCat("operand_", i))));
  }
  builder.AddInstruction(
      original->CloneWithNewOperands(original->shape(), operands));
  HloComputation* const entry =
      copy.first->AddEmbeddedComputation(builder.Build());
  return WithEntry(std::move(copy.first), entry);
}

}  // namespace xla::tools
