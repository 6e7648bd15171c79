// Layouts do not change what an op computes, so shapes are simply rewritten;
// the work is at the borders, where other layouts remain.
#include "xla/hlo/transforms/layout/layout_normalization.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/device/transfers.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/table/known_calls.h"
#include "xla/hlo/ops/values.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"
#include "xla/hlo/transforms/layout/packed_bits.h"
#include "xla/hlo/transforms/layout/tiled_memory.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

bool IsRowMajor(const Shape& shape) {
  if (shape.IsTuple()) {
    for (const Shape& part : shape.tuple_shapes()) {
      if (!IsRowMajor(part)) return false;
    }
    return true;
  }
  return !shape.IsArray() || IsDenseRowMajor(shape);
}

// Returns the dimensions from the slowest to the fastest in memory.
std::vector<int64_t> MajorToMinor(const Shape& shape) {
  const auto minor_to_major = shape.layout().minor_to_major();
  return {minor_to_major.rbegin(), minor_to_major.rend()};
}

// Checks that operands and results of a custom call have no tiles, since a
// foreign function gets their buffers as they are.
absl::Status CheckDense(const Shape& shape, absl::string_view where) {
  TF_RETURN_IF_ERROR(CheckElementStorage(shape));
  return ShapeUtil::ForEachSubshapeWithStatus(
      shape, [&](const Shape& part, const ShapeIndex&) -> absl::Status {
        if (!HasOwnBuffer(part)) return absl::OkStatus();
        return absl::UnimplementedError(
            absl::StrCat("layout-normalization: ", where, " has the layout of ",
                         part.ToString(true),
                         "; tiles of custom calls are not implemented"));
      });
}

// Returns `shape` with only the dimension order, where it has a layout.
Shape OrderOnly(const Shape& shape) {
  Shape result = LayoutUtil::GetWithDefaultLayout(shape);
  ShapeUtil::ForEachMutableLeafShape(
      &result, [&](Shape* leaf, const ShapeIndex& index) {
        const Shape& original = ShapeUtil::GetSubshape(shape, index);
        if (!leaf->IsArray() || !original.has_layout()) return;
        *leaf->mutable_layout() = Layout(original.layout().minor_to_major());
      });
  return result;
}

// Returns the part of the layout of `shape`, an array of dynamic sizes, that
// determines where elements lie.
Shape PlacesOnly(const Shape& shape) {
  Shape result = shape;
  result.mutable_layout()->set_memory_space(0);
  result.mutable_layout()->set_element_size_in_bits(0);
  return result;
}

// Returns `shape` as later passes see it: arrays with tiles, padding or packed
// bits become the vectors of their buffers, except that those of dynamic sizes
// stay unchanged; other layouts keep their order.
absl::StatusOr<Shape> EntryForm(const Shape& shape) {
  Shape result = OrderOnly(shape);
  absl::Status status = absl::OkStatus();
  ShapeUtil::ForEachMutableLeafShape(
      &result, [&](Shape* leaf, const ShapeIndex& index) {
        const Shape& original = ShapeUtil::GetSubshape(shape, index);
        if (!HasOwnBuffer(original)) return;
        if (original.is_dynamic()) {
          *leaf = PlacesOnly(original);
          return;
        }
        absl::StatusOr<Shape> vector = BufferVectorShape(original);
        status.Update(vector.status());
        if (vector.ok()) *leaf = *std::move(vector);
      });
  if (!status.ok()) return status;
  return result;
}

// Returns the part of the entry's layout `stated` that a value of shape
// `present` does not have yet: if it is already the vector of its buffer, that
// vector.
Shape StillStated(const Shape& stated, const Shape& present) {
  Shape result = stated;
  ShapeUtil::ForEachMutableLeafShape(
      &result, [&](Shape* leaf, const ShapeIndex& index) {
        const Shape& own = ShapeUtil::GetSubshape(present, index);
        if (IsBufferVector(own, *leaf)) {
          *leaf = LayoutUtil::GetWithDefaultLayout(own);
        }
      });
  return result;
}

