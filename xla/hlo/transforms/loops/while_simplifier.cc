// One function per rule. Rules that change the computations of a loop work on
// copies if other instructions call them.
#include "xla/hlo/transforms/loops/while_simplifier.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/values.h"
#include "xla/hlo/transforms/loops/loop_carry.h"
#include "xla/hlo/transforms/loops/trip_count.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// Removes loops that run never or once.
absl::StatusOr<bool> TryRemove(Hlo loop) {
  if (HasSideEffect(*loop->while_condition())) return false;
  const auto counted = FindCountedLoop(*loop);
  const HloInstruction* test = loop->while_condition()->root_instruction();
  const bool never =
      test->IsConstant() && !test->literal().GetFirstElement<bool>();
  Hlo init = loop->mutable_operand(0);
  if (never || (counted.has_value() && counted->trip_count == 0)) {
    if (loop->HasControlDependencies() || init->shape() != loop->shape()) {
      return false;
    }
    TF_RETURN_IF_ERROR(loop->ReplaceAllUsesWith(init));
    TF_RETURN_IF_ERROR(loop->parent()->RemoveInstruction(loop));
    return true;
  }
  if (!counted.has_value() || counted->trip_count != 1) return false;
  TF_RETURN_IF_ERROR(InlineCall(loop, *loop->while_body(), {init}));
  return true;
}

// Returns whether the carry is a tuple whose elements are made and read
// separately.
bool IsByElement(const HloInstruction& loop) {
  if (!loop.shape().IsTuple() || loop.IsRoot() ||
      loop.HasControlDependencies() ||
      loop.operand(0)->opcode() != HloOpcode::kTuple ||
      loop.while_body()->root_instruction()->opcode() != HloOpcode::kTuple ||
      !IsReadByElement(loop)) {
    return false;
  }
  for (int i = 0; i < 2; ++i) {
    const HloInstruction* parameter =
        loop.called_computations()[i]->parameter_instruction(0);
    if (parameter->IsRoot() || !IsReadByElement(*parameter)) return false;
  }
  return true;
}

// Makes readers of elements that never change read their source.
absl::StatusOr<bool> ForwardInvariants(Hlo loop) {
  bool changed = false;
  for (int i = 0; i < loop->shape().tuple_shapes_size(); ++i) {
    if (!IsInvariant(*loop, i)) continue;
    Hlo init = loop->mutable_operand(0)->mutable_operand(i);
    const std::vector<Hlo> users = loop->users();
    for (Hlo user : users) {
      if (user->tuple_index() != i || user->shape() != init->shape()) continue;
      if (user->user_count() == 0 && !user->IsRoot()) continue;
      TF_RETURN_IF_ERROR(user->ReplaceAllUsesWith(init));
      changed = true;
    }
    if (!init->IsConstant() || !ShapeUtil::IsScalar(init->shape())) continue;
    for (int c = 0; c < 2; ++c) {
      HloComputation* callee = loop->called_computations()[c];
      const std::vector<Hlo> readers =
          callee->parameter_instruction(0)->users();
      for (Hlo reader : readers) {
        if (reader->tuple_index() != i) continue;
        // The body still returns the element itself.
        std::vector<Hlo> uses = reader->users();
        std::erase(uses, c == 1 ? callee->root_instruction() : nullptr);
        if (uses.empty() && !(c == 0 && reader->IsRoot())) continue;
        Hlo constant = callee->AddInstruction(
            init->CloneWithNewOperands(init->shape(), {}));
        for (Hlo use : uses) {
          TF_RETURN_IF_ERROR(reader->ReplaceUseWith(use, constant));
        }
        if (c == 0 && reader->IsRoot()) callee->set_root_instruction(constant);
        changed = true;
      }
    }
  }
  return changed;
}

// Returns which elements are needed: by the condition, users, side effects of
// the body, or elements that are needed.
std::vector<bool> LiveElements(const HloInstruction& loop) {
  std::vector<bool> live(loop.shape().tuple_shapes_size(), false);
  for (const HloInstruction* user : loop.users()) {
    live[user->tuple_index()] = true;
  }
  for (const HloInstruction* reader :
       loop.while_condition()->parameter_instruction(0)->users()) {
    live[reader->tuple_index()] = true;
  }
  const HloComputation& body = *loop.while_body();
  absl::flat_hash_set<const HloInstruction*> seen;
  std::vector<const HloInstruction*> pending;
  auto need = [&](const HloInstruction* hlo) {
    if (seen.insert(hlo).second) pending.push_back(hlo);
  };
  for (const auto& hlo : body.instructions()) {
    if (hlo->HasSideEffect() || hlo->HasControlDependencies()) need(hlo);
  }
  std::vector<bool> added(live.size(), false);
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < live.size(); ++i) {
      if (!live[i] || added[i]) continue;
      added[i] = true;
      again = true;
      need(body.root_instruction()->operand(i));
    }
    while (!pending.empty()) {
      const HloInstruction* hlo = pending.back();
      pending.pop_back();
      if (hlo->opcode() == HloOpcode::kGetTupleElement &&
          hlo->operand(0)->opcode() == HloOpcode::kParameter) {
        again = again || !live[hlo->tuple_index()];
        live[hlo->tuple_index()] = true;
        continue;
      }
      for (const HloInstruction* operand : hlo->operands()) need(operand);
    }
  }
  return live;
}

