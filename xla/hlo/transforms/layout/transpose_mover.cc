// Grows a region from each side of each transpose, and rewrites those that save
// bytes.
#include "xla/hlo/transforms/layout/transpose_mover.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"
#include "xla/core/permutation_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/layout/order_region.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using InstructionSet = OrderRegion::InstructionSet;

// How often the pass goes through all transposes of a computation. One time is
// nearly always enough; regions that touch may need another.
constexpr int kMaxSweeps = 4;

// Makes the ops that a region chose, in their new order.
class Rewriter {
 public:
  explicit Rewriter(const OrderRegion& region) : region_(region) {}

  // Adds the replaced ops, which have no users left but each other and
  // transposes without users, to `dead`.
  absl::Status Run(HloComputation* computation, InstructionSet& dead) {
    std::vector<Hlo> replaced;
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      const OrderedOp* op = region_.chosen(hlo);
      if (op == nullptr) continue;
      replaced.push_back(hlo);
      Make(hlo, *op);
    }
    for (Hlo hlo : replaced) {
      if (hlo->shape().IsArray()) {
        TF_RETURN_IF_ERROR(MoveOtherUses(hlo, dead));
      }
    }
    dead.insert(replaced.begin(), replaced.end());
    return absl::OkStatus();
  }

 private:
  void Make(Hlo hlo, const OrderedOp& op) {
    std::vector<Hlo> operands;
    for (int64_t i = 0; i < hlo->operand_count(); ++i) {
      Hlo x = hlo->mutable_operand(i);
      if (op.operands[i].empty()) {
        operands.push_back(x);
      } else if (!x->shape().IsArray()) {
        operands.push_back(made_.at(x));
      } else {
        const OrderedView view = ViewOf(x);
        operands.push_back(
            Get(view.base, ComposePermutations(view.order, op.operands[i])));
      }
    }
    made_[hlo] = AddOrdered(hlo, op, operands);
  }

  // Returns `base` in `order`.
  Hlo Get(Hlo base, const DimensionOrder& order) {
    const bool is_made = region_.chosen(base) != nullptr;
    const DimensionOrder stored = region_.StoredOrder(base);
    if (stored == order) return is_made ? made_.at(base) : base;
    auto [it, is_new] = in_order_.try_emplace(base);
    if (is_new && !is_made) {
      for (auto& [view, view_order] : ViewsOf(base)) {
        it->second.emplace_back(view_order, view);
      }
    }
    for (const auto& [known, hlo] : it->second) {
      if (known == order) return hlo;
    }
    Hlo hlo = MakeInOrder(base, is_made ? made_.at(base) : base, stored, order);
    in_order_[base].emplace_back(order, hlo);
    return hlo;
  }

  // Makes `base`, which is `now` in the order `stored`, in `order`.
  Hlo MakeInOrder(Hlo base, Hlo now, const DimensionOrder& stored,
                  const DimensionOrder& order) {
    if (IsFree(*base, order) && !base->IsConstant()) {
      const OrderedOp op = *OrderedByResult(*base, order);
      std::vector<Hlo> operands;
      if (base->operand_count() > 0) {
        const OrderedView view = ViewOf(base->mutable_operand(0));
        operands.push_back(
            Get(view.base, ComposePermutations(view.order, op.operands[0])));
      }
      return AddOrdered(base, op, operands);
    }
    const Shape& shape = base->shape();
    TransposeAttrs attrs;
    for (int64_t d : order) {
      attrs.dimensions.push_back(absl::c_find(stored, d) - stored.begin());
    }
    Shape moved = ShapeUtil::MakeShape(shape.element_type(),
                                       Permute(shape.dimensions(), order));
    const bool in_place =
        MemoryOrder(shape, stored) == MemoryOrder(shape, order);
    Hlo hlo = base->parent()->AddInstruction(
        in_place ? HloInstruction::Create(HloOpcode::kReshape, moved, {now})
                 : HloInstruction::Create(HloOpcode::kTranspose, moved, {now},
                                          std::move(attrs)));
    hlo->set_metadata(base->metadata());
    return hlo;
  }

  // Gives the users of `base` that are not replaced what was made for it.
  absl::Status MoveOtherUses(Hlo base, const InstructionSet& dead) {
    for (auto& [view, order] : ViewsOf(base)) {
      const std::vector<Hlo> users = view->users();
      for (Hlo user : users) {
        if (dead.contains(user) || IsMovable(*user) ||
            region_.chosen(user) != nullptr) {
          continue;
        }
        TF_RETURN_IF_ERROR(view->ReplaceUseWith(user, Get(base, order)));
      }
      if (view->IsRoot()) {
        view->parent()->set_root_instruction(Get(base, order));
      }
    }
    return absl::OkStatus();
  }

  const OrderRegion& region_;
  absl::flat_hash_map<Hlo, Hlo> made_;
  absl::flat_hash_map<Hlo, std::vector<std::pair<DimensionOrder, Hlo>>>
      in_order_;
};

class ComputationMover {
 public:
  explicit ComputationMover(HloComputation* computation)
      : computation_(computation) {}

  absl::StatusOr<bool> Run() {
    bool changed = false;
    for (int i = 0; i < kMaxSweeps; ++i) {
      TF_ASSIGN_OR_RETURN(bool again, Sweep());
      changed |= again;
      if (!again) break;
    }
    if (changed) TF_RETURN_IF_ERROR(RemoveUnused());
    return changed;
  }

 private:
  absl::StatusOr<bool> Sweep() {
    std::vector<Hlo> transposes;
    for (Hlo hlo : computation_->MakeInstructionPostOrder()) {
      if (IsMovable(*hlo)) transposes.push_back(hlo);
    }
    bool changed = false;
    tried_.clear();
    for (Hlo hlo : transposes) {
      const DimensionOrder order = hlo->attrs<TransposeAttrs>().dimensions;
      TF_ASSIGN_OR_RETURN(bool after, Try(hlo, InversePermutation(order)));
      TF_ASSIGN_OR_RETURN(bool before, Try(hlo->mutable_operand(0), order));
      changed |= after || before;
    }
    return changed;
  }

  absl::StatusOr<bool> Try(Hlo seed, const DimensionOrder& order) {
    if (dead_.contains(seed) || tried_.contains({seed, order})) return false;
    OrderRegion region(&dead_);
    region.Grow(seed, order);
    if (region.Choose()) {
      TF_RETURN_IF_ERROR(Rewriter(region).Run(computation_, dead_));
      return true;
    }
    for (const auto& reached : region.reached()) tried_.insert(reached);
    return false;
  }

  absl::Status RemoveUnused() {
    std::vector<Hlo> order = computation_->MakeInstructionPostOrder();
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      Hlo hlo = *it;
      if (hlo->user_count() > 0 || hlo->IsRoot() || hlo->HasSideEffect() ||
          hlo->HasControlDependencies() ||
          hlo->opcode() == HloOpcode::kParameter) {
        continue;
      }
      TF_RETURN_IF_ERROR(computation_->RemoveInstruction(hlo));
    }
    return absl::OkStatus();
  }

  HloComputation* computation_;
  InstructionSet dead_;  // replaced, but not yet removed
  // What was reached in regions that did not change.
  absl::flat_hash_set<std::pair<Hlo, DimensionOrder>> tried_;
};

}  // namespace

absl::StatusOr<bool> TransposeMover::Run(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    if (computation->IsFusionComputation()) continue;
    TF_ASSIGN_OR_RETURN(bool once, ComputationMover(computation).Run());
    changed |= once;
  }
  return changed;
}

}  // namespace xla
