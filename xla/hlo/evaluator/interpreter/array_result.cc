// Makes the result arrays of kernels that move elements.
#include "xla/hlo/evaluator/interpreter/array_result.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/core/primitive_util.h"

namespace xla {
namespace {

template <typename T>
void AppendValues(const LiteralBase& array, std::vector<int64_t>* values) {
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  for (T value : array.data<T>()) {
    if constexpr (std::is_same_v<T, uint64_t>) {
      values->push_back(static_cast<int64_t>(std::min(value, kMax)));
    } else {
      values->push_back(static_cast<int64_t>(value));
    }
  }
}

}  // namespace

absl::StatusOr<Literal> MakeArrayResult(const Shape& shape) {
  Shape result = shape;
  LayoutUtil::SetToDefaultLayout(&result);
  return Literal::Make(result);
}

int64_t CurrentSize(const LiteralBase& array, int64_t dimension) {
  const int64_t bound = array.shape().dimensions(dimension);
  if (!array.shape().is_dynamic_dimension(dimension)) return bound;
  return std::clamp<int64_t>(array.GetDynamicSize(dimension), 0, bound);
}

std::vector<int64_t> CurrentSizes(const LiteralBase& array) {
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < array.shape().rank(); ++i) {
    sizes.push_back(CurrentSize(array, i));
  }
  return sizes;
}

void SetCurrentSize(MutableLiteralBase& array, int64_t dimension,
                    int64_t size) {
  if (!array.shape().is_dynamic_dimension(dimension)) return;
  const int64_t most = std::min<int64_t>(array.shape().dimensions(dimension),
                                         std::numeric_limits<int32_t>::max());
  array.SetDynamicSize(
      dimension, static_cast<int32_t>(std::clamp<int64_t>(size, 0, most)));
}

void SetCurrentSizes(MutableLiteralBase& array,
                     absl::Span<const int64_t> sizes) {
  for (size_t i = 0; i < sizes.size(); ++i) SetCurrentSize(array, i, sizes[i]);
}

namespace {

// Returns a copy of `array` in which the first element of each dimension whose
// stride is 0 is repeated along it.
absl::StatusOr<std::unique_ptr<Literal>> Repeated(
    const Literal& array, absl::Span<const int64_t> from_strides) {
  TF_ASSIGN_OR_RETURN(Literal copy, MakeArrayResult(array.shape()));
  StridedCopy(ElementWidth(array), array.shape().dimensions(),
              array.untyped_data(), from_strides, copy.untyped_data(),
              RowMajorStrides(array.shape().dimensions()));
  return std::make_unique<Literal>(std::move(copy));
}

bool IsDynamicIn(const Literal& array, int64_t rank, int64_t d) {
  return array.shape().rank() == rank && array.shape().is_dynamic_dimension(d);
}

}  // namespace

absl::StatusOr<AlignedOperands> AlignOperands(
    const Shape& result, absl::Span<const Literal* const> operands) {
  AlignedOperands aligned;
  aligned.arrays.assign(operands.begin(), operands.end());
  const int64_t rank = result.rank();
  for (int64_t d = 0; d < rank; ++d) {
    int64_t common = -1;
    for (const Literal* operand : operands) {
      if (!IsDynamicIn(*operand, rank, d)) continue;
      const int64_t size = CurrentSize(*operand, d);
      if (common == -1) {
        common = size;
        continue;
      }
      const int64_t smaller = std::min(common, size);
      common = smaller == 1 ? std::max(common, size) : smaller;
    }
    aligned.sizes.push_back(common == -1 ? result.dimensions(d) : common);
  }
  for (const Literal*& operand : aligned.arrays) {
    if (operand->shape().rank() != rank || operand->size_bytes() == 0) continue;
    std::vector<int64_t> strides =
        RowMajorStrides(operand->shape().dimensions());
    bool repeats = false;
    for (int64_t d = 0; d < rank; ++d) {
      if (!IsDynamicIn(*operand, rank, d) || CurrentSize(*operand, d) != 1 ||
          aligned.sizes[d] <= 1) {
        continue;
      }
      strides[d] = 0;
      repeats = true;
    }
    if (!repeats) continue;
    TF_ASSIGN_OR_RETURN(aligned.copies.emplace_back(),
                        Repeated(*operand, strides));
    operand = aligned.copies.back().get();
  }
  return aligned;
}

std::vector<int64_t> RowMajorStrides(absl::Span<const int64_t> dimensions) {
  std::vector<int64_t> strides(dimensions.size());
  uint64_t stride = 1;  // wraps only if an array has no elements
  for (size_t i = dimensions.size(); i-- > 0;) {
    strides[i] = static_cast<int64_t>(stride);
    stride *= static_cast<uint64_t>(dimensions[i]);
  }
  return strides;
}

bool NextIndex(absl::Span<const int64_t> sizes, absl::Span<int64_t> index) {
  for (size_t i = sizes.size(); i-- > 0;) {
    if (++index[i] < sizes[i]) return true;
    index[i] = 0;
  }
  return false;
}

bool HasIndex(absl::Span<const int64_t> sizes) {
  return std::find(sizes.begin(), sizes.end(), 0) == sizes.end();
}

int ElementWidth(const LiteralBase& array) {
  return LiteralElementBytes(array.shape().element_type());
}

std::vector<int64_t> IntegerValues(const LiteralBase& array) {
  std::vector<int64_t> values;
  values.reserve(array.element_count());
  switch (array.shape().element_type()) {
    case S8:
      AppendValues<int8_t>(array, &values);
      break;
    case S16:
      AppendValues<int16_t>(array, &values);
      break;
    case S32:
      AppendValues<int32_t>(array, &values);
      break;
    case S64:
      AppendValues<int64_t>(array, &values);
      break;
    case U8:
      AppendValues<uint8_t>(array, &values);
      break;
    case U16:
      AppendValues<uint16_t>(array, &values);
      break;
    case U32:
      AppendValues<uint32_t>(array, &values);
      break;
    case U64:
      AppendValues<uint64_t>(array, &values);
      break;
    case S1:
      AppendValues<s1>(array, &values);
      break;
    case S2:
      AppendValues<s2>(array, &values);
      break;
    case S4:
      AppendValues<s4>(array, &values);
      break;
    case U1:
      AppendValues<u1>(array, &values);
      break;
    case U2:
      AppendValues<u2>(array, &values);
      break;
    case U4:
      AppendValues<u4>(array, &values);
      break;
    default:
      values.assign(array.element_count(), 0);
  }
  return values;
}

}  // namespace xla
