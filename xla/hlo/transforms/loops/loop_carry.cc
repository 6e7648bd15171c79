// Handles callers, readers and copies of bodies.
#include "xla/hlo/transforms/loops/loop_carry.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/transforms/loops/trip_count.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// Returns the value of an invariant before the loop; `outside` caches those
// found so far.
Hlo Outside(Hlo loop, Hlo start,
            absl::flat_hash_map<const HloInstruction*, Hlo>& outside) {
  std::vector<Hlo> pending = {start};
  HloComputation* computation = loop->parent();
  while (!pending.empty()) {
    Hlo hlo = pending.back();
    Hlo& copy = outside[hlo];
    if (copy != nullptr) {
      pending.pop_back();
      continue;
    }
    if (hlo->opcode() == HloOpcode::kGetTupleElement) {
      Hlo init = loop->mutable_operand(0);
      const int64_t i = hlo->tuple_index();
      copy = init->opcode() == HloOpcode::kTuple
                 ? init->mutable_operand(i)
                 : computation->AddInstruction(
                       HloInstruction::CreateGetTupleElement(init, i));
      continue;
    }
    HloInstruction::InstructionVector operands;
    for (Hlo operand : hlo->operands()) {
      auto it = outside.find(operand);
      if (it == outside.end() || it->second == nullptr) {
        pending.push_back(operand);
        continue;
      }
      operands.push_back(it->second);
    }
    if (operands.size() < hlo->operands().size()) continue;
    outside[hlo] = computation->AddInstruction(
        hlo->CloneWithNewOperands(hlo->shape(), operands));
  }
  return outside.at(start);
}

}  // namespace

CallerCounts::CallerCounts(const HloModule& module) {
  for (const auto& computation : module.computations()) {
    AddCallersIn(*computation);
  }
}

void CallerCounts::AddCallersIn(const HloComputation& computation) {
  for (const auto& hlo : computation.instructions()) {
    for (const HloComputation* called : hlo->called_computations()) {
      ++counts_[called];
    }
  }
}

void CallerCounts::MakeOwnComputations(HloInstruction* loop) {
  for (int i = 0; i < 2; ++i) {
    HloComputation* callee = loop->called_computations()[i];
    if (counts_[callee] <= 1) continue;
    HloComputation* own = callee->CloneInto(loop->GetModule(), callee->name());
    loop->set_called_computation(i, own);
    --counts_[callee];
    counts_[own] = 1;
    AddCallersIn(*own);
  }
}

absl::Status RemoveIfUnused(HloInstruction* hlo) {
  if (hlo->user_count() > 0 || hlo->IsRoot() || hlo->HasControlDependencies()) {
    return absl::OkStatus();
  }
  return hlo->parent()->RemoveInstructionAndUnusedOperands(hlo);
}

bool IsReadByElement(const HloInstruction& value) {
  return std::all_of(value.users().begin(), value.users().end(),
                     [](const HloInstruction* user) {
                       return user->opcode() == HloOpcode::kGetTupleElement;
                     });
}

bool IsRepeatable(const HloInstruction& loop) {
  if (loop.opcode() != HloOpcode::kWhile || !loop.shape().IsTuple() ||
      loop.HasControlDependencies() || !loop.shape().is_static()) {
    return false;
  }
  const HloComputation& body = *loop.while_body();
  const HloInstruction* parameter = body.parameter_instruction(0);
  if (body.root_instruction()->opcode() != HloOpcode::kTuple ||
      body.root_instruction()->HasControlDependencies() ||
      !IsReadByElement(*parameter)) {
    return false;
  }
  return std::none_of(body.instructions().begin(), body.instructions().end(),
                      [](const auto& hlo) { return hlo->HasSideEffect(); });
}

