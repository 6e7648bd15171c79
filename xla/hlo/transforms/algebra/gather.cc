// Rules of gather and scatter: for one box, or for boxes that lie in a row,
// they are slices and updates. A scatter skips a window that does not fit,
// whereas dynamic-update-slice clamps it, so unknown positions are tested.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

// A component of the index vectors that counts: start, start + step, ... in
// row-major order of the vectors. U64 values beyond int64 count as negative.
// The step of a single vector is 0.
struct Progression {
  int64_t start = 0;
  int64_t step = 0;
};

// The most elements of index constants that are examined, to bound the time.
constexpr int64_t kMaxIndices = 1 << 16;

std::optional<Progression> OfLiteral(const HloInstruction* constant,
                                     int64_t vector_dim, int64_t j) {
  const Shape& shape = constant->shape();
  const int64_t rank = shape.rank();
  if (ShapeUtil::ElementsIn(shape) > kMaxIndices) return std::nullopt;
  std::vector<int64_t> at(rank, 0);
  if (vector_dim < rank) at[vector_dim] = j;
  std::optional<Progression> result;
  int64_t last = 0;
  for (int64_t n = 0;; ++n) {
    const auto value = constant->literal().GetIntegralAsS64(at);
    if (!value.has_value()) return std::nullopt;
    if (n == 0) {
      result = Progression{*value, 0};
    } else if (n == 1) {
      // Indices that are out of bounds anyway must not overflow.
      if (*value < 0 || last < 0) return std::nullopt;
      result->step = *value - last;
    } else if (*value < 0 || *value - last != result->step) {
      return std::nullopt;
    }
    last = *value;
    int64_t d = rank - 1;
    for (; d >= 0; --d) {
      if (d == vector_dim) continue;
      if (++at[d] < shape.dimensions(d)) break;
      at[d] = 0;
    }
    if (d < 0) return result;
  }
}

// Returns component `j` of all index vectors if it is certainly a progression.
std::optional<Progression> FindProgression(const HloInstruction* indices,
                                           int64_t index_vector_dim,
                                           int64_t j) {
  if (!IsInteger(indices) || ShapeUtil::IsZeroElementArray(indices->shape())) {
    return std::nullopt;
  }
  if (const auto splat = SplatInt(indices); splat.has_value()) {
    return Progression{*splat, 0};
  }
  if (indices->IsConstant()) return OfLiteral(indices, index_vector_dim, j);
  if (!Is(indices, HloOpcode::kIota)) return std::nullopt;
  const Shape& shape = indices->shape();
  const int64_t d = indices->attrs<IotaAttrs>().iota_dimension;
  if (d == index_vector_dim) return Progression{j, 0};
  const int64_t vectors =
      ShapeUtil::ElementsIn(shape) / (index_vector_dim < shape.rank()
                                          ? shape.dimensions(index_vector_dim)
                                          : 1);
  const int bits = primitive_util::BitWidth(shape.element_type()) - 1;
  if (vectors != shape.dimensions(d) ||
      (bits < 63 && vectors > int64_t{1} << bits)) {
    return std::nullopt;
  }
  return Progression{0, vectors > 1 ? 1 : 0};
}

// Returns component `j` of the only index vector, as a scalar.
Result IndexOfOne(HloInstruction* indices, int64_t j, RuleContext& context) {
  const PrimitiveType type = TypeOf(indices);
  HloInstruction* flat = context.Reshape(
      ShapeUtil::MakeShape(type, {ShapeUtil::ElementsIn(indices->shape())}),
      indices);
  SliceAttrs one;
  one.slice.push_back({j, j + 1, 1});
  TF_ASSIGN_OR_RETURN(HloInstruction * start,
                      context.Infer(HloOpcode::kSlice, {flat}, one));
  return context.Reshape(ShapeUtil::MakeScalarShape(type), start);
}

// gather(x, i) => broadcast(0), for slices without elements; the rules after it
// rely on it
Result GatherOfNothing(HloInstruction* hlo, RuleContext& context) {
  if (!Contains(hlo->attrs<GatherAttrs>().slice_sizes, 0)) return nullptr;
  TF_ASSIGN_OR_RETURN(Literal zero,
                      Literal::Make(ShapeUtil::MakeScalarShape(TypeOf(hlo))));
  return context.Splat(hlo->shape(), context.Constant(std::move(zero)));
}

