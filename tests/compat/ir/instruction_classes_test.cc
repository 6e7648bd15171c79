// What the classes of single ops, configurations of modules and pipelines offer
// beyond the members of instructions.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/ir/dfs_hlo_visitor_with_default.h"
#include "xla/hlo/ir/hlo_casting_utils.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/pass/hlo_pass_pipeline.h"
#include "xla/hlo/transforms/simplifiers/hlo_dce.h"
#include "xla/layout_util.h"
#include "xla/literal_util.h"
#include "xla/printer.h"
#include "xla/service/hlo_module_config.h"
#include "xla/service/hlo_verifier.h"
#include "xla/shape_util.h"
#include "xla/tsl/lib/core/status_test_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::Pointee;
using ::testing::SizeIs;

class InstructionClassesTest : public LoadedModuleTest {
 protected:
  template <typename Class>
  Class* FindAs(const char* name) {
    return Cast<Class>(Find(name));
  }
};

TEST_F(InstructionClassesTest, OperandsByTheirMeaning) {
  Load(R"(
HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY main {
  x = f32[4,8] parameter(0)
  i = s32[] parameter(1)
  zero = f32[] constant(0)
  pad = f32[6,8] pad(x, zero), padding=1_1x0_0
  window = f32[6,6] reduce-window(pad, zero), window={size=1x3}, to_apply=add
  ROOT slice = f32[2,6] dynamic-slice(window, i, i), dynamic_slice_sizes={2,6}
})");
  auto* pad = FindAs<HloPadInstruction>("pad");
  EXPECT_EQ(pad->padded_operand(), Find("x"));
  EXPECT_EQ(pad->mutable_padding_value(), Find("zero"));
  const auto* window = FindAs<HloReduceWindowInstruction>("window");
  EXPECT_THAT(window->inputs(), ElementsAre(pad));
  EXPECT_THAT(window->init_values(), ElementsAre(Find("zero")));
  EXPECT_THAT(window->input_shapes(), ElementsAre(Pointee(pad->shape())));
  EXPECT_THAT(window->init_value_shapes(),
              ElementsAre(Pointee(ShapeUtil::MakeShape(F32, {}))));
  EXPECT_THAT(window->output_shapes(), ElementsAre(Pointee(window->shape())));
  EXPECT_THAT(window->non_trivial_window_dimensions(), ElementsAre(1));
  EXPECT_THAT(FindAs<HloDynamicSliceInstruction>("slice")->index_shapes(),
              ElementsAre(Find("i")->shape(), Find("i")->shape()));
}

