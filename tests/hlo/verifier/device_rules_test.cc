// Invalid modules for the rules of devices, which options of the verifier turn
// on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tests/hlo/rule_matcher.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {
namespace {

using testing::HasSubstr;

absl::Status Verify(absl::string_view text, const HloVerifierOptions& options) {
  const auto module = ParseAndReturnUnverifiedModule(text);
  EXPECT_TRUE(module.ok()) << module.status().message();
  return module.ok() ? HloVerifier(options).Verify(**module) : module.status();
}

// Returns the message of what `option` refuses and is accepted without it.
std::string ErrorWith(bool HloVerifierOptions::* option, bool value,
                      absl::string_view text) {
  HloVerifierOptions options;
  EXPECT_EQ(Verify(text, options), absl::OkStatus());
  options.*option = value;
  return std::string(Verify(text, options).message());
}

TEST(DeviceRulesTest, instruction_c7) {
  EXPECT_THAT(
      ErrorWith(&HloVerifierOptions::allow_unbounded_dynamism, false, R"(
HloModule m
ENTRY e {
  x = f32[2,?] parameter(0)
  ROOT y = f32[2,?] negate(x)
})"),
      BreaksRule("instruction_c7"));
}

TEST(DeviceRulesTest, instruction_c8) {
  EXPECT_THAT(
      ErrorWith(&HloVerifierOptions::verify_no_host_memory_space, true, R"(
HloModule m
ENTRY e {
  x = (f32[2]{0}, f32[2]{0:S(5)}) parameter(0)
  ROOT y = f32[2]{0} get-tuple-element(x), index=0
})"),
      testing::AllOf(HasSubstr("instruction x"), HasSubstr("{1}"),
                     BreaksRule("instruction_c8")));
}

TEST(DeviceRulesTest, sharding_c1) {
  EXPECT_THAT(ErrorWith(&HloVerifierOptions::verify_shardings, true, R"(
HloModule m
ENTRY e {
  x = f32[4] parameter(0), sharding={devices=[2,1]<=[2]}
  ROOT y = f32[4] negate(x)
})"),
              BreaksRule("sharding_c1"));
}

TEST(DeviceRulesTest, ShardingsHaveThePartitionsOfTheModule) {
  constexpr absl::string_view kPartitions = R"(
HloModule m, num_partitions=2
ENTRY e {
  x = f32[4] parameter(0), sharding={devices=[4]<=[4]}
  ROOT y = f32[4] negate(x)
})";
  auto module = *ParseAndReturnUnverifiedModule(kPartitions);
  module->mutable_config().set_use_spmd_partitioning(true);
  HloVerifierOptions options;
  options.verify_shardings = true;
  EXPECT_THAT(std::string(HloVerifier(options).Verify(*module).message()),
              BreaksRule("sharding_c1"));
  options.verify_sharding_device_numbers = false;
  EXPECT_EQ(HloVerifier(options).Verify(*module), absl::OkStatus());
  options.verify_sharding_device_numbers = true;
  module->mutable_config().set_use_spmd_partitioning(false);
  EXPECT_EQ(HloVerifier(options).Verify(*module), absl::OkStatus());
}

constexpr absl::string_view kSum = R"(
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
})";

TEST(DeviceRulesTest, module_groups_c1) {
  const auto text = [](absl::string_view counts, absl::string_view attributes) {
    return absl::StrCat("HloModule m, ", counts, "\n", kSum, R"(
ENTRY e {
  x = f32[4] parameter(0)
  ROOT y = f32[4] all-reduce(x), to_apply=sum, )",
                        attributes, "\n}");
  };
  constexpr absl::string_view kFour = "replica_groups={{0,1},{2,3}}";
  EXPECT_THAT(ErrorWith(&HloVerifierOptions::check_replica_groups, true,
                        text("replica_count=8", kFour)),
              testing::AllOf(HasSubstr("8 devices, but have 4"),
                             BreaksRule("module_groups_c1")));
  HloVerifierOptions options;
  options.check_replica_groups = true;
  EXPECT_EQ(Verify(text("replica_count=4", kFour), options), absl::OkStatus());
  EXPECT_EQ(Verify(text("replica_count=1", kFour), options), absl::OkStatus());
  const std::string flattened =
      absl::StrCat(kFour, ", channel_id=1, use_global_device_ids=true");
  EXPECT_EQ(
      Verify(text("replica_count=2, num_partitions=2", flattened), options),
      absl::OkStatus());
  EXPECT_FALSE(
      Verify(text("replica_count=4, num_partitions=2", flattened), options)
          .ok());
}

