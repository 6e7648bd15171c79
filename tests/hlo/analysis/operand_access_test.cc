// In which order, how often and at what expense ops read their operands.
#include "xla/hlo/analysis/indexing/operand_access.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

// Returns the accesses of `op`, an instruction whose operands are %p0, %p1, ...
// of these shapes.
std::optional<std::vector<OperandAccess>> Accesses(
    const std::vector<std::string>& parameters, const std::string& op) {
  std::string text =
      "HloModule m\nadd { x = f32[] parameter(0)\n y = f32[] parameter(1)\n"
      " ROOT s = f32[] add(x, y) }\nENTRY e {\n";
  for (size_t i = 0; i < parameters.size(); ++i) {
    absl::StrAppend(&text, "  p", i, " = ", parameters[i], " parameter(", i,
                    ")\n");
  }
  auto module = ParseAndReturnUnverifiedModule(
      absl::StrCat(text, "  ROOT r = ", op, "}"));
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return std::nullopt;
  return OperandAccessesOf(*(*module)->entry_computation()->root_instruction());
}

// Returns the first of them, which is operand 0.
OperandAccess First(const std::vector<std::string>& parameters,
                    const std::string& op) {
  SCOPED_TRACE(op);
  const auto accesses = Accesses(parameters, op);
  if (!accesses.has_value() || accesses->empty()) {
    ADD_FAILURE() << "no accesses";
    return {};
  }
  EXPECT_EQ(accesses->front().operand, 0);
  return accesses->front();
}

AccessOrder OrderOf(const std::string& shape, const std::string& op) {
  return First({shape}, op).order;
}

TEST(OperandAccessTest, ContiguousRows) {
  for (const auto& [shape, op] :
       std::vector<std::pair<std::string, std::string>>{
           {"f32[4,6]", "f32[4,6] negate(p0)"},
           {"f32[4,6]", "f32[4,6] copy(p0)"},
           {"f32[4,6]", "f32[2,3] slice(p0), slice={[0:4:2],[2:5]}"},
           {"f32[4,6]", "f32[4,6] reverse(p0), dimensions={0}"},
           {"f32[2,3,6]", "f32[3,2,6] transpose(p0), dimensions={1,0,2}"},
           {"f32[2,3,1]", "f32[1,2,3] transpose(p0), dimensions={2,0,1}"},
           {"f32[6]", "f32[4,6] broadcast(p0), dimensions={1}"},
           {"f32[4,6]", "f32[3,8] reshape(p0)"},
           {"f32[4,6]", "f32[24] reshape(p0)"},
           {"f32[24]", "f32[2,3,4] bitcast(p0)"},
           {"f32[5,6]", "f32[6] reduce(p0, p1), dimensions={0}, to_apply=add"},
       }) {
    EXPECT_EQ(First({shape, "f32[]"}, op).order, AccessOrder::kContiguous)
        << op;
  }
  EXPECT_EQ(
      First({"f32[4,6]", "f32[]"}, "f32[6,9] pad(p0, p1), padding=1_1x2_1")
          .order,
      AccessOrder::kContiguous);
  // Of what lies apart in the result, the next is the next.
  EXPECT_EQ(
      First({"f32[4]", "f32[]"}, "f32[10] pad(p0, p1), padding=0_0_2").order,
      AccessOrder::kContiguous);
}

