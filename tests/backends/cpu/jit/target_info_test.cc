// Properties of processors, and which code runs where.
#include "xla/backends/cpu/jit/target_info.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/backends/cpu/jit/target_machine.h"

namespace xla::cpu {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(TargetInfoTest, Host) {
  const TargetInfo& host = HostTarget();
  EXPECT_TRUE(host.is_x86 || host.is_aarch64);
  EXPECT_FALSE(host.cpu.empty());
  EXPECT_FALSE(host.data_layout.empty());
  EXPECT_GE(host.vector_bytes, 16);
  EXPECT_EQ(host.Lanes(4), host.vector_bytes / 4);
  EXPECT_EQ(host.Lanes(1000), 1);
}

// Caches are bytes, or 0 where the system does not say.
TEST(TargetInfoTest, CachesOfTheProcessor) {
  const TargetInfo& processor = ProcessorTarget();
  EXPECT_EQ(processor.cost_table, processor.cpu);
  for (const int64_t bytes :
       {processor.l1_bytes, processor.l2_bytes, processor.l3_bytes}) {
    if (bytes == 0) continue;
    EXPECT_GE(bytes, 4 << 10);
    EXPECT_LT(bytes, int64_t{1} << 34);
  }
  if (processor.l1_bytes > 0 && processor.l2_bytes > 0) {
    EXPECT_GE(processor.l2_bytes, processor.l1_bytes);
  }
}

// A limited instruction set leaves the machine's costs unchanged; another
// processor has other costs.
TEST(TargetInfoTest, CostsStayThoseOfTheMachine) {
  const TargetInfo& processor = ProcessorTarget();
  if (!processor.is_x86) GTEST_SKIP() << "levels of x86 processors";
  const auto limited = LimitIsa(processor, CpuIsa::kSse2);
  ASSERT_TRUE(limited.ok()) << limited.status();
  EXPECT_EQ(limited->cost_table, processor.cost_table);
  EXPECT_EQ(limited->l2_bytes, processor.l2_bytes);
  const auto other = TargetFor("haswell");
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_EQ(other->cost_table, "haswell");
  EXPECT_EQ(other->l1_bytes + other->l2_bytes + other->l3_bytes, 0);
}

TEST(TargetInfoTest, NamedProcessors) {
  if (!HostTarget().is_x86) GTEST_SKIP() << "names of x86 processors";
  const auto floor = TargetFor("x86-64");
  ASSERT_TRUE(floor.ok()) << floor.status();
  EXPECT_EQ(floor->vector_bytes, 16);
  EXPECT_FALSE(floor->has_fma || floor->has_round || floor->has_avx2);
  const auto haswell = TargetFor("haswell");
  ASSERT_TRUE(haswell.ok()) << haswell.status();
  EXPECT_EQ(haswell->vector_bytes, 32);
  EXPECT_TRUE(haswell->has_fma && haswell->has_round && haswell->has_avx2);
  EXPECT_FALSE(haswell->has_avx512);
  const auto skylake = TargetFor("skylake-avx512");
  ASSERT_TRUE(skylake.ok()) << skylake.status();
  EXPECT_EQ(skylake->vector_bytes, 64);
  EXPECT_TRUE(skylake->has_avx512);
  const auto less = TargetFor("haswell", {"-fma"});
  ASSERT_TRUE(less.ok()) << less.status();
  EXPECT_FALSE(less->has_fma);
  EXPECT_FALSE(TargetFor("abacus").ok());
  EXPECT_FALSE(TargetFor("haswell", {"+beads"}).ok());
  EXPECT_FALSE(TargetFor("haswell", {"fma"}).ok());
  EXPECT_FALSE(TargetFor("haswell", {""}).ok());
}

// On Zen, code loads elements one by one instead.
TEST(TargetInfoTest, SlowGathersAreAvoided) {
  if (!HostTarget().is_x86) GTEST_SKIP() << "names of x86 processors";
  const auto flags = [](const char* cpu) {
    const auto target = TargetFor(cpu);
    return target.ok() ? TargetMachineKey(*target, OptLevel::kHot)
                       : target.status().ToString();
  };
  EXPECT_THAT(flags("znver4"), HasSubstr("+prefer-no-gather"));
  EXPECT_THAT(flags("sapphirerapids"), Not(HasSubstr("prefer-no-gather")));
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
  // Code that requires less runs on processors that have more.
  EXPECT_TRUE(CheckFingerprint(TargetFingerprint(*floor), *haswell).ok());
  const absl::Status status =
      CheckFingerprint(TargetFingerprint(*haswell), *floor);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("needs avx"));
}

