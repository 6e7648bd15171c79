// Computes a convolution as one row of a matrix product per output position.
#include "xla/hlo/evaluator/linear/convolution.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/evaluator/linear/matrix.h"
#include "xla/hlo/evaluator/reduction/window_range.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/linear/dynamic_convolution.h"
#include "xla/hlo/ops/reduction/window_shape.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;

// Concatenates `first`, the spatial dimensions and `last`.
template <typename Spatial>
Dims Order(std::initializer_list<int64_t> first, const Spatial& spatial,
           std::initializer_list<int64_t> last) {
  Dims order(first);
  order.insert(order.end(), spatial.begin(), spatial.end());
  order.insert(order.end(), last.begin(), last.end());
  return order;
}

class Convolver {
 public:
  Convolver(const ConvolutionAttrs& attrs, const Shape& result,
            Operands operands)
      : attrs_(attrs),
        result_(result),
        dnums_(attrs_.convolution_dimension_numbers),
        type_(ProductType(operands[0]->shape().element_type(),
                          operands[1]->shape().element_type(),
                          result.element_type())),
        width_(LiteralElementBytes(type_)) {}

  absl::StatusOr<Literal> Run(Operands operands);

 private:
  absl::Status Pack(Operands operands);
  // Copies the `count` features from `feature` on, of each input position under
  // the window at `output`, to its place in row_. `input` and `kernel` are the
  // linear positions in the dimensions before `spatial_dim`; at 0, they are
  // the batch and 0.
  void FillRow(size_t spatial_dim, const Dims& output, int64_t input,
               int64_t kernel, int64_t feature, int64_t count);
  void AddPosition(int64_t batch, const Dims& output, int64_t position);
  absl::StatusOr<Literal> Unpack();

  const ConvolutionAttrs& attrs_;
  const Shape& result_;
  const ConvolutionDimensionNumbers& dnums_;
  PrimitiveType type_;
  int64_t width_;

  Literal input_;   // [batch, spatial..., features]
  Literal kernel_;  // [spatial..., group's input features, output features]
  Literal sums_;    // [output batch, spatial..., output features]
  Dims input_sizes_, kernel_sizes_, output_sizes_;  // spatial
  std::vector<char> row_;
};

absl::Status Convolver::Pack(Operands operands) {
  TF_ASSIGN_OR_RETURN(input_,
                      PackMatrix(*operands[0],
                                 Order({dnums_.input_batch_dimension()},
                                       dnums_.input_spatial_dimensions(),
                                       {dnums_.input_feature_dimension()}),
                                 type_));
  TF_ASSIGN_OR_RETURN(
      kernel_, PackMatrix(*operands[1],
                          Order({}, dnums_.kernel_spatial_dimensions(),
                                {dnums_.kernel_input_feature_dimension(),
                                 dnums_.kernel_output_feature_dimension()}),
                          type_));
  const Dims order = Order({dnums_.output_batch_dimension()},
                           dnums_.output_spatial_dimensions(),
                           {dnums_.output_feature_dimension()});
  Dims sizes;
  for (int64_t d : order) sizes.push_back(result_.dimensions(d));
  TF_ASSIGN_OR_RETURN(sums_, Literal::Make(ShapeUtil::MakeShape(type_, sizes)));
  for (int i = 0; i < dnums_.input_spatial_dimensions_size(); ++i) {
    input_sizes_.push_back(input_.shape().dimensions(i + 1));
    kernel_sizes_.push_back(kernel_.shape().dimensions(i));
    output_sizes_.push_back(sums_.shape().dimensions(i + 1));
  }
  return absl::OkStatus();
}

void Convolver::FillRow(size_t spatial_dim, const Dims& output, int64_t input,
                        int64_t kernel, int64_t feature, int64_t count) {
  if (spatial_dim == input_sizes_.size()) {
    const int64_t features =
        input_.shape().dimensions(input_.shape().rank() - 1);
    std::memcpy(row_.data() + kernel * count * width_,
                static_cast<const char*>(input_.untyped_data()) +
                    (input * features + feature) * width_,
                count * width_);
    return;
  }
  const WindowDimension& dim = attrs_.window.dimensions(spatial_dim);
  const int64_t size = kernel_sizes_[spatial_dim];
  ForEachWindowHit(
      dim, output[spatial_dim], input_sizes_[spatial_dim], [&](WindowHit hit) {
        const int64_t w =
            dim.window_reversal() ? size - 1 - hit.window : hit.window;
        FillRow(spatial_dim + 1, output,
                input * input_sizes_[spatial_dim] + hit.base, kernel * size + w,
                feature, count);
      });
}

void Convolver::AddPosition(int64_t batch, const Dims& output,
                            int64_t position) {
  if (row_.empty()) return;  // no features: the sums stay zero
  const int64_t out_features =
      sums_.shape().dimensions(sums_.shape().rank() - 1);
  const int64_t feature_groups = attrs_.feature_group_count;
  const int64_t batch_groups = attrs_.batch_group_count;
  const int64_t groups = feature_groups * batch_groups;
  const int64_t in_features =
      kernel_.shape().dimensions(kernel_.shape().rank() - 2);
  const int64_t length = row_.size() / width_;
  const int64_t group_size = out_features / groups;
  for (int64_t group = 0; group < groups; ++group) {
    std::fill(row_.begin(), row_.end(), 0);
    int64_t first_batch = batch;
    if (batch_groups > 1) first_batch += group * sums_.shape().dimensions(0);
    const int64_t feature = feature_groups > 1 ? group * in_features : 0;
    FillRow(0, output, first_batch, 0, feature, in_features);
    MultiplyAdd(type_, 1, length, group_size, row_.data(),
                static_cast<const char*>(kernel_.untyped_data()) +
                    group * group_size * width_,
                out_features,
                static_cast<char*>(sums_.untyped_data()) +
                    (position * out_features + group * group_size) * width_,
                out_features);
  }
}

