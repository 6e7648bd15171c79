// ConstantSplitter lets each use of a constant choose its own sharding.
#ifndef XLA_HLO_TRANSFORMS_SHARDING_CONSTANT_SPLITTER_H_
#define XLA_HLO_TRANSFORMS_SHARDING_CONSTANT_SPLITTER_H_

#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla {

// Whether the op gives a constant if all its operands are constants; true for
// constants and iotas.
bool KeepsConstants(const HloInstruction& hlo);

// A constant expression computes an array from constants and iotas alone, or is
// a broadcast of a scalar. Every device can compute any part of it, so that two
// of its users should not pass shardings to each other through it. Copies are
// in the groups of equal shardings of the original.
class ConstantSplitter {
 public:
  // Copies the constant expressions of a computation for each use but the
  // first. Expressions of more than 16 arrays stay shared.
  absl::Status Split(HloComputation* computation);
  // Removes the copies of the same instruction that have the same sharding.
  // All copies are still there.
  absl::Status Merge();

 private:
  bool IsConstant(const HloInstruction* hlo) const {
    return constants_.contains(hlo);
  }
  // Returns false if an instruction of the expression is in use already.
  bool IsUnused(const HloInstruction* hlo) const;
  void MarkUsed(const HloInstruction* hlo);
  HloInstruction* Copy(HloInstruction* hlo);

  // Constant expressions with dimensions.
  absl::flat_hash_set<const HloInstruction*> constants_;
  absl::flat_hash_set<const HloInstruction*> used_;
  // Instructions and their copies, operands before users.
  std::vector<std::pair<HloInstruction*, HloInstruction*>> copies_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SHARDING_CONSTANT_SPLITTER_H_