TEST(TargetInfoTest, LevelsOfInstructionSets) {
  if (!HostTarget().is_x86) GTEST_SKIP() << "levels of x86";
  const auto all = TargetFor("graniterapids");
  ASSERT_TRUE(all.ok()) << all.status();
  const auto limited = [&](CpuIsa isa) { return LimitIsa(*all, isa).value(); };
  const TargetInfo sse2 = limited(CpuIsa::kSse2);
  EXPECT_FALSE(sse2.has_round || sse2.Has("sse3") || sse2.Has("popcnt"));
  EXPECT_EQ(sse2.vector_bytes, 16);
  EXPECT_EQ(sse2.cpu, "x86-64");
  const TargetInfo sse42 = limited(CpuIsa::kSse42);
  EXPECT_TRUE(sse42.has_round && sse42.Has("popcnt"));
  EXPECT_FALSE(sse42.has_avx);
  const TargetInfo avx = limited(CpuIsa::kAvx);
  EXPECT_TRUE(avx.has_avx);
  EXPECT_FALSE(avx.has_avx2 || avx.has_fma || avx.has_f16c);
  EXPECT_EQ(avx.vector_bytes, 32);
  const TargetInfo avx2 = limited(CpuIsa::kAvx2);
  EXPECT_TRUE(avx2.has_avx2 && avx2.has_fma && avx2.has_f16c);
  EXPECT_FALSE(avx2.has_avx512 || avx2.Has("avxvnni") || avx2.Has("gfni"));
  const TargetInfo avx512 = limited(CpuIsa::kAvx512);
  EXPECT_TRUE(avx512.has_avx512);
  EXPECT_FALSE(avx512.Has("avx512vnni") || avx512.Has("avx512bf16") ||
               avx512.has_avx512_fp16 || avx512.Has("avx512vbmi"));
  EXPECT_EQ(avx512.vector_bytes, 64);
  const TargetInfo bf16 = limited(CpuIsa::kAvx512Bf16);
  EXPECT_TRUE(bf16.Has("avx512vnni") && bf16.Has("avx512bf16"));
  EXPECT_FALSE(bf16.has_avx512_fp16);
  const TargetInfo fp16 = limited(CpuIsa::kAvx512Fp16);
  EXPECT_TRUE(fp16.has_avx512_fp16);
  EXPECT_FALSE(fp16.Has("amx-tile"));
  EXPECT_TRUE(limited(CpuIsa::kAmx).Has("amx-bf16"));
  EXPECT_FALSE(limited(CpuIsa::kAmx).Has("amx-fp16"));
  EXPECT_EQ(limited(CpuIsa::kAmxFp16).features, all->features);
  EXPECT_EQ(LimitIsa(*all, CpuIsa::kNeon).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(TargetInfoTest, Aarch64Processors) {
  if (!HostTarget().is_aarch64) GTEST_SKIP() << "names of aarch64 processors";
  EXPECT_TRUE(ProcessorTarget().Has("neon"));
  const auto small = TargetFor("cortex-a53");
  const auto large = TargetFor("neoverse-v2");
  ASSERT_TRUE(small.ok() && large.ok()) << small.status() << large.status();
  EXPECT_TRUE(small->Has("neon") && small->has_fma && small->has_f16c);
  EXPECT_FALSE(small->Has("fullfp16") || small->Has("sve"));
  EXPECT_TRUE(large->Has("fullfp16") && large->Has("sve2"));
  EXPECT_EQ(large->vector_bytes, 16);
  const TargetInfo sve = LimitIsa(*large, CpuIsa::kSve).value();
  EXPECT_TRUE(sve.Has("sve") && sve.Has("fullfp16"));
  EXPECT_FALSE(sve.Has("sve2"));
  const TargetInfo neon = LimitIsa(*large, CpuIsa::kNeon).value();
  EXPECT_FALSE(neon.Has("sve") || neon.Has("sve2"));
  EXPECT_TRUE(sve.Has("dotprod") && sve.Has("bf16"));
  EXPECT_FALSE(neon.Has("dotprod") || neon.Has("bf16"));
  EXPECT_EQ(neon.cpu, "generic");
  EXPECT_EQ(MissingForIsa(*small, CpuIsa::kNeon), "");
  EXPECT_EQ(MissingForIsa(sve, CpuIsa::kSve2), "sve2");
  EXPECT_EQ(MissingForIsa(*small, CpuIsa::kAvx2), "x86");
  EXPECT_FALSE(CheckFingerprint(TargetFingerprint(*large), neon).ok());
  EXPECT_FALSE(LimitIsa(*large, CpuIsa::kAvx2).ok());
}

// A level only removes extensions, so code for the rest runs on the host.
TEST(TargetInfoTest, LevelsOnlyTakeAway) {
  const TargetInfo& host = ProcessorTarget();
  TargetInfo narrow = host;
  narrow.vector_bytes = 16;
  std::string before;
  for (const CpuIsa isa : CpuIsasOfHost()) {
    const auto limited = LimitIsa(host, isa);
    ASSERT_TRUE(limited.ok()) << limited.status();
    EXPECT_TRUE(CheckFingerprint(TargetFingerprint(*limited), host).ok());
    EXPECT_LE(limited->vector_bytes, host.vector_bytes);
    EXPECT_EQ(LimitIsa(narrow, isa)->vector_bytes, 16);
    // Limiting twice is the same as once; a processor that lacks a level lacks
    // those above it.
    EXPECT_EQ(LimitIsa(*limited, isa)->features, limited->features);
    EXPECT_EQ(MissingForIsa(*limited, isa), MissingForIsa(host, isa));
    if (!before.empty()) {
      EXPECT_EQ(MissingForIsa(host, isa), before);
    }
    before = MissingForIsa(host, isa);
  }
}

TEST(TargetInfoTest, WhatALevelLacks) {
  if (!HostTarget().is_x86) GTEST_SKIP() << "levels of x86";
  const auto haswell = TargetFor("haswell");
  ASSERT_TRUE(haswell.ok());
  EXPECT_EQ(MissingForIsa(*haswell, CpuIsa::kAvx2), "");
  EXPECT_EQ(MissingForIsa(*haswell, CpuIsa::kAvx512), "avx512f");
  EXPECT_EQ(MissingForIsa(*haswell, CpuIsa::kAmx), "avx512f");
  EXPECT_EQ(MissingForIsa(*haswell, CpuIsa::kSve), "aarch64");
  EXPECT_EQ(MissingForIsa(*TargetFor("znver4"), CpuIsa::kAmxFp16),
            "avx512fp16");
}

}  // namespace
}  // namespace xla::cpu
