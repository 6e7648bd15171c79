// Rebuilds each computation in static shapes, callees first.
#include "xla/hlo/transforms/dynamic/dynamic_padder.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/dynamic/dynamic_ops.h"
#include "xla/hlo/transforms/layout/tiled_memory.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// Returns the lowered shape of a value: dynamic arrays become tuples.
Shape Lowered(const Shape& shape) {
  if (shape.IsTuple()) {
    std::vector<Shape> parts;
    for (const Shape& part : shape.tuple_shapes()) {
      parts.push_back(Lowered(part));
    }
    return ShapeUtil::MakeTupleShape(parts);
  }
  if (!shape.IsArray() || shape.is_static()) return shape;
  std::vector<Shape> parts = {
      LayoutUtil::GetWithDefaultLayout(ShapeUtil::MakeStaticShape(shape))};
  for (int d = 0; d < shape.rank(); ++d) {
    if (shape.is_dynamic_dimension(d)) {
      parts.push_back(ShapeUtil::MakeShape(S32, {}));
    }
  }
  return ShapeUtil::MakeTupleShape(parts);
}

// For arrays.
bool HasRowMajorLayout(const Shape& shape) {
  return !shape.has_layout() ||
         (LayoutUtil::IsMonotonicWithDim0Major(shape.layout()) &&
          !HasOwnBuffer(shape));
}

bool NeedsWork(const HloInstruction& hlo) {
  return hlo.shape().is_dynamic() ||
         hlo.opcode() == HloOpcode::kGetDimensionSize ||
         hlo.opcode() == HloOpcode::kDynamicReshape ||
         IsDynamicConvolution(hlo);
}

bool IsControlFlow(HloOpcode opcode) {
  return opcode == HloOpcode::kWhile || opcode == HloOpcode::kConditional ||
         opcode == HloOpcode::kCall;
}

class Lowering {
 public:
  using Computations =
      absl::flat_hash_map<const HloComputation*, HloComputation*>;

  Lowering(const HloComputation& from, HloComputation* to, bool is_entry,
           const Computations& computations)
      : from_(from),
        to_(to),
        emit_(to),
        is_entry_(is_entry),
        computations_(computations) {}

  absl::Status Run() {
    // Add the parameters in order, whatever order they are used in.
    for (const Hlo parameter : from_.parameter_instructions()) {
      Hlo copy = to_->AddInstruction(parameter->CloneWithNewOperands(
          is_entry_ ? parameter->shape() : Lowered(parameter->shape()), {}));
      values_[parameter] = is_entry_ ? FromOutside(copy) : copy;
    }
    for (const HloInstruction* hlo : from_.MakeInstructionPostOrder()) {
      if (hlo->opcode() == HloOpcode::kParameter) continue;
      TF_ASSIGN_OR_RETURN(Hlo value, Lower(*hlo));
      if (hlo->has_sharding()) value->clear_sharding();
      values_[hlo] = value;
      for (const HloInstruction* before : hlo->control_predecessors()) {
        Hlo other = values_.at(before);
        if (other == value) continue;
        TF_RETURN_IF_ERROR(other->AddControlDependencyTo(value));
      }
    }
    Hlo root = values_.at(from_.root_instruction());
    if (is_entry_) {
      root = ToOutside(root, from_.root_instruction()->shape());
    }
    to_->set_root_instruction(root);
    TF_RETURN_IF_ERROR(status_);
    return emit_.status();
  }

 private:
  // Splits the value of an array of `shape` into its parts.
  DynamicArray Unpack(Hlo value, const Shape& shape) {
    if (!shape.IsArray() || shape.is_static()) return StaticArray(value);
    DynamicArray array = StaticArray(emit_.Element(value, 0));
    int next = 1;
    for (int d = 0; d < shape.rank(); ++d) {
      if (shape.is_dynamic_dimension(d)) {
        array.sizes[d] = emit_.Element(value, next++);
      }
    }
    return array;
  }
  Hlo Pack(const DynamicArray& array, const Shape& shape) {
    if (!shape.IsArray() || shape.is_static()) return array.data;
    std::vector<Hlo> parts = {array.data};
    for (int d = 0; d < shape.rank(); ++d) {
      if (shape.is_dynamic_dimension(d)) {
        parts.push_back(SizeOf(emit_, array, d));
      }
    }
    return emit_.Tuple(parts);
  }

