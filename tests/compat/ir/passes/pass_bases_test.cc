// The classes that passes derive from, as passes written for XLA use them: with
// no other header than that of their base.
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/ir/hlo_casting_utils.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/pass/hlo_pass_interface.h"
#include "xla/hlo/pass/hlo_pass_pipeline.h"
#include "xla/hlo/transforms/expanders/op_expander_pass.h"
#include "xla/xla_data.pb.h"

namespace xla {
namespace {

using PassBasesTest = LoadedModuleTest;

// x - y => x + -y, for those that the filter takes.
class SubtractExpander : public OpExpanderPass {
 public:
  using OpExpanderPass::OpExpanderPass;
  absl::string_view name() const override { return "subtract-expander"; }

 protected:
  bool InstructionMatchesPattern(HloInstruction* hlo) override {
    return hlo->opcode() == HloOpcode::kSubtract;
  }
  absl::StatusOr<HloInstruction*> ExpandInstruction(
      HloInstruction* hlo) override {
    TF_RET_CHECK(hlo->operand_count() == 2) << hlo->ToString();
    if (hlo->operand(0) == hlo->operand(1)) return nullptr;
    HloInstruction* negated = hlo->AddInstruction(HloInstruction::CreateUnary(
        hlo->shape(), HloOpcode::kNegate, hlo->mutable_operand(1)));
    return hlo->AddInstruction(HloInstruction::CreateBinary(
        hlo->shape(), HloOpcode::kAdd, hlo->mutable_operand(0), negated));
  }
};

// Names a computation's root "result"; counts what it looks at.
class RootNamer : public HloComputationPass {
 public:
  absl::string_view name() const override { return "root-namer"; }

 protected:
  absl::StatusOr<bool> RunOnComputation(HloComputation* computation) override {
    SetKVMetric(computation->parent(), "looked", ++looked_);
    HloInstruction* root = computation->root_instruction();
    if (root->opcode() == HloOpcode::kTuple) return false;
    root->SetAndSanitizeName("result");
    return true;
  }

