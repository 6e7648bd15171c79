// The reduction carries an element and its position.
#include "xla/hlo/transforms/expand/select_and_scatter_expander.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/reducers.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/slicing.h"
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

// The most windows that one element is in for which each element looks for the
// windows that selected it; it costs a comparison for each of them, where a
// scatter costs an addition in memory for each window.
constexpr int64_t kMostWindowsOfElement = 32;

// The most elements of a window that are compared in straight code.
constexpr int64_t kMostWindowElements = 32;

// The windows of a dimension that an element may be in: those at quotient - j
// for j < count, where the quotient is that of its padded position by the
// stride.
int64_t WindowsOfElement(const WindowDimension& dim) {
  return CeilOfRatio(dim.size(), dim.stride());
}

bool LooksForWindows(const HloInstruction& hlo) {
  const PrimitiveType type = hlo.shape().element_type();
  const HloComputation& scatter = *hlo.called_computations()[1];
  if (!OneOpOf(scatter).has_value() ||
      scatter.root_instruction()->shape().element_type() != type) {
    return false;
  }
  int64_t windows = 1;
  for (const WindowDimension& dim :
       hlo.attrs<SelectAndScatterAttrs>().window.dimensions()) {
    windows = SaturatingMultiply(windows, WindowsOfElement(dim));
  }
  return windows <= kMostWindowsOfElement;
}

// Returns, for each element, the value of `x` of its window at the quotient
// minus `back[d]` in each dimension d; `none` where there is no such window.
Hlo AtWindow(HloBuilder& emit, Hlo x, Hlo none, const Window& window,
             absl::Span<const int64_t> sizes, absl::Span<const int64_t> back) {
  HloBuilder::Dims apart, repeated, kept;
  PadAttrs attrs;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const WindowDimension& dim = window.dimensions(static_cast<int>(d));
    const int64_t windows = x->shape().dimensions(d);
    kept.push_back(static_cast<int64_t>(apart.size()));
    apart.push_back(windows);
    if (dim.stride() > 1) apart.push_back(dim.stride());
    repeated.push_back(windows * dim.stride());
    auto* padding = attrs.padding.add_dimensions();
    padding->set_edge_padding_low(back[d] * dim.stride() - dim.padding_low());
    padding->set_edge_padding_high(sizes[d] - repeated[d] -
                                   padding->edge_padding_low());
  }
  x = emit.Reshape(emit.Broadcast(x, apart, kept), repeated);
  return emit.Add(HloOpcode::kPad,
                  emit.MakeShape(x->shape().element_type(), sizes), {x, none},
                  std::move(attrs));
}

// Moves `index` to the next one in row-major order, backwards; returns false
// behind the first.
bool StepBack(absl::Span<const int64_t> sizes, std::vector<int64_t>& index) {
  for (size_t d = sizes.size(); d-- > 0;) {
    if (index[d]-- > 0) return true;
    index[d] = sizes[d] - 1;
  }
  return false;
}

// What a window's selected element is called by, and how elements find their
// own name in a window.
struct SelectedNames {
  // For each window.
  Hlo names = nullptr;
  // Returns the names of all elements in their windows at the quotients minus
  // `back`.
  std::function<Hlo(absl::Span<const int64_t> back)> own;
};

// Names elements by their positions in the flat operand.
SelectedNames NamesByPosition(HloBuilder& emit, const HloInstruction& hlo,
                              Hlo positions) {
  const auto sizes = hlo.shape().dimensions();
  Hlo own = emit.Reshape(emit.Iota(positions->shape().element_type(),
                                   {ShapeUtil::ElementsIn(hlo.shape())}, 0),
                         sizes);
  return {positions, [own](absl::Span<const int64_t>) { return own; }};
}

// An operand with the padding of its windows around it, and which of these are
// its elements; null if all are.
struct PaddedOperand {
  Hlo elements = nullptr;
  Hlo inside = nullptr;
};

