// Grows a region from each side of each transpose, and rewrites those that save
// bytes.
#include "xla/hlo/transforms/layout/transpose_mover.h"

#include <cstdint>
#include <iterator>
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
// How many arrays the regions of one time may have, for each instruction of the
// computation: a network has a region for each order that its convolutions
// ask for. Then the remaining transposes stay.
constexpr int64_t kMaxVisits = 64;
// A cut of larger regions could take long.
constexpr size_t kMaxMembers = 1 << 16;

// Makes the ops that a region chose, in their new order.
class Rewriter {
 public:
  explicit Rewriter(const OrderRegion& region) : region_(region) {}

  // Adds the replaced ops, which have no users left but each other and
  // transposes without users, to `dead`.
  absl::Status Run(InstructionSet& dead) {
    const std::vector<Hlo> replaced = ChosenInOrder();
    for (Hlo hlo : replaced) Make(hlo, *region_.chosen(hlo));
    for (Hlo hlo : replaced) {
      if (hlo->shape().IsArray()) {
        TF_RETURN_IF_ERROR(MoveOtherUses(hlo, dead));
      }
    }
    dead.insert(replaced.begin(), replaced.end());
    return absl::OkStatus();
  }

 private:
  // Returns the chosen op whose value is needed to make operand `i` of `hlo`;
  // null if there is none.
  Hlo ChosenOperand(Hlo hlo, int64_t i) const {
    Hlo x = hlo->mutable_operand(i);
    while (true) {
      if (x->shape().IsArray()) x = ViewOf(x).base;
      if (region_.chosen(x) != nullptr) return x;
      // A broadcast may be made again from its operand.
      if (x->opcode() != HloOpcode::kBroadcast) return nullptr;
      x = x->mutable_operand(0);
    }
  }

  // Returns the chosen ops, each behind those that it needs.
  std::vector<Hlo> ChosenInOrder() const {
    std::vector<Hlo> order;
    InstructionSet seen;
    std::vector<std::pair<Hlo, int64_t>> path;  // and the operand to visit next
    for (Hlo member : region_.members()) {
      if (region_.chosen(member) == nullptr || !seen.insert(member).second) {
        continue;
      }
      path.emplace_back(member, 0);
      while (!path.empty()) {
        auto& [hlo, next] = path.back();
        if (next == hlo->operand_count()) {
          order.push_back(hlo);
          path.pop_back();
          continue;
        }
        Hlo needed = ChosenOperand(hlo, next++);
        if (needed != nullptr && seen.insert(needed).second) {
          path.emplace_back(needed, 0);
        }
      }
    }
    return order;
  }

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
    const std::vector<Hlo> all = computation_->MakeInstructionPostOrder();
    absl::c_copy_if(all, std::back_inserter(transposes),
                    [](Hlo hlo) { return IsMovable(*hlo); });
    visits_left_ = kMaxVisits * static_cast<int64_t>(all.size());
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
    if (dead_.contains(seed) || visits_left_ <= 0 ||
        tried_.contains({seed, order})) {
      return false;
    }
    OrderRegion region(&dead_);
    region.Grow(seed, order);
    visits_left_ -= static_cast<int64_t>(region.reached().size());
    if (region.members().size() <= kMaxMembers && region.Choose()) {
      TF_RETURN_IF_ERROR(Rewriter(region).Run(dead_));
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
  InstructionSet dead_;      // replaced, but not yet removed
  int64_t visits_left_ = 0;  // in this sweep
  // What was reached in regions that did not change.
  absl::flat_hash_set<std::pair<Hlo, DimensionOrder>> tried_;
};

}  // namespace

absl::StatusOr<bool> TransposeMover::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    if (computation->IsFusionComputation()) continue;
    TF_ASSIGN_OR_RETURN(bool once, ComputationMover(computation).Run());
    changed |= once;
  }
  return changed;
}

}  // namespace xla
