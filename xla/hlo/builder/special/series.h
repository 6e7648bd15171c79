// What the special functions share: promotion of types, polynomials and
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

// `function` of the arguments, made F32 or F64 arrays of one shape, converted
// back to their type. Errors, kept in the builder: math_c1 where the types are
// not floating point and equal, math_c2 where shapes differ.
XlaOp Apply(absl::string_view name, absl::Span<const XlaOp> arguments,
            Function function);

// The same for functions that need no promotion: only checks the type.
XlaOp ApplyToFloats(absl::string_view name, XlaOp x, Function function);

// Below, ops are F32 or F64; results have their shape.

// A scalar.
XlaOp Real(XlaOp like, double value);
// An array of NaN or infinity.
XlaOp NanLike(XlaOp x);
XlaOp InfinityLike(XlaOp x);
// Epsilon of the op's type: 2^-23 or 2^-52.
double EpsilonLike(XlaOp x);

// c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule.
XlaOp Polynomial(XlaOp x, absl::Span<const double> c);
// c[0] T0(x) + c[1] T1(x) + ... for |x| <= 1, by Clenshaw's recurrence, without
// the last terms if they are below the type's precision. Source: DLMF 3.11(ii).
XlaOp Chebyshev(XlaOp x, absl::Span<const double> c);

// sin(pi x), reduced exactly. Zero at integers.
XlaOp SinPi(XlaOp x);
// Whether x is 0, -1, -2, ...: the poles of gamma.
XlaOp IsPole(XlaOp x);

}  // namespace xla::special

#endif  // XLA_HLO_BUILDER_SPECIAL_SERIES_H_
