// Passes that rewrite what a pattern matches, written as for XLA.
#include <memory>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/dfs_hlo_visitor_with_default.h"
#include "xla/hlo/ir/hlo_casting_utils.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/pass/hlo_pass_fix.h"
#include "xla/hlo/pass/hlo_pass_interface.h"
#include "xla/hlo/pass/hlo_pass_pipeline.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/literal_util.h"
#include "xla/service/hlo_verifier.h"
#include "xla/service/pattern_matcher.h"
#include "xla/service/pattern_matcher_gmock.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"

namespace xla {
namespace {

namespace m = match;
using Threads = absl::flat_hash_set<absl::string_view>;

// x + 0 => x, in loops over computations and instructions.
class AddZeroRemover : public HloModulePass {
 public:
  absl::string_view name() const override { return "add-zero-remover"; }
  using HloPassInterface::Run;
  absl::StatusOr<bool> Run(HloModule* module, const Threads&) override {
    bool changed = false;
    for (HloComputation* computation : module->MakeNonfusionComputations()) {
      for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
        HloInstruction* x;
        if (Match(hlo, m::AddAnyOrder(m::Op(&x),
                                      m::Broadcast(m::ConstantScalar(0)))) ||
            Match(hlo, m::AddAnyOrder(m::Op(&x), m::ConstantScalar(0)))) {
          TF_RETURN_IF_ERROR(computation->ReplaceInstruction(hlo, x));
          changed = true;
        }
      }
    }
    return changed;
  }
};

// -(-x) => x, in a rewrite visitor.
class DoubleNegation : public HloModulePass {
 public:
  absl::string_view name() const override { return "double-negation"; }

 protected:
  absl::StatusOr<bool> RunImpl(HloModule* module,
                               const Threads& threads) override {
    class Visitor : public DfsHloRewriteVisitor {
      absl::Status HandleNegate(HloInstruction* hlo) override {
        HloInstruction* x;
        if (!Match(hlo, m::Negate(m::Negate(m::Op(&x))))) {
          return absl::OkStatus();
        }
        return ReplaceInstruction(hlo, x);
      }
    };
    return Visitor().RunOnModule(module, threads);
  }
};

// x * 2^k => x + x, one step at a time: for HloPassFix.
class DoublingExpander : public HloModulePass {
 public:
  absl::string_view name() const override { return "doubling-expander"; }

