// The cases of tests/ops/*.hlo: modules with arguments and expected results, or
// an expected error. README.md describes the format.
#ifndef TESTS_OPS_OP_CASES_H_
#define TESTS_OPS_OP_CASES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::test {

struct OpCase {
  std::string name;  // file stem and number: "pad_3"
  std::string text;  // the module's text
  std::string documented_in;
  int64_t replicas = 1;
  int64_t partitions = 1;
  double tolerance = 0;
  std::string error;  // a part of the message; empty if none is expected
  // One entry per device, or a single one for all of them.
  std::vector<std::vector<Literal>> arguments;
  std::vector<std::vector<Literal>> expected;
};

// Parses the cases of the file called `stem`. Errors: InvalidArgument for
// malformed directives.
absl::StatusOr<std::vector<OpCase>> ParseOpCases(absl::string_view stem,
                                                 absl::string_view contents);

// The .hlo files in tests/ops, sorted by stem, with their contents.
std::vector<std::pair<std::string, std::string>> OpFiles();

// Parses the module, compiles and runs it on a backend (client/compilers.h),
// and compares its results. Where the evaluator must be exact, other backends
// may differ by a few roundings of the type.
absl::Status RunOpCase(const OpCase& op_case,
                       absl::string_view backend = "evaluator");
// The same with the module, or the error, that another reader made from the
// text.
absl::Status RunOpCase(const OpCase& op_case,
                       absl::StatusOr<std::unique_ptr<HloModule>> module,
                       absl::string_view backend = "evaluator");

// Checks that the module's text and proto forms read back as the same text. OK
// for modules that do not parse.
absl::Status RoundTrip(const OpCase& op_case);

}  // namespace xla::test

#endif  // TESTS_OPS_OP_CASES_H_
