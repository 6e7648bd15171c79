// Tokens of HLO text, as tools written for XLA read them.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/parser/hlo_lexer.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Kinds(absl::string_view text,
                               uint64_t skip_mask = kNoneMask) {
  std::vector<std::string> kinds;
  HloLexer lexer(text);
  while (true) {
    const TokKind kind = lexer.Lex(skip_mask);
    if (kind == TokKind::kEof) return kinds;
    kinds.push_back(TokKindToString(kind));
    if (kind == TokKind::kError) return kinds;
  }
}

TEST(LexerTest, Instructions) {
  EXPECT_THAT(
      Kinds("ROOT %add.1 = f32[2,<=3]{1,0} add(a, %b), dim={0}"),
      ElementsAre("kw_ROOT", "kName", "kEqual", "kPrimitiveType", "kLsquare",
                  "kInt", "kComma", "kLeq", "kInt", "kRsquare", "kLbrace",
                  "kInt", "kComma", "kInt", "kRbrace", "kIdent", "kLparen",
                  "kIdent", "kComma", "kName", "kRparen", "kComma",
                  "kAttributeName", "kLbrace", "kInt", "kRbrace"));
  EXPECT_THAT(
      Kinds("HloModule m ENTRY e: (x) -> y ..."),
      ElementsAre("kw_HloModule", "kIdent", "kw_ENTRY", "kName", "kLparen",
                  "kIdent", "kRparen", "kArrow", "kIdent", "kDots"));
  EXPECT_THAT(Kinds("true false inf -inf maximal replicated manual unknown "
                    "last_tile_dim_replicate shard_as shard_like unreduced"),
              ElementsAre("kw_true", "kw_false", "kw_inf", "kNegInf",
                          "kw_maximal", "kw_replicated", "kw_manual",
                          "kw_unknown", "kw_last_tile_dim_replicate",
                          "kw_shard_as", "kw_shard_like", "kw_unreduced"));
  EXPECT_THAT(Kinds("* ? # + ~ : ="),
              ElementsAre("kAsterisk", "kQuestionMark", "kOctothorp", "kPlus",
                          "kTilde", "kColon", "kEqual"));
}

TEST(LexerTest, PatternsThatBeginWithDigits) {
  EXPECT_THAT(Kinds("3x4 0_1 -1_2_3x4_5 b01f_01io->b01f 0b_io->?b"),
              ElementsAre("kDxD", "kPad", "kPad", "kDimLabels", "kDimLabels"));
  EXPECT_THAT(Kinds("3x4 0_1", kDimLabelsDxDPadDecimalMask),
              ElementsAre("kInt", "kIdent", "kInt", "kIdent"));
  EXPECT_THAT(Kinds("1.5 1e3", kDimLabelsDxDPadDecimalMask),
              ElementsAre("kInt", "kError"));
  EXPECT_THAT(
      Kinds("1 -2 1. -.5 1.5e-3 2E+4 tuple pred token"),
      ElementsAre("kInt", "kInt", "kDecimal", "kDecimal", "kDecimal",
                  "kDecimal", "kIdent", "kPrimitiveType", "kPrimitiveType"));
}

TEST(LexerTest, Values) {
  HloLexer lexer(R"(%a.1 dims= bf16 -7 18446744073709551615 2.5e-1 "x\"\n" )"
                 R"('y' 3x4 word)");
  EXPECT_EQ(lexer.Lex(), TokKind::kName);
  EXPECT_EQ(lexer.GetStrVal(), "a.1");
  EXPECT_EQ(lexer.Lex(), TokKind::kAttributeName);
  EXPECT_EQ(lexer.GetStrVal(), "dims");
  EXPECT_EQ(lexer.Lex(), TokKind::kPrimitiveType);
  EXPECT_EQ(lexer.GetPrimitiveTypeVal(), BF16);
  EXPECT_EQ(lexer.Lex(), TokKind::kInt);
  EXPECT_EQ(lexer.GetInt64Val(), -7);
  EXPECT_EQ(lexer.LookAhead(), TokKind::kInt);
  EXPECT_EQ(lexer.GetInt64Val(), -7);  // it stays
  EXPECT_EQ(lexer.Lex(), TokKind::kInt);
  EXPECT_EQ(lexer.GetInt64Val(), -1);  // the bits
  EXPECT_EQ(lexer.Lex(), TokKind::kDecimal);
  EXPECT_EQ(lexer.GetDecimalVal(), 0.25);
  EXPECT_EQ(lexer.Lex(), TokKind::kString);
  EXPECT_EQ(lexer.GetStrVal(), "x\"\n");
  EXPECT_EQ(lexer.Lex(), TokKind::kString);
  EXPECT_EQ(lexer.GetStrVal(), "y");
  EXPECT_EQ(lexer.Lex(), TokKind::kDxD);
  EXPECT_EQ(lexer.GetStrVal(), "3x4");
  EXPECT_EQ(lexer.Lex(), TokKind::kIdent);
  EXPECT_EQ(lexer.GetStrVal(), "word");
  EXPECT_EQ(lexer.Lex(), TokKind::kEof);
  EXPECT_EQ(lexer.LookAhead(), TokKind::kEof);
}

