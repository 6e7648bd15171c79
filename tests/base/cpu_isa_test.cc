// Tests names of instruction set levels.
#include "xla/base/cpu_isa.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

TEST(CpuIsaTest, NamesComeBack) {
  ASSERT_FALSE(CpuIsasOfHost().empty());
  for (const CpuIsa isa : CpuIsasOfHost()) {
    const auto parsed = ParseCpuIsa(CpuIsaName(isa));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, isa);
  }
}

#if defined(__x86_64__)
TEST(CpuIsaTest, XlaNames) {
  for (const char* name : {"SSE4_2", "AVX", "AVX2", "AVX512", "AVX512_VNNI",
                           "AVX512_BF16", "AMX", "AMX_FP16"}) {
    const auto parsed = ParseCpuIsa(name);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(CpuIsaName(**parsed), name);
  }
  EXPECT_EQ(*ParseCpuIsa("avx512_bf16"), CpuIsa::kAvx512Bf16);
}
#endif

TEST(CpuIsaTest, NoNameIsNoLimit) {
  const auto parsed = ParseCpuIsa("");
  ASSERT_TRUE(parsed.ok());
  EXPECT_FALSE(parsed->has_value());
}

TEST(CpuIsaTest, RefusesOthers) {
  const CpuIsa first = CpuIsasOfHost().front();
  const char* const foreign = first == CpuIsa::kSse2 ? "NEON" : "AVX2";
  for (const char* name : {"AVX1024", "AVX2 ", "x86-64", foreign}) {
    const absl::Status status = ParseCpuIsa(name).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << name;
    EXPECT_THAT(std::string(status.message()), HasSubstr(name));
    EXPECT_THAT(std::string(status.message()),
                HasSubstr(std::string(CpuIsaName(first))));
  }
}

}  // namespace
}  // namespace xla
