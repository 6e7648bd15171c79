// Characters at the ends of each range, and bytes that are none.
#include "xla/base/text/utf8.h"

#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(ValidUtf8Test, KeepsCharactersOfEachLength) {
  for (const char* text :
       {"", "plain", "\xc2\x80\xdf\xbf", "\xe0\xa0\x80\xef\xbf\xbf",
        "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xed\x9f\xbf\xee\x80\x80"}) {
    EXPECT_EQ(ValidUtf8(text), text);
  }
}

TEST(ValidUtf8Test, ReplacesBytesOfWhatIsNotACharacter) {
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(ValidUtf8("a\x80z"), "a" + bad + "z");
  EXPECT_EQ(ValidUtf8("\xff"), bad);
  // Cut off, by the end or by another character.
  EXPECT_EQ(ValidUtf8("\xc3"), bad);
  EXPECT_EQ(ValidUtf8("\xe2\x82"), bad + bad);
  EXPECT_EQ(ValidUtf8("\xc3(\xc3\xa9"), bad + "(\xc3\xa9");
  // Too long, a surrogate, above the last code.
  EXPECT_EQ(ValidUtf8("\xc0\x80"), bad + bad);
  EXPECT_EQ(ValidUtf8("\xed\xa0\x80"), bad + bad + bad);
  EXPECT_EQ(ValidUtf8("\xf4\x90\x80\x80"), bad + bad + bad + bad);
}

}  // namespace
}  // namespace xla
