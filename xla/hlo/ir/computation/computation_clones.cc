// Copies computations, as they are or with other instructions.
#include "xla/hlo/ir/computation/computation_clones.h"

#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"
#include "xla/hlo/ir/hlo_clone_context.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

const HloComputation& ComputationClones::self() const {
  return static_cast<const HloComputation&>(*this);
}

HloComputation* ComputationClones::CloneInto(
    HloModule* target, absl::string_view name,
    const absl::flat_hash_map<const HloComputation*, HloComputation*>&
        computations) const {
  HloCloneContext context(target);
  for (const HloInstruction* instruction : self().instructions()) {
    for (HloComputation* called : instruction->called_computations()) {
      const auto it = computations.find(called);
      context.MapComputation(called,
                             it == computations.end() ? called : it->second);
    }
  }
  HloComputation* result =
      target->AddEmbeddedComputation(std::make_unique<HloComputation>(name));
  CloneInstructionsInto(result, &context);
  return result;
}

namespace {

std::string WithSuffix(const std::string& name, const std::string& suffix) {
  return suffix.empty() ? name : absl::StrCat(name, ".", suffix);
}

}  // namespace

HloComputation* ComputationClones::CloneInto(HloCloneContext& context) {
  HloComputation* result =
      context.module()->AddEmbeddedComputation(std::make_unique<HloComputation>(
          WithSuffix(self().name(), context.suffix())));
  CloneInstructionsInto(result, &context);
  context.MapComputation(&self(), result);
  return result;
}

std::unique_ptr<HloComputation> ComputationClones::Clone(
    const std::string& suffix, HloCloneContext* context) {
  auto clone =
      std::make_unique<HloComputation>(WithSuffix(self().name(), suffix));
  CloneInstructionsInto(clone.get(), context);
  if (context != nullptr) context->MapComputation(&self(), clone.get());
  return clone;
}

namespace {

using InstructionMap =
    absl::flat_hash_map<const HloInstruction*, HloInstruction*>;

HloInstruction* CopyOf(const HloInstruction* hlo,
                       const InstructionMap& mapped) {
  const auto it = mapped.find(hlo);
  CHECK(it != mapped.end())
      << hlo->name() << " has no copy: it is on a cycle, or elsewhere";
  return it->second;
}

}  // namespace

void ComputationClones::CloneInstructionsInto(HloComputation* result,
                                              HloCloneContext* context) const {
  result->set_is_fusion_computation(self().IsFusionComputation());
  result->SetExecutionThread(self().execution_thread());
  InstructionMap mapped;
  for (const HloInstruction* parameter : self().parameter_instructions()) {
    mapped[parameter] = result->AddInstruction(
        parameter->CloneWithNewOperands(parameter->shape(), {}, context));
  }
  for (const HloInstruction* instruction : self().MakeInstructionPostOrder()) {
    HloInstruction*& copy = mapped[instruction];
    if (copy == nullptr) {
      HloInstruction::InstructionVector operands;
      for (HloInstruction* operand : instruction->operands()) {
        operands.push_back(CopyOf(operand, mapped));
      }
      copy = result->AddInstruction(instruction->CloneWithNewOperands(
          instruction->shape(), operands, context));
    }
    for (const HloInstruction* before : instruction->control_predecessors()) {
      CHECK_OK(CopyOf(before, mapped)->AddControlDependencyTo(copy));
    }
  }
  if (self().root_instruction() != nullptr) {
    result->set_root_instruction(CopyOf(self().root_instruction(), mapped));
  }
  const HloModule* module = self().parent();
  if (module == nullptr || !module->is_scheduled()) return;
  std::vector<HloInstruction*> order;
  order.reserve(self().instruction_count());
  for (const HloInstruction* hlo : self().instructions()) {
    order.push_back(CopyOf(hlo, mapped));
  }
  result->Reorder(order);
}

// With replacements ----------------------------------------------------------

