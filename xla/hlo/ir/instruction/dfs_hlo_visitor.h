// DfsHloVisitor: a function for each op, called for the instructions of a
// computation, operands first.
#ifndef XLA_HLO_IR_INSTRUCTION_DFS_HLO_VISITOR_H_
#define XLA_HLO_IR_INSTRUCTION_DFS_HLO_VISITOR_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/instruction/visited_ops.h"
#include "xla/hlo/ops/hlo_opcode.h"

namespace xla {

// Handlers of element-wise ops call HandleElementwiseUnary or -Binary, all
// others return Unimplemented, unless a visitor overrides them. Not thread
// safe.
template <typename HloInstructionPtr>
class DfsHloVisitorBase {
 public:
  static_assert(std::is_same_v<HloInstructionPtr, HloInstruction*> ||
                std::is_same_v<HloInstructionPtr, const HloInstruction*>);

  enum VisitState { kNotVisited = 0, kVisiting = 1, kVisited = 2 };

  DfsHloVisitorBase() = default;
  virtual ~DfsHloVisitorBase() = default;
  DfsHloVisitorBase(const DfsHloVisitorBase&) = delete;
  DfsHloVisitorBase& operator=(const DfsHloVisitorBase&) = delete;

  virtual absl::Status HandleElementwiseUnary(HloInstructionPtr hlo) {
    return Unhandled(hlo);
  }
  virtual absl::Status HandleElementwiseBinary(HloInstructionPtr hlo) {
    return Unhandled(hlo);
  }

#define XLA_HANDLER_(op, name)                               \
  virtual absl::Status Handle##name(HloInstructionPtr hlo) { \
    return HandleElementwiseUnary(hlo);                      \
  }
  XLA_FOR_EACH_UNARY_OP(XLA_HANDLER_)
#undef XLA_HANDLER_
#define XLA_HANDLER_(op, name)                               \
  virtual absl::Status Handle##name(HloInstructionPtr hlo) { \
    return HandleElementwiseBinary(hlo);                     \
  }
  XLA_FOR_EACH_BINARY_OP(XLA_HANDLER_)
#undef XLA_HANDLER_
#define XLA_HANDLER_(op, name)                               \
  virtual absl::Status Handle##name(HloInstructionPtr hlo) { \
    return Unhandled(hlo);                                   \
  }
  XLA_FOR_EACH_OTHER_OP(XLA_HANDLER_)
#undef XLA_HANDLER_

  // Called once after the last instruction, with the root of the walk.
  virtual absl::Status FinishVisit(HloInstructionPtr root) {
    return absl::OkStatus();
  }
  // Called before and after the handler of each instruction.
  virtual absl::Status Preprocess(HloInstructionPtr hlo) {
    return absl::OkStatus();
  }
  virtual absl::Status Postprocess(HloInstructionPtr hlo) {
    return absl::OkStatus();
  }

  // Whether the handler of an instruction was called already.
  VisitState GetVisitState(const HloInstruction& hlo) const {
    const auto it = states_.find(&hlo);
    return it == states_.end() ? kNotVisited : it->second;
  }
  bool DidVisit(const HloInstruction& hlo) const {
    return GetVisitState(hlo) == kVisited;
  }
  bool IsVisiting(const HloInstruction& hlo) const {
    return GetVisitState(hlo) == kVisiting;
  }
  bool NotVisited(const HloInstruction& hlo) const {
    return GetVisitState(hlo) == kNotVisited;
  }
  void SetVisiting(const HloInstruction& hlo) { states_[&hlo] = kVisiting; }
  void SetVisited(const HloInstruction& hlo) { states_[&hlo] = kVisited; }
  void ResetVisitStates() { states_.clear(); }
  virtual bool ShouldProcessNode(HloInstructionPtr hlo) { return true; }

  // Calls the handler of the opcode.
  absl::Status Dispatch(HloInstructionPtr hlo) {
    switch (hlo->opcode()) {
#define XLA_CASE_(op, name) \
  case HloOpcode::k##op:    \
    return Handle##name(hlo);
      XLA_FOR_EACH_UNARY_OP(XLA_CASE_)
      XLA_FOR_EACH_BINARY_OP(XLA_CASE_)
      XLA_FOR_EACH_OTHER_OP(XLA_CASE_)
#undef XLA_CASE_
    }
    return Internal("%s has an unknown opcode", hlo->name());
  }

 private:
  static absl::Status Unhandled(HloInstructionPtr hlo) {
    return Unimplemented("the visitor does not handle %s (%s)",
                         HloOpcodeString(hlo->opcode()), hlo->name());
  }

  absl::flat_hash_map<const HloInstruction*, VisitState> states_;
};
using DfsHloVisitor = DfsHloVisitorBase<HloInstruction*>;
using ConstDfsHloVisitor = DfsHloVisitorBase<const HloInstruction*>;

