// sort and topk of arrays with dynamic dimensions: elements beyond the sizes
// come last.
#include <memory>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/transforms/dynamic/dynamic_ops.h"
#include "xla/hlo/transforms/expand/topk_decomposer.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;
using Arrays = absl::Span<const DynamicArray>;

// Extends less(a..., b...) by a last pair of operands that tells which elements
// are within the sizes: the others come last.
absl::StatusOr<HloComputation*> MakeComparatorWithin(HloModule* module,
                                                     HloComputation* less) {
  HloComputation* computation = module->AddEmbeddedComputation(
      std::make_unique<HloComputation>("within_sizes_first"));
  const int64_t count = less->num_parameters();
  std::vector<Hlo> arguments;
  for (int64_t i = 0; i < count; ++i) {
    arguments.push_back(
        AddScalarParameter(computation, i, ParameterType(*less, i)));
  }
  Hlo a_within = AddScalarParameter(computation, count, PRED);
  Hlo b_within = AddScalarParameter(computation, count + 1, PRED);
  HloBuilder emit(computation);
  Hlo call = emit.Add(HloOpcode::kCall, less->root_instruction()->shape(),
                      arguments, {}, {less});
  Hlo same = emit.Compare(ComparisonDirection::kEq, a_within, b_within);
  computation->set_root_instruction(emit.Select(same, call, a_within));
  TF_RETURN_IF_ERROR(InlineCall(call, *less, arguments));
  return computation;
}

// Sorts the operands by `less`, with those last whose `mask` is false; a null
// mask masks nothing.
absl::StatusOr<std::vector<Hlo>> SortWithin(HloBuilder& emit,
                                            absl::Span<const Hlo> operands,
                                            const SortAttrs& attrs,
                                            HloComputation* less, Hlo mask) {
  std::vector<Hlo> inputs(operands.begin(), operands.end());
  if (mask != nullptr) {
    TF_ASSIGN_OR_RETURN(
        less, MakeComparatorWithin(emit.computation()->parent(), less));
    inputs.push_back(mask);
  }
  std::vector<Shape> shapes;
  for (Hlo input : inputs) shapes.push_back(input->shape());
  Hlo sorted =
      emit.Add(HloOpcode::kSort, ShapeUtil::MakeMaybeTupleShape(shapes), inputs,
               attrs, {less});
  if (inputs.size() == 1) return std::vector<Hlo>{sorted};
  std::vector<Hlo> results;
  for (size_t i = 0; i < operands.size(); ++i) {
    results.push_back(emit.Element(sorted, i));
  }
  return results;
}

}  // namespace

absl::StatusOr<std::vector<DynamicArray>> LowerDynamicSort(
    HloBuilder& emit, const HloInstruction& hlo, Arrays operands) {
  const auto& attrs = hlo.attrs<SortAttrs>();
  Hlo mask = nullptr;
  std::vector<Hlo> data;
  for (const DynamicArray& operand : operands) {
    data.push_back(operand.data);
    Hlo one = WithinSizes(emit, operand, attrs.dimensions);
    if (one != nullptr) mask = mask == nullptr ? one : emit.And(mask, one);
  }
  TF_ASSIGN_OR_RETURN(std::vector<Hlo> sorted,
                      SortWithin(emit, data, attrs, hlo.to_apply(), mask));
  std::vector<DynamicArray> results;
  for (size_t i = 0; i < operands.size(); ++i) {
    results.push_back({sorted[i], operands[i].sizes});
  }
  return results;
}

// If a row has fewer than k elements, the rest is zeros.
absl::StatusOr<std::vector<DynamicArray>> LowerDynamicTopK(
    HloBuilder& emit, const HloInstruction& hlo, Arrays operands) {
  const auto& attrs = hlo.attrs<TopKAttrs>();
  const DynamicArray& operand = operands[0];
  const auto sizes = operand.data->shape().dimensions();
  const int64_t last = operand.data->shape().rank() - 1;
  HloComputation* comparator =
      MakeTopKComparator(emit.computation()->parent(),
                         operand.data->shape().element_type(), attrs.largest);
  TF_ASSIGN_OR_RETURN(
      std::vector<Hlo> sorted,
      SortWithin(emit, {operand.data, emit.Iota(S32, sizes, last)},
                 SortAttrs{{last}, /*is_stable=*/true}, comparator,
                 WithinSizes(emit, operand, {last})));
  std::vector<DynamicArray> results;
  for (int i = 0; i < 2; ++i) {
    DynamicArray& result = results.emplace_back();
    result.data = emit.SliceDim(sorted[i], last, 0, attrs.k);
    result.sizes = operand.sizes;
    result.sizes[last] = nullptr;
    const Shape& shape = result.data->shape();
    if (operand.IsDynamic(last)) {
      Hlo size = emit.Splat(operand.sizes[last], shape.dimensions());
      Hlo place = emit.Iota(S32, shape.dimensions(), last);
      Hlo within = emit.Compare(ComparisonDirection::kLt, place, size);
      result.data = emit.Select(
          within, result.data,
          emit.Splat(emit.Zero(shape.element_type()), shape.dimensions()));
    }
    // The result is dynamic as declared.
    for (int64_t d = 0; d <= last; ++d) {
      if (!hlo.shape().tuple_shapes(i).is_dynamic_dimension(d)) {
        result.sizes[d] = nullptr;
      } else if (result.sizes[d] == nullptr) {
        result.sizes[d] = emit.Integer(S32, shape.dimensions(d));
      }
    }
  }
  return results;
}

}  // namespace xla
