// Costs and peak memory of small modules.
#include "gtest/gtest.h"
#include "xla/hlo/analysis/cost/cost_analysis.h"
#include "xla/hlo/analysis/peak_memory.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

CostAnalysis Analyse(const HloModule& module) {
  CostAnalysis analysis;
  EXPECT_TRUE(analysis.Run(*module.entry_computation()).ok());
  return analysis;
}

std::unique_ptr<HloModule> Parse(const std::string& text) {
  return ParseAndReturnUnverifiedModule(text).value();
}

TEST(CostAnalysisTest, Dot) {
  auto module = Parse(R"(
HloModule m
ENTRY e {
  a = f32[3,5] parameter(0)
  b = f32[5,7] parameter(1)
  ROOT d = f32[3,7] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})");
  const CostAnalysis analysis = Analyse(*module);
  EXPECT_EQ(analysis.flop_count(), 2 * 3 * 5 * 7);
  EXPECT_EQ(analysis.bytes_accessed(), 4 * (15 + 35 + 21));
  EXPECT_EQ(analysis.properties().at("bytes accessed1{}"), 4 * 35);
}

TEST(CostAnalysisTest, Convolution) {
  auto module = Parse(R"(
HloModule m
ENTRY e {
  x = f32[1,8,8,3] parameter(0)
  k = f32[3,3,3,16] parameter(1)
  ROOT c = f32[1,6,6,16] convolution(x, k), window={size=3x3}, dim_labels=b01f_01io->b01f
})");
  EXPECT_EQ(Analyse(*module).flop_count(), 2 * 6 * 6 * 16 * 27);
}

TEST(CostAnalysisTest, PaddingIsNotMultiplied) {
  auto module = Parse(R"(
HloModule m
ENTRY e {
  x = f32[1,8,8,3] parameter(0)
  k = f32[3,3,3,16] parameter(1)
  ROOT c = f32[1,8,8,16] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
})");
  // 8 windows of 3 elements, without one in each of the first and the last.
  EXPECT_EQ(Analyse(*module).flop_count(), 2 * 22 * 22 * 3 * 16);
}

TEST(CostAnalysisTest, GroupsOfBatches) {
  // Each output feature sums over the batches of its group alone.
  auto module = Parse(R"(
HloModule m
ENTRY e {
  x = f32[4,5,3] parameter(0)
  k = f32[3,3,6] parameter(1)
  ROOT c = f32[2,3,6] convolution(x, k), window={size=3}, dim_labels=b0f_0io->b0f, batch_group_count=2
})");
  EXPECT_EQ(Analyse(*module).flop_count(), 2 * (2 * 3 * 6) * (3 * 3));
}

TEST(CostAnalysisTest, WindowsWithGapsReadWhatTheyCover) {
  auto module = Parse(R"(
HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[16] parameter(0)
  zero = f32[] parameter(1)
  ROOT r = f32[4] reduce-window(x, zero), window={size=2 stride=4}, to_apply=add
})");
  const CostAnalysis analysis = Analyse(*module);
  EXPECT_EQ(analysis.flop_count(), 4);
  EXPECT_EQ(analysis.bytes_accessed(), 4 * (8 + 1 + 4));
}

TEST(CostAnalysisTest, PadsReadWhatTheyKeep) {
  auto module = Parse(R"(
HloModule m
ENTRY e {
  x = f32[10,4] parameter(0)
  v = f32[] parameter(1)
  ROOT p = f32[7,6] pad(x, v), padding=-3_0x1_1
})");
  EXPECT_EQ(Analyse(*module).bytes_accessed(), 4 * (7 * 4 + 1 + 7 * 6));
}

TEST(CostAnalysisTest, ReduceLoopAndFusion) {
  auto module = Parse(R"(
HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
fused {
  x = f32[10] parameter(0)
  y = f32[10] exponential(x)
  ROOT z = f32[10] add(y, y)
}
body {
  p = f32[10] parameter(0)
  ROOT f = f32[10] fusion(p), kind=kLoop, calls=fused
}
condition {
  p = f32[10] parameter(0)
  ROOT c = pred[] constant(false)
}
ENTRY e {
  x = f32[10] parameter(0)
  w = f32[10] while(x), condition=condition, body=body
  zero = f32[] constant(0)
  ROOT r = f32[] reduce(w, zero), dimensions={0}, to_apply=add
})");
  const CostAnalysis analysis = Analyse(*module);
  EXPECT_EQ(analysis.flop_count(), 10 + 9);
  EXPECT_EQ(analysis.transcendental_count(), 10);
  EXPECT_EQ(analysis.bytes_accessed(), 80 + 40 + 4 + 4);
}

TEST(CostAnalysisTest, FusionCountsWhatItTouches) {
  // Adds row i of x to row i of y, in y.
  auto module = Parse(R"(
HloModule m
fused {
  x = f32[100,8] parameter(0)
  y = f32[100,8] parameter(1)
  i = s32[] parameter(2)
  zero = s32[] constant(0)
  a = f32[1,8] dynamic-slice(x, i, zero), dynamic_slice_sizes={1,8}
  b = f32[1,8] dynamic-slice(y, i, zero), dynamic_slice_sizes={1,8}
  s = f32[1,8] add(a, b)
  ROOT u = f32[100,8] dynamic-update-slice(y, s, i, zero)
}
ENTRY e {
  x = f32[100,8] parameter(0)
  y = f32[100,8] parameter(1)
  i = s32[] parameter(2)
  ROOT f = f32[100,8] fusion(x, y, i), kind=kLoop, calls=fused
})");
  EXPECT_EQ(Analyse(*module).bytes_accessed(), 32 + 32 + 32 + 4);
}

TEST(CostAnalysisTest, FusionThatDoesMoreThanUpdateReadsAll) {
  auto module = Parse(R"(
HloModule m
fused {
  y = f32[100] parameter(0)
  s = f32[1] parameter(1)
  i = s32[] parameter(2)
  u = f32[100] dynamic-update-slice(y, s, i)
  ROOT n = f32[100] negate(u)
}
ENTRY e {
  y = f32[100] parameter(0)
  s = f32[1] parameter(1)
  i = s32[] parameter(2)
  ROOT f = f32[100] fusion(y, s, i), kind=kLoop, calls=fused
})");
  EXPECT_EQ(Analyse(*module).bytes_accessed(), 400 + 4 + 4 + 400);
}

TEST(CostAnalysisTest, ScansAddOncePerElement) {
  auto module = Parse(R"(
HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[4,100] parameter(0)
  zero = f32[] constant(0)
  scan = f32[4,100] reduce-window(x, zero), window={size=1x100 pad=0_0x99_0}, to_apply=add
  ROOT sums = f32[4,91] reduce-window(scan, zero), window={size=1x10}, to_apply=add
})");
  EXPECT_EQ(Analyse(*module).flop_count(), 4 * 100 + 4 * 91 * 9);
}

TEST(PeakMemoryTest, FreesAfterLastUse) {
  auto module = Parse(R"(
HloModule m
ENTRY e {
  x = f32[100] parameter(0)
  a = f32[100] negate(x)
  b = f32[100] negate(a)
  c = f32[100] negate(b)
  ROOT d = f32[100] negate(c)
})");
  EXPECT_EQ(PeakTempBytes(*module), 800);
}

}  // namespace
}  // namespace xla
