// Copies between arrays in the host's memory whose strides are in bytes, and
// checks of such strides.
#ifndef XLA_CAPI_STRIDES_H_
#define XLA_CAPI_STRIDES_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/core/dimension_vector.h"

namespace xla::capi {

// Of an array in row-major order without gaps.
DimensionVector RowMajorStrides(absl::Span<const int64_t> sizes, int width);

// Copies a box of elements of `width` bytes. Strides are in bytes, and need not
// be multiples of the width.
void CopyStrided(int width, absl::Span<const int64_t> sizes, const void* src,
                 absl::Span<const int64_t> src_strides, void* dst,
                 absl::Span<const int64_t> dst_strides);

// Errors: InvalidArgument unless each element is inside the `size` bytes that
// begin with the first element and, as far as the order of the strides tells,
// apart from the others: each stride is at least the extent of what has smaller
// strides.
absl::Status CheckDestination(int width, absl::Span<const int64_t> sizes,
                              absl::Span<const int64_t> strides, size_t size);

}  // namespace xla::capi

#endif  // XLA_CAPI_STRIDES_H_
