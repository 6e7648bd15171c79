// Helpers of passes that change what a while loop carries, or how often it
// goes round.
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

// How often the computations of a module are called, counted once for a pass
// over many loops. Does not see what else the pass copies or removes: right as
// long as callees have their turn before callers, so that a loop in such a copy
// is not changed any more. Removed callers cost a copy at most.
class CallerCounts {
 public:
  explicit CallerCounts(const HloModule& module);

  // Gives the loop copies of its condition and body where others call them too.
  void MakeOwnComputations(HloInstruction* loop);

 private:
  void AddCallersIn(const HloComputation& computation);

  absl::flat_hash_map<const HloComputation*, int64_t> counts_;
};

// Removes `hlo` and what only it uses, if nothing uses it; what has control
// edges stays.
absl::Status RemoveIfUnused(HloInstruction* hlo);

// Whether all users of the tuple `value` take one element of it.
bool IsReadByElement(const HloInstruction& value);

// Whether the body makes a tuple of elements of a tuple that it takes apart,
// without side effects, and the loop has no control edges: AppendIteration may
// copy it.
bool IsRepeatable(const HloInstruction& loop);

// Whether the body makes a tuple, both computations take theirs apart, and the
// loop has no control edges: MoveBeforeLoop may add elements to the carry.
bool HasExtensibleCarry(const HloInstruction& loop);

// Calls `change` for each loop with HasExtensibleCarry, inner loops first: what
// leaves them may leave the outer ones as well. A call may remove other
// instructions than loops of the same computation. Returns whether a call
// changed something; the module is no longer scheduled then.
absl::StatusOr<bool> ChangeExtensibleLoops(
    HloModule* module,
    absl::FunctionRef<absl::StatusOr<bool>(HloInstruction*, CallerCounts&)>
        change);

struct ExtendedLoop {
  HloInstruction* loop = nullptr;
  // The tuple that stands for the result of the loop before.
  HloInstruction* result = nullptr;
  // The new elements in the body, which returns them as they are.
  std::vector<HloInstruction*> added;
};

// Replaces a loop with HasExtensibleCarry that calls its computations alone by
// one with more elements, which start as `elements`.
absl::StatusOr<ExtendedLoop> ExtendCarry(
    HloInstruction* loop, absl::Span<HloInstruction* const> elements);

// Computes `moved`, instructions of the body that depend on elements that never
// change and on nothing else, before the loop, and hands them to it as further
// elements. The loop is as for ExtendCarry.
absl::Status MoveBeforeLoop(HloInstruction* loop,
                            absl::Span<HloInstruction* const> moved);

// Whether `hlo`, in the body, is an element of the carry that never changes.
bool IsFixedElement(const HloInstruction& loop, const HloInstruction* hlo);
// Whether that is a dynamic-slice of size 1 in the first dimension and of all
// of the others.
bool IsOneOfAll(const HloInstruction& slice);

// The elements of what the loop starts with; get-tuple-elements are added where
// that is no tuple instruction.
std::vector<HloInstruction*> InitialElements(HloInstruction* loop);

// Adds to `computation` what `body`, of an IsRepeatable loop, does to the
// elements `carry`. Fusions get fused computations of their own. Returns the
// elements of the next carry.
absl::StatusOr<std::vector<HloInstruction*>> AppendIteration(
    const HloComputation& body, absl::Span<HloInstruction* const> carry,
    HloComputation* computation);

// Bytes of the elements that an iteration may change, of a loop whose carry is
// a tuple.
int64_t BytesHandedOn(const HloInstruction& loop);

// Of the result, tuples with all their parts.
int64_t Bytes(const HloInstruction& hlo);

// True if an instruction of the computation has one.
bool HasSideEffect(const HloComputation& computation);

// Instructions of the computation and of what it calls, each caller counting.
// `limit` is where counting ends.
int64_t CountInstructions(const HloComputation& computation, int64_t limit);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_LOOP_CARRY_H_