// gather(broadcast(s), i) => broadcast(s), for a scalar s
Result GatherOfSplat(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* scalar = Arg(Lhs(hlo), HloOpcode::kBroadcast);
  if (scalar == nullptr || !ShapeUtil::IsScalar(scalar->shape())) {
    return nullptr;
  }
  return context.Splat(hlo->shape(), scalar);
}

// gather(x, i) => reshape(dynamic-slice(x, i)), for one slice
Result GatherOfOne(HloInstruction* hlo, RuleContext& context) {
  const GatherAttrs& attrs = hlo->attrs<GatherAttrs>();
  const GatherDimensionNumbers& dims = attrs.dimension_numbers;
  const Shape& indices = Rhs(hlo)->shape();
  if (dims.operand_batching_dims_size() != 0 ||
      ShapeUtil::ElementsIn(indices) != dims.start_index_map_size() ||
      dims.start_index_map_size() == 0) {
    return nullptr;
  }
  std::vector<HloInstruction*> operands(1 + Lhs(hlo)->shape().rank(), nullptr);
  operands[0] = Lhs(hlo);
  for (int64_t j = 0; j < dims.start_index_map_size(); ++j) {
    TF_ASSIGN_OR_RETURN(operands[1 + dims.start_index_map(j)],
                        IndexOfOne(Rhs(hlo), j, context));
  }
  for (HloInstruction*& operand : operands) {
    if (operand == nullptr) {
      operand = context.Integer(indices.element_type(), 0);
    }
  }
  DynamicSliceAttrs sizes;
  sizes.dynamic_slice_sizes = attrs.slice_sizes;
  TF_ASSIGN_OR_RETURN(HloInstruction * slice,
                      context.Infer(HloOpcode::kDynamicSlice, operands, sizes));
  return context.Reshape(hlo->shape(), slice);
}

// Returns the ranges of a gather whose index vectors count along a single
// collapsed dimension, `row`; empty for other gathers.
SliceAttrs RangesOfRow(HloInstruction* hlo, int64_t vectors, int64_t* row) {
  const GatherAttrs& attrs = hlo->attrs<GatherAttrs>();
  const GatherDimensionNumbers& dims = attrs.dimension_numbers;
  SliceAttrs ranges;
  for (int64_t size : attrs.slice_sizes) ranges.slice.push_back({0, size, 1});
  *row = -1;
  for (int64_t j = 0; j < dims.start_index_map_size(); ++j) {
    const int64_t d = dims.start_index_map(j);
    const int64_t last = Lhs(hlo)->shape().dimensions(d) - attrs.slice_sizes[d];
    const auto known = FindProgression(Rhs(hlo), dims.index_vector_dim(), j);
    if (!known.has_value()) return {};
    const int64_t start = known->start;
    const int64_t step = known->step;
    if (step == 0) {
      const int64_t clamped = std::clamp<int64_t>(start, 0, last);
      ranges.slice[d] = {clamped, clamped + attrs.slice_sizes[d], 1};
      continue;
    }
    // These values come from a literal or an iota and do not overflow.
    const int64_t end = start + (vectors - 1) * step;
    if (step < 0 || start < 0 || end > last || *row >= 0 ||
        !Contains(dims.collapsed_slice_dims(), d)) {
      return {};
    }
    *row = d;
    ranges.slice[d] = {start, end + 1, step};
  }
  return *row < 0 ? SliceAttrs{} : ranges;
}

