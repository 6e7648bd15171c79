// BlockAxes: which dimensions of the arrays of a region are one and the same,
// so that all of them can be divided into blocks alike.
#ifndef XLA_HLO_TRANSFORMS_LINEAR_BLOCK_AXES_H_
#define XLA_HLO_TRANSFORMS_LINEAR_BLOCK_AXES_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/dimension_factors.h"

namespace xla {

// An axis is a set of dimensions of members and results that their ops map to
// each other (DimensionFactors). An operand that is no member has the axes that
// each of its uses gives it.
class BlockAxes {
 public:
  static constexpr int kNone = -1;

  // Both are in an order with operands before users. A result may be a member
  // too.
  BlockAxes(absl::Span<HloInstruction* const> members,
            absl::Span<HloInstruction* const> results);

  // Return the axis of a dimension of the op's result or operand; kNone for
  // one that is no axis: one of one element, or a product of several.
  int OfResult(const HloInstruction& op, int64_t dimension) const;
  int OfOperand(const HloInstruction& op, int64_t operand,
                int64_t dimension) const;

  // Whether each member is the op of blocks of its operands, and each result
  // consists of such blocks or is the sum of these.
  bool CanBeDivided(int axis) const { return !whole_[axis]; }
  // Whether a result is a sum over the axis.
  bool IsSummed(const HloInstruction& result, int axis) const;

 private:
  struct Op {
    DimensionFactors factors;
    int first = 0;  // the node of the first factor
  };

  int Find(int node) const;
  void Unite(int a, int b);
  void AddOp(HloInstruction* hlo, bool is_member);
  int NodeOf(const Op& op, const DimensionFactors::Dimension& dimension) const;
  const Op* OpOf(const HloInstruction& hlo) const;

  absl::flat_hash_map<const HloInstruction*, Op> ops_;
  std::vector<int> parents_;  // of nodes, in a forest of axes
  std::vector<bool> whole_;   // by axis
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LINEAR_BLOCK_AXES_H_
