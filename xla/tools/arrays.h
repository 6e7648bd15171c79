// Arguments and results of a program as named arrays: arg0, arg1, ... and out0,
// out1, ..., with tuples flattened; r2_arg0 is for replica 2 only.
#ifndef XLA_TOOLS_ARRAYS_H_
#define XLA_TOOLS_ARRAYS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/literal/comparison/error_spec.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_io.h"
#include "xla/core/shape.h"

namespace xla::tools {

// The shapes of the arrays in `shapes`, with tuples flattened in order.
std::vector<Shape> ArrayShapes(absl::Span<const Shape> shapes);

// Reads the arguments of each of `replicas` devices, one per shape in
// `parameters`, from the arrays arg<i> in the bytes of a .npz file; r<k>_arg<i>
// takes precedence for replica k. Errors: NotFound for a missing array,
// InvalidArgument for an array of another shape or type.
absl::StatusOr<std::vector<std::vector<Literal>>> ArgumentsFromNpz(
    absl::string_view npz, absl::Span<const Shape> parameters,
    int64_t replicas);

// Random arguments: floating-point elements are normally distributed, integers
// uniform in [-10, 10] ([0, 10] if unsigned), pred uniform. The same seed gives
// the same arguments on every machine. Errors: Unimplemented for opaque
// parameters.
absl::StatusOr<std::vector<std::vector<Literal>>> RandomArguments(
    absl::Span<const Shape> parameters, int64_t replicas, uint64_t seed);

// Results with their names in .npz files: out<i>, or r<k>_out<i> if there are
// several replicas.
std::vector<NamedLiteral> NamedResults(absl::Span<const Literal> results);

// Compares results with the arrays out<i> or r<k>_out<i> of a .npz file: within
// `error` if floating-point (null: a default by type), else exactly. The
// returned error lists each result that differs, with its worst elements.
absl::Status CompareResults(absl::Span<const Literal> results,
                            absl::string_view npz, const ErrorSpec* error);

// The default error bound of results of `type`.
ErrorSpec DefaultError(PrimitiveType type);

// Prints "out0: f32[2,2] {...}" with large arrays abridged.
std::string PrintResults(absl::Span<const Literal> results);

}  // namespace xla::tools

#endif  // XLA_TOOLS_ARRAYS_H_
