// The memory of an array that programs take and return. The layout, with its
// tiles and padding, places the elements; types below 8 bits take a byte unless
// the layout packs them (IsBitPacked). Arrays with dynamic dimensions are
// followed by the size of each dimension, an int32 each. Ownership and
// readiness of the memory are left to the callers.
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

// Makes the layouts of `shape` pack static arrays of types below 8 bits, except
// PRED, where they do not state the width of elements. Each array has a layout.
void PackBits(Shape* shape);

// The shape of the copy that hosts and literals have of an array of `shape`:
// its elements take whole bytes.
Shape HostShape(const Shape& shape);

// The shape of the memory that clients of PJRT keep for `shape`, with packed
// bits: of each array's layout it keeps only what places the elements, and the
// memory space.
Shape MemoryShape(const Shape& shape);

// The size of an array's elements in bytes, with padding; 0 for a token.
// DeviceBufferBytes must accept the shape.
int64_t ElementsBytes(const Shape& shape);

// The size of the whole memory in bytes: elements, then dynamic sizes if there
// are any. 0 for a token. Errors: InvalidArgument for a tuple; those of
// LiteralBytes.
absl::StatusOr<int64_t> DeviceBufferBytes(const Shape& shape);

// Reads the sizes in the memory of a dynamic array of `shape`, one for each
// dimension. Errors: InvalidArgument for the first size that is out of bounds.
absl::StatusOr<DimensionVector> ReadDynamicSizes(const char* memory,
                                                 const Shape& shape);
void WriteDynamicSizes(absl::Span<const int64_t> sizes, const Shape& shape,
                       char* memory);

// Copies elements between memories of two shapes that differ only in layout.
// Bits beyond the last element of packed ones are zero. Errors: those of
// Relayout in core/layout.
absl::Status CopyElements(const char* src, const Shape& from, char* dst,
                          const Shape& to);

// Copies the array at `index` of a literal to memory of `shape`, which has
// DeviceBufferBytes(shape) bytes, and back. Errors: those of ReadDynamicSizes
// and CopyElements.
absl::Status StoreArray(const LiteralSlice& literal, const ShapeIndex& index,
                        const Shape& shape, char* memory);
absl::Status LoadArray(const char* memory, const Shape& shape,
                       const ShapeIndex& index, MutableLiteralBase& literal);

}  // namespace xla

#endif  // XLA_BACKENDS_ARRAY_MEMORY_H_
