// A product of what each iteration of a loop takes becomes one for some
// iterations:
//
//   body: s = f32[1,8,128] dynamic-slice(xs, i, 0, 0)
//         d = f32[8,512] dot(reshape(s), w)
//     =>
//   body: new = i < from || i >= from + 4
//         from' = new ? i : from
//         some' = new ? dot(reshape(dynamic-slice(xs, from', 0, 0)), w) : some
//         d = f32[8,512] dynamic-slice(reshape(some'), i - from', 0, 0)
//
// where from and some = f32[32,512] are new elements of the carry, from' is
// such that the slices stay within xs, and the choice is a conditional. Right
// for any index; of use where it goes up or down by one.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_DOT_BLOCKS_H_
#define XLA_HLO_TRANSFORMS_LOOPS_DOT_BLOCKS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// `dot` is a product in the body whose left operand, [rows, depth], is `slice`,
// IsOneOfAll of an IsFixedElement, or a reshape of it; so is its right operand.
// The index has 32 or 64 bits; `slices`, of the products made at once, are more
// than one and fewer than there are. The loop is as for ExtendCarry; returned
// is that which took its place. `dot` is removed.
absl::StatusOr<HloInstruction*> MultiplyInBlocks(HloInstruction* loop,
                                                 HloInstruction* dot,
                                                 HloInstruction* slice,
                                                 int64_t slices);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_DOT_BLOCKS_H_
