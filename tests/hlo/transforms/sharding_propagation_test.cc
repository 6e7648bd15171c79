// What sharding-propagation refuses, and that it leaves its own result alone.
// What it gives is in sharding_propagation.hlo and
// sharding_propagation_test.py.
#include "xla/hlo/transforms/sharding/sharding_propagation.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/attrs/sharding_text.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/sharding/entry_shardings.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<HloModule> ParseOfFourDevices(absl::string_view body) {
  auto module = ParseAndReturnUnverifiedModule(
      absl::StrCat("HloModule m, num_partitions=4\n", body));
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

TEST(ShardingPropagationTest, RefusesBrokenShardings) {
  const struct {
    absl::string_view text;
    absl::StatusCode code;
    absl::string_view message;
  } rows[] = {
      {R"(ENTRY e {
  x = f32[8] parameter(0), sharding={devices=[4]<=[4]}
  ROOT p = f32[2] custom-call(x), custom_call_target="SPMDFullToShardShape", sharding={replicated}
})",
       absl::StatusCode::kInvalidArgument, "p: no sharding says which axes"},
      {R"(ENTRY e {
  x = f32[8] parameter(0)
  p = f32[2] custom-call(x), custom_call_target="SPMDFullToShardShape", sharding={manual}
  ROOT n = f32[] constant(0)
})",
       absl::StatusCode::kInvalidArgument, "p: needs an array whose sharding"},
      {R"(ENTRY e {
  x = f32[8] parameter(0), sharding={devices=[2,2]<=[4] last_tile_dim_replicate}
  p = f32[2] custom-call(x), custom_call_target="SPMDFullToShardShape", sharding={manual}
  ROOT n = f32[] constant(0)
})",
       absl::StatusCode::kInvalidArgument,
       "p: dimension 0 of f32[2] is no part of f32[8]"},
      {R"(ENTRY e {
  x = f32[8] parameter(0), sharding={devices=[4]<=[4]}
  p = f32[2] custom-call(x), custom_call_target="SPMDFullToShardShape", sharding={manual}
  ROOT n = f32[2] negate(p)
})",
       absl::StatusCode::kInvalidArgument, "p: connects instructions with"},
      {R"(ENTRY e {
  x = f32[8] parameter(0), sharding={mesh['a'=2,'b'=2], [{'a'}]}
  p = f32[4] custom-call(x), custom_call_target="SPMDFullToShardShape", sharding={mesh['a'=2,'b'=2], [{}], manual={'a'}}
  n = f32[4] negate(p), sharding={mesh['a'=2,'b'=2], [{'a'}]}
  ROOT r = f32[] constant(0)
})",
       absl::StatusCode::kInvalidArgument, "n: divided along an axis that is"},
      {R"(ENTRY e {
  x = f32[8] parameter(0), sharding={mesh['a'=2,'b'=2], [{'a'}]}
  p = f32[4] custom-call(x), custom_call_target="SPMDFullToShardShape", sharding={mesh['a'=2,'b'=2], [{}], manual={'a'}}
  s = f32[4] custom-call(p), custom_call_target="Sharding", sharding={mesh['c'=4], [{}]}
  q = f32[4] custom-call(s), custom_call_target="SPMDFullToShardShape", sharding={mesh['c'=4], [{}], manual={'c'}}
  ROOT r = f32[] constant(0)
})",
       absl::StatusCode::kUnimplemented, "q: a manual computation in one over"},
      {R"(ENTRY e {
  ROOT x = f32[8] parameter(0), sharding={manual}
})",
       absl::StatusCode::kInvalidArgument,
       "x: manual axes outside of a manual"},
      {R"(ENTRY e {
  x = f32[8] parameter(0)
  y = f32[4] parameter(1)
  s = f32[8] custom-call(x), custom_call_target="Sharding", sharding={unknown shard_as 0}
  ROOT t = f32[4] custom-call(y), custom_call_target="Sharding", sharding={unknown shard_as 0}
})",
       absl::StatusCode::kInvalidArgument, "a shard group has arrays of"},
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
      {R"(ENTRY e {
  x = f32[8] parameter(0)
  ROOT c = f32[8] custom-call(x), custom_call_target="f", frontend_attributes={xla.sdy.sharding_rule="#sdy.op_sharding_rule<([i])->([i]) {i=4}>"}
})",
       absl::StatusCode::kInvalidArgument,
       "c: the sharding rule's factors do not make dimension 0 of f32[8]"},
      {R"(ENTRY e {
  x = f32[8] parameter(0)
  ROOT c = f32[8] custom-call(x), custom_call_target="f", frontend_attributes={xla.sdy.sharding_rule="#sdy.op_sharding_rule<([i]"}
})",
       absl::StatusCode::kInvalidArgument, "c: sharding rule: "},
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
  s = f32[4,8] custom-call(t), custom_call_target="Sharding", sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}
  p = f32[2,8] custom-call(s), custom_call_target="SPMDFullToShardShape", sharding={devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}
  e = f32[2,8] custom-call(p), custom_call_target="Sharding", sharding={devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}
  f = f32[4,8] custom-call(e), custom_call_target="SPMDShardToFullShape", sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}
  u = f32[33] pad(r, z), padding=0_1
  ROOT both = (f32[4,8], f32[32], f32[33]) tuple(f, r, u)
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

