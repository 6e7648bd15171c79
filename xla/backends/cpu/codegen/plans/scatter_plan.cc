// Plans the partitions of windows.
#include "xla/backends/cpu/codegen/plans/scatter_plan.h"

#include <algorithm>

#include "xla/base/checked_math.h"
#include "xla/core/dimension_position.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/movement/gather_scatter.h"

namespace xla::cpu {
namespace {

// Each call for a range of workgroups reads all indices, so a partition must
// have enough elements to be worth that, and more threads than this would read
// them too often.
constexpr int64_t kPartitionBytes = 128;
constexpr int64_t kMaxWorkgroups = 8;
// Those of a batching dimension read their own indices only.
constexpr int64_t kMaxBatchWorkgroups = 64;

// Splits the largest batching dimension, if there is one.
ScatterPlan SplitBatch(const Shape& operand,
                       const ScatterDimensionNumbers& numbers) {
  ScatterPlan plan;
  for (int64_t i = 0; i < numbers.input_batching_dims_size(); ++i) {
    const int64_t size = operand.dimensions(numbers.input_batching_dims(i));
    if (size <= plan.size) continue;
    plan.batching = i;
    plan.size = size;
  }
  plan.partition = CeilOfRatio(plan.size, kMaxBatchWorkgroups);
  return plan;
}

}  // namespace

int64_t OperandDimension(const ScatterDimensionNumbers& numbers,
                         int64_t window_dim) {
  for (int64_t d = 0;; ++d) {
    if (PositionOf(numbers.inserted_window_dims(), d) >= 0 ||
        PositionOf(numbers.input_batching_dims(), d) >= 0) {
      continue;
    }
    if (window_dim-- == 0) return d;
  }
}

ScatterPlan PlanScatter(const HloInstruction& scatter) {
  const Shape& operand = scatter.operand(0)->shape();
  const Shape& updates =
      scatter.operand(scatter.operand_count() / 2 + 1)->shape();
  const auto& numbers = scatter.attrs<ScatterAttrs>().dimension_numbers;
  const auto& window = numbers.update_window_dims();
  if (ShapeUtil::ElementsIn(updates) == 0) return {};
  const ScatterPlan batches = SplitBatch(operand, numbers);
  if (window.empty() || batches.workgroups() >= kMaxWorkgroups) return batches;
  ScatterPlan plan;
  const int64_t bytes = std::max<int64_t>(
      1, ShapeUtil::ByteSizeOfPrimitiveType(updates.element_type()));
  int64_t window_bytes = bytes;
  for (int64_t d : window) window_bytes *= updates.dimensions(d);
  // Splits the last dimension into whole cache lines or, if it is short, the
  // first one. Windows must cover the operand along that dimension: otherwise
  // they begin at different indices, and different workgroups would write an
  // element.
  auto covers = [&](int64_t k) {
    const int64_t d = OperandDimension(numbers, k);
    return updates.dimensions(window[k]) == operand.dimensions(d);
  };
  const int64_t last = window.size() - 1;
  plan.split = last;
  plan.size = plan.partition = updates.dimensions(window[last]);
  const int64_t least = std::max<int64_t>(1, kPartitionBytes / bytes);
  if (covers(last) && plan.size >= 2 * least) {
    const int64_t partitions = std::min(kMaxWorkgroups, plan.size / least);
    plan.partition = RoundUpTo(plan.size / partitions, least);
    return plan;
  }
  const int64_t partitions =
      std::min({kMaxWorkgroups, window_bytes / kPartitionBytes,
                updates.dimensions(window[0])});
  if (last == 0 || partitions < 2 || !covers(0)) {
    return batches.batching < 0 ? plan : batches;
  }
  plan.split = 0;
  plan.size = updates.dimensions(window[0]);
  plan.partition = CeilOfRatio(plan.size, partitions);
  return plan;
}

const HloInstruction* ScatterOf(const HloInstruction& instruction) {
  const HloInstruction* root = &instruction;
  if (instruction.opcode() == HloOpcode::kFusion) {
    root = instruction.fused_instructions_computation()->root_instruction();
  }
  if (root->opcode() == HloOpcode::kTuple && root->operand_count() > 0) {
    root = root->operand(0);
  }
  return root->opcode() == HloOpcode::kScatter ? root : nullptr;
}

}  // namespace xla::cpu
