// Helpers of passes that change what a while loop carries, or how often it
// iterates.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_LOOP_CARRY_H_
#define XLA_HLO_TRANSFORMS_LOOPS_LOOP_CARRY_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// The numbers of callers of a module's computations, counted once for a pass
// over many loops. It does not see what else the pass copies or removes, so a
// pass must visit callees before callers: then it no longer changes a loop in
// such a copy. A removed caller costs at most one copy.
class CallerCounts {
 public:
  explicit CallerCounts(const HloModule& module);

  // Gives the loop copies of its condition and body if other instructions also
  // call them.
  void MakeOwnComputations(HloInstruction* loop);

 private:
  void AddCallersIn(const HloComputation& computation);

  absl::flat_hash_map<const HloComputation*, int64_t> counts_;
};

// Removes `hlo` and the instructions that only it uses if it has no users;
// instructions with control edges stay.
absl::Status RemoveIfUnused(HloInstruction* hlo);

// Returns whether every user of the tuple `value` takes one element of it.
bool IsReadByElement(const HloInstruction& value);

// Returns whether the body makes a tuple of elements of a tuple that it takes
// apart, without side effects, and the loop has no control edges:
// AppendIteration may copy it.
bool IsRepeatable(const HloInstruction& loop);

// Returns whether the body makes a tuple, both computations take theirs apart,
// and the loop has no control edges: MoveBeforeLoop may add elements to the
// carry.
bool HasExtensibleCarry(const HloInstruction& loop);

// Calls `change` for each loop with HasExtensibleCarry, inner loops first:
// instructions that leave an inner loop may also leave the outer one. A call
// may remove instructions of the same computation except loops. Returns whether
// a call changed something; the module is then no longer scheduled.
absl::StatusOr<bool> ChangeExtensibleLoops(
    HloModule* module,
    absl::FunctionRef<absl::StatusOr<bool>(HloInstruction*, CallerCounts&)>
        change);

struct ExtendedLoop {
  HloInstruction* loop = nullptr;
  // The tuple that replaces the result of the previous loop.
  HloInstruction* result = nullptr;
  // The new elements in the body, which returns them unchanged.
  std::vector<HloInstruction*> added;
};

// Replaces a loop with HasExtensibleCarry that is the only caller of its
// computations by one with more elements, which start as `elements`.
absl::StatusOr<ExtendedLoop> ExtendCarry(
    HloInstruction* loop, absl::Span<HloInstruction* const> elements);

// Moves `moved`, instructions of the body that depend only on elements that
// never change, before the loop and adds their values to the carry. The loop
// must satisfy the conditions of ExtendCarry.
absl::Status MoveBeforeLoop(HloInstruction* loop,
                            absl::Span<HloInstruction* const> moved);

// Returns whether `hlo`, in the body, is an element of the carry that never
// changes.
bool IsFixedElement(const HloInstruction& loop, const HloInstruction* hlo);
// Returns whether the dynamic-slice has size 1 in the first dimension and takes
// all of the others.
bool IsOneOfAll(const HloInstruction& slice);

// Returns whether `element`, in the body, is element `i` of the carry, and
// nothing but `update`, which the body returns as its next value and uses for
// nothing else, reads it. The body's root is a tuple, and both computations
// take the carry apart.
bool IsPrivateToUpdate(const HloInstruction& loop, int64_t i,
                       const HloInstruction& element,
                       const HloInstruction& update);

// Returns the elements of the loop's initial value; adds get-tuple-elements if
// that is not a tuple instruction.
std::vector<HloInstruction*> InitialElements(HloInstruction* loop);

// Adds to `computation` a copy of `body`, of an IsRepeatable loop, applied to
// the elements `carry`. Fusions get fused computations of their own. Returns
// the elements of the next carry.
absl::StatusOr<std::vector<HloInstruction*>> AppendIteration(
    const HloComputation& body, absl::Span<HloInstruction* const> carry,
    HloComputation* computation);

// Returns the bytes of the elements that an iteration may change, for a loop
// whose carry is a tuple.
int64_t BytesHandedOn(const HloInstruction& loop);

// Returns the bytes of the result; tuples count with all their parts.
int64_t Bytes(const HloInstruction& hlo);

// Returns true if an instruction of the computation has one.
bool HasSideEffect(const HloComputation& computation);

// Returns the number of instructions of the computation and of what it calls,
// once per caller. Counting ends at `limit`.
int64_t CountInstructions(const HloComputation& computation, int64_t limit);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_LOOP_CARRY_H_
