// Patterns: what matches, what is captured, what is said.
#include <memory>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/service/pattern_matcher.h"
#include "xla/service/pattern_matcher_gmock.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"

namespace xla {
namespace {

namespace m = match;
using ::testing::HasSubstr;
using ::testing::Not;

class PatternsTest : public HloHardwareIndependentTestBase {
 protected:
  void SetUp() override {
    module_ = ParseAndReturnVerifiedModule(R"(
HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[4,8]{1,0} parameter(0)
  y = f32[4,8]{1,0} parameter(1)
  two = f32[] constant(2)
  twos = f32[4,8]{1,0} broadcast(two), dimensions={}
  sum = f32[4,8]{1,0} add(x, y)
  product = f32[4,8]{1,0} multiply(sum, twos)
  less = pred[4,8]{1,0} compare(product, x), direction=LT
  chosen = f32[4,8]{1,0} select(less, product, x)
  zero = f32[] constant(0)
  rows = f32[4]{0} reduce(chosen, zero), dimensions={1}, to_apply=add
  called = f32[4]{0} custom-call(rows), custom_call_target="foo"
  t = (f32[4]{0}, pred[4,8]{1,0}) tuple(called, less)
  ROOT out = f32[4]{0} get-tuple-element(t), index=0
})")
                  .value();
  }
  HloInstruction* Get(absl::string_view name) {
    return FindInstruction(module_.get(), name);
  }
  std::unique_ptr<HloModule> module_;
};

TEST_F(PatternsTest, OpsAndOperands) {
  EXPECT_TRUE(Match(Get("sum"), m::Add()));
  EXPECT_FALSE(Match(Get("sum"), m::Multiply()));
  EXPECT_TRUE(Match(Get("sum"), m::Add(m::Parameter(0), m::Parameter(1))));
  EXPECT_FALSE(Match(Get("sum"), m::Add(m::Parameter(1), m::Parameter(0))));
  EXPECT_TRUE(
      Match(Get("sum"), m::AddAnyOrder(m::Parameter(1), m::Parameter(0))));
  EXPECT_TRUE(Match(Get("less"), m::Lt(m::Multiply(), m::Parameter())));
  EXPECT_FALSE(Match(Get("less"), m::Gt(m::Multiply(), m::Parameter())));
  EXPECT_TRUE(Match(Get("chosen"), m::Select(m::Compare(), m::Op(), m::Op())));
  EXPECT_TRUE(Match(Get("called"), m::CustomCall({"foo", "bar"}, m::Reduce())));
  EXPECT_FALSE(Match(Get("called"), m::CustomCall({"bar"})));
  EXPECT_TRUE(Match(Get("out"), m::GetTupleElement(m::Tuple(), 0)));
  EXPECT_FALSE(Match(Get("out"), m::GetTupleElement(m::Tuple(), 1)));
}

TEST_F(PatternsTest, CapturesOnlyWhatMatches) {
  HloInstruction* product = nullptr;
  const HloInstruction* factor = nullptr;
  EXPECT_TRUE(Match(Get("product"),
                    m::Multiply(&product, m::Add(),
                                m::Broadcast(m::ConstantScalar(&factor, 2)))));
  EXPECT_EQ(product, Get("product"));
  EXPECT_EQ(factor, Get("two"));
  HloInstruction* none = nullptr;
  EXPECT_FALSE(Match(Get("product"), m::Multiply(m::Op(&none), m::Add())));
  EXPECT_EQ(none, nullptr);
  MatchOption silent;
  silent.capture = false;
  EXPECT_TRUE(Match(Get("product"), m::Op(&none), silent));
  EXPECT_EQ(none, nullptr);
  // Of two orders the one that matches is captured.
  HloInstruction *a, *b;
  EXPECT_TRUE(Match(Get("product"),
                    m::MultiplyAnyOrder(m::Broadcast(&a, m::Op()), m::Op(&b))));
  EXPECT_EQ(a, Get("twos"));
  EXPECT_EQ(b, Get("sum"));
}

TEST_F(PatternsTest, Constants) {
  EXPECT_TRUE(Match(Get("two"), m::ConstantScalar(2)));
  EXPECT_TRUE(Match(Get("two"), m::ConstantScalar(2.0f)));
  EXPECT_FALSE(Match(Get("two"), m::ConstantScalar(3)));
  EXPECT_TRUE(Match(Get("two"), m::ConstantEffectiveScalar(2)));
  EXPECT_FALSE(Match(Get("x"), m::Constant()));
  EXPECT_TRUE(Match(Get("x"), m::NonConstant()));
}

TEST_F(PatternsTest, Shapes) {
  const Shape* shape = nullptr;
  EXPECT_TRUE(Match(Get("x"), m::Op().WithShape(m::Shape(&shape).WithRank(2))));
  EXPECT_EQ(*shape, ShapeUtil::MakeShape(F32, {4, 8}));
  EXPECT_TRUE(Match(Get("x"), m::Op().WithShape(F32, {4, 8})));
  EXPECT_TRUE(Match(Get("x"), m::Op().WithShape(F32, {4, 8}, {1, 0})));
  EXPECT_FALSE(Match(Get("x"), m::Op().WithShape(F32, {4, 8}, {0, 1})));
  EXPECT_TRUE(Match(Get("less"), m::Op().WithElementType(PRED)));
  EXPECT_TRUE(Match(&Get("two")->shape(), m::Shape().IsScalar()));
  EXPECT_TRUE(
      Match(&Get("t")->shape(), m::Shape().IsTuple().WithSubshape(
                                    {1}, m::Shape().WithElementType(PRED))));
  EXPECT_TRUE(
      Match(&Get("x")->shape().layout(), m::Layout().WithMinorToMajor({1, 0})));
}

TEST_F(PatternsTest, Users) {
  EXPECT_TRUE(Match(Get("sum"), m::Add().WithOneUse().WithOneUser()));
  EXPECT_TRUE(Match(Get("x"), m::Op().WithNumUser(3)));
  EXPECT_FALSE(Match(Get("x"), m::Op().WithAtMostNumUser(2)));
  EXPECT_TRUE(
      MatchSingleUserOnly(Get("product"), m::Multiply(m::Add(), m::Op())));
  EXPECT_FALSE(MatchSingleUserOnly(Get("sum"), m::Add(m::Op(), m::Op())));
}

TEST_F(PatternsTest, Combinations) {
  HloInstruction* which = nullptr;
  EXPECT_TRUE(Match(Get("sum"), m::AnyOf<HloInstruction>(m::Multiply(&which),
                                                         m::Add(&which))));
  EXPECT_EQ(which, Get("sum"));
  EXPECT_FALSE(Match(Get("sum"),
                     m::AnyOf<HloInstruction>(m::Multiply(), m::Subtract())));
  EXPECT_TRUE(Match(Get("sum"),
                    m::AllOf<HloInstruction>(
                        m::Add(), m::Op().WithOperand(0, m::Parameter(0)))));
  auto shared = m::SharedSubpattern(m::Parameter());
  EXPECT_TRUE(Match(Get("sum"), m::Add(shared, shared)));
  EXPECT_TRUE(
      Match(Get("sum"), m::Op().WithPredicate([](const HloInstruction* hlo) {
        return hlo->name() == "sum";
      })));
}

TEST_F(PatternsTest, FailuresAreExplained) {
  std::ostringstream reason;
  MatchOption option;
  option.explain_os = &reason;
  EXPECT_FALSE(
      Match(Get("product"), m::Multiply(m::Subtract(), m::Op()), option));
  EXPECT_THAT(reason.str(),
              HasSubstr("expected an HloInstruction with opcode subtract"));
  EXPECT_THAT(reason.str(), HasSubstr("sum = f32[4,8]"));
  EXPECT_THAT(Get("sum"), GmockMatch(m::Add()));
  EXPECT_THAT(Get("sum"), Not(GmockMatch(m::Subtract())));
}

TEST_F(PatternsTest, FailuresAreLogged) {
  HloInstruction* less = Get("less");
  const auto log_of = [&](const auto& pattern, bool enabled,
                          const auto& filter) {
    testing::internal::CaptureStderr();
    EXPECT_FALSE(
        MatchAndLogIfFailed(less, "order of sums", pattern, enabled, filter));
    return testing::internal::GetCapturedStderr();
  };
  const auto sums = m::Compare(m::Add(), m::Op());
  EXPECT_THAT(log_of(sums, true, m::Compare()),
              testing::AllOf(testing::HasSubstr("order of sums"),
                             testing::HasSubstr("opcode add")));
  EXPECT_EQ(log_of(sums, false, m::Compare()), "");
  EXPECT_EQ(log_of(sums, true, m::Compare(m::Tanh(), m::Op())), "");
  HloInstruction* product;
  EXPECT_TRUE(MatchAndLogIfFailed(
      less, "order",
      m::Compare(m::Multiply(&product, m::Op(), m::Op()), m::Op()), true,
      m::Op()));
  EXPECT_EQ(product, Get("product"));
}

TEST_F(PatternsTest, OneInstructionInSeveralPlaces) {
  UniqueHloInstruction x;
  const auto same = m::Op().WithPredicate(x.capture_or_verify_fn());
  EXPECT_TRUE(Match(Get("chosen"), m::Select(m::Compare(same, m::Op()), same,
                                             m::Parameter())));
  EXPECT_EQ(x.instr(), Get("product"));
  UniqueHloInstruction y;
  const auto both = m::Op().WithPredicate(y.capture_or_verify_fn());
  EXPECT_FALSE(Match(Get("sum"), m::Add(both, both)));
  EXPECT_EQ(y.instr(), nullptr);
  UniqueHloInstruction z;
  z.set_instr(Get("x"));
  EXPECT_TRUE(z.CaptureOrVerify(Get("x")));
  EXPECT_FALSE(z.CaptureOrVerify(Get("y")));
}

TEST_F(PatternsTest, CustomCallsByTarget) {
  HloInstruction* called = nullptr;
  EXPECT_TRUE(Match(Get("called"), m::CustomCall("foo")));
  EXPECT_TRUE(Match(Get("called"), m::CustomCall("foo", m::Reduce())));
  EXPECT_FALSE(Match(Get("called"), m::CustomCall("bar")));
  EXPECT_TRUE(Match(Get("called"), m::CustomCall({"bar", "foo"})));
  EXPECT_TRUE(Match(Get("called"), m::CustomCall(&called, "foo")));
  EXPECT_EQ(called, Get("called"));
  EXPECT_TRUE(Match(Get("called"), m::CustomCall(&called, "foo", m::Reduce())));
  EXPECT_FALSE(Match(Get("called"), m::CustomCall(&called, "foo", m::Add())));
  EXPECT_TRUE(
      Match(Get("called"), m::CustomCall(&called, {"foo"}, m::Reduce())));
  EXPECT_TRUE(Match(Get("called"), m::Op().WithCustomCallTarget("foo")));
}

TEST_F(PatternsTest, WhatInstructionsCarry) {
  HloInstruction* sum = Get("sum");
  EXPECT_TRUE(Match(sum, m::Op().Is(sum)));
  EXPECT_FALSE(Match(sum, m::Op().Is(Get("product"))));
  EXPECT_FALSE(Match(sum, m::Op().WithSharding("{replicated}")));
  sum->set_sharding(HloSharding::Replicate());
  EXPECT_TRUE(Match(sum, m::Op().WithSharding("{replicated}")));
  ASSERT_TRUE(Get("x")->AddControlDependencyTo(Get("called")).ok());
  EXPECT_TRUE(Match(Get("called"), m::Op().WithControlDeps({Get("x")}, {})));
  EXPECT_FALSE(Match(sum, m::Op().WithControlDeps({Get("x")}, {})));
  EXPECT_TRUE(Match(Get("two"), m::Op().IsConstantScalar(2)));
  EXPECT_TRUE(Match(Get("two"), m::Op().IsConstantEffectiveScalar(2.0)));
  EXPECT_FALSE(Match(Get("two"), m::Op().IsConstantScalar(3)));
  const Shape part = ShapeUtil::MakeShape(F32, {4});
  EXPECT_TRUE(
      Match(&Get("t")->shape(), m::Shape().WithSubshapeEqualTo({0}, &part)));
  EXPECT_FALSE(Match(&Get("t")->shape(),
                     m::Shape().WithSubshapeCompatibleTo({1}, &part)));
  const Layout* layout = nullptr;
  EXPECT_TRUE(Match(&sum->shape().layout(), m::Layout(&layout)));
  EXPECT_EQ(layout, &sum->shape().layout());
}

TEST_F(PatternsTest, CollectivesAndConvolutions) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule m, replica_count=4
ENTRY e {
  x = f32[4,4]{1,0} parameter(0)
  ROOT all = f32[8,4]{1,0} all-gather(x), replica_groups={{0,1},{2,3}},
    dimensions={0}
})",
                                             /*replica_count=*/4)
                    .value();
  const HloInstruction* all = module->entry_computation()->root_instruction();
  EXPECT_TRUE(Match(all, m::AllGather().WithReplicaGroups({{0, 1}, {2, 3}})));
  EXPECT_FALSE(Match(all, m::AllGather().WithReplicaGroups({{0, 1, 2, 3}})));
  EXPECT_FALSE(Match(all->operand(0), m::Op().WithReplicaGroups({{0, 1}})));
  module = ParseAndReturnVerifiedModule(R"(
HloModule m, replica_count=2
ENTRY e {
  x = f32[4]{0} parameter(0)
  y = f32[4]{0} parameter(1)
  ROOT t = (f32[4]{0}, f32[4]{0}) all-to-all(x, y), replica_groups={{0,1}}
})",
                                        /*replica_count=*/2)
               .value();
  EXPECT_TRUE(Match(module->entry_computation()->root_instruction(),
                    m::AllToAll(m::Parameter(0))));
  module = ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[1,8,3]{2,1,0} parameter(0)
  k = f32[2,3,5]{2,1,0} parameter(1)
  ROOT c = f32[1,7,5]{2,1,0} convolution(x, k), window={size=2},
    dim_labels=b0f_0io->b0f
})")
               .value();
  const HloInstruction* c = module->entry_computation()->root_instruction();
  EXPECT_TRUE(Match(c, m::Convolution().WithConvDnums("b0f_0io->b0f")));
  EXPECT_FALSE(Match(c, m::Convolution().WithConvDnums("bf0_0io->b0f")));
}

