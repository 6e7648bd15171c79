// The elements of a feature are strided; they are visited in row-major order.
#include "xla/hlo/evaluator/batch_norm.h"

#include <cmath>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/ops/reduction/batch_norm.h"

namespace xla {
namespace {

// Converts an operand or result to double.
absl::StatusOr<Literal> Doubles(const Shape& shape) {
  TF_ASSIGN_OR_RETURN(Shape doubles,
                      ShapeUtil::MakeValidatedShape(F64, shape.dimensions()));
  return MakeArrayResult(doubles);
}

absl::StatusOr<Literal> ToDoubles(const Literal& array) {
  TF_ASSIGN_OR_RETURN(Literal result, Doubles(array.shape()));
  ConvertElements(array.shape().element_type(), array.untyped_data(), F64,
                  result.untyped_data(), array.element_count());
  return result;
}

// Rounds `doubles` to an array of `shape`, with the dynamic sizes of `operand`;
// a result with one element per feature takes that of its `feature` dimension.
absl::StatusOr<Literal> Rounded(const Literal& doubles, const Shape& shape,
                                const Literal& operand, int64_t feature) {
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(shape));
  ConvertElements(F64, doubles.untyped_data(), shape.element_type(),
                  result.untyped_data(), doubles.element_count());
  if (ShapeUtil::Compatible(shape, operand.shape())) {
    SetCurrentSizes(result, CurrentSizes(operand));
  } else {
    SetCurrentSize(result, 0, CurrentSize(operand, feature));
  }
  return result;
}

// Calls visit(position, feature) for each element within the dynamic sizes.
void ForEach(const Literal& operand, int64_t feature_index,
             absl::FunctionRef<void(int64_t, int64_t)> visit) {
  const std::vector<int64_t> sizes = CurrentSizes(operand);
  const std::vector<int64_t> strides =
      RowMajorStrides(operand.shape().dimensions());
  if (!HasIndex(sizes)) return;
  std::vector<int64_t> index(sizes.size());
  do {
    int64_t position = 0;
    for (size_t i = 0; i < index.size(); ++i) position += index[i] * strides[i];
    visit(position, index[feature_index]);
  } while (NextIndex(sizes, absl::MakeSpan(index)));
}

// Returns the number of elements of each feature.
double ElementsPerFeature(const Literal& operand, int64_t feature_index) {
  double count = 1;
  for (int64_t i = 0; i < operand.shape().rank(); ++i) {
    if (i != feature_index) count *= CurrentSize(operand, i);
  }
  return count;
}

}  // namespace

absl::StatusOr<Literal> EvaluateBatchNormTraining(const HloInstruction& hlo,
                                                  Operands operands) {
  const auto& attrs = hlo.attrs<BatchNormAttrs>();
  const Literal& operand = *operands[0];
  const int64_t feature = attrs.feature_index;
  TF_ASSIGN_OR_RETURN(Literal x_array, ToDoubles(operand));
  TF_ASSIGN_OR_RETURN(Literal scale_array, ToDoubles(*operands[1]));
  TF_ASSIGN_OR_RETURN(Literal offset_array, ToDoubles(*operands[2]));
  TF_ASSIGN_OR_RETURN(Literal mean_array, Doubles(operands[1]->shape()));
  TF_ASSIGN_OR_RETURN(Literal variance_array, Doubles(operands[1]->shape()));
  auto x = x_array.data<double>();
  auto scale = scale_array.data<double>();
  auto offset = offset_array.data<double>();
  auto mean = mean_array.data<double>();
  auto variance = variance_array.data<double>();
  const double count = ElementsPerFeature(operand, feature);

  ForEach(operand, feature, [&](int64_t i, int64_t f) { mean[f] += x[i]; });
  for (double& m : mean) m /= count;
  ForEach(operand, feature, [&](int64_t i, int64_t f) {
    variance[f] += (x[i] - mean[f]) * (x[i] - mean[f]);
  });
  for (double& v : variance) v /= count;
  ForEach(operand, feature, [&](int64_t i, int64_t f) {
    x[i] =
        scale[f] * (x[i] - mean[f]) / std::sqrt(variance[f] + attrs.epsilon) +
        offset[f];
  });

  std::vector<Literal> results(3);
  const Literal* arrays[] = {&x_array, &mean_array, &variance_array};
  for (int i = 0; i < 3; ++i) {
    TF_ASSIGN_OR_RETURN(
        results[i],
        Rounded(*arrays[i], hlo.shape().tuple_shapes(i), operand, feature));
  }
  return Literal::MoveIntoTuple(absl::MakeSpan(results));
}

