// Conversions of runs of elements whose types are known only at run time, and
// the bits of types narrower than a byte. xla/base/convert_value.h converts
// single numbers.
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

// Returns the bits of one element: 1 to 128; PRED, stored as a byte, has 8.
int ElementBits(PrimitiveType type);

// Returns the number of high bits of an element's byte that are not part of its
// value.
int UnusedBits(PrimitiveType type);

// Normalizes bytes from outside to the form in which this library writes
// elements: unused bits 0 in types below 8 bits, 0 or 1 for PRED. Leaves other
// types alone.
void NormalizeElements(PrimitiveType type, void* data, int64_t count);

}  // namespace xla

#endif  // XLA_CORE_LITERAL_ELEMENT_CONVERT_H_
