// InstructionOrder: the part of HloInstruction that holds its control edges,
// which order instructions beside their operands.
#ifndef XLA_HLO_IR_INSTRUCTION_INSTRUCTION_ORDER_H_
#define XLA_HLO_IR_INSTRUCTION_INSTRUCTION_ORDER_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"

namespace xla {

class HloInstruction;

class InstructionOrder {
 public:
  const std::vector<HloInstruction*>& control_predecessors() const;
  const std::vector<HloInstruction*>& control_successors() const;
  bool HasControlDependencies() const;
  bool HasSuccessorControlDependencies() const {
    return !control_successors().empty();
  }

  // Makes this run before `successor`. Errors: InvalidArgument for one of
  // another computation; NotFound where there is no edge.
  absl::Status AddControlDependencyTo(HloInstruction* successor);
  absl::Status RemoveControlDependencyTo(HloInstruction* successor);
  absl::Status DropAllControlDeps();
  // The same, after edges from each predecessor to each successor.
  absl::Status SafelyDropAllControlDependencies();
  // Adds an edge to `start` from each predecessor, and one from `end` to each
  // successor; or for an instruction that is both.
  absl::Status CopyAllControlDepsTo(HloInstruction* start,
                                    HloInstruction* end) const;
  absl::Status CopyAllControlDepsFrom(const HloInstruction* hlo);

 protected:
  ~InstructionOrder() = default;

 private:
  struct ControlEdges {
    std::vector<HloInstruction*> predecessors;
    std::vector<HloInstruction*> successors;
  };

  ControlEdges& mutable_edges();
  const HloInstruction& self() const;
  HloInstruction& self();

  std::unique_ptr<ControlEdges> edges_;  // null for those without
};

}  // namespace xla

#endif  // XLA_HLO_IR_INSTRUCTION_INSTRUCTION_ORDER_H_
