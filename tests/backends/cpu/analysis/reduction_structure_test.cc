// Which instructions are computed row by row or column by column.
#include "xla/backends/cpu/analysis/reduction_structure.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ReductionStructureTest : public ::testing::Test {
 protected:
  // The structure of all of a computation; %x is f32[6,8], %zero is 0, and
  // there are reducers %add and %max.
  std::optional<ReductionStructure> Find(const std::string& body) {
    auto module = ParseAndReturnUnverifiedModule(absl::StrCat(R"(
HloModule m
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] maximum(a, b) }
ENTRY e {
  x = f32[6,8] parameter(0)
  zero = f32[] constant(0)
)",
                                                              body, "\n}"));
    EXPECT_TRUE(module.ok()) << module.status();
    if (!module.ok()) return std::nullopt;
    module_ = *std::move(module);
    const auto order = module_->entry_computation()->MakeInstructionPostOrder();
    const std::vector<const HloInstruction*> values(order.begin(), order.end());
    return FindReductionStructure(
        values, {module_->entry_computation()->root_instruction()});
  }

  std::unique_ptr<HloModule> module_;
};

constexpr char kSums[] = R"(
  s = f32[6] reduce(x, zero), dimensions={1}, to_apply=add
)";

TEST_F(ReductionStructureTest, RowsInLevels) {
  const auto found = Find(R"(
  m = f32[6] reduce(x, zero), dimensions={1}, to_apply=max
  mb = f32[6,8] broadcast(m), dimensions={0}
  d = f32[6,8] subtract(x, mb)
  late = f32[6] reduce(d, zero), dimensions={1}, to_apply=add
  t = f32[6] reduce(x, zero), dimensions={1}, to_apply=add
  l = f32[6] multiply(late, t)
  lb = f32[6,8] broadcast(l), dimensions={0}
  ROOT r = f32[6,8] multiply(d, lb))");
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->by_rows());
  EXPECT_THAT(found->outer_sizes, ElementsAre(6));
  EXPECT_THAT(found->reduced_sizes, ElementsAre(8));
  ASSERT_EQ(found->levels.size(), 2);
  EXPECT_EQ(found->levels[0].size(), 2);
  EXPECT_EQ(found->levels[1].size(), 1);
  EXPECT_EQ(found->levels[1][0]->name(), "late");
  EXPECT_FALSE(found->moves_in_rows);
}

TEST_F(ReductionStructureTest, ColumnsHaveOneLevel) {
  const auto found = Find(R"(
  s = f32[8] reduce(x, zero), dimensions={0}, to_apply=add
  ROOT r = f32[2,4] reshape(s))");
  ASSERT_TRUE(found.has_value());
  EXPECT_THAT(found->outer_sizes, IsEmpty());
  EXPECT_THAT(found->inner_sizes, ElementsAre(8));
  EXPECT_FALSE(Find(R"(
  s = f32[8] reduce(x, zero), dimensions={0}, to_apply=add
  b = f32[6,8] broadcast(s), dimensions={1}
  d = f32[6,8] subtract(x, b)
  ROOT r = f32[8] reduce(d, zero), dimensions={0}, to_apply=add)")
                   .has_value());
}

TEST_F(ReductionStructureTest, ResultsInOtherDimensions) {
  for (const char* op :
       {"f32[2,3] reshape(s)", "f32[1,6,1] broadcast(s), dimensions={1}",
        "f32[6] copy(s)"}) {
    EXPECT_TRUE(Find(absl::StrCat(kSums, "  ROOT r = ", op)).has_value()) << op;
  }
  for (const char* op :
       {"f32[6] reverse(s), dimensions={0}", "f32[4] slice(s), slice={[0:4]}",
        "f32[6,6] broadcast(s), dimensions={0}",
        "f32[7] pad(s, zero), padding=0_1",
        "f32[12] concatenate(s, s), dimensions={0}"}) {
    EXPECT_FALSE(Find(absl::StrCat(kSums, "  ROOT r = ", op)).has_value())
        << op;
  }
}

