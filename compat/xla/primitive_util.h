// primitive_util: XLA's header, with the packing of elements narrower than a
// byte.
#ifndef COMPAT_XLA_PRIMITIVE_UTIL_H_
#define COMPAT_XLA_PRIMITIVE_UTIL_H_

#include "absl/types/span.h"
#include "xla/core/primitive_util.h"  // IWYU pragma: export
#include "xla/types.h"                // IWYU pragma: export
#include "xla/util.h"                 // IWYU pragma: export
#include "xla/util/bits.h"

namespace xla::primitive_util {

// As xla::PackIntN and UnpackIntN, with the width of the type; types of 8 bits
// and more are a programmer error.
inline void PackIntN(PrimitiveType input_type, absl::Span<const char> input,
                     absl::Span<char> output) {
  xla::PackIntN(BitWidth(input_type), input, output);
}
inline void UnpackIntN(PrimitiveType input_type, absl::Span<const char> input,
                       absl::Span<char> output) {
  xla::UnpackIntN(BitWidth(input_type), input, output);
}

}  // namespace xla::primitive_util

#endif  // COMPAT_XLA_PRIMITIVE_UTIL_H_
