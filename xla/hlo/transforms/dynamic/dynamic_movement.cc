// Ops that move elements of arrays with dynamic dimensions.
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/transforms/dynamic/dynamic_ops.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;
using Arrays = absl::Span<const DynamicArray>;

// Returns the sizes of the dimensions that the result's shape declares dynamic;
// full where `sizes` does not have them.
DynamicArray Result(HloBuilder& emit, const HloInstruction& hlo, Hlo data,
                    std::vector<Hlo> sizes) {
  for (int d = 0; d < hlo.shape().rank(); ++d) {
    if (!hlo.shape().is_dynamic_dimension(d)) {
      sizes[d] = nullptr;
    } else if (sizes[d] == nullptr) {
      sizes[d] = emit.Integer(S32, hlo.shape().dimensions(d));
    }
  }
  return {data, std::move(sizes)};
}

Hlo Max(HloBuilder& emit, Hlo x, Hlo y) {
  return emit.Binary(HloOpcode::kMaximum, x, y);
}
Hlo Min(HloBuilder& emit, Hlo x, Hlo y) {
  return emit.Binary(HloOpcode::kMinimum, x, y);
}

// Element i moves to size - 1 - i: reverses the bounds and moves the result
// down by bound - size.
Hlo MoveDown(HloBuilder& emit, Hlo data, int64_t d, Hlo distance) {
  Dims sizes(data->shape().dimensions().begin(),
             data->shape().dimensions().end());
  Hlo twice = emit.Concatenate({data, data}, d);
  std::vector<Hlo> starts(sizes.size(), emit.Integer(S32, 0));
  starts[d] = distance;
  return emit.DynamicSlice(twice, starts, sizes);
}

DynamicArray LowerReverse(HloBuilder& emit, const HloInstruction& hlo,
                          Arrays operands) {
  const DynamicArray& operand = operands[0];
  Hlo data = OnData(emit, hlo, operands);
  for (int64_t d : hlo.attrs<ReverseAttrs>().dimensions) {
    if (!operand.IsDynamic(d)) continue;
    Hlo bound = emit.Integer(S32, hlo.shape().dimensions(d));
    data = MoveDown(emit, data, d, emit.Minus(bound, operand.sizes[d]));
  }
  return Result(emit, hlo, data, operand.sizes);
}

DynamicArray LowerConcatenate(HloBuilder& emit, const HloInstruction& hlo,
                              Arrays operands) {
  const int64_t along = hlo.attrs<ConcatenateAttrs>().dimensions[0];
  std::vector<Hlo> sizes(hlo.shape().rank(), nullptr);
  for (size_t d = 0; d < sizes.size(); ++d) {
    for (const DynamicArray& operand : operands) {
      if (sizes[d] == nullptr) sizes[d] = operand.sizes[d];
    }
  }
  if (sizes[along] == nullptr) {
    return Result(emit, hlo, OnData(emit, hlo, operands), sizes);
  }
  // Each part begins where the elements of the previous one end and overwrites
  // the values beyond those.
  Hlo data = emit.Splat(emit.Zero(hlo.shape().element_type()),
                        hlo.shape().dimensions());
  Hlo zero = emit.Integer(S32, 0);
  Hlo offset = zero;
  for (const DynamicArray& operand : operands) {
    std::vector<Hlo> starts(sizes.size(), zero);
    starts[along] = offset;
    data = emit.DynamicUpdateSlice(data, operand.data, starts);
    offset = emit.Plus(offset, SizeOf(emit, operand, along));
  }
  sizes[along] = offset;
  return Result(emit, hlo, data, std::move(sizes));
}

DynamicArray LowerPad(HloBuilder& emit, const HloInstruction& hlo,
                      Arrays operands) {
  const PaddingConfig& padding = hlo.attrs<PadAttrs>().padding;
  const DynamicArray& operand = operands[0];
  std::vector<Hlo> sizes(operand.sizes.size(), nullptr);
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!operand.IsDynamic(d)) continue;
    const auto& dim = padding.dimensions(static_cast<int>(d));
    // Use 64 bits, since the sum may not fit 32.
    Hlo size = emit.Convert(operand.sizes[d], S64);
    Hlo gaps =
        Max(emit, emit.Minus(size, emit.Integer(S64, 1)), emit.Integer(S64, 0));
    Hlo sum = emit.Plus(
        emit.Plus(size,
                  emit.Times(gaps, emit.Integer(S64, dim.interior_padding()))),
        emit.Plus(emit.Integer(S64, dim.edge_padding_low()),
                  emit.Integer(S64, dim.edge_padding_high())));
    Hlo bound = emit.Integer(S64, hlo.shape().dimensions(d));
    Hlo clamped = Min(emit, Max(emit, sum, emit.Integer(S64, 0)), bound);
    sizes[d] = emit.Convert(clamped, S32);
  }
  const DynamicArray filled[] = {
      StaticArray(
          FillBeyond(emit, operand, AllDimensions(operand), operands[1].data)),
      operands[1]};
  return Result(emit, hlo, OnData(emit, hlo, filled), std::move(sizes));
}

DynamicArray LowerSlice(HloBuilder& emit, const HloInstruction& hlo,
                        Arrays operands) {
  const auto& ranges = hlo.attrs<SliceAttrs>().slice;
  std::vector<Hlo> sizes(ranges.size(), nullptr);
  for (size_t d = 0; d < ranges.size(); ++d) {
    if (!operands[0].IsDynamic(d)) continue;
    Hlo limit =
        Min(emit, operands[0].sizes[d], emit.Integer(S32, ranges[d].limit));
    Hlo length =
        Max(emit, emit.Minus(limit, emit.Integer(S32, ranges[d].start)),
            emit.Integer(S32, 0));
    // ceil(length / stride) without exceeding 32 bits.
    Hlo stride =
        emit.Integer(S32, std::min<int64_t>(ranges[d].stride, 0x7fffffff));
    Hlo rest = emit.Binary(HloOpcode::kRemainder, length, stride);
    Hlo more = emit.Convert(
        emit.Compare(ComparisonDirection::kGt, rest, emit.Integer(S32, 0)),
        S32);
    sizes[d] = emit.Plus(emit.Over(length, stride), more);
  }
  return Result(emit, hlo, OnData(emit, hlo, operands), std::move(sizes));
}