TEST_F(PatternsTest, DimensionNumbersOfCalls) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[1,8,3]{2,1,0} parameter(0)
  ROOT c = f32[1,7,5]{2,1,0} custom-call(x), custom_call_target="conv",
    window={size=2}, dim_labels=b0f_0io->b0f
})")
                    .value();
  const HloInstruction* c = module->entry_computation()->root_instruction();
  EXPECT_TRUE(Match(c, m::CustomCall().WithConvDnums("b0f_0io->b0f")));
  EXPECT_FALSE(Match(c, m::CustomCall().WithConvDnums("bf0_0io->b0f")));
}

TEST_F(PatternsTest, Descriptions) {
  const auto text = [](const auto& pattern) {
    std::ostringstream out;
    pattern.DescribeTo(&out);
    return out.str();
  };
  EXPECT_EQ(text(m::Op()), "an HloInstruction");
  EXPECT_EQ(text(m::Parameter()), "an HloInstruction with opcode parameter");
  EXPECT_EQ(text(m::Shape().IsArray()), "a shape that represents an array");
  EXPECT_EQ(text(m::Add().WithOneUser()),
            "an HloInstruction:\n * with opcode add AND\n * which has exactly "
            "one user");
  EXPECT_THAT(*Get("sum"), GmockMatch(m::Add()));
  EXPECT_THAT(Get("sum")->shape(), GmockMatch(m::Shape().IsArray()));
  EXPECT_THAT(Get("sum"), Not(GmockMatch(m::Subtract())));
}

}  // namespace
}  // namespace xla
