// Shardy's sharding rules of custom calls.
#include "xla/hlo/transforms/sharding/sharding_rule.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ShardingRuleTest, ReadsFactorsAndKinds) {
  const auto rule = ParseShardingRule(
      "#sdy.op_sharding_rule<([i, jk], [*, l], [])->([k, z_1]) "
      "{i=4, j=2, k=3, l=5, z_1=7} reduction={i} need_replication={l} "
      "permutation={z_1} blocked_propagation={j, k}, custom>");
  ASSERT_TRUE(rule.ok()) << rule.status();
  // The names are those of factors in order.
  EXPECT_EQ(rule->factors.ToString(),
            "([i, jk], [1, l], [])->([k, m]) {i=4, j=2, k=3, l=5, m=7} "
            "summed={i} permuted={m} whole={l}");
  EXPECT_THAT(rule->is_blocked, ElementsAre(false, true, true, false, false));
}

TEST(ShardingRuleTest, RefusesOtherText) {
  for (const char* text : {
           "",
           "#sdy.op_sharding_rule<([i])->([i])>",
           "#sdy.op_sharding_rule<([i])->([i]) {}>",
           "#sdy.op_sharding_rule<([i])->([i]) {j=4}>",
           "#sdy.op_sharding_rule<([i])->([i]) {i=-4}>",
           "#sdy.op_sharding_rule<([i_])->([i]) {i=4}>",
           "#sdy.op_sharding_rule<([i])->([i]) {i=4} reduction={j}>",
           "#sdy.op_sharding_rule<([i])->([i]) {i=4} folded={i}>",
           "#sdy.op_sharding_rule<([i])->([i]) {i=4} rest>",
           "#sdy.op_sharding_rule<([i])->([i]) {i=4}> x",
       }) {
    const auto rule = ParseShardingRule(text);
    EXPECT_EQ(rule.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(rule.status().message()),
                HasSubstr("sharding rule: "));
  }
}

std::string RuleText(absl::string_view call) {
  auto module = ParseAndReturnUnverifiedModule(absl::StrCat(R"(HloModule m
ENTRY e {
  x = f32[8,4,4] parameter(0)
  y = f32[8,4] parameter(1)
  ROOT c = )",
                                                            call, "\n}\n"));
  EXPECT_TRUE(module.ok()) << module.status();
  const auto rule =
      ShardingRuleOf(*(*module)->entry_computation()->root_instruction());
  EXPECT_TRUE(rule.ok()) << rule.status();
  return rule->has_value() ? (*rule)->factors.ToString() : "none";
}

TEST(ShardingRuleTest, FitsTheShapesOfCalls) {
  EXPECT_EQ(RuleText("f32[8,4,4] custom-call(x, y), custom_call_target=\"f\""),
            "none");
  EXPECT_EQ(RuleText("(f32[8,4,4], s32[8]) custom-call(x), "
                     "custom_call_target=\"potrf\", "
                     "frontend_attributes={num_batch_dims=\"1\"}"),
            "([i, j, k])->([i, l, m], [i]) {i=8, j=4, k=4, l=4, m=4} "
            "whole={j, k, l, m}");
  EXPECT_EQ(RuleText("f32[8,4] custom-call(y), "
                     "custom_call_target=\"MoveToHost\""),
            "([i, j])->([i, j]) {i=8, j=4}");
  EXPECT_EQ(RuleText("f32[8,1] custom-call(x), custom_call_target=\"f\", "
                     "frontend_attributes={xla.sdy.sharding_rule="
                     "\"#sdy.op_sharding_rule<([i, *, j])->([i, k]) {i=8, "
                     "j=4, k=1} reduction={j}>\"}"),
            "([i, l, j])->([i, 1]) {i=8, j=4, k=1, l=4} summed={j} whole={l}");
}

}  // namespace
}  // namespace xla
