// What the tests of the builder share: building, checking and running.
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

// `computation` as a module, read from its proto and verified.
absl::StatusOr<std::unique_ptr<HloModule>> ReadAndVerify(
    const XlaComputation& computation);

// The builder's computation, built, verified and run without arguments. A test
// failure, and the literal 0, where something fails.
Literal BuildAndRun(XlaBuilder& builder);

// The message of the first error, "" if there is none.
std::string ErrorOf(const XlaBuilder& builder);

// The literal of an HLO text such as "f32[2] {1, 2}".
Literal ParseValue(absl::string_view text);
// A constant of that value.
XlaOp ConstantOf(XlaBuilder* builder, absl::string_view text);

// (T[], T[]) -> T[].
XlaComputation ScalarAdd(PrimitiveType type = F32);
// (T[], T[]) -> pred[], the first one less than the second.
XlaComputation ScalarLess(PrimitiveType type = F32);
// T -> T.
XlaComputation Identity(const Shape& shape);

}  // namespace xla

#endif  // TESTS_HLO_BUILDER_BUILDER_TESTING_H_
