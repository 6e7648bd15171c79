// Evaluates slices, updates, pads and concatenation as strided copies.
#include "xla/hlo/evaluator/movement/slicing.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/ops/movement/slicing.h"

namespace xla {
namespace {

// Positions of padded elements may exceed int64 before they are cut off.
using Wide = __int128;

const char* At(const LiteralBase& array, int64_t element) {
  return static_cast<const char*>(array.untyped_data()) +
         element * ElementWidth(array);
}

char* At(Literal& array, int64_t element) {
  return static_cast<char*>(array.untyped_data()) +
         element * ElementWidth(array);
}

// Returns the start, in elements, of a box of `sizes` in `array`, from the
// start indices at operands[first] on, clamped.
int64_t ClampedStart(const LiteralBase& array, absl::Span<const int64_t> sizes,
                     Operands operands, size_t first) {
  std::vector<int64_t> starts;
  for (const Literal* index : operands.subspan(first)) {
    const std::vector<int64_t> values = IntegerValues(*index);
    starts.insert(starts.end(), values.begin(), values.end());
  }
  const auto strides = RowMajorStrides(array.shape().dimensions());
  int64_t start = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t last = array.shape().dimensions(i) - sizes[i];
    start += std::clamp<int64_t>(starts[i], 0, last) * strides[i];
  }
  return start;
}

void FillWith(const LiteralBase& scalar, Literal& result) {
  const std::vector<int64_t> none(result.shape().rank(), 0);
  StridedCopy(ElementWidth(scalar), result.shape().dimensions(),
              scalar.untyped_data(), none, result.untyped_data(),
              RowMajorStrides(result.shape().dimensions()));
}

// The destination of the elements of one padded dimension.
struct PaddedRange {
  int64_t first = 0;  // the first element that stays
  int64_t count = 0;  // how many elements stay
  int64_t to = 0;     // the position of the first one
  int64_t step = 0;   // from one to the next; 0 if there is only one
};

PaddedRange PadRange(int64_t size, int64_t result_size,
                     const PaddingConfig::PaddingConfigDimension& padding) {
  const Wide low = padding.edge_padding_low();
  const Wide step = static_cast<Wide>(padding.interior_padding()) + 1;
  const Wide first = low >= 0 ? 0 : (-low + step - 1) / step;
  const Wide space = static_cast<Wide>(result_size) - 1 - low;
  const Wide last = space < 0 ? -1 : std::min<Wide>(space / step, size - 1);
  if (first > last) return {};
  PaddedRange range;
  range.first = static_cast<int64_t>(first);
  range.count = static_cast<int64_t>(last - first + 1);
  range.to = static_cast<int64_t>(low + first * step);
  range.step = range.count > 1 ? static_cast<int64_t>(step) : 0;
  return range;
}

// Returns the padded size of a dimension of `size` elements; not negative.
int64_t PaddedSize(int64_t size,
                   const PaddingConfig::PaddingConfigDimension& padding) {
  Wide result = size;
  if (size > 0) {
    result += static_cast<Wide>(size - 1) * padding.interior_padding();
  }
  result += padding.edge_padding_low();
  result += padding.edge_padding_high();
  return static_cast<int64_t>(std::max<Wide>(result, 0));
}

}  // namespace

absl::StatusOr<Literal> EvaluateConcatenate(const HloInstruction& hlo,
                                            Operands operands) {
  const int64_t along = hlo.attrs<ConcatenateAttrs>().dimensions[0];
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  const auto strides = RowMajorStrides(result.shape().dimensions());
  int64_t offset = 0;
  for (const Literal* operand : operands) {
    StridedCopy(ElementWidth(result), operand->shape().dimensions(),
                operand->untyped_data(),
                RowMajorStrides(operand->shape().dimensions()),
                At(result, offset * strides[along]), strides);
    offset += CurrentSize(*operand, along);
  }
  SetCurrentSize(result, along, offset);
  for (int64_t d = 0; d < result.shape().rank(); ++d) {
    if (d == along) continue;
    for (const Literal* operand : operands) {
      if (!operand->shape().is_dynamic_dimension(d)) continue;
      SetCurrentSize(result, d, CurrentSize(*operand, d));
      break;
    }
  }
  return result;
}

