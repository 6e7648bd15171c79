// Which ops keep elements in their rows, or at their linear index; held against
// the index relations of the ops, element by element.
#include "xla/hlo/analysis/indexing/row_indexing.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "xla/base/checked_math.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

// The root of a program with the parameters %p0, %p1, ... and a reducer %add.
std::unique_ptr<HloModule> Parse(const std::vector<std::string>& parameters,
                                 const std::string& op) {
  std::string text =
      "HloModule m\nadd { x = f32[] parameter(0)\n y = f32[] parameter(1)\n"
      " ROOT s = f32[] add(x, y) }\nENTRY e {\n";
  for (size_t i = 0; i < parameters.size(); ++i) {
    absl::StrAppend(&text, "  p", i, " = ", parameters[i], " parameter(", i,
                    ")\n");
  }
  auto module = ParseAndReturnUnverifiedModule(
      absl::StrCat(text, "  ROOT r = ", op, "\n}"));
  EXPECT_TRUE(module.ok()) << module.status();
  return module.ok() ? *std::move(module) : nullptr;
}

int64_t LinearIndex(absl::Span<const int64_t> index,
                    absl::Span<const int64_t> sizes) {
  int64_t linear = 0;
  for (size_t d = 0; d < sizes.size(); ++d)
    linear = linear * sizes[d] + index[d];
  return linear;
}

// Whether each element of the result finds elements of operand 0 in its own row
// alone, for all values that runtime variables may have.
bool StaysInRows(const HloInstruction& user, int64_t rows) {
  const auto sizes = user.shape().dimensions();
  const auto from = user.operand(0)->shape().dimensions();
  const int64_t length = Product(sizes) / rows;
  const int64_t read_length = Product(from) / rows;
  bool stays = true;
  const std::optional<OpIndexing> indexing = IndexingOf(user);
  for (const OperandIndexing& read : indexing->reads) {
    if (read.operand != 0) continue;
    std::vector<int64_t> values;
    std::function<void()> visit = [&] {
      if (values.size() < read.map.variables().size()) {
        const Interval range = read.map.variables()[values.size()].range;
        for (int64_t i = range.lower; i <= range.upper; ++i) {
          values.push_back(i);
          visit();
          values.pop_back();
        }
        return;
      }
      const auto at = read.map.Evaluate(values);
      if (!at.has_value()) return;
      stays &= LinearIndex(values, sizes) / length ==
               LinearIndex(*at, from) / read_length;
    };
    visit();
  }
  return stays;
}

class KeepsRowsTest : public ::testing::Test {
 protected:
  void Expect(bool keeps, int64_t rows,
              const std::vector<std::string>& parameters,
              const std::string& op) {
    SCOPED_TRACE(absl::StrCat(op, ", ", rows, " rows"));
    const auto module = Parse(parameters, op);
    ASSERT_NE(module, nullptr);
    const HloInstruction& root =
        *module->entry_computation()->root_instruction();
    EXPECT_EQ(KeepsRows(root, 0, rows), keeps);
    EXPECT_EQ(StaysInRows(root, rows), keeps);
  }
};

TEST_F(KeepsRowsTest, Broadcasts) {
  Expect(true, 6, {"f32[6]"}, "f32[6,8] broadcast(p0), dimensions={0}");
  Expect(true, 6, {"f32[2,3]"}, "f32[2,3,8] broadcast(p0), dimensions={0,1}");
  Expect(true, 1, {"f32[]"}, "f32[6,8] broadcast(p0), dimensions={}");
  Expect(false, 6, {"f32[6]"}, "f32[8,6] broadcast(p0), dimensions={1}");
  Expect(false, 6, {"f32[2,3]"}, "f32[3,2,8] broadcast(p0), dimensions={1,0}");
  // Only dimensions of one element change places.
  Expect(true, 6, {"f32[6,1]"}, "f32[1,6,8] broadcast(p0), dimensions={1,0}");
}

TEST_F(KeepsRowsTest, MovementInRows) {
  Expect(true, 6, {"f32[6,8]"}, "f32[6,8] reverse(p0), dimensions={1}");
  Expect(false, 6, {"f32[6,8]"}, "f32[6,8] reverse(p0), dimensions={0}");
  Expect(true, 1, {"f32[6,8]"}, "f32[6,8] reverse(p0), dimensions={0}");
  Expect(true, 6, {"f32[6,8]"}, "f32[6,3] slice(p0), slice={[0:6],[2:5]}");
  Expect(false, 3, {"f32[6,8]"}, "f32[3,8] slice(p0), slice={[1:4],[0:8]}");
  Expect(true, 3, {"f32[6,8]"}, "f32[3,8] slice(p0), slice={[0:6:2],[0:8]}");
  Expect(true, 6, {"f32[6,8]"}, "f32[6,11] pad(p0, p0), padding=0_0x2_1");
  Expect(false, 6, {"f32[5,8]"}, "f32[6,8] pad(p0, p0), padding=1_0x0_0");
  Expect(true, 6, {"f32[6,2,4]"},
         "f32[6,4,2] transpose(p0), dimensions={0,2,1}");
  Expect(false, 6, {"f32[6,2,4]"},
         "f32[2,6,4] transpose(p0), dimensions={1,0,2}");
  Expect(true, 12, {"f32[6,2,4]"}, "f32[12,4] reshape(p0)");
  Expect(true, 2, {"f32[6,2,4]"}, "f32[4,12] reshape(p0)");
}

