// Tokens, errors and limits of the text scanner.
#include "xla/base/text_scanner.h"

#include <cmath>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(TextScannerTest, SkipsSpaceAndComments) {
  TextScanner scanner(" /* a */ // b\n\t x /* { */ // end");
  EXPECT_EQ(scanner.Peek(), 'x');
  EXPECT_FALSE(scanner.AtEnd());
  EXPECT_TRUE(scanner.TryConsume("x"));
  EXPECT_TRUE(scanner.AtEnd());
  EXPECT_EQ(scanner.Peek(), '\0');
  EXPECT_FALSE(scanner.NextIs("x"));
}

TEST(TextScannerTest, UnclosedCommentIsLeftOver) {
  TextScanner scanner("  /* a");
  EXPECT_FALSE(scanner.AtEnd());
  EXPECT_EQ(scanner.Peek(), '/');
}

TEST(TextScannerTest, ConsumesTokensAndWords) {
  TextScanner scanner("added add->add.1 add");
  EXPECT_FALSE(scanner.TryConsumeWord("add"));
  EXPECT_TRUE(scanner.TryConsume("add"));
  EXPECT_TRUE(scanner.TryConsume("ed"));
  EXPECT_TRUE(scanner.TryConsumeWord("add"));
  EXPECT_TRUE(scanner.Consume("->").ok());
  EXPECT_FALSE(scanner.TryConsumeWord("add"));
  EXPECT_EQ(*scanner.Name(), "add.1");
  EXPECT_TRUE(scanner.TryConsumeWord("add"));
  EXPECT_FALSE(scanner.Consume("}").ok());
}

TEST(TextScannerTest, ReadsNames) {
  TextScanner scanner("%add.1-x, _a->b 1a");
  EXPECT_EQ(scanner.PeekName(), "add.1-x");
  EXPECT_EQ(*scanner.Name(), "add.1-x");
  EXPECT_EQ(scanner.PeekName(), "");
  EXPECT_TRUE(scanner.TryConsume(","));
  EXPECT_EQ(*scanner.Name(), "_a");
  EXPECT_TRUE(scanner.TryConsume("->"));
  EXPECT_EQ(*scanner.Name(), "b");
  EXPECT_FALSE(scanner.Name().ok());
  EXPECT_EQ(scanner.Peek(), '1');
}

TEST(TextScannerTest, ReadsIntegers) {
  TextScanner scanner(
      "3x-4 9223372036854775807 -9223372036854775808 "
      "9223372036854775808");
  EXPECT_EQ(*scanner.Int64(), 3);
  EXPECT_TRUE(scanner.TryConsume("x"));
  EXPECT_EQ(*scanner.Int64(), -4);
  EXPECT_EQ(*scanner.Int64(), INT64_MAX);
  EXPECT_EQ(*scanner.Int64(), INT64_MIN);
  EXPECT_FALSE(scanner.Int64().ok());
  EXPECT_FALSE(TextScanner("-").Int64().ok());
}

TEST(TextScannerTest, ReadsBools) {
  TextScanner scanner("true 0 false 1 truely 10");
  EXPECT_TRUE(*scanner.Bool());
  EXPECT_FALSE(*scanner.Bool());
  EXPECT_FALSE(*scanner.Bool());
  EXPECT_TRUE(*scanner.Bool());
  EXPECT_FALSE(scanner.Bool().ok());
  EXPECT_TRUE(scanner.TryConsume("truely"));
  EXPECT_FALSE(scanner.Bool().ok());
}

TEST(TextScannerTest, ReadsDoubles) {
  auto read = [](absl::string_view text) {
    return TextScanner(text).Double().value();
  };
  EXPECT_EQ(read("-1.5e-3"), -1.5e-3);
  EXPECT_EQ(read("+.5"), 0.5);
  EXPECT_EQ(read("5."), 5.0);
  EXPECT_EQ(read("0x1.8p3"), 12.0);
  EXPECT_EQ(read("-0X.8"), -0.5);
  EXPECT_EQ(read("-inf"), -INFINITY);
  EXPECT_EQ(read("1e999"), INFINITY);
  EXPECT_EQ(read("-1e-999"), 0.0);
  EXPECT_TRUE(std::signbit(read("-0")));
  EXPECT_TRUE(std::isnan(read("-nan(0x7f)")));
  for (const char* bad : {"", ".", "-", "e5", "info", "nano", "."}) {
    EXPECT_FALSE(TextScanner(bad).Double().ok()) << bad;
  }
}