absl::StatusOr<Literal> EvaluatePad(const HloInstruction& hlo,
                                    Operands operands) {
  const Literal& operand = *operands[0];
  const PaddingConfig& padding = hlo.attrs<PadAttrs>().padding;
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  FillWith(*operands[1], result);
  const auto from_strides = RowMajorStrides(operand.shape().dimensions());
  const auto to_strides = RowMajorStrides(result.shape().dimensions());
  std::vector<int64_t> counts;
  std::vector<int64_t> steps;
  int64_t from = 0;
  int64_t to = 0;
  for (int64_t i = 0; i < operand.shape().rank(); ++i) {
    const int64_t size = CurrentSize(operand, i);
    SetCurrentSize(result, i, PaddedSize(size, padding.dimensions(i)));
    const PaddedRange range =
        PadRange(size, result.shape().dimensions(i), padding.dimensions(i));
    counts.push_back(range.count);
    steps.push_back(range.step * to_strides[i]);
    from += range.first * from_strides[i];
    to += range.to * to_strides[i];
  }
  if (!HasIndex(counts)) return result;
  StridedCopy(ElementWidth(result), counts, At(operand, from), from_strides,
              At(result, to), steps);
  return result;
}

absl::StatusOr<Literal> EvaluateSlice(const HloInstruction& hlo,
                                      Operands operands) {
  const Literal& operand = *operands[0];
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  const auto strides = RowMajorStrides(operand.shape().dimensions());
  const auto& ranges = hlo.attrs<SliceAttrs>().slice;
  std::vector<int64_t> steps;
  int64_t start = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const int64_t limit = std::min(ranges[i].limit, CurrentSize(operand, i));
    SetCurrentSize(
        result, i,
        limit <= ranges[i].start
            ? 0
            : CeilOfRatio(limit - ranges[i].start, ranges[i].stride));
    start += ranges[i].start * strides[i];
    steps.push_back(
        result.shape().dimensions(i) > 1 ? ranges[i].stride * strides[i] : 0);
  }
  if (!HasIndex(result.shape().dimensions())) return result;
  StridedCopy(ElementWidth(result), result.shape().dimensions(),
              At(operand, start), steps, result.untyped_data(),
              RowMajorStrides(result.shape().dimensions()));
  return result;
}

absl::StatusOr<Literal> EvaluateDynamicSlice(const HloInstruction& hlo,
                                             Operands operands) {
  const Literal& operand = *operands[0];
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  SetCurrentSizes(result, CurrentSizes(operand));
  const auto& sizes = hlo.attrs<DynamicSliceAttrs>().dynamic_slice_sizes;
  if (!HasIndex(sizes)) return result;
  StridedCopy(ElementWidth(result), sizes,
              At(operand, ClampedStart(operand, sizes, operands, 1)),
              RowMajorStrides(operand.shape().dimensions()),
              result.untyped_data(), RowMajorStrides(sizes));
  return result;
}

absl::StatusOr<Literal> EvaluateDynamicUpdateSlice(const HloInstruction& hlo,
                                                   Operands operands) {
  const Literal& operand = *operands[0];
  const Literal& update = *operands[1];
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  if (operand.size_bytes() > 0) {
    std::memcpy(result.untyped_data(), operand.untyped_data(),
                operand.size_bytes());
  }
  SetCurrentSizes(result, CurrentSizes(operand));
  const std::vector<int64_t> sizes = CurrentSizes(update);
  if (!HasIndex(sizes)) return result;
  const int64_t start =
      ClampedStart(operand, update.shape().dimensions(), operands, 2);
  StridedCopy(ElementWidth(result), sizes, update.untyped_data(),
              RowMajorStrides(update.shape().dimensions()), At(result, start),
              RowMajorStrides(operand.shape().dimensions()));
  return result;
}

void CopySlice(const Literal& from, Operands from_starts, Literal& to,
               Operands to_starts, absl::Span<const int64_t> sizes) {
  if (!HasIndex(sizes)) return;
  const int64_t first = ClampedStart(from, sizes, from_starts, 0);
  const int64_t to_first = ClampedStart(to, sizes, to_starts, 0);
  StridedCopy(ElementWidth(to), sizes, At(from, first),
              RowMajorStrides(from.shape().dimensions()), At(to, to_first),
              RowMajorStrides(to.shape().dimensions()));
}

}  // namespace xla