TEST_F(ReductionStructureTest, BroadcastsAlongRows) {
  const std::string matrix = absl::StrCat(kSums, "  v = f32[2,3] reshape(s)\n");
  EXPECT_TRUE(
      Find(absl::StrCat(kSums,
                        "  ROOT b = f32[6,8] broadcast(s), dimensions={0}"))
          .has_value());
  // By way of other dimensions.
  EXPECT_TRUE(
      Find(absl::StrCat(matrix,
                        "  b = f32[2,3,8] broadcast(v), dimensions={0,1}\n"
                        "  ROOT r = f32[6,8] reshape(b)"))
          .has_value());
  // Those of other rows.
  EXPECT_FALSE(
      Find(absl::StrCat(matrix,
                        "  b = f32[3,2,8] broadcast(v), dimensions={1,0}\n"
                        "  ROOT r = f32[6,8] reshape(b)"))
          .has_value());
  // As many rows as columns.
  EXPECT_FALSE(Find(R"(
  q = f32[8,8] parameter(1)
  s = f32[8] reduce(q, zero), dimensions={1}, to_apply=add
  ROOT b = f32[8,8] broadcast(s), dimensions={1})")
                   .has_value());
}

// An element of a row may depend on others of the row, as long as the row stays
// the same.
TEST_F(ReductionStructureTest, MovementInRows) {
  const std::string rows = absl::StrCat(kSums, R"(
  b = f32[6,8] broadcast(s), dimensions={0}
  d = f32[6,8] divide(x, b)
)");
  for (const char* ops : {"ROOT r = f32[6,8] reverse(d), dimensions={1}",
                          R"(h = f32[6,4] slice(d), slice={[0:6],[0:4]}
           g = f32[6,4] slice(d), slice={[0:6],[4:8]}
           n = f32[6,4] negate(g)
           ROOT r = f32[6,8] concatenate(n, h), dimensions={1})",
                          R"(p = f32[6,2,4] reshape(d)
           t = f32[6,4,2] transpose(p), dimensions={0,2,1}
           ROOT r = f32[6,8] reshape(t))",
                          R"(p = f32[6,2,4] reshape(d)
           t = f32[6,4] reduce(p, zero), dimensions={1}, to_apply=add
           ROOT r = f32[6,8] concatenate(t, t), dimensions={1})",
                          R"(p = f32[6,1] slice(d), slice={[0:6],[3:4]}
           ROOT r = f32[6] reshape(p))"}) {
    const auto found = Find(absl::StrCat(rows, ops));
    EXPECT_TRUE(found.has_value()) << ops;
    if (!found.has_value()) continue;
    EXPECT_EQ(found->levels.size(), 1);
    EXPECT_TRUE(found->moves_in_rows) << ops;
  }
  for (const char* ops :
       {"ROOT r = f32[6,8] reverse(d), dimensions={0}",
        // Roots have the dimensions of operands, or an element for each row.
        "ROOT r = f32[6,2,4] reshape(d)",
        "ROOT r = f32[6,4] slice(d), slice={[0:6],[0:4]}",
        R"(p = f32[2,3,8] reshape(d)
           t = f32[3,2,8] transpose(p), dimensions={1,0,2}
           ROOT r = f32[6,8] reshape(t))",
        // The reductions differ in what a row is.
        R"(t = f32[8,6] transpose(d), dimensions={1,0}
           ROOT r = f32[8] reduce(t, zero), dimensions={1}, to_apply=add)"}) {
    EXPECT_FALSE(Find(absl::StrCat(rows, ops)).has_value()) << ops;
  }
}

// What does not depend on reductions may be anything.
TEST_F(ReductionStructureTest, OperandsFromElsewhere) {
  EXPECT_TRUE(Find(R"(
  q = f32[8,6] parameter(1)
  t = f32[6,8] transpose(q), dimensions={1,0}
  v = f32[6,8] reverse(x), dimensions={0}
  a = f32[6,8] add(t, v)
  s = f32[6] reduce(a, zero), dimensions={1}, to_apply=add
  b = f32[6,8] broadcast(s), dimensions={0}
  ROOT r = f32[6,8] multiply(b, v))")
                  .has_value());
}

// All elements are one row.
TEST_F(ReductionStructureTest, OneResult) {
  EXPECT_TRUE(Find(R"(
  s = f32[] reduce(x, zero), dimensions={0,1}, to_apply=add
  m = f32[] reduce(x, s), dimensions={0,1}, to_apply=max
  b = f32[8,6] broadcast(m), dimensions={}
  ROOT r = f32[6,8] transpose(b), dimensions={1,0})")
                  .has_value());
  // The index operand of a slice is not read element by element.
  EXPECT_FALSE(Find(R"(
  s = f32[] reduce(x, zero), dimensions={0,1}, to_apply=add
  i = s32[] convert(s)
  ROOT r = f32[1,1] dynamic-slice(x, i, i), dynamic_slice_sizes={1,1})")
                   .has_value());
}

}  // namespace
}  // namespace xla::cpu
