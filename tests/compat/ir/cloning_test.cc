// Copies, fusions and builders of instructions, written as for XLA.
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/hlo_casting_utils.h"
#include "xla/hlo/ir/hlo_clone_context.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

// An entry over two vectors x and y, which tests extend.
class CloningTest : public testing::Test {
 protected:
  CloningTest() {
    HloComputation::Builder builder("main");
    HloInstruction* x = builder.AddInstruction(
        HloInstruction::CreateParameter(0, vector_, "x"));
    builder.AddInstruction(HloInstruction::CreateParameter(1, vector_, "y"));
    entry_ = module_.AddEntryComputation(builder.Build(x));
    x_ = entry_->parameter_instruction(0);
    y_ = entry_->parameter_instruction(1);
  }
  HloInstruction* Unary(HloOpcode opcode, HloInstruction* operand) {
    return entry_->AddInstruction(
        HloInstruction::CreateUnary(operand->shape(), opcode, operand));
  }
  HloInstruction* Binary(HloOpcode opcode, HloInstruction* a,
                         HloInstruction* b) {
    return entry_->AddInstruction(
        HloInstruction::CreateBinary(a->shape(), opcode, a, b));
  }
  HloInstruction* Fuse(std::vector<HloInstruction*> instructions) {
    entry_->set_root_instruction(instructions[0],
                                 /*accept_different_shape=*/true);
    return entry_->CreateFusionInstruction(instructions,
                                           HloInstruction::FusionKind::kLoop);
  }

  const Shape vector_ = ShapeUtil::MakeShape(F32, {4});
  const Shape scalar_ = ShapeUtil::MakeShape(F32, {});
  HloModule module_{"module", HloModuleConfig()};
  HloComputation* entry_;
  HloInstruction* x_;
  HloInstruction* y_;
};

TEST_F(CloningTest, CopiesOfFusionsCallCopies) {
  HloInstruction* fusion = Fuse({Binary(HloOpcode::kAdd, x_, y_)});
  HloComputation* fused = fusion->fused_instructions_computation();
  HloInstruction* copy = entry_->AddInstruction(fusion->Clone());
  EXPECT_NE(copy->fused_instructions_computation(), fused);
  EXPECT_EQ(copy->fused_instructions_computation()->name(),
            fused->name() + ".clone");
  EXPECT_EQ(copy->fused_instructions_computation()->parent(), &module_);
  EXPECT_TRUE(copy->fused_instructions_computation()->IsFusionComputation());
  EXPECT_EQ(fused->caller_instructions().size(), 1);
  EXPECT_EQ(module_.computation_count(), 3);

  // A fusion that is fused leaves its computation to the original, too.
  HloInstruction* outer = Fuse({Binary(HloOpcode::kMultiply, copy, x_)});
  const HloInstruction* inner = outer->FuseInstruction(copy);
  EXPECT_NE(inner->fused_instructions_computation(),
            copy->fused_instructions_computation());
}

TEST_F(CloningTest, CustomCallsAndAsyncStartsCopyAndCallsShare) {
  HloInstruction* call = entry_->AddInstruction(
      HloInstruction::CreateCall(vector_, Binary(HloOpcode::kAdd, x_, y_)));
  HloInstruction* custom =
      entry_->AddInstruction(HloInstruction::CreateCustomCall(
          vector_, {x_, y_}, call->to_apply(), "target"));
  EXPECT_EQ(call->Clone()->to_apply(), call->to_apply());
  EXPECT_NE(custom->Clone()->to_apply(), custom->to_apply());
}

TEST_F(CloningTest, ContextsCloneOnce) {
  HloInstruction* inner = Fuse({Binary(HloOpcode::kAdd, x_, y_)});
  HloInstruction* outer = Fuse({Binary(HloOpcode::kMultiply, inner, x_)});
  outer->FuseInstruction(inner);
  ASSERT_TRUE(entry_->RemoveInstruction(inner).ok());
  module_.RemoveUnreachableComputations();
  ASSERT_EQ(module_.computation_count(), 3);
  EXPECT_EQ(module_.Clone()->computation_count(), 3);

  HloCloneContext context(&module_);
  HloInstruction* copy = entry_->AddInstruction(outer->Clone("", &context));
  EXPECT_EQ(module_.computation_count(), 5);
  EXPECT_EQ(context.GetComputation(outer->fused_instructions_computation()),
            copy->fused_instructions_computation());
  outer->Clone("", &context);
  EXPECT_EQ(module_.computation_count(), 5);
}

TEST_F(CloningTest, WalksOverComputationsMayClone) {
  entry_->set_root_instruction(Fuse({Binary(HloOpcode::kAdd, x_, y_)}));
  int walked = 0;
  for (HloComputation* computation : module_.computations()) {
    if (++walked > 100) break;
    if (computation != entry_) continue;
    for (int i = 0; i < 50; ++i) {
      entry_->AddInstruction(entry_->root_instruction()->Clone());
    }
  }
  EXPECT_EQ(walked, 52);
}

