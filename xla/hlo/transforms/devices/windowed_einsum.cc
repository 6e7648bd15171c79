// The blocks are broadcasts of one member after the other.
#include "xla/hlo/transforms/devices/windowed_einsum.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/channels.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/device_groups.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// Each block takes instructions of its own.
constexpr size_t kMostBlocks = 64;

// The gathered operand of a dot.
struct GatheredOperand {
  int64_t operand = 0;
  int64_t dimension = 0;
  // The groups as a collective-broadcast numbers devices, all of one size.
  std::vector<std::vector<int64_t>> groups;
};

// Returns the groups of an all-gather as those of partitions, or of replicas if
// there is one partition; empty if they cannot be said so, or differ in size.
absl::StatusOr<std::vector<std::vector<int64_t>>> GroupsOf(
    const HloInstruction& all_gather) {
  const HloModuleConfig& config = all_gather.GetModule()->config();
  const DeviceCounts counts = {config.replica_count(), config.num_partitions()};
  const auto& attrs = all_gather.attrs<AllGatherAttrs>();
  std::vector<std::vector<int64_t>> groups;
  if (counts.replicas != 1 && counts.partitions != 1) return groups;
  if (attrs.channel_id.has_value() != (counts.replicas == 1)) return groups;
  TF_ASSIGN_OR_RETURN(const CollectiveOpGroupMode mode,
                      GetCollectiveOpGroupMode(attrs.channel_id.has_value(),
                                               attrs.use_global_device_ids));
  for (int64_t device = 0; device < counts.devices(); ++device) {
    TF_ASSIGN_OR_RETURN(
        std::vector<int64_t> group,
        DevicesOfGroup(attrs.replica_groups, mode, counts, device));
    if (group.empty() || group.size() > kMostBlocks ||
        (!groups.empty() && group.size() != groups[0].size())) {
      return std::vector<std::vector<int64_t>>();
    }
    // Each group comes once for each member.
    if (group[0] == device) groups.push_back(std::move(group));
  }
  return groups;
}

absl::StatusOr<std::optional<GatheredOperand>> FindGathered(
    const HloInstruction& dot, int64_t min_bytes) {
  for (int64_t i = 0; i < 2; ++i) {
    const HloInstruction& all_gather = *dot.operand(i);
    if (all_gather.opcode() != HloOpcode::kAllGather ||
        all_gather.operand_count() != 1 || all_gather.user_count() != 1 ||
        all_gather.HasControlDependencies() ||
        dot.operand(0) == dot.operand(1) || dot.HasControlDependencies() ||
        ShapeUtil::ByteSizeOfElements(all_gather.shape()) < min_bytes) {
      continue;
    }
    GatheredOperand found;
    found.operand = i;
    found.dimension = all_gather.attrs<AllGatherAttrs>().dimensions[0];
    TF_ASSIGN_OR_RETURN(found.groups, GroupsOf(all_gather));
    if (!found.groups.empty() && found.groups[0].size() > 1) return found;
  }
  return std::nullopt;
}

class BlockedDot {
 public:
  BlockedDot(Hlo dot, GatheredOperand gathered, const DimensionFactors& factors,
             int64_t& channels)
      : dot_(dot),
        gathered_(std::move(gathered)),
        emit_(dot),
        channels_(channels) {
    const int64_t i = gathered_.operand;
    const int32_t factor = factors.operands[i][gathered_.dimension][0];
    result_dimension_ =
        DimensionFactors::DimensionOf(factors.results[0], factor);
    other_dimension_ =
        DimensionFactors::DimensionOf(factors.operands[1 - i], factor);
    block_ = dot->mutable_operand(i)->mutable_operand(0);
    size_ = block_->shape().dimensions(gathered_.dimension);
  }

  absl::StatusOr<Hlo> Emit() {
    Hlo result = nullptr;
    const int64_t blocks = gathered_.groups[0].size();
    for (int64_t b = 0; b < blocks; ++b) {
      Hlo block = Broadcast(b);
      // The block before is no longer needed.
      if (result != nullptr) {
        TF_RETURN_IF_ERROR(result->AddControlDependencyTo(block));
      }
      result = Combine(result, Multiply(block, b), b);
    }
    if (result_dimension_ < 0) {
      result = emit_.Convert(result, dot_->shape().element_type());
    }
    *result->mutable_shape() = dot_->shape();
    return result;
  }

