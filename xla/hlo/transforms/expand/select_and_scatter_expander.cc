// The reduction carries an element and its position.
#include "xla/hlo/transforms/expand/select_and_scatter_expander.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/fold/reduction.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/transforms/expand/hlo_emitter.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// (best, its position, element, its position) -> the better one of the two.
// Positions of nothing are -1.
absl::StatusOr<HloComputation*> MakeSelector(HloModule* module,
                                             HloComputation* select,
                                             PrimitiveType type,
                                             PrimitiveType index_type) {
  HloComputation* computation = module->AddEmbeddedComputation(
      std::make_unique<HloComputation>("select_position"));
  HloEmitter emit(computation);
  Hlo parameters[4];
  const char* names[] = {"best", "best_at", "element", "element_at"};
  for (int i = 0; i < 4; ++i) {
    parameters[i] = computation->AddInstruction(HloInstruction::CreateParameter(
        i, ShapeUtil::MakeShape(i % 2 == 0 ? type : index_type, {}), names[i]));
  }
  const auto [best, best_at, element, element_at] = parameters;
  Hlo none = emit.Integer(index_type, -1);
  Hlo call = emit.Add(
      HloOpcode::kCall, select->root_instruction()->shape(),
      {emit.Convert(best,
                    select->parameter_instruction(0)->shape().element_type()),
       emit.Convert(element,
                    select->parameter_instruction(1)->shape().element_type())},
      {}, {select});
  Hlo keeps = emit.And(
      emit.Compare(ComparisonDirection::kNe, best_at, none),
      emit.Binary(HloOpcode::kOr,
                  emit.Compare(ComparisonDirection::kEq, element_at, none),
                  call));
  computation->set_root_instruction(
      emit.Tuple({emit.Select(keeps, best, element),
                  emit.Select(keeps, best_at, element_at)}));
  const HloInstruction::InstructionVector arguments = call->operands();
  TF_RETURN_IF_ERROR(InlineCall(call, *select, arguments));
  return computation;
}

// The position, in the flat operand, of each window's element; [windows].
absl::StatusOr<Hlo> SelectedPositions(HloEmitter& emit, Hlo hlo,
                                      PrimitiveType index_type) {
  Hlo operand = hlo->mutable_operand(0);
  const auto sizes = operand->shape().dimensions();
  const auto windows = hlo->operand(1)->shape().dimensions();
  const PrimitiveType type = operand->shape().element_type();
  const int64_t n = ShapeUtil::ElementsIn(operand->shape());
  Hlo positions = emit.Reshape(emit.Iota(index_type, {n}, 0), sizes);
  TF_ASSIGN_OR_RETURN(
      HloComputation * selector,
      MakeSelector(hlo->GetModule(), hlo->called_computations()[0], type,
                   index_type));
  Hlo found = emit.Add(
      HloOpcode::kReduceWindow,
      ShapeUtil::MakeTupleShape(
          {emit.MakeShape(type, windows), emit.MakeShape(index_type, windows)}),
      {operand, positions, emit.Zero(type), emit.Integer(index_type, -1)},
      ReduceWindowAttrs{hlo->attrs<SelectAndScatterAttrs>().window},
      {selector});
  return emit.Element(found, 1);
}

absl::Status ExpandSelectAndScatter(Hlo hlo) {
  HloEmitter emit(hlo);
  const Shape& shape = hlo->shape();
  const int64_t n = ShapeUtil::ElementsIn(shape);
  const int64_t windows = ShapeUtil::ElementsIn(hlo->operand(1)->shape());
  Hlo init = hlo->mutable_operand(2);
  Hlo result = emit.Convert(init, shape.element_type());
  if (n == 0 || windows == 0) {
    return emit.ReplaceSource(emit.Splat(result, shape.dimensions()));
  }
  const PrimitiveType index_type =
      n <= std::numeric_limits<int32_t>::max() ? S32 : S64;
  TF_ASSIGN_OR_RETURN(Hlo positions, SelectedPositions(emit, hlo, index_type));
  ScatterAttrs attrs;
  attrs.dimension_numbers.add_inserted_window_dims(0);
  attrs.dimension_numbers.add_scatter_dims_to_operand_dims(0);
  attrs.dimension_numbers.set_index_vector_dim(1);
  Hlo scattered =
      emit.Add(HloOpcode::kScatter, emit.MakeShape(shape.element_type(), {n}),
               {emit.Splat(result, {n}), emit.Reshape(positions, {windows, 1}),
                emit.Reshape(hlo->mutable_operand(1), {windows})},
               std::move(attrs), {hlo->called_computations()[1]});
  return emit.ReplaceSource(emit.Reshape(scattered, shape.dimensions()));
}

}  // namespace

absl::StatusOr<bool> SelectAndScatterExpander::Run(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kSelectAndScatter ||
          hlo->shape().is_dynamic() || hlo->operand(1)->shape().is_dynamic()) {
        continue;
      }
      TF_RETURN_IF_ERROR(ExpandSelectAndScatter(hlo));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
