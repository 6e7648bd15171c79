// HloCostAnalysis gives XLA's numbers, and subclasses change what it counts.
#include "xla/hlo/analysis/cost/hlo_cost_analysis.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/analysis/hlo_cost_call_cases.h"
#include "tests/hlo/analysis/hlo_cost_cases.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::unique_ptr<HloModule> ParseModule(const std::string& text) {
  return ParseAndReturnUnverifiedModule(text).value();
}

const HloInstruction& Find(const HloModule& module, absl::string_view name) {
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction* hlo : computation->instructions()) {
      if (hlo->name() == name) return *hlo;
    }
  }
  ADD_FAILURE() << "no " << name;
  return *module.entry_computation()->root_instruction();
}

absl::Status Visit(const HloModule& module, HloCostAnalysis& analysis) {
  return module.entry_computation()->Accept(&analysis);
}

std::string TextOf(const HloCostAnalysis::Properties& properties) {
  std::vector<std::string> texts;
  properties.ForEach([&](absl::string_view key, float value) {
    texts.push_back(absl::StrCat(key, ": ", value));
  });
  return absl::StrJoin(texts, ", ");
}

void ExpectCosts(const HloCostCase& expected, const std::string& before) {
  auto module = ParseAndReturnUnverifiedModule(
      absl::StrCat("HloModule m\n", before, "ENTRY e {", expected.body, "}\n"));
  ASSERT_TRUE(module.ok()) << expected.name << ": " << module.status();
  // The sizes of dynamic dimensions lie with an array on platform cpu.
  const auto with_sizes = [](const Shape& shape) {
    const int64_t sizes = shape.IsArray() && shape.is_dynamic()
                              ? 4 * static_cast<int64_t>(shape.rank())
                              : 0;
    return HloCostAnalysis::DefaultShapeSize(shape) + sizes;
  };
  HloCostAnalysis on_cpu(with_sizes);
  ASSERT_EQ(Visit(**module, on_cpu), absl::OkStatus()) << expected.name;
  EXPECT_EQ(TextOf(on_cpu.properties()), expected.costs) << expected.name;
}

TEST(HloCostAnalysisTest, CostsAreThoseOfXla) {
  for (const HloCostCase& each : HloCostCases()) ExpectCosts(each, "");
}

TEST(HloCostAnalysisTest, CostsOfCallsAreThoseOfXla) {
  for (const HloCostCase& each : HloCallCostCases()) {
    ExpectCosts(each, HloCostComputations());
  }
}

constexpr char kLayer[] = R"(
HloModule layer
add {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT sum = f32[] add(p, q)
}
ENTRY e {
  x = f32[8,16] parameter(0)
  w = f32[16,4] parameter(1)
  y = f32[8,4] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[8,4] tanh(y)
  zero = f32[] constant(0)
  ROOT r = f32[8] reduce(t, zero), dimensions={1}, to_apply=add
})";

TEST(HloCostAnalysisTest, InstructionsAlsoOfCalledComputations) {
  auto module = ParseModule(kLayer);
  HloCostAnalysis analysis;
  ASSERT_EQ(Visit(*module, analysis), absl::OkStatus());
  const HloInstruction& dot = Find(*module, "y");
  EXPECT_EQ(analysis.flop_count(dot), 2 * 8 * 16 * 4);
  EXPECT_EQ(analysis.transcendental_count(dot), 0);
  EXPECT_EQ(analysis.bytes_accessed(dot), 4 * (128 + 64 + 32));
  EXPECT_EQ(analysis.operand_bytes_accessed(dot, 0), 4 * 128);
  EXPECT_EQ(analysis.operand_bytes_accessed(dot, 1), 4 * 64);
  EXPECT_EQ(analysis.output_bytes_accessed(dot), 4 * 32);
  EXPECT_EQ(analysis.operand_utilization(dot, 1), 1);
  EXPECT_EQ(analysis.transcendental_count(Find(*module, "t")), 32);
  EXPECT_EQ(analysis.flop_count(Find(*module, "r")), 8 * 3);
  EXPECT_EQ(analysis.flop_count(Find(*module, "sum")), 1);
  EXPECT_EQ(analysis.flop_count(), 2 * 8 * 16 * 4 + 8 * 3);
  EXPECT_EQ(analysis.transcendental_count(), 32);
  EXPECT_EQ(analysis.property("utilization0{}"), 3);
}

