// Which results lie over an operand, or may.
#include "xla/backends/cpu/analysis/cpu_alias_info.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
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
using ::testing::Eq;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::Pair;

class CpuAliasInfoTest : public ::testing::Test {
 protected:
  // A fusion of `body`, which has the reducer %add, as the entry's root.
  const HloInstruction& Fusion(const std::string& kind,
                               const std::string& body) {
    auto module = ParseAndReturnUnverifiedModule(absl::StrCat(
        "HloModule m\nadd { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
        " ROOT s = f32[] add(a, b) }\nENTRY fused {\n",
        body, "\n}"));
    EXPECT_TRUE(module.ok()) << module.status();
    fused_ = *std::move(module);
    std::string operands, names;
    const HloComputation& fused = *fused_->entry_computation();
    for (const HloInstruction* parameter : fused.parameter_instructions()) {
      absl::StrAppend(&operands, "  ", parameter->name(), " = ",
                      parameter->shape().ToString(true), " parameter(",
                      parameter->parameter_number(), ")\n");
      absl::StrAppend(&names, names.empty() ? "" : ", ", parameter->name());
    }
    auto outer = ParseAndReturnUnverifiedModule(absl::StrCat(
        "HloModule m\nadd { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
        " ROOT s = f32[] add(a, b) }\nfused {\n",
        body, "\n}\nENTRY e {\n", operands,
        "  ROOT f = ", fused.root_instruction()->shape().ToString(true),
        " fusion(", names, "), kind=", kind, ", calls=fused\n}"));
    EXPECT_TRUE(outer.ok()) << outer.status();
    module_ = *std::move(outer);
    return *module_->entry_computation()->root_instruction();
  }

  // Pairs of a leaf and an operand.
  std::vector<std::pair<int, int>> MayAlias(const std::string& kind,
                                            const std::string& body) {
    std::vector<std::pair<int, int>> pairs;
    for (const AliasPair& pair :
         CpuAliasInfo().MayAliasPairs(Fusion(kind, body))) {
      pairs.push_back({pair.leaf, pair.operand});
    }
    return pairs;
  }

  std::optional<int> Updated(const std::string& body) {
    const auto found = CpuAliasInfo().MustAlias(Fusion("kLoop", body), 0);
    if (!found.has_value()) return std::nullopt;
    return found->operand;
  }

 private:
  std::unique_ptr<HloModule> fused_, module_;
};

TEST_F(CpuAliasInfoTest, LoopsReadAnElementBeforeTheyWriteIt) {
  // p0 is used element by element, p1 is moved, p2 is read along rows.
  EXPECT_THAT(MayAlias("kLoop", R"(
  p0 = f32[6,6] parameter(0)
  p1 = f32[6,6] parameter(1)
  p2 = f32[6] parameter(2)
  n = f32[6,6] negate(p0)
  t = f32[6,6] transpose(p1), dimensions={1,0}
  a = f32[6,6] add(n, t)
  b = f32[6,6] broadcast(p2), dimensions={0}
  ROOT r = f32[6,6] multiply(a, b))"),
              ElementsAre(Pair(0, 0)));
}

TEST_F(CpuAliasInfoTest, OtherDimensionsAtTheSamePlaces) {
  for (const char* op : {"reshape(p)", "bitcast(p)"}) {
    EXPECT_THAT(MayAlias("kLoop", absl::StrCat(R"(
  p = f32[4,6] parameter(0)
  v = f32[24] )",
                                               op, R"(
  e = f32[24] exponential(v)
  ROOT r = f32[24] add(e, v))")),
                ElementsAre(Pair(0, 0)));
  }
  // There and back.
  EXPECT_THAT(MayAlias("kLoop", R"(
  p = f32[4,6] parameter(0)
  v = f32[24] reshape(p)
  e = f32[24] exponential(v)
  w = f32[4,6] reshape(e)
  ROOT r = f32[4,6] add(w, p))"),
              ElementsAre(Pair(0, 0)));
  // Dimensions of one element may move and be reversed.
  EXPECT_THAT(MayAlias("kLoop", R"(
  p = f32[4,1,6] parameter(0)
  t = f32[1,4,6] transpose(p), dimensions={1,0,2}
  v = f32[1,4,6] reverse(t), dimensions={0}
  ROOT r = f32[1,4,6] exponential(v))"),
              ElementsAre(Pair(0, 0)));
}

TEST_F(CpuAliasInfoTest, OtherPlaces) {
  // Read at two places.
  EXPECT_THAT(MayAlias("kLoop", R"(
  p = f32[4,6] parameter(0)
  v = f32[6,4] reshape(p)
  t = f32[4,6] transpose(v), dimensions={1,0}
  ROOT r = f32[4,6] add(t, p))"),
              IsEmpty());
  // The memory is in another order than the indices.
  EXPECT_THAT(MayAlias("kLoop", R"(
  p = f32[4,6]{0,1} parameter(0)
  v = f32[24]{0} reshape(p)
  ROOT r = f32[24]{0} exponential(v))"),
              IsEmpty());
  EXPECT_THAT(MayAlias("kLoop", R"(
  p = f32[4,6]{0,1} parameter(0)
  ROOT r = f32[4,6]{1,0} exponential(p))"),
              IsEmpty());
  // Elements of another size.
  EXPECT_THAT(MayAlias("kLoop", R"(
  p = f32[4,6] parameter(0)
  v = f32[24] reshape(p)
  ROOT r = f16[24] convert(v))"),
              IsEmpty());
  // Fewer elements, all of them where they are in the operand.
  EXPECT_THAT(MayAlias("kLoop", R"(
  p = f32[24] parameter(0)
  v = f32[12] slice(p), slice={[0:12]}
  ROOT r = f32[12] exponential(v))"),
              IsEmpty());
}

