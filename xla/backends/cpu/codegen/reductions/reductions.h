// Emitters of reductions of rows and of columns.
#ifndef XLA_BACKENDS_CPU_CODEGEN_REDUCTIONS_REDUCTIONS_H_
#define XLA_BACKENDS_CPU_CODEGEN_REDUCTIONS_REDUCTIONS_H_

#include "absl/status/status.h"
#include "xla/backends/cpu/codegen/elemental/bound_instruction.h"
#include "xla/backends/cpu/codegen/plans/reduction_plan.h"

namespace xla::cpu {

// Emits workgroups [begin, end) of a reduction, or of a fusion of reductions,
// by rows or by columns as its ReductionPlan says. Without a plan, each element
// runs a loop of its own.
absl::Status EmitReduction(BoundInstruction& bound, llvm::Value* begin,
                           llvm::Value* end);

// Emit workgroups [begin, end) of a plan by rows and of one by columns.
absl::Status EmitRowReduction(BoundInstruction& bound,
                              const ReductionPlan& plan, llvm::Value* begin,
                              llvm::Value* end);
absl::Status EmitColumnReduction(BoundInstruction& bound,
                                 const ReductionPlan& plan, llvm::Value* begin,
                                 llvm::Value* end);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_REDUCTIONS_REDUCTIONS_H_