TEST(TextScannerTest, NumberTokensEndWhereTheNumberDoes) {
  TextScanner scanner("1e5,-nan(0x7f)}1e+ nan(");
  EXPECT_EQ(*scanner.NumberToken(), "1e5");
  EXPECT_TRUE(scanner.TryConsume(","));
  EXPECT_EQ(*scanner.NumberToken(), "-nan(0x7f)");
  EXPECT_TRUE(scanner.TryConsume("}"));
  EXPECT_EQ(*scanner.NumberToken(), "1");
  EXPECT_TRUE(scanner.TryConsume("e+"));
  EXPECT_EQ(*scanner.NumberToken(), "nan");
}

TEST(TextScannerTest, ReadsStrings) {
  TextScanner scanner(R"("a b" "\"\\\n\x41" "/* } */")");
  EXPECT_EQ(*scanner.QuotedString(), "a b");
  EXPECT_EQ(*scanner.QuotedString(), "\"\\\nA");
  EXPECT_EQ(*scanner.QuotedString(), "/* } */");
  for (const char* bad : {"a", "\"", "\"a\\\"", "\"a\\", "\"\\q\""}) {
    EXPECT_FALSE(TextScanner(bad).QuotedString().ok()) << bad;
  }
}

TEST(TextScannerTest, BalancedRespectsStringsAndComments) {
  TextScanner scanner(R"( {a {b} "}\"}" /* } */ 1/2} c)");
  EXPECT_EQ(*scanner.Balanced('{', '}'), R"({a {b} "}\"}" /* } */ 1/2})");
  EXPECT_EQ(scanner.Peek(), 'c');
  EXPECT_FALSE(scanner.Balanced('{', '}').ok());
  EXPECT_FALSE(TextScanner("{{}").Balanced('{', '}').ok());
  EXPECT_FALSE(TextScanner("{\"}").Balanced('{', '}').ok());
  // The depth needs no stack.
  const std::string deep =
      std::string(1000000, '{') + std::string(1000000, '}');
  EXPECT_EQ(TextScanner(deep).Balanced('{', '}')->size(), deep.size());
}

TEST(TextScannerTest, ErrorsShowThePlace) {
  TextScanner scanner("first\n  second = 5\nthird");
  ASSERT_TRUE(scanner.TryConsume("first"));
  ASSERT_TRUE(scanner.TryConsume("second"));
  const absl::Status status = scanner.Error("no such thing");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "2:10: no such thing\n  second = 5\n         ^");
  EXPECT_EQ(scanner.Consume("{").message(),
            "2:10: expected \"{\", got \"=\"\n  second = 5\n         ^");
  EXPECT_EQ(TextScanner("").ErrorAt(99, "e").message(), "1:1: e\n\n^");
}

TEST(TextScannerTest, ErrorsInLongLinesStayShort) {
  const std::string text = absl::StrCat(std::string(1 << 20, 'a'), "\t!");
  TextScanner scanner(text);
  ASSERT_TRUE(scanner.Name().ok());
  EXPECT_LT(scanner.Consume("x").message().size(), 400);
  EXPECT_LT(TextScanner(text).Consume("x").message().size(), 400);
}

TEST(TextScannerTest, PositionsCanBeRestored) {
  TextScanner scanner("  a b");
  const size_t start = scanner.position();
  EXPECT_EQ(start, 2);
  EXPECT_EQ(*scanner.Name(), "a");
  scanner.set_position(start);
  EXPECT_EQ(*scanner.Name(), "a");
}

}  // namespace
}  // namespace xla