TEST(HloCostAnalysisTest, WhatWasNotVisitedCostsNothing) {
  auto module = ParseModule(kLayer);
  HloCostAnalysis analysis;
  const HloInstruction& dot = Find(*module, "y");
  EXPECT_EQ(analysis.flop_count(dot), 0);
  EXPECT_EQ(analysis.optimal_seconds(dot), 0);
  EXPECT_EQ(TextOf(analysis.properties(dot)), "");
}

TEST(HloCostAnalysisTest, TimesFollowFromRatesAndLatencies) {
  auto module = ParseModule(kLayer);
  HloCostAnalysis::Options options;
  options.set_flops_per_second(1024);
  options.set_bytes_per_second(2 * 896);
  options.set_transcendentals_per_second(4);
  HloCostAnalysis analysis(options);
  ASSERT_EQ(Visit(*module, analysis), absl::OkStatus());
  // A second of arithmetic hides half a second of traffic.
  EXPECT_EQ(analysis.optimal_seconds(Find(*module, "y")), 1);
  EXPECT_EQ(analysis.optimal_seconds(Find(*module, "t")), 32 / 4);
  EXPECT_EQ(analysis.optimal_seconds(Find(*module, "x")), 0);
  const float reduction = 4 * (32 + 1 + 8) / (2 * 896.0f);
  EXPECT_EQ(analysis.optimal_seconds(Find(*module, "r")), reduction);
  EXPECT_EQ(analysis.optimal_seconds(), 1 + 8 + reduction);
  EXPECT_EQ(analysis.per_second_rate(HloCostAnalysis::kFlopsKey), 1024);

  options.set_flops_min_latency_second(3);
  options.set_bytes_min_latency_second(2);
  HloCostAnalysis slow(options);
  ASSERT_EQ(Visit(*module, slow), absl::OkStatus());
  EXPECT_EQ(slow.optimal_seconds(Find(*module, "y")), 3);
  EXPECT_EQ(slow.optimal_seconds(Find(*module, "t")), 32 / 4);
  EXPECT_EQ(slow.optimal_seconds(Find(*module, "zero")), 0);
  EXPECT_EQ(slow.min_latency_seconds(HloCostAnalysis::kBytesAccessedKey), 2);
}

TEST(HloCostAnalysisTest, ShapeSizesOfTheHardware) {
  auto module = ParseModule(kLayer);
  const auto padded = [](const Shape& shape) {
    return (ShapeUtil::ByteSizeOf(shape, 8) + 511) / 512 * 512;
  };
  HloCostAnalysis analysis(padded);
  ASSERT_EQ(Visit(*module, analysis), absl::OkStatus());
  EXPECT_EQ(analysis.bytes_accessed(Find(*module, "y")), 3 * 512);
  Shape without_layout = ShapeUtil::MakeShape(F32, {3});
  without_layout.clear_layout();
  EXPECT_EQ(analysis.GetShapeSize(without_layout), 0);
  EXPECT_EQ(HloCostAnalysis::DefaultShapeSize(ShapeUtil::MakeOpaqueShape()), 8);
}

constexpr char kFusion[] = R"(
HloModule fusion
fused {
  t = (f32[100], (f32[40], f32[8])) parameter(0)
  i = s32[] parameter(1)
  v = f32[1000] parameter(2)
  x = f32[100] get-tuple-element(t), index=0
  u = (f32[40], f32[8]) get-tuple-element(t), index=1
  y = f32[40] get-tuple-element(u), index=0
  z = f32[8] get-tuple-element(u), index=1
  a = f32[8] dynamic-slice(x, i), dynamic_slice_sizes={8}
  b = f32[8] slice(y), slice={[0:8]}
  c = f32[8] constant({1, 2, 3, 4, 5, 6, 7, 8})
  d = f32[8] add(a, b)
  e = f32[8] multiply(d, c)
  f = f32[8] exponential(z)
  g = f32[8] add(e, f)
  n = f32[1000] dynamic-update-slice(v, g, i)
  ROOT r = (f32[8], f32[1000]) tuple(g, n)
}
ENTRY e {
  t = (f32[100], (f32[40]{0:S(5)}, f32[8])) parameter(0)
  i = s32[] parameter(1)
  v = f32[1000] parameter(2)
  ROOT fusion = (f32[8], f32[1000]{0:S(5)}) fusion(t, i, v), kind=kLoop, calls=fused
})";

