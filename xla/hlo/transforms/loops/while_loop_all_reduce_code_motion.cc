// Devices run a loop equally often, so that each adds its own part in every
// iteration; the sum of the sums is the sum.
#include "xla/hlo/transforms/loops/while_loop_all_reduce_code_motion.h"

#include <optional>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/reducers.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"
#include "xla/hlo/transforms/loops/loop_carry.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

struct Accumulation {
  int64_t element = 0;
  Hlo add = nullptr;         // in the body
  Hlo all_reduce = nullptr;  // its operand
};

std::optional<Accumulation> FindAccumulation(const HloInstruction& loop,
                                             int64_t i) {
  Hlo add = loop.while_body()->root_instruction()->mutable_operand(i);
  if (add->opcode() != HloOpcode::kAdd) return std::nullopt;
  for (const int64_t side : {0, 1}) {
    const HloInstruction* sum = add->operand(side);
    Hlo all_reduce = add->mutable_operand(1 - side);
    if (all_reduce->opcode() != HloOpcode::kAllReduce ||
        all_reduce->operand_count() != 1 || all_reduce->user_count() != 1 ||
        all_reduce->HasControlDependencies() ||
        OneOpOf(*all_reduce->to_apply()) != HloOpcode::kAdd ||
        !IsPrivateToUpdate(loop, i, *sum, *add)) {
      continue;
    }
    return Accumulation{i, add, all_reduce};
  }
  return std::nullopt;
}

absl::Status MoveOut(Hlo loop, const Accumulation& found) {
  // The body adds what the device has itself.
  TF_RETURN_IF_ERROR(found.all_reduce->ReplaceUseWith(
      found.add, found.all_reduce->mutable_operand(0)));
  // The loop starts from zero.
  std::vector<Hlo> elements = InitialElements(loop);
  Hlo initial = elements[found.element];
  HloBuilder emit(loop->parent());
  elements[found.element] =
      emit.Splat(emit.Zero(initial->shape().element_type()),
                 initial->shape().dimensions());
  *elements[found.element]->mutable_shape() = initial->shape();
  TF_RETURN_IF_ERROR(loop->ReplaceOperandWith(0, emit.Tuple(elements)));
  // Whoever reads the element reads the total.
  std::vector<Hlo> readers;
  for (Hlo user : loop->users()) {
    if (user->tuple_index() == found.element) readers.push_back(user);
  }
  Hlo partial = emit.Element(loop, found.element);
  Hlo total = loop->parent()->AddInstruction(
      found.all_reduce->CloneWithNewOperands(partial->shape(), {partial}));
  Hlo sum = emit.Add(HloOpcode::kAdd, initial->shape(), {initial, total});
  for (Hlo reader : readers) {
    TF_RETURN_IF_ERROR(reader->ReplaceAllUsesWith(sum));
    TF_RETURN_IF_ERROR(RemoveIfUnused(reader));
  }
  return found.all_reduce->parent()->RemoveInstruction(found.all_reduce);
}

absl::StatusOr<bool> ChangeLoop(Hlo loop, CallerCounts& callers) {
  if (!IsReadByElement(*loop)) return false;
  bool changed = false;
  const int64_t count = loop->shape().tuple_shapes().size();
  for (int64_t i = 0; i < count; ++i) {
    if (!FindAccumulation(*loop, i).has_value()) continue;
    callers.MakeOwnComputations(loop);
    TF_RETURN_IF_ERROR(MoveOut(loop, *FindAccumulation(*loop, i)));
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> WhileLoopAllReduceCodeMotion::RunImpl(HloModule* module) {
  return ChangeExtensibleLoops(module, ChangeLoop);
}

}  // namespace xla
