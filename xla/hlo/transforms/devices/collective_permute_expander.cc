// Makes slices, permutes them, and updates the outputs.
#include "xla/hlo/transforms/devices/collective_permute_expander.h"

#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/permuted_slices.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

class InPlacePermute {
 public:
  explicit InPlacePermute(Hlo hlo)
      : hlo_(hlo),
        attrs_(hlo->attrs<CollectivePermuteAttrs>()),
        slices_(attrs_, hlo->operand(0)->shape()),
        emit_(hlo) {}

  absl::Status Expand() {
    std::vector<Hlo> results;
    for (int64_t i = 0; i < slices_.array_count(); ++i) {
      results.push_back(ArrayOf(1, i));
    }
    // All slices are sent unchanged before any arrives.
    std::vector<std::vector<Hlo>> received;
    for (int64_t slice = 0; slice < slices_.slice_count(); ++slice) {
      received.push_back(Send(slice));
    }
    for (int64_t slice = 0; slice < slices_.slice_count(); ++slice) {
      Hlo is_target = IsTarget(slice);
      for (int64_t i = 0; i < slices_.array_count(); ++i) {
        const std::vector<Hlo> starts = StartsOf(3, i, slice);
        Hlo update = received[slice][i];
        if (is_target != nullptr) {
          const auto& sizes = slices_.sizes(i, slice);
          update = emit_.Select(emit_.Splat(is_target, sizes), update,
                                emit_.DynamicSlice(results[i], starts, sizes));
        }
        results[i] = emit_.DynamicUpdateSlice(results[i], update, starts);
      }
    }
    for (Hlo before : hlo_->control_predecessors()) {
      for (Hlo permute : permutes_) {
        TF_RETURN_IF_ERROR(before->AddControlDependencyTo(permute));
      }
    }
    return emit_.ReplaceSource(InTuple() ? emit_.Tuple(results) : results[0]);
  }

 private:
  bool InTuple() const { return hlo_->shape().IsTuple(); }

  Hlo ArrayOf(int64_t operand, int64_t array) {
    Hlo arrays = hlo_->mutable_operand(operand);
    return InTuple() ? emit_.Element(arrays, array) : arrays;
  }

  std::vector<Hlo> StartsOf(int64_t operand, int64_t array, int64_t slice) {
    Hlo starts = ArrayOf(operand, array);
    if (starts->shape().tuple_shapes(0).IsTuple()) {
      starts = emit_.Element(starts, slice);
    }
    std::vector<Hlo> indices;
    for (int d = 0; d < starts->shape().tuple_shapes_size(); ++d) {
      indices.push_back(emit_.Element(starts, d));
    }
    return indices;
  }

  // Returns what this device receives of slice `slice` of each array; zeros
  // where it receives nothing.
  std::vector<Hlo> Send(int64_t slice) {
    std::vector<Hlo> sent;
    std::vector<Shape> shapes;
    for (int64_t i = 0; i < slices_.array_count(); ++i) {
      sent.push_back(emit_.DynamicSlice(ArrayOf(0, i), StartsOf(2, i, slice),
                                        slices_.sizes(i, slice)));
      shapes.push_back(sent.back()->shape());
    }
    CollectivePermuteAttrs attrs;
    attrs.channel_id = attrs_.channel_id;
    attrs.source_target_pairs = slices_.pairs(slice);
    const bool one = sent.size() == 1;
    Hlo permute = emit_.Add(HloOpcode::kCollectivePermute,
                            one ? shapes[0] : ShapeUtil::MakeTupleShape(shapes),
                            sent, std::move(attrs));
    permutes_.push_back(permute);
    if (one) return {permute};
    std::vector<Hlo> received;
    for (size_t i = 0; i < sent.size(); ++i) {
      received.push_back(emit_.Element(permute, i));
    }
    return received;
  }

  // Returns pred[]: whether this device receives slice `slice`; null if all do.
  Hlo IsTarget(int64_t slice) {
    const HloModuleConfig& config = hlo_->GetModule()->config();
    const bool by_partition = attrs_.channel_id.has_value();
    const int64_t ids =
        by_partition ? config.num_partitions() : config.replica_count();
    Literal table(ShapeUtil::MakeShape(PRED, {ids}));
    int64_t targets = 0;
    for (const auto& [source, target] : slices_.pairs(slice)) {
      // The collective reports devices that do not exist.
      if (target >= ids) continue;
      table.Set<bool>({target}, true);
      ++targets;
    }
    if (targets == ids) return nullptr;
    Hlo id = emit_.Add(
        by_partition ? HloOpcode::kPartitionId : HloOpcode::kReplicaId,
        ShapeUtil::MakeShape(U32, {}), {});
    Hlo one = emit_.DynamicSlice(emit_.Constant(std::move(table)), {id}, {1});
    return emit_.Reshape(one, {});
  }

  Hlo hlo_;
  const CollectivePermuteAttrs attrs_;
  const PermutedSlices slices_;
  HloBuilder emit_;
  std::vector<Hlo> permutes_;
};

}  // namespace

absl::StatusOr<bool> CollectivePermuteExpander::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kCollectivePermute ||
          !IsInPlace(hlo->attrs<CollectivePermuteAttrs>())) {
        continue;
      }
      TF_RETURN_IF_ERROR(InPlacePermute(hlo).Expand());
      changed = true;
    }
  }
  if (changed) module->set_is_scheduled(false);
  return changed;
}

}  // namespace xla