TEST_F(CloningTest, ShardingsStayOnlyWhereTheyFit) {
  HloInstruction* sum = Binary(HloOpcode::kAdd, x_, y_);
  sum->set_sharding(HloSharding::Replicate());
  EXPECT_TRUE(sum->Clone()->has_sharding());
  EXPECT_TRUE(
      sum->CloneWithNewShape(ShapeUtil::MakeShape(F32, {8}))->has_sharding());
  EXPECT_FALSE(
      sum->CloneWithNewShape(ShapeUtil::MakeTupleShape({vector_, vector_}))
          ->has_sharding());
}

TEST_F(CloningTest, DerivedInstructionsTakeWhatIsTheirs) {
  HloInstruction* sum = Binary(HloOpcode::kAdd, x_, y_);
  sum->set_raw_backend_config_string("config");
  sum->set_frontend_attribute("_xla_compute_type", "host");
  sum->set_frontend_attribute("other", "1");
  HloInstruction* same = sum->AddInstruction(
      HloInstruction::CreateBinary(vector_, HloOpcode::kAdd, y_, x_));
  EXPECT_EQ(same->raw_backend_config_string(), "config");
  EXPECT_EQ(same->get_frontend_attribute("_xla_compute_type"), std::nullopt);
  EXPECT_EQ(same->get_frontend_attribute("other"), "1");
  HloInstruction* another = sum->AddInstruction(
      HloInstruction::CreateBinary(vector_, HloOpcode::kMultiply, y_, x_));
  EXPECT_EQ(another->raw_backend_config_string(), "");
  HloInstruction* tuple = HloInstruction::CreateTuple({x_, y_}).release();
  tuple->set_sharding(HloSharding::Replicate());
  sum->SetupDerivedInstruction(tuple);
  EXPECT_FALSE(tuple->has_sharding());
  delete tuple;
}

// Fusions -------------------------------------------------------------------

TEST_F(CloningTest, FusionsTakeInstructionsInAnyOrder) {
  HloInstruction* half = entry_->AddInstruction(
      HloInstruction::CreateConstant(LiteralUtil::CreateR0<float>(0.5)));
  HloInstruction* broadcast = entry_->AddInstruction(
      HloInstruction::CreateBroadcast(vector_, half, {}));
  HloInstruction* min = Binary(HloOpcode::kMinimum, y_, broadcast);
  HloInstruction* sub = Binary(HloOpcode::kSubtract, x_, min);
  HloInstruction* fusion = Fuse({sub, broadcast, min});
  EXPECT_THAT(fusion->operands(), ElementsAre(x_, y_, half));
  EXPECT_EQ(fusion->fused_instruction_count(), 6);
  EXPECT_EQ(entry_->instruction_count(), 4);
}

TEST_F(CloningTest, OperandsComeAsInstructionsAreFused) {
  HloInstruction* a = Unary(HloOpcode::kNegate, y_);
  HloInstruction* b = Binary(HloOpcode::kAdd, a, x_);
  EXPECT_THAT(Fuse({b, a})->operands(), ElementsAre(x_, y_));
}

TEST_F(CloningTest, OperandsThatBecomeEqualAreMerged) {
  HloInstruction* a = Unary(HloOpcode::kNegate, x_);
  HloInstruction* b = Unary(HloOpcode::kNegate, x_);
  HloInstruction* fusion = Fuse({Binary(HloOpcode::kAdd, a, b)});
  ASSERT_EQ(fusion->operand_count(), 2);
  ASSERT_TRUE(b->ReplaceAllUsesWith(a).ok());
  EXPECT_THAT(fusion->operands(), ElementsAre(a));
  EXPECT_EQ(fusion->fused_parameters().size(), 1);
  const HloInstruction* root = fusion->fused_expression_root();
  EXPECT_EQ(root->operand(0), root->operand(1));
  EXPECT_EQ(a->user_count(), 1);
}

TEST_F(CloningTest, ElementwiseFollowsTheInstructionsOfFusions) {
  HloInstruction* sum = Binary(HloOpcode::kAdd, x_, y_);
  HloInstruction* fusion = Fuse({Unary(HloOpcode::kNegate, sum), sum});
  EXPECT_TRUE(fusion->IsElementwise());
  EXPECT_FALSE(fusion->ReusesOperandElements(0));
  HloInstruction* reverse =
      entry_->AddInstruction(HloInstruction::CreateReverse(vector_, x_, {0}));
  EXPECT_FALSE(reverse->IsElementwise());
  HloInstruction* other = Fuse({Binary(HloOpcode::kAdd, reverse, x_), reverse});
  EXPECT_FALSE(other->IsElementwise());
  EXPECT_TRUE(other->ReusesOperandElements(0));

  EXPECT_TRUE(entry_->AddInstruction(HloInstruction::CreateIota(vector_, 0))
                  ->IsElementwise());
  EXPECT_TRUE(HloInstruction::CreateConstant(LiteralUtil::CreateR0<float>(1))
                  ->IsElementwise());
  EXPECT_TRUE(
      HloInstruction::CreateBitcastConvert(ShapeUtil::MakeShape(S32, {4}), x_)
          ->IsElementwise());
  EXPECT_FALSE(HloInstruction::CreateBitcastConvert(
                   ShapeUtil::MakeShape(S16, {4, 2}), x_)
                   ->IsElementwise());
}

