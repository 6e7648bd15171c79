// Arrays to the buffers of tiled layouts and back, as reshapes, transposes,
// pads and slices that other passes see as ordinary ops. Source: the tiled
// layout document.
#ifndef XLA_HLO_TRANSFORMS_LAYOUT_TILED_MEMORY_H_
#define XLA_HLO_TRANSFORMS_LAYOUT_TILED_MEMORY_H_

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {

// `array`, row-major, of the dimensions of `shape`, which has a layout: the
// elements of its buffer, a vector. Padding is zero, or what the layout's
// padding_value says. Errors: as Tiling::Create; Unimplemented for a
// padding_value that no array shows, where something is padded.
absl::StatusOr<HloInstruction*> ToTiledMemory(HloBuilder& emit,
                                              HloInstruction* array,
                                              const Shape& shape);

// The inverse: `memory` is such a vector.
absl::StatusOr<HloInstruction*> FromTiledMemory(HloBuilder& emit,
                                                HloInstruction* memory,
                                                const Shape& shape);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LAYOUT_TILED_MEMORY_H_
