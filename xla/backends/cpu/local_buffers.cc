// Goes over the steps twice: when each buffer is used, then what each sequence
// does with it.
#include "xla/backends/cpu/local_buffers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/backends/cpu/codegen/work.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

using Kind = BufferAssignment::Kind;

// Arrays up to here may live on the stack, and so many bytes of a function.
constexpr int64_t kLocalBytes = 2048;
constexpr int64_t kLocalBytesOfFunction = 64 << 10;

// Leaf `leaf` of `value`, somewhere in memory.
struct Use {
  const HloInstruction* value;
  int leaf;
  bool written;  // by an op; a loop's carries are what its body writes
  int loops;     // how many while loops of the step are around it
};

// Calls f(use, buffer) for all leaves of `value`.
template <typename F>
void ForEachLeaf(const BufferAssignment& assignment,
                 const HloInstruction* value, bool written, int loops,
                 const F& f) {
  const int leaves = LeafCount(value->shape());
  for (int leaf = 0; leaf < leaves; ++leaf) {
    const int64_t buffer = assignment.buffer_id(value, leaf);
    if (buffer >= 0) f(Use{value, leaf, written, loops}, buffer);
  }
}

// The same for what `instruction` itself reads and writes.
template <typename F>
void ForEachOwnUse(const BufferAssignment& assignment,
                   const HloInstruction& instruction, int loops, const F& f) {
  auto use = [&](const HloInstruction* value, bool written) {
    ForEachLeaf(assignment, value, written, loops, f);
  };
  use(&instruction, !HasBodies(instruction));
  for (const HloInstruction* operand : instruction.operands()) {
    use(operand, false);
  }
  if (instruction.opcode() == HloOpcode::kWhile) {
    use(instruction.while_condition()->root_instruction(), false);
  }
}

// The same with what it calls.
template <typename F>
void ForEachUse(const BufferAssignment& assignment,
                const HloInstruction& instruction, int loops, const F& f) {
  if (IsMemoryName(instruction.opcode())) return;
  ForEachOwnUse(assignment, instruction, loops, f);
  if (!HasBodies(instruction)) return;
  if (instruction.opcode() == HloOpcode::kWhile) ++loops;
  for (const HloComputation* body : instruction.called_computations()) {
    for (const auto& inner : body->instructions()) {
      ForEachUse(assignment, *inner, loops, f);
    }
  }
}

// Numbers of the first and the last step that use a buffer. Between them it has
// its memory for itself.
struct Steps {
  int64_t first;
  int64_t last;
};
using StepsOfBuffers = absl::flat_hash_map<int64_t, Steps>;

StepsOfBuffers FindSteps(const BufferAssignment& assignment,
                         const StepPlan& plan) {
  StepsOfBuffers steps;
  auto touch = [&](int64_t buffer, int64_t step) {
    auto [it, is_new] = steps.try_emplace(buffer, Steps{step, step});
    it->second.first = std::min(it->second.first, step);
    it->second.last = std::max(it->second.last, step);
  };
  std::vector<int64_t> labels(plan.labels, 0);
  for (int64_t i = 0; i < static_cast<int64_t>(plan.steps.size()); ++i) {
    const PlannedStep& step = plan.steps[i];
    switch (step.kind) {
      case PlannedStep::Kind::kKernel:
        for (const HloInstruction* inner :
             plan.kernels[step.index].spec.instructions) {
          ForEachUse(assignment, *inner, 0,
                     [&](const Use&, int64_t buffer) { touch(buffer, i); });
        }
        break;
      case PlannedStep::Kind::kCopies:
        for (const HloInstruction* copy : plan.copies[step.index]) {
          ForEachOwnUse(assignment, *copy, 0,
                        [&](const Use&, int64_t buffer) { touch(buffer, i); });
        }
        break;
      case PlannedStep::Kind::kLabel:
        labels[step.index] = i;
        break;
      case PlannedStep::Kind::kJump:
        // The end of a loop or a branch.
        ForEachLeaf(assignment, step.instruction, false, 0,
                    [&](const Use&, int64_t buffer) {
                      // What a loop carries is in use from its start.
                      if (step.instruction->opcode() == HloOpcode::kWhile) {
                        touch(buffer, labels[step.index]);
                      }
                      touch(buffer, i);
                    });
        break;
      default:
        ForEachOwnUse(assignment, *step.instruction, 0,
                      [&](const Use&, int64_t buffer) { touch(buffer, i); });
        break;
    }
  }
  return steps;
}

