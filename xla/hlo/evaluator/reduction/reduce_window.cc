// Evaluates reduce-window and select-and-scatter.
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/evaluator/reduction/operands.h"
#include "xla/hlo/evaluator/reduction/reduction.h"
#include "xla/hlo/evaluator/reduction/scalar_function.h"
#include "xla/hlo/evaluator/reduction/window_range.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/ops/reduction/window_shape.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;

// Visits the elements of an array of bounds `bounds`, within `sizes`, that the
// window at one position covers, in row-major order of the window.
class WindowVisitor {
 public:
  WindowVisitor(const Window& window, Dims bounds, Dims sizes)
      : window_(window), bounds_(std::move(bounds)), sizes_(std::move(sizes)) {}

  // Calls f with the linear index of each element, until it fails.
  absl::Status Visit(absl::Span<const int64_t> position,
                     absl::FunctionRef<absl::Status(int64_t)> f) const {
    return VisitFrom(0, position, 0, f);
  }

 private:
  absl::Status VisitFrom(size_t d, absl::Span<const int64_t> position,
                         int64_t linear,
                         absl::FunctionRef<absl::Status(int64_t)> f) const {
    if (d == bounds_.size()) return f(linear);
    absl::Status status;
    ForEachWindowHit(
        window_.dimensions(d), position[d], sizes_[d], [&](WindowHit hit) {
          if (!status.ok()) return;
          status =
              VisitFrom(d + 1, position, linear * bounds_[d] + hit.base, f);
        });
    return status;
  }

  const Window& window_;
  Dims bounds_, sizes_;
};

Dims Bounds(const Literal& array) {
  return Dims(array.shape().dimensions().begin(),
              array.shape().dimensions().end());
}

// Returns the number of windows within the current size of each dimension.
absl::StatusOr<Dims> CurrentWindows(const Literal& array,
                                    const Window& window) {
  return WindowOutputSizes(CurrentSizes(array), window);
}

// A window that covers each prefix or suffix along one dimension, as in a
// cumulative sum: each result follows from its neighbour's.
struct RunningReduction {
  int64_t size = 0;    // of the dimension; 0 for other windows
  int64_t stride = 1;  // elements between neighbours
  bool reversed = false;
};

RunningReduction FindRunningReduction(const Window& window,
                                      const Shape& array) {
  RunningReduction reduction;
  if (array.is_dynamic()) return reduction;
  for (int d = array.rank() - 1; d >= 0; --d) {
    const WindowDimension& dim = window.dimensions(d);
    const int64_t size = array.dimensions(d);
    if (dim.stride() != 1 || dim.base_dilation() != 1 ||
        dim.window_dilation() != 1 || dim.window_reversal()) {
      return {};
    }
    if (dim.size() == 1 && dim.padding_low() == 0 && dim.padding_high() == 0) {
      if (reduction.size == 0) reduction.stride *= size;
      continue;
    }
    const bool prefixes =
        dim.padding_low() == size - 1 && dim.padding_high() == 0;
    const bool suffixes =
        dim.padding_low() == 0 && dim.padding_high() == size - 1;
    if (reduction.size != 0 || dim.size() != size || !(prefixes || suffixes)) {
      return {};
    }
    reduction.size = size;
    reduction.reversed = suffixes;
  }
  return reduction;
}

// Reduces prefixes in the order of the window, but suffixes from their ends,
// which relies on the function being associative.
absl::Status ReduceRunning(const RunningReduction& running,
                           const std::vector<int>& widths,
                           ScalarFunction& function,
                           ReductionOperands& reduction) {
  const size_t k = reduction.accumulators.size();
  const int64_t n = reduction.accumulators[0].element_count();
  std::vector<const void*> inputs(2 * k);
  std::vector<void*> outputs(k);
  const size_t to_results = running.reversed ? k : 0;
  const size_t to_elements = running.reversed ? 0 : k;
  for (int64_t step = 0; step < n; ++step) {
    const int64_t j = running.reversed ? n - 1 - step : step;
    const int64_t at = j / running.stride % running.size;
    int64_t from = j;  // the initial value
    if (running.reversed && at + 1 < running.size) from = j + running.stride;
    if (!running.reversed && at > 0) from = j - running.stride;
    for (size_t i = 0; i < k; ++i) {
      char* results =
          static_cast<char*>(reduction.accumulators[i].untyped_data());
      outputs[i] = results + j * widths[i];
      inputs[to_results + i] = results + from * widths[i];
      inputs[to_elements + i] = reduction.arrays[i].data() + j * widths[k + i];
    }
    TF_RETURN_IF_ERROR(function.Call(1, inputs, outputs));
  }
  return absl::OkStatus();
}

// Returns whether the function also accepts results in place of elements.
bool ReducesBothWays(const ScalarFunction& function, size_t k) {
  for (size_t i = 0; i < k; ++i) {
    if (function.parameter_type(i) != function.parameter_type(k + i)) {
      return false;
    }
  }
  return true;
}

}  // namespace