 protected:
  absl::StatusOr<bool> RunImpl(HloModule* module, const Threads&) override {
    HloComputation* entry = module->entry_computation();
    for (HloInstruction* hlo : entry->MakeInstructionPostOrder()) {
      HloInstruction *x, *factor;
      if (!Match(hlo, m::Multiply(m::Op(&x), m::ConstantScalar(&factor)))) {
        continue;
      }
      const float value = factor->literal().Get<float>({});
      if (value < 2) continue;
      HloInstruction* twice = entry->AddInstruction(
          HloInstruction::CreateBinary(hlo->shape(), HloOpcode::kAdd, x, x));
      HloInstruction* half =
          entry->AddInstruction(HloInstruction::CreateConstant(
              LiteralUtil::CreateR0<float>(value / 2)));
      TF_RETURN_IF_ERROR(entry->ReplaceWithNewInstruction(
          hlo, HloInstruction::CreateBinary(hlo->shape(), HloOpcode::kMultiply,
                                            twice, half)));
      return true;
    }
    return false;
  }
};

// transpose(transpose(x)) => one transpose of composed permutations.
class TransposeFolder : public DfsHloRewriteVisitor {
  absl::Status HandleTranspose(HloInstruction* hlo) override {
    HloInstruction* inner;
    if (!Match(hlo, m::Transpose(m::Transpose(&inner, m::Op())))) {
      return absl::OkStatus();
    }
    std::vector<int64_t> dims;
    for (int64_t d : hlo->dimensions()) dims.push_back(inner->dimensions(d));
    return ReplaceWithNewInstruction(
        hlo, HloInstruction::CreateTranspose(hlo->shape(),
                                             inner->mutable_operand(0), dims));
  }
};

// convert(convert(x)) of one type => x.
class ConvertRemover : public DfsHloRewriteVisitor {
  absl::Status HandleConvert(HloInstruction* hlo) override {
    HloInstruction* x;
    if (Match(hlo, m::Convert(m::Convert(m::Op(&x)).WithOneUse())) &&
        ShapeUtil::Equal(x->shape(), hlo->shape())) {
      return ReplaceInstruction(hlo, x);
    }
    return absl::OkStatus();
  }
};

// dot(x, transpose(y)) => dot(x, y) with other contracting dimensions.
class DotTransposeFolder : public DfsHloRewriteVisitor {
  absl::Status HandleDot(HloInstruction* dot) override {
    HloInstruction *lhs, *y;
    if (!Match(dot, m::Dot(m::Op(&lhs), m::Transpose(m::Op(&y))))) {
      return absl::OkStatus();
    }
    DotDimensionNumbers dims = dot->dot_dimension_numbers();
    for (int64_t& d : *dims.mutable_rhs_contracting_dimensions()) {
      d = dot->operand(1)->dimensions(d);
    }
    return ReplaceWithNewInstruction(
        dot, HloInstruction::CreateDot(dot->shape(), lhs, y, dims,
                                       dot->precision_config()));
  }
};

// Custom calls by name become ops.
class CallLowering : public DfsHloRewriteVisitor {
  absl::Status HandleCustomCall(HloInstruction* hlo) override {
    if (!hlo->IsCustomCall("my_gelu")) return absl::OkStatus();
    HloInstruction* x = hlo->mutable_operand(0);
    HloInstruction* gate = hlo->AddInstruction(
        HloInstruction::CreateUnary(hlo->shape(), HloOpcode::kLogistic, x));
    return ReplaceWithNewInstruction(
        hlo, HloInstruction::CreateBinary(hlo->shape(), HloOpcode::kMultiply, x,
                                          gate));
  }
};

// get-tuple-element(tuple(...)) => the element.
class TupleSimplifier : public DfsHloRewriteVisitor {
  absl::Status HandleGetTupleElement(HloInstruction* hlo) override {
    if (!Match(hlo, m::GetTupleElement(m::Tuple()))) return absl::OkStatus();
    return ReplaceInstruction(
        hlo, hlo->mutable_operand(0)->mutable_operand(
                 Cast<HloGetTupleElementInstruction>(hlo)->tuple_index()));
  }
};

// reduce(reduce(x)) with one reducer => a reduce of all dimensions.
class ReduceMerger : public DfsHloRewriteVisitor {
  absl::Status HandleReduce(HloInstruction* hlo) override {
    HloInstruction* inner;
    if (!Match(hlo, m::Reduce(m::Reduce(&inner).WithOneUser(),
                              m::ConstantScalar(0))) ||
        *inner->to_apply() != *hlo->to_apply()) {
      return absl::OkStatus();
    }
    std::vector<int64_t> kept,
        dims(inner->dimensions().begin(), inner->dimensions().end());
    for (int64_t d = 0; d < inner->operand(0)->shape().rank(); ++d) {
      if (!absl::c_linear_search(dims, d)) kept.push_back(d);
    }
    for (int64_t d : hlo->dimensions()) dims.push_back(kept[d]);
    absl::c_sort(dims);
    return ReplaceWithNewInstruction(
        hlo, HloInstruction::CreateReduce(
                 hlo->shape(), inner->mutable_operand(0),
                 inner->mutable_operand(1), dims, hlo->to_apply()));
  }
};

class RewritesTest : public HloHardwareIndependentTestBase {};

TEST_F(RewritesTest, AddZero) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY main {
  x = f32[4] parameter(0)
  zero = f32[] constant(0)
  zeros = f32[4] broadcast(zero), dimensions={}
  ROOT sum = f32[4] add(zeros, x)
})"));
  EXPECT_TRUE(RunHloPass(AddZeroRemover(), module.get()).value());
  EXPECT_THAT(module->entry_computation()->root_instruction(),
              GmockMatch(m::Parameter(0)));
  EXPECT_FALSE(RunHloPass(AddZeroRemover(), module.get()).value());
}

TEST_F(RewritesTest, DoubleNegationAndPipeline) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY main {
  x = f32[4] parameter(0)
  a = f32[4] negate(x)
  b = f32[4] negate(a)
  ROOT s = f32[4] sine(b)
})"));
  HloPassPipeline pipeline("simplify");
  pipeline.AddInvariantChecker<HloVerifier>(/*layout_sensitive=*/false,
                                            /*allow_mixed_precision=*/true);
  pipeline.AddPass<AddZeroRemover>();
  pipeline.AddPass<DoubleNegation>();
  EXPECT_TRUE(pipeline.Run(module.get()).value());
  EXPECT_THAT(module->entry_computation()->root_instruction(),
              GmockMatch(m::Sin(m::Parameter(0))));
  EXPECT_EQ(module->entry_computation()->instruction_count(), 2);
}