 private:
  // The block of the member of this number in each group.
  Hlo Broadcast(int64_t member) {
    CollectiveBroadcastAttrs attrs;
    if (dot_->GetModule()->config().num_partitions() > 1) {
      attrs.channel_id = ++channels_;
    }
    ReplicaGroups::Groups groups = gathered_.groups;
    for (std::vector<int64_t>& group : groups) {
      std::rotate(group.begin(), group.begin() + member,
                  group.begin() + member + 1);
    }
    attrs.replica_groups = ReplicaGroups(std::move(groups));
    return emit_.Add(HloOpcode::kCollectiveBroadcast, block_->shape(), {block_},
                     std::move(attrs));
  }

  Hlo Multiply(Hlo block, int64_t b) {
    Hlo other = dot_->mutable_operand(1 - gathered_.operand);
    if (other_dimension_ >= 0) {
      other =
          emit_.SliceDim(other, other_dimension_, b * size_, (b + 1) * size_);
    }
    std::vector<Hlo> operands = {block, other};
    if (gathered_.operand == 1) std::swap(operands[0], operands[1]);
    return emit_.computation()->AddInstruction(
        dot_->CloneWithNewOperands(ShapeOfBlock(), operands));
  }

  Shape ShapeOfBlock() {
    Shape shape = dot_->shape();
    if (result_dimension_ >= 0) {
      shape.set_dimensions(static_cast<int>(result_dimension_), size_);
    } else if (primitive_util::IsFloatingPointType(shape.element_type()) &&
               primitive_util::BitWidth(shape.element_type()) < 32) {
      shape.set_element_type(F32);
    }
    return shape;
  }

  // Puts the block's result into the whole, or adds it.
  Hlo Combine(Hlo whole, Hlo part, int64_t b) {
    if (result_dimension_ < 0) {
      return whole == nullptr ? part : emit_.Plus(whole, part);
    }
    const absl::Span<const int64_t> sizes = dot_->shape().dimensions();
    if (whole == nullptr) {
      Hlo zero = emit_.Zero(dot_->shape().element_type());
      whole = emit_.Splat(zero, sizes);
    }
    std::vector<Hlo> starts;
    for (size_t d = 0; d < sizes.size(); ++d) {
      const bool is_place = static_cast<int64_t>(d) == result_dimension_;
      starts.push_back(emit_.Integer(S64, is_place ? b * size_ : 0));
    }
    return emit_.DynamicUpdateSlice(whole, part, starts);
  }

  Hlo dot_;
  const GatheredOperand gathered_;
  HloBuilder emit_;
  int64_t& channels_;  // the largest in use
  Hlo block_;
  int64_t size_;
  int64_t result_dimension_;
  int64_t other_dimension_;
};

absl::StatusOr<bool> Replace(Hlo dot, int64_t min_bytes, int64_t& channels) {
  if (dot->opcode() != HloOpcode::kDot) return false;
  TF_ASSIGN_OR_RETURN(std::optional<GatheredOperand> gathered,
                      FindGathered(*dot, min_bytes));
  const std::optional<DimensionFactors> factors = DimensionFactorsOf(*dot);
  if (!gathered.has_value() || !factors.has_value()) return false;
  Hlo all_gather = dot->mutable_operand(gathered->operand);
  TF_ASSIGN_OR_RETURN(
      Hlo result,
      BlockedDot(dot, *std::move(gathered), *factors, channels).Emit());
  HloComputation* computation = dot->parent();
  TF_RETURN_IF_ERROR(dot->ReplaceAllUsesWith(result));
  TF_RETURN_IF_ERROR(computation->RemoveInstruction(dot));
  TF_RETURN_IF_ERROR(computation->RemoveInstruction(all_gather));
  return true;
}

}  // namespace

absl::StatusOr<bool> WindowedEinsum::RunImpl(HloModule* module) {
  int64_t channels = LargestChannelId(*module);
  bool changed = false;
  for (const auto& computation : module->computations()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      TF_ASSIGN_OR_RETURN(const bool replaced,
                          Replace(hlo, min_bytes_, channels));
      changed |= replaced;
    }
  }
  if (changed) module->set_is_scheduled(false);
  return changed;
}

}  // namespace xla
