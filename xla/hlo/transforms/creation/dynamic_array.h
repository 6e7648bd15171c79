// DynamicArray: an array with dynamic dimensions as a static array and sizes.
#ifndef XLA_HLO_TRANSFORMS_CREATION_DYNAMIC_ARRAY_H_
#define XLA_HLO_TRANSFORMS_CREATION_DYNAMIC_ARRAY_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

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
DynamicArray WithSizes(HloBuilder& emit, HloInstruction* data,
                       const Shape& shape, std::vector<HloInstruction*> sizes);
// An array of known data, static.
DynamicArray StaticArray(HloInstruction* data);
// The size of dimension `d`, a constant where it is static.
HloInstruction* SizeOf(HloBuilder& emit, const DynamicArray& array, int64_t d);
// `size` within [0, bound].
HloInstruction* ClampSize(HloBuilder& emit, HloInstruction* size,
                          int64_t bound);
// pred[bounds]: whether an element is within the sizes of the dimensions.
// Null if these are static.
HloInstruction* WithinSizes(HloBuilder& emit, const DynamicArray& array,
                            absl::Span<const int64_t> dimensions);
// The data with `fill`, a scalar, in place of elements beyond the sizes.
HloInstruction* FillBeyond(HloBuilder& emit, const DynamicArray& array,
                           absl::Span<const int64_t> dimensions,
                           HloInstruction* fill);
std::vector<int64_t> AllDimensions(const DynamicArray& array);
// `hlo` on the data alone, in static shapes.
HloInstruction* OnData(HloBuilder& emit, const HloInstruction& hlo,
                       absl::Span<const DynamicArray> operands);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_CREATION_DYNAMIC_ARRAY_H_
