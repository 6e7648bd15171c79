// The comparator looks only at the elements, not at their numbers.
#include "xla/hlo/transforms/expand/topk_decomposer.h"

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {

using Hlo = HloInstruction*;

HloComputation* MakeTopKComparator(HloModule* module, PrimitiveType type,
                                   bool largest) {
  HloComputation* computation = module->AddEmbeddedComputation(
      std::make_unique<HloComputation>("topk_order"));
  Hlo elements[2];
  for (int i = 0; i < 4; ++i) {
    Hlo parameter = computation->AddInstruction(HloInstruction::CreateParameter(
        i, ShapeUtil::MakeShape(i < 2 ? type : S32, {}), "p"));
    if (i < 2) elements[i] = parameter;
  }
  HloBuilder emit(computation);
  computation->set_root_instruction(emit.CompareTotalOrder(
      largest ? ComparisonDirection::kGt : ComparisonDirection::kLt,
      elements[0], elements[1]));
  return computation;
}

namespace {

absl::Status ExpandTopK(Hlo hlo) {
  const TopKAttrs attrs = hlo->attrs<TopKAttrs>();
  Hlo x = hlo->mutable_operand(0);
  const Shape& shape = x->shape();
  const int64_t last = shape.rank() - 1;
  HloBuilder emit(hlo);
  Hlo indices = emit.Iota(S32, shape.dimensions(), last);
  HloComputation* comparator =
      MakeTopKComparator(hlo->GetModule(), shape.element_type(), attrs.largest);
  Hlo sorted = emit.Add(
      HloOpcode::kSort,
      ShapeUtil::MakeTupleShape(
          {emit.MakeShape(shape.element_type(), shape.dimensions()),
           indices->shape()}),
      {x, indices}, SortAttrs{{last}, /*is_stable=*/true}, {comparator});
  return emit.ReplaceSource(
      emit.Tuple({emit.SliceDim(emit.Element(sorted, 0), last, 0, attrs.k),
                  emit.SliceDim(emit.Element(sorted, 1), last, 0, attrs.k)}));
}

}  // namespace

absl::StatusOr<bool> TopKDecomposer::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kTopK || hlo->shape().is_dynamic() ||
          hlo->operand(0)->shape().is_dynamic() ||
          (keep_ != nullptr && keep_(*hlo))) {
        continue;
      }
      TF_RETURN_IF_ERROR(ExpandTopK(hlo));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
