// Grows a region from each reduction, then copies it with fewer dimensions.
#include "xla/hlo/transforms/simplify/reduction_degenerate_dim_remover.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

// Returns the sizes other than 1.
Dims Squeezed(const Shape& shape) {
  Dims sizes;
  for (const int64_t size : shape.dimensions()) {
    if (size != 1) sizes.push_back(size);
  }
  return sizes;
}

// Returns those of `dimensions` of `shape` that are not of size 1, as numbers
// of dimensions of the squeezed shape.
Dims SqueezedDimensions(const Shape& shape,
                        absl::Span<const int64_t> dimensions) {
  Dims places(shape.rank());
  int64_t next = 0;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    places[d] = shape.dimensions(d) == 1 ? -1 : next++;
  }
  Dims squeezed;
  for (const int64_t d : dimensions) {
    if (places[d] >= 0) squeezed.push_back(places[d]);
  }
  return squeezed;
}

bool IsPlain(const HloInstruction& hlo) {
  const Shape& shape = hlo.shape();
  return shape.IsArray() && shape.is_static() && shape.has_layout() &&
         shape.layout() == LayoutUtil::GetDefaultLayoutForShape(shape);
}

Dims ReducedDimensions(const HloInstruction& reduce) {
  return SqueezedDimensions(reduce.operand(0)->shape(),
                            reduce.attrs<ReduceAttrs>().dimensions);
}

bool IsReductionOfOneArray(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kReduce && hlo.operand_count() == 2 &&
         !ReducedDimensions(hlo).empty();
}

// The instructions that work on the same rows, connected with each other.
class Region {
 public:
  explicit Region(Hlo reduce)
      : rows_(Squeezed(reduce->operand(0)->shape())),
        results_(Squeezed(reduce->shape())),
        reduced_(ReducedDimensions(*reduce)) {
    Add(reduce);
    for (size_t i = 0; i < members_.size(); ++i) {
      for (Hlo operand : members_[i]->operands()) Add(operand);
      for (Hlo user : members_[i]->users()) Add(user);
    }
  }

  // Whether an instruction may be in a region at all.
  static bool IsCandidate(const HloInstruction& hlo) {
    return IsPlain(hlo) && !hlo.HasControlDependencies() &&
           !hlo.has_sharding() && hlo.operand_count() > 0 &&
           std::all_of(hlo.operands().begin(), hlo.operands().end(),
                       [](const HloInstruction* x) { return IsPlain(*x); });
  }

  bool contains(const HloInstruction* hlo) const { return in_.contains(hlo); }

  // Whether reductions differ in dimensions of size 1.
  bool Differs() const {
    const HloInstruction* first = members_[0];
    return std::any_of(members_.begin(), members_.end(), [&](const Hlo hlo) {
      return hlo->opcode() == HloOpcode::kReduce &&
             (!ShapeUtil::SameDimensions(hlo->operand(0)->shape(),
                                         first->operand(0)->shape()) ||
              hlo->attrs<ReduceAttrs>().dimensions !=
                  first->attrs<ReduceAttrs>().dimensions);
    });
  }

