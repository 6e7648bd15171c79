// Moves instructions into fusions and calls, merges fusions, and takes them
// apart.
#include "xla/hlo/ir/instruction/instruction_fusing.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/debug/hlo_original_value.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {
namespace {

using InstructionMap =
    absl::flat_hash_map<const HloInstruction*, HloInstruction*>;

HloComputation* CalledBy(const HloInstruction& caller) {
  CHECK_EQ(caller.called_computations().size(), 1u) << caller.name();
  return caller.called_computations()[0];
}

std::vector<HloInstruction*> MappedOperands(const HloInstruction& hlo,
                                            const InstructionMap& mapped) {
  std::vector<HloInstruction*> operands;
  for (const HloInstruction* operand : hlo.operands()) {
    const auto it = mapped.find(operand);
    CHECK(it != mapped.end()) << operand->name() << " of " << hlo.name();
    operands.push_back(it->second);
  }
  return operands;
}

bool IsTupleOfElements(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kTuple &&
         absl::c_all_of(hlo.users(), [](const HloInstruction* user) {
           return user->opcode() == HloOpcode::kGetTupleElement;
         });
}

}  // namespace

HloInstruction& InstructionFusing::self() {
  return static_cast<HloInstruction&>(*this);
}

// Into -----------------------------------------------------------------------

HloInstruction* InstructionFusing::AddCallOperand(HloInstruction* new_operand) {
  HloComputation* called = CalledBy(self());
  const int64_t number = self().operand_count();
  CHECK_EQ(number, called->num_parameters()) << self().name();
  HloInstruction* parameter =
      called->AddParameter(HloInstruction::CreateParameter(
          number, new_operand->shape(), absl::StrCat("param_", number)));
  self().AppendOperand(new_operand);
  if (self().opcode() == HloOpcode::kAsyncStart) {
    ShapeUtil::AppendShapeToTuple(
        new_operand->shape(),
        ShapeUtil::GetMutableSubshape(self().mutable_shape(), {0}));
  }
  return parameter;
}

HloInstruction* InstructionFusing::AddFusionOperand(
    HloInstruction* new_operand) {
  return AddCallOperand(new_operand);
}

// Returns the parameter for `operand`, which becomes one if it is none.
HloInstruction* InstructionFusing::ParameterFor(HloInstruction* operand) {
  const auto& operands = self().operands();
  const auto it = absl::c_find(operands, operand);
  if (it == operands.end()) return AddCallOperand(operand);
  return CalledBy(self())->parameter_instruction(it - operands.begin());
}

HloInstruction* InstructionFusing::CopyIntoCalled(HloInstruction* hlo) {
  InstructionMap parameters;
  for (HloInstruction* operand : hlo->operands()) {
    parameters[operand] = ParameterFor(operand);
  }
  return CalledBy(self())->AddInstruction(hlo->CloneWithNewOperands(
      hlo->shape(), MappedOperands(*hlo, parameters)));
}

// Makes users of the parameters for `operand` use `replacement`, and drops the
// operand.
void InstructionFusing::ReplaceParametersOf(const HloInstruction* operand,
                                            HloInstruction* replacement) {
  HloComputation* called = CalledBy(self());
  for (int64_t i = self().operand_count() - 1; i >= 0; --i) {
    if (self().operand(i) != operand) continue;
    CHECK_OK(called->parameter_instruction(i)->ReplaceAllUsesWith(replacement));
    CHECK_OK(called->RemoveParameter(i));
    self().RemoveOperandAt(i);
  }
}

HloInstruction* InstructionFusing::AppendInstructionIntoCalledComputation(
    HloInstruction* hlo, bool add_output) {
  HloInstruction& caller = self();
  const bool was_operand = caller.IsUserOf(hlo);
  CHECK(add_output || was_operand)
      << hlo->name() << " is no operand of " << caller.name();
  CHECK(caller.opcode() != HloOpcode::kFusion || hlo->IsFusible())
      << hlo->ToString();
  if (add_output && !was_operand && IsTupleOfElements(*hlo)) {
    AppendTupleAsOutputs(hlo);
    return hlo;
  }
  HloInstruction* copy = CopyIntoCalled(hlo);
  if (was_operand) {
    ReplaceParametersOf(hlo, copy);
    // What nothing else uses is no output.
    add_output &= hlo->user_count() > 0;
  }
  if (add_output) AddOutputFor(hlo, copy);
  return copy;
}

