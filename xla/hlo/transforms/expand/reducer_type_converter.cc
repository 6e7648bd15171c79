// Finds which parameter each operand is passed as, and adds converts around the
// op.
#include "xla/hlo/transforms/expand/reducer_type_converter.h"

#include <algorithm>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/hlo/ops/opcode_groups.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

constexpr int64_t kNoParameter = -1;

// An op's computation and the arguments that the op passes to it.
struct Application {
  const HloComputation* computation = nullptr;
  // The parameter as which elements of each operand are passed.
  std::vector<int64_t> parameters;
};

// Returns no computation for ops that are not converted.
Application ApplicationOf(const HloInstruction& hlo) {
  Application application;
  std::vector<int64_t>& parameters = application.parameters;
  const int64_t n = hlo.operand_count();
  switch (hlo.opcode()) {
    case HloOpcode::kMap:
      for (int64_t i = 0; i < n; ++i) parameters.push_back(i);
      break;
    case XLA_REDUCTION_OPCODES:
      // Values, then what accumulators start as.
      for (int64_t i = 0; i < n; ++i) parameters.push_back((i + n / 2) % n);
      break;
    case HloOpcode::kScatter:
      // Accumulators, indices, values.
      for (int64_t i = 0; i < n; ++i) {
        parameters.push_back(i < n / 2 ? i : i == n / 2 ? kNoParameter : i - 1);
      }
      break;
    case HloOpcode::kSelectAndScatter:
      // The result depends only on the operand, one of whose elements it is.
      parameters = {kNoParameter, 1, 0};
      application.computation = hlo.called_computations()[1];
      return application;
    default:
      return application;
  }
  application.computation = hlo.to_apply();
  return application;
}

const Shape& ResultOf(const HloComputation& computation, int i) {
  const Shape& shape = computation.root_instruction()->shape();
  return shape.IsTuple() ? shape.tuple_shapes(i) : shape;
}

Hlo ConvertArray(Hlo value, PrimitiveType type) {
  Shape shape = value->shape();
  if (shape.element_type() == type) return value;
  shape.set_element_type(type);
  return value->parent()->AddInstruction(
      HloInstruction::Create(HloOpcode::kConvert, shape, {value}));
}

// Returns `shape` with the element types of the computation's results.
Shape AppliedShape(Shape shape, const HloComputation& computation) {
  if (!shape.IsTuple()) {
    shape.set_element_type(ResultOf(computation, 0).element_type());
    return shape;
  }
  for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
    shape.mutable_tuple_shapes(i)->set_element_type(
        ResultOf(computation, i).element_type());
  }
  return shape;
}

absl::StatusOr<bool> ConvertAround(Hlo hlo) {
  const Application application = ApplicationOf(*hlo);
  if (application.computation == nullptr) return false;
  const HloComputation& computation = *application.computation;
  std::vector<Hlo> operands;
  for (int64_t i = 0; i < hlo->operand_count(); ++i) {
    Hlo operand = hlo->mutable_operand(i);
    if (const int64_t p = application.parameters[i]; p != kNoParameter) {
      operand = ConvertArray(
          operand,
          computation.parameter_instruction(p)->shape().element_type());
    }
    operands.push_back(operand);
  }
  const Shape shape = AppliedShape(hlo->shape(), computation);
  if (shape == hlo->shape() &&
      std::equal(operands.begin(), operands.end(), hlo->operands().begin())) {
    return false;
  }
  HloComputation* parent = hlo->parent();
  Hlo result =
      parent->AddInstruction(hlo->CloneWithNewOperands(shape, operands));
  Hlo applied = result;
  if (shape.IsTuple()) {
    HloInstruction::InstructionVector elements;
    for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
      elements.push_back(
          ConvertArray(parent->AddInstruction(
                           HloInstruction::CreateGetTupleElement(applied, i)),
                       hlo->shape().tuple_shapes(i).element_type()));
    }
    result = parent->AddInstruction(HloInstruction::CreateTuple(elements));
  } else {
    result = ConvertArray(applied, hlo->shape().element_type());
  }
  TF_RETURN_IF_ERROR(MoveControlDependencies(hlo, applied));
  TF_RETURN_IF_ERROR(parent->ReplaceInstruction(hlo, result));
  parent->parent()->set_is_scheduled(false);
  return true;
}

}  // namespace

absl::StatusOr<bool> ReducerTypeConverter::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    if (computation->IsFusionComputation()) continue;
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      TF_ASSIGN_OR_RETURN(bool converted, ConvertAround(hlo));
      changed |= converted;
    }
  }
  return changed;
}

}  // namespace xla
