// What sharding-propagation refuses, and that it leaves its own result alone.
// What it gives is in sharding_propagation.hlo and
// sharding_propagation_test.py.
#include "xla/hlo/transforms/sharding/sharding_propagation.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<HloModule> ParseOfFourDevices(absl::string_view body) {
  auto module = ParseAndReturnUnverifiedModule(
      absl::StrCat("HloModule m, num_partitions=4\n", body));
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

TEST(ShardingPropagationTest, RefusesWhatItDoesNotKnow) {
  const struct {
    absl::string_view text;
    absl::StatusCode code;
    absl::string_view message;
  } rows[] = {
      {R"(ENTRY e {
  x = f32[8] parameter(0), sharding={devices=[4]<=[4]}
  ROOT p = f32[2] custom-call(x), custom_call_target="SPMDFullToShardShape", sharding={manual}
})",
       absl::StatusCode::kUnimplemented, "p: sharding propagation around"},
      {R"(ENTRY e {
  ROOT x = f32[8] parameter(0), sharding={manual}
})",
       absl::StatusCode::kUnimplemented, "x: sharding propagation in manual"},
      {R"(ENTRY e {
  x = f32[8] parameter(0)
  ROOT s = f32[8] custom-call(x), custom_call_target="Sharding", sharding={unknown shard_as 0}
})",
       absl::StatusCode::kUnimplemented, "s: sharding propagation in shard"},
      {R"(f { ROOT x = f32[8] parameter(0) }
ENTRY e {
  x = f32[8] parameter(0)
  y = f32[8] call(x), to_apply=f
  ROOT z = f32[8] call(y), to_apply=f
})",
       absl::StatusCode::kUnimplemented, "f: sharding propagation needs"},
      {R"(ENTRY e {
  ROOT x = f32[8] parameter(0), sharding={devices=[3]<=[3]}
})",
       absl::StatusCode::kInvalidArgument, "the program's 4 devices"},
      {R"(ENTRY e {
  ROOT x = f32[8] parameter(0), sharding={devices=[2,2]<=[4]}
})",
       absl::StatusCode::kInvalidArgument, "x: sharding: there are 2"},
      {R"(ENTRY e {
  ROOT x = f32[8] parameter(0), sharding={{replicated}, {replicated}}
})",
       absl::StatusCode::kInvalidArgument, "1 arrays has 2 shardings"},
  };
  for (const auto& row : rows) {
    const auto module = ParseOfFourDevices(row.text);
    const absl::Status status =
        ShardingPropagation().Run(module.get()).status();
    EXPECT_EQ(status.code(), row.code) << row.text << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(row.message));
  }
}

TEST(ShardingPropagationTest, ASecondRunChangesNothing) {
  const auto module = ParseOfFourDevices(R"(
ENTRY e {
  x = f32[8,16] parameter(0), sharding={devices=[2,2]<=[4]}
  w = f32[16,4] parameter(1)
  z = f32[] constant(0)
  b = f32[8,4] broadcast(z), dimensions={}
  d = f32[8,4] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  m = f32[8,4] maximum(d, b)
  t = f32[4,8] transpose(m), dimensions={1,0}
  r = f32[32] reshape(b)
  ROOT both = (f32[4,8], f32[32]) tuple(t, r)
})");
  auto changed = ShardingPropagation().Run(module.get());
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_TRUE(*changed);
  EXPECT_TRUE(HloVerifier().Verify(*module).ok());
  const std::string text = module->ToString();
  changed = ShardingPropagation().Run(module.get());
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_FALSE(*changed);
  EXPECT_EQ(module->ToString(), text);
}

// What the first operands agree on is not all that the result asks for.
TEST(ShardingPropagationTest, ClosedDimensionsThatDisagreeStay) {
  const auto module = ParseOfFourDevices(R"(
ENTRY e {
  x = f32[8,4] parameter(0), sharding={mesh['a'=2,'b'=2], [{'b'}, {'a'}]}
  y = f32[8,4] parameter(1), sharding={mesh['a'=2,'b'=2], [{'a'}, {'b'}]}
  ROOT z = f32[8,4] add(x, y), sharding={mesh['a'=2,'b'=2], [{}, {'a','b'}]}
})");
  const std::string text = module->ToString();
  const auto changed = ShardingPropagation().Run(module.get());
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_EQ(module->ToString(), text);
}

}  // namespace
}  // namespace xla
