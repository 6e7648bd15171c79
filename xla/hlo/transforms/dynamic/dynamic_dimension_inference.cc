// Sweeps over the computations, callers first, until no shape changes; each
// dimension changes at most once.
#include "xla/hlo/transforms/dynamic/dynamic_dimension_inference.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/linear/dynamic_convolution.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/table/known_calls.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"
#include "xla/hlo/transforms/dynamic/dynamic_ops.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// Makes the dimensions of `to` dynamic that are dynamic in `from`, which has
// the same arrays, or buffers of them. Returns true if there were any.
bool AddDynamic(const Shape& from, Shape* to) {
  bool changed = false;
  if (to->IsTuple() && from.IsTuple() &&
      from.tuple_shapes_size() == to->tuple_shapes_size()) {
    for (int i = 0; i < to->tuple_shapes_size(); ++i) {
      changed |= AddDynamic(from.tuple_shapes(i), to->mutable_tuple_shapes(i));
    }
  } else if (to->IsArray() && from.IsArray() && from.rank() == to->rank()) {
    for (int d = 0; d < to->rank(); ++d) {
      if (!from.is_dynamic_dimension(d) || to->is_dynamic_dimension(d))
        continue;
      to->set_dynamic_dimension(d, true);
      changed = true;
    }
  }
  return changed;
}

bool AddDynamic(const Shape& from, Hlo to) {
  return AddDynamic(from, to->mutable_shape());
}

// Returns whether the dimension gets its full size, as its shape declares.
bool SetsFullSize(const HloInstruction& hlo) {
  const int64_t d = hlo.attrs<DimensionSizeAttrs>().dimensions[0];
  const HloInstruction* size = hlo.operand(1);
  return !hlo.shape().is_dynamic_dimension(d) && size->IsConstant() &&
         size->literal().GetFirstInteger() == hlo.shape().dimensions(d);
}

// Returns whether the result is the only operand, whatever its declared shape.
bool IsOperand(const HloInstruction& hlo) {
  if (hlo.opcode() == HloOpcode::kAsyncUpdate) return true;
  if (hlo.opcode() == HloOpcode::kCustomCall) {
    return KnownCallOf(hlo.attrs<CustomCallAttrs>()) == KnownCall::kIdentity &&
           hlo.operand_count() == 1;
  }
  if (hlo.opcode() != HloOpcode::kBitcast) return false;
  // Other bitcasts read memory, which has its full size.
  const auto with_layout = [](const Shape& shape) {
    return shape.has_layout() ? shape : LayoutUtil::GetWithDefaultLayout(shape);
  };
  return hlo.shape().IsArray() && hlo.operand(0)->shape().IsArray() &&
         Shape::Equal().IgnoreDynamicDimension()(
             with_layout(hlo.operand(0)->shape()), with_layout(hlo.shape()));
}

// Like InferredShape, for custom calls; functions of the host declare their own
// sizes.
std::optional<Shape> InferredCall(const HloInstruction& hlo) {
  if (!IsDynamicConvolution(hlo)) return std::nullopt;
  absl::StatusOr<Shape> shape = InferDynamicConvolution(
      hlo.attrs<CustomCallAttrs>(), OperandShapes(hlo.operands()),
      hlo.shape().element_type());
  // The expander and the evaluator report what is wrong with it.
  if (!shape.ok()) return std::nullopt;
  return *std::move(shape);
}