// gather(x, (c, c + s, ..)) => transpose(slice(x)), where index vectors count
// up along one dimension and are in bounds
Result GatherOfRow(HloInstruction* hlo, RuleContext& context) {
  const GatherDimensionNumbers& dims =
      hlo->attrs<GatherAttrs>().dimension_numbers;
  const int64_t count = dims.start_index_map_size();
  if (dims.operand_batching_dims_size() != 0 || count == 0 ||
      ShapeUtil::IsZeroElementArray(hlo->shape())) {
    return nullptr;
  }
  const int64_t vectors = ShapeUtil::ElementsIn(Rhs(hlo)->shape()) / count;
  if (vectors < 2) return nullptr;
  int64_t row;
  SliceAttrs ranges = RangesOfRow(hlo, vectors, &row);
  if (ranges.slice.empty()) return nullptr;
  // The slice's dimensions without collapsed ones except the row, and where
  // each goes.
  std::vector<int64_t> sizes;
  int64_t row_at = 0;
  for (int64_t d = 0; d < Lhs(hlo)->shape().rank(); ++d) {
    if (d == row) {
      row_at = sizes.size();
      sizes.push_back(vectors);
    } else if (!Contains(dims.collapsed_slice_dims(), d)) {
      sizes.push_back(hlo->attrs<GatherAttrs>().slice_sizes[d]);
    }
  }
  TransposeAttrs order;
  int64_t next = 0;
  bool placed = false;
  for (int64_t d = 0; d < hlo->shape().rank(); ++d) {
    if (Contains(dims.offset_dims(), d)) {
      next += next == row_at ? 1 : 0;
      order.dimensions.push_back(next++);
    } else if (hlo->shape().dimensions(d) != 1) {
      if (placed) return nullptr;
      placed = true;
      order.dimensions.push_back(row_at);
    }
  }
  TF_ASSIGN_OR_RETURN(
      HloInstruction * slice,
      context.Infer(HloOpcode::kSlice, {Lhs(hlo)}, std::move(ranges)));
  slice = context.Reshape(ShapeUtil::MakeShape(TypeOf(hlo), sizes), slice);
  TF_ASSIGN_OR_RETURN(
      HloInstruction * moved,
      context.Infer(HloOpcode::kTranspose, {slice}, std::move(order)));
  return context.Reshape(hlo->shape(), moved);
}

// Returns true for a scatter into one array by index vectors with elements.
bool IsPlain(const HloInstruction* hlo) {
  const ScatterDimensionNumbers& dims =
      hlo->attrs<ScatterAttrs>().dimension_numbers;
  return hlo->operand_count() == 3 && hlo->shape().IsArray() &&
         dims.input_batching_dims_size() == 0 &&
         dims.scatter_dims_to_operand_dims_size() > 0 &&
         TypeOf(hlo->operand(0)) == TypeOf(hlo->operand(2)) &&
         !ShapeUtil::IsZeroElementArray(hlo->operand(2)->shape());
}

// Returns the window's size in each operand dimension; inserted ones have size
// 1.
std::vector<int64_t> WindowSizes(const HloInstruction* hlo) {
  const ScatterDimensionNumbers& dims =
      hlo->attrs<ScatterAttrs>().dimension_numbers;
  std::vector<int64_t> sizes;
  int64_t next = 0;
  for (int64_t d = 0; d < hlo->shape().rank(); ++d) {
    const bool inserted = Contains(dims.inserted_window_dims(), d);
    sizes.push_back(inserted ? 1
                             : hlo->operand(2)->shape().dimensions(
                                   dims.update_window_dims(next++)));
  }
  return sizes;
}

// The value that a scatter writes at `starts`, as an update of the box
// `update`, which Combine sets.
struct BoxUpdate {
  HloInstruction* old = nullptr;  // the values there before; made when needed
  HloInstruction* value = nullptr;
};

// Returns x[starts : starts + sizes of update].
Result OldBox(HloInstruction* x, absl::Span<HloInstruction* const> starts,
              const Shape& box, RuleContext& context) {
  std::vector<HloInstruction*> operands = {x};
  operands.insert(operands.end(), starts.begin(), starts.end());
  DynamicSliceAttrs sizes;
  sizes.dynamic_slice_sizes = ToVector(box.dimensions());
  return context.Infer(HloOpcode::kDynamicSlice, operands, std::move(sizes));
}

