// Copies instructions before the loop; values that the body still reads become
// elements of the carry.
#include "xla/hlo/transforms/loops/while_loop_invariant_code_motion.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/transforms/loops/loop_carry.h"
#include "xla/hlo/transforms/loops/trip_count.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// Returns true for ops that are not worth an element of the carry.
bool IsCheap(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kConstant:
    case HloOpcode::kBroadcast:
    case HloOpcode::kIota:
    case HloOpcode::kReshape:
    case HloOpcode::kBitcast:
    case HloOpcode::kBitcastConvert:
    case HloOpcode::kSlice:
      return true;
    default:
      return false;
  }
}

// A collective of what never changes gives the same in every iteration; devices
// run a loop equally often. What it gathers stays in memory during the loop.
bool IsMovableCollective(const HloInstruction& hlo) {
  constexpr int64_t kMostBytes = int64_t{64} << 20;
  switch (hlo.opcode()) {
    case HloOpcode::kAllGather:
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllToAll:
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kReduceScatter:
      return Bytes(hlo) <= kMostBytes;
    default:
      return false;
  }
}

// Returns whether the op may run elsewhere. Elements of the carry, tuples, ops
// that order others, control flow and halves of a pair may not.
bool MayRunElsewhere(const HloInstruction& hlo) {
  const HloOpcode opcode = hlo.opcode();
  switch (hlo.def().cost_class) {
    case CostClass::kNone:
      return opcode == HloOpcode::kBitcast || opcode == HloOpcode::kConstant ||
             opcode == HloOpcode::kDomain;
    case CostClass::kMovement:
      return opcode != HloOpcode::kCopyStart && opcode != HloOpcode::kCopyDone;
    case CostClass::kDevice:
      // The ids of the device, which have no operands, are the same in every
      // iteration.
      return !hlo.def().device_dependent || hlo.operand_count() == 0 ||
             IsMovableCollective(hlo);
    case CostClass::kControl:
    case CostClass::kForeign:
      return false;
    case CostClass::kFusion:
    case XLA_ELEMENTWISE_COST_CLASSES:
    case CostClass::kApplication:
    case CostClass::kScatteredUpdate:
    case CostClass::kContraction:
    case CostClass::kAlgorithm:
      return true;
  }
  return true;
}

bool MayMove(const HloInstruction& hlo) {
  return hlo.shape().IsArray() && !hlo.IsRoot() && MayRunElsewhere(hlo) &&
         !hlo.HasControlDependencies() && !hlo.HasSideEffect();
}

class Mover {
 public:
  Mover(Hlo loop, CallerCounts& callers)
      : loop_(loop), body_(loop->while_body()), callers_(callers) {}

  absl::StatusOr<bool> Run() {
    FindInvariants();
    std::vector<Hlo> moved;
    for (Hlo hlo : order_) {
      if (IsCheap(hlo->opcode()) || !IsWorthIt(*hlo)) continue;
      if (IsReadByLoop(*hlo)) moved.push_back(hlo);
    }
    if (moved.empty()) return false;
    MakeOwn(moved);
    TF_RETURN_IF_ERROR(MoveBeforeLoop(loop_, moved));
    return true;
  }

 private:
  // Sets order_ to the instructions of the body that depend on nothing that
  // changes.
  void FindInvariants() {
    for (Hlo hlo : body_->MakeInstructionPostOrder()) {
      if (hlo->opcode() == HloOpcode::kGetTupleElement &&
          hlo->operand(0)->opcode() == HloOpcode::kParameter) {
        if (IsInvariant(*loop_, hlo->tuple_index())) invariant_.insert(hlo);
        continue;
      }
      if (!MayMove(*hlo) ||
          !std::all_of(hlo->operands().begin(), hlo->operands().end(),
                       [&](Hlo o) { return invariant_.contains(o); })) {
        continue;
      }
      invariant_.insert(hlo);
      order_.push_back(hlo);
    }
  }

  bool IsWorthIt(const HloInstruction& hlo) const {
    if (IsMovableCollective(hlo)) return true;
    int64_t operands = 0;
    bool is_constant = true;
    for (const HloInstruction* operand : hlo.operands()) {
      if (operand->IsConstant()) continue;
      is_constant = false;
      // A broadcast only keeps its operand alive.
      const HloInstruction* held = operand;
      while (held->opcode() == HloOpcode::kBroadcast) held = held->operand(0);
      operands = std::max(operands, Bytes(*held));
    }
    return !is_constant && Bytes(hlo) <= operands;
  }

  // Returns whether an instruction that stays in the loop uses it.
  bool IsReadByLoop(const HloInstruction& hlo) const {
    return std::any_of(hlo.users().begin(), hlo.users().end(), [&](Hlo user) {
      return !invariant_.contains(user) || IsCheap(user->opcode()) ||
             !IsWorthIt(*user);
    });
  }

  // Copies of the computations keep the order of instructions, by which `moved`
  // is found again.
  void MakeOwn(std::vector<Hlo>& moved) {
    callers_.MakeOwnComputations(loop_);
    if (loop_->while_body() == body_) return;
    const std::vector<Hlo> before = body_->MakeInstructionPostOrder();
    body_ = loop_->while_body();
    const std::vector<Hlo> after = body_->MakeInstructionPostOrder();
    absl::flat_hash_map<const HloInstruction*, Hlo> copies;
    for (size_t i = 0; i < before.size(); ++i) copies[before[i]] = after[i];
    for (Hlo& hlo : moved) hlo = copies.at(hlo);
  }

  Hlo loop_;
  HloComputation* body_;
  CallerCounts& callers_;
  absl::flat_hash_set<const HloInstruction*> invariant_;
  std::vector<Hlo> order_;
};

}  // namespace

absl::StatusOr<bool> WhileLoopInvariantCodeMotion::RunImpl(HloModule* module) {
  return ChangeExtensibleLoops(module, [](Hlo loop, CallerCounts& callers) {
    return Mover(loop, callers).Run();
  });
}

}  // namespace xla