TEST_F(KeepsRowsTest, Concatenates) {
  const std::vector<std::string> parts = {"f32[6,3]", "f32[6,4]"};
  Expect(true, 6, parts, "f32[6,10] concatenate(p0, p1, p0), dimensions={1}");
  Expect(true, 6, parts, "f32[6,10] concatenate(p1, p0, p0), dimensions={1}");
  Expect(false, 6, {"f32[6,3]"},
         "f32[12,3] concatenate(p0, p0), dimensions={0}");
}

TEST_F(KeepsRowsTest, Reductions) {
  Expect(true, 6, {"f32[6,4,3]", "f32[]"},
         "f32[6,4] reduce(p0, p1), dimensions={2}, to_apply=add");
  Expect(true, 6, {"f32[6,4,3]", "f32[]"},
         "f32[6,3] reduce(p0, p1), dimensions={1}, to_apply=add");
  Expect(false, 6, {"f32[4,6]", "f32[]"},
         "f32[6] reduce(p0, p1), dimensions={0}, to_apply=add");
  Expect(true, 6, {"f32[6,8]", "f32[]"},
         "f32[6,6] reduce-window(p0, p1), window={size=1x3}, to_apply=add");
  Expect(false, 6, {"f32[6,8]", "f32[]"},
         "f32[6,8] reduce-window(p0, p1), window={size=3x1 pad=1_1x0_0}, "
         "to_apply=add");
}

TEST_F(KeepsRowsTest, DynamicSlices) {
  const std::vector<std::string> parameters = {"f32[6,8]", "s32[]", "s32[]"};
  Expect(true, 6, parameters,
         "f32[6,3] dynamic-slice(p0, p1, p2), dynamic_slice_sizes={6,3}");
  Expect(false, 3, parameters,
         "f32[3,8] dynamic-slice(p0, p1, p2), dynamic_slice_sizes={3,8}");
}

TEST_F(KeepsRowsTest, NoSuchRows) {
  for (const int64_t rows : {4, 5, 96}) {
    const auto module = Parse({"f32[6,8]"}, "f32[6,8] negate(p0)");
    EXPECT_EQ(
        KeepsRows(*module->entry_computation()->root_instruction(), 0, rows),
        48 % rows == 0);
  }
  const auto empty = Parse({"f32[6,0]"}, "f32[0,2] reshape(p0)");
  EXPECT_FALSE(
      KeepsRows(*empty->entry_computation()->root_instruction(), 0, 1));
}

TEST_F(KeepsRowsTest, OperandsThatSayWhereOthersAreAreNotRead) {
  const auto module =
      Parse({"f32[8]", "s32[1]"},
            "f32[1] gather(p0, p1), offset_dims={0}, collapsed_slice_dims={}, "
            "start_index_map={0}, index_vector_dim=0, slice_sizes={1}");
  const HloInstruction& root = *module->entry_computation()->root_instruction();
  EXPECT_TRUE(KeepsRows(root, 0, 1));
  EXPECT_FALSE(KeepsRows(root, 1, 1));
}

bool KeepsIndex(const std::vector<std::string>& parameters,
                const std::string& op, int64_t operand = 0) {
  const auto module = Parse(parameters, op);
  return module != nullptr &&
         KeepsLinearIndex(*module->entry_computation()->root_instruction(),
                          operand);
}

TEST(KeepsLinearIndexTest, Elementwise) {
  EXPECT_TRUE(KeepsIndex({"f32[6,8]"}, "f32[6,8] negate(p0)"));
  EXPECT_TRUE(KeepsIndex({"f32[0]"}, "f32[0] negate(p0)"));
  const std::vector<std::string> clamped = {"f32[]", "f32[6]"};
  EXPECT_FALSE(KeepsIndex(clamped, "f32[6] clamp(p0, p1, p0)", 0));
  EXPECT_TRUE(KeepsIndex(clamped, "f32[6] clamp(p0, p1, p0)", 1));
  EXPECT_TRUE(KeepsIndex({"f32[]", "f32[1]"}, "f32[1] clamp(p0, p1, p0)", 0));
}

