// ScoreRegion: the large arrays of attention, and what is computed from them.
#ifndef XLA_HLO_TRANSFORMS_LINEAR_SCORE_REGION_H_
#define XLA_HLO_TRANSFORMS_LINEAR_SCORE_REGION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Whether `hlo` is a dot whose result has at least `least` elements and at
// least four times as many as each operand: scores of attention.
bool IsScoreProduct(const HloInstruction& hlo, int64_t least);

// The ops on large arrays between score products and what reads them, in one
// computation:
//
//   s = f32[8,4096,4096] dot(q, k)       members: a score product,
//   p = softmax(s)                       several ops on large arrays and
//                                        their sums of rows,
//   d = dot(g, v), ds = f(p, d)          another product, the gradient
//   o = dot(p, v), dv = dot(p, g)        results
//
// Members can be computed a block of the large arrays at a time. What is small
// is a member if large members need it and it is computed from other ones.
// Large arrays that do not depend on a product, as masks, are members too, and
// others may read them.
struct ScoreRegion {
  std::vector<HloInstruction*> members;  // operands before users
  // What is read outside, which is no large array, by stages: those of stage
  // i + 1 need some of stage i, as gradients need the loss, which needs the
  // result of attention. A sum of rows may be a member and a result.
  std::vector<std::vector<HloInstruction*>> stages;

  // Returns the members that these results need, operands before users.
  std::vector<HloInstruction*> MembersFor(
      const std::vector<HloInstruction*>& results) const;
};

// Returns the region of a score product; nullopt if a large array that depends
// on one is read by something else than a member, a dot or a reduction.
std::optional<ScoreRegion> FindScoreRegion(HloInstruction* product);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LINEAR_SCORE_REGION_H_
