// Literals in HLO text and on several lines. literal_jaxlib_test.py compares
// them with jaxlib's text.
#include "xla/core/literal/literal_text.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_text.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<Literal> Scan(absl::string_view shape, absl::string_view text) {
  TextScanner scanner(text);
  auto literal = ScanLiteral(scanner, ParseShape(shape).value());
  if (literal.ok() && !scanner.AtEnd()) return scanner.Error("text is left");
  return literal;
}

// Reads `text` and returns what it prints as.
std::string Again(absl::string_view shape, absl::string_view text) {
  auto literal = Scan(shape, text);
  if (!literal.ok()) return std::string(literal.status().message());
  std::string out;
  PrintLiteralForHlo(*literal, &out);
  return out;
}

TEST(LiteralTextTest, Arrays) {
  EXPECT_EQ(Again("f32[2,2]", "{{1,2},\n {3,4}}"), "{ { 1, 2 }, { 3, 4 } }");
  EXPECT_EQ(Again("f32[2,2]{0,1}", "{{1,2},{3,4}}"), "{ { 1, 2 }, { 3, 4 } }");
  EXPECT_EQ(Again("f32[2]", "{1, 2.5}"), "{1, 2.5}");
  EXPECT_EQ(Again("f32[2,1]", "{{1},{3}}"), "{ {1}, {3} }");
  EXPECT_EQ(Again("f32[0,2]", "{}"), "{  }");
  EXPECT_EQ(Again("f32[2,0]", "{{},{}}"), "{ {}, {} }");
  EXPECT_EQ(Again("f32[2,0,3]", "{{},{}}"), "{ {  }, {  } }");
  EXPECT_EQ(Again("s32[1,2,1,2]", "{{{{1,0}},{{0,1}}}}"),
            "{ { /*i0=0*/ { /*i1=0*/ { 1, 0 } }, { /*i1=1*/ { 0, 1 } } } }");
  EXPECT_EQ(Again("f32[2]", "{1 /*i*/, /*x*/ 2}"), "{1, 2}");
  EXPECT_EQ(Again("(f32[2], s32[], ())", "({1,2}, 3, ())"),
            "( {1, 2}, 3, (  ) )");
  EXPECT_EQ(Again("pred[3]", "{1, false, true}"), "{1, 0, 1}");
  EXPECT_EQ(Again("c64[2]", "{(1,2), ( nan , -inf )}"),
            "{(1, 2), (nan, -inf)}");
}

TEST(LiteralTextTest, BareZeros) {
  EXPECT_EQ(Again("s8[3]", "0"), "{0, 0, 0}");
  EXPECT_EQ(Again("f32[2,1]", "0.0"), "{ {0}, {0} }");
  EXPECT_EQ(Again("pred[2]", "false"), "{0, 0}");
  EXPECT_EQ(Again("(s4[2], s4[])", "(0, 0)"), "( {0, 0}, 0 )");
  for (absl::string_view text : {"5", "-0.0", "nan", "...", "", "0, 0"}) {
    EXPECT_FALSE(Scan("f32[2]", text).ok()) << text;
  }
  EXPECT_THAT(Again("f32[2]", "5"), HasSubstr("expects braces nested 1 deep"));
  EXPECT_FALSE(Scan("f32[2,0]", "0").ok());
  EXPECT_FALSE(Scan("c64[2]", "0").ok());
  // Memory is bounded by the text.
  EXPECT_TRUE(Scan("s8[256,256]", "0").ok());
  EXPECT_FALSE(Scan("s8[256,257]", "0").ok());
  EXPECT_FALSE(Scan("s8[3000000000,3000000000]", "0").ok());
}