TEST(HloCostAnalysisTest, FusionsReadPartsOfOperands) {
  auto module = ParseModule(kFusion);
  HloCostAnalysis analysis;
  ASSERT_EQ(Visit(*module, analysis), absl::OkStatus());
  const HloInstruction& fusion = Find(*module, "fusion");
  EXPECT_EQ(analysis.operand_bytes_accessed(fusion, 0, {0}), 4 * 8);
  EXPECT_EQ(analysis.operand_bytes_accessed(fusion, 0, {1, 0}), 4 * 8);
  EXPECT_EQ(analysis.operand_bytes_accessed(fusion, 0, {1, 1}), 4 * 8);
  EXPECT_EQ(analysis.operand_bytes_accessed(fusion, 0), 3 * 4 * 8);
  EXPECT_EQ(analysis.operand_bytes_accessed(fusion, 1), 4);
  EXPECT_EQ(analysis.operand_bytes_accessed(fusion, 2), 0);
  EXPECT_EQ(analysis.output_bytes_accessed(fusion, {0}), 4 * 8);
  EXPECT_EQ(analysis.output_bytes_accessed(fusion, {1}), 4 * 8);
  EXPECT_EQ(analysis.output_bytes_accessed(fusion), 2 * 4 * 8);
  // The constant is read too.
  EXPECT_EQ(analysis.bytes_accessed(fusion), 6 * 4 * 8 + 4);
  EXPECT_EQ(analysis.flop_count(fusion), 3 * 8);
  EXPECT_EQ(analysis.transcendental_count(Find(*module, "f")), 8);
  EXPECT_EQ(analysis.GetBytesRead(fusion), 3 * 4 * 8 + 4);
  EXPECT_EQ(analysis.GetBytesRead(fusion, 5), 4 * 8);
  EXPECT_EQ(analysis.GetBytesWritten(fusion), 2 * 4 * 8);
  EXPECT_EQ(analysis.GetBytesWritten(fusion, 0), 4 * 8);
  EXPECT_EQ(analysis.GetBytesWritten(fusion, 7), 0);
}

// Counts nothing of operand 0 and output 1, and keeps constants in the code.
class FilteringAnalysis : public HloCostAnalysis {
 public:
  using HloCostAnalysis::HloCostAnalysis;

 protected:
  bool ShouldFilterFusionInput(const HloInstruction*, int64_t i) override {
    return i == 0;
  }
  bool ShouldFilterFusionInstruction(const HloInstruction*,
                                     const HloInstruction* hlo) override {
    return hlo->name() == "i";
  }
  bool ShouldFilterFusionOutputIndex(const HloInstruction*,
                                     const ShapeIndex& index) override {
    return index == ShapeIndex{1};
  }
  size_t immediate_constant_max_elements() const override { return 8; }
};

TEST(HloCostAnalysisTest, SubclassesFilterFusions) {
  auto module = ParseModule(kFusion);
  FilteringAnalysis analysis;
  ASSERT_EQ(Visit(*module, analysis), absl::OkStatus());
  const HloInstruction& fusion = Find(*module, "fusion");
  EXPECT_EQ(analysis.operand_bytes_accessed(fusion, 0), 0);
  EXPECT_EQ(analysis.operand_bytes_accessed(fusion, 0, {0}), 0);
  EXPECT_EQ(analysis.operand_utilization(fusion, 0), 1);
  EXPECT_EQ(analysis.operand_utilization(fusion, 1), 0);
  EXPECT_EQ(analysis.operand_utilization(fusion, 2), 1);
  EXPECT_EQ(analysis.output_bytes_accessed(fusion, {1}), 0);
  EXPECT_EQ(analysis.output_bytes_accessed(fusion), 4 * 8);
  EXPECT_EQ(analysis.bytes_accessed(fusion), 4 * 8 + 4);
  EXPECT_EQ(analysis.operand_utilization(Find(*module, "n"), 0), 0);
}