  // Converts a value lowered from shape `from` to one lowered from `to`, in
  // which more dimensions may be dynamic.
  Hlo Coerce(Hlo value, const Shape& from, const Shape& to) {
    if (from.is_static() && to.is_static()) return value;
    if (!to.IsTuple()) return Pack(Unpack(value, from), to);
    std::vector<Hlo> parts;
    for (int i = 0; i < to.tuple_shapes_size(); ++i) {
      parts.push_back(Coerce(emit_.Element(value, i), from.tuple_shapes(i),
                             to.tuple_shapes(i)));
    }
    return emit_.Tuple(parts);
  }

  // Returns the elements of a dynamic array from outside, row-major.
  Hlo ElementsOf(Hlo value) {
    const Shape fixed = ShapeUtil::MakeStaticShape(value->shape());
    if (HasRowMajorLayout(fixed)) {
      return emit_.Add(HloOpcode::kBitcast, fixed, {value});
    }
    Hlo memory = emit_.Add(HloOpcode::kBitcast, MemoryOf(fixed), {value});
    return OrStatus(FromTiledMemory(emit_, memory, fixed), value);
  }

  // Converts row-major `elements` to the layout of `shape`.
  Hlo ToElements(Hlo elements, const Shape& shape) {
    const Shape fixed = ShapeUtil::MakeStaticShape(shape);
    if (HasRowMajorLayout(fixed)) return elements;
    Hlo memory = OrStatus(ToTiledMemory(emit_, elements, fixed), elements);
    return emit_.Add(HloOpcode::kBitcast, fixed, {memory});
  }

  // Returns the memory of a tiled array, as a vector.
  Shape MemoryOf(const Shape& shape) {
    const absl::StatusOr<Shape> vector = BufferVectorShape(shape);
    status_.Update(vector.status());
    if (!vector.ok()) return shape;
    return emit_.MakeShape(shape.element_type(),
                           {ShapeUtil::ElementsIn(*vector)});
  }

  Hlo OrStatus(absl::StatusOr<Hlo> result, Hlo otherwise) {
    status_.Update(result.status());
    return result.ok() ? *result : otherwise;
  }