// Returns the result shape of an op without control flow if its operands make
// dimensions of it dynamic; nullopt if it stays as declared.
absl::StatusOr<std::optional<Shape>> InferredShape(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kBitcast:
    case HloOpcode::kConstant:
    case HloOpcode::kDynamicReshape:
    case HloOpcode::kGetDimensionSize:
    case HloOpcode::kIota:
    case HloOpcode::kParameter:
      return std::nullopt;
    case HloOpcode::kCustomCall:
      return InferredCall(hlo);
    case HloOpcode::kBroadcast: {
      Shape shape = hlo.shape();
      const auto& dimensions = hlo.attrs<BroadcastAttrs>().dimensions;
      for (size_t i = 0; i < dimensions.size(); ++i) {
        if (hlo.operand(0)->shape().is_dynamic_dimension(i)) {
          shape.set_dynamic_dimension(dimensions[i], true);
        }
      }
      return shape;
    }
    case HloOpcode::kReshape: {
      if (hlo.shape().is_dynamic() || hlo.operand(0)->shape().is_static()) {
        return std::nullopt;
      }
      TF_ASSIGN_OR_RETURN(
          Shape shape,
          ReshapedShape(
              hlo.operand(0)->shape(), hlo.shape().dimensions(),
              hlo.attrs<ReshapeAttrs>().inferred_dimension.value_or(-1)));
      return shape;
    }
    case HloOpcode::kSetDimensionSize: {
      Shape shape = hlo.operand(0)->shape();
      const int64_t d = hlo.attrs<DimensionSizeAttrs>().dimensions[0];
      shape.set_dynamic_dimension(d, !SetsFullSize(hlo));
      return shape;
    }
    default:
      break;
  }
  if (absl::c_none_of(hlo.operands(), [](const HloInstruction* operand) {
        return operand->shape().is_dynamic();
      })) {
    return std::nullopt;
  }
  // The rules that require shapes to be dynamic as declared were checked
  // before.
  absl::StatusOr<Shape> shape =
      InferInstruction(hlo.def(), hlo.operands(), hlo.called_computations(),
                       &hlo.shape(), hlo.raw_attrs());
  if (!shape.ok()) return std::nullopt;
  return *std::move(shape);
}

// A carry has the same shape before, in and after a loop.
bool InferWhile(Hlo loop) {
  bool changed = AddDynamic(loop->operand(0)->shape(), loop);
  HloComputation* body = loop->while_body();
  changed |= AddDynamic(body->root_instruction()->shape(), loop);
  for (HloComputation* callee : loop->called_computations()) {
    changed |= AddDynamic(loop->shape(), callee->parameter_instruction(0));
  }
  return changed;
}

// Arguments become parameters, and the callee's result becomes the caller's.
bool InferCalls(Hlo caller, int64_t first_argument) {
  bool changed = false;
  for (HloComputation* callee : caller->called_computations()) {
    for (int64_t p = 0; p < callee->num_parameters(); ++p) {
      changed |= AddDynamic(caller->operand(first_argument + p)->shape(),
                            callee->parameter_instruction(p));
    }
    // Each branch of a conditional has one argument.
    if (first_argument > 0) ++first_argument;
    changed |= AddDynamic(callee->root_instruction()->shape(), caller);
  }
  return changed;
}

// The result of an async-start holds its operands and the callee's result.
bool InferAsyncStart(Hlo start) {
  bool changed = false;
  HloComputation* callee = start->called_computations()[0];
  Shape* arguments = start->mutable_shape()->mutable_tuple_shapes(0);
  for (int64_t i = 0; i < start->operand_count(); ++i) {
    const Shape& operand = start->operand(i)->shape();
    changed |= AddDynamic(operand, arguments->mutable_tuple_shapes(i));
    changed |= AddDynamic(operand, callee->parameter_instruction(i));
  }
  changed |= AddDynamic(callee->root_instruction()->shape(),
                        start->mutable_shape()->mutable_tuple_shapes(1));
  return changed;
}