class Normalizer {
 public:
  explicit Normalizer(HloComputation* computation)
      : computation_(computation) {}

  // Converts row-major `x` to the layouts of `shape`, in the form that
  // EntryForm gives it.
  absl::StatusOr<Hlo> ToLayout(Hlo x, const Shape& shape) {
    if (IsRowMajor(shape)) return x;
    if (shape.IsTuple()) {
      std::vector<Hlo> parts;
      for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
        TF_ASSIGN_OR_RETURN(parts.emplace_back(),
                            ToLayout(Element(x, i), shape.tuple_shapes(i)));
      }
      return computation_->AddInstruction(HloInstruction::CreateTuple(parts));
    }
    if (shape.is_dynamic()) return Copy(x, PlacesOnly(shape));
    if (HasOwnBuffer(shape)) {
      HloBuilder emit(computation_);
      Hlo memory;
      if (HasTilesOrPadding(shape)) {
        TF_ASSIGN_OR_RETURN(memory, ToTiledMemory(emit, x, shape));
      } else {
        memory = Transpose(x, MajorToMinor(shape));
      }
      TF_ASSIGN_OR_RETURN(const Shape form, BufferVectorShape(shape));
      memory = IsBitPacked(shape) ? ToBytes(emit, memory, form)
                                  : emit.Reshape(memory, form.dimensions());
      TF_RETURN_IF_ERROR(emit.status());
      return memory;
    }
    return Bitcast(Transpose(x, MajorToMinor(shape)), OrderOnly(shape));
  }

  // Converts `x`, in the layouts of `shape`, to row-major layouts.
  absl::StatusOr<Hlo> FromLayout(Hlo x, const Shape& shape) {
    if (IsRowMajor(shape)) return x;
    if (shape.IsTuple()) {
      std::vector<Hlo> parts;
      for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
        TF_ASSIGN_OR_RETURN(parts.emplace_back(),
                            FromLayout(Element(x, i), shape.tuple_shapes(i)));
      }
      return computation_->AddInstruction(HloInstruction::CreateTuple(parts));
    }
    if (shape.is_dynamic()) {
      return Copy(x, LayoutUtil::GetWithDefaultLayout(shape));
    }
    if (HasOwnBuffer(shape)) {
      HloBuilder emit(computation_);
      if (IsBitPacked(shape)) {
        TF_ASSIGN_OR_RETURN(x, FromBytes(emit, x, shape));
      }
      Hlo array;
      if (HasTilesOrPadding(shape)) {
        Hlo memory = emit.Reshape(x, {ShapeUtil::ElementsIn(x->shape())});
        TF_ASSIGN_OR_RETURN(array, FromTiledMemory(emit, memory, shape));
      } else {
        const std::vector<int64_t> order = MajorToMinor(shape);
        x = emit.Reshape(x, Physical(shape, order).dimensions());
        array = Transpose(x, InverseOf(order));
      }
      TF_RETURN_IF_ERROR(emit.status());
      return array;
    }
    const std::vector<int64_t> order = MajorToMinor(shape);
    return Transpose(Bitcast(x, Physical(shape, order)), InverseOf(order));
  }

  // Applies a bitcast from `from` to `to` to the row-major `x`. If one of them
  // is tiled, elements that the smaller buffer lacks are zero.
  absl::StatusOr<Hlo> Reinterpret(Hlo x, const Shape& from, const Shape& to) {
    if (HasTilesOrPadding(from) || HasTilesOrPadding(to)) {
      return ReinterpretTiled(x, from, to);
    }
    if (!IsRowMajor(from)) x = Transpose(x, MajorToMinor(from));
    std::vector<int64_t> order;
    if (to.has_layout()) order = MajorToMinor(to);
    const Shape physical = to.has_layout()
                               ? Physical(to, order)
                               : LayoutUtil::GetWithDefaultLayout(to);
    const bool reshapes = from.element_type() == to.element_type();
    if (physical != x->shape()) {
      x = computation_->AddInstruction(HloInstruction::Create(
          reshapes ? HloOpcode::kReshape : HloOpcode::kBitcast, physical, {x}));
    }
    return to.has_layout() ? Transpose(x, InverseOf(order)) : x;
  }

 private:
  absl::StatusOr<Hlo> ReinterpretTiled(Hlo x, const Shape& from,
                                       const Shape& to) {
    if (from.element_type() != to.element_type()) {
      return absl::UnimplementedError(absl::StrCat(
          "layout-normalization: a bitcast from ", from.ToString(true), " to ",
          to.ToString(true), ": tiled arrays of different types"));
    }
    HloBuilder emit(computation_);
    const Shape source = LayoutUtil::HasLayout(from)
                             ? from
                             : LayoutUtil::GetWithDefaultLayout(from);
    const Shape target =
        LayoutUtil::HasLayout(to) ? to : LayoutUtil::GetWithDefaultLayout(to);
    TF_ASSIGN_OR_RETURN(Hlo memory, ToTiledMemory(emit, x, source));
    TF_ASSIGN_OR_RETURN(const Tiling wanted, Tiling::Create(target));
    const int64_t have = memory->shape().dimensions(0);
    const int64_t want = wanted.padded_element_count();
    if (want < have) memory = emit.SliceDim(memory, 0, 0, want);
    if (want > have) {
      Hlo zeros = emit.Splat(emit.Zero(to.element_type()), {want - have});
      memory = emit.Concatenate({memory, zeros}, 0);
    }
    TF_ASSIGN_OR_RETURN(Hlo array, FromTiledMemory(emit, memory, target));
    TF_RETURN_IF_ERROR(emit.status());
    return array;
  }

  // Packs elements in the order of memory into bytes of shape `form`.
  static Hlo ToBytes(HloBuilder& emit, Hlo elements, const Shape& form) {
    const PrimitiveType type = elements->shape().element_type();
    const int64_t count = ShapeUtil::ElementsIn(elements->shape());
    const int64_t places = ShapeUtil::ElementsIn(form) * ElementsInByte(type);
    if (form.rank() == elements->shape().rank() && count == places) {
      return PackIntoBytes(emit, elements);
    }
    elements = emit.Reshape(elements, {count});
    if (count < places) {
      elements = emit.Concatenate(
          {elements, emit.Splat(emit.Zero(type), {places - count})}, 0);
    }
    return PackIntoBytes(emit, elements);
  }

  // The inverse: returns all places of the buffer of `shape`, as a vector
  // where bytes hold more elements than it has places.
  static absl::StatusOr<Hlo> FromBytes(HloBuilder& emit, Hlo bytes,
                                       const Shape& shape) {
    Hlo elements = UnpackBytes(emit, bytes, shape.element_type());
    TF_ASSIGN_OR_RETURN(const Tiling tiling, Tiling::Create(shape));
    const int64_t count = tiling.padded_element_count();
    if (count < ShapeUtil::ElementsIn(elements->shape())) {
      elements = emit.SliceDim(elements, 0, 0, count);
    }
    return elements;
  }

  static Shape Physical(const Shape& shape, absl::Span<const int64_t> order) {
    Shape logical = shape;
    LayoutUtil::SetToDefaultLayout(&logical);
    return LayoutUtil::GetWithDefaultLayout(
        ShapeUtil::PermuteDimensions(order, logical));
  }
  Hlo Element(Hlo x, int64_t i) {
    return x->opcode() == HloOpcode::kTuple
               ? x->mutable_operand(i)
               : computation_->AddInstruction(
                     HloInstruction::CreateGetTupleElement(x, i));
  }
  Hlo Copy(Hlo x, const Shape& shape) {
    return computation_->AddInstruction(
        HloInstruction::Create(HloOpcode::kCopy, shape, {x}));
  }
  Hlo Bitcast(Hlo x, const Shape& shape) {
    return computation_->AddInstruction(
        HloInstruction::Create(HloOpcode::kBitcast, shape, {x}));
  }
  Hlo Transpose(Hlo x, const std::vector<int64_t>& permutation) {
    if (std::is_sorted(permutation.begin(), permutation.end())) return x;
    return computation_->AddInstruction(HloInstruction::Create(
        HloOpcode::kTranspose, Physical(x->shape(), permutation), {x},
        TransposeAttrs{permutation}));
  }

  HloComputation* computation_;
};

