// Compares sort and topk with the evaluator; tests which comparators are keys.
#include <cmath>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/thunk_emitter/library_program.h"
#include "xla/backends/cpu/thunk_emitter/sort_order.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::cpu {
namespace {

std::string Sort(absl::string_view comparator, std::vector<Literal> arguments,
                 KernelFunction less = nullptr, int dimension = 0) {
  std::string text = "HloModule m\n";
  absl::StrAppend(&text, comparator, "\nENTRY e {\n");
  std::string operands, shapes;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string shape = arguments[i].shape().ToString();
    absl::StrAppend(&text, " p", i, " = ", shape, " parameter(", i, ")\n");
    absl::StrAppend(&operands, i == 0 ? "" : ", ", "p", i);
    absl::StrAppend(&shapes, i == 0 ? "" : ", ", shape);
  }
  if (arguments.size() > 1) shapes = absl::StrCat("(", shapes, ")");
  absl::StrAppend(&text, " ROOT r = ", shapes, " sort(", operands,
                  "), dimensions={", dimension,
                  "}, is_stable=true, to_apply=less\n}");
  return RunBothAlone(text, std::move(arguments), less);
}

constexpr absl::string_view kTotal = R"(less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LT, type=TOTALORDER
})";

// JAX's order of floats.
constexpr absl::string_view kCanonical = R"(less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  zero = f32[] constant(0)
  nan = f32[] constant(nan)
  az = pred[] compare(a, zero), direction=EQ
  a0 = f32[] select(az, zero, a)
  an = pred[] compare(a, a), direction=NE
  a1 = f32[] select(an, nan, a0)
  bz = pred[] compare(b, zero), direction=EQ
  b0 = f32[] select(bz, zero, b)
  bn = pred[] compare(b, b), direction=NE
  b1 = f32[] select(bn, nan, b0)
  ROOT r = pred[] compare(a1, b1), direction=LT, type=TOTALORDER
})";

// Orders by the first operand ascending, then by the second descending.
constexpr absl::string_view kTwoKeys = R"(less {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  c = u8[] parameter(2)
  d = u8[] parameter(3)
  lt = pred[] compare(a, b), direction=LT
  eq = pred[] compare(a, b), direction=EQ
  gt = pred[] compare(d, c), direction=LT
  and = pred[] and(eq, gt)
  ROOT r = pred[] or(lt, and)
})";

// Orders by absolute value, which is not a key.
constexpr absl::string_view kAbsolute = R"(less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  aa = f32[] abs(a)
  ba = f32[] abs(b)
  ROOT r = pred[] compare(aa, ba), direction=LT
})";

void LessAbsolute(char* const* a, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    reinterpret_cast<bool*>(a[2])[i] =
        std::fabs(reinterpret_cast<float*>(a[0])[i]) <
        std::fabs(reinterpret_cast<float*>(a[1])[i]);
  }
}

std::vector<SortKey> KeysOf(absl::string_view comparator) {
  const auto module = ParseAndReturnUnverifiedModule(
      absl::StrCat("HloModule m\nENTRY ", comparator));
  EXPECT_TRUE(module.ok()) << module.status();
  return SortKeysOf(*(*module)->entry_computation())
      .value_or(std::vector<SortKey>());
}

TEST(SortOrderTest, Keys) {
  ASSERT_EQ(KeysOf(kTotal).size(), 1);
  EXPECT_EQ(KeysOf(kTotal)[0].order, SortOrder::kFloatTotal);
  ASSERT_EQ(KeysOf(kCanonical).size(), 1);
  EXPECT_EQ(KeysOf(kCanonical)[0].order, SortOrder::kFloatNanLast);
  EXPECT_FALSE(KeysOf(kCanonical)[0].descending);
  const std::vector<SortKey> two = KeysOf(kTwoKeys);
  ASSERT_EQ(two.size(), 2);
  EXPECT_EQ(two[0].operand, 0);
  EXPECT_FALSE(two[0].descending);
  EXPECT_EQ(two[1].operand, 1);
  EXPECT_TRUE(two[1].descending);
  EXPECT_TRUE(KeysOf(kAbsolute).empty());
}

// Three keys, as the builder's library orders by them.
constexpr absl::string_view kSelects = R"(less {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  c = u8[] parameter(2)
  d = u8[] parameter(3)
  e = f32[] parameter(4)
  f = f32[] parameter(5)
  lt0 = pred[] compare(a, b), direction=LT
  eq0 = pred[] compare(a, b), direction=EQ
  gt1 = pred[] compare(c, d), direction=GT
  two = pred[] select(eq0, gt1, lt0)
  eq1 = pred[] compare(c, d), direction=EQ
  eq01 = pred[] and(eq0, eq1)
  lt2 = pred[] compare(e, f), direction=LT, type=TOTALORDER
  ROOT r = pred[] select(eq01, lt2, two)
})";

