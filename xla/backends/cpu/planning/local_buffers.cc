// Collects what each sequence reads and writes. The live ranges by which a
// buffer was placed say how long it is needed.
#include "xla/backends/cpu/planning/local_buffers.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/backends/cpu/planning/memory_uses.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

using Kind = BufferAssignment::Kind;

// The most bytes of an array on the stack, and of all such arrays of a
// function.
constexpr int64_t kLocalBytes = 2048;
constexpr int64_t kLocalBytesOfFunction = 64 << 10;

void AddTo(BufferUses& uses, const BufferSlice& slice, bool written) {
  uses.Add({slice, written ? BufferUse::Kind::kWrite : BufferUse::Kind::kRead});
}

// Returns the interval of the schedule in which a sequence's instructions run.
BufferAssignment::Interval TimesOf(
    const BufferAssignment& assignment,
    absl::Span<const HloInstruction* const> instructions) {
  BufferAssignment::Interval all = assignment.times(instructions[0]);
  for (const HloInstruction* instruction : instructions) {
    const BufferAssignment::Interval times = assignment.times(instruction);
    all = {std::min(all.begin, times.begin), std::max(all.end, times.end)};
  }
  return all;
}

// Returns the buffers written by large thunks that are scheduled within
// `sequence`, thunk `number` of the plan, but run before it.
absl::flat_hash_set<int64_t> WrittenEarly(
    const BufferAssignment& assignment, absl::Span<const PlannedThunk> thunks,
    int64_t number, const BufferAssignment::Interval& sequence) {
  absl::flat_hash_set<int64_t> written;
  for (int64_t i = number - 1; i >= 0; --i) {
    const PlannedThunk& thunk = thunks[i];
    const bool is_op = thunk.kind == PlannedThunk::Kind::kKernel ||
                       thunk.kind == PlannedThunk::Kind::kLibrary ||
                       thunk.kind == PlannedThunk::Kind::kCopy;
    if (!is_op || assignment.times(thunk.instruction).begin < sequence.begin) {
      break;
    }
    ForEachOwnUse(assignment, *thunk.instruction, 0, [&](const MemoryUse& use) {
      if (use.written) written.insert(use.buffer);
    });
  }
  return written;
}

// A buffer that a sequence uses.
struct Found {
  LocalBuffer local;
  bool written_in_loop = false;
};

// Returns all buffers that may be local; `stored` says whether the sequence
// writes them.
absl::flat_hash_map<int64_t, Found> FindBuffers(
    const BufferAssignment& assignment,
    absl::Span<const HloInstruction* const> instructions) {
  absl::flat_hash_map<int64_t, Found> inside;
  for (const HloInstruction* instruction : instructions) {
    ForEachUse(assignment, *instruction, 0, [&](const MemoryUse& use) {
      if (use.buffer < 0) return;
      const BufferSlice& slice = assignment.slice(use.value, use.leaf);
      const Kind kind = assignment.allocations()[slice.allocation].kind;
      if (kind != Kind::kOutput && kind != Kind::kTemp) return;
      Found& found = inside[use.buffer];
      if (slice.size > found.local.slice.size) {
        found.local.slice = slice;
        found.local.type = Leaves(use.value->shape())[use.leaf]->element_type();
      }
      found.local.stored |= use.written;
      found.written_in_loop |= use.written && use.loops > 0;
    });
  }
  return inside;
}

}  // namespace

LocalBuffers LocalBuffersOf(const BufferAssignment& assignment,
                            absl::Span<const PlannedThunk> thunks,
                            const KernelRequest& request) {
  LocalBuffers locals;
  if (!IsSequence(request.instructions)) return locals;
  absl::flat_hash_map<int64_t, Found> inside =
      FindBuffers(assignment, request.instructions);
  const BufferAssignment::Interval sequence =
      TimesOf(assignment, request.instructions);
  const absl::flat_hash_set<int64_t> written_early =
      WrittenEarly(assignment, thunks, request.thunk, sequence);
  std::vector<std::pair<int64_t, int64_t>> order;  // size, buffer
  for (auto& [buffer, found] : inside) {
    LocalBuffer& local = found.local;
    // A buffer owns its memory only during its lifetime: storing a dead value
    // would overwrite another buffer.
    const BufferAssignment::Interval lifetime = assignment.lifetime(buffer);
    local.loaded =
        lifetime.begin < sequence.begin || written_early.contains(buffer);
    local.stored &= lifetime.end > sequence.end;
    // Copying in and out pays only if a loop runs in between.
    const bool pays =
        found.written_in_loop || !(local.loaded || lifetime.end > sequence.end);
    if (pays && local.slice.size <= kLocalBytes) {
      order.push_back({local.slice.size, buffer});
    }
  }
  // Takes small buffers first, in an order that does not depend on hashing.
  std::sort(order.begin(), order.end());
  int64_t bytes = 0;
  for (const auto& [size, buffer] : order) {
    bytes += std::max<int64_t>(64, size);
    if (bytes > kLocalBytesOfFunction) break;
    locals.insert({buffer, inside[buffer].local});
  }
  return locals;
}

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
    ForEachOwnUse(assignment, instruction, 0, [&](const MemoryUse& use) {
      if (use.buffer < 0) return;
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
    ForEachUse(assignment, *instruction, 0, [&](const MemoryUse& use) {
      if (use.buffer < 0 || kernel.local_buffers.contains(use.buffer)) {
        return;
      }
      const BufferSlice& slice = assignment.slice(use.value, use.leaf);
      if (!seen.insert(
                   {slice.allocation, slice.offset, slice.size, use.written})
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

}  // namespace xla::cpu
