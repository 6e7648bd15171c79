// Computes a region's results in a loop over blocks of its axes.
#ifndef XLA_HLO_TRANSFORMS_LINEAR_BLOCK_LOOP_H_
#define XLA_HLO_TRANSFORMS_LINEAR_BLOCK_LOOP_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/transforms/linear/block_axes.h"

namespace xla {

// An axis of `size` indices, which `block` divides.
struct DividedAxis {
  int axis = BlockAxes::kNone;
  int64_t size = 1, block = 1;

  int64_t blocks() const { return size / block; }
};

// What a loop computes, in an order with operands before users. Results may be
// members too; members that no result needs are computed in vain.
struct BlockPlan {
  std::vector<HloInstruction*> members, results;
  BlockAxes axes;
  // Each of them CanBeDivided.
  std::vector<DividedAxis> divided;
};

// Adds the loop to the computation:
//
//   o = dot(softmax(dot(q, k)), v)  =>
//   while (i < 8): o = dynamic-update-slice(
//       o, dot(softmax(dot(dynamic-slice(q, i * 512), k)), v), i * 512)
//
// Blocks of a sum are added in the order of the indices, those of floats with
// less than 32 bits in F32. Returns the new values of the results, without
// replacing the old ones. Errors: Unimplemented if an index is no S32.
absl::StatusOr<std::vector<HloInstruction*>> ComputeInBlocks(
    const BlockPlan& plan);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LINEAR_BLOCK_LOOP_H_
