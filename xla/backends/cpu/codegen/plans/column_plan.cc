// Finds the fusions that stack columns at the index of their loop.
#include "xla/backends/cpu/codegen/plans/column_plan.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "xla/backends/cpu/analysis/stacked_columns.h"
#include "xla/backends/cpu/codegen/plans/loop_plan.h"
#include "xla/backends/cpu/codegen/plans/tile_plan.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla::cpu {
namespace {

// The most lanes: squares of so many registers are transposed.
constexpr int64_t kMaxLanes = 16;
// The elements of a workgroup.
constexpr int64_t kBandElements = 4096;
// The most values whose code is emitted, those of a column of their own counted
// for each column.
constexpr int64_t kMaxEmitted = 4000;

// Whether some of `roots`, or a value that they read at the same index, stacks
// columns.
bool StacksAtIndex(std::vector<const HloInstruction*> roots,
                   const Shape& shape) {
  absl::flat_hash_set<const HloInstruction*> seen(roots.begin(), roots.end());
  std::vector<const HloInstruction*>& work = roots;
  for (size_t next = 0; next < work.size(); ++next) {
    const HloInstruction* value = work[next];
    if (StacksColumns(*value)) return true;
    if (!value->IsElementwiseOp()) continue;
    for (const HloInstruction* operand : value->operands()) {
      if (operand->shape().IsArray() &&
          ShapeUtil::SameDimensions(operand->shape(), shape) &&
          seen.insert(operand).second) {
        work.push_back(operand);
      }
    }
  }
  return false;
}

}  // namespace

std::optional<ColumnPlan> PlanColumns(const HloInstruction& instruction,
                                      const TargetInfo& target) {
  if (instruction.opcode() != HloOpcode::kFusion) return std::nullopt;
  const HloInstruction* root =
      instruction.fused_instructions_computation()->root_instruction();
  std::vector<const HloInstruction*> roots = {root};
  if (root->opcode() == HloOpcode::kTuple) {
    roots.assign(root->operands().begin(), root->operands().end());
  }
  for (const HloInstruction*& value : roots) {
    value = BeforeReshapes(value);
    if (!value->shape().IsArray() ||
        !ShapeUtil::SameDimensions(value->shape(), roots[0]->shape()) ||
        primitive_util::IsComplexType(value->shape().element_type())) {
      return std::nullopt;
    }
  }
  ColumnPlan plan;
  plan.shape = &roots[0]->shape();
  if (!StacksAtIndex(roots, *plan.shape)) return std::nullopt;
  const int64_t rank = static_cast<int64_t>(plan.shape->dimensions().size());
  plan.columns = plan.shape->dimensions(rank - 1);
  plan.rows = plan.shape->dimensions(rank - 2);
  const int64_t elements = ShapeUtil::ElementsIn(*plan.shape);
  if (elements == 0) return std::nullopt;
  plan.outer = elements / plan.rows / plan.columns;
  int bytes = 1;
  int64_t emitted = 0;
  for (const LoopValue& value : ValuesOf(instruction)) {
    const Shape& shape = value.hlo->shape();
    if (!shape.IsArray() || ShapeUtil::ElementsIn(shape) == 1) continue;
    bytes = std::max(bytes, RegisterBytes(shape.element_type()));
    emitted += std::clamp<int64_t>(
        ShapeUtil::ElementsIn(shape) / (elements / plan.columns), 1,
        plan.columns);
  }
  plan.lanes = static_cast<int>(
      std::min<int64_t>(kMaxLanes, target.vector_bytes / bytes));
  if (emitted > kMaxEmitted || plan.lanes < 2 || plan.rows < plan.lanes) {
    return std::nullopt;
  }
  plan.band =
      RoundUpTo(std::min(plan.rows, CeilOfRatio(kBandElements, plan.columns)),
                plan.lanes);
  plan.bands = CeilOfRatio(plan.rows, plan.band);
  return plan;
}

}  // namespace xla::cpu