  // Lowers an entry parameter.
  Hlo FromOutside(Hlo value) {
    const Shape& shape = value->shape();
    if (shape.is_static()) return value;
    if (shape.IsTuple()) {
      std::vector<Hlo> parts;
      for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
        parts.push_back(FromOutside(emit_.Element(value, i)));
      }
      return emit_.Tuple(parts);
    }
    DynamicArray array = StaticArray(ElementsOf(value));
    for (int d = 0; d < shape.rank(); ++d) {
      if (!shape.is_dynamic_dimension(d)) continue;
      array.sizes[d] =
          emit_.Add(HloOpcode::kGetDimensionSize, ShapeUtil::MakeShape(S32, {}),
                    {value}, DimensionSizeAttrs{{d}});
    }
    return Pack(array, shape);
  }

  // Makes an entry result.
  Hlo ToOutside(Hlo value, const Shape& shape) {
    if (shape.is_static()) return value;
    if (shape.IsTuple()) {
      std::vector<Hlo> parts;
      for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
        parts.push_back(
            ToOutside(emit_.Element(value, i), shape.tuple_shapes(i)));
      }
      return emit_.Tuple(parts);
    }
    const DynamicArray array = Unpack(value, shape);
    Hlo result = ToElements(array.data, shape);
    Shape so_far = result->shape();
    for (int d = 0; d < shape.rank(); ++d) {
      if (!shape.is_dynamic_dimension(d)) continue;
      so_far.set_dynamic_dimension(d, true);
      result = emit_.Add(HloOpcode::kSetDimensionSize, so_far,
                         {result, array.sizes[d]}, DimensionSizeAttrs{{d}});
    }
    return result;
  }

  HloComputation* Called(const HloComputation* computation) const {
    auto it = computations_.find(computation);
    return it == computations_.end() ? const_cast<HloComputation*>(computation)
                                     : it->second;
  }

  // Makes the result of a branch or body have the shape that its caller
  // expects.
  absl::Status CoerceRoot(const HloComputation* callee, const Shape& shape) {
    const Shape& from = callee->root_instruction()->shape();
    if (from == shape || (from.is_static() && shape.is_static())) {
      return absl::OkStatus();
    }
    HloComputation* lowered = Called(callee);
    // A value is not static for one caller and dynamic for another.
    if (ShapeUtil::Compatible(lowered->root_instruction()->shape(),
                              Lowered(shape))) {
      return absl::OkStatus();
    }
    Lowering inside(*callee, lowered, false, computations_);
    lowered->set_root_instruction(
        inside.Coerce(lowered->root_instruction(), from, shape));
    return absl::OkStatus();
  }

  // Makes arguments and results of a control flow op and its callees agree.
  absl::Status CoerceCalls(const HloInstruction& hlo,
                           std::vector<Hlo>& operands) {
    const auto same = Shape::Equal().IgnoreLayout();
    for (size_t i = 0; i < hlo.called_computations().size(); ++i) {
      const HloComputation* callee = hlo.called_computations()[i];
      if (hlo.opcode() == HloOpcode::kWhile) {
        // DynamicDimensionInference made these equal.
        if (!same(callee->parameter_instruction(0)->shape(), hlo.shape())) {
          return absl::UnimplementedError(
              absl::StrCat("while: ", hlo.name(), " and ", callee->name(),
                           " differ in which dimensions are dynamic"));
        }
        if (i == 0) {
          if (!same(hlo.operand(0)->shape(), hlo.shape())) {
            operands[0] =
                Coerce(operands[0], hlo.operand(0)->shape(), hlo.shape());
          }
        } else {
          TF_RETURN_IF_ERROR(CoerceRoot(callee, hlo.shape()));
        }
        continue;
      }
      TF_RETURN_IF_ERROR(CoerceRoot(callee, hlo.shape()));
      for (int64_t p = 0; p < callee->num_parameters(); ++p) {
        const int64_t o = hlo.opcode() == HloOpcode::kConditional ? i + 1 : p;
        operands[o] = Coerce(operands[o], hlo.operand(o)->shape(),
                             callee->parameter_instruction(p)->shape());
      }
    }
    return absl::OkStatus();
  }

  // Lowers ops that pass values on unchanged, tuples included.
  absl::StatusOr<Hlo> LowerStructure(const HloInstruction& hlo) {
    std::vector<Hlo> operands;
    for (const HloInstruction* operand : hlo.operands()) {
      operands.push_back(values_.at(operand));
    }
    if (hlo.opcode() == HloOpcode::kGetTupleElement) {
      return emit_.Element(operands[0], hlo.tuple_index());
    }
    if (IsControlFlow(hlo.opcode())) {
      TF_RETURN_IF_ERROR(CoerceCalls(hlo, operands));
    }
    Hlo clone = to_->AddInstruction(
        hlo.CloneWithNewOperands(Lowered(hlo.shape()), operands));
    for (size_t i = 0; i < hlo.called_computations().size(); ++i) {
      clone->set_called_computation(i, Called(hlo.called_computations()[i]));
    }
    return clone;
  }

  absl::StatusOr<Hlo> Lower(const HloInstruction& hlo) {
    switch (hlo.opcode()) {
      case HloOpcode::kTuple:
      case HloOpcode::kGetTupleElement:
      case HloOpcode::kOptimizationBarrier:
      case HloOpcode::kWhile:
      case HloOpcode::kConditional:
      case HloOpcode::kCall:
        return LowerStructure(hlo);
      default:
        break;
    }
    bool is_dynamic = NeedsWork(hlo);
    for (const HloInstruction* operand : hlo.operands()) {
      is_dynamic = is_dynamic || operand->shape().is_dynamic();
    }
    if (!is_dynamic) return LowerStructure(hlo);
    // Only arrays at the entry have layouts of their own.
    if (hlo.opcode() == HloOpcode::kCopy &&
        Shape::Equal().IgnoreLayout()(hlo.shape(), hlo.operand(0)->shape())) {
      return values_.at(hlo.operand(0));
    }
    std::vector<DynamicArray> operands;
    for (const HloInstruction* operand : hlo.operands()) {
      if (operand->shape().IsTuple()) {
        return absl::UnimplementedError(absl::StrCat(
            "dynamic dimensions: ", std::string(HloOpcodeString(hlo.opcode())),
            " of ", operand->shape().ToString(), " (instruction ", hlo.name(),
            ")"));
      }
      operands.push_back(Unpack(values_.at(operand), operand->shape()));
    }
    TF_ASSIGN_OR_RETURN(std::vector<DynamicArray> results,
                        LowerDynamicOp(emit_, hlo, operands));
    if (!hlo.shape().IsTuple()) return Pack(results[0], hlo.shape());
    std::vector<Hlo> parts;
    for (size_t i = 0; i < results.size(); ++i) {
      parts.push_back(Pack(results[i], hlo.shape().tuple_shapes(i)));
    }
    return emit_.Tuple(parts);
  }

  const HloComputation& from_;
  HloComputation* to_;
  HloBuilder emit_;
  const bool is_entry_;
  const Computations& computations_;
  absl::flat_hash_map<const HloInstruction*, Hlo> values_;
  absl::Status status_ = absl::OkStatus();  // the first error
};

