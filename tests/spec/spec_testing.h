// What the tests of worked examples share: values from text, programs built
// with XlaBuilder, verified and run on one or more devices.
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

// An array of four rows, of which the document takes slices.
inline constexpr absl::string_view kRows =
    "f32[4,3] {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}}";

// The literal of an HLO text such as "f32[2] {1, 2}".
Literal Value(absl::string_view text);
// The same as BuildAndRun prints it.
std::string Text(absl::string_view text);
XlaOp Constant(XlaBuilder& builder, absl::string_view text);

// F32: first, first + 1, ... in row-major order.
Literal Counting(absl::Span<const int64_t> dimensions, float first = 0);
// F32: f of the index of each element.
Literal Filled(absl::Span<const int64_t> dimensions,
               const std::function<double(absl::Span<const int64_t>)>& f);
// All indices of an array, in row-major order.
std::vector<std::vector<int64_t>> Indices(absl::Span<const int64_t> dimensions);

// Builds, verifies and runs without arguments: the result. A failure of the
// test, and s32[] 0, where something fails.
Literal RunToLiteral(XlaBuilder& builder);
// The same as text, or the error.
std::string BuildAndRun(XlaBuilder& builder);
// The results on each device; one text, the error, where something fails.
std::vector<std::string> RunOnDevices(XlaBuilder& builder,
                                      const ReplicatedOptions& options);
std::vector<std::string> RunOnReplicas(XlaBuilder& builder, int64_t replicas);

// {{0, 2}, {1, 3}} as the builder takes it.
std::vector<ReplicaGroup> Groups(
    const std::vector<std::vector<int64_t>>& groups);

}  // namespace xla::spec

#endif  // TESTS_SPEC_SPEC_TESTING_H_