// Applies the combiner of a scatter to whole boxes. The value is null if the
// combiner is neither its second parameter nor one op on both.
absl::StatusOr<BoxUpdate> Combine(HloInstruction* hlo, HloInstruction* update,
                                  absl::Span<HloInstruction* const> starts,
                                  bool needs_old, RuleContext& context) {
  const HloComputation* combiner = hlo->called_computations()[0];
  const HloInstruction* root = combiner->root_instruction();
  BoxUpdate box;
  const bool replaces = root == combiner->parameter_instruction(1);
  const auto op = BinaryReducer(combiner);
  if (!replaces && (!op.has_value() || TypeOf(root) != TypeOf(hlo))) {
    return box;
  }
  if (needs_old || !replaces) {
    TF_ASSIGN_OR_RETURN(box.old,
                        OldBox(Lhs(hlo), starts, update->shape(), context));
  }
  box.value = replaces ? update
                       : context.Make(*op, update->shape(), {box.old, update},
                                      root->raw_attrs());
  return box;
}

HloInstruction* UpdateAt(HloInstruction* hlo, HloInstruction* value,
                         absl::Span<HloInstruction* const> starts,
                         RuleContext& context) {
  std::vector<HloInstruction*> operands = {Lhs(hlo), value};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return context.Make(HloOpcode::kDynamicUpdateSlice, hlo->shape(), operands);
}

// Returns 0 <= start <= last as far as the type does not imply it; null if it
// does.
HloInstruction* InRange(HloInstruction* start, int64_t last,
                        RuleContext& context) {
  const PrimitiveType type = TypeOf(start);
  const Shape pred = ShapeUtil::MakeScalarShape(PRED);
  auto compare = [&](ComparisonDirection direction, int64_t with) {
    CompareAttrs attrs;
    attrs.direction = direction;
    return context.Make(HloOpcode::kCompare, pred,
                        {start, context.Integer(type, with)}, attrs);
  };
  const int bits = primitive_util::BitWidth(type) - (IsUnsigned(start) ? 0 : 1);
  HloInstruction* low =
      IsUnsigned(start) ? nullptr : compare(ComparisonDirection::kGe, 0);
  const bool always = bits < 63 && last >= (int64_t{1} << bits) - 1;
  if (always) return low;
  HloInstruction* high = compare(ComparisonDirection::kLe, last);
  if (low == nullptr) return high;
  return context.Make(HloOpcode::kAnd, pred, {low, high});
}

// scatter(x, i, u), f => dynamic-update-slice(x, f(dynamic-slice(x, i), u), i),
// for one window; where it may not fit, select(fits, f(dynamic-slice(x, i), u),
// dynamic-slice(x, i))
Result ScatterOfOne(HloInstruction* hlo, RuleContext& context) {
  if (!IsPlain(hlo)) return nullptr;
  const ScatterDimensionNumbers& dims =
      hlo->attrs<ScatterAttrs>().dimension_numbers;
  HloInstruction* indices = Rhs(hlo);
  const int64_t count = dims.scatter_dims_to_operand_dims_size();
  if (ShapeUtil::ElementsIn(indices->shape()) != count) return nullptr;
  const std::vector<int64_t> sizes = WindowSizes(hlo);
  const PrimitiveType type = TypeOf(indices);
  std::vector<HloInstruction*> starts(hlo->shape().rank(), nullptr);
  HloInstruction* fits = nullptr;
  for (int64_t j = 0; j < count; ++j) {
    const int64_t d = dims.scatter_dims_to_operand_dims(j);
    const int64_t last = hlo->shape().dimensions(d) - sizes[d];
    const auto known = FindProgression(indices, dims.index_vector_dim(), j);
    if (known.has_value()) {
      if (known->start < 0 || known->start > last) return Lhs(hlo);
      starts[d] = context.Integer(type, known->start);
      continue;
    }
    TF_ASSIGN_OR_RETURN(starts[d], IndexOfOne(indices, j, context));
    HloInstruction* in_range = InRange(starts[d], last, context);
    if (in_range == nullptr) continue;
    fits = fits == nullptr
               ? in_range
               : context.Make(HloOpcode::kAnd, fits->shape(), {fits, in_range});
  }
  for (HloInstruction*& start : starts) {
    if (start == nullptr) start = context.Integer(type, 0);
  }
  HloInstruction* update = context.Reshape(
      ShapeUtil::MakeShape(TypeOf(hlo), sizes), hlo->mutable_operand(2));
  TF_ASSIGN_OR_RETURN(BoxUpdate box,
                      Combine(hlo, update, starts, fits != nullptr, context));
  if (box.value == nullptr) return nullptr;
  if (fits != nullptr) {
    HloInstruction* everywhere = context.Splat(
        ShapeUtil::ChangeElementType(update->shape(), PRED), fits);
    box.value = context.Make(HloOpcode::kSelect, update->shape(),
                             {everywhere, box.value, box.old});
  }
  return UpdateAt(hlo, box.value, starts, context);
}