TEST(LiteralTextTest, Numbers) {
  EXPECT_EQ(Again("f32[]", "0.3333333333"), "0.333333343");
  EXPECT_EQ(Again("f32[]", "0.1"), "0.1");
  EXPECT_EQ(Again("f32[]", "-0"), "-0");
  EXPECT_EQ(Again("f32[]", "1e-45"), "1.4013e-45");
  EXPECT_EQ(Again("f32[]", "1e-400"), "0");
  EXPECT_EQ(Again("f64[]", "0.3333333333333333"), "0.33333333333333331");
  EXPECT_EQ(Again("bf16[]", "0.1"), "0.1001");
  EXPECT_EQ(Again("f16[]", "0.1"), "0.099976");
  EXPECT_EQ(Again("f32[]", "-nan(0x1)"), "-nan(0x1)");
  EXPECT_EQ(Again("f32[]", "nan"), "nan");
  EXPECT_EQ(Again("bf16[]", "-nan(0x12)"), "-nan(0x12)");
  EXPECT_EQ(Again("f8e4m3fn[]", "inf"), "nan");
  EXPECT_EQ(Again("u64[]", "18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(Again("s64[]", "-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(Again("s32[]", "0x10"), "16");
}

TEST(LiteralTextTest, ErrorsSayWhereAndWhy) {
  EXPECT_THAT(Again("s4[]", "8"), HasSubstr("out of range for s4"));
  EXPECT_THAT(Again("s64[]", "9223372036854775808"), HasSubstr("out of range"));
  EXPECT_THAT(Again("u8[]", "-1"), HasSubstr("out of range for u8"));
  EXPECT_THAT(Again("s32[]", "1.5"), HasSubstr("expects an integer"));
  EXPECT_THAT(Again("f32[]", "x"), HasSubstr("expects a number"));
  EXPECT_THAT(Again("f16[]", "1e9"), HasSubstr("out of range for f16"));
  EXPECT_THAT(Again("f32[]", "1e400"), HasSubstr("out of range"));
  EXPECT_THAT(Again("bf16[]", "nan(0x7fc001)"), HasSubstr("no nan of payload"));
  EXPECT_THAT(Again("f32[]", "nan(0x"), HasSubstr("payload"));
  EXPECT_THAT(Again("f32[2]", "{...}"), HasSubstr("left out"));
  EXPECT_THAT(Again("f32[2]", "{1}"), HasSubstr("expects 2 elements"));
  EXPECT_THAT(Again("f32[2,2]", "{{1,2},\n{3,4,5}}"), HasSubstr("2:6"));
  EXPECT_THAT(Again("f32[2,2]", "{1,2,3,4}"), HasSubstr("nested 2 deep"));
  EXPECT_THAT(Again("f32[2]", "{{1,2}}"), HasSubstr("nested 1 deep"));
  EXPECT_THAT(Again("f32[2]", "{1 2}"), HasSubstr("expects ','"));
  EXPECT_THAT(Again("f32[2]", "{1,2"), HasSubstr("expects ','"));
  EXPECT_THAT(Again("f32[1000000000000]", "{1}"), HasSubstr("but sees 1"));
  EXPECT_THAT(Again("f32[<=2]", "{1,2}"), HasSubstr("dynamic"));
  EXPECT_THAT(Again("c64[]", "1"), HasSubstr("complex"));
  EXPECT_THAT(Again("f32[]", ""), HasSubstr("expects a number"));
}

TEST(LiteralTextTest, ManyEmptyRowsAreAbridged) {
  EXPECT_EQ(Literal(ParseShape("f32[1000000000000,0]").value())
                .ToStringWithoutShape(),
            "{...}");
}

TEST(LiteralTextTest, ToStringOverSeveralLines) {
  Literal array = LiteralUtil::CreateR2<float>({{1, 2.5f}, {3, 4}});
  EXPECT_EQ(array.ToString(), "f32[2,2] {\n  { 1, 2.5 },\n  { 3, 4 }\n}");
  EXPECT_EQ(array.ToStringWithLayoutOneline(),
            "f32[2,2]{1,0} { { 1, 2.5 }, { 3, 4 } }");
  Literal tuple = LiteralUtil::MakeTupleOwned(
      LiteralUtil::CreateR0<float>(1), LiteralUtil::CreateR1<int32_t>({1, 2}));
  EXPECT_EQ(tuple.ToString(), "(\nf32[] 1,\ns32[2] {1, 2}\n)");
}

}  // namespace
}  // namespace xla