TEST(KeepsLinearIndexTest, MovementOfNothing) {
  EXPECT_TRUE(KeepsIndex({"f32[6,8]"}, "f32[6,8] copy(p0)"));
  EXPECT_TRUE(KeepsIndex({"f32[6,8]"}, "f32[4,12] bitcast(p0)"));
  EXPECT_TRUE(KeepsIndex({"f32[6,8]"},
                         "f32[6,1,8] broadcast(p0), "
                         "dimensions={0,2}"));
  EXPECT_TRUE(KeepsIndex({"f32[6,1,8]"},
                         "f32[1,6,8] transpose(p0), dimensions={1,0,2}"));
  EXPECT_TRUE(KeepsIndex({"f32[6,1]"}, "f32[6,1] reverse(p0), dimensions={1}"));
  EXPECT_TRUE(
      KeepsIndex({"f32[6,8]"}, "f32[6,8] slice(p0), slice={[0:6],[0:8]}"));
  EXPECT_TRUE(
      KeepsIndex({"f32[6,1]", "f32[]"},
                 "f32[6] reduce(p0, p1), dimensions={1}, to_apply=add"));
}

TEST(KeepsLinearIndexTest, NearMisses) {
  EXPECT_FALSE(KeepsIndex({"f32[6,8]"},
                          "f32[8,6] transpose(p0), "
                          "dimensions={1,0}"));
  EXPECT_FALSE(KeepsIndex({"f32[6,6]"},
                          "f32[6,6] transpose(p0), "
                          "dimensions={1,0}"));
  EXPECT_FALSE(
      KeepsIndex({"f32[6,2]"}, "f32[6,2] reverse(p0), dimensions={1}"));
  EXPECT_FALSE(KeepsIndex({"f32[6]"}, "f32[4] slice(p0), slice={[0:4]}"));
  EXPECT_FALSE(
      KeepsIndex({"f32[6]"}, "f32[6,2] broadcast(p0), dimensions={0}"));
  EXPECT_FALSE(KeepsIndex({"f32[6]"}, "f32[6] pad(p0, p0), padding=1_-1"));
  EXPECT_FALSE(KeepsIndex({"f32[2,3]{0,1}"}, "f32[6]{0} bitcast(p0)"));
  EXPECT_FALSE(KeepsIndex({"s32[6]"}, "f32[6] bitcast(p0)"));
  EXPECT_FALSE(KeepsIndex({"f32[6]"}, "(f32[6]) tuple(p0)"));
  EXPECT_FALSE(KeepsIndex({"f32[<=6,2]"}, "f32[<=12] reshape(p0)"));
}

// Random sizes with the product of `factors`.
std::vector<int64_t> RandomSizes(const std::vector<int64_t>& factors,
                                 std::mt19937& random) {
  std::vector<int64_t> sizes(1, 1);
  for (const int64_t factor : factors) {
    sizes.back() *= factor;
    if (random() % 2 == 0) sizes.push_back(1);
  }
  return sizes;
}

// The expressions of any reshape simplify to the linear index.
TEST(KeepsLinearIndexTest, AllReshapes) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::vector<int64_t> factors(1 + random() % 7);
    for (int64_t& factor : factors) factor = 2 + random() % 6;
    const auto from = RandomSizes(factors, random);
    std::shuffle(factors.begin(), factors.end(), random);
    const auto to = RandomSizes(factors, random);
    const std::string operand =
        absl::StrCat("f32[", absl::StrJoin(from, ","), "]");
    const std::string op =
        absl::StrCat("f32[", absl::StrJoin(to, ","), "] reshape(p0)");
    EXPECT_TRUE(KeepsIndex({operand}, op)) << operand << " " << op;
  }
}

// An answer that is wrong would corrupt data.
TEST_F(KeepsRowsTest, RandomTransposesLeaveRowsWhereItSaysSo) {
  std::mt19937 random(11);
  int kept = 0;
  for (int i = 0; i < 500; ++i) {
    std::vector<int64_t> sizes(3);
    for (int64_t& size : sizes) size = 1 + random() % 4;
    std::vector<int64_t> order = {0, 1, 2};
    std::shuffle(order.begin(), order.end(), random);
    std::vector<int64_t> moved;
    for (const int64_t d : order) moved.push_back(sizes[d]);
    const std::string operand =
        absl::StrCat("f32[", absl::StrJoin(sizes, ","), "]");
    const std::string op = absl::StrCat("f32[", absl::StrJoin(moved, ","),
                                        "] transpose(p0), dimensions={",
                                        absl::StrJoin(order, ","), "}");
    const auto module = Parse({operand}, op);
    const HloInstruction& root =
        *module->entry_computation()->root_instruction();
    for (int64_t rows = 1; rows <= Product(sizes); ++rows) {
      if (Product(sizes) % rows != 0) continue;
      const bool keeps = KeepsRows(root, 0, rows);
      kept += keeps;
      if (!keeps) continue;
      EXPECT_TRUE(StaysInRows(root, rows)) << op << " " << rows;
    }
  }
  EXPECT_GT(kept, 500);
}

}  // namespace
}  // namespace xla