// scatter(x, (c, c + 1, ..), u), f => dynamic-update-slice(x,
// f(dynamic-slice(x, c), u), c), where index vectors count up along one
// dimension
Result ScatterOfRow(HloInstruction* hlo, RuleContext& context) {
  if (!IsPlain(hlo)) return nullptr;
  const ScatterDimensionNumbers& dims =
      hlo->attrs<ScatterAttrs>().dimension_numbers;
  HloInstruction* indices = Rhs(hlo);
  HloInstruction* updates = hlo->mutable_operand(2);
  const int64_t count = dims.scatter_dims_to_operand_dims_size();
  const int64_t vectors = ShapeUtil::ElementsIn(indices->shape()) / count;
  if (vectors < 2) return nullptr;
  std::vector<int64_t> sizes = WindowSizes(hlo);
  std::vector<int64_t> begin(sizes.size(), 0);
  int64_t row = -1;
  for (int64_t j = 0; j < count; ++j) {
    const int64_t d = dims.scatter_dims_to_operand_dims(j);
    const auto known = FindProgression(indices, dims.index_vector_dim(), j);
    if (!known.has_value()) return nullptr;
    if (known->step != 0) {
      if (known->step != 1 || row >= 0 ||
          !Contains(dims.inserted_window_dims(), d)) {
        return nullptr;
      }
      row = d;
      sizes[d] = vectors;
    }
    begin[d] = known->start;
    if (begin[d] < 0 || begin[d] > hlo->shape().dimensions(d) - sizes[d]) {
      return nullptr;
    }
  }
  if (row < 0) return nullptr;
  // Window dimensions are in the operand's order; the row goes in between.
  int64_t windows_before = 0;
  for (int64_t d = 0; d < row; ++d) {
    windows_before += !Contains(dims.inserted_window_dims(), d);
  }
  TransposeAttrs order;
  for (int64_t d : dims.update_window_dims()) order.dimensions.push_back(d);
  std::vector<int64_t> scattered;
  for (int64_t d = 0; d < updates->shape().rank(); ++d) {
    if (!Contains(dims.update_window_dims(), d)) scattered.push_back(d);
  }
  order.dimensions.insert(order.dimensions.begin() + windows_before,
                          scattered.begin(), scattered.end());
  TF_ASSIGN_OR_RETURN(
      HloInstruction * moved,
      context.Infer(HloOpcode::kTranspose, {updates}, std::move(order)));
  HloInstruction* update =
      context.Reshape(ShapeUtil::MakeShape(TypeOf(hlo), sizes), moved);
  std::vector<HloInstruction*> starts;
  for (int64_t start : begin) {
    starts.push_back(context.Integer(TypeOf(indices), start));
  }
  TF_ASSIGN_OR_RETURN(BoxUpdate box, Combine(hlo, update, starts,
                                             /*needs_old=*/false, context));
  if (box.value == nullptr) return nullptr;
  return UpdateAt(hlo, box.value, starts, context);
}

// scatter(x, i, u) => x, where u has no elements or the combiner keeps x
Result ScatterNothing(HloInstruction* hlo, RuleContext&) {
  if (hlo->operand_count() != 3) return nullptr;
  const HloComputation* combiner = hlo->called_computations()[0];
  const bool keeps =
      combiner->root_instruction() == combiner->parameter_instruction(0);
  if (!keeps && !ShapeUtil::IsZeroElementArray(hlo->operand(2)->shape())) {
    return nullptr;
  }
  return Lhs(hlo);
}

constexpr Rule kGather[] = {GatherOfNothing, GatherOfSplat, GatherOfOne,
                            GatherOfRow};
constexpr Rule kScatter[] = {ScatterNothing, ScatterOfOne, ScatterOfRow};

}  // namespace

Rules GatherRules() { return kGather; }
Rules ScatterRules() { return kScatter; }

}  // namespace xla::algebra
