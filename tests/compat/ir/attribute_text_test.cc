// Text of attributes, written as for XLA.
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {
namespace {

using AttributeTextTest = ParsedModuleTest;

TEST_F(AttributeTextTest, TextOfAttributes) {
  PaddingConfig padding;
  padding.add_dimensions()->set_edge_padding_low(1);
  padding.mutable_dimensions(0)->set_edge_padding_high(2);
  padding.add_dimensions();
  EXPECT_EQ(PaddingConfigToString(padding), "1_2x0_0");
  padding.mutable_dimensions(1)->set_interior_padding(3);
  EXPECT_EQ(PaddingConfigToString(padding), "1_2_0x0_0_3");

  auto module = Parse(R"(
HloModule products
ENTRY main {
  x = f32[1,3,3,2] parameter(0)
  w = f32[2,2,2,4] parameter(1)
  a = f32[5,2,3] parameter(2)
  b = f32[5,3,2] parameter(3)
  c = f32[1,2,2,4] convolution(x, w), window={size=2x2}, dim_labels=b01f_01io->b01f
  d = f32[5,2,2] dot(a, b), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}
  ROOT t = (f32[1,2,2,4], f32[5,2,2]) tuple(c, d)
})");
  EXPECT_EQ(ConvolutionDimensionNumbersToString(
                Find(module, "c")->convolution_dimension_numbers()),
            "b01f_01io->b01f");
  EXPECT_EQ(
      DotDimensionNumbersToString(Find(module, "d")->dot_dimension_numbers()),
      "lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, "
      "rhs_contracting_dims={1}");
  EXPECT_EQ(Find(module, "c")->ToCategory(), "convolution");
  Window window = Find(module, "c")->window();
  window.mutable_dimensions(0)->set_window_dilation(2);
  Find(module, "c")->set_window(window);
  EXPECT_EQ(Find(module, "c")->ToCategory(), "convolution window-dilated");

  RaggedDotDimensionNumbers ragged;
  *ragged.mutable_dot_dimension_numbers() =
      Find(module, "d")->dot_dimension_numbers();
  ragged.add_lhs_ragged_dimensions(1);
  ragged.add_rhs_group_dimensions(0);
  EXPECT_EQ(RaggedDotDimensionNumbersToString(ragged),
            "lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, "
            "rhs_contracting_dims={1}, lhs_ragged_dims={1}, "
            "rhs_group_dims={0}");

  FrontendAttributes attributes;
  (*attributes.mutable_map())["b"] = "text";
  (*attributes.mutable_map())["a"] = "{\"json\": 1}";
  EXPECT_EQ(FrontendAttributesToString(attributes),
            "{a={\"json\": 1},b=\"text\"}");
  ResultAccuracy::Tolerance tolerance;
  tolerance.set_rtol(0.5);
  tolerance.set_ulps(2);
  EXPECT_EQ(ResultAccuracyToleranceToString(tolerance),
            "tolerance={atol=0,rtol=0.5,ulps=2}");
}

TEST_F(AttributeTextTest, WordsOfAttributes) {
  EXPECT_EQ(RandomAlgorithmToString(RNG_THREE_FRY), "rng_three_fry");
  EXPECT_EQ(StringToRandomAlgorithm("rng_three_fry").value(), RNG_THREE_FRY);
  EXPECT_EQ(RandomDistributionToString(RNG_NORMAL), "rng_normal");
  EXPECT_EQ(StringToRandomDistribution("RNG_NORMAL").value(), RNG_NORMAL);
  EXPECT_EQ(PrecisionToString(PrecisionConfig::HIGHEST), "highest");
  EXPECT_EQ(StringToPrecision("high").value(), PrecisionConfig::HIGH);
  EXPECT_EQ(AlgorithmToString(PrecisionConfig::ALG_DOT_F32_F32_F32),
            "dot_f32_f32_f32");
  EXPECT_EQ(StringToAlgorithm("dot_tf32_tf32_f32").value(),
            PrecisionConfig::ALG_DOT_TF32_TF32_F32);
  EXPECT_EQ(ResultAccuracyToString(ResultAccuracy::HIGHEST), "highest");
  EXPECT_EQ(StringToResultAccuracy("highest").value(), ResultAccuracy::HIGHEST);
  EXPECT_EQ(StringToCustomCallSchedule("schedule_earliest").value(),
            SCHEDULE_EARLIEST);
  EXPECT_EQ(StringToCustomCallApiVersion("api_version_typed_ffi").value(),
            API_VERSION_TYPED_FFI);
  EXPECT_EQ(ToString(HloInstruction::FusionKind::kOutput), "kOutput");
  EXPECT_EQ(StringToFusionKind("kCustom").value(),
            HloInstruction::FusionKind::kCustom);
  for (const absl::Status& status :
       {StringToFusionKind("loop").status(), StringToPrecision("").status(),
        StringToAlgorithm("alg_unset").status(),
        StringToRandomAlgorithm("rng").status(),
        StringToResultAccuracy("good").status(),
        StringToFusionKind("kLoop kLoop").status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  }
  ResultAccuracy accuracy;
  EXPECT_TRUE(IsValidResultAccuracy(accuracy));
  accuracy.mutable_tolerance()->set_rtol(-1);
  EXPECT_FALSE(IsValidResultAccuracy(accuracy));
}

}  // namespace
}  // namespace xla
