// The memory of an array as programs take and give it. The elements lie where
// the layout puts them, tiles and padding included, types below 8 bits one a
// byte; those of an array with dynamic dimensions are followed by the size of
// each dimension, an int32 each. Whose memory it is, and when it is defined, is
// left to others.
#ifndef XLA_BACKENDS_ARRAY_MEMORY_H_
#define XLA_BACKENDS_ARRAY_MEMORY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"

namespace xla {

// The shape of the memory of `shape`: with of each array's layout what says
// where elements lie, and the memory space.
Shape MemoryShape(const Shape& shape);

// Bytes of the elements of an array, with padding; 0 for a token. The shape is
// one that DeviceBufferBytes accepts.
int64_t ElementsBytes(const Shape& shape);

// Bytes of all the memory: elements, then sizes where there are any. 0 for a
// token. Errors: InvalidArgument for a tuple; as LiteralBytes.
absl::StatusOr<int64_t> DeviceBufferBytes(const Shape& shape);

// The sizes in the memory of a dynamic array of `shape`, one for each
// dimension. Errors of the first: InvalidArgument for sizes out of bounds.
absl::StatusOr<DimensionVector> ReadDynamicSizes(const char* memory,
                                                 const Shape& shape);
void WriteDynamicSizes(absl::Span<const int64_t> sizes, const Shape& shape,
                       char* memory);

// Copies elements between memories of two shapes that differ in layout alone.
// Errors: as Relayout of core/layout.
absl::Status CopyElements(const char* src, const Shape& from, char* dst,
                          const Shape& to);

// Copies the array at `index` of a literal to DeviceBufferBytes(shape) of
// memory of `shape`, and back. Errors: as ReadDynamicSizes and CopyElements.
absl::Status StoreArray(const LiteralSlice& literal, const ShapeIndex& index,
                        const Shape& shape, char* memory);
absl::Status LoadArray(const char* memory, const Shape& shape,
                       const ShapeIndex& index, MutableLiteralBase& literal);

}  // namespace xla

#endif  // XLA_BACKENDS_ARRAY_MEMORY_H_