TEST_F(RewritesTest, FixPoint) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY main {
  x = f32[] parameter(0)
  eight = f32[] constant(8)
  ROOT y = f32[] multiply(x, eight)
})"));
  EXPECT_TRUE(RunHloPass(HloPassFix<DoublingExpander>(), module.get()).value());
  HloInstruction* a;
  EXPECT_THAT(module->entry_computation()->root_instruction(),
              GmockMatch(m::Multiply(m::Add(m::Op(&a), m::Op()),
                                     m::ConstantScalar(1))));
  EXPECT_THAT(a, GmockMatch(m::Add(m::Add(), m::Add())));
}

TEST_F(RewritesTest, Transposes) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY main {
  x = f32[2,3,4] parameter(0)
  a = f32[4,2,3] transpose(x), dimensions={2,0,1}
  ROOT b = f32[3,4,2] transpose(a), dimensions={2,0,1}
})"));
  EXPECT_TRUE(TransposeFolder().RunOnModule(module.get()).value());
  const HloInstruction* root = module->entry_computation()->root_instruction();
  EXPECT_THAT(root, GmockMatch(m::Transpose(m::Parameter(0))));
  EXPECT_THAT(root->dimensions(), ::testing::ElementsAre(1, 2, 0));
  EXPECT_TRUE(verifier().Run(module.get()).ok());
}

TEST_F(RewritesTest, ConvertsOfOneUse) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY main {
  x = f32[4] parameter(0)
  a = bf16[4] convert(x)
  b = f32[4] convert(a)
  c = bf16[4] convert(b)
  ROOT t = (f32[4], bf16[4]) tuple(b, c)
})"));
  // b has two users, so that only c can go.
  EXPECT_TRUE(ConvertRemover().RunOnModule(module.get()).value());
  EXPECT_THAT(module->entry_computation()->root_instruction(),
              GmockMatch(m::Tuple(m::Parameter(), m::Op())));
}

TEST_F(RewritesTest, DotOfTranspose) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY main {
  x = f32[2,3] parameter(0)
  y = f32[4,3] parameter(1)
  t = f32[3,4] transpose(y), dimensions={1,0}
  ROOT d = f32[2,4] dot(x, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})"));
  EXPECT_TRUE(DotTransposeFolder().RunOnModule(module.get()).value());
  EXPECT_THAT(module->entry_computation()->root_instruction(),
              GmockMatch(m::Dot(m::Parameter(0), m::Parameter(1))
                             .WithContractingDims({1}, {1})));
  EXPECT_TRUE(verifier().Run(module.get()).ok());
}

TEST_F(RewritesTest, CustomCallsBecomeOps) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY main {
  x = f32[4] parameter(0)
  ROOT g = f32[4] custom-call(x), custom_call_target="my_gelu", metadata={op_name="gelu"}
})"));
  EXPECT_TRUE(CallLowering().RunOnModule(module.get()).value());
  const HloInstruction* root = module->entry_computation()->root_instruction();
  EXPECT_THAT(root, GmockMatch(m::MultiplyAnyOrder(m::Logistic(m::Parameter(0)),
                                                   m::Parameter(0))));
  EXPECT_EQ(root->metadata().op_name(), "gelu");
}

TEST_F(RewritesTest, TuplesThatAreTakenApart) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY main {
  x = f32[4] parameter(0)
  y = s32[] parameter(1)
  t = (f32[4], s32[]) tuple(x, y)
  ROOT g = s32[] get-tuple-element(t), index=1
})"));
  EXPECT_TRUE(TupleSimplifier().RunOnModule(module.get()).value());
  EXPECT_EQ(module->entry_computation()->root_instruction()->name(), "y");
}

TEST_F(RewritesTest, MergedReduces) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  x = f32[2,3,4] parameter(0)
  zero = f32[] constant(0)
  r = f32[2,4] reduce(x, zero), dimensions={1}, to_apply=add
  ROOT q = f32[2] reduce(r, zero), dimensions={1}, to_apply=add
})"));
  EXPECT_TRUE(ReduceMerger().RunOnModule(module.get()).value());
  const HloInstruction* root = module->entry_computation()->root_instruction();
  EXPECT_THAT(root, GmockMatch(m::Reduce(m::Parameter(0), m::Constant())));
  EXPECT_THAT(root->dimensions(), ::testing::ElementsAre(1, 2));
  EXPECT_TRUE(verifier().Run(module.get()).ok());
}

}  // namespace
}  // namespace xla
