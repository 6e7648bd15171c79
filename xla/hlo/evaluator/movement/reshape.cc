// Evaluates broadcast, reshape, transpose, reverse, iota and dynamic sizes.
#include "xla/hlo/evaluator/movement/reshape.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/ops/movement/reshape.h"

namespace xla {
namespace {

// Sets the size of the group's dynamic dimension in `sizes`, which holds the
// bounds of `result`. Returns false if the group has none, so that its bytes
// stay.
absl::StatusOr<bool> SetGroupSize(const ReshapeGroup& group,
                                  const Shape& result,
                                  absl::Span<const int64_t> operand_sizes,
                                  std::vector<int64_t>& sizes) {
  int64_t dynamic = -1;
  int64_t others = 1;
  for (size_t d = group.to; d < group.to_end; ++d) {
    if (!result.is_dynamic_dimension(d)) {
      others *= sizes[d];
    } else if (dynamic == -1) {
      dynamic = d;
    } else {
      return Unimplemented(
          "reshape: dimensions %d and %d of %s are both dynamic and come from "
          "the same dimensions of the operand",
          dynamic, d, result.ToString());
    }
  }
  if (dynamic == -1) return false;
  const int64_t elements =
      Product(operand_sizes.subspan(group.from, group.from_end - group.from));
  sizes[dynamic] = others == 0 ? sizes[dynamic]
                               : std::min(sizes[dynamic], elements / others);
  return true;
}

// Copies element by element: within each group, the result's elements within
// `to_sizes` are the operand's within `from_sizes`, in row-major order.
void CopyGroups(absl::Span<const ReshapeGroup> groups, const Literal& operand,
                absl::Span<const int64_t> from_sizes, Literal& result,
                absl::Span<const int64_t> to_sizes) {
  if (!HasIndex(to_sizes)) return;
  const int width = ElementWidth(operand);
  const auto from_strides = RowMajorStrides(operand.shape().dimensions());
  const auto to_strides = RowMajorStrides(result.shape().dimensions());
  const char* src = static_cast<const char*>(operand.untyped_data());
  char* dst = static_cast<char*>(result.untyped_data());
  std::vector<int64_t> index(to_sizes.size(), 0);
  do {
    int64_t from = 0;
    int64_t to = 0;
    bool valid = true;
    for (const ReshapeGroup& group : groups) {
      int64_t position = 0;
      for (size_t d = group.to; d < group.to_end; ++d) {
        position = position * to_sizes[d] + index[d];
        to += index[d] * to_strides[d];
      }
      for (size_t d = group.from_end; d-- > group.from;) {
        if (from_sizes[d] == 0) {
          valid = false;
          break;
        }
        from += position % from_sizes[d] * from_strides[d];
        position /= from_sizes[d];
      }
      valid = valid && position == 0;
    }
    if (valid) std::memcpy(dst + to * width, src + from * width, width);
  } while (NextIndex(to_sizes, absl::MakeSpan(index)));
}

}  // namespace

absl::StatusOr<Literal> EvaluateBroadcast(const HloInstruction& hlo,
                                          Operands operands) {
  const Literal& operand = *operands[0];
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  const auto& dimensions = hlo.attrs<BroadcastAttrs>().dimensions;
  const auto strides = RowMajorStrides(operand.shape().dimensions());
  std::vector<int64_t> from(hlo.shape().rank(), 0);
  for (size_t i = 0; i < dimensions.size(); ++i) {
    from[dimensions[i]] = strides[i];
    SetCurrentSize(result, dimensions[i], CurrentSize(operand, i));
  }
  StridedCopy(ElementWidth(operand), hlo.shape().dimensions(),
              operand.untyped_data(), from, result.untyped_data(),
              RowMajorStrides(hlo.shape().dimensions()));
  return result;
}

absl::StatusOr<Literal> EvaluateReshape(const HloInstruction& hlo,
                                        Operands operands) {
  const Literal& operand = *operands[0];
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  const Shape& shape = result.shape();
  std::vector<int64_t> from_sizes(operand.shape().dimensions().begin(),
                                  operand.shape().dimensions().end());
  std::vector<int64_t> to_sizes(shape.dimensions().begin(),
                                shape.dimensions().end());
  const std::vector<int64_t> current = CurrentSizes(operand);
  const auto groups = ReshapeGroups(from_sizes, to_sizes);
  bool moves = false;
  for (const ReshapeGroup& group : groups) {
    TF_ASSIGN_OR_RETURN(bool is_dynamic,
                        SetGroupSize(group, shape, current, to_sizes));
    if (!is_dynamic) continue;
    for (size_t d = group.from; d < group.from_end; ++d) {
      moves = moves || current[d] != from_sizes[d];
      from_sizes[d] = current[d];
    }
  }
  SetCurrentSizes(result, to_sizes);
  if (moves) {
    CopyGroups(groups, operand, from_sizes, result, to_sizes);
  } else if (operand.size_bytes() > 0) {
    std::memcpy(result.untyped_data(), operand.untyped_data(),
                operand.size_bytes());
  }
  return result;
}

absl::StatusOr<Literal> EvaluateDynamicReshape(const HloInstruction& hlo,
                                               Operands operands) {
  const Literal& operand = *operands[0];
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  for (size_t i = 1; i < operands.size(); ++i) {
    SetCurrentSize(result, i - 1, operands[i]->data<int32_t>()[0]);
  }
  const std::vector<int64_t> from = CurrentSizes(operand);
  const std::vector<int64_t> to = CurrentSizes(result);
  const ReshapeGroup all = {0, from.size(), 0, to.size()};
  CopyGroups({&all, 1}, operand, from, result, to);
  return result;
}

absl::StatusOr<Literal> EvaluateTranspose(const HloInstruction& hlo,
                                          Operands operands) {
  const Literal& operand = *operands[0];
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  const auto strides = RowMajorStrides(operand.shape().dimensions());
  std::vector<int64_t> from;
  for (int64_t dimension : hlo.attrs<TransposeAttrs>().dimensions) {
    SetCurrentSize(result, from.size(), CurrentSize(operand, dimension));
    from.push_back(strides[dimension]);
  }
  StridedCopy(ElementWidth(operand), result.shape().dimensions(),
              operand.untyped_data(), from, result.untyped_data(),
              RowMajorStrides(result.shape().dimensions()));
  return result;
}

absl::StatusOr<Literal> EvaluateReverse(const HloInstruction& hlo,
                                        Operands operands) {
  const Literal& operand = *operands[0];
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  const std::vector<int64_t> sizes = CurrentSizes(operand);
  SetCurrentSizes(result, sizes);
  if (!HasIndex(sizes)) return result;
  const auto strides = RowMajorStrides(operand.shape().dimensions());
  std::vector<int64_t> from = strides;
  int64_t start = 0;
  for (int64_t dimension : hlo.attrs<ReverseAttrs>().dimensions) {
    from[dimension] = -strides[dimension];
    start += (sizes[dimension] - 1) * strides[dimension];
  }
  const int width = ElementWidth(operand);
  StridedCopy(width, sizes,
              static_cast<const char*>(operand.untyped_data()) + start * width,
              from, result.untyped_data(), strides);
  return result;
}

absl::StatusOr<Literal> EvaluateIota(const HloInstruction& hlo,
                                     Operands operands) {
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  const Shape& shape = result.shape();
  const int64_t along = hlo.attrs<IotaAttrs>().iota_dimension;
  const int64_t size = shape.dimensions(along);
  TF_ASSIGN_OR_RETURN(Literal count,
                      MakeArrayResult(ShapeUtil::MakeShape(S64, {size})));
  std::iota(count.data<int64_t>().begin(), count.data<int64_t>().end(), 0);
  TF_ASSIGN_OR_RETURN(Literal values, count.Convert(shape.element_type()));
  std::vector<int64_t> from(shape.rank(), 0);
  from[along] = 1;
  StridedCopy(ElementWidth(result), shape.dimensions(), values.untyped_data(),
              from, result.untyped_data(), RowMajorStrides(shape.dimensions()));
  return result;
}

absl::StatusOr<Literal> EvaluateGetDimensionSize(const HloInstruction& hlo,
                                                 Operands operands) {
  const int64_t dimension = hlo.attrs<DimensionSizeAttrs>().dimensions[0];
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  result.data<int32_t>()[0] =
      static_cast<int32_t>(CurrentSize(*operands[0], dimension));
  return result;
}

absl::StatusOr<Literal> EvaluateSetDimensionSize(const HloInstruction& hlo,
                                                 Operands operands) {
  const Literal& operand = *operands[0];
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  if (operand.size_bytes() > 0) {
    std::memcpy(result.untyped_data(), operand.untyped_data(),
                operand.size_bytes());
  }
  SetCurrentSizes(result, CurrentSizes(operand));
  SetCurrentSize(result, hlo.attrs<DimensionSizeAttrs>().dimensions[0],
                 operands[1]->data<int32_t>()[0]);
  return result;
}

}  // namespace xla
