// The algebraic simplifier gives the same module, names and order included,
// wherever its instructions happen to lie in memory.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/algebra/algebraic_simplifier.h"

namespace xla {
namespace {

// A program with much to simplify: neutral elements, equal broadcasts, ops that
// undo each other.
std::string RandomProgram(uint32_t seed) {
  std::mt19937 random(seed);
  std::string text = R"(HloModule m
ENTRY e {
  v0 = s32[4,3] parameter(0)
  v1 = s32[4,3] parameter(1)
  c0 = s32[] constant(0)
  c1 = s32[] constant(1)
  c2 = s32[] constant(-1)
)";
  const int values = 150;
  const auto add = [&](int i, const std::string& op) {
    absl::StrAppend(&text, "  v", i, " = s32[4,3] ", op, "\n");
  };
  for (int i = 2; i < values; ++i) {
    const auto value = [&] { return absl::StrCat("v", random() % i); };
    static constexpr const char* kBinary[] = {"add",     "subtract", "multiply",
                                              "maximum", "minimum",  "and",
                                              "or",      "xor"};
    static constexpr const char* kUnary[] = {"negate", "not", "abs"};
    switch (random() % 6) {
      case 0:
        add(i, absl::StrCat("broadcast(c", random() % 3, "), dimensions={}"));
        break;
      case 1:
        add(i, absl::StrCat(kUnary[random() % 3], "(", value(), ")"));
        break;
      case 2:
        absl::StrAppend(&text, "  t", i, " = s32[3,4] transpose(", value(),
                        "), dimensions={1,0}\n");
        add(i, absl::StrCat("transpose(t", i, "), dimensions={1,0}"));
        break;
      default:
        add(i, absl::StrCat(kBinary[random() % 8], "(", value(), ", ", value(),
                            ")"));
    }
  }
  absl::StrAppend(&text, "  ROOT r = (");
  for (int i = 0; i < 4; ++i) absl::StrAppend(&text, i ? ", " : "", "s32[4,3]");
  absl::StrAppend(&text, ") tuple(");
  for (int i = 0; i < 4; ++i) {
    absl::StrAppend(&text, i ? ", v" : "v", values - 1 - i);
  }
  return absl::StrCat(text, ")\n}");
}

// Simplifies the program where `gaps` pieces of memory of an instruction's size
// are free, besides those of instructions that the pass removes.
std::string Simplified(const std::string& text, int gaps) {
  auto module = ParseAndReturnUnverifiedModule(text);
  EXPECT_TRUE(module.ok()) << module.status();
  std::vector<std::unique_ptr<HloInstruction>> instructions;
  for (int i = 0; i < gaps; ++i) {
    instructions.push_back(
        HloInstruction::CreateConstant(LiteralUtil::CreateR0<int32_t>(i)));
  }
  instructions.clear();
  EXPECT_TRUE(AlgebraicSimplifier().Run(module->get()).ok());
  return (*module)->ToString();
}

TEST(SameResultTest, WhereverMemoryIsFree) {
  // Programs in which a rule's instruction once took the turn of one that had
  // been removed, and its address.
  for (const uint32_t seed :
       {71, 602, 834, 987, 1180, 1285, 1297, 2062, 2572, 2682}) {
    const std::string text = RandomProgram(seed);
    const std::string first = Simplified(text, 0);
    for (int gaps = 1; gaps < 100; gaps = gaps * 3 / 2 + 1) {
      EXPECT_EQ(Simplified(text, gaps), first) << text;
    }
  }
}

}  // namespace
}  // namespace xla
