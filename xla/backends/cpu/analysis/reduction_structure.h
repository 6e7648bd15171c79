// ReductionStructure: what instructions with reductions must be like to be
// computed row by row or column by column. The one definition that fusion and
// code generation go by.
#ifndef XLA_BACKENDS_CPU_ANALYSIS_REDUCTION_STRUCTURE_H_
#define XLA_BACKENDS_CPU_ANALYSIS_REDUCTION_STRUCTURE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// All reductions have operands of the same dimensions, which are
//   [outer..., reduced..., inner...]
// with sizes whose products are `outer`, `reduced` and `inner`. Without inner
// dimensions the operand is a matrix whose rows are reduced, else whose columns
// are. Results and everything made of them are computed for one row, or some
// columns, at a time: what depends on reductions consists of as many rows as
// these have results, and each op on the way keeps the rows (KeepsRows).
struct ReductionStructure {
  std::vector<int64_t> outer_sizes;
  std::vector<int64_t> reduced_sizes;
  std::vector<int64_t> inner_sizes;
  int64_t outer = 1;
  int64_t reduced = 1;
  int64_t inner = 1;

  // Reductions by level: operands of a level depend on levels before it alone.
  // Columns have one level. Short reductions are in none.
  std::vector<std::vector<const HloInstruction*>> levels;

  // True if a value that depends on reductions is read at another place of its
  // row, by a reverse or transpose within rows, say.
  bool moves_in_rows = false;

  bool by_rows() const { return inner_sizes.empty(); }
};

// A reduction of so few elements that it is best computed where its result is
// needed, like an element-wise op: of no level.
bool IsShortReduction(const HloInstruction& reduce);

// The structure of `values`, operands before users, of which `roots` are
// outputs; operands that are not in the list are read from memory. By rows,
// outputs may have the dimensions of the operands, or those of results; by
// columns those of results; results may have other dimensions of as many
// elements. Nullopt where there are no reductions, or they and what uses them
// are not of such a structure.
std::optional<ReductionStructure> FindReductionStructure(
    absl::Span<const HloInstruction* const> values,
    absl::Span<const HloInstruction* const> roots);

// That of a fusion, or of a reduction on its own.
std::optional<ReductionStructure> FindReductionStructure(
    const HloInstruction& instruction);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_ANALYSIS_REDUCTION_STRUCTURE_H_