bool SetRowMajor(Shape* shape) {
  Shape normal = LayoutUtil::GetWithDefaultLayout(*shape);
  if (normal == *shape) return false;
  *shape = std::move(normal);
  return true;
}

// Normalizes attributes that hold layouts.
absl::StatusOr<bool> NormalizeAttrs(Hlo hlo) {
  if (hlo->opcode() == HloOpcode::kOutfeed) {
    Shape& shape = hlo->mutable_attrs<OutfeedAttrs>().outfeed_shape;
    if (shape.element_type() == PRIMITIVE_TYPE_INVALID) return false;
    return SetRowMajor(&shape);
  }
  if (!hlo->IsConstant() || hlo->literal().shape() == hlo->shape()) {
    return false;
  }
  hlo->mutable_attrs<ConstantAttrs>().literal =
      SharedLiteral(hlo->literal().Relayout(hlo->shape()));
  return true;
}

// Replaces the uses of `from` by `old_users` and, if `was_root`, as the root.
absl::Status ReplaceUses(Hlo from, Hlo to, absl::Span<const Hlo> old_users,
                         bool was_root) {
  if (from == to) return absl::OkStatus();
  for (Hlo user : old_users) {
    TF_RETURN_IF_ERROR(from->ReplaceUseWith(user, to));
  }
  if (was_root) from->parent()->set_root_instruction(to);
  return absl::OkStatus();
}

