// Buffer assignment obeys the alias info that it is given: HLO's alone, the
// CPU's, and those of backends that do not exist.
#include "xla/hlo/analysis/alias_info.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/analysis/buffer_testing.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/hlo/analysis/buffer_simulation.h"

namespace xla {
namespace {

using ::testing::IsEmpty;

// A backend that gives every result memory of its own, updates included.
class NothingInPlace : public AliasInfo {
 public:
  std::optional<OperandLeaf> MustAlias(const HloInstruction&,
                                       int) const override {
    return std::nullopt;
  }
};

// A backend that transposes square matrices in place, if their operands die.
class TransposesInPlace : public AliasInfo {
 public:
  std::vector<AliasPair> MayAliasPairs(
      const HloInstruction& instruction) const override {
    if (instruction.opcode() != HloOpcode::kTranspose ||
        instruction.operand(0)->shape() != instruction.shape()) {
      return {};
    }
    return {{.leaf = 0, .operand = 0}};
  }
};

// A backend that always writes exponentials over their operands.
class ExponentialsInPlace : public AliasInfo {
 public:
  std::optional<OperandLeaf> MustAlias(const HloInstruction& instruction,
                                       int leaf) const override {
    if (instruction.opcode() == HloOpcode::kExp) return OperandLeaf{0, 0};
    return AliasInfo::MustAlias(instruction, leaf);
  }
};

constexpr char kChain[] = R"(
HloModule m
ENTRY e {
  p = f32[8,8] parameter(0)
  n = f32[8,8] negate(p)
  x = f32[8,8] exponential(n)
  t = f32[8,8] transpose(x), dimensions={1,0}
  ROOT r = f32[8,8] reverse(t), dimensions={0}
})";

TEST(AliasInfoTest, HloAloneSharesNothing) {
  const Assigned a = Assign(kChain, AliasInfo());
  EXPECT_FALSE(a.Share("n", "x"));
  EXPECT_FALSE(a.Share("x", "t"));
  EXPECT_TRUE(AliasInfo().MayAliasPairs(*a.Find("x")).empty());
}

TEST(AliasInfoTest, TheCpuSharesWhereElementsStay) {
  const Assigned a = Assign(kChain, cpu::CpuAliasInfo());
  EXPECT_TRUE(a.Share("n", "x"));
  EXPECT_FALSE(a.Share("x", "t"));
}

TEST(AliasInfoTest, AnotherBackendSharesElsewhere) {
  const Assigned a = Assign(kChain, TransposesInPlace());
  EXPECT_FALSE(a.Share("n", "x"));
  EXPECT_TRUE(a.Share("x", "t"));
}

constexpr char kUpdate[] = R"(
HloModule m
ENTRY e {
  p = f32[8] parameter(0)
  v = f32[2] parameter(1)
  i = s32[] parameter(2)
  n = f32[8] negate(p)
  u = f32[8] dynamic-update-slice(n, v, i)
  ROOT r = (f32[8], f32[8]) tuple(u, n)
})";

// The operand is needed later, so it is copied unless the result has memory of
// its own.
TEST(AliasInfoTest, CopiesFollowFromWhatIsWrittenOver) {
  const Assigned hlo = Assign(kUpdate, AliasInfo());
  EXPECT_EQ(hlo.reasons.size(), 1);
  EXPECT_FALSE(hlo.Share("u", "n"));
  const Assigned apart = Assign(kUpdate, NothingInPlace());
  EXPECT_THAT(apart.reasons, IsEmpty());
  EXPECT_FALSE(apart.Share("u", "n"));
}

TEST(AliasInfoTest, AnOperandThatDiesHasTheResultOfAnUpdate) {
  constexpr char kText[] = R"(
HloModule m
ENTRY e {
  p = f32[8] parameter(0)
  v = f32[2] parameter(1)
  i = s32[] parameter(2)
  n = f32[8] negate(p)
  u = f32[8] dynamic-update-slice(n, v, i)
  ROOT r = f32[8] reverse(u), dimensions={0}
})";
  EXPECT_TRUE(Assign(kText, AliasInfo()).Share("u", "n"));
  EXPECT_FALSE(Assign(kText, NothingInPlace()).Share("u", "n"));
}

constexpr char kTwoReaders[] = R"(
HloModule m
ENTRY e {
  p = f32[8] parameter(0)
  n = f32[8] negate(p)
  x = f32[8] exponential(n)
  c = f32[8] cosine(n)
  ROOT r = (f32[8], f32[8]) tuple(x, c)
})";

// The schedule obeys it too: readers of an array come before the instruction
// that overwrites it.
TEST(AliasInfoTest, ReadersComeBeforeWhoMustOverwrite) {
  const Assigned a = Assign(kTwoReaders, ExponentialsInPlace());
  EXPECT_THAT(a.reasons, IsEmpty());
  EXPECT_TRUE(a.Share("x", "n"));
  EXPECT_THAT(a.Find("x")->control_predecessors(),
              ::testing::ElementsAre(a.Find("c")));
  const Assigned hlo = Assign(kTwoReaders, AliasInfo());
  EXPECT_FALSE(hlo.Share("x", "n"));
  EXPECT_THAT(hlo.Find("x")->control_predecessors(), IsEmpty());
}

// The simulation checks an assignment by the rules of the same backend.
TEST(AliasInfoTest, SimulationRefusesWhatTheBackendDoesNotAllow) {
  const Assigned a = Assign(kChain, cpu::CpuAliasInfo());
  ASSERT_TRUE(a.Share("n", "x"));
  const absl::Status status =
      VerifyBufferAssignment(*a.module, NothingInPlace(), *a.buffers);
  EXPECT_THAT(std::string(status.message()),
              ::testing::HasSubstr("x leaf 0 overwrites operand 0"));
}

}  // namespace
}  // namespace xla
