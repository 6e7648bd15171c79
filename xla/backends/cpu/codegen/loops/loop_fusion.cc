// Loop fusions, and dynamic-update-slices in place.
#include "xla/backends/cpu/codegen/loops/loop_fusion.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/codegen/loops/column_loop.h"
#include "xla/backends/cpu/codegen/loops/loop_emitter.h"
#include "xla/backends/cpu/codegen/loops/tiled_loop.h"
#include "xla/backends/cpu/codegen/plans/column_plan.h"
#include "xla/backends/cpu/codegen/plans/tile_plan.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

// A body with at most this many values is worth unrolling.
constexpr size_t kSimpleBody = 8;

// Returns the dynamic-update-slice at `root`, looking through bitcasts, or
// null.
const HloInstruction* UpdateAt(const Root& root) {
  const HloInstruction* value = root.value;
  while (value->opcode() == HloOpcode::kBitcast) value = value->operand(0);
  return value->opcode() == HloOpcode::kDynamicUpdateSlice ? value : nullptr;
}

// Emits a whole loop over `outputs`, which have the same number of elements.
absl::Status EmitWholeLoop(BoundInstruction& bound,
                           absl::Span<const LoopOutput> outputs,
                           const Shape& shape) {
  llvm::IRBuilder<>& b = bound.emitter().b();
  const LoopPlan plan =
      PlanLoop(shape, ValuesOf(bound.instruction()), bound.context().target);
  return EmitLoop(bound.emitter(), plan, shape, outputs, b.getInt64(0),
                  b.getInt64(plan.workgroups()), bound.in_place());
}

absl::Status EmitUpdate(BoundInstruction& bound, const Root& root,
                        const HloInstruction* update_op) {
  llvm::IRBuilder<>& b = bound.emitter().b();
  const HloInstruction* update = update_op->operand(1);
  const AffineIndexBuilder scalar(b, 1);
  std::vector<AffineIndex> starts;
  for (size_t d = 0; d < update->shape().dimensions().size(); ++d) {
    const int64_t largest =
        update_op->shape().dimensions(d) - update->shape().dimensions(d);
    TF_ASSIGN_OR_RETURN(
        AffineIndex start,
        EmitSliceStart(bound.emitter(), update_op->operand(2 + d), largest));
    starts.push_back(start);
  }
  LoopOutput output{.value = update,
                    .array = root.array.WithShape(&update_op->shape())};
  output.place = [&](const VectorIndex& index) {
    VectorIndex at = index;
    at.MakeTerms(b, update->shape().dimensions());
    VectorIndex result{.lanes = index.lanes};
    const AffineIndexBuilder t(b, index.lanes);
    for (size_t d = 0; d < starts.size(); ++d) {
      result.terms.push_back(t.Add(at.terms[d], starts[d]));
    }
    if (starts.empty()) result.linear = index.linear;
    return result;
  };
  return EmitWholeLoop(bound, {output}, update->shape());
}

// Emits workgroups [begin, end) of all outputs of a loop fusion.
absl::Status EmitOutputs(BoundInstruction& bound,
                         absl::Span<const LoopOutput> outputs,
                         llvm::Value* begin, llvm::Value* end) {
  const std::vector<LoopValue> values = ValuesOf(bound.instruction());
  if (const std::optional<TilePlan> tiles =
          PlanTiles(bound.instruction(), bound.context().target)) {
    const bool simple =
        values.size() <= kSimpleBody &&
        std::none_of(values.begin(), values.end(), [](const LoopValue& value) {
          return !value.in_memory && IsCostly(value.hlo->opcode());
        });
    return EmitTiledLoop(bound.emitter(), *tiles, outputs, begin, end, simple,
                         bound.in_place());
  }
  if (const std::optional<ColumnPlan> columns =
          PlanColumns(bound.instruction(), bound.context().target)) {
    return EmitColumnLoop(bound.emitter(), *columns, outputs, begin, end,
                          bound.in_place());
  }
  if (const Shape* shape = LoopShape(bound.instruction())) {
    const LoopPlan plan = PlanLoop(*shape, values, bound.context().target);
    return EmitLoop(bound.emitter(), plan, *shape, outputs, begin, end,
                    bound.in_place());
  }
  // Outputs of several sizes get a loop each, all in one workgroup.
  for (const LoopOutput& output : outputs) {
    ElementalEmitter::Scope scope(bound.emitter());
    TF_RETURN_IF_ERROR(EmitWholeLoop(bound, {output}, output.array.shape()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status EmitLoopFusion(BoundInstruction& bound, llvm::Value* begin,
                            llvm::Value* end) {
  if (bound.roots().empty()) return absl::OkStatus();
  std::vector<LoopOutput> outputs;
  for (const Root& root : bound.roots()) {
    outputs.push_back(
        {.value = root.value, .leaf = root.leaf, .array = root.array});
  }
  return EmitOutputs(bound, outputs, begin, end);
}

absl::Status EmitLoopOfRows(BoundInstruction& bound, int64_t columns,
                            llvm::Value* begin, llvm::Value* end) {
  const Shape& shape = *LoopShape(bound.instruction());
  const Root& root = bound.roots()[0];
  const LoopPlan plan = PlanRows(shape, ValuesOf(bound.instruction()), columns,
                                 bound.context().target);
  const LoopOutput output{
      .value = root.value, .leaf = root.leaf, .array = root.array};
  return EmitLoop(bound.emitter(), plan, shape, {output}, begin, end,
                  bound.in_place());
}

absl::Status EmitUpdateInPlace(BoundInstruction& bound, llvm::Value* begin,
                               llvm::Value* end) {
  // Other outputs come first: they may read what the updates overwrite.
  for (const bool updates : {false, true}) {
    for (size_t leaf = 0; leaf < bound.roots().size(); ++leaf) {
      const Root& root = bound.roots()[leaf];
      const HloInstruction* update = UpdateAt(root);
      const bool in_place =
          update != nullptr &&
          CpuAliasInfo().MustAlias(bound.instruction(), leaf).has_value();
      if (in_place != updates) continue;
      ElementalEmitter::Scope scope(bound.emitter());
      if (in_place) {
        TF_RETURN_IF_ERROR(EmitUpdate(bound, root, update));
      } else {
        const LoopOutput output{
            .value = root.value, .leaf = root.leaf, .array = root.array};
        TF_RETURN_IF_ERROR(EmitWholeLoop(bound, {output}, root.array.shape()));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace xla::cpu
