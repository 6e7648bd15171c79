// Literals as NumPy files: .npy for one array, .npz for several by name. Works
// on bytes in memory; callers open files. Source: NumPy's documentation of the
// npy format, versions 1 to 3.
#ifndef XLA_CORE_LITERAL_LITERAL_IO_H_
#define XLA_CORE_LITERAL_LITERAL_IO_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"

namespace xla {

using NamedLiteral = std::pair<std::string, Literal>;

// Returns the array in the .npy file `bytes`. If `expected` is given,
// dimensions and type must match it, and the result has its layout; otherwise
// the result is row-major. Files hold types that NumPy lacks as raw bytes,
// which `expected` interprets: V2 is BF16 (also without `expected`), V1 an
// 8-bit float, a 4- or 6-bit float or a small integer, one per byte. Small
// integers may also be i1 or u1. f1, ml_dtypes' name, is F8E5M2. Big-endian
// elements are swapped. Errors: InvalidArgument for files that are truncated or
// not in the format, types that literals lack, raw bytes without `expected`,
// values that a small type cannot hold, a shape or type other than expected;
// ResourceExhausted.
absl::StatusOr<Literal> ReadNpy(absl::string_view bytes,
                                const Shape* expected = nullptr);

// `literal` must be an array. BF16 is |V2; 8-bit and smaller floats are |V1;
// integers below 8 bits are |i1 and |u1. Dynamic arrays are written with their
// present sizes.
std::string WriteNpy(const LiteralSlice& literal);

// Returns the arrays of the .npz archive `bytes`, in its order, their names
// without ".npy". `expected_shape` returns the shape that an array is expected
// to have, or null. Errors: as ReadNpy, with the name; InvalidArgument for bad
// archives.
absl::StatusOr<std::vector<NamedLiteral>> ReadNpz(
    absl::string_view bytes,
    absl::FunctionRef<const Shape*(absl::string_view name)> expected_shape =
        [](absl::string_view) -> const Shape* { return nullptr; });

// Returns an uncompressed archive, the same bytes for the same arrays. Errors:
// InvalidArgument for repeated names; Internal from the zip library.
absl::StatusOr<std::string> WriteNpz(
    absl::Span<const std::pair<std::string, LiteralSlice>> arrays);
absl::StatusOr<std::string> WriteNpz(absl::Span<const NamedLiteral> arrays);

}  // namespace xla

#endif  // XLA_CORE_LITERAL_LITERAL_IO_H_
