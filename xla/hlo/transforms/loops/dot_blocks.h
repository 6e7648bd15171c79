// Combines the products that a loop's iterations make of slices into one
// product for several iterations:
//
//   body: s = f32[1,8,128] dynamic-slice(xs, i, 0, 0)
//         d = f32[8,512] dot(reshape(s), w)
//     =>
//   body: new = i < from || i >= from + 4
//         from' = new ? i : from
//         some' = new ? dot(reshape(dynamic-slice(xs, from', 0, 0)), w) : some
//         d = f32[8,512] dynamic-slice(reshape(some'), i - from', 0, 0)
//
// where from and some = f32[32,512] are new elements of the carry, from' keeps
// the slices within xs, and the choice is a conditional. The result is right
// for any index, and faster if it goes up or down by one.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_DOT_BLOCKS_H_
#define XLA_HLO_TRANSFORMS_LOOPS_DOT_BLOCKS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// `dot` is a product in the body whose left operand, [rows, depth], is `slice`,
// which IsOneOfAll of an IsFixedElement, or a reshape of it; its right operand
// is an IsFixedElement too. The index has 32 or 64 bits. `slices`, the number
// of products made at once, is more than one and less than their total. The
// loop must satisfy the conditions of ExtendCarry; returns the loop that
// replaces it. Removes `dot`.
absl::StatusOr<HloInstruction*> MultiplyInBlocks(HloInstruction* loop,
                                                 HloInstruction* dot,
                                                 HloInstruction* slice,
                                                 int64_t slices);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_DOT_BLOCKS_H_
