// What ops do with arrays with dynamic dimensions; control flow is left to the
// pass.
#ifndef XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_OPS_H_
#define XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_OPS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/transforms/creation/dynamic_array.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// s32[]: how many windows there are over `size` elements, at most `bound`.
HloInstruction* WindowCount(HloBuilder& emit, HloInstruction* size,
                            const WindowDimension& dim, int64_t bound);

// Parameter `i` of a computation on scalars under way, and the type of one.
HloInstruction* AddScalarParameter(HloComputation* computation, int64_t i,
                                   PrimitiveType type);
PrimitiveType ParameterType(const HloComputation& computation, int64_t i);

// Whether `hlo` is one of the custom calls of hlo/ops/linear/
// dynamic_convolution.h. They have no meaning here but that of arrays with
// dynamic dimensions, so are lowered where all is static, too.
bool IsDynamicConvolution(const HloInstruction& hlo);

// The arrays that an op of arrays has as results, on `operands` of it lowered.
// One function per family; Unimplemented naming the op for others.
absl::StatusOr<std::vector<DynamicArray>> LowerDynamicOp(
    HloBuilder& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);
absl::StatusOr<DynamicArray> LowerDynamicMovement(
    HloBuilder& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);
absl::StatusOr<DynamicArray> LowerDynamicReshape(
    HloBuilder& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);
absl::StatusOr<DynamicArray> LowerDynamicConvolution(
    HloBuilder& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);
absl::StatusOr<std::vector<DynamicArray>> LowerDynamicReduction(
    HloBuilder& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);
absl::StatusOr<std::vector<DynamicArray>> LowerDynamicSort(
    HloBuilder& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);
absl::StatusOr<std::vector<DynamicArray>> LowerDynamicTopK(
    HloBuilder& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_DYNAMIC_DYNAMIC_OPS_H_
