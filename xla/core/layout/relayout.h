// Copies raw array data from one layout to another. Positions come from
// tiling.h.
#ifndef XLA_CORE_LAYOUT_RELAYOUT_H_
#define XLA_CORE_LAYOUT_RELAYOUT_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"

namespace xla {

// Writes the elements of `src` from the layout of `from` to `dst` in the layout
// of `to`. The shapes are arrays of one element type and one size. Elements
// take their natural bytes, or as many bits as the layout says: a multiple of 8
// that holds the type, or 1, 2 or 4, packed with the first element in the
// lowest bits. The metadata prefix is not part of either buffer. Padding in
// `dst` gets the value that its layout's padding_value names, by default zero;
// lowest and highest are the infinities of types that have them. Buffers may
// not overlap. Errors: InvalidArgument for shapes that differ, bad layouts, and
// buffers smaller than PaddedByteSize; Unimplemented for other element sizes.
absl::Status Relayout(const Shape& from, absl::Span<const uint8_t> src,
                      const Shape& to, absl::Span<uint8_t> dst);
absl::Status Relayout(const Shape& from, const void* src, const Shape& to,
                      void* dst);
// Pads with `padding_value`, the natural bytes of one element.
absl::Status Relayout(const Shape& from, absl::Span<const uint8_t> src,
                      const Shape& to, absl::Span<uint8_t> dst,
                      absl::Span<const uint8_t> padding_value);

}  // namespace xla

#endif  // XLA_CORE_LAYOUT_RELAYOUT_H_