// Returns whether everything dynamic is what this pass leaves at the entry.
bool IsLeftover(const HloInstruction& hlo) {
  auto is_outside = [](const HloInstruction* value) {
    while (value->opcode() == HloOpcode::kGetTupleElement) {
      value = value->operand(0);
    }
    return value->opcode() == HloOpcode::kParameter;
  };
  switch (hlo.opcode()) {
    case HloOpcode::kParameter:
      return true;
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kGetDimensionSize:
    case HloOpcode::kBitcast:
      return is_outside(hlo.operand(0));
    case HloOpcode::kSetDimensionSize:
    case HloOpcode::kTuple:
      for (const HloInstruction* user : hlo.users()) {
        if (user->opcode() != HloOpcode::kSetDimensionSize &&
            user->opcode() != HloOpcode::kTuple) {
          return false;
        }
      }
      return hlo.opcode() == HloOpcode::kTuple ||
             hlo.operand(0)->opcode() == HloOpcode::kSetDimensionSize ||
             hlo.operand(0)->shape().is_static();
    default:
      return false;
  }
}

bool IsLowered(const HloModule& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (!computation->IsEntryComputation()) {
        if (NeedsWork(*hlo)) return false;
        continue;
      }
      if (IsLeftover(*hlo)) continue;
      if (NeedsWork(*hlo)) return false;
      for (const HloInstruction* operand : hlo->operands()) {
        if (operand->shape().is_dynamic()) return false;
      }
    }
  }
  return true;
}

}  // namespace

absl::StatusOr<bool> DynamicPadder::RunImpl(HloModule* module) {
  if (IsLowered(*module)) return false;
  Lowering::Computations lowered;
  HloComputation* entry = module->entry_computation();
  // Computations of scalars have no sizes; only those of control flow change.
  absl::flat_hash_set<const HloComputation*> control_flow = {entry};
  for (const auto& computation : module->computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (!IsControlFlow(hlo->opcode())) continue;
      control_flow.insert(hlo->called_computations().begin(),
                          hlo->called_computations().end());
    }
  }
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    if (!control_flow.contains(computation)) continue;
    HloComputation* fresh = module->AddEmbeddedComputation(
        std::make_unique<HloComputation>(computation->name()));
    fresh->SetExecutionThread(computation->execution_thread());
    lowered[computation] = fresh;
    TF_RETURN_IF_ERROR(
        Lowering(*computation, fresh, computation == entry, lowered).Run());
  }
  module->set_entry_computation(lowered.at(entry));
  const std::string name = entry->name();
  module->RemoveUnreachableComputations();
  lowered.at(entry)->SetName(name);
  module->set_is_scheduled(false);
  return true;
}

}  // namespace xla
