// Chooses lanes and blocks of loops over rows and columns.
#include "xla/backends/cpu/codegen/plans/reduction_plan.h"

#include <algorithm>
#include <bit>

#include "xla/backends/cpu/codegen/plans/loop_plan.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/base/checked_math.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

constexpr int64_t kBlockColumns = 1024;
// The rows that one iteration of a loop over columns adds, if it may add
// several.
constexpr int kRowsTogether = 4;
// Rows of so many vectors are short; if there are enough of them, and few
// enough values in each, two are computed side by side. Fewer vectors yet
// become straight-line code.
constexpr int64_t kMostShortVectors = 8;
constexpr int64_t kLeastShortRows = 64;
constexpr size_t kMostShortValues = 64;
constexpr int kMostStraight = 2;

bool HasFewValues(size_t values) { return values <= 8; }

// Returns the reduction itself, or the instructions of the fusion.
std::vector<const HloInstruction*> ValuesIn(const HloInstruction& instruction) {
  std::vector<const HloInstruction*> computed;
  for (const auto& [value, in_memory] : ValuesOf(instruction)) {
    if (!in_memory) computed.push_back(value);
  }
  return computed;
}

// Returns the registers that one iteration of the loop processes. Code size and
// compile time grow with them.
int Unroll(const ReductionPlan& plan, bool costly, bool few_values) {
  // Two registers hide most of the latency of an elementary function.
  if (costly) return 2;
  // Four registers hide that of a reducer. Columns have accumulators of their
  // own and, with few values, several rows per iteration.
  if (plan.by_rows()) return 4;
  return few_values ? 1 : 2;
}

// A short row waits for its reductions longer than it computes: two of them
// share the time.
void PlanShortRows(size_t values, ReductionPlan& plan) {
  const int64_t vectors = CeilOfRatio(plan.reduced, int64_t{plan.lanes});
  if (vectors > kMostShortVectors || values > kMostShortValues) return;
  plan.straight = kMostStraight;
  if (plan.outer >= kLeastShortRows) plan.rows_together = 2;
}

void ChooseLanes(const HloInstruction& instruction, const TargetInfo& target,
                 ReductionPlan& plan) {
  int bytes = 1;
  bool costly = false;
  const auto include = [&](const Shape& shape) {
    for (const Shape* leaf : Leaves(shape)) {
      if (ShapeUtil::ElementsIn(*leaf) >= plan.reduced) {
        bytes = std::max(bytes, RegisterBytes(leaf->element_type()));
      }
    }
  };
  const std::vector<const HloInstruction*> values = ValuesIn(instruction);
  for (const HloInstruction* value : values) {
    include(value->shape());
    if (value->def().reduces) {
      for (const HloInstruction* operand : value->operands()) {
        include(operand->shape());
      }
    } else {
      costly |= IsCostly(value->opcode());
    }
  }
  const int unroll = Unroll(plan, costly, HasFewValues(values.size()));
  const int64_t length = plan.by_rows() ? plan.reduced : plan.inner;
  plan.lanes = static_cast<int>(
      std::min<int64_t>(unroll * target.vector_bytes / bytes,
                        std::bit_floor(static_cast<uint64_t>(length))));
  plan.block = plan.by_rows() ? 1 : std::min(plan.inner, kBlockColumns);
  if (plan.by_rows()) {
    PlanShortRows(values.size(), plan);
  } else if (HasFewValues(values.size()) && plan.reduced >= kRowsTogether) {
    plan.rows_together = kRowsTogether;
  }
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
