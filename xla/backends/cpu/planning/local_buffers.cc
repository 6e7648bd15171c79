// Goes over what each sequence reads and writes; how long a buffer is needed is
// what the live ranges say by which it was placed.
#include "xla/backends/cpu/planning/local_buffers.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

using Kind = BufferAssignment::Kind;

// Arrays up to here may live on the stack, and so many bytes of a function.
constexpr int64_t kLocalBytes = 2048;
constexpr int64_t kLocalBytesOfFunction = 64 << 10;

// Leaf `leaf` of `value`, which an op reads or writes.
struct Use {
  const HloInstruction* value;
  int leaf;
  bool written;
  int loops;  // how many while loops of the thunk are around it
};

// Calls f(use, buffer) for what `instruction` reads and writes, apart from what
// it calls: of loops and conditionals what decides, as all else that they are
// given is read, or is not, by what they call.
template <typename F>
void ForEachOwnUse(const BufferAssignment& assignment,
                   const HloInstruction& instruction, int loops, const F& f) {
  auto use = [&](const HloInstruction* value, bool written) {
    const int leaves = LeafCount(value->shape());
    for (int leaf = 0; leaf < leaves; ++leaf) {
      const int64_t buffer = assignment.buffer_id(value, leaf);
      if (buffer >= 0) f(Use{value, leaf, written, loops}, buffer);
    }
  };
  switch (instruction.opcode()) {
    case HloOpcode::kWhile:
      use(instruction.while_condition()->root_instruction(), false);
      return;
    case HloOpcode::kConditional:
      use(instruction.operand(0), false);
      return;
    default:
      use(&instruction, true);
      for (const HloInstruction* operand : instruction.operands()) {
        use(operand, false);
      }
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

void AddTo(BufferUses& uses, const BufferSlice& slice, bool written) {
  uses.Add({slice, written ? BufferUse::Kind::kWrite : BufferUse::Kind::kRead});
}

// When the instructions of a sequence run, by the schedule.
BufferAssignment::Interval TimesOf(const BufferAssignment& assignment,
                                   const KernelSpec& kernel) {
  BufferAssignment::Interval all = assignment.times(kernel.instructions[0]);
  for (const HloInstruction* instruction : kernel.instructions) {
    const BufferAssignment::Interval times = assignment.times(instruction);
    all = {std::min(all.begin, times.begin), std::max(all.end, times.end)};
  }
  return all;
}

// Buffers that large thunks write which are scheduled within `sequence`, thunk
// `number` of the plan, but run before it.
absl::flat_hash_set<int64_t> WrittenEarly(
    const BufferAssignment& assignment, const ThunkPlan& plan, int64_t number,
    const BufferAssignment::Interval& sequence) {
  absl::flat_hash_set<int64_t> written;
  for (int64_t i = number - 1; i >= 0; --i) {
    const PlannedThunk& thunk = plan.thunks[i];
    const bool is_op = thunk.kind == PlannedThunk::Kind::kKernel ||
                       thunk.kind == PlannedThunk::Kind::kLibrary ||
                       thunk.kind == PlannedThunk::Kind::kCopy;
    if (!is_op || assignment.times(thunk.instruction).begin < sequence.begin) {
      break;
    }
    ForEachOwnUse(assignment, *thunk.instruction, 0,
                  [&](const Use& use, int64_t buffer) {
                    if (use.written) written.insert(buffer);
                  });
  }
  return written;
}

void ChooseFor(const BufferAssignment& assignment, const ThunkPlan& plan,
               int64_t number, KernelSpec& kernel) {
  struct Found {
    LocalBuffer local;
    bool written_in_loop = false;
  };
  absl::flat_hash_map<int64_t, Found> inside;
  const BufferAssignment::Interval sequence = TimesOf(assignment, kernel);
  const absl::flat_hash_set<int64_t> written_early =
      WrittenEarly(assignment, plan, number, sequence);
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
    // Its memory is its own for its lifetime and no longer: to store what is
    // dead would be to write over another buffer.
    const BufferAssignment::Interval lifetime = assignment.lifetime(buffer);
    local.loaded =
        lifetime.begin < sequence.begin || written_early.contains(buffer);
    local.stored &= lifetime.end > sequence.end;
    // Copies pay if a loop runs between them.
    const bool pays =
        found.written_in_loop || !(local.loaded || lifetime.end > sequence.end);
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

bool Conflict(const BufferAssignment& assignment, const BufferUses& x,
              const BufferUses& y) {
  const auto allocations = assignment.allocations();
  const auto overlap = [&](const BufferSlice& a, const BufferSlice& b) {
    if (a.allocation == b.allocation) return a.Overlaps(b);
    const BufferAssignment::Allocation& x = allocations[a.allocation];
    const BufferAssignment::Allocation& y = allocations[b.allocation];
    return (x.may_be_parameter && y.kind == Kind::kParameter) ||
           (y.may_be_parameter && x.kind == Kind::kParameter);
  };
  for (const BufferUse& one : x) {
    for (const BufferUse& other : y) {
      const bool both_read = one.kind == BufferUse::Kind::kRead &&
                             other.kind == BufferUse::Kind::kRead;
      if (!both_read && overlap(one.slice, other.slice)) return true;
    }
  }
  return false;
}

bool MemoryConflict(const BufferAssignment& assignment, const HloInstruction& x,
                    const HloInstruction& y) {
  const auto uses_of = [&](const HloInstruction& instruction) {
    BufferUses uses;
    ForEachOwnUse(assignment, instruction, 0, [&](const Use& use, int64_t) {
      AddTo(uses, assignment.slice(use.value, use.leaf), use.written);
    });
    return uses;
  };
  return Conflict(assignment, uses_of(x), uses_of(y));
}

BufferUses KernelUses(const BufferAssignment& assignment,
                      const KernelSpec& kernel) {
  BufferUses uses;
  absl::flat_hash_set<std::tuple<int64_t, int64_t, int64_t, bool>> seen;
  for (const HloInstruction* instruction : kernel.instructions) {
    ForEachUse(
        assignment, *instruction, 0, [&](const Use& use, int64_t buffer) {
          if (kernel.local_buffers.contains(buffer)) return;
          const BufferSlice& slice = assignment.slice(use.value, use.leaf);
          if (!seen.insert({slice.allocation, slice.offset, slice.size,
                            use.written})
                   .second) {
            return;
          }
          AddTo(uses, slice, use.written);
        });
  }
  for (const auto& [buffer, local] : kernel.local_buffers) {
    if (local.loaded) uses.Read(local.slice);
    if (local.stored) uses.Write(local.slice);
  }
  return uses;
}

void ChooseLocalBuffers(const BufferAssignment& assignment, ThunkPlan& plan) {
  for (int64_t i = 0; i < static_cast<int64_t>(plan.thunks.size()); ++i) {
    if (plan.thunks[i].kind != PlannedThunk::Kind::kKernel) continue;
    KernelSpec& kernel = plan.kernels[plan.thunks[i].index].spec;
    if (kernel.is_sequence()) ChooseFor(assignment, plan, i, kernel);
  }
}

}  // namespace xla::cpu
