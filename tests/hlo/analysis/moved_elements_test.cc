// Tests from where ops that only move elements take them.
#include "xla/hlo/analysis/indexing/moved_elements.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Optional;

// Returns the permutation of `op`, the text of an instruction with operand %x.
std::optional<std::vector<int64_t>> Permutation(const std::string& shape,
                                                const std::string& op) {
  auto module = ParseAndReturnUnverifiedModule(
      absl::StrCat("HloModule m\nENTRY e {\n  x = ", shape,
                   " parameter(0)\n  ROOT r = ", op, "\n}"));
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return std::nullopt;
  return PermutationOf(*(*module)->entry_computation()->root_instruction());
}

TEST(PermutationOfTest, Transposes) {
  // Dimension 0 of x is dimension 1 of the result, and so on.
  EXPECT_THAT(
      Permutation("f32[2,3,4]", "f32[4,2,3] transpose(x), dimensions={2,0,1}"),
      Optional(ElementsAre(1, 2, 0)));
  EXPECT_THAT(
      Permutation("f32[2,3]", "f32[3,2] broadcast(x), dimensions={1,0}"),
      Optional(ElementsAre(1, 0)));
}

TEST(PermutationOfTest, DimensionsOfOneElementAreNoneOfTheResult) {
  EXPECT_THAT(Permutation("f32[2,1,4]", "f32[2,4] reshape(x)"),
              Optional(ElementsAre(0, -1, 1)));
}

TEST(PermutationOfTest, OtherMovement) {
  EXPECT_THAT(Permutation("f32[6,4]", "f32[4,6] reshape(x)"), Eq(std::nullopt));
  EXPECT_THAT(Permutation("f32[6,4]", "f32[6,4] reverse(x), dimensions={0}"),
              Eq(std::nullopt));
  EXPECT_THAT(Permutation("f32[6]", "f32[4] slice(x), slice={[0:4]}"),
              Eq(std::nullopt));
  EXPECT_THAT(Permutation("f32[6]", "f32[6,2] broadcast(x), dimensions={0}"),
              Eq(std::nullopt));
  EXPECT_THAT(Permutation("f32[6]", "f32[6] negate(x)"), Eq(std::nullopt));
}

}  // namespace
}  // namespace xla