absl::StatusOr<Literal> EvaluateBatchNormInference(const HloInstruction& hlo,
                                                   Operands operands) {
  const auto& attrs = hlo.attrs<BatchNormAttrs>();
  TF_ASSIGN_OR_RETURN(Literal x_array, ToDoubles(*operands[0]));
  TF_ASSIGN_OR_RETURN(Literal scale_array, ToDoubles(*operands[1]));
  TF_ASSIGN_OR_RETURN(Literal offset_array, ToDoubles(*operands[2]));
  TF_ASSIGN_OR_RETURN(Literal mean_array, ToDoubles(*operands[3]));
  TF_ASSIGN_OR_RETURN(Literal variance_array, ToDoubles(*operands[4]));
  auto x = x_array.data<double>();
  auto scale = scale_array.data<double>();
  auto offset = offset_array.data<double>();
  auto mean = mean_array.data<double>();
  auto variance = variance_array.data<double>();
  ForEach(*operands[0], attrs.feature_index, [&](int64_t i, int64_t f) {
    x[i] =
        scale[f] * (x[i] - mean[f]) / std::sqrt(variance[f] + attrs.epsilon) +
        offset[f];
  });
  return Rounded(x_array, hlo.shape(), *operands[0], attrs.feature_index);
}

// Source: the formulas of "BatchNormGrad"; n is the number of elements of a
// feature (m w h there).
absl::StatusOr<Literal> EvaluateBatchNormGrad(const HloInstruction& hlo,
                                              Operands operands) {
  const auto& attrs = hlo.attrs<BatchNormAttrs>();
  const Literal& operand = *operands[0];
  const int64_t feature = attrs.feature_index;
  TF_ASSIGN_OR_RETURN(Literal x_array, ToDoubles(operand));
  TF_ASSIGN_OR_RETURN(Literal scale_array, ToDoubles(*operands[1]));
  TF_ASSIGN_OR_RETURN(Literal mean_array, ToDoubles(*operands[2]));
  TF_ASSIGN_OR_RETURN(Literal variance_array, ToDoubles(*operands[3]));
  TF_ASSIGN_OR_RETURN(Literal grad_array, ToDoubles(*operands[4]));
  TF_ASSIGN_OR_RETURN(Literal scale_grad_array, Doubles(operands[1]->shape()));
  TF_ASSIGN_OR_RETURN(Literal offset_grad_array, Doubles(operands[1]->shape()));
  auto x = x_array.data<double>();
  auto scale = scale_array.data<double>();
  auto mean = mean_array.data<double>();
  auto variance = variance_array.data<double>();
  auto grad = grad_array.data<double>();
  auto scale_grad = scale_grad_array.data<double>();
  auto offset_grad = offset_grad_array.data<double>();
  const double n = ElementsPerFeature(operand, feature);
  auto deviation = [&](int64_t f) {
    return std::sqrt(variance[f] + attrs.epsilon);
  };

  ForEach(operand, feature, [&](int64_t i, int64_t f) {
    scale_grad[f] += grad[i] * (x[i] - mean[f]) / deviation(f);
    offset_grad[f] += grad[i];
  });
  ForEach(operand, feature, [&](int64_t i, int64_t f) {
    // These are c_l and d_l of the document.
    const double c = scale_grad[f] / deviation(f) / n;
    const double d = offset_grad[f] / n;
    x[i] = scale[f] / deviation(f) * (grad[i] - d - c * (x[i] - mean[f]));
  });

  std::vector<Literal> results(3);
  const Literal* arrays[] = {&x_array, &scale_grad_array, &offset_grad_array};
  for (int i = 0; i < 3; ++i) {
    TF_ASSIGN_OR_RETURN(
        results[i],
        Rounded(*arrays[i], hlo.shape().tuple_shapes(i), operand, feature));
  }
  return Literal::MoveIntoTuple(absl::MakeSpan(results));
}

}  // namespace xla
