// Functions that add instructions, as passes written for XLA call them.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/literal_util.h"
#include "xla/service/hlo_creation_utils.h"
#include "xla/service/pattern_matcher.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

namespace m = match;
using ::testing::ElementsAre;

class CreationUtilsTest : public HloHardwareIndependentTestBase {
 protected:
  // A module with one parameter, to whose computation tests add.
  HloInstruction* Parameter(const Shape& shape) {
    module_ = std::make_unique<HloModule>("m", HloModuleConfig());
    HloComputation::Builder builder("entry");
    builder.AddInstruction(HloInstruction::CreateParameter(0, shape, "p"));
    computation_ = module_->AddEntryComputation(builder.Build());
    return computation_->parameter_instruction(0);
  }
  // Makes `root` the result, verifies the module and evaluates it.
  Literal Run(HloInstruction* root, const Literal& argument) {
    computation_->set_root_instruction(root);
    *module_->mutable_entry_computation_layout() =
        ComputationLayout(computation_->ComputeProgramShape());
    EXPECT_TRUE(verifier().Run(module_.get()).status().ok())
        << module_->ToString();
    return HloEvaluator().Evaluate(*module_, {&argument}).value();
  }

  std::unique_ptr<HloModule> module_;
  HloComputation* computation_ = nullptr;
};

TEST_F(CreationUtilsTest, DimensionsOfSizeOneAndOthers) {
  HloInstruction* p = Parameter(ShapeUtil::MakeShape(S32, {2, 3, 4}));
  HloInstruction* flat = CollapseFirstNDims(p, 2).value();
  EXPECT_THAT(flat->shape().dimensions(), ElementsAre(6, 4));
  EXPECT_THAT(PrependDegenerateDims(p, 2).value()->shape().dimensions(),
              ElementsAre(1, 1, 2, 3, 4));
  EXPECT_THAT(
      ExpandFirstDimIntoNDims(flat, {3, 2}).value()->shape().dimensions(),
      ElementsAre(3, 2, 4));
  HloInstruction* wide = InsertDegenerateDims(flat, {0, 2}).value();
  EXPECT_THAT(wide->shape().dimensions(), ElementsAre(1, 6, 1, 4));
  EXPECT_THAT(ElideDegenerateDims(wide, {0, 2}).value()->shape().dimensions(),
              ElementsAre(6, 4));
  EXPECT_FALSE(MakeReshapeHlo({5}, p).ok());
  const Shape dynamic =
      ShapeUtil::MakeShape(F32, {2, 3, 4}, {false, true, false});
  HloInstruction* q = Parameter(dynamic);
  EXPECT_TRUE(
      CollapseFirstNDims(q, 2).value()->shape().is_dynamic_dimension(0));
}

TEST_F(CreationUtilsTest, ElementwiseAndMovement) {
  HloInstruction* p = Parameter(ShapeUtil::MakeShape(F32, {3}));
  HloInstruction* twice = MakeBinaryHlo(HloOpcode::kAdd, p, p).value();
  HloInstruction* negated = MakeUnaryHlo(HloOpcode::kNegate, twice).value();
  HloInstruction* padded = PadVectorWithZeros(negated, 1, 2).value();
  HloInstruction* part = MakeSliceHlo(padded, {1}, {5}, {1}).value();
  HloInstruction* reversed = MakeReverseHlo(part, {0}).value();
  HloInstruction* both = MakeConcatHlo({reversed, p}, 0).value();
  const Literal result = Run(both, LiteralUtil::CreateR1<float>({1, 2, 3}));
  EXPECT_EQ(result, LiteralUtil::CreateR1<float>({0, -6, -4, -2, 1, 2, 3}));
  EXPECT_FALSE(MakeBinaryHlo(HloOpcode::kAdd, p, padded).ok());
  EXPECT_FALSE(MakeSliceHlo(p, {1}, {5}, {1}).ok());
}

TEST_F(CreationUtilsTest, SelectsAndBounds) {
  HloInstruction* p = Parameter(ShapeUtil::MakeShape(S32, {4}));
  HloInstruction* in_range =
      MakeWithinBounds(p, MakeScalarLike(p, 1), MakeScalarLike(p, 3)).value();
  HloInstruction* ones = BroadcastOnes(computation_, S32, {4});
  HloInstruction* zeros = BroadcastZeros(computation_, S32, {4});
  HloInstruction* chosen = MakeSelectHlo(in_range, ones, zeros).value();
  EXPECT_EQ(Run(chosen, LiteralUtil::CreateR1<int32_t>({0, 1, 2, 3})),
            LiteralUtil::CreateR1<int32_t>({0, 1, 1, 0}));
  HloInstruction* scalar = MakeR0ConstantHlo<bool>(computation_, true);
  OpMetadata metadata;
  metadata.set_op_name("chosen");
  HloInstruction* derived =
      MakeSelectHlo(scalar, p, zeros, nullptr, &metadata).value();
  EXPECT_TRUE(Match(derived, m::Select(m::Broadcast(m::ConstantScalar(true)),
                                       m::Parameter(0), m::Broadcast())));
  EXPECT_EQ(derived->operand(0)->operand(0), scalar);
  EXPECT_EQ(derived->metadata().op_name(), "chosen");
}