// Adds instructions of the computation to its results. Returns the number of
// the first.
int64_t InstructionFusing::AddOutputs(
    absl::Span<HloInstruction* const> outputs) {
  HloInstruction& caller = self();
  HloComputation* called = CalledBy(caller);
  HloInstruction* root = called->root_instruction();
  const bool was_tuple = root->opcode() == HloOpcode::kTuple;
  std::vector<HloInstruction*> elements = {root};
  if (was_tuple) {
    elements.assign(root->operands().begin(), root->operands().end());
  }
  const int64_t first = elements.size();
  elements.insert(elements.end(), outputs.begin(), outputs.end());
  HloInstruction* tuple =
      called->AddInstruction(HloInstruction::CreateTuple(elements));
  called->set_root_instruction(tuple);
  *caller.mutable_shape() = tuple->shape();
  // The old ones are not of the new shape.
  tuple->set_original_value(OriginalValue::CreateFromInstruction(tuple));
  caller.set_original_value(tuple->original_value());
  caller.clear_sharding();
  if (was_tuple) {
    CHECK_OK(called->RemoveInstruction(root));
  } else {
    CHECK_OK(caller.ReplaceAllUsesWithDifferentShape(caller.AddInstruction(
        HloInstruction::CreateGetTupleElement(root->shape(), &caller, 0))));
  }
  return first;
}

void InstructionFusing::AddOutputFor(HloInstruction* hlo,
                                     HloInstruction* copy) {
  HloInstruction& caller = self();
  CHECK(hlo->user_count() > 0 || hlo->IsRoot()) << hlo->name() << " is dead";
  const HloInstruction* root = CalledBy(caller)->root_instruction();
  int64_t number = -1;
  if (root->opcode() == HloOpcode::kTuple) {
    // The copy may have taken the place of a parameter that is a result.
    const std::vector<int64_t> known = root->OperandIndices(copy);
    if (!known.empty()) number = known[0];
  }
  if (number < 0) number = AddOutputs({copy});
  CHECK_OK(hlo->ReplaceAllUsesWith(caller.AddInstruction(
      HloInstruction::CreateGetTupleElement(copy->shape(), &caller, number))));
}

// Makes the elements of a tuple, which pass through parameters, results.
void InstructionFusing::AppendTupleAsOutputs(HloInstruction* tuple) {
  HloInstruction& caller = self();
  CHECK(tuple->user_count() > 0) << tuple->name() << " is dead";
  std::vector<HloInstruction*> outputs;
  for (HloInstruction* element : tuple->operands()) {
    outputs.push_back(ParameterFor(element));
  }
  const int64_t first = AddOutputs(outputs);
  for (HloInstruction* old : std::vector<HloInstruction*>(tuple->users())) {
    CHECK_OK(old->ReplaceAllUsesWith(
        caller.AddInstruction(HloInstruction::CreateGetTupleElement(
            old->shape(), &caller, first + old->tuple_index()))));
    CHECK_OK(old->parent()->RemoveInstruction(old));
  }
}

// Merging --------------------------------------------------------------------

