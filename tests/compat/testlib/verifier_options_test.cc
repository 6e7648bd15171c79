// The verifier's options, under XLA's names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/service/hlo_verifier.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

bool Accepts(absl::string_view text, HloVerifierOpts&& opts) {
  auto module = ParseAndReturnUnverifiedModule(text);
  EXPECT_TRUE(module.ok()) << module.status();
  return HloVerifier(std::move(opts)).Run(module->get()).ok();
}

TEST(VerifierOptionsTest, HaveXlasDefaults) {
  const HloVerifierOpts opts;
  EXPECT_FALSE(opts.IsLayoutSensitive());
  EXPECT_FALSE(opts.AllowMixedPrecision());
  EXPECT_FALSE(opts.CheckForCollectiveDeadlocks());
  EXPECT_TRUE(opts.ShouldCheckReplicaGroups());
  EXPECT_TRUE(opts.verify_sharding_device_numbers);
  EXPECT_FALSE(opts.InstructionCanChangeLayout());
  EXPECT_EQ(opts.ShapeSize(ShapeUtil::MakeShape(F32, {3})), 12);
}

TEST(VerifierOptionsTest, AreChained) {
  const HloVerifierOpts opts = HloVerifierOpts{}
                                   .MakeLayoutSensitive()
                                   .AllowMixedPrecision()
                                   .WithVerifyNoCollectiveDeadlocks(true)
                                   .WithCheckReplicaGroups(false)
                                   .WithVerifyShardingDeviceNumbers(false)
                                   .VerifyNoHostMemorySpace();
  EXPECT_TRUE(opts.layout_sensitive);
  EXPECT_TRUE(opts.AllowMixedPrecision());
  EXPECT_TRUE(opts.CheckForCollectiveDeadlocks());
  EXPECT_FALSE(opts.ShouldCheckReplicaGroups());
  EXPECT_FALSE(opts.verify_sharding_device_numbers);
  EXPECT_TRUE(opts.verify_no_host_memory_space);
}

TEST(VerifierOptionsTest, SizesWithoutBound) {
  constexpr absl::string_view kUnbounded = R"(
HloModule m
ENTRY e {
  ROOT x = f32[?] parameter(0)
})";
  EXPECT_TRUE(Accepts(kUnbounded, HloVerifierOpts()));
  EXPECT_FALSE(
      Accepts(kUnbounded, HloVerifierOpts().WithAllowUnboundedDynamism(false)));
}

TEST(VerifierOptionsTest, ReplicaGroupsOfTheModule) {
  constexpr absl::string_view kTwoOfFour = R"(
HloModule m, replica_count=4
ENTRY e {
  x = f32[4] parameter(0)
  ROOT y = f32[8] all-gather(x), dimensions={0}, replica_groups={{0,1}}
})";
  EXPECT_FALSE(Accepts(kTwoOfFour, HloVerifierOpts()));
  EXPECT_TRUE(
      Accepts(kTwoOfFour, HloVerifierOpts().WithCheckReplicaGroups(false)));
}

TEST(VerifierOptionsTest, ShardingsAlwaysFitTheShape) {
  constexpr absl::string_view kMatrixOfVector = R"(
HloModule m
ENTRY e {
  ROOT x = f32[4] parameter(0), sharding={devices=[2,1]<=[2]}
})";
  EXPECT_FALSE(Accepts(kMatrixOfVector, HloVerifierOpts()));
  auto module = *ParseAndReturnUnverifiedModule(kMatrixOfVector);
  EXPECT_FALSE(HloVerifier(/*layout_sensitive=*/false,
                           /*allow_mixed_precision=*/true)
                   .Run(module.get())
                   .ok());
}

}  // namespace
}  // namespace xla
