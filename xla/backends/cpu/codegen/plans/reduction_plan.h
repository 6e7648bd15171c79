// ReductionPlan: how a fusion with reductions is computed row by row or column
// by column. Includes no LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PLANS_REDUCTION_PLAN_H_
#define XLA_BACKENDS_CPU_CODEGEN_PLANS_REDUCTION_PLAN_H_

#include <cstdint>
#include <optional>

#include "xla/backends/cpu/analysis/reduction_structure.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/base/checked_math.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// The structure, and the loops over it.
struct ReductionPlan : ReductionStructure {
  // Lanes of the loop over a row or a block of columns.
  int lanes = 1;
  // The columns of a workgroup; in reductions by rows, a workgroup is a row.
  int64_t block = 1;
  // In reductions by columns, the rows that are added at a time, so that sums
  // are loaded and stored less often. In reductions by rows, the rows whose
  // code runs side by side.
  int rows_together = 1;
  // In reductions by rows: loops of at most this many vectors become
  // straight-line code.
  int straight = 1;

  int64_t blocks() const { return CeilOfRatio(inner, block); }
  int64_t workgroups() const { return by_rows() ? outer : outer * blocks(); }
};

// Returns nullopt if the instruction has no structure (FindReductionStructure).
std::optional<ReductionPlan> PlanReduction(const HloInstruction& instruction,
                                           const TargetInfo& target);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PLANS_REDUCTION_PLAN_H_
