// What is known of processors, and which code runs where.
#include "xla/backends/cpu/jit/target_info.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla::cpu {
namespace {

using ::testing::HasSubstr;

TEST(TargetInfoTest, Host) {
  const TargetInfo& host = HostTarget();
  EXPECT_TRUE(host.is_x86 || host.is_aarch64);
  EXPECT_FALSE(host.cpu.empty());
  EXPECT_FALSE(host.data_layout.empty());
  EXPECT_GE(host.vector_bytes, 16);
  EXPECT_EQ(host.Lanes(4), host.vector_bytes / 4);
  EXPECT_EQ(host.Lanes(1000), 1);
  EXPECT_GT(host.l1_bytes, 0);
  EXPECT_GE(host.l2_bytes, host.l1_bytes);
}

TEST(TargetInfoTest, NamedProcessors) {
  if (!HostTarget().is_x86) GTEST_SKIP() << "names of x86 processors";
  const auto floor = TargetFor("x86-64");
  ASSERT_TRUE(floor.ok()) << floor.status();
  EXPECT_EQ(floor->vector_bytes, 16);
  EXPECT_FALSE(floor->has_fma || floor->has_round || floor->has_gather);
  const auto haswell = TargetFor("haswell");
  ASSERT_TRUE(haswell.ok()) << haswell.status();
  EXPECT_EQ(haswell->vector_bytes, 32);
  EXPECT_TRUE(haswell->has_fma && haswell->has_round && haswell->has_avx2);
  EXPECT_FALSE(haswell->has_avx512);
  const auto skylake = TargetFor("skylake-avx512");
  ASSERT_TRUE(skylake.ok()) << skylake.status();
  EXPECT_EQ(skylake->vector_bytes, 64);
  EXPECT_TRUE(skylake->has_avx512 && skylake->has_masks);
  const auto less = TargetFor("haswell", {"-fma"});
  ASSERT_TRUE(less.ok()) << less.status();
  EXPECT_FALSE(less->has_fma);
  EXPECT_FALSE(TargetFor("abacus").ok());
  EXPECT_FALSE(TargetFor("haswell", {"+beads"}).ok());
  EXPECT_FALSE(TargetFor("haswell", {"fma"}).ok());
  EXPECT_FALSE(TargetFor("haswell", {""}).ok());
}

TEST(TargetInfoTest, VectorBits) {
  const auto narrow = WithVectorBits(HostTarget(), 128);
  ASSERT_TRUE(narrow.ok());
  EXPECT_EQ(narrow->vector_bytes, 16);
  EXPECT_FALSE(WithVectorBits(HostTarget(), 100).ok());
  EXPECT_FALSE(WithVectorBits(*narrow, 256).ok());
}

TEST(TargetInfoTest, FingerprintsSayWhatIsMissing) {
  const std::string own = TargetFingerprint(HostTarget());
  EXPECT_TRUE(CheckFingerprint(own, HostTarget()).ok());
  EXPECT_FALSE(CheckFingerprint("", HostTarget()).ok());
  EXPECT_FALSE(CheckFingerprint("a b c d", HostTarget()).ok());
  EXPECT_THAT(
      CheckFingerprint("tessera-cpu-1 vax vax780 poly", HostTarget()).message(),
      HasSubstr("compiled for vax"));
  if (!HostTarget().is_x86) return;
  const auto floor = TargetFor("x86-64");
  const auto haswell = TargetFor("haswell");
  ASSERT_TRUE(floor.ok() && haswell.ok());
  // What asks for less runs on what has more.
  EXPECT_TRUE(CheckFingerprint(TargetFingerprint(*floor), *haswell).ok());
  const absl::Status status =
      CheckFingerprint(TargetFingerprint(*haswell), *floor);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("needs avx"));
}

}  // namespace
}  // namespace xla::cpu