TEST_F(CreationUtilsTest, Reductions) {
  HloInstruction* p = Parameter(ShapeUtil::MakeShape(F32, {2, 3}));
  HloInstruction* zero = MakeR0ConstantHlo<float>(computation_, 0);
  HloInstruction* rows = MakeReduceHlo(p, zero, {1}, HloOpcode::kAdd).value();
  EXPECT_THAT(rows->shape().dimensions(), ElementsAre(2));
  HloInstruction* all =
      MakeReduceHlo(p, zero, HloOpcode::kAdd, module_.get()).value();
  HloInstruction* tuple = MaybeMakeTuple({rows, all});
  const Literal result =
      Run(tuple, LiteralUtil::CreateR2<float>({{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(result.Get<float>({1}, {0}), 15);
  EXPECT_EQ(result.Get<float>({}, {1}), 21);
  EXPECT_EQ(MaybeMakeTuple({all}), all);
  EXPECT_EQ(MakeGetTupleElementHlo(tuple, 1).value()->shape(), all->shape());
  EXPECT_FALSE(MakeGetTupleElementHlo(tuple, 2).ok());
}

TEST_F(CreationUtilsTest, DynamicSlicesOfVectorsOfStarts) {
  HloInstruction* p = Parameter(ShapeUtil::MakeShape(F32, {2, 3}));
  HloInstruction* starts =
      MakeR1ConstantHlo<int32_t>(computation_, S32, {1, 0}).value();
  HloInstruction* part = MakeDynamicSliceHlo(p, starts, {1, 2}).value();
  HloInstruction* updated =
      MakeDynamicUpdateSliceHlo(p, MakeBitcastConvertToHlo(part, F32), starts)
          .value();
  EXPECT_EQ(updated->operand(1), part);
  const Literal in = LiteralUtil::CreateR2<float>({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(Run(part, in), LiteralUtil::CreateR2<float>({{4, 5}}));
  EXPECT_EQ(Run(updated, in), in);
}

TEST_F(CreationUtilsTest, ProductsAndConversions) {
  HloInstruction* p = Parameter(ShapeUtil::MakeShape(F32, {2, 2}));
  DotDimensionNumbers numbers;
  numbers.add_lhs_contracting_dimensions(1);
  numbers.add_rhs_contracting_dimensions(0);
  HloInstruction* dot =
      MakeDotHlo(p, p, numbers, PrecisionConfig(), std::nullopt).value();
  HloInstruction* turned = MakeTransposeHlo(dot, {1, 0}).value();
  HloInstruction* integers = MakeConvertToHlo(turned, S32);
  EXPECT_EQ(MakeConvertToHlo(integers, S32), integers);
  EXPECT_EQ(MakeConvertToHlo(p, S4)->shape().layout().element_size_in_bits(),
            4);
  EXPECT_EQ(Run(integers, LiteralUtil::CreateR2<float>({{1, 2}, {3, 4}})),
            LiteralUtil::CreateR2<int32_t>({{7, 15}, {10, 22}}));
}

TEST_F(CreationUtilsTest, ComputationsWithSignatures) {
  const Shape scalar = ShapeUtil::MakeShape(F32, {});
  const Shape vector = ShapeUtil::MakeShape(S32, {3});
  const Shape range = ShapeUtil::MakeTupleShape({vector, scalar});
  auto made =
      CreateComputationWithSignature({&scalar, &vector}, range, "made").value();
  EXPECT_EQ(made->name(), "made");
  const ProgramShape program = made->ComputeProgramShape();
  EXPECT_EQ(program.parameters_size(), 2);
  EXPECT_EQ(program.parameters(1), vector);
  EXPECT_EQ(program.result(), range);
}

TEST_F(CreationUtilsTest, FusionsOfOneOp) {
  HloInstruction* p = Parameter(ShapeUtil::MakeShape(F32, {2, 3}));
  HloInstruction* zero = MakeR0ConstantHlo<float>(computation_, 0);
  HloInstruction* rows = MakeReduceHlo(p, zero, {1}, HloOpcode::kAdd).value();
  auto wrapped = NewModuleWithFusion(rows, HloInstruction::FusionKind::kLoop);
  EXPECT_TRUE(verifier().Run(wrapped.get()).status().ok());
  const HloInstruction* root = wrapped->entry_computation()->root_instruction();
  EXPECT_EQ(root->opcode(), HloOpcode::kFusion);
  EXPECT_EQ(root->fused_expression_root()->opcode(), HloOpcode::kReduce);
  HloInstruction* negated = MakeUnaryHlo(HloOpcode::kNegate, rows).value();
  computation_->set_root_instruction(negated);
  HloInstruction* fusion =
      MakeFusionInstruction(negated, HloInstruction::FusionKind::kLoop).value();
  EXPECT_EQ(computation_->root_instruction(), fusion);
}

TEST_F(CreationUtilsTest, SortsAndReshapesStepByStep) {
  HloInstruction* p = Parameter(ShapeUtil::MakeShape(F32, {1, 3, 1}));
  HloInstruction* vector = MakeReshapeHlo({3}, p).value();
  HloInstruction* steps = ExpandDegenerateReshape(vector);
  ASSERT_NE(steps, nullptr);
  EXPECT_TRUE(Match(steps, m::Reshape(m::Reshape(m::Parameter(0)))));
  EXPECT_EQ(ExpandDegenerateReshape(steps), nullptr);

  HloComputation::Builder builder("sorted");
  HloInstruction* x = builder.AddInstruction(
      HloInstruction::CreateParameter(0, ShapeUtil::MakeShape(F32, {3}), "x"));
  ASSERT_TRUE(MakeSortHlo(x->shape(), {x}, 0, /*is_stable=*/false, &builder,
                          module_.get())
                  .ok());
  HloComputation* sorted = module_->AddEmbeddedComputation(builder.Build());
  const Literal in = LiteralUtil::CreateR1<float>({3, 1, 2});
  EXPECT_EQ(HloEvaluator().Evaluate(*sorted, {&in}).value(),
            LiteralUtil::CreateR1<float>({1, 2, 3}));
}

}  // namespace
}  // namespace xla