TEST_F(CpuAliasInfoTest, RowsAreReadBeforeTheyAreWritten) {
  constexpr char kSoftmax[] = R"(
  p = f32[4,8] parameter(0)
  q = f32[2,2,8] parameter(1)
  v = f32[4,8] bitcast(q)
  a = f32[4,8] add(p, v)
  zero = f32[] constant(0)
  s = f32[4] reduce(a, zero), dimensions={1}, to_apply=add
  b = f32[4,8] broadcast(s), dimensions={0}
)";
  EXPECT_THAT(
      MayAlias("kInput",
               absl::StrCat(kSoftmax, "ROOT r = f32[4,8] divide(a, b)")),
      ElementsAre(Pair(0, 0), Pair(0, 1)));
  // What moves within the row reads elements that are written already.
  EXPECT_THAT(MayAlias("kInput", absl::StrCat(kSoftmax, R"(
  w = f32[4,8] reverse(p), dimensions={1}
  ROOT r = f32[4,8] divide(w, b))")),
              ElementsAre(Pair(0, 1)));
}

constexpr char kUpdate[] = R"(
  p = f32[10,12] parameter(0)
  i = s32[] parameter(1)
  z = s32[] constant(0)
  u = f32[1,12] parameter(2)
  old = f32[1,12] dynamic-slice(p, i, z), dynamic_slice_sizes={1,12}
)";

TEST_F(CpuAliasInfoTest, UpdatesMadeOfWhatTheyOverwrite) {
  for (const char* ops : {"new = f32[1,12] add(old, u)",
                          R"(v = f32[12] reshape(old)
           w = f32[12] negate(v)
           new = f32[1,12] reshape(w))",
                          R"(v = f32[12,1] transpose(old), dimensions={1,0}
           w = f32[12,1] negate(v)
           x = f32[1,12] transpose(w), dimensions={1,0}
           new = f32[1,12] add(x, u))",
                          "new = f32[1,12] reverse(old), dimensions={0}"}) {
    EXPECT_THAT(Updated(absl::StrCat(kUpdate, ops, R"(
  ROOT d = f32[10,12] dynamic-update-slice(p, new, i, z))")),
                Optional(Eq(0)))
        << ops;
  }
  for (const char* ops : {// Elements that are overwritten before they are read.
                          "new = f32[1,12] reverse(old), dimensions={1}",
                          R"(v = f32[3,4] reshape(old)
           w = f32[4,3] transpose(v), dimensions={1,0}
           new = f32[1,12] reshape(w))",
                          R"(v = f32[1,1] slice(old), slice={[0:1],[3:4]}
           w = f32[] reshape(v)
           x = f32[1,12] broadcast(w), dimensions={}
           new = f32[1,12] add(x, u))",
                          // As an operand that does and as one that does not.
                          R"(v = f32[1,12] reverse(old), dimensions={1}
           new = f32[1,12] add(old, v))"}) {
    EXPECT_EQ(Updated(absl::StrCat(kUpdate, ops, R"(
  ROOT d = f32[10,12] dynamic-update-slice(p, new, i, z))")),
              std::nullopt)
        << ops;
  }
}

// Pairs of a leaf and an operand of the root of an entry computation.
std::vector<std::pair<int, int>> MayAliasOf(const std::string& root) {
  auto module = ParseAndReturnUnverifiedModule(absl::StrCat(
      "HloModule m, replica_count=2\nadd { a = f32[] parameter(0)\n"
      " b = f32[] parameter(1)\n ROOT s = f32[] add(a, b) }\nENTRY e {\n"
      " p0 = f32[4] parameter(0)\n p1 = f32[4] parameter(1)\n ROOT r = ",
      root, "\n}"));
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return {};
  std::vector<std::pair<int, int>> pairs;
  for (const AliasPair& pair : CpuAliasInfo().MayAliasPairs(
           *(*module)->entry_computation()->root_instruction())) {
    pairs.push_back({pair.leaf, pair.operand});
  }
  return pairs;
}

TEST(CpuAliasInfoOfCollectivesTest, BlocksOfAllDevicesAreReadFirst) {
  EXPECT_THAT(MayAliasOf("f32[4] all-reduce(p0), to_apply=add"),
              ElementsAre(Pair(0, 0)));
  EXPECT_THAT(MayAliasOf("(f32[4], f32[4]) all-reduce(p0, p1), to_apply=add"),
              ElementsAre(Pair(0, 0), Pair(1, 1)));
  EXPECT_THAT(
      MayAliasOf("f32[4] collective-broadcast(p0), replica_groups={{1,0}}"),
      ElementsAre(Pair(0, 0)));
  // These would overwrite what another device still reads.
  EXPECT_THAT(MayAliasOf("f32[4] all-to-all(p0), dimensions={0}"), IsEmpty());
  EXPECT_THAT(MayAliasOf("f32[4] collective-permute(p0), "
                         "source_target_pairs={{0,1},{1,0}}"),
              IsEmpty());
}

}  // namespace
}  // namespace xla::cpu