void ChooseFor(const BufferAssignment& assignment, const StepsOfBuffers& steps,
               int64_t number, KernelSpec& kernel) {
  struct Found {
    LocalBuffer local;
    bool written_in_loop = false;
  };
  absl::flat_hash_map<int64_t, Found> inside;
  for (const HloInstruction* instruction : kernel.instructions) {
    ForEachUse(
        assignment, *instruction, 0, [&](const Use& use, int64_t buffer) {
          const BufferSlice& slice = assignment.slice(use.value, use.leaf);
          const Kind kind = assignment.allocations()[slice.allocation].kind;
          if (kind != Kind::kOutput && kind != Kind::kTemp) return;
          Found& found = inside[buffer];
          if (slice.size > found.local.slice.size) {
            found.local.slice = slice;
            found.local.type =
                Leaves(use.value->shape())[use.leaf]->element_type();
          }
          found.local.stored |= use.written;
          found.written_in_loop |= use.written && use.loops > 0;
        });
  }
  std::vector<std::pair<int64_t, int64_t>> order;  // size, buffer
  for (auto& [buffer, found] : inside) {
    LocalBuffer& local = found.local;
    const Steps& used = steps.at(buffer);
    const bool output =
        assignment.allocations()[local.slice.allocation].result_buffer ==
        buffer;
    local.loaded = used.first < number;
    local.stored &= used.last > number || output;
    // Copies pay if a loop runs between them.
    const bool pays =
        found.written_in_loop || !(local.loaded || local.stored || output);
    if (pays && local.slice.size <= kLocalBytes) {
      order.push_back({local.slice.size, buffer});
    }
  }
  // Small ones first, in an order that does not depend on hashing.
  std::sort(order.begin(), order.end());
  int64_t bytes = 0;
  for (const auto& [size, buffer] : order) {
    bytes += std::max<int64_t>(64, size);
    if (bytes > kLocalBytesOfFunction) break;
    kernel.local_buffers.insert({buffer, inside[buffer].local});
  }
}

}  // namespace

bool MemoryConflict(const BufferAssignment& assignment, const HloInstruction& x,
                    const HloInstruction& y) {
  bool conflict = false;
  const auto allocations = assignment.allocations();
  auto overlap = [&](const BufferSlice& a, const BufferSlice& b) {
    if (a.allocation == b.allocation) return a.Overlaps(b);
    const BufferAssignment::Allocation& x = allocations[a.allocation];
    const BufferAssignment::Allocation& y = allocations[b.allocation];
    return (x.may_be_parameter && y.kind == Kind::kParameter) ||
           (y.may_be_parameter && x.kind == Kind::kParameter);
  };
  ForEachOwnUse(assignment, x, 0, [&](const Use& one, int64_t) {
    ForEachOwnUse(assignment, y, 0, [&](const Use& other, int64_t) {
      if (!one.written && !other.written) return;
      conflict |= overlap(assignment.slice(one.value, one.leaf),
                          assignment.slice(other.value, other.leaf));
    });
  });
  return conflict;
}

void ChooseLocalBuffers(const BufferAssignment& assignment, StepPlan& plan) {
  const StepsOfBuffers steps = FindSteps(assignment, plan);
  for (int64_t i = 0; i < static_cast<int64_t>(plan.steps.size()); ++i) {
    if (plan.steps[i].kind != PlannedStep::Kind::kKernel) continue;
    KernelSpec& kernel = plan.kernels[plan.steps[i].index].spec;
    if (kernel.is_sequence()) ChooseFor(assignment, steps, i, kernel);
  }
}

}  // namespace xla::cpu
