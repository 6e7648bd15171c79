// Depth-first walks over instructions and computations.
#include "xla/hlo/ir/module/print_order.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

std::vector<const HloInstruction*> PrintOrder(
    const HloComputation& computation) {
  const auto list = computation.instructions();
  if (const HloModule* module = computation.parent();
      module != nullptr && module->is_scheduled()) {
    return {list.begin(), list.end()};
  }
  enum class State { kNew, kOpen, kDone };
  absl::flat_hash_map<const HloInstruction*, State> states;
  states.reserve(list.size());
  std::vector<const HloInstruction*> order;
  order.reserve(list.size());
  std::vector<const HloInstruction*> stack;
  const auto walk = [&](const HloInstruction* start) {
    stack.push_back(start);
    while (!stack.empty()) {
      const HloInstruction* next = stack.back();
      State& state = states[next];
      if (state == State::kNew) {
        state = State::kOpen;
        stack.insert(stack.end(), next->operands().rbegin(),
                     next->operands().rend());
        stack.insert(stack.end(), next->control_predecessors().begin(),
                     next->control_predecessors().end());
      } else {
        stack.pop_back();
        if (state == State::kOpen) order.push_back(next);
        state = State::kDone;
      }
    }
  };
  for (const HloInstruction* hlo : list) {
    if (hlo->user_count() == 0) walk(hlo);
  }
  // Those that are left form cycles or have users outside.
  if (order.size() < list.size()) {
    for (const HloInstruction* hlo : list) walk(hlo);
  }
  return order;
}

std::vector<const HloComputation*> PrintOrder(const HloModule& module) {
  struct Frame {
    const HloComputation* computation;
    std::vector<const HloComputation*> callees;  // the first one last
  };
  std::vector<const HloComputation*> order;
  absl::flat_hash_set<const HloComputation*> called, seen;
  std::vector<Frame> stack;
  const auto enter = [&](const HloComputation* computation) {
    if (!seen.insert(computation).second) return;
    std::vector<const HloComputation*> callees;
    for (const HloInstruction* hlo : computation->instructions()) {
      callees.insert(callees.end(), hlo->called_computations().begin(),
                     hlo->called_computations().end());
      if (hlo->opcode() == HloOpcode::kWhile &&
          hlo->called_computations().size() == 2) {
        std::swap(callees.back(), callees[callees.size() - 2]);
      }
    }
    std::reverse(callees.begin(), callees.end());
    stack.push_back({computation, std::move(callees)});
  };
  const auto walk = [&](const HloComputation* start) {
    enter(start);
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.callees.empty()) {
        order.push_back(frame.computation);
        stack.pop_back();
      } else {
        const HloComputation* callee = frame.callees.back();
        frame.callees.pop_back();
        enter(callee);
      }
    }
  };
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction* hlo : computation->instructions()) {
      called.insert(hlo->called_computations().begin(),
                    hlo->called_computations().end());
    }
  }
  for (const HloComputation* computation : module.computations()) {
    if (!called.contains(computation)) walk(computation);
  }
  // Those that are left call themselves, which is an error elsewhere.
  for (const HloComputation* computation : module.computations()) {
    walk(computation);
  }
  return order;
}

}  // namespace xla
