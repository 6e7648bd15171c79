// What masks that follow from the indices leave out of blocks of rows.
#include "xla/backends/cpu/fusion/attention_mask.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::cpu {
namespace {

using Range = std::pair<int64_t, int64_t>;

class AttentionMaskTest : public ::testing::Test {
 protected:
  // The mask of a softmax of u, which `body` makes of the scores s,
  // f32[2,3,100,80], and of a parameter `given`; the fusion reads it from
  // `outside`.
  AttentionMask Mask(const std::string& body,
                     const std::string& given = "f32[]",
                     const std::string& outside = "constant(0)",
                     const std::string& last = "divide(x, zs)",
                     const std::string& type = "f32") {
    auto module = ParseAndReturnUnverifiedModule(absl::StrCat(
        R"(
HloModule m
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] maximum(a, b) }
softmax {
  s = f32[2,3,100,80] parameter(0)
  given = )",
        given, R"( parameter(1)
  zero = f32[] constant(0)
  none = f32[] constant(-inf)
  low = f32[] constant(-1e9)
  lows = f32[2,3,100,80] broadcast(low), dimensions={}
  i = s32[100,80] iota(), iota_dimension=0
  j = s32[100,80] iota(), iota_dimension=1
)",
        body, R"(
  m = f32[2,3,100] reduce(u, none), dimensions={3}, to_apply=max
  ms = f32[2,3,100,80] broadcast(m), dimensions={0,1,2}
  d = f32[2,3,100,80] subtract(u, ms)
  x = f32[2,3,100,80] exponential(d)
  z = f32[2,3,100] reduce(x, zero), dimensions={3}, to_apply=add
  zs = f32[2,3,100,80] broadcast(z), dimensions={0,1,2}
  ROOT y = )",
        type, "[2,3,100,80] ", last, R"(
}
ENTRY e {
  s = f32[2,3,100,80] parameter(0)
  given = )",
        given, " ", outside, R"(
  ROOT r = )",
        type, "[2,3,100,80] fusion(s, given), kind=kInput, calls=softmax\n}"));
    EXPECT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    return AttentionMask(*module_->entry_computation()->root_instruction(), 0,
                         100);
  }

  // A constant whose element i is i - 20.
  static std::string Starts() {
    std::string text = "constant({";
    for (int i = 0; i < 100; ++i) {
      absl::StrAppend(&text, i == 0 ? "" : ",", i - 20);
    }
    return absl::StrCat(text, "})");
  }

  static constexpr char kCausal[] = R"(
  c = pred[100,80] compare(i, j), direction=GE
  cb = pred[2,3,100,80] broadcast(c), dimensions={2,3}
  u = f32[2,3,100,80] select(cb, s, lows)
)";

  std::unique_ptr<HloModule> module_;
};

TEST_F(AttentionMaskTest, CausalMask) {
  const AttentionMask mask = Mask(kCausal);
  EXPECT_EQ(mask.ColumnsRead(0, 10), Range(0, 10));
  EXPECT_EQ(mask.ColumnsRead(33, 1), Range(0, 34));
  EXPECT_EQ(mask.ColumnsRead(60, 40), Range(0, 80));
  EXPECT_TRUE(mask.leaves_zeros());
}

TEST_F(AttentionMaskTest, WindowOfIndicesThatAreConstants) {
  const AttentionMask mask = Mask(R"(
  g = s32[100,80] broadcast(given), dimensions={0}
  c = pred[100,80] compare(i, j), direction=LT
  n = pred[100,80] compare(g, j), direction=GT
  o = pred[100,80] or(c, n)
  cb = pred[2,3,100,80] broadcast(o), dimensions={2,3}
  t = f32[2,3,100,80] tanh(s)
  u = f32[2,3,100,80] select(cb, lows, t)
)",
                                  "s32[100]", Starts());
  EXPECT_EQ(mask.ColumnsRead(0, 10), Range(0, 10));
  EXPECT_EQ(mask.ColumnsRead(40, 10), Range(20, 50));
  EXPECT_TRUE(mask.leaves_zeros());
}

