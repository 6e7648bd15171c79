// Instructions, callers and callees of a computation.
#include "xla/hlo/ir/computation/computation_properties.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/name_uniquer.h"

namespace xla {

bool ComputationOrder::operator()(const HloComputation* a,
                                  const HloComputation* b) const {
  return a->unique_id() < b->unique_id();
}

const HloComputation& ComputationProperties::self() const {
  return static_cast<const HloComputation&>(*this);
}
HloComputation& ComputationProperties::self() {
  return static_cast<HloComputation&>(*this);
}

// Instructions ---------------------------------------------------------------

HloInstruction* ComputationProperties::GetInstructionWithName(
    absl::string_view name) const {
  for (HloInstruction* hlo : self().instructions()) {
    if (hlo->name() == name) return hlo;
  }
  return nullptr;
}
HloInstruction* ComputationProperties::GetInstructionWithLocalId(
    int32_t local_id) const {
  for (HloInstruction* hlo : self().instructions()) {
    if (hlo->local_id() == local_id) return hlo;
  }
  return nullptr;
}

std::vector<HloInstruction*>
ComputationProperties::MakeInstructionPostOrderFrom(
    HloInstruction& start) const {
  std::vector<HloInstruction*> order;
  absl::flat_hash_map<const HloInstruction*, bool> done;
  std::vector<HloInstruction*> stack = {&start};
  while (!stack.empty()) {
    HloInstruction* next = stack.back();
    const auto [state, is_new] = done.emplace(next, false);
    if (!is_new) {
      stack.pop_back();
      if (!std::exchange(state->second, true)) order.push_back(next);
      continue;
    }
    // The top is visited first: control predecessors, then operand 0.
    const auto& operands = next->operands();
    const auto& before = next->control_predecessors();
    stack.insert(stack.end(), operands.rbegin(), operands.rend());
    stack.insert(stack.end(), before.begin(), before.end());
  }
  return order;
}
void ComputationProperties::ForEachInstructionPostOrder(
    absl::FunctionRef<void(HloInstruction*)> visit) const {
  for (HloInstruction* hlo : self().MakeInstructionPostOrder()) visit(hlo);
}

bool ComputationProperties::HasSideEffect() const {
  return absl::c_any_of(self().instructions(), [](const HloInstruction* hlo) {
    return hlo->HasSideEffect();
  });
}
bool ComputationProperties::OnlyContainsSendRecv() const {
  return absl::c_all_of(
      self().instructions(),
      HloPredicateIsOp<HloOpcode::kSend, HloOpcode::kRecv, HloOpcode::kBitcast,
                       HloOpcode::kParameter, HloOpcode::kTuple>);
}
bool ComputationProperties::CanExpandIntoSingleInstruction() const {
  return absl::c_all_of(self().instructions(), [](const HloInstruction* hlo) {
    return hlo->IsRoot() || hlo->opcode() == HloOpcode::kParameter;
  });
}
bool ComputationProperties::IsMainThread() const {
  return self().execution_thread() == HloComputation::kMainExecutionThread;
}

// Callers and callees --------------------------------------------------------

std::vector<HloComputation*>
ComputationProperties::MakeEmbeddedComputationsList() const {
  std::vector<HloComputation*> order;
  absl::flat_hash_set<const HloComputation*> seen = {&self()};
  // A computation, and whether its callees are in the list.
  std::vector<std::pair<HloComputation*, bool>> pending;
  const auto push_callees = [&](const HloComputation& caller) {
    for (const HloInstruction* instruction : caller.instructions()) {
      for (HloComputation* called : instruction->called_computations()) {
        if (!seen.contains(called)) pending.push_back({called, false});
      }
    }
  };
  push_callees(self());
  while (!pending.empty()) {
    auto [next, done] = pending.back();
    if (done) {
      order.push_back(next);
      pending.pop_back();
    } else if (!seen.insert(next).second) {
      pending.pop_back();
    } else {
      pending.back().second = true;
      push_callees(*next);
    }
  }
  return order;
}

absl::btree_map<HloComputation*, int, ComputationOrder>
ComputationProperties::callee_computations() const {
  absl::btree_map<HloComputation*, int, ComputationOrder> callees;
  for (const HloInstruction* instruction : self().instructions()) {
    for (HloComputation* called : instruction->called_computations()) {
      ++callees[called];
    }
  }
  return callees;
}

absl::btree_map<HloComputation*, int, ComputationOrder>
ComputationProperties::caller_computations() const {
  absl::btree_map<HloComputation*, int, ComputationOrder> callers;
  for (HloInstruction* caller : caller_instructions()) {
    callers[caller->parent()] +=
        absl::c_count(caller->called_computations(), &self());
  }
  return callers;
}

std::vector<HloInstruction*> ComputationProperties::caller_instructions(
    std::optional<HloOpcode> caller_opcode) const {
  std::vector<HloInstruction*> callers;
  const HloModule* module = self().parent();
  if (module == nullptr) return callers;
  for (const HloComputation* computation : module->computations()) {
    for (HloInstruction* hlo : computation->instructions()) {
      if (caller_opcode.value_or(hlo->opcode()) == hlo->opcode() &&
          absl::c_linear_search(hlo->called_computations(), &self())) {
        callers.push_back(hlo);
      }
    }
  }
  return callers;
}

std::optional<HloInstruction*> ComputationProperties::GetUniqueCaller(
    HloOpcode opcode) const {
  const std::vector<HloInstruction*> callers = caller_instructions(opcode);
  if (callers.size() != 1) return std::nullopt;
  return callers[0];
}
HloInstruction* ComputationProperties::FirstCaller(
    absl::FunctionRef<bool(const HloInstruction&)> accepts) const {
  for (HloInstruction* caller : caller_instructions()) {
    if (accepts(*caller)) return caller;
  }
  return nullptr;
}
HloInstruction* ComputationProperties::FusionInstruction() const {
  return FirstCaller([](const HloInstruction& caller) {
    return caller.opcode() == HloOpcode::kFusion;
  });
}
HloInstruction* ComputationProperties::CustomCallInstruction() const {
  return FirstCaller([](const HloInstruction& caller) {
    return caller.opcode() == HloOpcode::kCustomCall;
  });
}
HloInstruction* ComputationProperties::CollectiveCallInstruction() const {
  return FirstCaller([](const HloInstruction& caller) {
    return caller.opcode() == HloOpcode::kAllReduce ||
           caller.opcode() == HloOpcode::kAllReduceStart ||
           caller.opcode() == HloOpcode::kReduceScatter;
  });
}
HloInstruction* ComputationProperties::ConditionalCallInstruction() const {
  return FirstCaller([](const HloInstruction& caller) {
    return caller.opcode() == HloOpcode::kConditional;
  });
}
HloInstruction* ComputationProperties::WhileCallInstruction() const {
  return FirstCaller([&](const HloInstruction& caller) {
    return caller.opcode() == HloOpcode::kWhile &&
           caller.while_body() == &self();
  });
}
bool ComputationProperties::IsAsyncComputation() const {
  return !caller_instructions(HloOpcode::kAsyncStart).empty();
}
bool ComputationProperties::IsDeadComputation() const {
  return !self().IsEntryComputation() && caller_instructions().empty();
}

// Names ----------------------------------------------------------------------

void ComputationProperties::SetAndSanitizeName(absl::string_view name) {
  self().SetName(NameUniquer::GetSanitizedName(name));
}
void ComputationProperties::UniquifyName(NameUniquer* name_uniquer) {
  self().SetName(name_uniquer->GetUniqueName(self().name()));
}
void ComputationProperties::UniquifyName(HloModule* module) {
  UniquifyName(&module->computation_name_uniquer());
}

}  // namespace xla
