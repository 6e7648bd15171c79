// EmitColumnLoop: the code of a ColumnPlan.
#ifndef XLA_BACKENDS_CPU_CODEGEN_LOOPS_COLUMN_LOOP_H_
#define XLA_BACKENDS_CPU_CODEGEN_LOOPS_COLUMN_LOOP_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/backends/cpu/codegen/loops/loop_emitter.h"
#include "xla/backends/cpu/codegen/plans/column_plan.h"

namespace xla::cpu {

// Emits workgroups [begin, end) of `plan`, the plan of the instruction that
// computes `outputs`. `in_place` is as for EmitLoop.
absl::Status EmitColumnLoop(ElementalEmitter& emitter, const ColumnPlan& plan,
                            absl::Span<const LoopOutput> outputs,
                            llvm::Value* begin, llvm::Value* end,
                            bool in_place);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_LOOPS_COLUMN_LOOP_H_
