// Evaluates gather and scatter, window by window.
#include "xla/hlo/evaluator/movement/gather_scatter.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "absl/algorithm/container.h"
#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/evaluator/reduction/scalar_function.h"
#include "xla/hlo/ops/movement/gather_scatter.h"

namespace xla {
namespace {

using Dims = google::protobuf::RepeatedField<int64_t>;

// Walks the start indices: for each index into the batch dimensions (those of
// the indices without index_vector_dim, row-major), the start of its slice in
// the operand. Names are gather's.
class IndexWalk {
 public:
  IndexWalk(const Literal& indices, int64_t index_vector_dim,
            const Dims& start_index_map, const Dims& operand_batching_dims,
            const Dims& indices_batching_dims, int64_t operand_rank)
      : values_(IntegerValues(indices)), start_(operand_rank, 0) {
    const auto strides = RowMajorStrides(indices.shape().dimensions());
    for (int64_t d = 0; d < indices.shape().rank(); ++d) {
      if (d == index_vector_dim) {
        vector_stride_ = strides[d];
        continue;
      }
      for (int i = 0; i < indices_batching_dims.size(); ++i) {
        if (indices_batching_dims[i] == d) {
          batching_.push_back(
              {static_cast<int64_t>(sizes_.size()), operand_batching_dims[i]});
        }
      }
      sizes_.push_back(CurrentSize(indices, d));
      strides_.push_back(strides[d]);
    }
    map_.assign(start_index_map.begin(), start_index_map.end());
    index_.assign(sizes_.size(), 0);
  }

  // The sizes of the batch dimensions to walk through.
  std::vector<int64_t>& sizes() { return sizes_; }
  absl::Span<const int64_t> index() const { return index_; }

  bool HasNext() const { return HasIndex(sizes_); }
  bool Next() { return NextIndex(sizes_, absl::MakeSpan(index_)); }

  // Returns the current slice's start in each operand dimension, not clamped.
  absl::Span<const int64_t> Start() {
    int64_t at = 0;
    for (size_t i = 0; i < index_.size(); ++i) at += index_[i] * strides_[i];
    for (size_t i = 0; i < map_.size(); ++i) {
      start_[map_[i]] = values_[at + i * vector_stride_];
    }
    for (const auto& [batch, operand] : batching_) {
      start_[operand] = index_[batch];
    }
    return start_;
  }

 private:
  struct Batching {
    int64_t batch;
    int64_t operand;
  };