TEST(SortOrderTest, Selects) {
  const std::vector<SortKey> keys = KeysOf(kSelects);
  ASSERT_EQ(keys.size(), 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(keys[i].operand, i);
  EXPECT_FALSE(keys[0].descending);
  EXPECT_TRUE(keys[1].descending);
  EXPECT_FALSE(keys[2].descending);
  EXPECT_EQ(keys[2].order, SortOrder::kFloatTotal);
  // The last key counts where all before are equal, not just one, nor others.
  for (const char* condition :
       {"and(eq0, eq0)", "or(eq0, eq1)", "and(eq0, lt0)", "and(eq0, eq01b)"}) {
    std::string other(kSelects);
    other.replace(other.find("and(eq0, eq1)"), 13, condition);
    const size_t at = other.find("  eq01 =");
    other.insert(at, "  eq01b = pred[] and(eq0, eq1)\n");
    EXPECT_TRUE(KeysOf(other).empty()) << condition;
  }
}

TEST(SortOrderTest, NearMisses) {
  // These comparators are no keys: one is not strict, one compares different
  // operands, one has another number instead of zero.
  EXPECT_TRUE(KeysOf(R"(less {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LE
})")
                  .empty());
  EXPECT_TRUE(KeysOf(R"(less {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  ROOT r = pred[] compare(a, d), direction=LT
})")
                  .empty());
  std::string other(kCanonical);
  other.replace(other.find("constant(0)"), 11, "constant(1)");
  EXPECT_TRUE(KeysOf(other).empty());
  std::string mixed(kTwoKeys);
  mixed.replace(mixed.find("compare(a, b), direction=EQ"), 27,
                "compare(c, d), direction=EQ");
  EXPECT_TRUE(KeysOf(mixed).empty());
}

TEST(SortTest, ByKeys) {
  std::vector<Literal> floats;
  floats.push_back(
      LiteralUtil::CreateR1<float>({3, NAN, -0.0f, 0, -INFINITY, 1, -NAN}));
  Sort(kTotal, std::move(floats));
  std::vector<Literal> pairs;
  pairs.push_back(
      LiteralUtil::CreateR1<float>({3, NAN, 0, -0.0f, -INFINITY, 1, -NAN}));
  pairs.push_back(LiteralUtil::CreateR1<int32_t>({0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(
      Sort(kCanonical, std::move(pairs)),
      "( f32[7] {-inf, 0, -0, 1, 3, nan, -nan}, s32[7] {4, 2, 3, 5, 0, 1, "
      "6} )");
  std::vector<Literal> keys;
  keys.push_back(LiteralUtil::CreateR2<int32_t>({{2, 1}, {2, 1}, {1, 1}}));
  keys.push_back(LiteralUtil::CreateR2<uint8_t>({{5, 7}, {6, 9}, {0, 8}}));
  Sort(kTwoKeys, std::move(keys));
}

// Types without keys use the comparator.
void GreaterS4(char* const* a, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    reinterpret_cast<bool*>(a[2])[i] =
        reinterpret_cast<s4*>(a[0])[i] > reinterpret_cast<s4*>(a[1])[i];
  }
}

TEST(SortTest, SmallIntegers) {
  std::vector<Literal> arguments;
  arguments.push_back(
      *LiteralUtil::CreateR1<int8_t>({3, -8, 7, -1, 0}).Convert(S4));
  EXPECT_EQ(Sort(R"(less {
  a = s4[] parameter(0)
  b = s4[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=GT
})",
                 std::move(arguments), GreaterS4),
            "s4[5] {7, 3, 0, -1, -8}");
}

TEST(SortTest, ByComparator) {
  for (const int dimension : {0, 1}) {
    std::vector<Literal> arguments;
    arguments.push_back(
        LiteralUtil::CreateR2<float>({{-3, 2, 1}, {1, -2, -1}, {0, 5, -4}}));
    Sort(kAbsolute, std::move(arguments), LessAbsolute, dimension);
  }
}

TEST(TopKTest, LargestAndSmallest) {
  for (const char* largest : {"true", "false"}) {
    std::vector<Literal> arguments;
    arguments.push_back(LiteralUtil::CreateR2<float>(
        {{3, -1, 3, 7, 0}, {NAN, 1, INFINITY, -0.0f, 0}}));
    RunBothAlone(absl::StrCat(R"(HloModule m
ENTRY e {
  a = f32[2,5] parameter(0)
  ROOT r = (f32[2,3], s32[2,3]) topk(a), k=3, largest=)",
                              largest, "\n}"),
                 std::move(arguments));
  }
}

}  // namespace
}  // namespace xla::cpu
