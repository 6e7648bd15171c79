// Where the elements of ops that only move them come from: which operand, and
// which array behind it.
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

// How an op that does nothing but order the dimensions of its operand anew does
// that: for each dimension of the operand, the dimension of the result that it
// is, -1 for a dimension of one element. Nullopt for other ops.
std::optional<std::vector<int64_t>> PermutationOf(
    const HloInstruction& instruction);

// Reads that divide the values of one expression of the result's indices among
// themselves, as those of a concatenate do.
struct RangePartition {
  IndexExpr expr;
  // Ascending and without gaps, each with the values of `expr` that it has
  // elements for. They point into the OpIndexing.
  struct Part {
    const OperandIndexing* read;
    Interval values;
  };
  std::vector<Part> parts;
};

// The partition of an op with OpDef::moves; nullopt where its reads are not of
// this kind, or one of them has all elements.
std::optional<RangePartition> PartitionOf(const OpIndexing& indexing);

// An array that elements of several reads are all found in, at indices that
// differ by constants.
struct CommonArray {
  const HloInstruction* array;
  // One for each read, from the indices of the user's result.
  std::vector<IndexingMap> maps;
};

// Looks behind operands of `user` that have each element from one place of an
// array, by indices without quotients; not behind those for which `is_array`
// says that they are one themselves. Nullopt where there is no such array.
std::optional<CommonArray> CommonArrayOf(
    const HloInstruction& user, absl::Span<const RangePartition::Part> parts,
    absl::FunctionRef<bool(const HloInstruction&)> is_array);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_INDEXING_MOVED_ELEMENTS_H_
