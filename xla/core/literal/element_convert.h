// Conversions of runs of elements whose types are known at run time only, and
// the bits of types below a byte. Single numbers: xla/base/convert_value.h.
#ifndef XLA_CORE_LITERAL_ELEMENT_CONVERT_H_
#define XLA_CORE_LITERAL_ELEMENT_CONVERT_H_

#include <cstdint>

#include "xla/proto/xla_data.pb.h"

namespace xla {

// Converts `count` elements as ConvertValue does. Goes through int64, uint64
// or double, which hold every element exactly, so that each result is rounded
// once. `src` and `dst` do not overlap; both types have elements.
void ConvertElements(PrimitiveType from, const void* src, PrimitiveType to,
                     void* dst, int64_t count);

// Bits that one element means: 1 to 128; PRED, stored as a byte, has 8.
int ElementBits(PrimitiveType type);

// Rewrites bytes that came from elsewhere as this library writes elements:
// unused bits 0 in types below 8 bits, 0 or 1 for PRED. Leaves other types
// alone.
void NormalizeElements(PrimitiveType type, void* data, int64_t count);

}  // namespace xla

#endif  // XLA_CORE_LITERAL_ELEMENT_CONVERT_H_