TEST(OperandAccessTest, OtherOrders) {
  EXPECT_EQ(OrderOf("f32[4,6]", "f32[4,6] reverse(p0), dimensions={1}"),
            AccessOrder::kReversed);
  // A dimension of one element is not what neighbors differ in.
  EXPECT_EQ(OrderOf("f32[6,1]", "f32[6,1] reverse(p0), dimensions={0}"),
            AccessOrder::kReversed);
  EXPECT_EQ(OrderOf("f32[6,1]", "f32[6,1] reverse(p0), dimensions={1}"),
            AccessOrder::kContiguous);
  EXPECT_EQ(OrderOf("f32[4,6]", "f32[4,3] slice(p0), slice={[0:4],[0:6:2]}"),
            AccessOrder::kStrided);
  // A column: nothing else of its rows is read.
  EXPECT_EQ(OrderOf("f32[4,6]", "f32[4,1] slice(p0), slice={[0:4],[3:4]}"),
            AccessOrder::kStrided);
  EXPECT_EQ(OrderOf("f32[4,6]", "f32[6,4] transpose(p0), dimensions={1,0}"),
            AccessOrder::kTransposed);
  EXPECT_EQ(
      OrderOf("f32[2,3,4]", "f32[4,2,3] transpose(p0), dimensions={2,0,1}"),
      AccessOrder::kTransposed);
  EXPECT_EQ(OrderOf("f32[4,6]", "f32[6,4] broadcast(p0), dimensions={1,0}"),
            AccessOrder::kTransposed);
  EXPECT_EQ(First({"f32[4,6]", "f32[]"},
                  "f32[4] reduce(p0, p1), dimensions={1}, to_apply=add")
                .order,
            AccessOrder::kTransposed);
  EXPECT_EQ(OrderOf("f32[4]", "f32[4,6] broadcast(p0), dimensions={0}"),
            AccessOrder::kConstant);
  EXPECT_EQ(OrderOf("f32[]", "f32[4,6] broadcast(p0), dimensions={}"),
            AccessOrder::kConstant);
}

const char kRows[] =
    "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
    "index_vector_dim=1, slice_sizes={1,8}";

TEST(OperandAccessTest, GathersOfRows) {
  const auto accesses =
      Accesses({"f32[50,8]", "s32[9,1]"},
               absl::StrCat("f32[9,8] gather(p0, p1), ", kRows));
  ASSERT_TRUE(accesses.has_value());
  ASSERT_EQ(accesses->size(), 2);
  const OperandAccess& rows = accesses->at(0);
  EXPECT_EQ(rows.order, AccessOrder::kGatheredRows);
  EXPECT_EQ(rows.run, 8);
  EXPECT_EQ(rows.share, 1);
  EXPECT_FALSE(rows.adds_start);
  EXPECT_FALSE(rows.is_repeated);
  const OperandAccess& indices = accesses->at(1);
  EXPECT_EQ(indices.operand, 1);
  EXPECT_TRUE(indices.is_index);
  EXPECT_EQ(indices.repeats, 8);
}

TEST(OperandAccessTest, RunsOfGathers) {
  // Whole planes lie in one piece; rows of a part do not.
  const auto run = [](const std::string& sizes, const std::string& result) {
    return First({"f32[50,4,8]", "s32[9,1]"},
                 absl::StrCat(result,
                              " gather(p0, p1), offset_dims={1,2}, "
                              "collapsed_slice_dims={0}, start_index_map={0}, "
                              "index_vector_dim=1, slice_sizes={1,",
                              sizes, "}"))
        .run;
  };
  EXPECT_EQ(run("4,8", "f32[9,4,8]"), 32);
  EXPECT_EQ(run("3,8", "f32[9,3,8]"), 24);
  EXPECT_EQ(run("4,7", "f32[9,4,7]"), 7);
}

TEST(OperandAccessTest, GathersOfElements) {
  EXPECT_EQ(First({"f32[50]", "s32[9,1]"},
                  "f32[9] gather(p0, p1), offset_dims={}, "
                  "collapsed_slice_dims={0}, start_index_map={0}, "
                  "index_vector_dim=1, slice_sizes={1}")
                .order,
            AccessOrder::kGatheredElements);
  // Neighbors are of different rows.
  EXPECT_EQ(First({"f32[50,8]", "s32[9,1]"},
                  "f32[8,9] gather(p0, p1), offset_dims={0}, "
                  "collapsed_slice_dims={0}, start_index_map={0}, "
                  "index_vector_dim=1, slice_sizes={1,8}")
                .order,
            AccessOrder::kGatheredElements);
  // They are elements of one column.
  const OperandAccess column =
      First({"f32[8,50]", "s32[9,1]"},
            "f32[9,8] gather(p0, p1), offset_dims={1}, "
            "collapsed_slice_dims={1}, start_index_map={1}, "
            "index_vector_dim=1, slice_sizes={8,1}");
  EXPECT_EQ(column.order, AccessOrder::kGatheredElements);
  EXPECT_EQ(column.run, 1);
}

