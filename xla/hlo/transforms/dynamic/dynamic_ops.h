// Lowering of ops on arrays with dynamic dimensions; the pass itself handles
// control flow.
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

// Returns s32[]: the number of windows over `size` elements, at most `bound`.
HloInstruction* WindowCount(HloBuilder& emit, HloInstruction* size,
                            const WindowDimension& dim, int64_t bound);

// Adds parameter `i`, a scalar of that type, to a computation under
// construction.
HloInstruction* AddScalarParameter(HloComputation* computation, int64_t i,
                                   PrimitiveType type);
PrimitiveType ParameterType(const HloComputation& computation, int64_t i);

// Whether `hlo` is one of the custom calls of hlo/ops/linear/
// dynamic_convolution.h. They are only defined here as ops on dynamic arrays,
// so they are lowered even if everything is static.
bool IsDynamicConvolution(const HloInstruction& hlo);

// Returns the result arrays of an op on lowered operands. Each family has a
// function; for other ops returns Unimplemented, naming the op.
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
