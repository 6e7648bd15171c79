// HLO converted to StableHLO text and back has the same results, for each case
// of tests/ops/*.hlo.
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/ops/op_cases.h"
#include "xla/base/logging.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/verifier/hlo_verifier.h"
#include "xla/stablehlo/from_hlo/print_module.h"
#include "xla/stablehlo/stablehlo.h"

namespace xla::test {
namespace {

std::vector<OpCase> GoodCases() {
  std::vector<OpCase> good;
  for (const auto& [stem, contents] : OpFiles()) {
    auto cases = ParseOpCases(stem, contents);
    CHECK(cases.ok()) << cases.status().message();
    for (OpCase& op_case : *cases) {
      if (op_case.error.empty()) good.push_back(std::move(op_case));
    }
  }
  return good;
}

const std::vector<OpCase>& Cases() {
  static const auto* const kCases = new std::vector<OpCase>(GoodCases());
  return *kCases;
}

class RoundTripTest : public testing::TestWithParam<size_t> {};

TEST_P(RoundTripTest, ThroughStablehlo) {
  const OpCase& op_case = Cases()[GetParam()];
  auto module = ParseAndReturnUnverifiedModule(op_case.text);
  ASSERT_TRUE(module.ok()) << module.status();
  ASSERT_TRUE(HloVerifier().Verify(**module).ok());
  (*module)->mutable_config().set_replica_count(op_case.replicas);
  (*module)->mutable_config().set_num_partitions(op_case.partitions);
  const auto text = stablehlo::PrintStablehlo(**module);
  if (absl::IsUnimplemented(text.status())) {
    GTEST_SKIP() << text.status().message();
  }
  ASSERT_TRUE(text.ok()) << text.status();
  auto again = stablehlo::ReadModule(*text);
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << *text;
  const absl::Status status = RunOpCase(op_case, std::move(again));
  EXPECT_TRUE(status.ok()) << status.message() << "\n"
                           << op_case.text << "\n"
                           << *text;
}

INSTANTIATE_TEST_SUITE_P(Ops, RoundTripTest,
                         testing::Range(size_t{0}, Cases().size()),
                         [](const testing::TestParamInfo<size_t>& info) {
                           std::string name = Cases()[info.param].name;
                           for (char& c : name) {
                             if (c == '-') c = '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace xla::test