absl::StatusOr<Literal> EvaluateReduceWindow(Interpreter& interpreter,
                                             const HloInstruction& hlo,
                                             Operands operands) {
  const Window& window = hlo.attrs<ReduceWindowAttrs>().window;
  const size_t k = operands.size() / 2;
  const Shape& shape =
      hlo.shape().IsTuple() ? hlo.shape().tuple_shapes(0) : hlo.shape();
  ScalarFunction function(interpreter, *hlo.to_apply());
  TF_ASSIGN_OR_RETURN(
      ReductionOperands reduction,
      MakeReductionOperands(function, operands, shape.dimensions()));
  const WindowVisitor visitor(window, Bounds(*operands[0]),
                              CurrentSizes(*operands[0]));
  std::vector<int> widths;
  for (size_t i = 0; i < 2 * k; ++i) {
    widths.push_back(LiteralElementBytes(function.parameter_type(i)));
  }
  const RunningReduction running =
      FindRunningReduction(window, operands[0]->shape());
  if (running.size > 0 && (!running.reversed || ReducesBothWays(function, k))) {
    TF_RETURN_IF_ERROR(ReduceRunning(running, widths, function, reduction));
    return FinishReduction(std::move(reduction.accumulators), hlo.shape(), {});
  }
  std::vector<const void*> inputs(2 * k);
  std::vector<void*> outputs(k);
  Dims position(shape.rank(), 0);
  const int64_t n = reduction.accumulators[0].element_count();
  for (int64_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < k; ++i) {
      outputs[i] =
          static_cast<char*>(reduction.accumulators[i].untyped_data()) +
          j * widths[i];
      inputs[i] = outputs[i];
    }
    TF_RETURN_IF_ERROR(visitor.Visit(position, [&](int64_t element) {
      for (size_t i = 0; i < k; ++i) {
        inputs[k + i] = reduction.arrays[i].data() + element * widths[k + i];
      }
      return function.Call(1, inputs, outputs);
    }));
    NextIndex(shape.dimensions(), absl::MakeSpan(position));
  }
  Dims sizes;
  if (shape.is_dynamic()) {
    TF_ASSIGN_OR_RETURN(sizes, CurrentWindows(*operands[0], window));
  }
  return FinishReduction(std::move(reduction.accumulators), hlo.shape(), sizes);
}

absl::StatusOr<Literal> EvaluateSelectAndScatter(Interpreter& interpreter,
                                                 const HloInstruction& hlo,
                                                 Operands operands) {
  const Window& window = hlo.attrs<SelectAndScatterAttrs>().window;
  ScalarFunction select(interpreter, *hlo.called_computations()[0]);
  ScalarFunction scatter(interpreter, *hlo.called_computations()[1]);
  const Literal* scatter_operands[] = {operands[1], operands[2]};
  // The accumulators are the result, and the one array is the source.
  TF_ASSIGN_OR_RETURN(ReductionOperands reduction,
                      MakeReductionOperands(scatter, scatter_operands,
                                            operands[0]->shape().dimensions()));
  // The elements as the one kept so far, and as the next one.
  TF_ASSIGN_OR_RETURN(
      ConvertedLiteral kept,
      ConvertedLiteral::Make(*operands[0], select.parameter_type(0)));
  TF_ASSIGN_OR_RETURN(
      ConvertedLiteral next,
      ConvertedLiteral::Make(*operands[0], select.parameter_type(1)));
  const int kept_width = LiteralElementBytes(select.parameter_type(0));
  const int next_width = LiteralElementBytes(select.parameter_type(1));
  const int result_width = LiteralElementBytes(scatter.parameter_type(0));
  const int source_width = LiteralElementBytes(scatter.parameter_type(1));
  const WindowVisitor visitor(window, Bounds(*operands[0]),
                              CurrentSizes(*operands[0]));
  const Dims source_sizes = CurrentSizes(*operands[1]);
  const Dims source_strides = RowMajorStrides(Bounds(*operands[1]));
  if (HasIndex(source_sizes)) {
    Dims position(source_sizes.size(), 0);
    do {
      int64_t selected = -1;
      TF_RETURN_IF_ERROR(
          visitor.Visit(position, [&](int64_t element) -> absl::Status {
            bool keep = false;
            if (selected >= 0) {
              TF_ASSIGN_OR_RETURN(
                  keep, select.Test({kept.data() + selected * kept_width,
                                     next.data() + element * next_width}));
            }
            if (!keep) selected = element;
            return absl::OkStatus();
          }));
      if (selected < 0) continue;
      int64_t from = 0;
      for (size_t d = 0; d < position.size(); ++d) {
        from += position[d] * source_strides[d];
      }
      void* to = static_cast<char*>(reduction.accumulators[0].untyped_data()) +
                 selected * result_width;
      TF_RETURN_IF_ERROR(scatter.Call(
          1, {to, reduction.arrays[0].data() + from * source_width}, {to}));
    } while (NextIndex(source_sizes, absl::MakeSpan(position)));
  }
  return FinishReduction(std::move(reduction.accumulators), hlo.shape(),
                         CurrentSizes(*operands[0]));
}

}  // namespace xla