TEST(OperandAccessTest, StartsThatAreData) {
  const auto accesses =
      Accesses({"f32[50,8]", "s32[]", "s32[]"},
               "f32[9,8] dynamic-slice(p0, p1, p2), dynamic_slice_sizes={9,8}");
  ASSERT_TRUE(accesses.has_value());
  // Where the slice is as long as the operand, there is one start alone.
  ASSERT_GE(accesses->size(), 2);
  EXPECT_EQ(accesses->at(0).order, AccessOrder::kContiguous);
  EXPECT_TRUE(accesses->at(0).adds_start);
  EXPECT_EQ(accesses->at(0).run, 1);
  for (size_t i = 1; i < accesses->size(); ++i) {
    EXPECT_TRUE(accesses->at(i).is_index);
    EXPECT_EQ(accesses->at(i).repeats, 72);
  }
  EXPECT_FALSE(
      First({"f32[50]"}, "f32[9] slice(p0), slice={[3:12]}").adds_start);
}

TEST(OperandAccessTest, SharesOfConcatenates) {
  const auto accesses = Accesses({"f32[4,2]", "f32[4,0]", "f32[4,6]"},
                                 "f32[4,8] concatenate(p0, p1, p2), "
                                 "dimensions={1}");
  ASSERT_TRUE(accesses.has_value());
  ASSERT_EQ(accesses->size(), 3);
  EXPECT_EQ(accesses->at(0).share, 0.25);
  EXPECT_EQ(accesses->at(1).share, 0);
  EXPECT_EQ(accesses->at(2).share, 0.75);
  EXPECT_TRUE(accesses->at(0).is_tested);
  EXPECT_TRUE(accesses->at(2).is_tested);
  // One operand has all, so that there is nothing to test.
  const OperandAccess only =
      First({"f32[4,2]"}, "f32[4,2] concatenate(p0), dimensions={1}");
  EXPECT_EQ(only.share, 1);
  EXPECT_FALSE(only.is_tested);
  EXPECT_TRUE(only.is_identity);
}

TEST(OperandAccessTest, SharesOfPads) {
  const auto shares = [](const std::string& shape, const std::string& op) {
    const auto accesses = Accesses({shape, "f32[]"}, op);
    EXPECT_TRUE(accesses.has_value() && accesses->size() == 2);
    EXPECT_TRUE(accesses->at(1).is_repeated);
    EXPECT_EQ(accesses->at(1).operand, 1);
    return std::pair(accesses->at(0).share, accesses->at(1).share);
  };
  EXPECT_EQ(shares("f32[4]", "f32[8] pad(p0, p1), padding=1_3"),
            std::pair(0.5, 0.5));
  // Every fourth element of d0 in [0, 8191] but for the last has one.
  EXPECT_EQ(shares("f32[2048]", "f32[8192] pad(p0, p1), padding=0_3_3"),
            std::pair(0.25, 0.75));
  // What is cut off does not count.
  EXPECT_EQ(shares("f32[8]", "f32[8] pad(p0, p1), padding=-4_4"),
            std::pair(0.5, 0.5));
  EXPECT_EQ(shares("f32[8]", "f32[4] pad(p0, p1), padding=-4_0"),
            std::pair(1.0, 0.0));
}

TEST(OperandAccessTest, UpdatesAreInTheResult) {
  const auto accesses =
      Accesses({"f32[50,8]", "f32[5,8]", "s32[]", "s32[]"},
               "f32[50,8] dynamic-update-slice(p0, p1, p2, p3)");
  ASSERT_TRUE(accesses.has_value());
  EXPECT_EQ(accesses->at(0).operand, 1);
  EXPECT_NEAR(accesses->at(0).share, 0.1, 1e-9);
  EXPECT_TRUE(accesses->at(0).is_tested);
  EXPECT_EQ(accesses->at(1).operand, 0);
  EXPECT_NEAR(accesses->at(1).share, 0.9, 1e-9);
  EXPECT_TRUE(accesses->at(1).is_identity);
}