TEST(ShardingPropagationTest, EntryShardingsAreRecorded) {
  const auto module = ParseOfFourDevices(R"(
ENTRY e {
  x = f32[8,16] parameter(0), sharding={mesh['x'=2,'y'=2], [{}, {'y'}]}
  t = token[] parameter(1)
  w = f32[16] parameter(2)
  z = f32[] constant(0)
  r = f32[8] custom-call(x), custom_call_target="f", sharding={mesh['x'=2,'y'=2], [{}], unreduced=max{'y'}}
  n = f32[8,16] negate(x)
  ROOT all = (f32[8,16], token[], f32[8]) tuple(n, t, r)
})");
  module->mutable_config().set_allow_spmd_sharding_propagation_to_output(
      {true, false, false});
  ASSERT_TRUE(ShardingPropagation().Run(module.get()).ok());
  ASSERT_TRUE(RecordEntryShardings(module.get()).ok());
  std::vector<std::string> texts;
  for (const OpSharding& sharding :
       module->extra().spmd_parameters_shardings()) {
    PrintSharding(sharding, &texts.emplace_back());
  }
  PrintSharding(module->extra().spmd_output_sharding(), &texts.emplace_back());
  const std::string columns =
      "{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}";
  EXPECT_THAT(
      texts,
      ElementsAre(columns, "{replicated}", "{replicated}",
                  absl::StrCat("{", columns, ", {replicated}, {replicated}}")));
  // The result's constraint is on the value inside, which stays partial.
  EXPECT_THAT(module->ToString(), HasSubstr("unreduced=max{'y'}"));
}

// Each is the value of the one before; AddressSanitizer sees whether that is
// read while the table of values grows.
TEST(ShardingPropagationTest, ThousandsOfGroupMarkers) {
  constexpr int kMarkers = 10000;
  std::string body = R"(ENTRY e {
  m0 = f32[8] parameter(0), sharding={mesh['x'=4], [{'x'}]}
)";
  for (int i = 1; i <= kMarkers; ++i) {
    absl::StrAppend(&body, "  m", i, " = f32[8] custom-call(m", i - 1,
                    "), custom_call_target=\"Sharding\", "
                    "sharding={unknown shard_as 0}\n");
  }
  absl::StrAppend(&body, "  ROOT n = f32[8] negate(m", kMarkers, ")\n}");
  const auto module = ParseOfFourDevices(body);
  ASSERT_TRUE(ShardingPropagation().Run(module.get()).ok());
  EXPECT_THAT(module->ToString(),
              HasSubstr("negate(%m0), sharding={mesh['x'=4], [{'x', ?}]}"));
}

TEST(ShardingPropagationTest, FlagsCloseParametersAndResults) {
  const auto module = ParseOfFourDevices(R"(
ENTRY e {
  x = f32[8] parameter(0), sharding={mesh['x'=4], [{'x'}]}
  y = f32[8] parameter(1)
  z = f32[8] parameter(2)
  a = f32[8] add(x, y)
  ROOT b = f32[8] add(a, z)
})");
  HloModuleConfig& config = module->mutable_config();
  config.set_allow_spmd_sharding_propagation_to_parameters(
      {false, false, true});
  config.set_allow_spmd_sharding_propagation_to_output({false});
  ASSERT_TRUE(ShardingPropagation().Run(module.get()).ok());
  const std::string text = module->ToString();
  for (const char* line :
       {"%y = f32[8]{0} parameter(1), sharding={mesh['x'=4], [{}]}",
        "%z = f32[8]{0} parameter(2), sharding={mesh['x'=4], [{'x', ?}]}",
        "%b = f32[8]{0} add(%a, %z), sharding={mesh['x'=4], [{'x', ?}]}",
        "custom_call_target=\"Sharding\", sharding={mesh['x'=4], [{}]}"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

}  // namespace
}  // namespace xla
