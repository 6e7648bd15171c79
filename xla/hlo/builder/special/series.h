// Shared by the special functions: promotion of types, polynomials and
// Chebyshev series of an op, constants of its type.
#ifndef XLA_HLO_BUILDER_SPECIAL_SERIES_H_
#define XLA_HLO_BUILDER_SPECIAL_SERIES_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla::special {

using Function =
    absl::FunctionRef<absl::StatusOr<XlaOp>(absl::Span<const XlaOp>)>;

// Applies `function` to the arguments, converted to F32 or F64 arrays of the
// same shape, and converts the result back to their type. Errors, which the
// builder keeps: math_c1 if the types are not floating point or differ, math_c2
// if shapes differ.
XlaOp Apply(absl::string_view name, absl::Span<const XlaOp> arguments,
            Function function);

// Like Apply, for functions that need no promotion: only checks the type.
XlaOp ApplyToFloats(absl::string_view name, XlaOp x, Function function);

// The ops below are F32 or F64; results have their shape.

// Returns a scalar.
XlaOp Real(XlaOp like, double value);
// Return an array of NaN or infinity.
XlaOp NanLike(XlaOp x);
XlaOp InfinityLike(XlaOp x);
// Returns the machine epsilon of the op's type: 2^-23 or 2^-52.
double EpsilonLike(XlaOp x);

// Returns c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule.
XlaOp Polynomial(XlaOp x, absl::Span<const double> c);
// Returns c[0] T0(x) + c[1] T1(x) + ... for |x| <= 1, by Clenshaw's recurrence.
// Omits the last terms if they are below the type's precision. Source: DLMF
// 3.11(ii).
XlaOp Chebyshev(XlaOp x, absl::Span<const double> c);

// Returns sin(pi x), reduced exactly. Zero at integers.
XlaOp SinPi(XlaOp x);
// Returns whether x is 0, -1, -2, ...: the poles of gamma.
XlaOp IsPole(XlaOp x);

}  // namespace xla::special

#endif  // XLA_HLO_BUILDER_SPECIAL_SERIES_H_