// Gives dots the rate of a matrix unit, and counts all of them by a key.
class MatrixAnalysis : public HloCostAnalysis {
 public:
  using HloCostAnalysis::HloCostAnalysis;

  absl::Status HandleDot(const HloInstruction* dot) override {
    const absl::Status status = HloCostAnalysis::HandleDot(dot);
    current_properties_[kFlopsKey] /= 16;
    current_properties_["dots"] = 1;
    current_properties_[kReserved0Key] = dot->operand_count();
    return status;
  }
  absl::Status HandleElementwiseOp(const HloInstruction* hlo) override {
    return hlo->opcode() == HloOpcode::kAdd
               ? absl::OkStatus()
               : HloCostAnalysis::HandleElementwiseOp(hlo);
  }
  int64_t GetConvolutionFlops(const HloInstruction* convolution) override {
    return GetConvolutionFlopsOf(convolution) / 2;
  }

 protected:
  std::unique_ptr<HloCostAnalysis> CreateNestedCostAnalysis() override {
    return std::make_unique<MatrixAnalysis>(options_);
  }

 private:
  int64_t GetConvolutionFlopsOf(const HloInstruction* convolution) {
    return HloCostAnalysis::GetConvolutionFlops(convolution);
  }
};

TEST(HloCostAnalysisTest, SubclassesChangeHandlers) {
  auto module = ParseModule(kLayer);
  MatrixAnalysis analysis;
  ASSERT_EQ(Visit(*module, analysis), absl::OkStatus());
  EXPECT_EQ(analysis.flop_count(), 2 * 8 * 16 * 4 / 16);
  EXPECT_EQ(analysis.property("dots"), 1);
  EXPECT_EQ(analysis.property(HloCostAnalysis::kReserved0Key), 2);
}

