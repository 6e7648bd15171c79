// Runs each case of tests/ops/*.hlo on both backends, on the CPU also without
// optional passes, and converts each module to text and proto and back.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/ops/op_cases.h"
#include "xla/base/logging.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::test {
namespace {

std::vector<OpCase> AllCases() {
  std::vector<OpCase> all;
  for (const auto& [stem, contents] : OpFiles()) {
    auto cases = ParseOpCases(stem, contents);
    CHECK(cases.ok()) << cases.status().message();
    for (OpCase& op_case : *cases) all.push_back(std::move(op_case));
  }
  return all;
}

const std::vector<OpCase>& Cases() {
  static const auto* const kCases = new std::vector<OpCase>(AllCases());
  return *kCases;
}

TEST(OpFilesTest, EachOpHasOneWithCasesOfIt) {
  absl::flat_hash_set<std::string> found;
  for (const auto& [stem, contents] : OpFiles()) {
    if (absl::StrContains(contents, absl::StrCat(" ", stem, "("))) {
      found.insert(stem);
    }
  }
  for (const OpDef* op : OpTable()) {
    EXPECT_TRUE(found.contains(std::string(op->name)))
        << "tests/ops/" << op->name << ".hlo has no case of " << op->name;
  }
}

class OpsTest : public testing::TestWithParam<size_t> {};

TEST_P(OpsTest, HasTheExpectedResult) {
  const OpCase& op_case = Cases()[GetParam()];
  const absl::Status status = RunOpCase(op_case, "evaluator");
  EXPECT_TRUE(status.ok()) << op_case.name << ": " << status.message() << "\n"
                           << op_case.text;
}

TEST_P(OpsTest, HasTheExpectedResultAsNativeCode) {
  const OpCase& op_case = Cases()[GetParam()];
  const absl::Status status = RunOpCase(op_case, "cpu");
  EXPECT_TRUE(status.ok()) << op_case.name << ": " << status.message() << "\n"
                           << op_case.text;
}

TEST_P(OpsTest, HasTheExpectedResultWithoutOptionalPasses) {
  const OpCase& op_case = Cases()[GetParam()];
  auto module = ParseAndReturnUnverifiedModule(op_case.text);
  if (module.ok()) {
    (*module)
        ->mutable_config()
        .mutable_debug_options()
        .set_xla_disable_all_hlo_passes(true);
  }
  const absl::Status status = RunOpCase(op_case, std::move(module), "cpu");
  EXPECT_TRUE(status.ok()) << op_case.name << ": " << status.message() << "\n"
                           << op_case.text;
}

TEST_P(OpsTest, RoundTrips) {
  const OpCase& op_case = Cases()[GetParam()];
  const absl::Status status = RoundTrip(op_case);
  EXPECT_TRUE(status.ok()) << op_case.name << ": " << status.message();
}

INSTANTIATE_TEST_SUITE_P(Hlo, OpsTest,
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
