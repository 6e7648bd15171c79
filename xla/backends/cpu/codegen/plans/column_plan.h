// ColumnPlan: a loop over vectors of rows whose few columns are computed one by
// one, for fusions that stack columns. Includes no LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PLANS_COLUMN_PLAN_H_
#define XLA_BACKENDS_CPU_CODEGEN_PLANS_COLUMN_PLAN_H_

#include <cstdint>
#include <optional>

#include "xla/backends/cpu/jit/target_info.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Every output has the elements of `shape` [outer..., rows, columns] in this
// order.
struct ColumnPlan {
  const Shape* shape = nullptr;  // borrowed from an instruction
  int64_t rows = 0;              // at least `lanes`
  int64_t columns = 0;
  int64_t outer = 1;  // the product of the outer dimensions
  int lanes = 1;      // rows of a vector
  // A workgroup has `band` rows, a multiple of `lanes`, at one outer index.
  int64_t band = 0;
  int64_t bands = 0;

  int64_t workgroups() const { return bands * outer; }
};

// Returns nullopt if the instruction is no fusion of such a shape.
std::optional<ColumnPlan> PlanColumns(const HloInstruction& instruction,
                                      const TargetInfo& target);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PLANS_COLUMN_PLAN_H_
