// One sweep over each computation, operands first, so that sums of many
// all-reduces end as one.
#include "xla/hlo/transforms/devices/all_reduce_reassociate.h"

#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/reducers.h"
#include "xla/hlo/transforms/devices/all_reduce_key.h"

namespace xla {
namespace {

// An all-reduce of one array that only `user` reads, by `reducer`.
bool IsOnlyReadBy(const HloInstruction& all_reduce, const HloInstruction& user,
                  HloOpcode reducer) {
  return all_reduce.opcode() == HloOpcode::kAllReduce &&
         all_reduce.operand_count() == 1 && all_reduce.user_count() == 1 &&
         all_reduce.users()[0] == &user &&
         !all_reduce.HasControlDependencies() &&
         OneOpOf(*all_reduce.to_apply()) == reducer;
}

absl::StatusOr<bool> Reassociate(HloInstruction* sum) {
  if (!sum->def().commutative || sum->operand_count() != 2 ||
      sum->HasControlDependencies()) {
    return false;
  }
  HloInstruction* x = sum->mutable_operand(0);
  HloInstruction* y = sum->mutable_operand(1);
  if (x == y || !IsOnlyReadBy(*x, *sum, sum->opcode()) ||
      !IsOnlyReadBy(*y, *sum, sum->opcode()) ||
      AllReduceKeyOf(*x) != AllReduceKeyOf(*y)) {
    return false;
  }
  HloComputation* computation = sum->parent();
  HloInstruction* partial =
      computation->AddInstruction(sum->CloneWithNewOperands(
          sum->shape(), {x->mutable_operand(0), y->mutable_operand(0)}));
  HloInstruction* total = computation->AddInstruction(
      x->CloneWithNewOperands(sum->shape(), {partial}));
  TF_RETURN_IF_ERROR(sum->ReplaceAllUsesWith(total));
  TF_RETURN_IF_ERROR(computation->RemoveInstruction(sum));
  TF_RETURN_IF_ERROR(computation->RemoveInstructionAndUnusedOperands(x));
  TF_RETURN_IF_ERROR(computation->RemoveInstructionAndUnusedOperands(y));
  return true;
}

}  // namespace

absl::StatusOr<bool> AllReduceReassociate::RunImpl(HloModule* module) {
  bool changed = false;
  for (const auto& computation : module->computations()) {
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      TF_ASSIGN_OR_RETURN(const bool reassociated, Reassociate(hlo));
      changed |= reassociated;
    }
  }
  if (changed) module->set_is_scheduled(false);
  return changed;
}

}  // namespace xla
