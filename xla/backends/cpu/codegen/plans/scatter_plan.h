// ScatterPlan: how a scatter is split into workgroups. Includes no LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PLANS_SCATTER_PLAN_H_
#define XLA_BACKENDS_CPU_CODEGEN_PLANS_SCATTER_PLAN_H_

#include <cstdint>

#include "xla/base/checked_math.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// Each workgroup visits its updates in order: those of `partition` indices of a
// batching dimension, or `partition` indices of one dimension of the windows of
// all updates, so no two workgroups write one element. Several in one call
// visit the updates together.
struct ScatterPlan {
  // The split dimension: a number of input_batching_dims, or one among the
  // window dimensions of the updates; both are -1 if none is split.
  int64_t batching = -1;
  int64_t split = -1;
  int64_t size = 1;  // of that dimension
  int64_t partition = 1;
  int64_t workgroups() const { return CeilOfRatio(size, partition); }
};

ScatterPlan PlanScatter(const HloInstruction& scatter);

// Returns the dimension of the operand that corresponds to dimension
// `window_dim` of its windows, which lack inserted and batching dimensions.
int64_t OperandDimension(const ScatterDimensionNumbers& numbers,
                         int64_t window_dim);

// Returns the instruction, or the first root of the fusion, if it is a scatter;
// null if it is another op.
const HloInstruction* ScatterOf(const HloInstruction& instruction);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PLANS_SCATTER_PLAN_H_