namespace {

using Replace =
    absl::FunctionRef<const HloInstruction*(const HloInstruction* hlo)>;

// Returns the instructions that take the place of those of `computation`, and
// what they use, operands first.
std::vector<const HloInstruction*> ReplacedPostOrder(
    const HloComputation& computation, Replace replace) {
  enum class State { kOpen, kDone };
  std::vector<const HloInstruction*> order;
  absl::flat_hash_map<const HloInstruction*, State> states;
  std::vector<const HloInstruction*> stack;
  for (const HloInstruction* start : computation.instructions()) {
    if (replace(start) != nullptr) stack.push_back(replace(start));
    while (!stack.empty()) {
      const HloInstruction* next = stack.back();
      const auto [state, is_new] = states.emplace(next, State::kOpen);
      if (!is_new) {
        stack.pop_back();
        if (state->second == State::kDone) continue;
        state->second = State::kDone;
        order.push_back(next);
        continue;
      }
      for (const HloInstruction* operand : next->operands()) {
        const HloInstruction* used = replace(operand);
        CHECK(used != nullptr) << "nothing replaces " << operand->name()
                               << ", which " << next->name() << " uses";
        stack.push_back(used);
      }
    }
  }
  return order;
}

// Puts the copies of a computation's instructions in the order of these, the
// new parameters after the last of its parameters, and all else last.
std::vector<HloInstruction*> OrderAsBefore(const HloComputation& original,
                                           const HloComputation& clone,
                                           const HloCloneContext& context,
                                           Replace replace) {
  std::vector<HloInstruction*> order;
  absl::flat_hash_set<const HloInstruction*> placed;
  size_t after_parameters = 0;
  for (const HloInstruction* hlo : original.instructions()) {
    const HloInstruction* source = replace(hlo);
    if (source == nullptr) continue;
    HloInstruction* copy = context.GetInstruction(source);
    if (!placed.insert(copy).second) continue;
    order.push_back(copy);
    if (copy->opcode() == HloOpcode::kParameter) {
      after_parameters = order.size();
    }
  }
  for (HloInstruction* hlo : clone.instructions()) {
    if (placed.contains(hlo)) continue;
    if (hlo->opcode() == HloOpcode::kParameter) {
      order.insert(order.begin() + after_parameters++, hlo);
    } else {
      order.push_back(hlo);
    }
  }
  return order;
}

HloInstruction* RootOfClone(HloComputation& clone,
                            const HloComputation& original,
                            const HloCloneContext& context, Replace replace,
                            const ComputationClones::NewRoot& new_root) {
  if (const auto* single = std::get_if<const HloInstruction*>(&new_root)) {
    return context.GetInstruction(
        replace(*single != nullptr ? *single : original.root_instruction()));
  }
  std::vector<HloInstruction*> elements;
  for (const HloInstruction* element : std::get<1>(new_root)) {
    elements.push_back(context.GetInstruction(replace(element)));
  }
  return clone.AddInstruction(HloInstruction::CreateTuple(elements));
}

}  // namespace

std::unique_ptr<HloComputation> ComputationClones::CloneInContext(
    HloCloneContext& context, const Replacements* replacements,
    absl::Span<const HloInstruction* const> extra_parameters,
    const std::string& suffix, NewRoot new_root) const {
  const auto replace = [&](const HloInstruction* hlo) -> const HloInstruction* {
    if (replacements == nullptr) return hlo;
    const auto it = replacements->find(hlo);
    return it == replacements->end() ? hlo : it->second.get();
  };
  auto clone =
      std::make_unique<HloComputation>(WithSuffix(self().name(), suffix));
  clone->set_is_fusion_computation(self().IsFusionComputation());
  clone->SetExecutionThread(self().execution_thread());
  for (const HloInstruction* parameter : extra_parameters) {
    CHECK(parameter->opcode() == HloOpcode::kParameter) << parameter->name();
    clone->AddInstruction(parameter->Clone());
  }
  const std::vector<const HloInstruction*> sources =
      ReplacedPostOrder(self(), replace);
  for (const HloInstruction* source : sources) {
    std::vector<HloInstruction*> operands;
    for (const HloInstruction* operand : source->operands()) {
      operands.push_back(context.GetInstruction(replace(operand)));
    }
    clone->AddInstruction(
        source->CloneWithNewOperands(source->shape(), operands, &context));
  }
  for (const HloInstruction* parameter : clone->parameter_instructions()) {
    CHECK(parameter != nullptr)
        << clone->name() << " lacks a parameter below number "
        << clone->num_parameters() - 1;
  }
  clone->Reorder(OrderAsBefore(self(), *clone, context, replace));
  clone->set_root_instruction(
      RootOfClone(*clone, self(), context, replace, new_root));
  for (const HloInstruction* source : sources) {
    for (const HloInstruction* successor : source->control_successors()) {
      if (replace(successor) == nullptr) continue;
      CHECK_OK(context.GetInstruction(source)->AddControlDependencyTo(
          context.GetInstruction(replace(successor))));
    }
  }
  context.MapComputation(&self(), clone.get());
  return clone;
}

std::unique_ptr<HloComputation> ComputationClones::CloneWithReplacements(
    const Replacements* replacements,
    absl::Span<const HloInstruction* const> extra_parameters,
    HloCloneContext* context, const std::string& suffix, NewRoot new_root) {
  std::optional<HloCloneContext> own;
  if (context == nullptr) {
    context = &own.emplace(const_cast<HloModule*>(self().parent()), suffix);
  }
  return CloneInContext(*context, replacements, extra_parameters, suffix,
                        new_root);
}

namespace {

template <typename... R>
ComputationClones::Replacements MapOf(R... pairs) {
  ComputationClones::Replacements replacements;
  (replacements.insert(std::move(pairs)), ...);
  return replacements;
}

}  // namespace

std::unique_ptr<HloComputation> ComputationClones::CloneWithReplacementPairs(
    Replacement r1, HloCloneContext* context, const std::string& suffix) {
  const Replacements replacements = MapOf(std::move(r1));
  return CloneWithReplacements(&replacements, {}, context, suffix);
}
std::unique_ptr<HloComputation> ComputationClones::CloneWithReplacementPairs(
    Replacement r1, Replacement r2, HloCloneContext* context,
    const std::string& suffix) {
  const Replacements replacements = MapOf(std::move(r1), std::move(r2));
  return CloneWithReplacements(&replacements, {}, context, suffix);
}
std::unique_ptr<HloComputation> ComputationClones::CloneWithReplacementPairs(
    Replacement r1, Replacement r2, Replacement r3, HloCloneContext* context,
    const std::string& suffix) {
  const Replacements replacements =
      MapOf(std::move(r1), std::move(r2), std::move(r3));
  return CloneWithReplacements(&replacements, {}, context, suffix);
}

}  // namespace xla
