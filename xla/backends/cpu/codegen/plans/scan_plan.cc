// Plans the sizes of a scan.
#include "xla/backends/cpu/codegen/plans/scan_plan.h"

#include <algorithm>
#include <bit>

#include "xla/backends/cpu/codegen/plans/loop_plan.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/linear_scan.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla::cpu {

std::optional<ScanPlan> PlanScan(const HloInstruction& instruction,
                                 const TargetInfo& target) {
  ScanPlan plan;
  plan.scan =
      instruction.opcode() == HloOpcode::kFusion
          ? instruction.fused_instructions_computation()->root_instruction()
          : &instruction;
  while (plan.scan->opcode() == HloOpcode::kBitcast) {
    plan.scan = plan.scan->operand(0);
  }
  const std::optional<LinearScan> scan = LinearScanOf(*plan.scan);
  const Shape& shape = plan.scan->shape();
  if (!scan.has_value() || ShapeUtil::ElementsIn(shape) == 0) {
    return std::nullopt;
  }
  plan.reverse = scan->reverse;
  const int64_t rank = shape.dimensions().size();
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t size = shape.dimensions(d);
    if (d < scan->dimension) {
      plan.outer_sizes.push_back(size);
      plan.outer *= size;
    } else if (d == scan->dimension) {
      plan.length = size;
    } else {
      plan.inner_sizes.push_back(size);
      plan.inner *= size;
    }
  }
  const int width = target.Lanes(RegisterBytes(shape.element_type()));
  // Columns are independent of each other, so several vectors hide the latency.
  const int64_t widest = plan.inner == 1 ? width : 4 * width;
  const int64_t along = plan.inner == 1 ? plan.length : plan.inner;
  plan.lanes = static_cast<int>(
      std::min<int64_t>(widest, std::bit_floor(static_cast<uint64_t>(along))));
  // The lanes of a row would be combined in another order.
  if (scan->in_order && plan.inner == 1) plan.lanes = 1;
  plan.block = plan.inner == 1 ? 1 : std::min<int64_t>(plan.inner, 4 * widest);
  return plan;
}

}  // namespace xla::cpu