bool IsPrivateToUpdate(const HloInstruction& loop, int64_t i,
                       const HloInstruction& element,
                       const HloInstruction& update) {
  const HloInstruction* root = loop.while_body()->root_instruction();
  const HloInstruction* carry = loop.while_body()->parameter_instruction(0);
  if (element.opcode() != HloOpcode::kGetTupleElement ||
      element.operand(0) != carry || element.tuple_index() != i) {
    return false;
  }
  if (update.user_count() != 1 || update.users()[0] != root ||
      absl::c_count(root->operands(), &update) != 1) {
    return false;
  }
  for (const HloComputation* callee :
       {loop.while_condition(), loop.while_body()}) {
    for (const HloInstruction* reader :
         callee->parameter_instruction(0)->users()) {
      if (reader->tuple_index() != i || reader->user_count() == 0) continue;
      if (reader != &element || reader->user_count() != 1) return false;
    }
  }
  return true;
}

std::vector<HloInstruction*> InitialElements(HloInstruction* loop) {
  HloInstruction* init = loop->mutable_operand(0);
  std::vector<HloInstruction*> elements;
  for (int64_t i = 0; i < loop->shape().tuple_shapes_size(); ++i) {
    elements.push_back(
        init->opcode() == HloOpcode::kTuple
            ? init->mutable_operand(i)
            : loop->parent()->AddInstruction(
                  HloInstruction::CreateGetTupleElement(init, i)));
  }
  return elements;
}

bool HasExtensibleCarry(const HloInstruction& loop) {
  if (loop.opcode() != HloOpcode::kWhile || !loop.shape().IsTuple() ||
      loop.HasControlDependencies() || loop.shape().is_dynamic() ||
      loop.while_body()->root_instruction()->opcode() != HloOpcode::kTuple) {
    return false;
  }
  for (const HloComputation* callee : loop.called_computations()) {
    const HloInstruction* parameter = callee->parameter_instruction(0);
    if (parameter->IsRoot() || !IsReadByElement(*parameter)) return false;
  }
  return true;
}

absl::StatusOr<bool> ChangeExtensibleLoops(
    HloModule* module,
    absl::FunctionRef<absl::StatusOr<bool>(HloInstruction*, CallerCounts&)>
        change) {
  CallerCounts callers(*module);
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    std::vector<HloInstruction*> loops;
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      if (HasExtensibleCarry(*hlo)) loops.push_back(hlo);
    }
    for (HloInstruction* loop : loops) {
      TF_ASSIGN_OR_RETURN(const bool once, change(loop, callers));
      changed |= once;
    }
  }
  if (changed) module->set_is_scheduled(false);
  return changed;
}

absl::StatusOr<ExtendedLoop> ExtendCarry(Hlo loop,
                                         absl::Span<Hlo const> elements) {
  HloComputation* computation = loop->parent();
  HloComputation* body = loop->while_body();
  const int64_t n = loop->shape().tuple_shapes_size();
  std::vector<Hlo> init = InitialElements(loop);
  init.insert(init.end(), elements.begin(), elements.end());
  Hlo start = computation->AddInstruction(HloInstruction::CreateTuple(init));
  for (int c = 0; c < 2; ++c) {
    *loop->called_computations()[c]->parameter_instruction(0)->mutable_shape() =
        start->shape();
  }
  ExtendedLoop extended;
  HloInstruction::InstructionVector returned =
      body->root_instruction()->operands();
  for (size_t i = 0; i < elements.size(); ++i) {
    extended.added.push_back(
        body->AddInstruction(HloInstruction::CreateGetTupleElement(
            body->parameter_instruction(0), n + i)));
    returned.push_back(extended.added.back());
  }
  body->set_root_instruction(
      body->AddInstruction(HloInstruction::CreateTuple(returned)));
  extended.loop = computation->AddInstruction(
      loop->CloneWithNewOperands(start->shape(), {start}));
  extended.loop->clear_sharding();
  std::vector<Hlo> results;
  for (int64_t i = 0; i < n; ++i) {
    results.push_back(computation->AddInstruction(
        HloInstruction::CreateGetTupleElement(extended.loop, i)));
  }
  extended.result =
      computation->AddInstruction(HloInstruction::CreateTuple(results));
  TF_RETURN_IF_ERROR(loop->ReplaceAllUsesWith(extended.result));
  TF_RETURN_IF_ERROR(computation->RemoveInstruction(loop));
  return extended;
}

