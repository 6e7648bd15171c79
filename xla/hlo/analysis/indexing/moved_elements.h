// The sources of the elements of ops that only move them: the operand, and the
// array that it names.
#ifndef XLA_HLO_ANALYSIS_INDEXING_MOVED_ELEMENTS_H_
#define XLA_HLO_ANALYSIS_INDEXING_MOVED_ELEMENTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/hlo/indexing/indexing_map.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/op_indexing.h"

namespace xla {

// For an op that only permutes the dimensions of its operand, returns for each
// dimension of the operand the corresponding dimension of the result, -1 for a
// dimension of one element. Nullopt for other ops.
std::optional<std::vector<int64_t>> PermutationOf(
    const HloInstruction& instruction);

// Reads that partition the values of one expression of the result's indices, as
// those of a concatenate do.
struct RangePartition {
  IndexExpr expr;
  // The reads in ascending order and without gaps, each with the values of
  // `expr` for which it has elements. They point into the OpIndexing.
  struct Part {
    const OperandIndexing* read;
    Interval values;
  };
  std::vector<Part> parts;
};

// Returns the partition of an op with OpDef::moves; nullopt if its reads are
// not of this kind, or one of them has all elements.
std::optional<RangePartition> PartitionOf(const OpIndexing& indexing);

// An array that holds the elements of several reads, at indices that differ by
// constants.
struct CommonArray {
  const HloInstruction* array;
  // A map for each read, from the indices of the user's result.
  std::vector<IndexingMap> maps;
};

// Looks through operands of `user` that take each element from one index of an
// array, by expressions without quotients, up to values for which `is_array` is
// true. Returns nullopt if there is no such array.
std::optional<CommonArray> CommonArrayOf(
    const HloInstruction& user, absl::Span<const RangePartition::Part> parts,
    absl::FunctionRef<bool(const HloInstruction&)> is_array);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_INDEXING_MOVED_ELEMENTS_H_