// A program of transfers and collectives, in this order. `steps` has an
// operation and its pairs, if any, each.
std::string Scheduled(
    std::initializer_list<std::pair<absl::string_view, absl::string_view>>
        steps) {
  std::string text = absl::StrCat("HloModule m, is_scheduled=true\n", kSum,
                                  "\nENTRY e {\n  x = f32[4] parameter(0)\n"
                                  "  t = token[] after-all()\n");
  int i = 0;
  for (const auto& [step, pairs] : steps) {
    const std::string attributes = absl::StrCat(
        ", channel_id=1, frontend_attributes={_xla_send_recv_source_target_"
        "pairs=\"",
        pairs, "\"}\n");
    if (step == "send") {
      absl::StrAppend(&text, "  send", i,
                      " = (f32[4], u32[], token[]) send(x, t)", attributes);
    } else if (step == "recv") {
      absl::StrAppend(&text, "  recv", i, " = (f32[4], u32[], token[]) recv(t)",
                      attributes);
    } else {
      absl::StrAppend(&text, "  a", i, " = f32[4] ", step,
                      "(x), replica_groups={}, to_apply=sum\n");
    }
    ++i;
  }
  // Their ends, in any order.
  i = 0;
  for (const auto& [step, pairs] : steps) {
    if (step == "send") {
      absl::StrAppend(&text, "  d", i, " = token[] send-done(send", i,
                      "), channel_id=1\n");
    } else if (step == "recv") {
      absl::StrAppend(&text, "  d", i, " = (f32[4], token[]) recv-done(recv", i,
                      "), channel_id=1\n");
    } else if (step == "all-reduce-start") {
      absl::StrAppend(&text, "  d", i, " = f32[4] all-reduce-done(a", i, ")\n");
    }
    ++i;
  }
  return absl::StrCat(text, "  ROOT n = f32[4] negate(x)\n}\n");
}

std::string DeadlockIn(const std::string& text) {
  return ErrorWith(&HloVerifierOptions::verify_no_collective_deadlocks, true,
                   text);
}

TEST(DeadlockRulesTest, TransfersThatMeet) {
  HloVerifierOptions options;
  options.verify_no_collective_deadlocks = true;
  EXPECT_EQ(Verify(Scheduled({{"recv", "{{0,1},{1,2}}"},
                              {"send", "{{0,1},{1,2}}"},
                              {"all-reduce", ""},
                              {"send", "{{0,1}}"},
                              {"send", "{{2,3}}"},
                              {"recv", "{{2,3}}"},
                              {"recv", "{{0,1}}"}}),
                   options),
            absl::OkStatus());
}

TEST(DeadlockRulesTest, deadlock_c1) {
  EXPECT_THAT(DeadlockIn(Scheduled(
                  {{"recv", "{{0,1},{1,0}}"}, {"send", "{{0,1},{1,0}}"}})),
              BreaksRule("deadlock_c1"));
  EXPECT_THAT(DeadlockIn(Scheduled(
                  {{"recv", "{{0,1},{0,2}}"}, {"send", "{{0,1},{0,2}}"}})),
              BreaksRule("deadlock_c1"));
}

TEST(DeadlockRulesTest, deadlock_c2) {
  EXPECT_THAT(DeadlockIn(Scheduled({{"send", "{{0,1}}"},
                                    {"send", "{{1,0}}"},
                                    {"recv", "{{0,1}}"},
                                    {"recv", "{{1,0}}"}})),
              BreaksRule("deadlock_c2"));
}

TEST(DeadlockRulesTest, deadlock_c3) {
  for (const char* collective : {"all-reduce", "all-reduce-start"}) {
    EXPECT_THAT(
        DeadlockIn(Scheduled(
            {{"recv", "{{0,1}}"}, {collective, ""}, {"send", "{{0,1}}"}})),
        testing::AllOf(HasSubstr("a1 comes while recv0"),
                       BreaksRule("deadlock_c3")));
  }
}

TEST(DeadlockRulesTest, deadlock_c4) {
  EXPECT_THAT(DeadlockIn(Scheduled({{"recv", "{{0,1}}"}, {"send", "{{1,2}}"}})),
              BreaksRule("deadlock_c4"));
}

TEST(DeadlockRulesTest, OnlySchedulesHaveAnOrder) {
  std::string text = Scheduled({{"recv", "{{0,1}}"}});
  text.replace(text.find(", is_scheduled=true"), 19, "");
  HloVerifierOptions options;
  options.verify_no_collective_deadlocks = true;
  EXPECT_EQ(Verify(text, options), absl::OkStatus());
}

// Each computation calls the one before twice: 2^50 calls.
TEST(DeadlockRulesTest, NestedCalls) {
  std::string text = absl::StrCat("HloModule m, is_scheduled=true\n", kSum, R"(
c0 {
  x = f32[4] parameter(0)
  ROOT y = f32[4] all-reduce(x), replica_groups={}, to_apply=sum
}
)");
  constexpr int kDepth = 50;
  for (int i = 1; i <= kDepth; ++i) {
    absl::StrAppend(&text, i == kDepth ? "ENTRY " : "", "c", i, R"( {
  x = f32[4] parameter(0)
  y = f32[4] call(x), to_apply=c)",
                    i - 1, "\n  ROOT z = f32[4] call(y), to_apply=c", i - 1,
                    "\n}\n");
  }
  HloVerifierOptions options;
  options.verify_no_collective_deadlocks = true;
  EXPECT_EQ(Verify(text, options), absl::OkStatus());
}

}  // namespace
}  // namespace xla