  std::vector<int64_t> values_;
  int64_t vector_stride_ = 1;
  std::vector<int64_t> sizes_;
  std::vector<int64_t> strides_;
  std::vector<int64_t> map_;
  std::vector<Batching> batching_;
  std::vector<int64_t> index_;
  std::vector<int64_t> start_;
};

// The dimensions of gather's result, or of scatter's updates: windows at
// `window_dims`, the batch dimensions elsewhere.
struct WindowDims {
  std::vector<int64_t> operand;  // operand dimension per window dimension
  std::vector<int64_t> window;
  std::vector<int64_t> batch;
};

WindowDims SplitDims(int64_t operand_rank, int64_t rank,
                     const Dims& window_dims, const Dims& collapsed_dims,
                     const Dims& operand_batching_dims) {
  WindowDims dims;
  for (int64_t d = 0; d < operand_rank; ++d) {
    if (!absl::c_linear_search(collapsed_dims, d) &&
        !absl::c_linear_search(operand_batching_dims, d)) {
      dims.operand.push_back(d);
    }
  }
  for (int64_t d = 0; d < rank; ++d) {
    const bool is_window = absl::c_linear_search(window_dims, d);
    (is_window ? dims.window : dims.batch).push_back(d);
  }
  return dims;
}

std::vector<int64_t> Select(absl::Span<const int64_t> values,
                            absl::Span<const int64_t> which) {
  std::vector<int64_t> selected;
  for (int64_t i : which) selected.push_back(values[i]);
  return selected;
}

int64_t Offset(absl::Span<const int64_t> index,
               absl::Span<const int64_t> strides) {
  int64_t offset = 0;
  for (size_t i = 0; i < index.size(); ++i) offset += index[i] * strides[i];
  return offset;
}

}  // namespace

absl::StatusOr<Literal> EvaluateGather(const HloInstruction& hlo,
                                       Operands operands) {
  const Literal& operand = *operands[0];
  const auto& attrs = hlo.attrs<GatherAttrs>();
  const GatherDimensionNumbers& numbers = attrs.dimension_numbers;
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  const int64_t operand_rank = operand.shape().rank();
  const WindowDims dims = SplitDims(
      operand_rank, result.shape().rank(), numbers.offset_dims(),
      numbers.collapsed_slice_dims(), numbers.operand_batching_dims());
  IndexWalk walk(*operands[1], numbers.index_vector_dim(),
                 numbers.start_index_map(), numbers.operand_batching_dims(),
                 numbers.start_indices_batching_dims(), operand_rank);
  for (size_t i = 0; i < dims.batch.size(); ++i) {
    SetCurrentSize(result, dims.batch[i], walk.sizes()[i]);
  }
  for (size_t i = 0; i < dims.window.size(); ++i) {
    SetCurrentSize(result, dims.window[i],
                   CurrentSize(operand, dims.operand[i]));
  }
  // If no slice size is 0, the operand has elements.
  if (!HasIndex(result.shape().dimensions()) || !HasIndex(attrs.slice_sizes)) {
    return result;
  }
  const auto from_strides = RowMajorStrides(operand.shape().dimensions());
  const auto to_strides = RowMajorStrides(result.shape().dimensions());
  const auto window = Select(result.shape().dimensions(), dims.window);
  const auto window_from = Select(from_strides, dims.operand);
  const auto window_to = Select(to_strides, dims.window);
  const auto batch_to = Select(to_strides, dims.batch);
  const int width = ElementWidth(operand);
  const char* src = static_cast<const char*>(operand.untyped_data());
  char* dst = static_cast<char*>(result.untyped_data());
  if (!walk.HasNext()) return result;
  do {
    const absl::Span<const int64_t> start = walk.Start();
    int64_t from = 0;
    for (int64_t d = 0; d < operand_rank; ++d) {
      const int64_t last = operand.shape().dimensions(d) - attrs.slice_sizes[d];
      from += std::clamp<int64_t>(start[d], 0, last) * from_strides[d];
    }
    StridedCopy(width, window, src + from * width, window_from,
                dst + Offset(walk.index(), batch_to) * width, window_to);
  } while (walk.Next());
  return result;
}

namespace {

// The arrays of a scatter in the types that its computation takes, and space
// for one window of each.
struct Scattered {
  std::vector<Literal> results;  // the operands, being updated
  std::vector<Literal> updates;
  std::vector<std::vector<char>> windows;  // results first
};

absl::StatusOr<Scattered> PrepareScatter(const ScalarFunction& combine,
                                         Operands operands,
                                         int64_t window_elements) {
  const size_t n = operands.size() / 2;
  Scattered scattered;
  if (combine.num_parameters() != 2 * n || combine.num_results() != n) {
    return InvalidArgument(
        "scatter: the computation of %d operands has %d parameters and %d "
        "results",
        n, combine.num_parameters(), combine.num_results());
  }
  for (size_t i = 0; i < 2 * n; ++i) {
    const Literal& array = *operands[i < n ? i : i + 1];
    const PrimitiveType type = combine.parameter_type(i);
    TF_ASSIGN_OR_RETURN(Literal converted, array.Convert(type));
    (i < n ? scattered.results : scattered.updates)
        .push_back(std::move(converted));
    scattered.windows.emplace_back(window_elements * LiteralElementBytes(type));
  }
  for (size_t i = 0; i < n; ++i) {
    if (combine.result_type(i) != combine.parameter_type(i)) {
      return InvalidArgument(
          "scatter: result %d of the computation has another type than "
          "parameter %d",
          i, i);
    }
  }
  return scattered;
}

// One scatter: its arrays and the box of one window in them.
class Scatterer {
 public:
  Scatterer(Interpreter& interpreter, const HloInstruction& hlo,
            Operands operands)
      : combine_(interpreter, *hlo.to_apply()),
        operands_(operands),
        count_(operands.size() / 2),
        shape_(operands[0]->shape()),
        numbers_(hlo.attrs<ScatterAttrs>().dimension_numbers),
        walk_(*operands[count_], numbers_.index_vector_dim(),
              numbers_.scatter_dims_to_operand_dims(),
              numbers_.input_batching_dims(),
              numbers_.scatter_indices_batching_dims(), shape_.rank()) {}

