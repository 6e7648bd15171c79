// Shared by the tests of the builder's library: builds an op, runs it on the
// evaluator, and compares.
#ifndef TESTS_HLO_BUILDER_LIB_EVALUATE_H_
#define TESTS_HLO_BUILDER_LIB_EVALUATE_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// Makes the root from the parameters, which are the arguments.
using Maker = std::function<XlaOp(XlaBuilder*, absl::Span<const XlaOp>)>;

// Returns the result, or the error of building or running it.
absl::StatusOr<Literal> RunOp(const Maker& make,
                              absl::Span<const Literal> arguments = {});

// Returns the literal as text without its shape, "{1, 2}", or the error.
std::string RunToText(const Maker& make,
                      absl::Span<const Literal> arguments = {});

// Expects elements within `tolerance`, absolute and relative to the expected
// ones.
void ExpectNear(const absl::StatusOr<Literal>& actual, const Literal& expected,
                double tolerance);

// Expects an error that names the rule, "(matrix_c1)".
void ExpectBreaks(absl::string_view rule, const Maker& make,
                  absl::Span<const Literal> arguments = {});

// Returns normally distributed numbers [dims...]; the same for the same seed.
Literal RandomLiteral(PrimitiveType type, absl::Span<const int64_t> dims,
                      int seed = 0);

}  // namespace xla

#endif  // TESTS_HLO_BUILDER_LIB_EVALUATE_H_
