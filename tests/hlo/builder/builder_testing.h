// Shared by the builder's tests: building, checking and running.
#ifndef TESTS_HLO_BUILDER_BUILDER_TESTING_H_
#define TESTS_HLO_BUILDER_BUILDER_TESTING_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Reads `computation` as a module from its proto and verifies it.
absl::StatusOr<std::unique_ptr<HloModule>> ReadAndVerify(
    const XlaComputation& computation);

// Builds, verifies and runs the builder's computation without arguments. On an
// error fails the test and returns the literal 0.
Literal BuildAndRun(XlaBuilder& builder);

// Returns the message of the first error, "" if there is none.
std::string ErrorOf(const XlaBuilder& builder);

// Returns the literal of an HLO text such as "f32[2] {1, 2}".
Literal ParseValue(absl::string_view text);
// Returns a constant of that value.
XlaOp ConstantOf(XlaBuilder* builder, absl::string_view text);

// (T[], T[]) -> T[].
XlaComputation ScalarAdd(PrimitiveType type = F32);
// (T[], T[]) -> pred[]: whether the first is less than the second.
XlaComputation ScalarLess(PrimitiveType type = F32);
// T -> T.
XlaComputation Identity(const Shape& shape);

}  // namespace xla

#endif  // TESTS_HLO_BUILDER_BUILDER_TESTING_H_