// The operands and results of a custom call keep their layouts.
absl::Status NormalizeCustomCall(Hlo call, const Shape& result) {
  const std::vector<Shape> wanted =
      call->attrs<CustomCallAttrs>().operand_layout_constraints.value_or(
          std::vector<Shape>());
  TF_RETURN_IF_ERROR(CheckDense(result, call->name()));
  Normalizer normalizer(call->parent());
  for (size_t i = 0; i < wanted.size(); ++i) {
    TF_RETURN_IF_ERROR(CheckDense(wanted[i], call->name()));
    TF_ASSIGN_OR_RETURN(
        Hlo operand,
        normalizer.ToLayout(call->mutable_operand(i), OrderOnly(wanted[i])));
    TF_RETURN_IF_ERROR(call->ReplaceOperandWith(i, operand));
  }
  *call->mutable_shape() = OrderOnly(result);
  const std::vector<Hlo> users = call->users();
  const bool was_root = call->IsRoot();
  TF_ASSIGN_OR_RETURN(Hlo row_major,
                      normalizer.FromLayout(call, call->shape()));
  return ReplaceUses(call, row_major, users, was_root);
}

// Instructions to revisit once all shapes are row-major.
struct Border {
  Hlo hlo;
  Shape from, to;
};

absl::StatusOr<bool> NormalizeBorder(const Border& border) {
  Hlo hlo = border.hlo;
  if (hlo->opcode() == HloOpcode::kCustomCall) {
    TF_RETURN_IF_ERROR(NormalizeCustomCall(hlo, border.to));
    return true;
  }
  // A copy with control edges copies row-major memory; a bitcast would read it
  // in another order.
  if (hlo->opcode() == HloOpcode::kCopy && hlo->HasControlDependencies()) {
    return false;
  }
  Hlo simpler = hlo->mutable_operand(0);
  if (hlo->opcode() == HloOpcode::kBitcast) {
    TF_ASSIGN_OR_RETURN(
        simpler,
        Normalizer(hlo->parent()).Reinterpret(simpler, border.from, border.to));
    TF_RETURN_IF_ERROR(simpler == hlo->operand(0)
                           ? BypassControlDependencies(hlo, simpler)
                           : MoveControlDependencies(hlo, simpler));
  }
  TF_RETURN_IF_ERROR(hlo->ReplaceAllUsesWith(simpler));
  TF_RETURN_IF_ERROR(hlo->parent()->RemoveInstruction(hlo));
  return true;
}

