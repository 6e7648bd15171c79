// Buffer assignment obeys the alias info that it is given: HLO's alone, the
// CPU's, and those of backends that do not exist.
#include "xla/hlo/analysis/alias_info.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/analysis/buffer_testing.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/hlo/analysis/buffer_simulation.h"
#include "xla/hlo/parser/hlo_parser.h"

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

// Each level's result is updated by the one below, twice.
TEST(AliasInfoTest, NestedFusionsAreAnsweredOnce) {
  constexpr int kDepth = 60;
  std::string text = "HloModule m\n";
  for (int i = 0; i <= kDepth; ++i) {
    const std::string calls =
        absl::StrCat(", i), kind=kLoop, calls=level", i - 1);
    absl::StrAppend(&text, i == kDepth ? "ENTRY " : "", "level", i,
                    " {\n  v = f32[2] parameter(0)\n  p = f32[8] parameter(1)\n"
                    "  i = s32[] parameter(2)\n  a = f32[8] ",
                    i == 0 ? "bitcast(p)" : absl::StrCat("fusion(v, p", calls),
                    "\n  ROOT r = f32[8] ",
                    i == 0 ? "dynamic-update-slice(p, v, i)"
                           : absl::StrCat("fusion(v, a", calls),
                    "\n}\n");
  }
  const auto module = ParseAndReturnUnverifiedModule(text).value();
  const HloInstruction* root = module->entry_computation()->root_instruction();
  EXPECT_THAT(
      AliasInfo().GetInPlaceInputOutputPairs(root),
      ::testing::ElementsAre(std::pair(HloOperandIndex{1, {}}, ShapeIndex{})));
  EXPECT_TRUE(AliasInfo().MustAlias(root->operand(1), {}, root, {}));
  EXPECT_FALSE(AliasInfo().MustAlias(root->operand(0), {}, root, {}));
}

// Both interfaces read the same rules; ours wants equal places besides.
TEST(AliasInfoTest, LeavesAreThoseOfThePairs) {
  const auto module = ParseAndReturnUnverifiedModule(R"(
HloModule m
add2 {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] parameter(2)
  d = f32[] parameter(3)
  ROOT t = (f32[], f32[]) tuple(c, d)
}
ENTRY e {
  p = f32[8,2]{1,0} parameter(0)
  q = f32[8,2]{0,1} parameter(1)
  i = s32[1,1] parameter(2)
  u = f32[1,2] parameter(3)
  x = (f32[4], f32[8]) parameter(4)
  s = (f32[8,2]{1,0}, f32[8,2]{1,0}) scatter(p, q, i, u, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add2
  k = (f32[8], f32[8]) custom-call(p, x), custom_call_target="f", output_to_operand_aliasing={{1}: (1, {1})}
  ROOT r = (f32[8,2], f32[8,2]) tuple(p, p)
})")
                          .value();
  const HloComputation* entry = module->entry_computation();
  const HloInstruction& scatter = *entry->GetInstructionWithName("s");
  const HloInstruction& call = *entry->GetInstructionWithName("k");
  EXPECT_EQ(AliasInfo().MustAlias(scatter, 0), (OperandLeaf{0, 0}));
  EXPECT_EQ(AliasInfo().MustAlias(scatter, 1), std::nullopt);
  EXPECT_TRUE(AliasInfo().MustAlias(scatter.operand(1), {}, &scatter, {1}));
  EXPECT_EQ(AliasInfo().MustAlias(call, 0), std::nullopt);
  EXPECT_EQ(AliasInfo().MustAlias(call, 1), (OperandLeaf{1, 1}));
  EXPECT_TRUE(AliasInfo().MustAlias(call.operand(1), {1}, &call, {1}));
}

}  // namespace
}  // namespace xla