PaddedOperand PadOperand(HloBuilder& emit, const Window& window, Hlo operand) {
  PadAttrs attrs;
  HloBuilder::Dims sizes;
  bool is_padded = false;
  for (int d = 0; d < window.dimensions_size(); ++d) {
    const WindowDimension& dim = window.dimensions(d);
    auto* padding = attrs.padding.add_dimensions();
    // Windows that end before the operand does need no cut.
    const int64_t high = std::max<int64_t>(0, dim.padding_high());
    padding->set_edge_padding_low(dim.padding_low());
    padding->set_edge_padding_high(high);
    is_padded |= dim.padding_low() != 0 || high != 0;
    sizes.push_back(operand->shape().dimensions(d) + dim.padding_low() + high);
  }
  if (!is_padded) return {operand};
  const auto pad = [&](Hlo x) {
    const PrimitiveType type = x->shape().element_type();
    return emit.Add(HloOpcode::kPad, emit.MakeShape(type, sizes),
                    {x, emit.Zero(type)}, attrs);
  };
  Hlo all = emit.Splat(emit.Integer(PRED, 1), operand->shape().dimensions());
  return {pad(operand), pad(all)};
}

// Returns the offset, times `factors`, of the element that each window selects;
// -1 for a window of padding alone.
Hlo SelectedOffsets(HloBuilder& emit, const HloInstruction& hlo,
                    const SelectAndScatterArrays& arrays,
                    absl::Span<const int64_t> factors) {
  const Window& window = hlo.attrs<SelectAndScatterAttrs>().window;
  const auto windows = arrays.source->shape().dimensions();
  HloBuilder::Dims sizes, strides;
  for (const WindowDimension& dim : window.dimensions()) {
    sizes.push_back(dim.size());
    strides.push_back(dim.stride());
  }
  // Slices of an array are the elements at one offset of all windows.
  const HloInstruction& selects =
      *hlo.called_computations()[0]->root_instruction();
  const PaddedOperand padded = PadOperand(emit, window, arrays.operand);
  Hlo best = nullptr;
  Hlo best_at = nullptr;
  Hlo found = nullptr;  // whether the best one is an element; null if it is one
  HloBuilder::Dims offset(sizes.size());
  for (int64_t at = 0; at < Product(sizes); ++at) {
    HloBuilder::Dims limits;
    int64_t name = 0;
    int64_t rest = at;
    for (size_t d = sizes.size(); d-- > 0;) {
      offset[d] = rest % sizes[d];
      name += offset[d] * factors[d];
      rest /= sizes[d];
    }
    for (size_t d = 0; d < sizes.size(); ++d) {
      limits.push_back(offset[d] + (windows[d] - 1) * strides[d] + 1);
    }
    Hlo element = emit.Slice(padded.elements, offset, limits, strides);
    Hlo inside = padded.inside == nullptr
                     ? nullptr
                     : emit.Slice(padded.inside, offset, limits, strides);
    Hlo here = emit.Splat(emit.Integer(S32, name), windows);
    if (best == nullptr) {
      best = element;
      best_at = here;
      found = inside;
      continue;
    }
    Hlo keeps = emit.computation()->AddInstruction(selects.CloneWithNewOperands(
        ShapeUtil::MakeShape(PRED, windows), {best, element}));
    if (inside != nullptr) {
      Hlo outside = emit.Unary(HloOpcode::kNot, inside);
      keeps = emit.And(found, emit.Binary(HloOpcode::kOr, outside, keeps));
      found = emit.Binary(HloOpcode::kOr, found, inside);
    }
    best = emit.Select(keeps, best, element);
    best_at = emit.Select(keeps, best_at, here);
  }
  if (found != nullptr) {
    best_at =
        emit.Select(found, best_at, emit.Splat(emit.Integer(S32, -1), windows));
  }
  return best_at;
}

