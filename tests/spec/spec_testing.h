// Shared by the tests of worked examples: makes values from text, and builds,
// verifies and runs XlaBuilder programs on one or more devices.
#ifndef TESTS_SPEC_SPEC_TESTING_H_
#define TESTS_SPEC_SPEC_TESTING_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/evaluator/replicated.h"

namespace xla::spec {

// An array of four rows that the document slices.
inline constexpr absl::string_view kRows =
    "f32[4,3] {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}}";

// Returns the literal of an HLO text such as "f32[2] {1, 2}".
Literal Value(absl::string_view text);
// Returns the same as BuildAndRun prints it.
std::string Text(absl::string_view text);
XlaOp Constant(XlaBuilder& builder, absl::string_view text);

// Returns F32 first, first + 1, ... in row-major order.
Literal Counting(absl::Span<const int64_t> dimensions, float first = 0);
// Returns F32 elements f(index).
Literal Filled(absl::Span<const int64_t> dimensions,
               const std::function<double(absl::Span<const int64_t>)>& f);
// Returns all indices of an array, in row-major order.
std::vector<std::vector<int64_t>> Indices(absl::Span<const int64_t> dimensions);

// Builds, verifies and runs without arguments. On an error fails the test and
// returns s32[] 0.
Literal RunToLiteral(XlaBuilder& builder);
// Returns the same as text, or the error.
std::string BuildAndRun(XlaBuilder& builder);
// Returns the results on each device, or a single text, the error.
std::vector<std::string> RunOnDevices(XlaBuilder& builder,
                                      const ReplicatedOptions& options);
std::vector<std::string> RunOnReplicas(XlaBuilder& builder, int64_t replicas);

// Returns {{0, 2}, {1, 3}} in the form that the builder takes.
std::vector<ReplicaGroup> Groups(
    const std::vector<std::vector<int64_t>>& groups);

}  // namespace xla::spec

#endif  // TESTS_SPEC_SPEC_TESTING_H_
