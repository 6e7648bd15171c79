// Runs each case of values/*.mlir on the evaluator: StableHLO text with inputs
// and expected values, in the format of tests/ops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/ops/op_cases.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/text/text_reader.h"
#include "xla/stablehlo/to_hlo/convert_module.h"

namespace xla::stablehlo {
namespace {

using test::OpCase;

std::vector<OpCase> AllCases() {
  const char* root = std::getenv("TESSERA_SRC");
  const std::filesystem::path folder =
      std::filesystem::path(root != nullptr ? root : ".") /
      "tests/stablehlo/to_hlo/values";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<OpCase> all;
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    const std::string contents(std::istreambuf_iterator<char>(file), {});
    auto cases = test::ParseOpCases(path.stem().string(), contents);
    CHECK(cases.ok()) << cases.status().message();
    for (OpCase& op_case : *cases) all.push_back(std::move(op_case));
  }
  return all;
}

absl::StatusOr<std::unique_ptr<HloModule>> Read(const OpCase& op_case) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<Module> module, ReadText(op_case.text));
  return ConvertToHlo(*module);
}

const std::vector<OpCase>& Cases() {
  static const auto* const kCases = new std::vector<OpCase>(AllCases());
  return *kCases;
}

class ValuesTest : public testing::TestWithParam<size_t> {};

TEST_P(ValuesTest, HasTheExpectedResult) {
  const OpCase& op_case = Cases()[GetParam()];
  const absl::Status status = test::RunOpCase(op_case, Read(op_case));
  EXPECT_TRUE(status.ok()) << op_case.name << ": " << status.message() << "\n"
                           << op_case.text;
}

INSTANTIATE_TEST_SUITE_P(Mlir, ValuesTest,
                         testing::Range(size_t{0}, Cases().size()),
                         [](const testing::TestParamInfo<size_t>& info) {
                           return Cases()[info.param].name;
                         });

}  // namespace
}  // namespace xla::stablehlo
