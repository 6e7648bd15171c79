// Asks about instructions with xla/hlo/utils/hlo_query.h, written as for XLA.
#include "xla/hlo/utils/hlo_query.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/tsl/platform/statusor.h"

namespace xla {
namespace {

using HloQueryTest = HloHardwareIndependentTestBase;

constexpr absl::string_view kQueries = R"(
HloModule queries
inner {
  a = f32[] parameter(0)
  ROOT e = f32[] exponential(a)
}
add {
  a1 = f32[] parameter(0)
  b1 = f32[] parameter(1)
  ROOT c1 = f32[] add(a1, b1)
}
ENTRY main {
  x = f32[4] parameter(0)
  t = (f32[4], f32[4]) parameter(1)
  one = f32[] constant(1.5)
  pair = f32[2] constant({1, 2})
  whole = f32[4] broadcast(one), dimensions={}
  called = f32[] call(one), to_apply=inner
  e0 = f32[4] get-tuple-element(t), index=0
  e1 = f32[4] get-tuple-element(t), index=1
  e1b = f32[4] get-tuple-element(t), index=1
  flat = f32[2,2] bitcast(e0)
  sum = f32[4] add(x, whole)
  wide = f32[4,2] broadcast(x), dimensions={0}
  r = f32[4] all-reduce(sum), replica_groups={}, channel_id=6, constrain_layout=true, to_apply=add
  n = f32[4] multiply(e1, e1b)
  ROOT out = (f32[4], f32[4], f32[2,2], f32[4,2], f32[]) tuple(r, n, flat, wide, called)
})";

TEST_F(HloQueryTest, Instructions) {
  TF_ASSERT_OK_AND_ASSIGN(const auto module,
                          ParseAndReturnVerifiedModule(kQueries));
  const HloComputation* entry = module->entry_computation();
  auto find = [&](absl::string_view name) {
    return hlo_query::FindInstruction(entry, name);
  };
  ASSERT_NE(find("x"), nullptr);
  EXPECT_EQ(find("none"), nullptr);
  EXPECT_EQ(hlo_query::FindInstruction(entry, HloOpcode::kAdd), find("sum"));
  EXPECT_EQ(hlo_query::FindInstruction(entry, HloOpcode::kSort), nullptr);
  EXPECT_EQ(hlo_query::FindComputation(module.get(), "inner"),
            find("called")->to_apply());

  float value = 0;
  EXPECT_TRUE(hlo_query::IsConstantR0F32(find("one"), &value));
  EXPECT_EQ(value, 1.5);
  EXPECT_FALSE(hlo_query::IsConstantR0F32(find("pair"), &value));
  EXPECT_TRUE(hlo_query::IsScalarConstant(find("one")));
  EXPECT_FALSE(hlo_query::IsScalarConstant(find("pair")));
  EXPECT_TRUE(hlo_query::IsBroadcastOfScalarConstant(*find("whole")));
  EXPECT_TRUE(hlo_query::IsBroadcastedConstantOrScalar(*find("whole")));
  EXPECT_TRUE(hlo_query::IsBroadcastedConstantOrScalar(*find("pair")));
  EXPECT_FALSE(hlo_query::IsBroadcastedConstantOrScalar(*find("wide")));
  EXPECT_TRUE(hlo_query::IsBroadcastOfParameter(*find("wide")));
  EXPECT_FALSE(hlo_query::IsBroadcastOfParameter(*find("whole")));
  EXPECT_TRUE(hlo_query::IsEffectiveParameter(*find("flat")));
  EXPECT_FALSE(hlo_query::IsEffectiveParameter(*find("sum")));

  EXPECT_TRUE(hlo_query::AllOperandsAreParameters(*find("wide")));
  EXPECT_FALSE(hlo_query::AllOperandsAreParameters(*find("sum")));
  EXPECT_TRUE(hlo_query::AllOperandsAreConstants(*find("whole")));
  EXPECT_FALSE(hlo_query::AllOperandsAreParametersOrConstants(*find("sum")));
  EXPECT_TRUE(hlo_query::AllOperandsAreParametersOrConstants(*find("wide")));
  EXPECT_FALSE(hlo_query::AllOperandsAreParametersOrConstantsWithSingleUser(
      *find("wide")));

  EXPECT_EQ(hlo_query::GetUniqueGteInstruction(find("t"), 0), find("e0"));
  EXPECT_EQ(hlo_query::GetUniqueGteInstruction(find("t"), 1), nullptr);
  EXPECT_EQ(hlo_query::CountGteInstructionsWithIndex(entry, 1), 2);

  HloInstruction* match = nullptr;
  HloInstruction* other = nullptr;
  EXPECT_TRUE(hlo_query::MatchBinaryInstructionOperandOpcode(
      HloOpcode::kBroadcast, find("sum"), &match, &other));
  EXPECT_EQ(match, find("whole"));
  EXPECT_EQ(other, find("x"));
  EXPECT_FALSE(hlo_query::MatchBinaryInstructionOperandOpcode(
      HloOpcode::kSort, find("sum"), &match, &other));
  EXPECT_EQ(hlo_query::GetMatchingOperand(
                HloPredicateIsOp<HloOpcode::kParameter>, find("sum")),
            find("x"));
}

TEST_F(HloQueryTest, ComputationsAndModules) {
  TF_ASSERT_OK_AND_ASSIGN(const auto module,
                          ParseAndReturnVerifiedModule(kQueries));
  const HloComputation* entry = module->entry_computation();
  EXPECT_EQ(
      hlo_query::GetFirstInstructionWithOpcode(*entry, HloOpcode::kBroadcast)
          ->name(),
      "whole");
  EXPECT_NE(hlo_query::GetFirstInstructionWithOpcode(
                *entry, {HloOpcode::kSort, HloOpcode::kMultiply}),
            nullptr);
  EXPECT_EQ(hlo_query::GetFirstInstructionWithOpcode(*entry, HloOpcode::kSort),
            nullptr);
  int adds = 0;
  hlo_query::ForEachInstructionWithOpcode(*module, HloOpcode::kAdd,
                                          [&](HloInstruction*) { ++adds; });
  EXPECT_EQ(adds, 2);
  int constants = 0;
  hlo_query::ForEachInstructionWithPred(*entry,
                                        HloPredicateIsOp<HloOpcode::kConstant>,
                                        [&](HloInstruction*) { ++constants; });
  EXPECT_EQ(constants, 2);
  EXPECT_TRUE(hlo_query::ContainsInstrWithOpcode(entry, {HloOpcode::kExp}));
  EXPECT_FALSE(hlo_query::ContainsInstrWithOpcode(entry, {HloOpcode::kSort}));

  EXPECT_TRUE(hlo_query::ContainsLayoutConstrainedAllReduce(*module));
  EXPECT_FALSE(hlo_query::ContainsLayoutConstrainedCollective(
      *module, HloOpcode::kAllGather));
  EXPECT_EQ(hlo_query::NextChannelId(*module), 7);
  EXPECT_FALSE(hlo_query::HasX64TransformedHostTransfer(*module));
  EXPECT_TRUE(hlo_query::IsCollectiveCommunicationOp(HloOpcode::kAllReduce));
  EXPECT_FALSE(hlo_query::IsCollectiveCommunicationOp(HloOpcode::kAdd));
}

TEST_F(HloQueryTest, StartsAndDones) {
  TF_ASSERT_OK_AND_ASSIGN(const auto module, ParseAndReturnVerifiedModule(R"(
HloModule starts
ENTRY main {
  x = f32[4] parameter(0)
  first = token[] after-all()
  p = (f32[4], f32[4]) collective-permute-start(x), source_target_pairs={{0,0}}
  pd = f32[4] collective-permute-done(p)
  s = ((f32[4]), f32[4]) async-start(x), calls={
    y = f32[4] parameter(0)
    ROOT n = f32[4] negate(y)
  }
  sd = f32[4] async-done(s)
  send = (f32[4], u32[], token[]) send(x, first), channel_id=1, is_host_transfer=true
  send_done = token[] send-done(send), channel_id=1, is_host_transfer=true
  ROOT out = (f32[4], f32[4]) tuple(pd, sd)
})",
                                                                          1));
  auto find = [&](absl::string_view name) {
    return FindInstruction(module.get(), name);
  };
  EXPECT_TRUE(hlo_query::IsAsyncCollectiveStartOp(find("p")));
  EXPECT_TRUE(hlo_query::IsAsyncCollectiveDoneOp(find("pd")));
  EXPECT_FALSE(hlo_query::IsAsyncCollectiveStartOp(find("s")));
  EXPECT_FALSE(hlo_query::IsAsyncCollectiveDoneOp(find("sd")));
  EXPECT_FALSE(hlo_query::IsAsyncCollectiveStartOp(find("send")));
  EXPECT_TRUE(hlo_query::IsAsyncCollectiveStartOp(find("send"), true));
  EXPECT_TRUE(hlo_query::IsAsyncCollectiveDoneOp(find("send_done"), true));
}

TEST_F(HloQueryTest, FusionsThatChangeTiles) {
  auto is_one = [](absl::string_view tiles) {
    auto module = ParseAndReturnUnverifiedModule(
        absl::StrCat(R"(
HloModule tiles
ENTRY main {
  x = f32[8,128]{1,0} parameter(0)
  ROOT f = f32[8,128]{1,0)",
                     tiles, R"(} fusion(x), kind=kLoop, calls={
    y = f32[8,128]{1,0} parameter(0)
    ROOT c = f32[8,128]{1,0)",
                     tiles, R"(} copy(y)
  }
})"));
    EXPECT_TRUE(module.ok()) << module.status();
    return module.ok() &&
           hlo_query::IsChangeTilingCopyFusion(
               (*module)->entry_computation()->root_instruction());
  };
  EXPECT_TRUE(is_one(":T(8,128)"));
  EXPECT_FALSE(is_one(""));
}

}  // namespace
}  // namespace xla