TEST_F(AttentionMaskTest, RowsWithoutAnyColumn) {
  const AttentionMask mask = Mask(R"(
  k = s32[] constant(-30)
  kb = s32[100,80] broadcast(k), dimensions={}
  ik = s32[100,80] add(i, kb)
  c = pred[100,80] compare(ik, j), direction=GE
  cb = pred[2,3,100,80] broadcast(c), dimensions={2,3}
  u = f32[2,3,100,80] select(cb, s, lows)
)");
  EXPECT_EQ(mask.ColumnsRead(0, 30), Range(0, 0));
  EXPECT_EQ(mask.ColumnsRead(0, 31), Range(0, 1));
}

// Near misses: the mask of the data, scores that are read beside the mask.
TEST_F(AttentionMaskTest, WhatIsNotKnown) {
  const AttentionMask data = Mask(R"(
  c = pred[2,3,100,80] compare(s, lows), direction=GE
  u = f32[2,3,100,80] select(c, s, lows)
)");
  EXPECT_EQ(data.ColumnsRead(0, 10), Range(0, 80));
  const AttentionMask beside = Mask(absl::StrCat(
      R"(
  c = pred[100,80] compare(i, j), direction=GE
  cb = pred[2,3,100,80] broadcast(c), dimensions={2,3}
  v = f32[2,3,100,80] select(cb, s, lows)
  u = f32[2,3,100,80] add(v, s)
)"));
  EXPECT_FALSE(beside.has_selects());
  EXPECT_EQ(beside.ColumnsRead(0, 10), Range(0, 80));
}

// Numbers wrap around, and floats round.
TEST_F(AttentionMaskTest, IndicesThatOverflow) {
  const AttentionMask wraps = Mask(R"(
  k = s8[] constant(100)
  kb = s8[100,80] broadcast(k), dimensions={}
  ic = s8[100,80] convert(i)
  jc = s8[100,80] convert(j)
  ik = s8[100,80] add(ic, kb)
  c = pred[100,80] compare(jc, ik), direction=GE
  cb = pred[2,3,100,80] broadcast(c), dimensions={2,3}
  u = f32[2,3,100,80] select(cb, s, lows)
)");
  EXPECT_EQ(wraps.ColumnsRead(20, 20), Range(0, 80));
  const AttentionMask rounds = Mask(R"(
  k = bf16[] constant(256)
  kb = bf16[100,80] broadcast(k), dimensions={}
  ic = bf16[100,80] convert(i)
  ik = bf16[100,80] add(ic, kb)
  c = pred[100,80] compare(ik, kb), direction=LE
  cb = pred[2,3,100,80] broadcast(c), dimensions={2,3}
  u = f32[2,3,100,80] select(cb, s, lows)
)");
  EXPECT_EQ(rounds.ColumnsRead(1, 1), Range(0, 80));
}

TEST_F(AttentionMaskTest, SoftmaxesThatLeaveZeros) {
  // Near misses: a number that is not low enough, another function.
  const AttentionMask high = Mask(R"(
  k = f32[] constant(-1e4)
  kb = f32[2,3,100,80] broadcast(k), dimensions={}
  c = pred[100,80] compare(i, j), direction=GE
  cb = pred[2,3,100,80] broadcast(c), dimensions={2,3}
  u = f32[2,3,100,80] select(cb, s, kb)
)");
  EXPECT_EQ(high.ColumnsRead(0, 10), Range(0, 10));
  EXPECT_FALSE(high.leaves_zeros());
  EXPECT_FALSE(
      Mask(kCausal, "f32[]", "constant(0)", "multiply(x, zs)").leaves_zeros());
  EXPECT_FALSE(
      Mask(kCausal, "f32[]", "constant(0)", "divide(d, zs)").leaves_zeros());
}

}  // namespace
}  // namespace xla::cpu