DynamicArray LowerDynamicSlice(HloBuilder& emit, const HloInstruction& hlo,
                               Arrays operands) {
  std::vector<Hlo> sizes(hlo.shape().rank(), nullptr);
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!operands[0].IsDynamic(d)) continue;
    sizes[d] = Min(emit, operands[0].sizes[d],
                   emit.Integer(S32, hlo.shape().dimensions(d)));
  }
  return Result(emit, hlo, OnData(emit, hlo, operands), std::move(sizes));
}

// Elements beyond the sizes of the update stay unchanged.
DynamicArray LowerDynamicUpdateSlice(HloBuilder& emit,
                                     const HloInstruction& hlo,
                                     Arrays operands) {
  std::vector<DynamicArray> parts(operands.begin(), operands.end());
  const DynamicArray& update = operands[1];
  Hlo mask = WithinSizes(emit, update, AllDimensions(update));
  if (mask != nullptr) {
    std::vector<Hlo> starts;
    for (const DynamicArray& start : operands.subspan(2)) {
      starts.push_back(start.data);
    }
    Hlo old = emit.DynamicSlice(operands[0].data, starts,
                                update.data->shape().dimensions());
    parts[1] = StaticArray(emit.Select(mask, update.data, old));
  }
  return Result(emit, hlo, OnData(emit, hlo, parts), operands[0].sizes);
}

DynamicArray LowerGather(HloBuilder& emit, const HloInstruction& hlo,
                         Arrays operands) {
  const auto& attrs = hlo.attrs<GatherAttrs>();
  const GatherDimensionNumbers& numbers = attrs.dimension_numbers;
  std::vector<Hlo> index_sizes, window_sizes;
  for (size_t d = 0; d < operands[1].sizes.size(); ++d) {
    if (static_cast<int64_t>(d) != numbers.index_vector_dim()) {
      index_sizes.push_back(operands[1].sizes[d]);
    }
  }
  for (int64_t d = 0; d < static_cast<int64_t>(operands[0].sizes.size()); ++d) {
    if (absl::c_linear_search(numbers.collapsed_slice_dims(), d) ||
        absl::c_linear_search(numbers.operand_batching_dims(), d)) {
      continue;
    }
    Hlo size = operands[0].sizes[d];
    window_sizes.push_back(
        size == nullptr
            ? nullptr
            : Min(emit, size, emit.Integer(S32, attrs.slice_sizes[d])));
  }
  std::vector<Hlo> sizes;
  size_t batch = 0, window = 0;
  for (int64_t d = 0; d < hlo.shape().rank(); ++d) {
    sizes.push_back(absl::c_linear_search(numbers.offset_dims(), d)
                        ? window_sizes[window++]
                        : index_sizes[batch++]);
  }
  return Result(emit, hlo, OnData(emit, hlo, operands), std::move(sizes));
}

}  // namespace

absl::StatusOr<DynamicArray> LowerDynamicMovement(HloBuilder& emit,
                                                  const HloInstruction& hlo,
                                                  Arrays operands) {
  const DynamicArray& first = operands[0];
  switch (hlo.opcode()) {
    case HloOpcode::kGetDimensionSize:
      return StaticArray(
          SizeOf(emit, first, hlo.attrs<DimensionSizeAttrs>().dimensions[0]));
    case HloOpcode::kSetDimensionSize: {
      const int64_t d = hlo.attrs<DimensionSizeAttrs>().dimensions[0];
      std::vector<Hlo> sizes = first.sizes;
      sizes[d] = ClampSize(emit, operands[1].data, hlo.shape().dimensions(d));
      return Result(emit, hlo, first.data, std::move(sizes));
    }
    case HloOpcode::kBroadcast: {
      const auto& dimensions = hlo.attrs<BroadcastAttrs>().dimensions;
      std::vector<Hlo> sizes(hlo.shape().rank(), nullptr);
      for (size_t i = 0; i < dimensions.size(); ++i) {
        sizes[dimensions[i]] = first.sizes[i];
      }
      return Result(emit, hlo, OnData(emit, hlo, operands), std::move(sizes));
    }
    case HloOpcode::kTranspose: {
      std::vector<Hlo> sizes;
      for (int64_t d : hlo.attrs<TransposeAttrs>().dimensions) {
        sizes.push_back(first.sizes[d]);
      }
      return Result(emit, hlo, OnData(emit, hlo, operands), std::move(sizes));
    }
    case HloOpcode::kReverse:
      return LowerReverse(emit, hlo, operands);
    case HloOpcode::kConcatenate:
      return LowerConcatenate(emit, hlo, operands);
    case HloOpcode::kPad:
      return LowerPad(emit, hlo, operands);
    case HloOpcode::kSlice:
      return LowerSlice(emit, hlo, operands);
    case HloOpcode::kDynamicSlice:
      return LowerDynamicSlice(emit, hlo, operands);
    case HloOpcode::kDynamicUpdateSlice:
      return LowerDynamicUpdateSlice(emit, hlo, operands);
    case HloOpcode::kGather:
      return LowerGather(emit, hlo, operands);
    default:
      return absl::InternalError(absl::StrCat(hlo.name(), " does not move"));
  }
}

}  // namespace xla
