// Evaluates reduce, map and scan.
#include <cstring>
#include <utility>

#include "absl/algorithm/container.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/evaluator/reduction/operands.h"
#include "xla/hlo/evaluator/reduction/reduction.h"
#include "xla/hlo/evaluator/reduction/scalar_function.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;

// Returns the array with the reduced dimensions first, so that one call of the
// function can take a step for all results.
Literal ReducedFirst(const Literal& array, const Dims& order) {
  const Literal view = array.Transpose(order);
  return view.Relayout(LayoutUtil::GetDefaultLayoutForShape(view.shape()));
}

}  // namespace

absl::StatusOr<Literal> EvaluateReduce(Interpreter& interpreter,
                                       const HloInstruction& hlo,
                                       Operands operands) {
  const Literal& first = *operands[0];
  const size_t k = operands.size() / 2;
  Dims order, reduced_bounds, reduced_sizes, kept_bounds, kept_sizes;
  for (int64_t d : hlo.attrs<ReduceAttrs>().dimensions) order.push_back(d);
  absl::c_sort(order);
  for (int64_t d : order) {
    reduced_bounds.push_back(first.shape().dimensions(d));
    reduced_sizes.push_back(CurrentSize(first, d));
  }
  for (int64_t d = 0; d < first.shape().rank(); ++d) {
    if (absl::c_linear_search(hlo.attrs<ReduceAttrs>().dimensions, d)) {
      continue;
    }
    order.push_back(d);
    kept_bounds.push_back(first.shape().dimensions(d));
    kept_sizes.push_back(CurrentSize(first, d));
  }

  ScalarFunction function(interpreter, *hlo.to_apply());
  function.Widen();
  TF_ASSIGN_OR_RETURN(ReductionOperands reduction,
                      MakeReductionOperands(function, operands, kept_bounds));
  const int64_t n = reduction.accumulators[0].element_count();
  std::vector<Literal> arrays;
  std::vector<const void*> inputs(2 * k);
  std::vector<void*> outputs(k);
  for (size_t i = 0; i < k; ++i) {
    arrays.push_back(ReducedFirst(reduction.arrays[i].get(), order));
    outputs[i] = reduction.accumulators[i].untyped_data();
    inputs[i] = outputs[i];
  }
  const Dims strides = RowMajorStrides(reduced_bounds);
  Dims index(reduced_sizes.size(), 0);
  if (n > 0 && HasIndex(reduced_sizes)) {
    do {
      int64_t row = 0;
      for (size_t d = 0; d < index.size(); ++d) row += index[d] * strides[d];
      for (size_t i = 0; i < k; ++i) {
        inputs[k + i] =
            static_cast<const char*>(arrays[i].untyped_data()) +
            row * n * LiteralElementBytes(function.parameter_type(k + i));
      }
      TF_RETURN_IF_ERROR(function.Call(n, inputs, outputs));
    } while (NextIndex(reduced_sizes, absl::MakeSpan(index)));
  }
  return FinishReduction(std::move(reduction.accumulators), hlo.shape(),
                         kept_sizes);
}

absl::StatusOr<Literal> EvaluateMap(Interpreter& interpreter,
                                    const HloInstruction& hlo,
                                    Operands operands) {
  ScalarFunction function(interpreter, *hlo.to_apply());
  TF_ASSIGN_OR_RETURN(const AlignedOperands aligned,
                      AlignOperands(hlo.shape(), operands));
  std::vector<ConvertedLiteral> converted;
  for (size_t i = 0; i < operands.size(); ++i) {
    TF_ASSIGN_OR_RETURN(
        ConvertedLiteral array,
        ConvertedLiteral::Make(*aligned.arrays[i], function.parameter_type(i)));
    converted.push_back(std::move(array));
  }
  std::vector<const Literal*> arguments;
  for (const ConvertedLiteral& c : converted) arguments.push_back(&c.get());
  TF_ASSIGN_OR_RETURN(
      std::vector<Literal> results,
      function.Map(operands[0]->shape().dimensions(), arguments));
  return FinishReduction(std::move(results), hlo.shape(), aligned.sizes);
}

namespace {

// Returns element `i` of dimension `dim`, without that dimension.
absl::StatusOr<Value> SliceAt(const Literal& array, int64_t dim, int64_t i) {
  const auto sizes = array.shape().dimensions();
  Dims starts(sizes.size(), 0);
  Dims limits(sizes.begin(), sizes.end());
  starts[dim] = i;
  limits[dim] = i + 1;
  Dims kept(sizes.begin(), sizes.end());
  kept.erase(kept.begin() + dim);
  TF_ASSIGN_OR_RETURN(Literal slice, array.Slice(starts, limits).Reshape(kept));
  return Value(std::move(slice));
}

absl::Status PutSlice(const Literal& slice, int64_t dim, int64_t i,
                      Literal& output) {
  Dims sizes(output.shape().dimensions().begin(),
             output.shape().dimensions().end());
  sizes[dim] = 1;
  TF_ASSIGN_OR_RETURN(Literal source, slice.Reshape(sizes));
  Dims to(sizes.size(), 0);
  to[dim] = i;
  return output.CopySliceFrom(source, Dims(sizes.size(), 0), to, sizes);
}

}  // namespace

absl::StatusOr<Value> EvaluateScan(Interpreter& interpreter,
                                   const HloInstruction& hlo,
                                   std::vector<Value> operands) {
  const ScanAttrs& attrs = hlo.attrs<ScanAttrs>();
  const int64_t dim = attrs.dimensions[0];
  const size_t inputs = operands.size() - attrs.num_carries;
  const bool is_tuple = hlo.shape().IsTuple();
  const size_t outputs =
      (is_tuple ? hlo.shape().tuple_shapes_size() : 1) - attrs.num_carries;
  std::vector<Value> carries(operands.begin() + inputs, operands.end());
  std::vector<Literal> stacked;
  for (size_t j = 0; j < outputs; ++j) {
    TF_ASSIGN_OR_RETURN(
        stacked.emplace_back(),
        MakeArrayResult(is_tuple ? hlo.shape().tuple_shapes(j) : hlo.shape()));
  }
  const int64_t n = CurrentSize(operands[0].array(), dim);
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = attrs.is_reverse ? n - 1 - step : step;
    std::vector<Value> arguments;
    for (size_t j = 0; j < inputs; ++j) {
      TF_ASSIGN_OR_RETURN(Value slice, SliceAt(operands[j].array(), dim, i));
      arguments.push_back(std::move(slice));
    }
    for (Value& carry : carries) arguments.push_back(std::move(carry));
    TF_ASSIGN_OR_RETURN(Value result,
                        interpreter.Run(*hlo.to_apply(), std::move(arguments)));
    std::vector<Value> results = {result};
    if (result.is_tuple()) results = result.elements();
    for (size_t j = 0; j < outputs; ++j) {
      TF_RETURN_IF_ERROR(PutSlice(results[j].array(), dim, i, stacked[j]));
    }
    carries.assign(results.begin() + outputs, results.end());
  }
  std::vector<Value> elements;
  for (Literal& output : stacked) {
    SetCurrentSize(output, dim, n);
    elements.emplace_back(std::move(output));
  }
  for (Value& carry : carries) elements.push_back(std::move(carry));
  if (!is_tuple) return std::move(elements[0]);
  return Value(std::move(elements));
}

}  // namespace xla
