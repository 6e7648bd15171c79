// Fusing and taking apart, written as for XLA.
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/service/pattern_matcher.h"
#include "xla/service/pattern_matcher_gmock.h"
#include "xla/shape_util.h"
#include "xla/tsl/lib/core/status_test_util.h"
#include "xla/tsl/platform/statusor.h"

namespace xla {
namespace {

namespace m = match;
using ::testing::ElementsAre;

class InstructionFusingTest : public ParsedModuleTest {
 protected:
  // Two fusions, one of which uses the other's result.
  std::unique_ptr<HloModule> TwoFusions() {
    return Parse(R"(
HloModule two
producer {
  p = f32[4] parameter(0)
  q = f32[4] parameter(1)
  m = f32[4] multiply(p, p)
  ROOT s = f32[4] add(m, q)
}
consumer {
  p = f32[4] parameter(0)
  q = f32[4] parameter(1)
  ROOT d = f32[4] subtract(p, q)
}
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  f = f32[4] fusion(x, y), kind=kLoop, calls=producer
  g = f32[4] fusion(f, x), kind=kLoop, calls=consumer
  n = f32[4] negate(f)
  ROOT t = (f32[4], f32[4]) tuple(g, n)
})");
  }
};

TEST_F(InstructionFusingTest, InstructionsBecomeOutputsOfFusions) {
  auto module = Chain();
  HloComputation* entry = module->entry_computation();
  HloInstruction* a = Find(module, "a");
  HloInstruction* fusion =
      entry->CreateFusionInstruction({Find(module, "c"), Find(module, "b")},
                                     HloInstruction::FusionKind::kLoop);
  EXPECT_FALSE(fusion->IsMultiOutputFusion());
  EXPECT_TRUE(a->IsFusible());
  HloInstruction* inner = fusion->FuseInstructionIntoMultiOutput(a);
  EXPECT_EQ(inner->parent(), fusion->fused_instructions_computation());
  EXPECT_TRUE(fusion->IsMultiOutputFusion());
  EXPECT_EQ(ShapeUtil::HumanString(fusion->shape()), "(f32[4], f32[4])");
  EXPECT_THAT(fusion->operands(), testing::UnorderedElementsAre(
                                      Find(module, "x"), Find(module, "y")));
  EXPECT_EQ(a->user_count(), 0);
  EXPECT_THAT(entry->root_instruction(),
              GmockMatch(m::Tuple(m::GetTupleElement(m::Fusion(), 1),
                                  m::GetTupleElement(m::Fusion(), 0))));
  EXPECT_THAT(fusion->fused_expression_root(),
              GmockMatch(m::Tuple(m::Multiply(), m::Negate())));
}

TEST_F(InstructionFusingTest, CallsTakeInstructionsToo) {
  auto module = Chain();
  HloComputation* entry = module->entry_computation();
  HloInstruction* call = entry->CreateCallInstruction({Find(module, "c")});
  EXPECT_EQ(call->operand_count(), 1);
  call->AppendInstructionIntoCalledComputation(Find(module, "b"));
  EXPECT_THAT(call->operands(),
              ElementsAre(Find(module, "a"), Find(module, "y")));
  EXPECT_THAT(call->to_apply()->root_instruction(),
              GmockMatch(m::Multiply(m::Add(m::Parameter(0), m::Parameter(1)),
                                     m::Add())));
  HloInstruction* parameter = call->AddFusionOperand(Find(module, "x"));
  EXPECT_EQ(parameter->parameter_number(), 2);
  EXPECT_EQ(call->operand(2), Find(module, "x"));
}

TEST_F(InstructionFusingTest, TuplesBecomeOutputs) {
  auto module = Parse(R"(
HloModule tuples
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  n = f32[4] negate(x)
  t = (f32[4], f32[4]) tuple(x, y)
  first = f32[4] get-tuple-element(t), index=0
  second = f32[4] get-tuple-element(t), index=1
  ROOT r = (f32[4], f32[4], f32[4]) tuple(n, second, first)
})");
  HloComputation* entry = module->entry_computation();
  HloInstruction* fusion = entry->CreateFusionInstruction(
      {Find(module, "n")}, HloInstruction::FusionKind::kLoop);
  fusion->FuseInstructionIntoMultiOutput(Find(module, "t"));
  EXPECT_THAT(fusion->fused_expression_root(),
              GmockMatch(m::Tuple(m::Negate(m::Parameter(0)), m::Parameter(0),
                                  m::Parameter(1))));
  EXPECT_THAT(entry->root_instruction(),
              GmockMatch(m::Tuple(m::GetTupleElement(m::Fusion(), 0),
                                  m::GetTupleElement(m::Fusion(), 2),
                                  m::GetTupleElement(m::Fusion(), 1))));
}