absl::StatusOr<bool> Sweep(HloComputation* computation) {
  bool changed = false;
  for (Hlo hlo : computation->MakeInstructionPostOrder()) {
    switch (hlo->opcode()) {
      case HloOpcode::kWhile:
        changed |= InferWhile(hlo);
        continue;
      case HloOpcode::kConditional:
        changed |= InferCalls(hlo, 1);
        continue;
      case HloOpcode::kCall:
      case HloOpcode::kFusion:
        changed |= InferCalls(hlo, 0);
        continue;
      case HloOpcode::kAsyncStart:
        changed |= InferAsyncStart(hlo);
        continue;
      case HloOpcode::kAsyncDone:
        changed |= AddDynamic(hlo->operand(0)->shape().tuple_shapes(1), hlo);
        continue;
      default:
        break;
    }
    if (IsOperand(*hlo)) {
      changed |= AddDynamic(hlo->operand(0)->shape(), hlo);
      continue;
    }
    TF_ASSIGN_OR_RETURN(const std::optional<Shape> inferred,
                        InferredShape(*hlo));
    if (inferred.has_value()) changed |= AddDynamic(*inferred, hlo);
  }
  return changed;
}

// Returns `x` in the shape `declared`, in which fewer dimensions are dynamic.
Hlo MakeStatic(HloBuilder& emit, Hlo x, const Shape& declared) {
  if (x->shape().is_static()) return x;
  if (declared.IsTuple()) {
    std::vector<Hlo> elements;
    for (int i = 0; i < declared.tuple_shapes_size(); ++i) {
      Hlo element = emit.computation()->AddInstruction(
          HloInstruction::CreateGetTupleElement(x, i));
      elements.push_back(MakeStatic(emit, element, declared.tuple_shapes(i)));
    }
    return emit.computation()->AddInstruction(
        HloInstruction::CreateTuple(elements));
  }
  Hlo within = nullptr;
  Shape shape = x->shape();
  const auto sizes = shape.dimensions();
  Hlo all = x;
  for (int64_t d = 0; d < declared.rank(); ++d) {
    if (!shape.is_dynamic_dimension(d) || declared.is_dynamic_dimension(d)) {
      continue;
    }
    Hlo size =
        emit.Add(HloOpcode::kGetDimensionSize, ShapeUtil::MakeShape(S32, {}),
                 {x}, DimensionSizeAttrs{{d}});
    Hlo limit = emit.Splat(size, sizes);
    Hlo place = emit.Iota(S32, sizes, d);
    Hlo one = emit.Compare(ComparisonDirection::kLt, place, limit);
    within = within == nullptr ? one : emit.And(within, one);
    shape.set_dynamic_dimension(d, false);
    all = emit.Add(HloOpcode::kSetDimensionSize, shape,
                   {all, emit.Integer(S32, sizes[d])}, DimensionSizeAttrs{{d}});
  }
  if (within == nullptr) return x;
  Hlo zeros = emit.Splat(emit.Zero(shape.element_type()), sizes);
  return emit.Add(HloOpcode::kSelect, shape, {within, all, zeros});
}

bool MayBeDynamic(const HloModule& module) {
  for (const HloInstruction* parameter :
       module.entry_computation()->parameter_instructions()) {
    if (parameter->shape().is_dynamic()) return true;
  }
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (hlo->opcode() == HloOpcode::kSetDimensionSize ||
          hlo->shape().is_dynamic()) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

absl::StatusOr<bool> DynamicDimensionInference::RunImpl(HloModule* module) {
  if (!MayBeDynamic(*module)) return false;
  HloComputation* entry = module->entry_computation();
  const Shape declared = entry->root_instruction()->shape();
  std::vector<HloComputation*> order = module->MakeComputationPostOrder();
  absl::c_reverse(order);
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    for (HloComputation* computation : order) {
      TF_ASSIGN_OR_RETURN(bool swept, Sweep(computation));
      again |= swept;
    }
    changed |= again;
  }
  Hlo root = entry->root_instruction();
  if (changed && root->shape() != declared) {
    HloBuilder emit(entry);
    entry->set_root_instruction(MakeStatic(emit, root, declared));
    TF_RETURN_IF_ERROR(emit.status());
  }
  return changed;
}

}  // namespace xla
