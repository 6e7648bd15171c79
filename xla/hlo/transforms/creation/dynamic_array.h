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

// `data` has the bounds as its sizes. Elements beyond `sizes` are arbitrary.
struct DynamicArray {
  HloInstruction* data = nullptr;
  // For each dimension an s32[] in [0, bound]; null if it is the bound.
  std::vector<HloInstruction*> sizes;

  bool IsDynamic(int64_t d) const { return sizes[d] != nullptr; }
  bool IsStatic() const;
};

// Returns `data` as an array of `shape`. A dimension that is static there is
// static; a dynamic one whose entry in `sizes` is missing or null is full.
DynamicArray WithSizes(HloBuilder& emit, HloInstruction* data,
                       const Shape& shape, std::vector<HloInstruction*> sizes);
// Returns a static array of `data`.
DynamicArray StaticArray(HloInstruction* data);
// Returns the size of dimension `d`, a constant if it is static.
HloInstruction* SizeOf(HloBuilder& emit, const DynamicArray& array, int64_t d);
// Clamps `size` to [0, bound].
HloInstruction* ClampSize(HloBuilder& emit, HloInstruction* size,
                          int64_t bound);
// Returns pred[bounds]: whether an element is within the sizes of the
// dimensions. Returns null if these are static.
HloInstruction* WithinSizes(HloBuilder& emit, const DynamicArray& array,
                            absl::Span<const int64_t> dimensions);
// Returns the data with elements beyond the sizes replaced by `fill`, a scalar.
HloInstruction* FillBeyond(HloBuilder& emit, const DynamicArray& array,
                           absl::Span<const int64_t> dimensions,
                           HloInstruction* fill);
std::vector<int64_t> AllDimensions(const DynamicArray& array);
// Applies `hlo` to the data alone, in static shapes.
HloInstruction* OnData(HloBuilder& emit, const HloInstruction& hlo,
                       absl::Span<const DynamicArray> operands);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_CREATION_DYNAMIC_ARRAY_H_
