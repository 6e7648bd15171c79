// Shared by the evaluator's tests: makes verified modules from text, and text
// from results.
#ifndef TESTS_HLO_EVALUATOR_EVALUATOR_TEST_BASE_H_
#define TESTS_HLO_EVALUATOR_EVALUATOR_TEST_BASE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/replicated.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {

// Returns a verified module; fails the test and returns null if it is invalid.
inline std::unique_ptr<HloModule> ParseModule(absl::string_view text) {
  auto module = ParseAndReturnUnverifiedModule(text);
  if (!module.ok()) {
    ADD_FAILURE() << module.status();
    return nullptr;
  }
  const absl::Status verified = HloVerifier().Verify(**module);
  if (!verified.ok()) {
    ADD_FAILURE() << verified;
    return nullptr;
  }
  return *std::move(module);
}

// Returns "f32[2] {1, 2}", or the error.
inline std::string Text(const absl::StatusOr<Literal>& literal) {
  return literal.ok() ? literal->ToStringOneline()
                      : std::string(literal.status().message());
}

// Returns the results of a module without parameters on every device, or the
// error.
inline std::vector<std::string> RunDevices(absl::string_view text,
                                           const ReplicatedOptions& options) {
  std::unique_ptr<HloModule> module = ParseModule(text);
  if (module == nullptr) return {};
  std::vector<std::vector<const Literal*>> arguments(options.num_replicas *
                                                     options.num_partitions);
  absl::StatusOr<std::vector<Literal>> results =
      EvaluateReplicated(*module, arguments, options);
  if (!results.ok()) return {std::string(results.status().message())};
  std::vector<std::string> texts;
  for (const Literal& result : *results) {
    texts.push_back(result.ToStringOneline());
  }
  return texts;
}

inline ReplicatedOptions Devices(int64_t replicas, int64_t partitions = 1) {
  ReplicatedOptions options;
  options.num_replicas = replicas;
  options.num_partitions = partitions;
  return options;
}

}  // namespace xla

#endif  // TESTS_HLO_EVALUATOR_EVALUATOR_TEST_BASE_H_
