// Arrays with dynamic dimensions as static arrays and sizes, and what ops do
// with them; control flow is left to the pass.
#ifndef XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_ARRAY_H_
#define XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_ARRAY_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/transforms/expand/hlo_emitter.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// `data` has the bounds as sizes. Elements beyond the sizes are arbitrary.
struct DynamicArray {
  HloInstruction* data = nullptr;
  // For each dimension an s32[] in [0, bound], null where it is the bound.
  std::vector<HloInstruction*> sizes;

  bool IsDynamic(int64_t d) const { return sizes[d] != nullptr; }
  bool IsStatic() const;
};

// `data` as an array of `shape`: a dimension that is static there is so, one
// that is dynamic and whose size nobody gave, null or not in `sizes`, is full.
DynamicArray WithSizes(HloEmitter& emit, HloInstruction* data,
                       const Shape& shape, std::vector<HloInstruction*> sizes);
// An array of known data, static.
DynamicArray StaticArray(HloInstruction* data);
// The size of dimension `d`, a constant where it is static.
HloInstruction* SizeOf(HloEmitter& emit, const DynamicArray& array, int64_t d);
// `size` within [0, bound].
HloInstruction* ClampSize(HloEmitter& emit, HloInstruction* size,
                          int64_t bound);
// pred[bounds]: whether an element is within the sizes of the dimensions.
// Null if these are static.
HloInstruction* WithinSizes(HloEmitter& emit, const DynamicArray& array,
                            absl::Span<const int64_t> dimensions);
// The data with `fill`, a scalar, in place of elements beyond the sizes.
HloInstruction* FillBeyond(HloEmitter& emit, const DynamicArray& array,
                           absl::Span<const int64_t> dimensions,
                           HloInstruction* fill);
std::vector<int64_t> AllDimensions(const DynamicArray& array);
// s32[]: how many windows there are over `size` elements, at most `bound`.
HloInstruction* WindowCount(HloEmitter& emit, HloInstruction* size,
                            const WindowDimension& dim, int64_t bound);

// Parameter `i` of a computation on scalars under way, and the type of one.
HloInstruction* AddScalarParameter(HloComputation* computation, int64_t i,
                                   PrimitiveType type);
PrimitiveType ParameterType(const HloComputation& computation, int64_t i);

// `hlo` on the data alone, in static shapes.
HloInstruction* OnData(HloEmitter& emit, const HloInstruction& hlo,
                       absl::Span<const DynamicArray> operands);

// Whether `hlo` is one of the custom calls of hlo/ops/linear/
// dynamic_convolution.h. They have no meaning here but that of arrays with
// dynamic dimensions, so are lowered where all is static, too.
bool IsDynamicConvolution(const HloInstruction& hlo);

// The arrays that an op of arrays has as results, on `operands` of it lowered.
// One function per family; Unimplemented naming the op for others.
absl::StatusOr<std::vector<DynamicArray>> LowerDynamicOp(
    HloEmitter& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);
absl::StatusOr<DynamicArray> LowerDynamicMovement(
    HloEmitter& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);
absl::StatusOr<DynamicArray> LowerDynamicReshape(
    HloEmitter& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);
absl::StatusOr<DynamicArray> LowerDynamicConvolution(
    HloEmitter& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);
absl::StatusOr<std::vector<DynamicArray>> LowerDynamicFold(
    HloEmitter& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);
absl::StatusOr<std::vector<DynamicArray>> LowerDynamicSort(
    HloEmitter& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);
absl::StatusOr<std::vector<DynamicArray>> LowerDynamicTopK(
    HloEmitter& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_ARRAY_H_