TEST_F(InstructionFusingTest, FusionsMerge) {
  auto module = TwoFusions();
  HloInstruction* f = Find(module, "f");
  HloInstruction* g = Find(module, "g");
  g->MergeFusionInstruction(f);
  EXPECT_THAT(g->operands(), ElementsAre(Find(module, "x"), Find(module, "y")));
  EXPECT_THAT(g->fused_expression_root(),
              GmockMatch(m::Subtract(
                  m::Add(m::Multiply(m::Parameter(0), m::Parameter(0)),
                         m::Parameter(1)),
                  m::Parameter(0))));
  EXPECT_THAT(f->users(), ElementsAre(Find(module, "n")));
  TF_EXPECT_OK(ParseAndReturnVerifiedModule(module->ToString()).status());
}

TEST_F(InstructionFusingTest, FusionsMergeIntoSeveralOutputs) {
  auto module = TwoFusions();
  HloInstruction* g = Find(module, "g");
  g->MergeFusionInstructionIntoMultiOutput(Find(module, "f"));
  EXPECT_EQ(Find(module, "f"), nullptr);
  EXPECT_EQ(module->computation_count(), 2);
  EXPECT_THAT(g->fused_expression_root(),
              GmockMatch(m::Tuple(m::Subtract(m::Add(), m::Parameter()),
                                  m::Add(m::Multiply(), m::Parameter()))));
  EXPECT_THAT(
      module->entry_computation()->root_instruction(),
      GmockMatch(m::Tuple(m::GetTupleElement(m::Fusion(), 0),
                          m::Negate(m::GetTupleElement(m::Fusion(), 1)))));
  TF_EXPECT_OK(ParseAndReturnVerifiedModule(module->ToString()).status());
}

TEST_F(InstructionFusingTest, FusionsAreTakenApart) {
  auto module = TwoFusions();
  TF_EXPECT_OK(Find(module, "f")->Defuse());
  EXPECT_EQ(Find(module, "f"), nullptr);
  EXPECT_EQ(module->computation_count(), 2);
  EXPECT_THAT(
      Find(module, "n"),
      GmockMatch(m::Negate(m::Add(m::Multiply(m::Parameter(0), m::Parameter(0)),
                                  m::Parameter(1)))));
  HloInstruction* n = Find(module, "n");
  TF_EXPECT_OK(n->Defuse());
  EXPECT_EQ(n->opcode(), HloOpcode::kNegate);
}

TEST_F(InstructionFusingTest, InstructionsLeaveFusions) {
  auto module = Parse(R"(
HloModule unfuse
fused {
  p = f32[4] parameter(0)
  q = f32[4] parameter(1)
  c = f32[] constant(2)
  b = f32[4] broadcast(c), dimensions={}
  s = f32[4] add(p, b)
  ROOT r = f32[4] multiply(s, q)
}
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  ROOT f = f32[4] fusion(x, y), kind=kLoop, calls=fused
})");
  HloInstruction* f = Find(module, "f");
  HloComputation* fused = f->fused_instructions_computation();
  EXPECT_FALSE(f->UnfuseInstruction(fused->root_instruction()).ok());
  TF_ASSERT_OK_AND_ASSIGN(
      HloInstruction * add,
      f->UnfuseInstruction(fused->GetInstructionWithName("s")));
  EXPECT_THAT(add, GmockMatch(m::Add(m::Parameter(0),
                                     m::Broadcast(m::ConstantScalar(2)))));
  EXPECT_THAT(f->operands(), ElementsAre(Find(module, "y"), add));
  EXPECT_THAT(fused->root_instruction(),
              GmockMatch(m::Multiply(m::Parameter(1), m::Parameter(0))));
  EXPECT_EQ(fused->instruction_count(), 3);
}

}  // namespace
}  // namespace xla