TEST_F(InstructionClassesTest, FusionsPermuteTheirOperands) {
  Load(R"(
HloModule m
fused {
  a = f32[2] parameter(0)
  b = f32[3] parameter(1)
  c = f32[5] parameter(2)
  ROOT d = f32[10] concatenate(a, b, c), dimensions={0}
}
ENTRY main {
  x = f32[2] parameter(0)
  y = f32[3] parameter(1)
  z = f32[5] parameter(2)
  ROOT f = f32[10] fusion(x, y, z), kind=kLoop, calls=fused
})");
  auto* fusion = FindAs<HloFusionInstruction>("f");
  TF_ASSERT_OK(fusion->PermuteFusionOperands({2, 0, 1}));
  EXPECT_THAT(fusion->operands(), ElementsAre(Find("y"), Find("z"), Find("x")));
  EXPECT_THAT(fusion->fused_parameters(),
              ElementsAre(Find("b"), Find("c"), Find("a")));
  TF_EXPECT_OK(verifier().Run(module_.get()).status());
  EXPECT_EQ(fusion->PermuteFusionOperands({0, 0, 1}).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(InstructionClassesTest, ValuesOfConstantsAreTheirOwn) {
  Load(R"(
HloModule m
ENTRY main {
  ROOT c = s32[2] constant({1, 2})
})");
  HloInstruction* copy =
      Find("c")->parent()->AddInstruction(Find("c")->Clone());
  FindAs<HloConstantInstruction>("c")->mutable_literal()->Set<int32_t>({0}, 7);
  EXPECT_EQ(Find("c")->literal(), LiteralUtil::CreateR1<int32_t>({7, 2}));
  EXPECT_EQ(copy->literal(), LiteralUtil::CreateR1<int32_t>({1, 2}));
}

TEST_F(InstructionClassesTest, CustomCallsHaveLiteralsAndLayouts) {
  Load(R"(
HloModule m
ENTRY main {
  x = f32[2,2]{1,0} parameter(0)
  ROOT call = f32[2,2]{1,0} custom-call(x), custom_call_target="t", operand_layout_constraints={f32[2,2]{1,0}}
})");
  auto* call = FindAs<HloCustomCallInstruction>("call");
  EXPECT_FALSE(call->HasLiteral());
  call->set_literal(LiteralUtil::CreateR0<int32_t>(3));
  EXPECT_EQ(call->literal(), LiteralUtil::CreateR0<int32_t>(3));
  const Shape columns =
      ShapeUtil::MakeShapeWithDenseLayout(F32, {2, 2}, {0, 1});
  call->set_operand_shapes_with_layout({columns});
  EXPECT_THAT(call->operand_shapes_with_layout(), ElementsAre(columns));
}

TEST_F(InstructionClassesTest, CollectivesThatSendNothing) {
  Load(R"(
HloModule m, replica_count=2
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY main {
  x = f32[2] parameter(0)
  alone = f32[2] all-reduce(x), replica_groups={{0},{1}}, to_apply=add
  both = f32[2] all-reduce(alone), replica_groups={{0,1}}, to_apply=add
  ROOT moved = f32[2] collective-permute(both), source_target_pairs={{0,1}}
})");
  EXPECT_TRUE(FindAs<HloAllReduceInstruction>("alone")->IsNoop());
  EXPECT_FALSE(FindAs<HloAllReduceInstruction>("both")->IsNoop());
  EXPECT_FALSE(FindAs<HloCollectivePermuteInstruction>("moved")->inplace());
}

TEST_F(InstructionClassesTest, ScansAndInfeeds) {
  Load(R"(
HloModule m
step {
  x = f32[] parameter(0)
  c = f32[] parameter(1)
  s = f32[] add(x, c)
  ROOT t = (f32[], f32[]) tuple(s, s)
}
ENTRY main {
  xs = f32[6] parameter(0)
  zero = f32[] constant(0)
  sums = (f32[6], f32[]) scan(xs, zero), dimensions={0}, is_reverse=true, num_carries=1, to_apply=step
  tok = token[] after-all()
  ROOT data = (f32[2], token[]) infeed(tok)
})");
  const auto* scan = FindAs<HloScanInstruction>("sums");
  EXPECT_EQ(scan->scan_dimension(), 0);
  EXPECT_TRUE(scan->is_reverse());
  EXPECT_EQ(scan->num_carries(), 1);
  EXPECT_THAT(scan->inputs(), ElementsAre(Find("xs")));
  EXPECT_THAT(scan->inits(), ElementsAre(Find("zero")));
  EXPECT_EQ(FindAs<HloInfeedInstruction>("data")->infeed_shape(),
            Find("data")->shape().tuple_shapes(0));
}

TEST_F(InstructionClassesTest, AsyncStartsTakeAnotherComputation) {
  Load(R"(
HloModule m
negated {
  a = f32[4] parameter(0)
  ROOT b = f32[4] negate(a)
}
other {
  c = f32[4] parameter(0)
  ROOT d = f32[4] abs(c)
}
ENTRY main {
  x = f32[4] parameter(0)
  start = ((f32[4]), f32[4], s32[]) async-start(x), calls=negated
  done = f32[4] async-done(start)
  ROOT y = f32[4] call(done), to_apply=other
})");
  const auto* start = FindAs<HloAsyncStartInstruction>("start");
  const int64_t before = module_->computation_count();
  const auto clone = start->CloneWithNewOperandsAndComputation(
      start->shape(), {Find("x")}, Find("y")->to_apply());
  EXPECT_THAT(clone->called_computations(), ElementsAre(Find("y")->to_apply()));
  EXPECT_EQ(module_->computation_count(), before);
}

TEST(DimensionNumbers, ArePrinted) {
  const GatherDimensionNumbers gather =
      HloGatherInstruction::MakeGatherDimNumbers({1}, {0}, {0}, 1);
  const std::string text =
      "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
      "index_vector_dim=1";
  EXPECT_EQ(HloGatherInstruction::GatherDimensionNumbersToString(gather), text);
  StringPrinter printer;
  HloGatherInstruction::PrintGatherDimensionNumbers(&printer, gather);
  EXPECT_EQ(std::move(printer).ToString(), text);
  EXPECT_EQ(HloScatterInstruction::ScatterDimensionNumbersToString(
                HloScatterInstruction::MakeScatterDimNumbers({1}, {0}, {0}, 1)),
            "update_window_dims={1}, inserted_window_dims={0}, "
            "scatter_dims_to_operand_dims={0}, index_vector_dim=1");
}

TEST_F(InstructionClassesTest, VisitorsFilterAndPipelinesListPasses) {
  Load(R"(
HloModule m
ENTRY main {
  x = f32[2] parameter(0)
  y = f32[2] negate(x)
  ROOT z = f32[2] add(x, y)
})");
  std::vector<std::string> seen;
  FilteredDfsHloVisitor visitor(
      [&](HloInstruction* hlo) {
        seen.emplace_back(hlo->name());
        return absl::OkStatus();
      },
      [](const HloInstruction* hlo) { return hlo->operand_count() > 0; });
  TF_ASSERT_OK(module_->entry_computation()->Accept(&visitor));
  EXPECT_THAT(seen, ElementsAre("y", "z"));

  HloPassPipeline pipeline("p");
  EXPECT_TRUE(pipeline.IsPassPipeline());
  pipeline.AddPass<HloDCE>();
  pipeline.AddInvariantCheckerDebug<HloVerifier>(false, false);
  ASSERT_EQ(pipeline.PassesSize(), 1);
  EXPECT_FALSE(pipeline.GetPass(0).IsPassPipeline());
  EXPECT_EQ(pipeline.GetPass(0).name(), HloDCE().name());
  EXPECT_THAT(module_->GetFingerprint128(), SizeIs(32));
}

TEST(ModuleConfig, HoldsWhatPassesGoBy) {
  HloModuleConfig config(ShapeUtil::MakeProgramShape(
      {ShapeUtil::MakeShape(F32, {2})}, ShapeUtil::MakeShape(S32, {})));
  EXPECT_EQ(config.GetAnalysisAllowance("layout"), -1);
  config.SetAnalysisAllowance("layout", 9);
  EXPECT_EQ(config.GetAnalysisAllowance("layout"), 9);
  EXPECT_TRUE(config.ChannelIdSensitive());
  config.set_use_auto_spmd_partitioning(true);
  EXPECT_TRUE(config.use_spmd_partitioning());
  EXPECT_FALSE(config.ChannelIdSensitive());
  config.mutable_fusion_config() = {{true, false}};
  EXPECT_THAT(config.fusion_config(), ElementsAre(ElementsAre(true, false)));
  (*config.mutable_dot_config())["d"] = {1};
  EXPECT_THAT(config.dot_config().at("d"), ElementsAre(1));
  const HloModuleConfig copy = config;
  EXPECT_EQ(copy.fusion_config(), config.fusion_config());
  EXPECT_EQ(copy.intra_op_parallelism_threads(), -1);
  EXPECT_EQ(copy.memory_fitting_level(), ExecutionOptions::EFFORT_O2);
  EXPECT_THAT(
      copy.entry_computation_layout().FlattenedParameterLayouts(),
      absl_testing::IsOkAndHolds(ElementsAre(LayoutUtil::MakeLayout({0}))));
  EXPECT_THAT(
      copy.entry_computation_layout().FlattenedResultLayouts(),
      absl_testing::IsOkAndHolds(ElementsAre(LayoutUtil::MakeLayout({}))));
}

}  // namespace
}  // namespace xla