  absl::StatusOr<Literal> Run(const Shape& result_shape) {
    const Shape& update = operands_[count_ + 1]->shape();
    const WindowDims dims = SplitDims(
        shape_.rank(), update.rank(), numbers_.update_window_dims(),
        numbers_.inserted_window_dims(), numbers_.input_batching_dims());
    // Whether a window is inside depends on its bounds, not its dynamic sizes.
    std::vector<int64_t> bounds(shape_.rank(), 1);
    const std::vector<int64_t> sizes = CurrentSizes(*operands_[count_ + 1]);
    for (size_t i = 0; i < dims.window.size(); ++i) {
      bounds[dims.operand[i]] = update.dimensions(dims.window[i]);
    }
    for (size_t i = 0; i < dims.batch.size(); ++i) {
      walk_.sizes()[i] = std::min(walk_.sizes()[i], sizes[dims.batch[i]]);
    }
    strides_ = RowMajorStrides(shape_.dimensions());
    const auto update_strides = RowMajorStrides(update.dimensions());
    window_ = Select(sizes, dims.window);
    window_strides_ = Select(strides_, dims.operand);
    window_update_strides_ = Select(update_strides, dims.window);
    const auto batch_strides = Select(update_strides, dims.batch);
    elements_ = Product(window_);
    packed_strides_ = RowMajorStrides(window_);
    TF_ASSIGN_OR_RETURN(scattered_,
                        PrepareScatter(combine_, operands_, elements_));
    if (elements_ > 0 && walk_.HasNext()) {
      do {
        const int64_t at = Inside(walk_.Start(), bounds);
        if (at < 0) continue;
        TF_RETURN_IF_ERROR(Combine(at, Offset(walk_.index(), batch_strides)));
      } while (walk_.Next());
    }
    return Finish(result_shape);
  }

 private:
  // Returns the operand position of the window at `start`; -1 if it is not
  // inside.
  int64_t Inside(absl::Span<const int64_t> start,
                 absl::Span<const int64_t> bounds) const {
    int64_t at = 0;
    for (size_t d = 0; d < start.size(); ++d) {
      if (start[d] < 0 || start[d] > shape_.dimensions(d) - bounds[d]) {
        return -1;
      }
      at += start[d] * strides_[d];
    }
    return at;
  }

  // Combines the window of the updates at `from` into that of the results at
  // `at`. The elements of a window go to different places, so their order does
  // not matter.
  absl::Status Combine(int64_t at, int64_t from) {
    inputs_.clear();
    outputs_.clear();
    for (size_t i = 0; i < 2 * count_; ++i) {
      const bool is_result = i < count_;
      Literal& array =
          is_result ? scattered_.results[i] : scattered_.updates[i - count_];
      const int width = ElementWidth(array);
      char* data = static_cast<char*>(array.untyped_data()) +
                   (is_result ? at : from) * width;
      if (elements_ > 1) {
        StridedCopy(width, window_, data,
                    is_result ? window_strides_ : window_update_strides_,
                    scattered_.windows[i].data(), packed_strides_);
        data = scattered_.windows[i].data();
      }
      inputs_.push_back(data);
      if (is_result) outputs_.push_back(data);
    }
    TF_RETURN_IF_ERROR(
        combine_.Call(elements_, inputs_, absl::MakeSpan(outputs_)));
    for (size_t i = 0; i < count_ && elements_ > 1; ++i) {
      Literal& array = scattered_.results[i];
      const int width = ElementWidth(array);
      StridedCopy(width, window_, outputs_[i], packed_strides_,
                  static_cast<char*>(array.untyped_data()) + at * width,
                  window_strides_);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Literal> Finish(const Shape& result_shape) {
    for (size_t i = 0; i < count_; ++i) {
      const Shape& shape =
          count_ == 1 ? result_shape : result_shape.tuple_shapes(i);
      Literal& result = scattered_.results[i];
      if (result.shape().element_type() != shape.element_type()) {
        TF_ASSIGN_OR_RETURN(result, result.Convert(shape.element_type()));
      }
    }
    if (count_ == 1) return std::move(scattered_.results[0]);
    return Literal::MoveIntoTuple(absl::MakeSpan(scattered_.results));
  }

  ScalarFunction combine_;
  Operands operands_;
  size_t count_;
  const Shape& shape_;
  const ScatterDimensionNumbers& numbers_;
  IndexWalk walk_;
  Scattered scattered_;
  std::vector<int64_t> strides_;
  std::vector<int64_t> window_;  // sizes of a window
  std::vector<int64_t> window_strides_;
  std::vector<int64_t> window_update_strides_;
  std::vector<int64_t> packed_strides_;
  int64_t elements_ = 0;
  std::vector<const void*> inputs_;
  std::vector<void*> outputs_;
};

}  // namespace

absl::StatusOr<Literal> EvaluateScatter(Interpreter& interpreter,
                                        const HloInstruction& hlo,
                                        Operands operands) {
  return Scatterer(interpreter, hlo, operands).Run(hlo.shape());
}

}  // namespace xla