void InstructionFusing::MergeFusionInstruction(
    HloInstruction* instruction_to_merge) {
  HloInstruction& caller = self();
  CHECK(caller.IsUserOf(instruction_to_merge))
      << instruction_to_merge->name() << " is no operand of " << caller.name();
  HloComputation* merged = CalledBy(*instruction_to_merge);
  const HloInstruction* root = merged->root_instruction();
  if (root->opcode() == HloOpcode::kParameter) {
    CHECK_OK(instruction_to_merge->ReplaceUseWith(
        &caller,
        instruction_to_merge->mutable_operand(root->parameter_number())));
    return;
  }
  const std::vector<HloInstruction*> order = merged->MakeInstructionPostOrder();
  InstructionMap mapped;
  // New operands come in the order in which they would if the instructions were
  // fused one by one, users first.
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    for (const HloInstruction* operand : (*it)->operands()) {
      if (operand->opcode() != HloOpcode::kParameter) continue;
      HloInstruction*& parameter = mapped[operand];
      if (parameter != nullptr) continue;
      parameter = ParameterFor(
          instruction_to_merge->mutable_operand(operand->parameter_number()));
    }
  }
  for (const HloInstruction* hlo : order) {
    if (hlo->opcode() == HloOpcode::kParameter) continue;
    mapped[hlo] = CalledBy(caller)->AddInstruction(
        hlo->CloneWithNewOperands(hlo->shape(), MappedOperands(*hlo, mapped)));
  }
  ReplaceParametersOf(instruction_to_merge, mapped[root]);
}

absl::Status InstructionFusing::DeduplicateFusionOperands() {
  HloInstruction& fusion = self();
  if (fusion.opcode() != HloOpcode::kFusion || fusion.IsCustomFusion()) {
    return absl::OkStatus();
  }
  absl::flat_hash_map<const HloInstruction*, int64_t> first;
  std::vector<int64_t> again;
  for (int64_t i = 0; i < fusion.operand_count(); ++i) {
    if (!first.insert({fusion.operand(i), i}).second) again.push_back(i);
  }
  HloComputation* fused = CalledBy(fusion);
  if (again.empty() || fused->num_parameters() != fusion.operand_count() ||
      fused->caller_instructions().size() > 1) {
    return absl::OkStatus();
  }
  for (auto it = again.rbegin(); it != again.rend(); ++it) {
    HloInstruction* parameter = fused->parameter_instruction(*it);
    HloInstruction* kept =
        fused->parameter_instruction(first[fusion.operand(*it)]);
    if (parameter->shape() != kept->shape() ||
        parameter->HasControlDependencies()) {
      continue;
    }
    TF_RETURN_IF_ERROR(parameter->ReplaceAllUsesWith(kept));
    TF_RETURN_IF_ERROR(fused->RemoveParameter(*it));
    fusion.RemoveOperandAt(*it);
  }
  return absl::OkStatus();
}

namespace {

// The instructions of a fusion, copied to where it was.
struct TakenApart {
  std::vector<HloInstruction*> copies;  // operands first
  absl::flat_hash_set<const HloInstruction*> results;
};

// Copies the instructions of `fusion`, but for the tuple of its results, and
// lets its users use the copies. `results` are those that others than `user`
// use.
TakenApart TakeApart(HloInstruction* fusion, const HloInstruction* user) {
  TakenApart parts;
  InstructionMap mapped;
  const HloInstruction* root = fusion->fused_expression_root();
  for (const HloInstruction* hlo :
       CalledBy(*fusion)->MakeInstructionPostOrder()) {
    if (hlo->opcode() == HloOpcode::kParameter) {
      mapped[hlo] = fusion->mutable_operand(hlo->parameter_number());
    } else if (hlo != root || !fusion->IsMultiOutputFusion()) {
      mapped[hlo] = fusion->parent()->AddInstruction(hlo->CloneWithNewOperands(
          hlo->shape(), MappedOperands(*hlo, mapped), "clone"));
      parts.copies.push_back(mapped[hlo]);
    }
  }
  if (!fusion->IsMultiOutputFusion()) {
    parts.results.insert(mapped[root]);
    CHECK_OK(fusion->ReplaceAllUsesWith(mapped[root]));
    return parts;
  }
  for (HloInstruction* element :
       std::vector<HloInstruction*>(fusion->users())) {
    CHECK(element->opcode() == HloOpcode::kGetTupleElement) << element->name();
    HloInstruction* copy = mapped[root->operand(element->tuple_index())];
    const bool only_user =
        absl::c_all_of(element->users(),
                       [&](const HloInstruction* hlo) { return hlo == user; });
    if (!only_user || element->IsRoot()) parts.results.insert(copy);
    CHECK_OK(element->ReplaceAllUsesWith(copy));
    CHECK_OK(element->parent()->RemoveInstruction(element));
  }
  return parts;
}

}  // namespace

