// Control edges, which both of their ends list.
#include "xla/hlo/ir/instruction/instruction_order.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {
namespace {

const std::vector<HloInstruction*>& NoInstructions() {
  static const auto* const kNone = new std::vector<HloInstruction*>();
  return *kNone;
}

bool Erase(std::vector<HloInstruction*>& list, const HloInstruction* item) {
  const auto it = absl::c_find(list, item);
  if (it == list.end()) return false;
  list.erase(it);
  return true;
}

}  // namespace

const HloInstruction& InstructionOrder::self() const {
  return static_cast<const HloInstruction&>(*this);
}
HloInstruction& InstructionOrder::self() {
  return static_cast<HloInstruction&>(*this);
}
InstructionOrder::ControlEdges& InstructionOrder::mutable_edges() {
  if (edges_ == nullptr) edges_ = std::make_unique<ControlEdges>();
  return *edges_;
}

const std::vector<HloInstruction*>& InstructionOrder::control_predecessors()
    const {
  return edges_ ? edges_->predecessors : NoInstructions();
}
const std::vector<HloInstruction*>& InstructionOrder::control_successors()
    const {
  return edges_ ? edges_->successors : NoInstructions();
}
bool InstructionOrder::HasControlDependencies() const {
  return !control_predecessors().empty() || !control_successors().empty();
}

absl::Status InstructionOrder::AddControlDependencyTo(
    HloInstruction* successor) {
  if (successor->parent() != self().parent()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a control edge from ", self().name(), " to ",
                     successor->name(), " would join two computations"));
  }
  auto& successors = mutable_edges().successors;
  InstructionOrder& other = *successor;
  auto& predecessors = other.mutable_edges().predecessors;
  // Both lists have the edge; search the shorter one.
  const bool known = successors.size() < predecessors.size()
                         ? absl::c_linear_search(successors, successor)
                         : absl::c_linear_search(predecessors, &self());
  if (!known) {
    successors.push_back(successor);
    predecessors.push_back(&self());
  }
  return absl::OkStatus();
}

absl::Status InstructionOrder::RemoveControlDependencyTo(
    HloInstruction* successor) {
  if (!Erase(mutable_edges().successors, successor)) {
    return absl::NotFoundError(absl::StrCat(
        "no control edge from ", self().name(), " to ", successor->name()));
  }
  InstructionOrder& other = *successor;
  Erase(other.mutable_edges().predecessors, &self());
  return absl::OkStatus();
}

absl::Status InstructionOrder::DropAllControlDeps() {
  for (HloInstruction* successor :
       std::vector<HloInstruction*>(control_successors())) {
    TF_RETURN_IF_ERROR(RemoveControlDependencyTo(successor));
  }
  for (HloInstruction* predecessor :
       std::vector<HloInstruction*>(control_predecessors())) {
    TF_RETURN_IF_ERROR(predecessor->RemoveControlDependencyTo(&self()));
  }
  return absl::OkStatus();
}

absl::Status InstructionOrder::SafelyDropAllControlDependencies() {
  for (HloInstruction* predecessor : control_predecessors()) {
    for (HloInstruction* successor : control_successors()) {
      TF_RETURN_IF_ERROR(predecessor->AddControlDependencyTo(successor));
    }
  }
  return DropAllControlDeps();
}

absl::Status InstructionOrder::CopyAllControlDepsTo(HloInstruction* start,
                                                    HloInstruction* end) const {
  for (HloInstruction* predecessor : control_predecessors()) {
    TF_RETURN_IF_ERROR(predecessor->AddControlDependencyTo(start));
  }
  for (HloInstruction* successor : control_successors()) {
    TF_RETURN_IF_ERROR(end->AddControlDependencyTo(successor));
  }
  return absl::OkStatus();
}

absl::Status InstructionOrder::CopyAllControlDepsFrom(
    const HloInstruction* hlo) {
  return hlo->CopyAllControlDepsTo(&self(), &self());
}

}  // namespace xla
