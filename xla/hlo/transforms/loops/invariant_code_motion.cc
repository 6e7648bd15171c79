// Copies go before the loop; what the body still reads becomes an element of
// the carry.
#include "xla/hlo/transforms/loops/invariant_code_motion.h"

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

// Not worth an element of the carry on its own.
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

// Elements of the carry, tuples, control flow and what must run in its place.
bool MayMove(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kParameter:
    case HloOpcode::kTuple:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kWhile:
    case HloOpcode::kConditional:
    case HloOpcode::kCall:
    case HloOpcode::kCustomCall:
    case HloOpcode::kAfterAll:
    case HloOpcode::kAddDependency:
    case HloOpcode::kOptimizationBarrier:
    case HloOpcode::kAllGather:
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllToAll:
    case HloOpcode::kCollectiveBroadcast:
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kRaggedAllToAll:
    case HloOpcode::kReduceScatter:
    case HloOpcode::kCopyStart:
    case HloOpcode::kCopyDone:
    case HloOpcode::kAsyncStart:
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kAsyncDone:
      return false;
    default:
      return hlo.shape().IsArray() && !hlo.IsRoot() &&
             !hlo.HasControlDependencies() && !hlo.HasSideEffect();
  }
}

int64_t Bytes(const HloInstruction& hlo) {
  return ShapeUtil::ByteSizeOfElementsRecursive(hlo.shape());
}

class Mover {
 public:
  explicit Mover(Hlo loop) : loop_(loop), body_(loop->while_body()) {}

  absl::StatusOr<bool> Run() {
    FindInvariants();
    std::vector<Hlo> moved;
    for (Hlo hlo : order_) {
      if (IsCheap(hlo->opcode()) || !IsWorthIt(*hlo)) continue;
      if (IsReadByLoop(*hlo)) moved.push_back(hlo);
    }
    if (moved.empty()) return false;
    MakeOwn(moved);
    TF_RETURN_IF_ERROR(ExtendCarry(moved));
    return true;
  }