absl::StatusOr<Literal> Convolver::Unpack() {
  // Dimension i of the packed sums is dimension order[i] of the result.
  const Dims order = Order({dnums_.output_batch_dimension()},
                           dnums_.output_spatial_dimensions(),
                           {dnums_.output_feature_dimension()});
  Dims inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) inverse[order[i]] = i;
  TF_ASSIGN_OR_RETURN(Literal packed, PackMatrix(sums_, inverse, type_));
  return FromProductType(std::move(packed), result_);
}

absl::StatusOr<Literal> Convolver::Run(Operands operands) {
  TF_RETURN_IF_ERROR(Pack(operands));
  int64_t length = kernel_.shape().dimensions(kernel_.shape().rank() - 2);
  for (int64_t size : kernel_sizes_) length *= size;
  row_.resize(length * width_);
  int64_t position = 0;
  Dims output(output_sizes_.size(), 0);
  for (int64_t b = 0; b < sums_.shape().dimensions(0); ++b) {
    if (sums_.element_count() == 0) break;
    do {
      AddPosition(b, output, position++);
    } while (NextIndex(output_sizes_, absl::MakeSpan(output)));
  }
  return Unpack();
}

// Returns the sizes of a convolution's result with those spatial sizes; static
// dimensions keep their sizes.
Dims SizesOf(const ConvolutionAttrs& attrs, Operands operands,
             const Dims& spatial) {
  const auto& numbers = attrs.convolution_dimension_numbers;
  Dims sizes(operands[0]->shape().rank());
  sizes[numbers.output_batch_dimension()] =
      CurrentSize(*operands[0], numbers.input_batch_dimension());
  sizes[numbers.output_feature_dimension()] =
      CurrentSize(*operands[1], numbers.kernel_output_feature_dimension());
  for (size_t i = 0; i < spatial.size(); ++i) {
    sizes[numbers.output_spatial_dimensions(i)] = spatial[i];
  }
  return sizes;
}

}  // namespace

absl::StatusOr<Literal> EvaluateConvolution(const HloInstruction& hlo,
                                            Operands operands) {
  const auto& attrs = hlo.attrs<ConvolutionAttrs>();
  TF_RETURN_IF_ERROR(
      CheckDynamicGroups(operands[0]->shape(), operands[1]->shape(), attrs));
  TF_ASSIGN_OR_RETURN(Literal result,
                      Convolver(attrs, hlo.shape(), operands).Run(operands));
  if (hlo.shape().is_static()) return result;
  Dims base;
  for (int64_t d :
       attrs.convolution_dimension_numbers.input_spatial_dimensions()) {
    base.push_back(CurrentSize(*operands[0], d));
  }
  TF_ASSIGN_OR_RETURN(const Dims spatial,
                      WindowOutputSizes(base, attrs.window));
  SetCurrentSizes(result, SizesOf(attrs, operands, spatial));
  return result;
}

absl::StatusOr<Literal> EvaluateDynamicConvolution(const HloInstruction& hlo,
                                                   Operands operands) {
  DynamicConvolution call = DynamicConvolutionOf(hlo.attrs<CustomCallAttrs>());
  const auto& numbers = call.attrs.convolution_dimension_numbers;
  const Operands arrays = operands.subspan(call.lhs_operand());
  const Literal& lhs = *arrays[0];
  const Shape& shape = hlo.shape();
  Dims stated;  // the declared sizes of the result
  if (call.kind == DynamicConvolutionKind::kInputGrad) {
    stated = IntegerValues(*operands[0]);
    for (int64_t d = 0; d < shape.rank(); ++d) {
      stated[d] = std::clamp<int64_t>(stated[d], 0, shape.dimensions(d));
    }
  }
  Dims spatial;
  for (int i = 0; i < numbers.input_spatial_dimensions_size(); ++i) {
    const int64_t from = numbers.input_spatial_dimensions(i);
    const int64_t to = numbers.output_spatial_dimensions(i);
    spatial.push_back(shape.dimensions(to));
    if (!lhs.shape().is_dynamic_dimension(from)) continue;
    const ForwardWindow window = ForwardWindowOf(call, i, shape.dimensions(to));
    const int64_t size = stated.empty() ? CurrentSize(lhs, from) : stated[to];
    spatial[i] = OutputSizeOf(window, call.same_padding, size);
    if (!call.same_padding) continue;
    int64_t before = SamePaddingBefore(window, size);
    if (call.kind == DynamicConvolutionKind::kInputGrad) {
      before = window.extent - 1 - before;
    }
    // Padding after the last element has no effect: the result has its bounds.
    call.attrs.window.mutable_dimensions(i)->set_padding_low(before);
  }
  TF_ASSIGN_OR_RETURN(Literal result,
                      Convolver(call.attrs, shape, arrays).Run(arrays));
  SetCurrentSizes(
      result, stated.empty() ? SizesOf(call.attrs, arrays, spatial) : stated);
  return result;
}

}  // namespace xla
