// Replaces topk by a stable sort and slices:
//
//   t = (f32[8,3], s32[8,3]) topk(x), k=3, largest=true
//     =>  s = (f32[8,9], s32[8,9]) sort(x, iota), dimensions={1},
//             is_stable=true, to_apply=a > b in total order
//         t = tuple(slice of s0, slice of s1)
//
// Equal elements are ordered by index. Dynamic dimensions are left alone.
#ifndef XLA_HLO_TRANSFORMS_EXPAND_TOPK_DECOMPOSER_H_
#define XLA_HLO_TRANSFORMS_EXPAND_TOPK_DECOMPOSER_H_

#include <functional>
#include <utility>

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

// Returns whether element a comes before b: (a, b, their s32 numbers) ->
// pred[].
HloComputation* MakeTopKComparator(HloModule* module, PrimitiveType type,
                                   bool largest);

class TopKDecomposer : public HloPassInterface {
 public:
  // Leaves ops alone for which `keep` returns true.
  explicit TopKDecomposer(
      std::function<bool(const HloInstruction&)> keep = nullptr)
      : keep_(std::move(keep)) {}

  absl::string_view name() const override { return "topk-decomposer"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;

 private:
  const std::function<bool(const HloInstruction&)> keep_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_TOPK_DECOMPOSER_H_