absl::Status MoveBeforeLoop(Hlo loop, absl::Span<Hlo const> moved) {
  absl::flat_hash_map<const HloInstruction*, Hlo> outside;
  std::vector<Hlo> values;
  for (Hlo hlo : moved) values.push_back(Outside(loop, hlo, outside));
  TF_ASSIGN_OR_RETURN(const ExtendedLoop extended, ExtendCarry(loop, values));
  for (size_t i = 0; i < moved.size(); ++i) {
    TF_RETURN_IF_ERROR(moved[i]->ReplaceAllUsesWith(extended.added[i]));
  }
  return absl::OkStatus();
}

bool IsFixedElement(const HloInstruction& loop, const HloInstruction* hlo) {
  return hlo->opcode() == HloOpcode::kGetTupleElement &&
         hlo->operand(0)->opcode() == HloOpcode::kParameter &&
         IsInvariant(loop, hlo->tuple_index());
}

bool IsOneOfAll(const HloInstruction& slice) {
  if (slice.opcode() != HloOpcode::kDynamicSlice ||
      slice.operand_count() != 1 + slice.shape().rank() ||
      slice.shape().rank() == 0 || slice.shape().dimensions(0) != 1) {
    return false;
  }
  const auto all = slice.operand(0)->shape().dimensions();
  return std::equal(all.begin() + 1, all.end(),
                    slice.shape().dimensions().begin() + 1);
}

absl::StatusOr<std::vector<HloInstruction*>> AppendIteration(
    const HloComputation& body, absl::Span<HloInstruction* const> carry,
    HloComputation* computation) {
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> mapped;
  const HloInstruction* parameter = body.parameter_instruction(0);
  const HloInstruction* root = body.root_instruction();
  for (const HloInstruction* hlo : body.MakeInstructionPostOrder()) {
    if (hlo == parameter || hlo == root) continue;
    if (hlo->opcode() == HloOpcode::kGetTupleElement &&
        hlo->operand(0) == parameter) {
      mapped[hlo] = carry[hlo->tuple_index()];
      continue;
    }
    HloInstruction::InstructionVector operands;
    for (const HloInstruction* operand : hlo->operands()) {
      operands.push_back(mapped.at(operand));
    }
    HloInstruction* copy = computation->AddInstruction(
        hlo->CloneWithNewOperands(hlo->shape(), operands));
    for (const HloInstruction* before : hlo->control_predecessors()) {
      if (before == parameter || before->operand_count() == 0 ||
          before->operand(0) == parameter) {
        continue;
      }
      TF_RETURN_IF_ERROR(mapped.at(before)->AddControlDependencyTo(copy));
    }
    mapped[hlo] = copy;
  }
  std::vector<HloInstruction*> next;
  for (const HloInstruction* element : root->operands()) {
    next.push_back(mapped.at(element));
  }
  computation->parent()->set_is_scheduled(false);
  return next;
}

int64_t BytesHandedOn(const HloInstruction& loop) {
  int64_t bytes = 0;
  for (int64_t i = 0; i < loop.shape().tuple_shapes_size(); ++i) {
    if (IsInvariant(loop, i)) continue;
    bytes +=
        ShapeUtil::ByteSizeOfElementsRecursive(loop.shape().tuple_shapes(i));
  }
  return bytes;
}

int64_t Bytes(const HloInstruction& hlo) {
  return ShapeUtil::ByteSizeOfElementsRecursive(hlo.shape());
}

bool HasSideEffect(const HloComputation& computation) {
  return std::any_of(computation.instructions().begin(),
                     computation.instructions().end(),
                     [](const auto& hlo) { return hlo->HasSideEffect(); });
}

int64_t CountInstructions(const HloComputation& computation, int64_t limit) {
  int64_t count = 0;
  std::vector<const HloComputation*> pending = {&computation};
  while (!pending.empty() && count < limit) {
    const HloComputation* next = pending.back();
    pending.pop_back();
    count += next->instruction_count();
    for (const auto& hlo : next->instructions()) {
      const auto& callees = hlo->called_computations();
      pending.insert(pending.end(), callees.begin(), callees.end());
    }
  }
  return count;
}

}  // namespace xla