TEST(HloCostAnalysisTest, NestedAnalysesAreOfTheSubclass) {
  auto module = ParseModule(R"(
HloModule m
products {
  x = f32[4,4] parameter(0)
  y = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT z = f32[4,4] dot(y, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
ENTRY e {
  x = f32[4,4] parameter(0)
  a = f32[4,4] call(x), to_apply=products
  i = f32[1,8,3] parameter(1)
  k = f32[3,3,2] parameter(2)
  c = f32[1,6,2] convolution(i, k), window={size=3}, dim_labels=b0f_0io->b0f
  ROOT b = f32[4,4] fusion(a), kind=kOutput, calls=products
})");
  MatrixAnalysis analysis;
  ASSERT_EQ(Visit(*module, analysis), absl::OkStatus());
  EXPECT_EQ(analysis.property("dots"), 4);
  EXPECT_EQ(analysis.flop_count(Find(*module, "b")), 2 * 2 * 64 / 16);
  EXPECT_EQ(analysis.flop_count(Find(*module, "c")), 6 * 2 * 9);
}

TEST(HloCostAnalysisTest, ReusedInputsCountOnceOrEachTime) {
  auto module = ParseModule(R"(
HloModule m
add {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT sum = f32[] add(p, q)
}
ENTRY e {
  x = f32[10] parameter(0)
  zero = f32[] constant(0)
  b = f32[10,5] broadcast(x), dimensions={0}
  ROOT w = f32[8,5] reduce-window(b, zero), window={size=3x1}, to_apply=add
})");
  HloCostAnalysis once;
  ASSERT_EQ(Visit(*module, once), absl::OkStatus());
  EXPECT_EQ(once.operand_bytes_accessed(Find(*module, "b"), 0), 40);
  EXPECT_EQ(once.operand_utilization(Find(*module, "w"), 0), 1);
  HloCostAnalysis::Options options;
  options.count_multiple_input_accesses = true;
  HloCostAnalysis each(options);
  ASSERT_EQ(Visit(*module, each), absl::OkStatus());
  EXPECT_EQ(each.operand_bytes_accessed(Find(*module, "b"), 0), 200);
  EXPECT_EQ(each.operand_utilization(Find(*module, "b"), 0), 5);
  EXPECT_EQ(each.operand_bytes_accessed(Find(*module, "w"), 0), 4 * 40 * 3);
  EXPECT_EQ(each.operand_utilization(Find(*module, "w"), 0), 120 / 50.0f);
}

TEST(HloCostAnalysisTest, UtilizationsOfParts) {
  auto module = ParseModule(R"(
HloModule m
ENTRY e {
  x = f32[10,4] parameter(0)
  u = f32[2,4] parameter(1)
  i = s32[] parameter(2)
  d = f32[10,4] dynamic-update-slice(x, u, i, i)
  ROOT s = f32[5,4] slice(d), slice={[0:10:2], [0:4]}
})");
  HloCostAnalysis analysis;
  ASSERT_EQ(Visit(*module, analysis), absl::OkStatus());
  EXPECT_EQ(analysis.operand_utilization(Find(*module, "d"), 0), 0.8f);
  EXPECT_EQ(analysis.operand_utilization(Find(*module, "d"), 1), 1);
  EXPECT_EQ(analysis.operand_utilization(Find(*module, "s"), 0), 0.5f);
}

TEST(HloCostAnalysisTest, ChangedInstructionsAreVisitedAgain) {
  auto module = ParseModule(kLayer);
  HloCostAnalysis analysis;
  ASSERT_EQ(Visit(*module, analysis), absl::OkStatus());
  const float before = analysis.flop_count();
  auto* dot = const_cast<HloInstruction*>(&Find(*module, "y"));
  ASSERT_EQ(analysis.RemoveInstruction(dot), absl::OkStatus());
  EXPECT_EQ(analysis.flop_count(), before - 1024);
  EXPECT_EQ(analysis.flop_count(*dot), 0);
  ASSERT_EQ(analysis.RemoveInstruction(dot), absl::OkStatus());
  EXPECT_EQ(analysis.flop_count(), before - 1024);
  *dot->mutable_shape() = ShapeUtil::MakeShape(BF16, {8, 4});
  ASSERT_EQ(analysis.RevisitInstruction(dot), absl::OkStatus());
  ASSERT_EQ(analysis.RevisitInstruction(dot), absl::OkStatus());
  EXPECT_EQ(analysis.flop_count(), before);
  EXPECT_EQ(analysis.output_bytes_accessed(*dot), 64);
}

// Counting takes no time in the strides and dilations.
TEST(HloCostAnalysisTest, StridesOverWideGaps) {
  auto module = ParseModule(R"(
HloModule m
ENTRY e {
  x = f32[1,524288,1] parameter(0)
  k = f32[524288,1,1] parameter(1)
  ROOT c = f32[1,524288,1] convolution(x, k),
    window={size=524288 stride=524287 lhs_dilate=524288}, dim_labels=b0f_0io->b0f
})");
  EXPECT_EQ(HloCostAnalysis::GetConvolutionFlops(
                &Find(*module, "c"), ShapeUtil::MakeShape(F32, {1, 524288, 1}),
                ShapeUtil::MakeShape(F32, {524288, 1, 1}),
                ShapeUtil::MakeShape(F32, {1, 524288, 1})),
            2 * 524288);
}

TEST(HloCostAnalysisTest, FlopsOfOtherShapes) {
  auto module = ParseModule(R"(
HloModule m
ENTRY e {
  x = f32[1,8,3] parameter(0)
  k = f32[3,3,2] parameter(1)
  ROOT c = f32[1,6,2] convolution(x, k), window={size=3}, dim_labels=b0f_0io->b0f
})");
  EXPECT_EQ(HloCostAnalysis::GetConvolutionFlops(
                &Find(*module, "c"), ShapeUtil::MakeShape(F32, {1, 8, 16}),
                ShapeUtil::MakeShape(F32, {3, 16, 32}),
                ShapeUtil::MakeShape(F32, {1, 6, 32})),
            2 * 18 * 16 * 32);
  DotDimensionNumbers dims;
  dims.add_lhs_contracting_dimensions(1);
  EXPECT_EQ(
      HloCostAnalysis::GetDotFlops(ShapeUtil::MakeShape(F32, {3, 7}),
                                   ShapeUtil::MakeShape(F32, {3, 5}), dims),
      2 * 15 * 7);
}

TEST(HloCostAnalysisTest, HugeCountsSaturate) {
  auto module = ParseModule(R"(
HloModule m
ENTRY e {
  a = s8[2147483648,1073741824] parameter(0)
  b = s8[1073741824,2147483648] parameter(1)
  d = s8[2147483648,2147483648] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  x = s8[1,1099511627776,1] parameter(2)
  k = s8[1099511627776,1,1] parameter(3)
  ROOT c = s8[1,1099511627776,1] convolution(x, k), window={size=1099511627776 pad=1099511627775_0}, dim_labels=b0f_0io->b0f
})");
  HloCostAnalysis analysis;
  ASSERT_EQ(Visit(*module, analysis), absl::OkStatus());
  constexpr auto kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(analysis.flop_count(Find(*module, "d")), kMost);
  EXPECT_EQ(analysis.flop_count(Find(*module, "c")), kMost);
}

TEST(HloCostAnalysisTest, UnknownSizesAreErrors) {
  auto module = ParseModule(R"(
HloModule m
ENTRY e {
  x = (f32[3], f32[?,2]) parameter(0)
  ROOT y = f32[3] get-tuple-element(x), index=0
})");
  HloCostAnalysis analysis;
  const absl::Status status = Visit(*module, analysis);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(status.message(), HasSubstr("the cost of x is unknown"));
}

std::unique_ptr<HloModule> Nested(int depth) {
  std::string text = "HloModule m\n";
  for (int i = 0; i < depth; ++i) {
    absl::StrAppend(
        &text, i + 1 == depth ? "ENTRY " : "", "level", i,
        " {\n  p = f32[2] parameter(0)\n  ROOT r = f32[2] ",
        i == 0 ? "negate(p)" : absl::StrCat("call(p), to_apply=level", i - 1),
        "\n}\n");
  }
  return ParseModule(text);
}

TEST(HloCostAnalysisTest, CallsMayNotBeNestedTooDeeply) {
  HloCostAnalysis analysis;
  ASSERT_EQ(Visit(*Nested(HloCostAnalysis::kMaxNesting + 1), analysis),
            absl::OkStatus());
  EXPECT_EQ(analysis.flop_count(), 2);
  HloCostAnalysis deeper;
  const absl::Status status =
      Visit(*Nested(HloCostAnalysis::kMaxNesting + 2), deeper);
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
}

// Each level uses the one below twice, in the way of `op`.
std::unique_ptr<HloModule> UsedTwice(int depth, absl::string_view op) {
  std::string text = "HloModule m\n";
  for (int i = 0; i < depth; ++i) {
    const std::string use = absl::Substitute(op, absl::StrCat("level", i - 1));
    absl::StrAppend(&text, i + 1 == depth ? "ENTRY " : "", "level", i,
                    " {\n  p = f32[2] parameter(0)\n  a = f32[2] ",
                    i == 0 ? "negate(p)" : use, "\n  b = f32[2] ",
                    i == 0 ? "exponential(p)" : use,
                    "\n  ROOT r = f32[2] add(a, b)\n}\n");
  }
  return ParseModule(text);
}

TEST(HloCostAnalysisTest, WhatIsCalledManyTimesIsVisitedOnce) {
  constexpr int kDepth = 60;
  for (const absl::string_view op :
       {"call(p), to_apply=$0", "fusion(p), kind=kLoop, calls=$0"}) {
    const auto module = UsedTwice(kDepth, op);
    HloCostAnalysis analysis;
    ASSERT_EQ(Visit(*module, analysis), absl::OkStatus());
    EXPECT_EQ(analysis.transcendental_count(), std::ldexp(2.0f, kDepth - 1));
    // Of the lowest level 4, of each other one 2 and twice those below.
    EXPECT_EQ(analysis.flop_count(), std::ldexp(6.0f, kDepth - 1));
    // Also what is called from the last level only through others is known.
    const auto& lowest = *module->GetComputationWithName("level0");
    EXPECT_EQ(analysis.flop_count(*lowest.root_instruction()), 2);
  }
}

// Here the levels are of elements.
TEST(HloCostAnalysisTest, MapsOfMapsAreVisitedOnce) {
  std::string text = "HloModule m\n";
  constexpr int kDepth = 60;
  for (int i = 0; i < kDepth; ++i) {
    const std::string use = absl::StrCat("map(p), to_apply=level", i - 1);
    absl::StrAppend(&text, i + 1 == kDepth ? "ENTRY " : "", "level", i,
                    " {\n  p = f32[] parameter(0)\n  a = f32[] ",
                    i == 0 ? "negate(p)" : use, "\n  b = f32[] ",
                    i == 0 ? "negate(p)" : use,
                    "\n  ROOT r = f32[] add(a, b)\n}\n");
  }
  HloCostAnalysis analysis;
  ASSERT_EQ(Visit(*ParseModule(text), analysis), absl::OkStatus());
  EXPECT_EQ(analysis.flop_count(), std::ldexp(4.0f, kDepth - 1));
}

// A parameter is read once by each use of each fusion inside; no number holds
// all of these.
TEST(HloCostAnalysisTest, ReadsOfNestedFusionsSaturate) {
  std::string text = "HloModule m\n";
  constexpr int kDepth = 80;
  for (int i = 0; i < kDepth; ++i) {
    const std::string calls = absl::StrCat(", kind=kLoop, calls=level", i - 1);
    absl::StrAppend(&text, i + 1 == kDepth ? "ENTRY " : "", "level", i,
                    " {\n  p = f32[2] parameter(0)\n  q = f32[2] "
                    "parameter(1)\n  f = f32[2] ",
                    i == 0 ? "negate(p)" : absl::StrCat("fusion(p, q)", calls),
                    "\n  g = f32[2] ",
                    i == 0 ? "negate(q)" : absl::StrCat("fusion(q, p)", calls),
                    "\n  ROOT r = f32[2] add(f, g)\n}\n");
  }
  const auto module = ParseModule(text);
  HloCostAnalysis analysis;
  ASSERT_EQ(Visit(*module, analysis), absl::OkStatus());
  const HloInstruction& fusion =
      *module->entry_computation()->root_instruction()->operand(0);
  EXPECT_EQ(analysis.operand_bytes_accessed(fusion, 0),
            std::numeric_limits<int64_t>::max());
  const HloInstruction& second =
      *module->GetComputationWithName("level2")->root_instruction()->operand(0);
  EXPECT_EQ(analysis.operand_bytes_accessed(second, 0), 2 * 8);
}

// The depth counts, not in which order the calls are visited.
TEST(HloCostAnalysisTest, WhatIsKnownOfACalleeIncludesItsDepth) {
  const int half = HloCostAnalysis::kMaxNesting / 2;
  std::string text = "HloModule m\n";
  for (int i = 0; i < 2 * half + 2; ++i) {
    const std::string use = absl::StrCat("call(p), to_apply=level", i - 1);
    absl::StrAppend(&text, "level", i, " {\n  p = f32[2] parameter(0)\n",
                    "  ROOT r = f32[2] ", i == 0 ? "negate(p)" : use, "\n}\n");
  }
  absl::StrAppend(&text, R"(ENTRY e {
  p = f32[2] parameter(0)
  a = f32[2] call(p), to_apply=level)",
                  half, R"(
  b = f32[2] call(a), to_apply=level)",
                  half, R"(
  ROOT c = f32[2] call(b), to_apply=level)",
                  2 * half + 1, "\n}\n");
  HloCostAnalysis analysis;
  const absl::Status status = Visit(*ParseModule(text), analysis);
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
}