bool IsBorder(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kCustomCall: {
      const auto& attrs = hlo.attrs<CustomCallAttrs>();
      // It is not a function of the host but an op like any other.
      if (KnownCallOf(attrs) == KnownCall::kDynamicConvolution) return false;
      bool plain = IsRowMajor(hlo.shape());
      for (const Shape& shape :
           attrs.operand_layout_constraints.value_or(std::vector<Shape>())) {
        plain = plain && IsRowMajor(shape);
      }
      return !plain;
    }
    case HloOpcode::kBitcast:
      return hlo.shape().element_type() ==
                 hlo.operand(0)->shape().element_type() ||
             !IsRowMajor(hlo.shape()) || !IsRowMajor(hlo.operand(0)->shape());
    case HloOpcode::kCopy:
      return hlo.shape() != hlo.operand(0)->shape();
    default:
      return false;
  }
}

absl::StatusOr<bool> NormalizeComputation(HloComputation* computation) {
  const std::vector<Hlo> order = computation->MakeInstructionPostOrder();
  std::vector<Border> borders;
  for (Hlo hlo : order) {
    if (!IsBorder(*hlo)) continue;
    borders.push_back(
        {hlo, hlo->operand_count() > 0 ? hlo->operand(0)->shape() : Shape(),
         hlo->shape()});
  }
  bool changed = false;
  for (Hlo hlo : order) {
    changed |= SetRowMajor(hlo->mutable_shape());
    TF_ASSIGN_OR_RETURN(bool attrs, NormalizeAttrs(hlo));
    changed |= attrs;
  }
  for (const Border& border : borders) {
    TF_ASSIGN_OR_RETURN(bool once, NormalizeBorder(border));
    changed |= once;
  }
  return changed;
}

// Restores the entry's own layouts.
absl::Status NormalizeEntry(HloComputation* entry, const ProgramShape& layout) {
  Normalizer normalizer(entry);
  // Do the root first: it may be a parameter.
  Hlo root = entry->root_instruction();
  TF_ASSIGN_OR_RETURN(
      Hlo result,
      normalizer.ToLayout(root, StillStated(layout.result(), root->shape())));
  entry->set_root_instruction(result);
  const bool root_stays = entry->root_instruction() == root;
  for (int64_t i = 0; i < entry->num_parameters(); ++i) {
    Hlo parameter = entry->parameter_instruction(i);
    const std::vector<Hlo> users = parameter->users();
    const Shape before = parameter->shape();
    const Shape stated = StillStated(layout.parameters(i), before);
    TF_ASSIGN_OR_RETURN(const Shape form, EntryForm(stated));
    *parameter->mutable_shape() = form;
    TF_ASSIGN_OR_RETURN(Hlo row_major,
                        normalizer.FromLayout(parameter, stated));
    // Uses may only change between values of the same shape.
    *parameter->mutable_shape() = before;
    TF_RETURN_IF_ERROR(ReplaceUses(parameter, row_major, users,
                                   root_stays && parameter == root));
    *parameter->mutable_shape() = form;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> LayoutNormalization::RunImpl(HloModule* module) {
  HloComputation* entry = module->entry_computation();
  const ProgramShape layout =
      module->config().has_entry_computation_layout()
          ? module->entry_computation_layout().ComputeProgramShape()
          : entry->ComputeProgramShape();
  bool entry_is_row_major = IsRowMajor(layout.result());
  TF_RETURN_IF_ERROR(CheckElementStorage(layout.result()));
  for (int i = 0; i < layout.parameters_size(); ++i) {
    entry_is_row_major &= IsRowMajor(layout.parameters(i));
    TF_RETURN_IF_ERROR(CheckElementStorage(layout.parameters(i)));
  }
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    TF_ASSIGN_OR_RETURN(bool once, NormalizeComputation(computation));
    changed |= once;
  }
  if (!entry_is_row_major) {
    TF_RETURN_IF_ERROR(NormalizeEntry(entry, layout));
    changed = true;
  }
  if (changed) module->set_is_scheduled(false);
  return changed;
}

}  // namespace xla
