// The reduction carries an element and its position.
#include "xla/hlo/transforms/expand/select_and_scatter_expander.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// Makes (best, its position, element, its position) -> the better one of the
// two. The position of no element is -1.
absl::StatusOr<HloComputation*> MakeSelector(HloModule* module,
                                             HloComputation* select,
                                             PrimitiveType type,
                                             PrimitiveType index_type) {
  HloComputation* computation = module->AddEmbeddedComputation(
      std::make_unique<HloComputation>("select_position"));
  HloBuilder emit(computation);
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

// Returns the position, in the flat operand, of each window's element;
// [windows].
absl::StatusOr<Hlo> SelectedPositions(HloBuilder& emit,
                                      const HloInstruction& hlo,
                                      const SelectAndScatterArrays& arrays,
                                      PrimitiveType index_type) {
  const auto sizes = arrays.operand->shape().dimensions();
  const auto windows = arrays.source->shape().dimensions();
  const PrimitiveType type = arrays.operand->shape().element_type();
  const int64_t n = ShapeUtil::ElementsIn(arrays.operand->shape());
  const auto nowhere = [&](absl::Span<const int64_t> dimensions) {
    return emit.Splat(emit.Integer(index_type, -1), dimensions);
  };
  Hlo positions = emit.Reshape(emit.Iota(index_type, {n}, 0), sizes);
  if (arrays.operand_within != nullptr) {
    positions = emit.Select(arrays.operand_within, positions, nowhere(sizes));
  }
  TF_ASSIGN_OR_RETURN(
      HloComputation * selector,
      MakeSelector(emit.computation()->parent(), hlo.called_computations()[0],
                   type, index_type));
  Hlo found = emit.Add(
      HloOpcode::kReduceWindow,
      ShapeUtil::MakeTupleShape(
          {emit.MakeShape(type, windows), emit.MakeShape(index_type, windows)}),
      {arrays.operand, positions, emit.Zero(type), nowhere({})},
      ReduceWindowAttrs{hlo.attrs<SelectAndScatterAttrs>().window}, {selector});
  found = emit.Element(found, 1);
  if (arrays.source_within == nullptr) return found;
  return emit.Select(arrays.source_within, found, nowhere(windows));
}

}  // namespace

absl::StatusOr<Hlo> EmitSelectAndScatter(HloBuilder& emit,
                                         const HloInstruction& hlo,
                                         const SelectAndScatterArrays& arrays) {
  const PrimitiveType type = hlo.shape().element_type();
  const auto sizes = hlo.shape().dimensions();
  const int64_t n = ShapeUtil::ElementsIn(arrays.operand->shape());
  const int64_t windows = ShapeUtil::ElementsIn(arrays.source->shape());
  Hlo result = emit.Convert(arrays.init, type);
  if (n == 0 || windows == 0) return emit.Splat(result, sizes);
  const PrimitiveType index_type =
      n <= std::numeric_limits<int32_t>::max() ? S32 : S64;
  TF_ASSIGN_OR_RETURN(Hlo positions,
                      SelectedPositions(emit, hlo, arrays, index_type));
  ScatterAttrs attrs;
  attrs.dimension_numbers.add_inserted_window_dims(0);
  attrs.dimension_numbers.add_scatter_dims_to_operand_dims(0);
  attrs.dimension_numbers.set_index_vector_dim(1);
  Hlo scattered =
      emit.Add(HloOpcode::kScatter, emit.MakeShape(type, {n}),
               {emit.Splat(result, {n}), emit.Reshape(positions, {windows, 1}),
                emit.Reshape(arrays.source, {windows})},
               std::move(attrs), {hlo.called_computations()[1]});
  return emit.Reshape(scattered, sizes);
}

absl::StatusOr<bool> SelectAndScatterExpander::Run(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kSelectAndScatter ||
          hlo->shape().is_dynamic() || hlo->operand(1)->shape().is_dynamic()) {
        continue;
      }
      HloBuilder emit(hlo);
      TF_ASSIGN_OR_RETURN(Hlo result,
                          EmitSelectAndScatter(
                              emit, *hlo,
                              {hlo->mutable_operand(0), hlo->mutable_operand(1),
                               hlo->mutable_operand(2)}));
      TF_RETURN_IF_ERROR(emit.ReplaceSource(result));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