// What was found of a callee is not used after a change.
TEST(HloCostAnalysisTest, ChangedCalleesAreVisitedAgain) {
  const auto module = UsedTwice(3, "call(p), to_apply=$0");
  HloCostAnalysis analysis;
  ASSERT_EQ(Visit(*module, analysis), absl::OkStatus());
  const float before = analysis.flop_count();
  HloComputation* lowest = module->GetComputationWithName("level0");
  lowest->set_root_instruction(
      lowest->AddInstruction(HloInstruction::CreateUnary(
          lowest->root_instruction()->shape(), HloOpcode::kNegate,
          lowest->root_instruction())));
  for (HloInstruction* call :
       lowest->parent()->entry_computation()->root_instruction()->operands()) {
    ASSERT_EQ(analysis.RevisitInstruction(call), absl::OkStatus());
  }
  EXPECT_EQ(analysis.flop_count(), before + 4 * 2);
}

TEST(HloCostAnalysisTest, TransposesWithoutLayout) {
  auto module = ParseModule(R"(
HloModule m
ENTRY e {
  x = f32[3,4] parameter(0)
  ROOT t = f32[4,3] transpose(x), dimensions={1,0}
})");
  HloInstruction* root = module->entry_computation()->root_instruction();
  for (HloInstruction* hlo : {root, root->mutable_operand(0)}) {
    hlo->mutable_shape()->clear_layout();
    HloCostAnalysis analysis;
    ASSERT_EQ(Visit(*module, analysis), absl::OkStatus());
    EXPECT_EQ(analysis.output_bytes_accessed(*root), 0);
    EXPECT_EQ(analysis.flop_count(), 0);
  }
}