TEST_F(CloningTest, TwoReshapesOfOneParameterReuseIt) {
  const Shape matrix = ShapeUtil::MakeShape(F32, {2, 2});
  HloInstruction* transposed =
      entry_->AddInstruction(HloInstruction::CreateTranspose(
          matrix,
          entry_->AddInstruction(HloInstruction::CreateReshape(matrix, x_)),
          {1, 0}));
  HloInstruction* straight =
      entry_->AddInstruction(HloInstruction::CreateReshape(matrix, x_));
  HloInstruction* fusion =
      Fuse({Binary(HloOpcode::kAdd, transposed, straight), transposed, straight,
            transposed->mutable_operand(0)});
  ASSERT_EQ(fusion->operand_count(), 1);
  EXPECT_TRUE(fusion->ReusesOperandElements(0));
}

TEST_F(CloningTest, OneReshapeOfAParameterMovesItOnce) {
  const Shape matrix = ShapeUtil::MakeShape(F32, {2, 2});
  HloInstruction* reshape =
      entry_->AddInstruction(HloInstruction::CreateReshape(matrix, x_));
  HloInstruction* square = Binary(HloOpcode::kMultiply, reshape, reshape);
  HloInstruction* sum = Binary(HloOpcode::kAdd, square, reshape);
  EXPECT_FALSE(Fuse({sum, square, reshape})->ReusesOperandElements(0));

  // What is moved once more is somewhere else.
  reshape = entry_->AddInstruction(HloInstruction::CreateReshape(matrix, x_));
  HloInstruction* transpose = entry_->AddInstruction(
      HloInstruction::CreateTranspose(matrix, reshape, {1, 0}));
  sum = Binary(HloOpcode::kAdd, transpose, reshape);
  EXPECT_TRUE(Fuse({sum, transpose, reshape})->ReusesOperandElements(0));

  // Both halves have all elements.
  HloInstruction* twice =
      entry_->AddInstruction(HloInstruction::CreateConcatenate(
          ShapeUtil::MakeShape(F32, {8}), {x_, x_}, 0));
  EXPECT_TRUE(Fuse({twice})->ReusesOperandElements(0));
}

// Builders ------------------------------------------------------------------

TEST(ComputationBuildersTest, GoOnAfterTheyBuilt) {
  const Shape shape = ShapeUtil::MakeShape(F32, {});
  HloModule module("module", HloModuleConfig());
  HloComputation::Builder builder("main");
  HloInstruction* x =
      builder.AddInstruction(HloInstruction::CreateParameter(0, shape, "x"));
  EXPECT_FALSE(x->IsRoot());
  EXPECT_FALSE(
      builder.AddParameter(HloInstruction::CreateParameter(0, shape, "y"))
          .ok());
  HloComputation* entry = module.AddEntryComputation(builder.Build());
  EXPECT_TRUE(x->IsRoot());
  EXPECT_EQ(x->parent(), entry);
  HloInstruction* later = builder.AddInstruction(
      HloInstruction::CreateUnary(shape, HloOpcode::kNegate, x));
  EXPECT_FALSE(later->IsRoot());
  EXPECT_EQ(later->name(), "negate");
  EXPECT_EQ(entry->instruction_count(), 1);
  EXPECT_EQ(builder.last_added_instruction(), later);
}

TEST(ComputationBuildersTest, OperandsMayComeLater) {
  const Shape shape = ShapeUtil::MakeShape(F32, {});
  HloComputation::Builder builder("main");
  HloInstruction* x =
      builder.AddInstruction(HloInstruction::CreateParameter(0, shape, "x"));
  HloInstruction* a = builder.AddInstruction(
      HloInstruction::CreateUnary(shape, HloOpcode::kNegate, x));
  HloInstruction* b = builder.AddInstruction(
      HloInstruction::CreateUnary(shape, HloOpcode::kCos, x));
  ASSERT_TRUE(a->ReplaceOperandWith(0, b).ok());
  std::unique_ptr<HloComputation> built = builder.Build(a);
  EXPECT_THAT(built->MakeInstructionPostOrder(), ElementsAre(x, b, a));
}

}  // namespace
}  // namespace xla
