// Asks the plan that code is made by.
#include "xla/backends/cpu/codegen/plans/vector_use.h"

#include <algorithm>
#include <optional>

#include "xla/backends/cpu/codegen/plans/column_plan.h"
#include "xla/backends/cpu/codegen/plans/loop_plan.h"
#include "xla/backends/cpu/codegen/plans/reduction_plan.h"
#include "xla/backends/cpu/codegen/plans/scan_plan.h"
#include "xla/backends/cpu/codegen/plans/scatter_plan.h"
#include "xla/backends/cpu/codegen/plans/tile_plan.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla::cpu {
namespace {

int WidthFor(const Shape& shape, const TargetInfo& target) {
  return std::max(1, static_cast<int>(target.vector_bytes /
                                      RegisterBytes(shape.element_type())));
}

VectorUse UseOf(const LoopPlan& plan) {
  return {plan.register_lanes, plan.register_width, plan.narrow};
}

VectorUse UseOf(const ReductionPlan& plan, const TargetInfo& target) {
  VectorUse use;
  use.width = WidthFor(plan.levels[0][0]->operand(0)->shape(), target);
  use.lanes = std::min(plan.lanes, use.width);
  if (use.lanes < use.width) {
    use.reason = plan.by_rows()
                     ? "the reduced rows have fewer elements than a vector "
                       "register"
                     : "there are fewer columns than elements in a vector "
                       "register";
  }
  return use;
}

VectorUse UseOf(const ScanPlan& plan, const TargetInfo& target) {
  VectorUse use;
  use.width = WidthFor(*Leaves(plan.scan->shape())[0], target);
  use.lanes = std::min(plan.lanes, use.width);
  if (use.lanes < use.width) {
    use.reason = "each element of the scan needs the one before it";
  }
  return use;
}

}  // namespace

VectorUse VectorUseOf(const HloInstruction& instruction,
                      const TargetInfo& target) {
  const CodeFamily family = CodeFamilyOf(instruction);
  switch (family) {
    case CodeFamily::kNone:
      return {};
    case CodeFamily::kScan:
      if (const std::optional<ScanPlan> plan = PlanScan(instruction, target)) {
        return UseOf(*plan, target);
      }
      return {};
    case CodeFamily::kScatter: {
      const HloInstruction* scatter = ScatterOf(instruction);
      if (scatter == nullptr) return {};
      VectorUse use;
      use.width = WidthFor(*Leaves(scatter->shape())[0], target);
      use.reason =
          "updates are made one after the other, since several may be of one "
          "element";
      return use;
    }
    case CodeFamily::kUpdateInPlace: {
      // The loop is over what is written.
      const HloInstruction* root =
          instruction.opcode() == HloOpcode::kFusion
              ? instruction.fused_instructions_computation()->root_instruction()
              : &instruction;
      root = BeforeReshapes(root);
      if (root->opcode() != HloOpcode::kDynamicUpdateSlice) return {};
      return UseOf(
          PlanLoop(root->operand(1)->shape(), ValuesOf(instruction), target));
    }
    case CodeFamily::kReduction:
      if (const std::optional<ReductionPlan> plan =
              PlanReduction(instruction, target)) {
        return UseOf(*plan, target);
      }
      break;
    case CodeFamily::kLoop:
      break;
  }
  VectorUse tiled;
  tiled.tiled = true;
  if (PlanTiles(instruction, target).has_value() ||
      PlanColumns(instruction, target).has_value()) {
    return tiled;
  }
  const Shape* shape = LoopShape(instruction);
  if (shape == nullptr) return {};
  return UseOf(PlanLoop(*shape, ValuesOf(instruction), target));
}

}  // namespace xla::cpu
