// Lanes and blocks of loops over rows and columns.
#include "xla/backends/cpu/codegen/folds/reduction_plan.h"

#include <algorithm>
#include <bit>

#include "xla/backends/cpu/codegen/loop_emitter.h"
#include "xla/backends/cpu/codegen/work.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

constexpr int64_t kBlockColumns = 1024;

// The reduction itself, or what is in the fusion.
std::vector<const HloInstruction*> ValuesIn(const HloInstruction& instruction) {
  if (instruction.opcode() != HloOpcode::kFusion) return {&instruction};
  return ValuesOf(instruction);
}

void ChooseLanes(const HloInstruction& instruction, const TargetInfo& target,
                 ReductionPlan& plan) {
  int bytes = 1;
  int costly = 0;
  const std::vector<const HloInstruction*> values = ValuesIn(instruction);
  for (const HloInstruction* value : values) {
    for (const Shape* leaf : Leaves(value->shape())) {
      if (ShapeUtil::ElementsIn(*leaf) >= plan.reduced) {
        bytes = std::max(bytes, RegisterBytes(leaf->element_type()));
      }
    }
    if (value->opcode() != HloOpcode::kReduce && IsCostly(value->opcode())) {
      ++costly;
    }
  }
  // Several registers hide the latency of the reducer.
  const int unroll = costly > 0 ? 2 : values.size() <= 8 ? 8 : 4;
  const int64_t length = plan.by_rows() ? plan.reduced : plan.inner;
  plan.lanes = static_cast<int>(
      std::min<int64_t>(unroll * target.vector_bytes / bytes,
                        std::bit_floor(static_cast<uint64_t>(length))));
  plan.block = plan.by_rows() ? 1 : std::min(plan.inner, kBlockColumns);
}

}  // namespace

std::optional<ReductionPlan> PlanReduction(const HloInstruction& instruction,
                                           const TargetInfo& target) {
  std::optional<ReductionStructure> structure =
      FindReductionStructure(instruction);
  if (!structure.has_value()) return std::nullopt;
  ReductionPlan plan{*std::move(structure)};
  ChooseLanes(instruction, target, plan);
  return plan;
}

}  // namespace xla::cpu