TEST(OperandAccessTest, Repeats) {
  const OperandAccess columns =
      First({"f32[4]"}, "f32[4,6] broadcast(p0), dimensions={0}");
  EXPECT_EQ(columns.repeats, 6);
  EXPECT_TRUE(columns.is_repeated);
  const OperandAccess scalar =
      First({"f32[]"}, "f32[4,6] broadcast(p0), dimensions={}");
  EXPECT_EQ(scalar.repeats, 24);
  EXPECT_TRUE(scalar.is_repeated);
  EXPECT_FALSE(scalar.is_identity);
  EXPECT_FALSE(scalar.computes_index);
  EXPECT_EQ(scalar.share, 1);
  // Each row repeats the one before, but no element does.
  const OperandAccess rows =
      First({"f32[6]"}, "f32[4,6] broadcast(p0), dimensions={1}");
  EXPECT_EQ(rows.repeats, 1);
  EXPECT_TRUE(rows.is_repeated);
  const OperandAccess ones =
      First({"f32[4,6]"}, "f32[4,6,1] broadcast(p0), dimensions={0,1}");
  EXPECT_EQ(ones.repeats, 1);
  EXPECT_FALSE(ones.is_repeated);
  EXPECT_FALSE(
      First({"f32[8]"}, "f32[4] slice(p0), slice={[0:4]}").is_repeated);
}

TEST(OperandAccessTest, IndicesThatAreComputed) {
  const auto computes = [](const std::string& shape, const std::string& op) {
    return First({shape, "f32[]"}, op).computes_index;
  };
  EXPECT_FALSE(computes("f32[4,6]", "f32[4,6] negate(p0)"));
  EXPECT_FALSE(computes("f32[6]", "f32[4,6] broadcast(p0), dimensions={1}"));
  EXPECT_FALSE(
      computes("f32[4,1]", "f32[4,6] broadcast(p0), dimensions={0,1}"));
  EXPECT_FALSE(computes("f32[4,6]", "f32[3,8] reshape(p0)"));
  EXPECT_FALSE(computes("f32[4,6]", "f32[24] bitcast(p0)"));
  EXPECT_FALSE(computes("f32[24]", "f32[2,3,4] reshape(p0)"));
  EXPECT_TRUE(computes("f32[4,6]", "f32[3,6] slice(p0), slice={[0:3],[0:6]}"));
  EXPECT_TRUE(computes("f32[4,6]", "f32[4,6] reverse(p0), dimensions={0}"));
  EXPECT_TRUE(
      computes("f32[2,3,6]", "f32[3,2,6] transpose(p0), dimensions={1,0,2}"));
}

TEST(OperandAccessTest, ReductionsReadSeveral) {
  const OperandAccess reduced =
      First({"f32[5,7,6]", "f32[]"},
            "f32[6] reduce(p0, p1), dimensions={0,1}, to_apply=add");
  EXPECT_EQ(reduced.elements, 35);
  EXPECT_EQ(reduced.repeats, 1);
  EXPECT_FALSE(reduced.is_repeated);
}

TEST(OperandAccessTest, OneElement) {
  EXPECT_EQ(OrderOf("f32[4]", "f32[1] slice(p0), slice={[2:3]}"),
            AccessOrder::kConstant);
  EXPECT_EQ(First({"f32[4,6]", "s32[1]"},
                  "f32[1] gather(p0, p1), offset_dims={0}, "
                  "collapsed_slice_dims={0}, start_index_map={0}, "
                  "index_vector_dim=0, slice_sizes={1,1}")
                .order,
            AccessOrder::kConstant);
}

TEST(OperandAccessTest, UnknownRelations) {
  EXPECT_FALSE(Accesses({}, "f32[4] iota(), iota_dimension=0").has_value());
  EXPECT_FALSE(
      Accesses({"f32[4,6]{0,1}"}, "f32[24]{0} bitcast(p0)").has_value());
  EXPECT_FALSE(Accesses({"f32[8]"}, "s8[32] bitcast(p0)").has_value());
}

}  // namespace
}  // namespace xla
