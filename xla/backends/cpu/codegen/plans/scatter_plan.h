// ScatterPlan: how a scatter is split into workgroups. No LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PLANS_SCATTER_PLAN_H_
#define XLA_BACKENDS_CPU_CODEGEN_PLANS_SCATTER_PLAN_H_

#include <cstdint>

#include "xla/base/checked_math.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// Each workgroup goes over all updates in their order, and writes `partition`
// indices of one dimension of their windows, so that no element depends on two
// workgroups.
struct ScatterPlan {
  // Among the window dimensions of the updates; -1 if there are none.
  int64_t split = -1;
  int64_t size = 1;  // of that dimension
  int64_t partition = 1;
  int64_t workgroups() const { return CeilOfRatio(size, partition); }
};

ScatterPlan PlanScatter(const HloInstruction& scatter);

// The dimension of the operand that dimension number `window_dim` of its
// windows is, counted among those that are neither inserted nor batched.
int64_t OperandDimension(const ScatterDimensionNumbers& numbers,
                         int64_t window_dim);

// The scatter that the instruction is, or that is the first root of the fusion;
// null if it is another op.
const HloInstruction* ScatterOf(const HloInstruction& instruction);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PLANS_SCATTER_PLAN_H_