// Names elements by their offsets in the window, which takes no array of
// positions. What is not in a window, but less than a stride behind it, has
// another name than all elements of the window. Requires HasPlainWindows.
SelectedNames NamesByOffset(HloBuilder& emit, const HloInstruction& hlo,
                            const SelectAndScatterArrays& arrays) {
  const Window& window = hlo.attrs<SelectAndScatterAttrs>().window;
  HloBuilder::Dims sizes, strides, factors(window.dimensions_size());
  int64_t names = 1;
  for (int d = window.dimensions_size(); d-- > 0;) {
    factors[d] = names;
    names *=
        WindowsOfElement(window.dimensions(d)) * window.dimensions(d).stride();
  }
  for (const WindowDimension& dim : window.dimensions()) {
    sizes.push_back(dim.size());
    strides.push_back(dim.stride());
  }
  Hlo own = nullptr;
  for (size_t d = sizes.size(); d-- > 0;) {
    if (strides[d] == 1) continue;
    Hlo iota = emit.Iota(S32, hlo.shape().dimensions(), d);
    const int64_t low = window.dimensions(static_cast<int>(d)).padding_low();
    if (low != 0) iota = emit.Plus(iota, emit.IntegerLike(iota, low));
    Hlo part = emit.Times(emit.Binary(HloOpcode::kRemainder, iota,
                                      emit.IntegerLike(iota, strides[d])),
                          emit.IntegerLike(iota, factors[d]));
    own = own == nullptr ? part : emit.Plus(own, part);
  }
  return {SelectedOffsets(emit, hlo, arrays, factors),
          [=, &emit, &hlo](absl::Span<const int64_t> back) {
            int64_t known = 0;
            for (size_t d = 0; d < sizes.size(); ++d) {
              known += back[d] * strides[d] * factors[d];
            }
            Hlo all =
                emit.Splat(emit.Integer(S32, known), hlo.shape().dimensions());
            return own == nullptr ? all : emit.Plus(own, all);
          }};
}

// True if windows are compared by one comparison and are small.
bool HasPlainWindows(const HloInstruction& hlo,
                     const SelectAndScatterArrays& arrays) {
  const HloComputation& select = *hlo.called_computations()[0];
  const HloInstruction& root = *select.root_instruction();
  if (arrays.operand_within != nullptr || arrays.source_within != nullptr ||
      root.opcode() != HloOpcode::kCompare ||
      root.operand(0) != select.parameter_instruction(0) ||
      root.operand(1) != select.parameter_instruction(1) ||
      root.operand(0)->shape().element_type() !=
          arrays.operand->shape().element_type()) {
    return false;
  }
  int64_t elements = 1;
  for (const WindowDimension& dim :
       hlo.attrs<SelectAndScatterAttrs>().window.dimensions()) {
    if (dim.padding_low() < 0) return false;
    elements = SaturatingMultiply(elements, dim.size());
  }
  return elements <= kMostWindowElements;
}

// Combines each element with the sources of the windows that selected it, in
// the order of the windows.
Hlo CombineSelected(HloBuilder& emit, const HloInstruction& hlo, Hlo init,
                    SelectedNames selected, Hlo source) {
  const auto sizes = hlo.shape().dimensions();
  const Window& window = hlo.attrs<SelectAndScatterAttrs>().window;
  const HloOpcode op = *OneOpOf(*hlo.called_computations()[1]);
  // Both are computed once for each window, not for each element in it.
  selected.names = emit.Unary(HloOpcode::kOptimizationBarrier, selected.names);
  source = emit.Unary(HloOpcode::kOptimizationBarrier, source);
  Hlo no_name = emit.Integer(selected.names->shape().element_type(), -1);
  Hlo nothing = emit.Zero(source->shape().element_type());
  Hlo result = emit.Splat(init, sizes);
  HloBuilder::Dims counts, back;
  for (const WindowDimension& dim : window.dimensions()) {
    counts.push_back(WindowsOfElement(dim));
    back.push_back(counts.back() - 1);
  }
  do {
    Hlo name = AtWindow(emit, selected.names, no_name, window, sizes, back);
    Hlo value = AtWindow(emit, source, nothing, window, sizes, back);
    result = emit.Select(
        emit.Compare(ComparisonDirection::kEq, name, selected.own(back)),
        emit.Binary(op, result, value), result);
  } while (StepBack(counts, back));
  return result;
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
  const bool looks = LooksForWindows(hlo);
  if (looks && HasPlainWindows(hlo, arrays)) {
    return CombineSelected(emit, hlo, result, NamesByOffset(emit, hlo, arrays),
                           arrays.source);
  }
  TF_ASSIGN_OR_RETURN(Hlo positions,
                      SelectedPositions(emit, hlo, arrays, index_type));
  if (looks) {
    return CombineSelected(emit, hlo, result,
                           NamesByPosition(emit, hlo, positions),
                           arrays.source);
  }
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

absl::StatusOr<bool> SelectAndScatterExpander::RunImpl(HloModule* module) {
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
