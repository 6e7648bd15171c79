// Emits get-dimension-size and set-dimension-size, which read and write the
// sizes behind the elements of arrays with dynamic dimensions.
#include "xla/backends/array_memory.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunks/device_thunks.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/movement/reshape.h"

namespace xla::cpu {
namespace {

constexpr int64_t kSizeBytes = sizeof(int32_t);

// Returns the slice of the size of dimension `d` of an array of `shape` at
// `array`.
Slice SizeOf(const Slice& array, const Shape& shape, int64_t d) {
  return {.allocation = array.allocation,
          .offset = array.offset + ElementsBytes(shape) + d * kSizeBytes,
          .size = kSizeBytes};
}

}  // namespace

ThunkOr EmitGetDimensionSizeThunk(const HloInstruction& hlo,
                                  const ThunkEmitterContext& context) {
  const int64_t d = hlo.attrs<DimensionSizeAttrs>().dimensions[0];
  const Shape& shape = hlo.operand(0)->shape();
  TF_ASSIGN_OR_RETURN(const Slice result, context.SliceOf(hlo, 0));
  if (!shape.has_dynamic_dimensions()) {
    return std::make_unique<FillSizesThunk>(
        hlo.name(), result,
        std::vector<int32_t>{static_cast<int32_t>(shape.dimensions(d))});
  }
  TF_ASSIGN_OR_RETURN(const Slice array, context.SliceOf(*hlo.operand(0), 0));
  return std::make_unique<CopyThunk>(
      hlo.name(),
      std::vector<CopyThunk::Move>{{SizeOf(array, shape, d), result}});
}

ThunkOr EmitSetDimensionSizeThunk(const HloInstruction& hlo,
                                  const ThunkEmitterContext& context) {
  const int64_t d = hlo.attrs<DimensionSizeAttrs>().dimensions[0];
  const Shape& from = hlo.operand(0)->shape();
  TF_ASSIGN_OR_RETURN(Slice source, context.SliceOf(*hlo.operand(0), 0));
  TF_ASSIGN_OR_RETURN(const Slice size, context.SliceOf(*hlo.operand(1), 0));
  TF_ASSIGN_OR_RETURN(Slice result, context.SliceOf(hlo, 0));
  if (!hlo.shape().has_dynamic_dimensions()) {
    return std::make_unique<CopyThunk>(
        hlo.name(), std::vector<CopyThunk::Move>{{source, result}});
  }
  std::vector<int32_t> fixed;
  if (!from.has_dynamic_dimensions()) {
    for (int64_t bound : from.dimensions()) {
      fixed.push_back(static_cast<int32_t>(bound));
    }
  }
  return std::make_unique<SetSizeThunk>(
      hlo.name(), source, result, SizeOf(result, hlo.shape(), 0),
      std::move(fixed), SizeOf(result, hlo.shape(), d), size);
}

}  // namespace xla::cpu