namespace internal {

using OperandOrder =
    absl::FunctionRef<bool(const HloInstruction*, const HloInstruction*)>;

// Returns what `hlo` depends on, in the order of the operands and, after them,
// the control predecessors, or in another order.
inline std::vector<HloInstruction*> Dependencies(
    const HloInstruction& hlo, bool ignore_control_predecessors,
    const std::optional<OperandOrder>& order) {
  std::vector<HloInstruction*> before(hlo.operands().begin(),
                                      hlo.operands().end());
  if (!ignore_control_predecessors) {
    const auto& control = hlo.control_predecessors();
    before.insert(before.end(), control.begin(), control.end());
  }
  if (order.has_value()) {
    std::stable_sort(before.begin(), before.end(), *order);
  }
  return before;
}

// Returns the error for `last`, which depends on `again`. Both are being
// visited, and what `last` was reached by is in `stack`. Names the whole cycle,
// each before what depends on it.
template <typename HloInstructionPtr>
absl::Status CycleError(const DfsHloVisitorBase<HloInstructionPtr>& visitor,
                        const std::vector<HloInstruction*>& stack,
                        const HloInstruction& last,
                        const HloInstruction& again) {
  std::string cycle;
  // Others that need one have put it further down as well.
  absl::flat_hash_set<const HloInstruction*> named;
  for (auto it = stack.rbegin(); it != stack.rend() && *it != &again; ++it) {
    if (visitor.IsVisiting(**it) && named.insert(*it).second) {
      absl::StrAppend(&cycle, "\n ", (*it)->name());
    }
  }
  return FailedPrecondition("a cycle is detected at %s:\n %s%s\n %s",
                            last.name(), again.name(), cycle, again.name());
}

// Visits what `root` depends on, and then `root`. A cycle is an error.
template <typename HloInstructionPtr>
absl::Status VisitBelow(HloInstruction* root,
                        DfsHloVisitorBase<HloInstructionPtr>* visitor,
                        bool ignore_control_predecessors,
                        std::optional<OperandOrder> order = std::nullopt) {
  std::vector<HloInstruction*> stack = {root};
  while (!stack.empty()) {
    HloInstruction* next = stack.back();
    if (visitor->DidVisit(*next) || !visitor->ShouldProcessNode(next)) {
      stack.pop_back();
      continue;
    }
    if (visitor->IsVisiting(*next)) {
      stack.pop_back();
      TF_RETURN_IF_ERROR(visitor->Preprocess(next));
      TF_RETURN_IF_ERROR(visitor->Dispatch(next));
      visitor->SetVisited(*next);
      TF_RETURN_IF_ERROR(visitor->Postprocess(next));
      continue;
    }
    visitor->SetVisiting(*next);
    const std::vector<HloInstruction*> before =
        Dependencies(*next, ignore_control_predecessors, order);
    for (auto it = before.rbegin(); it != before.rend(); ++it) {
      if (visitor->IsVisiting(**it)) {
        return CycleError(*visitor, stack, *next, **it);
      }
      if (!visitor->DidVisit(**it)) stack.push_back(*it);
    }
  }
  return absl::OkStatus();
}

}  // namespace internal

template <typename HloInstructionPtr>
absl::Status HloInstruction::Visit(
    DfsHloVisitorBase<HloInstructionPtr>* visitor) {
  return visitor->Dispatch(this);
}

template <typename HloInstructionPtr>
absl::Status HloInstruction::Accept(
    DfsHloVisitorBase<HloInstructionPtr>* visitor, bool call_finish_visit,
    bool ignore_control_predecessors, bool cross_computation) {
  if (cross_computation) {
    for (HloComputation* callee : parent()->MakeEmbeddedComputationsList()) {
      TF_RETURN_IF_ERROR(internal::VisitBelow(
          callee->root_instruction(), visitor, ignore_control_predecessors));
    }
  }
  TF_RETURN_IF_ERROR(
      internal::VisitBelow(this, visitor, ignore_control_predecessors));
  if (call_finish_visit) return visitor->FinishVisit(this);
  return absl::OkStatus();
}

inline absl::Status HloInstruction::Accept(ConstDfsHloVisitor* visitor,
                                           bool call_finish_visit,
                                           bool ignore_control_predecessors,
                                           bool cross_computation) const {
  // The visitor is given instructions that it cannot change.
  return const_cast<HloInstruction*>(this)->Accept<const HloInstruction*>(
      visitor, call_finish_visit, ignore_control_predecessors,
      cross_computation);
}

namespace internal {

// Returns the instructions that nothing depends on, the root last.
inline std::vector<HloInstruction*> Ends(const HloComputation& computation) {
  std::vector<HloInstruction*> ends;
  for (HloInstruction* hlo : computation.MakeInstructionPostOrder()) {
    if (hlo->IsDead()) ends.push_back(hlo);
  }
  ends.push_back(computation.root_instruction());
  return ends;
}

}  // namespace internal

template <typename HloInstructionPtr>
absl::Status HloComputation::Accept(
    DfsHloVisitorBase<HloInstructionPtr>* visitor) const {
  for (HloInstruction* end : internal::Ends(*this)) {
    TF_RETURN_IF_ERROR(end->Accept(visitor, /*call_finish_visit=*/false));
  }
  return visitor->FinishVisit(root_instruction());
}

template <typename HloInstructionPtr>
absl::Status HloComputation::AcceptOrdered(
    DfsHloVisitorBase<HloInstructionPtr>* visitor,
    absl::Span<HloInstruction* const> order) const {
  const absl::flat_hash_set<const HloInstruction*> all(order.begin(),
                                                       order.end());
  if (static_cast<int64_t>(order.size()) != instruction_count() ||
      all.size() != order.size()) {
    return Internal("the order is not one of the instructions of %s", name());
  }
  for (HloInstruction* hlo : order) {
    TF_RETURN_IF_ERROR(visitor->Preprocess(hlo));
    TF_RETURN_IF_ERROR(hlo->Visit(visitor));
    visitor->SetVisited(*hlo);
    TF_RETURN_IF_ERROR(visitor->Postprocess(hlo));
  }
  return visitor->FinishVisit(root_instruction());
}

}  // namespace xla

#endif  // XLA_HLO_IR_INSTRUCTION_DFS_HLO_VISITOR_H_
