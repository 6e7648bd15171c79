// Where along the dimensions of a loop the sources of its elements change: at
// the seams of concatenates and the borders of pads and windows. Code for the
// range between two such places needs no tests. No LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PLANS_LOOP_PARTITION_H_
#define XLA_BACKENDS_CPU_CODEGEN_PLANS_LOOP_PARTITION_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// For each dimension of `shape` indices in (0, size), ascending. `roots` are
// computed at the index of the loop if they have its dimensions; `in_memory`
// tells which values are read and not computed. Along other dimensions than
// `inner`, which vectors do not cross, only split points that are worth a
// branch.
std::vector<std::vector<int64_t>> LoopSplitPoints(
    absl::Span<const HloInstruction* const> roots, const Shape& shape,
    int64_t inner, absl::FunctionRef<bool(const HloInstruction*)> in_memory);

// Drops split points between the shortest ranges until at most `most` are left.
void KeepLongRanges(std::vector<int64_t>& split_points, int64_t size,
                    size_t most);

// A partition of a loop's index space: [begin[d], end[d]) along each dimension.
struct LoopPartition {
  std::vector<int64_t> begin;
  std::vector<int64_t> end;
};

// The partitions of the space of `sizes` between split points, at most `most`;
// or, if they are more, the largest one alone. Empty if nothing is to be split.
std::vector<LoopPartition> PartitionsBetween(
    absl::Span<const int64_t> sizes,
    absl::Span<const std::vector<int64_t>> split_points, size_t most);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PLANS_LOOP_PARTITION_H_