 private:
  int64_t looked_ = 0;
};

constexpr absl::string_view kDifferences = R"(
HloModule differences
fused {
  p = f32[2] parameter(0)
  q = f32[2] parameter(1)
  ROOT inner = f32[2] subtract(p, q)
}
ENTRY main {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  first = f32[2] subtract(x, y)
  same = f32[2] subtract(x, x)
  kept = f32[2] subtract(y, x)
  f = f32[2] fusion(x, y), kind=kLoop, calls=fused
  ROOT t = (f32[2], f32[2], f32[2], f32[2]) tuple(first, same, kept, f)
})";

TEST_F(PassBasesTest, ExpandersReplaceWhatMatches) {
  Load(kDifferences);
  const HloPredicate filter = [](const HloInstruction* hlo) {
    return hlo->name() != "kept";
  };
  SubtractExpander expander(filter);
  EXPECT_TRUE(expander.Run(module_.get()).value());
  TF_CHECK_OK(verifier().Run(module_.get()).status());
  const HloInstruction* root = module_->entry_computation()->root_instruction();
  EXPECT_EQ(root->operand(0)->opcode(), HloOpcode::kAdd);
  EXPECT_EQ(root->operand(0)->operand(1)->opcode(), HloOpcode::kNegate);
  for (const absl::string_view name : {"same", "kept", "inner"}) {
    EXPECT_EQ(Find(name)->opcode(), HloOpcode::kSubtract) << name;
  }
  // "same" still matches, though nothing takes its place.
  EXPECT_TRUE(expander.Run(module_.get()).value());
  SubtractExpander none([](const HloInstruction*) { return false; });
  EXPECT_FALSE(none.Run(module_.get()).value());
}

TEST_F(PassBasesTest, ComputationsAreVisitedOneByOne) {
  Load(kDifferences);
  HloPassPipeline pipeline("naming");
  pipeline.AddPass<RootNamer>();
  // There is a tuple, and the computation of a fusion is not looked at.
  EXPECT_FALSE(pipeline.Run(module_.get()).value());
  EXPECT_EQ(Find("inner")->opcode(), HloOpcode::kSubtract);
  const auto& passes = module_->metadata()->proto().pass_metadata();
  const auto& metrics = passes[passes.size() - 1].kv_metrics();
  ASSERT_EQ(metrics.size(), 1);
  EXPECT_EQ(metrics[0].key(), "looked");
  EXPECT_EQ(metrics[0].value(), 1);

  Load("HloModule one\nENTRY main { ROOT x = f32[2] parameter(0) }");
  EXPECT_TRUE(RootNamer().Run(module_.get()).value());
  EXPECT_EQ(Find("result")->opcode(), HloOpcode::kParameter);
}

TEST_F(PassBasesTest, LayoutsOfChangedShapesArePacked) {
  RootNamer pass;
  Shape shape = ShapeUtil::MakeShapeWithDenseLayout(S32, {4}, {0});
  shape.set_element_type(S4);
  pass.UpdateLayout(&shape);
  EXPECT_EQ(shape.layout().element_size_in_bits(), 4);
  shape.set_element_type(S32);
  pass.UpdateLayout(&shape);
  EXPECT_EQ(shape.layout().element_size_in_bits(), 0);
}

// Passes build the dimensions of dots as they are in the message.
void AddTo(tsl::protobuf::RepeatedField<int64_t>* dimensions, int64_t added) {
  dimensions->Add(added);
}
TEST_F(PassBasesTest, FieldsOfMessagesHaveAName) {
  DotDimensionNumbers numbers;
  AddTo(numbers.mutable_lhs_batch_dimensions(), 3);
  EXPECT_EQ(numbers.lhs_batch_dimensions(0), 3);
}

TEST_F(PassBasesTest, AllGatherDimensionIsSet) {
  Load(R"(
HloModule gather, replica_count=2
ENTRY main {
  x = f32[2,2] parameter(0)
  g = f32[4,2] all-gather(x), dimensions={0}, replica_groups={{0,1}}
  ROOT r = f32[2,2] negate(x)
})");
  auto* gather = Cast<HloAllGatherInstruction>(Find("g"));
  gather->set_all_gather_dimension(1);
  EXPECT_EQ(gather->all_gather_dimension(), 1);
  *gather->mutable_shape() = ShapeUtil::MakeShape(F32, {2, 4});
  EXPECT_TRUE(verifier().Run(module_.get()).ok());
}

TEST_F(PassBasesTest, DuplicateFusionsGetOneName) {
  Load(R"(
HloModule fusions
f1 { a1 = f32[2] parameter(0) ROOT b1 = f32[2] negate(a1) }
f2 { a2 = f32[2] parameter(0) ROOT b2 = f32[2] negate(a2) }
f3 { a3 = f32[2] parameter(0) ROOT b3 = f32[2] negate(a3) }
f4 { a4 = f32[2] parameter(0) ROOT b4 = f32[2] exponential(a4) }
ENTRY main {
  x = f32[2] parameter(0)
  one = f32[2] fusion(x), kind=kLoop, calls=f1
  two = f32[2] fusion(one), kind=kLoop, calls=f2
  three = f32[2] fusion(two), kind=kLoop, calls=f3
  ROOT four = f32[2] fusion(three), kind=kLoop, calls=f4
})");
  const auto computation = [&](absl::string_view caller) {
    return Find(caller)->fused_instructions_computation();
  };
  // Chains lead to their end.
  module_->MarkFusionDuplications({{computation("three"), computation("two")},
                                   {computation("two"), computation("one")}});
  for (const absl::string_view name : {"one", "two", "three"}) {
    EXPECT_EQ(Find(name)->metadata().deduplicated_name(), "one") << name;
  }
  EXPECT_EQ(Find("four")->metadata().deduplicated_name(), "");
}

}  // namespace
}  // namespace xla
