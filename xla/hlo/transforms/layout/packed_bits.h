// Converts arrays of types below 8 bits to bytes that hold several elements and
// back, with a bitcast-convert and reshapes that other passes see as ordinary
// ops.
#ifndef XLA_HLO_TRANSFORMS_LAYOUT_PACKED_BITS_H_
#define XLA_HLO_TRANSFORMS_LAYOUT_PACKED_BITS_H_

#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {

// The elements of `type`, which has 1, 2 or 4 bits, in a byte.
int64_t ElementsInByte(PrimitiveType type);

// Returns the bytes of `array`, U8, whose last dimension is divided by
// ElementsInByte, the first element of each byte in its lowest bits. The
// elements of the last dimension fill whole bytes.
HloInstruction* PackIntoBytes(HloBuilder& emit, HloInstruction* array);

// The inverse: returns the elements of `type` that `bytes` hold.
HloInstruction* UnpackBytes(HloBuilder& emit, HloInstruction* bytes,
                            PrimitiveType type);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LAYOUT_PACKED_BITS_H_