  // Replaces the members, which are those of `order`, operands first.
  absl::Status Squeeze(absl::Span<const Hlo> order) const {
    absl::flat_hash_map<const HloInstruction*, Hlo> squeezed;
    for (Hlo hlo : order) {
      if (!contains(hlo)) continue;
      HloBuilder emit(hlo);
      std::vector<Hlo> operands;
      for (Hlo operand : hlo->operands()) {
        const auto it = squeezed.find(operand);
        operands.push_back(
            it != squeezed.end()
                ? it->second
                : emit.Reshape(operand, Squeezed(operand->shape())));
      }
      squeezed[hlo] = SqueezedCopy(*hlo, operands, emit);
    }
    for (Hlo hlo : order) {
      if (!contains(hlo) || !IsReadOutside(*hlo)) continue;
      HloBuilder emit(hlo);
      TF_RETURN_IF_ERROR(hlo->ReplaceAllUsesWith(
          emit.Reshape(squeezed.at(hlo), hlo->shape().dimensions())));
    }
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (!contains(*it)) continue;
      TF_RETURN_IF_ERROR((*it)->parent()->RemoveInstruction(*it));
    }
    return absl::OkStatus();
  }

 private:
  void Add(Hlo hlo) {
    if (!contains(hlo) && Belongs(*hlo)) {
      in_.insert(hlo);
      members_.push_back(hlo);
    }
  }

  bool Belongs(const HloInstruction& hlo) const {
    if (!IsCandidate(hlo)) return false;
    const Dims sizes = Squeezed(hlo.shape());
    const Dims before = Squeezed(hlo.operand(0)->shape());
    if (hlo.opcode() == HloOpcode::kReduce) {
      return IsReductionOfOneArray(hlo) && before == rows_ &&
             ReducedDimensions(hlo) == reduced_;
    }
    if (sizes != rows_ && sizes != results_) return false;
    switch (hlo.opcode()) {
      case HloOpcode::kBroadcast:
        return true;
      case HloOpcode::kReshape:
        return before == sizes;
      case HloOpcode::kTranspose: {
        const Dims order = SqueezedDimensions(
            hlo.operand(0)->shape(), hlo.attrs<TransposeAttrs>().dimensions);
        return std::is_sorted(order.begin(), order.end());
      }
      default:
        return hlo.IsElementwiseOp() && hlo.opcode() != HloOpcode::kMap &&
               hlo.opcode() != HloOpcode::kCopy;
    }
  }

  static Hlo SqueezedCopy(const HloInstruction& hlo,
                          absl::Span<const Hlo> operands, HloBuilder& emit) {
    const Shape shape =
        emit.MakeShape(hlo.shape().element_type(), Squeezed(hlo.shape()));
    switch (hlo.opcode()) {
      case HloOpcode::kReshape:
      case HloOpcode::kTranspose:
        return operands[0];
      case HloOpcode::kBroadcast: {
        // Dimensions of size 1 of the operand have that size in the result.
        Dims places = SqueezedDimensions(
            hlo.shape(), hlo.attrs<BroadcastAttrs>().dimensions);
        return emit.Broadcast(operands[0], shape.dimensions(), places);
      }
      case HloOpcode::kReduce:
        return emit.Add(HloOpcode::kReduce, shape, operands,
                        ReduceAttrs{ReducedDimensions(hlo)}, {hlo.to_apply()});
      default:
        return emit.computation()->AddInstruction(
            hlo.CloneWithNewOperands(shape, operands));
    }
  }

  bool IsReadOutside(const HloInstruction& hlo) const {
    return hlo.IsRoot() ||
           std::any_of(hlo.users().begin(), hlo.users().end(),
                       [&](const Hlo user) { return !contains(user); });
  }

  const Dims rows_, results_, reduced_;
  std::vector<Hlo> members_;
  absl::flat_hash_set<const HloInstruction*> in_;
};

// Changes one region.
absl::StatusOr<bool> SqueezeOne(HloComputation* computation) {
  absl::flat_hash_set<const HloInstruction*> seen;
  const std::vector<Hlo> order = computation->MakeInstructionPostOrder();
  for (Hlo hlo : order) {
    if (!IsReductionOfOneArray(*hlo) || !Region::IsCandidate(*hlo) ||
        seen.contains(hlo)) {
      continue;
    }
    const Region region(hlo);
    if (region.Differs()) {
      TF_RETURN_IF_ERROR(region.Squeeze(order));
      return true;
    }
    for (const Hlo other : order) {
      if (region.contains(other)) seen.insert(other);
    }
  }
  return false;
}

}  // namespace

absl::StatusOr<bool> ReductionDegenerateDimRemover::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    if (computation->IsFusionComputation()) continue;
    bool again = true;
    while (again) {
      TF_ASSIGN_OR_RETURN(again, SqueezeOne(computation));
      changed |= again;
    }
  }
  return changed;
}

}  // namespace xla
