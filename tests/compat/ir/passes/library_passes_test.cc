// Passes of the library under XLA's names and paths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/pass/hlo_pass_pipeline.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/hlo/testlib/pattern_matcher_gmock.h"
#include "xla/hlo/transforms/expanders/dynamic_index_splitter.h"
#include "xla/hlo/transforms/simplifiers/hlo_constant_folding.h"
#include "xla/hlo/transforms/simplifiers/reshape_mover.h"
#include "xla/hlo/transforms/simplifiers/sort_simplifier.h"
#include "xla/hlo/transforms/while_loop_trip_count_annotator.h"
#include "xla/service/call_inliner.h"
#include "xla/service/conditional_simplifier.h"
#include "xla/service/pattern_matcher.h"
#include "xla/service/while_loop_invariant_code_motion.h"
#include "xla/service/while_loop_simplifier.h"
#include "xla/tsl/platform/statusor.h"

namespace xla {
namespace {

namespace m = match;

class LibraryPassesTest : public HloHardwareIndependentTestBase {};

TEST_F(LibraryPassesTest, RunInAPipeline) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[2] parameter(0)
  a = f32[2] constant({1, 2})
  b = f32[2] constant({3, 4})
  c = f32[2] multiply(a, b)
  ROOT y = f32[2] add(x, c)
})"));
  HloPassPipeline pipeline("clean");
  pipeline.AddPass<DynamicIndexSplitter>();
  pipeline.AddPass<ReshapeMover>();
  pipeline.AddPass<SortSimplifier>();
  pipeline.AddPass<ConditionalSimplifier>();
  pipeline.AddPass<WhileLoopInvariantCodeMotion>();
  pipeline.AddPass<WhileLoopSimplifier>();
  pipeline.AddPass<WhileLoopTripCountAnnotator>();
  EXPECT_FALSE(pipeline.Run(module.get()).value());
  pipeline.AddPass<HloConstantFolding>();
  EXPECT_TRUE(pipeline.Run(module.get()).value());
  EXPECT_THAT(module->entry_computation()->root_instruction(),
              GmockMatch(m::Add(m::Parameter(0), m::Constant())));
}

TEST_F(LibraryPassesTest, OneCallIsInlined) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
square {
  p = f32[] parameter(0)
  ROOT q = f32[] multiply(p, p)
}
ENTRY e {
  x = f32[] parameter(0)
  once = f32[] call(x), to_apply=square
  ROOT twice = f32[] call(once), to_apply=square
})"));
  HloInstruction* twice = module->entry_computation()->root_instruction();
  HloInstruction* once = twice->mutable_operand(0);
  HloComputation* square = twice->to_apply();
  TF_ASSERT_OK_AND_ASSIGN(const CallInliner::InlinedInstructionMap map,
                          CallInliner::Inline(twice));
  HloInstruction* root = module->entry_computation()->root_instruction();
  EXPECT_THAT(root, GmockMatch(m::Multiply(m::Call(), m::Call())));
  EXPECT_EQ(map.size(), 2);
  EXPECT_EQ(map.at(square->root_instruction()), root);
  EXPECT_EQ(map.at(square->parameter_instruction(0)), once);
  // The other call is as it was.
  EXPECT_EQ(once->to_apply(), square);
  EXPECT_EQ(CallInliner::Inline(root).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace xla
