// Widens reductions of small floats to f32.
#include "xla/hlo/transforms/expand/reduction_widener.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/reducers.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

bool IsOneOp(const HloComputation& reducer, PrimitiveType type) {
  return OneOpOf(reducer).has_value() &&
         reducer.root_instruction()->shape().element_type() == type;
}

bool IsCandidate(const HloInstruction& hlo) {
  if (!hlo.def().reduces || hlo.operand_count() != 2 ||
      !hlo.shape().IsArray()) {
    return false;
  }
  const PrimitiveType type = hlo.shape().element_type();
  return primitive_util::IsFloatingPointType(type) &&
         primitive_util::BitWidth(type) < 32 &&
         hlo.operand(0)->shape().element_type() == type &&
         hlo.operand(1)->shape().element_type() == type &&
         !hlo.shape().has_dynamic_dimensions() &&
         IsOneOp(*hlo.to_apply(), type);
}

HloComputation* WideReducer(HloModule* module, const HloComputation& reducer) {
  auto wide = std::make_unique<HloComputation>(reducer.name() + ".f32");
  const Shape scalar = ShapeUtil::MakeShape(F32, {});
  Hlo x = wide->AddInstruction(HloInstruction::CreateParameter(0, scalar, "x"));
  Hlo y = wide->AddInstruction(HloInstruction::CreateParameter(1, scalar, "y"));
  wide->set_root_instruction(wide->AddInstruction(HloInstruction::Create(
      reducer.root_instruction()->opcode(), scalar, {x, y})));
  return module->AddEmbeddedComputation(std::move(wide));
}

Hlo Converted(Hlo value, PrimitiveType type) {
  Shape shape = value->shape();
  shape.set_element_type(type);
  return value->parent()->AddInstruction(
      HloInstruction::Create(HloOpcode::kConvert, shape, {value}));
}

absl::Status Widen(HloModule* module, Hlo reduce) {
  Hlo operand = Converted(reduce->mutable_operand(0), F32);
  Hlo init = Converted(reduce->mutable_operand(1), F32);
  Shape shape = reduce->shape();
  shape.set_element_type(F32);
  Hlo wide = reduce->parent()->AddInstruction(
      reduce->CloneWithNewOperands(shape, {operand, init}));
  wide->set_called_computation(0, WideReducer(module, *reduce->to_apply()));
  Hlo narrow = Converted(wide, reduce->shape().element_type());
  return reduce->parent()->ReplaceInstruction(reduce, narrow);
}

}  // namespace

absl::StatusOr<bool> ReductionWidener::RunImpl(HloModule* module) {
  std::vector<Hlo> candidates;
  for (const auto& computation : module->computations()) {
    if (computation->IsFusionComputation()) continue;
    for (const auto& hlo : computation->instructions()) {
      if (IsCandidate(*hlo)) candidates.push_back(hlo);
    }
  }
  for (Hlo reduce : candidates) TF_RETURN_IF_ERROR(Widen(module, reduce));
  return !candidates.empty();
}

}  // namespace xla