// Renumbers the readers of elements of `tuple`, or removes them and their
// users.
void Renumber(const HloInstruction& tuple, const std::vector<int64_t>& index) {
  for (Hlo reader : tuple.users()) {
    auto& attrs = reader->mutable_attrs<GetTupleElementAttrs>();
    attrs.index = index[attrs.index];
  }
}

// Removes what nothing in the computation needs.
absl::Status RemoveDead(HloComputation* computation) {
  std::vector<Hlo> order = computation->MakeInstructionPostOrder();
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    if ((*it)->user_count() > 0 || (*it)->IsRoot() ||
        (*it)->opcode() == HloOpcode::kParameter ||
        (*it)->HasControlDependencies() || (*it)->HasSideEffect()) {
      continue;
    }
    TF_RETURN_IF_ERROR(computation->RemoveInstruction(*it));
  }
  return absl::OkStatus();
}

Hlo TupleOf(HloComputation* computation, const HloInstruction& tuple,
            const std::vector<int64_t>& kept) {
  std::vector<Hlo> elements;
  for (int64_t i : kept) elements.push_back(tuple.operands()[i]);
  return computation->AddInstruction(HloInstruction::CreateTuple(elements));
}

absl::StatusOr<bool> DropDeadElements(Hlo loop) {
  const std::vector<bool> live = LiveElements(*loop);
  std::vector<int64_t> kept, index(live.size(), 0);
  for (size_t i = 0; i < live.size(); ++i) {
    index[i] = kept.size();
    if (live[i]) kept.push_back(i);
  }
  if (kept.size() == live.size()) return false;
  HloComputation* computation = loop->parent();
  HloComputation* body = loop->while_body();
  body->set_root_instruction(TupleOf(body, *body->root_instruction(), kept));
  Hlo init = TupleOf(computation, *loop->operand(0), kept);
  TF_RETURN_IF_ERROR(RemoveDead(body));
  TF_RETURN_IF_ERROR(RemoveDead(loop->while_condition()));
  for (int c = 0; c < 2; ++c) {
    Hlo parameter = loop->called_computations()[c]->parameter_instruction(0);
    Renumber(*parameter, index);
    *parameter->mutable_shape() = init->shape();
  }
  Renumber(*loop, index);
  Hlo smaller = computation->AddInstruction(
      loop->CloneWithNewOperands(init->shape(), {init}));
  smaller->set_raw_backend_config_string("");
  smaller->clear_sharding();
  *loop->mutable_shape() = init->shape();
  TF_RETURN_IF_ERROR(loop->ReplaceAllUsesWith(smaller));
  TF_RETURN_IF_ERROR(computation->RemoveInstruction(loop));
  return true;
}

absl::StatusOr<bool> Simplify(Hlo loop, CallerCounts& callers) {
  TF_ASSIGN_OR_RETURN(bool removed, TryRemove(loop));
  if (removed || !IsByElement(*loop)) return removed;
  callers.MakeOwnComputations(loop);
  TF_ASSIGN_OR_RETURN(bool forwarded, ForwardInvariants(loop));
  const std::vector<Hlo> users = loop->users();
  for (Hlo user : users) {
    if (user->user_count() > 0 || user->IsRoot() ||
        user->HasControlDependencies()) {
      continue;
    }
    TF_RETURN_IF_ERROR(loop->parent()->RemoveInstruction(user));
  }
  TF_RETURN_IF_ERROR(RemoveDead(loop->while_condition()));
  TF_ASSIGN_OR_RETURN(bool dropped, DropDeadElements(loop));
  return forwarded || dropped;
}

}  // namespace

absl::StatusOr<bool> WhileSimplifier::RunImpl(HloModule* module) {
  const int64_t computations = module->computation_count();
  const int64_t instructions = module->instruction_count();
  CallerCounts callers(*module);
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    // This may remove other instructions, but loops only in their own turn.
    std::vector<Hlo> loops;
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() == HloOpcode::kWhile) loops.push_back(hlo);
    }
    for (Hlo loop : loops) {
      if (module->instruction_count() > kMaxInstructionsAfterCopies) break;
      TF_ASSIGN_OR_RETURN(bool once, Simplify(loop, callers));
      changed |= once;
    }
  }
  changed |= module->computation_count() != computations ||
             module->instruction_count() != instructions;
  if (changed) module->set_is_scheduled(false);
  return changed;
}

}  // namespace xla
