// Finds groups that are worth it, and moves each into a computation.
#include "xla/hlo/transforms/fuse/attention_fusion.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/transforms/fuse/attention.h"

namespace xla {
namespace {

// Values between dots that one core's second cache keeps anyway.
constexpr int64_t kMinBytes = 256 << 10;
// Fewer rows do not pay for packing right operands, fewer columns are no work.
constexpr int64_t kMinRows = 64;
constexpr int64_t kMinColumns = 32;
// Longer rows leave no room for a block of them in the second cache.
constexpr int64_t kMaxRowBytes = 32 << 10;
// Right operands of both dots together, for one item of the batch: every thread
// packs them for itself, and they too have to stay close to the core.
constexpr int64_t kMaxRightBytes = 4 << 20;

// Of an item of the batch.
int64_t RightBytes(const HloInstruction& dot) {
  const Shape& rhs = dot.operand(1)->shape();
  const int64_t rank = rhs.rank();
  return rhs.dimensions(rank - 2) * rhs.dimensions(rank - 1) *
         ShapeUtil::ByteSizeOfPrimitiveType(rhs.element_type());
}

bool IsWorthIt(const AttentionGroup& found) {
  const Shape& between = found.first->shape();
  const int64_t rank = between.rank();
  const int64_t rows = between.dimensions(rank - 2);
  const int64_t columns = between.dimensions(rank - 1);
  const int64_t row_bytes =
      columns * ShapeUtil::ByteSizeOfPrimitiveType(between.element_type());
  return rows >= kMinRows && columns >= kMinColumns &&
         row_bytes <= kMaxRowBytes &&
         RightBytes(*found.first) <= kMaxRightBytes &&
         RightBytes(*found.second) <=
             kMaxRightBytes - RightBytes(*found.first) &&
         ShapeUtil::ByteSizeOf(between) >= kMinBytes;
}

class Builder {
 public:
  explicit Builder(const AttentionGroup& found) : found_(found) {}

  absl::Status Build(HloComputation* computation) {
    HloInstruction* second = const_cast<HloInstruction*>(found_.second);
    fused_ = computation->parent()->AddEmbeddedComputation(
        std::make_unique<HloComputation>("attention"));
    fused_->set_is_fusion_computation(true);
    HloInstruction* root = Inside(*found_.first, -1, nullptr);
    root = Inside(*found_.middle, found_.operand, root);
    root = Inside(*second, 0, root);
    fused_->set_root_instruction(root);
    FusionAttrs attrs;
    attrs.kind = FusionKind::kCustom;
    auto fusion = HloInstruction::Create(HloOpcode::kFusion, second->shape(),
                                         operands_, attrs, {fused_});
    fusion->set_metadata(second->metadata());
    TF_RETURN_IF_ERROR(second->ReplaceAllUsesWith(
        computation->AddInstruction(std::move(fusion), "attention_fusion")));
    return computation->RemoveInstructionAndUnusedOperands(second);
  }

 private:
  // `hlo` in the computation; its operand `number`, through bitcasts, is
  // `value` there, the others are parameters.
  HloInstruction* Inside(const HloInstruction& hlo, int64_t number,
                         HloInstruction* value) {
    std::vector<HloInstruction*> operands;
    for (int64_t i = 0; i < hlo.operand_count(); ++i) {
      HloInstruction* outside =
          const_cast<HloInstruction&>(hlo).mutable_operand(i);
      if (i != number) {
        operands.push_back(Parameter(outside));
        continue;
      }
      if (value->shape() != outside->shape()) {
        value = fused_->AddInstruction(
            HloInstruction::Create(HloOpcode::kBitcast, outside->shape(),
                                   {value}),
            "bitcast");
      }
      operands.push_back(value);
    }
    return fused_->AddInstruction(
        hlo.CloneWithNewOperands(hlo.shape(), operands), hlo.name());
  }

  HloInstruction* Parameter(HloInstruction* outside) {
    HloInstruction*& inside = parameters_[outside];
    if (inside == nullptr) {
      inside =
          fused_->AddInstruction(HloInstruction::CreateParameter(
                                     static_cast<int64_t>(operands_.size()),
                                     outside->shape(), outside->name()),
                                 outside->name());
      operands_.push_back(outside);
    }
    return inside;
  }

  const AttentionGroup found_;
  HloComputation* fused_ = nullptr;
  std::vector<HloInstruction*> operands_;
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> parameters_;
};

}  // namespace

absl::StatusOr<bool> AttentionFusion::Run(HloModule* module) {
  std::vector<HloComputation*> computations;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    if (!computation->IsFusionComputation()) {
      computations.push_back(computation);
    }
  }
  bool changed = false;
  for (HloComputation* computation : computations) {
    // A dot may end one group and begin another: the earlier one is taken.
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      const std::optional<AttentionGroup> found = FindAttention(*hlo);
      if (!found.has_value() || !IsWorthIt(*found)) continue;
      TF_RETURN_IF_ERROR(Builder(*found).Build(computation));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