TEST(LexerTest, RangesOfIntegers) {
  HloLexer least("-9223372036854775808");
  EXPECT_EQ(least.Lex(), TokKind::kInt);
  EXPECT_EQ(least.GetInt64Val(), std::numeric_limits<int64_t>::min());
  EXPECT_THAT(Kinds("18446744073709551616"), ElementsAre("kError"));
  EXPECT_THAT(Kinds("-9223372036854775809"), ElementsAre("kError"));
}

TEST(LexerTest, NansAndTheirPayloads) {
  HloLexer lexer("nan -nan nan(0x1) -nan(0xfffffffffffff)");
  const auto bits = [&] {
    EXPECT_EQ(lexer.Lex(), TokKind::kDecimal);
    const double value = lexer.GetDecimalVal();
    EXPECT_TRUE(std::isnan(value));
    uint64_t all;
    std::memcpy(&all, &value, sizeof(all));
    return all;
  };
  EXPECT_EQ(bits(), 0x7ff8000000000000u);
  EXPECT_EQ(bits(), 0xfff8000000000000u);
  EXPECT_EQ(bits(), 0x7ff0000000000001u);
  EXPECT_EQ(bits(), 0xffffffffffffffffu);
  EXPECT_THAT(Kinds("nan(0x0)"), ElementsAre("kError"));
  EXPECT_THAT(Kinds("nan(1)"), ElementsAre("kError"));
  EXPECT_THAT(Kinds("nan(0x1"), ElementsAre("kError"));
}

TEST(LexerTest, CommentsAndErrors) {
  EXPECT_THAT(Kinds("a /* b\n */ c // d\n e // f"),
              ElementsAre("kIdent", "kIdent", "kIdent"));
  for (const absl::string_view wrong :
       {"/* a", "/", "..", ".", "<", "% a", "\"a", "'a\"", "-", "@"}) {
    EXPECT_THAT(Kinds(wrong), ElementsAre("kError")) << wrong;
  }
  EXPECT_THAT(Kinds(absl::string_view("a\0b", 3)),
              ElementsAre("kIdent", "kError"));
}

TEST(LexerTest, LinesAndColumns) {
  const std::string text = "first line\n  second word\n";
  HloLexer lexer(text);
  lexer.Lex();
  EXPECT_EQ(lexer.GetLineAndColumn(lexer.GetLoc()), std::pair(1u, 0u));
  lexer.Lex();
  EXPECT_EQ(lexer.GetLineAndColumn(lexer.GetLoc()), std::pair(1u, 6u));
  EXPECT_EQ(lexer.GetLine(lexer.GetLoc()), "first line");
  lexer.Lex();
  EXPECT_EQ(lexer.GetLineAndColumn(lexer.GetLoc()), std::pair(2u, 3u));
  EXPECT_EQ(lexer.GetLine(lexer.GetLoc()), "  second word");
  lexer.Lex();
  EXPECT_EQ(lexer.Lex(), TokKind::kEof);
  EXPECT_EQ(lexer.GetLine(lexer.GetLoc()), "LINE OUT OF RANGE");
}

TEST(LexerTest, JsonDictionaries) {
  for (const absl::string_view good :
       {"{}", R"({"a": {"b": "}"}})", R"({a: "\"}"})", " {x{y}z} "}) {
    EXPECT_TRUE(LexesAsJsonDict(good)) << good;
  }
  for (const absl::string_view bad :
       {"", "a", "{", "{}}", "{} a", R"({"a)", "[{}]"}) {
    EXPECT_FALSE(LexesAsJsonDict(bad)) << bad;
  }
  HloLexer lexer(R"(backend_config={"k": {"v": 1}}, next=1)");
  EXPECT_EQ(lexer.Lex(), TokKind::kAttributeName);
  EXPECT_EQ(lexer.LexJsonDict(), TokKind::kError);
  EXPECT_EQ(lexer.Lex(), TokKind::kLbrace);
  EXPECT_EQ(lexer.LexJsonDict(), TokKind::kString);
  EXPECT_EQ(lexer.GetStrVal(), R"({"k": {"v": 1}})");
  EXPECT_EQ(lexer.Lex(), TokKind::kComma);
}

}  // namespace
}  // namespace xla