TEST(HloCostPropertiesTest, EveryNameHasANumber) {
  HloCostAnalysis::Properties properties;
  const auto& constant = properties;
  EXPECT_EQ(constant["none"], 0);
  properties["mine"] = 3;
  properties["mine"] += 1;
  properties["gone"] = 0;
  properties[HloCostAnalysis::kFlopsKey] = 5;
  properties.set_operand_bytes_accessed(1, 6);
  properties.set_operand_bytes_accessed(2, {0, 1}, 7);
  properties.set_operand_utilization(0, 0.5);
  properties.set_operand_utilization(3, {1}, 0.25);
  properties.set_output_bytes_accessed(8);
  properties.set_output_bytes_accessed({2}, 9);
  EXPECT_EQ(constant["mine"], 4);
  EXPECT_EQ(constant["flops"], 5);
  EXPECT_EQ(properties.operand_bytes_accessed(1), 6);
  EXPECT_EQ(constant[HloCostAnalysis::GetOperandBytesAccessedKey(2, {0, 1})],
            7);
  EXPECT_EQ(properties.operand_bytes_accessed(2), 0);
  EXPECT_EQ(constant[HloCostAnalysis::GetOperandUtilizationKey(0)], 0.5);
  EXPECT_EQ(properties.operand_utilization(3, {1}), 0.25);
  EXPECT_EQ(constant[HloCostAnalysis::GetOutputBytesAccessedKey()], 8);
  EXPECT_EQ(properties.output_bytes_accessed({2}), 9);
  EXPECT_EQ(TextOf(properties),
            "flops: 5, utilization0{}: 0.5, bytes accessed1{}: 6, "
            "bytes accessedout{}: 8, bytes accessed2{0,1}: 7, "
            "bytes accessedout{2}: 9, mine: 4, utilization3{1}: 0.25");
}

TEST(HloCostPropertiesTest, Texts) {
  HloCostAnalysis::Options options;
  options.set_flops_per_second(5);
  options.per_second_rates["mine"] = 2;
  EXPECT_THAT(options.per_second_rates.ToString(), HasSubstr(" flops: 5.0"));
  EXPECT_THAT(options.per_second_rates.ToString(), Not(HasSubstr("mine")));
  EXPECT_THAT(options.per_second_rates.ToString(true),
              HasSubstr(" mine: 2.000000\n}"));
  EXPECT_THAT(options.ToString(),
              HasSubstr("count_multiple_input_accesses: 0"));
}

}  // namespace
}  // namespace xla
