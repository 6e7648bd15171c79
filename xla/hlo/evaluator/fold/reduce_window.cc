// reduce-window and select-and-scatter.
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/hlo/evaluator/fold/operands.h"
#include "xla/hlo/evaluator/fold/reduction.h"
#include "xla/hlo/evaluator/fold/scalar_function.h"
#include "xla/hlo/evaluator/fold/window_range.h"
#include "xla/hlo/evaluator/movement/array_result.h"
#include "xla/hlo/ops/fold/reduction.h"
#include "xla/hlo/ops/fold/window_shape.h"

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

// The number of windows within the current size of each dimension.
absl::StatusOr<Dims> CurrentWindows(const Literal& array,
                                    const Window& window) {
  return WindowOutputSizes(CurrentSizes(array), window);
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
  TF_ASSIGN_OR_RETURN(FoldOperands fold,
                      MakeFoldOperands(function, operands, shape.dimensions()));
  const WindowVisitor visitor(window, Bounds(*operands[0]),
                              CurrentSizes(*operands[0]));
  std::vector<int> widths;
  for (size_t i = 0; i < 2 * k; ++i) {
    widths.push_back(LiteralElementBytes(function.parameter_type(i)));
  }
  std::vector<const void*> inputs(2 * k);
  std::vector<void*> outputs(k);
  Dims position(shape.rank(), 0);
  const int64_t n = fold.accumulators[0].element_count();
  for (int64_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < k; ++i) {
      outputs[i] = static_cast<char*>(fold.accumulators[i].untyped_data()) +
                   j * widths[i];
      inputs[i] = outputs[i];
    }
    TF_RETURN_IF_ERROR(visitor.Visit(position, [&](int64_t element) {
      for (size_t i = 0; i < k; ++i) {
        inputs[k + i] = fold.arrays[i].data() + element * widths[k + i];
      }
      return function.Call(1, inputs, outputs);
    }));
    NextIndex(shape.dimensions(), absl::MakeSpan(position));
  }
  Dims sizes;
  if (shape.is_dynamic()) {
    TF_ASSIGN_OR_RETURN(sizes, CurrentWindows(*operands[0], window));
  }
  return FinishFold(std::move(fold.accumulators), hlo.shape(), sizes);
}

absl::StatusOr<Literal> EvaluateSelectAndScatter(Interpreter& interpreter,
                                                 const HloInstruction& hlo,
                                                 Operands operands) {
  const Window& window = hlo.attrs<SelectAndScatterAttrs>().window;
  ScalarFunction select(interpreter, *hlo.called_computations()[0]);
  ScalarFunction scatter(interpreter, *hlo.called_computations()[1]);
  if (select.parameter_type(0) != select.parameter_type(1)) {
    return absl::UnimplementedError(
        "a select computation whose parameters differ in type");
  }
  const Literal* scatter_operands[] = {operands[1], operands[2]};
  // The accumulators are the result, the one array is the source.
  TF_ASSIGN_OR_RETURN(FoldOperands fold,
                      MakeFoldOperands(scatter, scatter_operands,
                                       operands[0]->shape().dimensions()));
  TF_ASSIGN_OR_RETURN(
      ConvertedLiteral values,
      ConvertedLiteral::Make(*operands[0], select.parameter_type(0)));
  const int value_width = LiteralElementBytes(select.parameter_type(0));
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
                  keep, select.Test({values.data() + selected * value_width,
                                     values.data() + element * value_width}));
            }
            if (!keep) selected = element;
            return absl::OkStatus();
          }));
      if (selected < 0) continue;
      int64_t from = 0;
      for (size_t d = 0; d < position.size(); ++d) {
        from += position[d] * source_strides[d];
      }
      void* to = static_cast<char*>(fold.accumulators[0].untyped_data()) +
                 selected * result_width;
      TF_RETURN_IF_ERROR(scatter.Call(
          1, {to, fold.arrays[0].data() + from * source_width}, {to}));
    } while (NextIndex(source_sizes, absl::MakeSpan(position)));
  }
  return FinishFold(std::move(fold.accumulators), hlo.shape(),
                    CurrentSizes(*operands[0]));
}

}  // namespace xla
