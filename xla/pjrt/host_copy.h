// Copies between host memory with any strides and the memory of buffers.
#ifndef XLA_PJRT_HOST_COPY_H_
#define XLA_PJRT_HOST_COPY_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/core/layout.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"

namespace xla {

// True if memory with these byte strides (row-major if unset) is that of a
// dense array of `shape`, so that it can be used or copied as it is.
bool IsDense(const Shape& shape,
             std::optional<absl::Span<const int64_t>> byte_strides);

// Copies elements from `src`, which points to element 0, to `dst`, the memory
// of `shape`. Strides may have any sign, be 0, and need not be multiples of the
// element size. Errors: those of CopyElements in array_memory.h.
absl::Status CopyFromHost(const void* src,
                          std::optional<absl::Span<const int64_t>> byte_strides,
                          const Shape& shape, char* dst);
// Copies the elements of `src`, the memory of `shape`, to `dst` in `layout`.
// Errors: those of CopyElements.
absl::Status CopyToHost(const char* src, const Shape& shape,
                        const Layout& layout, void* dst);

// Copies an array, in any layout, to the memory of a buffer and back. Errors:
// InvalidArgument if the shapes are not compatible.
absl::Status CopyFromLiteral(const LiteralSlice& literal, const Shape& shape,
                             char* dst);
absl::Status CopyToLiteral(const char* src, const Shape& shape,
                           MutableLiteralBase& literal);

}  // namespace xla

#endif  // XLA_PJRT_HOST_COPY_H_