 private:
  // order_: the instructions of the body that depend on nothing that changes.
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
    int64_t operands = 0;
    bool is_constant = true;
    for (const HloInstruction* operand : hlo.operands()) {
      if (operand->IsConstant()) continue;
      is_constant = false;
      // What a broadcast repeats is what is held.
      const HloInstruction* held = operand;
      while (held->opcode() == HloOpcode::kBroadcast) held = held->operand(0);
      operands = std::max(operands, Bytes(*held));
    }
    return !is_constant && Bytes(hlo) <= operands;
  }

  // Whether something that stays in the loop uses it.
  bool IsReadByLoop(const HloInstruction& hlo) const {
    return std::any_of(hlo.users().begin(), hlo.users().end(), [&](Hlo user) {
      return !invariant_.contains(user) || IsCheap(user->opcode()) ||
             !IsWorthIt(*user);
    });
  }

  // Copies of the computations keep the order of instructions, by which those
  // to be moved are found again.
  void MakeOwn(std::vector<Hlo>& moved) {
    MakeOwnComputations(loop_);
    if (loop_->while_body() == body_) return;
    const std::vector<Hlo> before = body_->MakeInstructionPostOrder();
    body_ = loop_->while_body();
    const std::vector<Hlo> after = body_->MakeInstructionPostOrder();
    absl::flat_hash_map<const HloInstruction*, Hlo> copies;
    for (size_t i = 0; i < before.size(); ++i) copies[before[i]] = after[i];
    for (Hlo& hlo : moved) hlo = copies.at(hlo);
  }

  // The value of an invariant, before the loop.
  Hlo Outside(Hlo start) {
    std::vector<Hlo> pending = {start};
    HloComputation* computation = loop_->parent();
    while (!pending.empty()) {
      Hlo hlo = pending.back();
      Hlo& copy = outside_[hlo];
      if (copy != nullptr) {
        pending.pop_back();
        continue;
      }
      if (hlo->opcode() == HloOpcode::kGetTupleElement) {
        Hlo init = loop_->mutable_operand(0);
        const int64_t i = hlo->tuple_index();
        copy = init->opcode() == HloOpcode::kTuple
                   ? init->mutable_operand(i)
                   : computation->AddInstruction(
                         HloInstruction::CreateGetTupleElement(init, i));
        continue;
      }
      HloInstruction::InstructionVector operands;
      for (Hlo operand : hlo->operands()) {
        auto it = outside_.find(operand);
        if (it == outside_.end() || it->second == nullptr) {
          pending.push_back(operand);
          continue;
        }
        operands.push_back(it->second);
      }
      if (operands.size() < hlo->operands().size()) continue;
      outside_[hlo] = computation->AddInstruction(
          hlo->CloneWithNewOperands(hlo->shape(), operands));
    }
    return outside_.at(start);
  }

  absl::Status ExtendCarry(absl::Span<const Hlo> moved) {
    HloComputation* computation = loop_->parent();
    const int64_t n = loop_->shape().tuple_shapes_size();
    std::vector<Hlo> init, values(moved.begin(), moved.end());
    for (int64_t i = 0; i < n; ++i) {
      Hlo old = loop_->mutable_operand(0);
      init.push_back(old->opcode() == HloOpcode::kTuple
                         ? old->mutable_operand(i)
                         : computation->AddInstruction(
                               HloInstruction::CreateGetTupleElement(old, i)));
    }
    for (Hlo hlo : moved) init.push_back(Outside(hlo));
    Hlo start = computation->AddInstruction(HloInstruction::CreateTuple(init));
    for (int c = 0; c < 2; ++c) {
      *loop_->called_computations()[c]
           ->parameter_instruction(0)
           ->mutable_shape() = start->shape();
    }
    Hlo parameter = body_->parameter_instruction(0);
    HloInstruction::InstructionVector returned =
        body_->root_instruction()->operands();
    for (size_t i = 0; i < values.size(); ++i) {
      Hlo element = body_->AddInstruction(
          HloInstruction::CreateGetTupleElement(parameter, n + i));
      std::replace(returned.begin(), returned.end(), values[i], element);
      TF_RETURN_IF_ERROR(values[i]->ReplaceAllUsesWith(element));
      returned.push_back(element);
    }
    body_->set_root_instruction(
        body_->AddInstruction(HloInstruction::CreateTuple(returned)));
    Hlo larger = computation->AddInstruction(
        loop_->CloneWithNewOperands(start->shape(), {start}));
    larger->clear_sharding();
    std::vector<Hlo> elements;
    for (int64_t i = 0; i < n; ++i) {
      elements.push_back(computation->AddInstruction(
          HloInstruction::CreateGetTupleElement(larger, i)));
    }
    TF_RETURN_IF_ERROR(loop_->ReplaceAllUsesWith(
        computation->AddInstruction(HloInstruction::CreateTuple(elements))));
    return computation->RemoveInstruction(loop_);
  }

  Hlo loop_;
  HloComputation* body_;
  absl::flat_hash_set<const HloInstruction*> invariant_;
  std::vector<Hlo> order_;
  absl::flat_hash_map<const HloInstruction*, Hlo> outside_;
};

bool IsCandidate(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kWhile || !hlo.shape().IsTuple() ||
      hlo.HasControlDependencies() || hlo.shape().is_dynamic() ||
      hlo.while_body()->root_instruction()->opcode() != HloOpcode::kTuple) {
    return false;
  }
  for (const HloComputation* callee : hlo.called_computations()) {
    const HloInstruction* parameter = callee->parameter_instruction(0);
    if (parameter->IsRoot() || !IsReadByElement(*parameter)) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<bool> WhileLoopInvariantCodeMotion::Run(HloModule* module) {
  bool changed = false;
  // Inner loops first: what leaves them may leave the outer ones as well.
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    // Other instructions may go away on the way.
    std::vector<Hlo> loops;
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (IsCandidate(*hlo)) loops.push_back(hlo);
    }
    for (Hlo loop : loops) {
      TF_ASSIGN_OR_RETURN(bool once, Mover(loop).Run());
      changed |= once;
    }
  }
  if (changed) module->set_is_scheduled(false);
  return changed;
}

}  // namespace xla
