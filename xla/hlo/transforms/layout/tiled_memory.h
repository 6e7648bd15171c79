// Converts arrays to the buffers of tiled layouts and back, with reshapes,
// transposes, pads and slices that other passes see as ordinary ops. Source:
// the tiled layout document.
#ifndef XLA_HLO_TRANSFORMS_LAYOUT_TILED_MEMORY_H_
#define XLA_HLO_TRANSFORMS_LAYOUT_TILED_MEMORY_H_

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {

// Returns the elements of the buffer, as a vector, for a row-major `array` with
// the dimensions of `shape`, which has a layout. Padding is zero, or the value
// of the layout's padding_value. Errors: as Tiling::Create; Unimplemented for a
// padding_value that no element represents, if there is padding.
absl::StatusOr<HloInstruction*> ToTiledMemory(HloBuilder& emit,
                                              HloInstruction* array,
                                              const Shape& shape);

// The inverse: `memory` is such a vector.
absl::StatusOr<HloInstruction*> FromTiledMemory(HloBuilder& emit,
                                                HloInstruction* memory,
                                                const Shape& shape);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LAYOUT_TILED_MEMORY_H_
