// Finds the indices along the dimensions of a loop at which the sources of its
// elements change: between the operands of concatenates and at the edges of
// pads and windows. Code for the range between two such indices needs no tests.
// Includes no LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PLANS_LOOP_PARTITION_H_
#define XLA_BACKENDS_CPU_CODEGEN_PLANS_LOOP_PARTITION_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Returns, for each dimension of `shape`, ascending split points in (0, size).
// `roots` are computed at the index of the loop if they have its dimensions;
// `in_memory` says which values are read and not computed. Dimensions other
// than `inner`, which vectors do not cross, get only split points that are
// worth a branch.
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

// Returns the partitions of the space of `sizes` between split points; if they
// are more than `most`, only the largest one. Empty if there is nothing to
// split.
std::vector<LoopPartition> PartitionsBetween(
    absl::Span<const int64_t> sizes,
    absl::Span<const std::vector<int64_t>> split_points, size_t most);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PLANS_LOOP_PARTITION_H_
