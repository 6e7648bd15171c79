// Builds and verifies a module for each row.
#include "tests/hlo/builder/shape_rows.h"

#include <memory>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/builder/builder_testing.h"
#include "tests/hlo/rule_matcher.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

std::string ResultOf(const ShapeRow& row, bool remove_dynamic_dimensions) {
  XlaBuilder b(row.name);
  Ops operands;
  for (const std::string& text : row.operands) {
    operands.push_back(
        text == "token[]" ? CreateToken(&b)
                          : Parameter(&b, operands.size(),
                                      *ShapeUtil::ParseShapeString(text), "p"));
  }
  const XlaOp root = row.make(b, operands);
  if (!b.first_error().ok()) return ErrorOf(b);
  absl::StatusOr<XlaComputation> built =
      b.Build(root, remove_dynamic_dimensions);
  if (!built.ok()) return std::string(built.status().message());
  absl::StatusOr<std::unique_ptr<HloModule>> module = ReadAndVerify(*built);
  if (!module.ok()) return std::string(module.status().message());
  return (*module)->entry_computation()->root_instruction()->shape().ToString();
}

void ExpectShapes(const std::vector<ShapeRow>& rows) {
  for (const ShapeRow& row : rows)
    EXPECT_EQ(ResultOf(row), row.expected) << row.name;
}

void ExpectErrors(const std::vector<ShapeRow>& rows) {
  for (const ShapeRow& row : rows) {
    const std::string error = ResultOf(row);
    EXPECT_THAT(error, testing::HasSubstr(row.expected)) << row.name;
    const size_t label = row.expected.rfind('(') + 1;
    if (label > 0 && absl::EndsWith(row.expected, ")")) {
      EXPECT_THAT(error, BreaksRule(row.expected.substr(
                             label, row.expected.size() - 1 - label)))
          << row.name;
    }
  }
}

}  // namespace xla
