// Sizes and masks of arrays with dynamic dimensions.
#include "xla/hlo/transforms/creation/dynamic_array.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "xla/core/shape_util.h"

namespace xla {

bool DynamicArray::IsStatic() const {
  return absl::c_all_of(
      sizes, [](const HloInstruction* size) { return size == nullptr; });
}

DynamicArray WithSizes(HloBuilder& emit, HloInstruction* data,
                       const Shape& shape, std::vector<HloInstruction*> sizes) {
  DynamicArray result = {data, std::move(sizes)};
  result.sizes.resize(shape.rank(), nullptr);
  for (int d = 0; d < shape.rank(); ++d) {
    if (!shape.is_dynamic_dimension(d)) {
      result.sizes[d] = nullptr;
    } else if (result.sizes[d] == nullptr) {
      result.sizes[d] = emit.Integer(S32, shape.dimensions(d));
    }
  }
  return result;
}

DynamicArray StaticArray(HloInstruction* data) {
  DynamicArray array = {data, {}};
  if (data->shape().IsArray()) array.sizes.resize(data->shape().rank());
  return array;
}

std::vector<int64_t> AllDimensions(const DynamicArray& array) {
  std::vector<int64_t> all(array.sizes.size());
  for (size_t d = 0; d < all.size(); ++d) all[d] = d;
  return all;
}

HloInstruction* SizeOf(HloBuilder& emit, const DynamicArray& array, int64_t d) {
  return array.IsDynamic(d)
             ? array.sizes[d]
             : emit.Integer(S32, array.data->shape().dimensions(d));
}

HloInstruction* ClampSize(HloBuilder& emit, HloInstruction* size,
                          int64_t bound) {
  HloInstruction* positive =
      emit.Binary(HloOpcode::kMaximum, size, emit.Integer(S32, 0));
  return emit.Binary(HloOpcode::kMinimum, positive, emit.Integer(S32, bound));
}

HloInstruction* WithinSizes(HloBuilder& emit, const DynamicArray& array,
                            absl::Span<const int64_t> dimensions) {
  const auto bounds = array.data->shape().dimensions();
  HloInstruction* mask = nullptr;
  for (int64_t d : dimensions) {
    if (!array.IsDynamic(d)) continue;
    HloInstruction* size = emit.Splat(array.sizes[d], bounds);
    HloInstruction* place = emit.Iota(S32, bounds, d);
    HloInstruction* within =
        emit.Compare(ComparisonDirection::kLt, place, size);
    mask = mask == nullptr ? within : emit.And(mask, within);
  }
  return mask;
}

HloInstruction* FillBeyond(HloBuilder& emit, const DynamicArray& array,
                           absl::Span<const int64_t> dimensions,
                           HloInstruction* fill) {
  HloInstruction* mask = WithinSizes(emit, array, dimensions);
  if (mask == nullptr) return array.data;
  return emit.Select(mask, array.data,
                     emit.Splat(fill, array.data->shape().dimensions()));
}

HloInstruction* OnData(HloBuilder& emit, const HloInstruction& hlo,
                       absl::Span<const DynamicArray> operands) {
  std::vector<HloInstruction*> data;
  for (const DynamicArray& operand : operands) data.push_back(operand.data);
  return emit.computation()->AddInstruction(
      hlo.CloneWithNewOperands(ShapeUtil::MakeStaticShape(hlo.shape()), data));
}

}  // namespace xla