void InstructionFusing::MergeFusionInstructionIntoMultiOutput(
    HloInstruction* instruction_to_merge) {
  HloInstruction& caller = self();
  HloComputation* merged = CalledBy(*instruction_to_merge);
  const TakenApart parts = TakeApart(instruction_to_merge, &caller);
  CHECK_OK(
      instruction_to_merge->parent()->RemoveInstruction(instruction_to_merge));
  if (caller.GetModule() != nullptr) {
    CHECK_OK(caller.GetModule()->RemoveEmbeddedComputation(merged));
  }
  for (auto it = parts.copies.rbegin(); it != parts.copies.rend(); ++it) {
    HloInstruction* copy = *it;
    if (parts.results.contains(copy)) {
      FuseInstructionIntoMultiOutput(copy);
    } else if (caller.IsUserOf(copy)) {
      FuseInstruction(copy);
    }
    CHECK_OK(copy->parent()->RemoveInstruction(copy));
  }
}

// Out of it ------------------------------------------------------------------

absl::Status InstructionFusing::Defuse() {
  HloInstruction& fusion = self();
  if (fusion.opcode() != HloOpcode::kFusion) return absl::OkStatus();
  HloComputation* fused = CalledBy(fusion);
  HloComputation* parent = fusion.parent();
  InstructionMap mapped;
  for (const HloInstruction* hlo : fused->MakeInstructionPostOrder()) {
    mapped[hlo] = hlo->opcode() == HloOpcode::kParameter
                      ? fusion.mutable_operand(hlo->parameter_number())
                      : parent->AddInstruction(hlo->CloneWithNewOperands(
                            hlo->shape(), MappedOperands(*hlo, mapped)));
  }
  HloModule* module = fusion.GetModule();
  TF_RETURN_IF_ERROR(
      fusion.ReplaceAllUsesWith(mapped[fused->root_instruction()]));
  TF_RETURN_IF_ERROR(parent->RemoveInstruction(&fusion));
  return module->RemoveEmbeddedComputation(fused);
}

absl::StatusOr<HloInstruction*> InstructionFusing::UnfuseInstruction(
    HloInstruction* instruction) {
  HloInstruction& fusion = self();
  CHECK(fusion.opcode() == HloOpcode::kFusion) << fusion.name();
  const auto is_constant_broadcast = [](const HloInstruction& hlo) {
    return hlo.opcode() == HloOpcode::kBroadcast &&
           hlo.operand(0)->opcode() == HloOpcode::kConstant;
  };
  for (const HloInstruction* operand : instruction->operands()) {
    if (operand->opcode() != HloOpcode::kParameter &&
        operand->opcode() != HloOpcode::kConstant &&
        !is_constant_broadcast(*operand)) {
      return InvalidArgument(
          "%s cannot leave the fusion: its operand %s is no parameter and no "
          "constant",
          instruction->name(), operand->ToString());
    }
  }
  std::vector<HloInstruction*> operands;
  for (const HloInstruction* operand : instruction->operands()) {
    if (operand->opcode() == HloOpcode::kParameter) {
      operands.push_back(fusion.mutable_operand(operand->parameter_number()));
    } else if (operand->opcode() == HloOpcode::kConstant) {
      operands.push_back(fusion.AddInstruction(operand->Clone()));
    } else {
      HloInstruction* constant =
          fusion.AddInstruction(operand->operand(0)->Clone());
      operands.push_back(fusion.AddInstruction(
          operand->CloneWithNewOperands(operand->shape(), {constant})));
    }
  }
  HloInstruction* unfused = fusion.AddInstruction(
      instruction->CloneWithNewOperands(instruction->shape(), operands));
  TF_RETURN_IF_ERROR(instruction->ReplaceAllUsesWith(AddCallOperand(unfused)));
  TF_RETURN_IF_ERROR(
      CalledBy(fusion)->RemoveInstructionAndUnusedOperands(instruction));
  return unfused;
}

}  // namespace xla
