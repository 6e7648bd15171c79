// The published values of the hash, and the form of the version.
#include "xla/base/stable_hash.h"

#include <cstdint>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "xla/base/version.h"

namespace xla {
namespace {

TEST(StableHashTest, GivesThePublishedValues) {
  EXPECT_EQ(StableHash(""), 0xcbf29ce484222325u);
  EXPECT_EQ(StableHash("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(StableHash("foobar"), 0x85944171f73967e8u);
}

TEST(StableHashTest, OfBlocksSeesEveryByteAndTheSize) {
  std::string text;
  std::set<uint64_t> hashes = {StableBlockHash(text)};
  for (int size = 1; size <= 70; ++size) {
    text.push_back('\0');
    EXPECT_TRUE(hashes.insert(StableBlockHash(text)).second) << size;
    for (char& c : text) {
      c = 1;
      EXPECT_TRUE(hashes.insert(StableBlockHash(text)).second) << size;
      c = 0;
    }
  }
  // Files contain this hash, so it must not change.
  EXPECT_EQ(StableBlockHash("abc"), 0x6b56e27c2c2d8906u);
}

TEST(VersionTest, HasThreeNumbers) {
  int dots = 0;
  for (const char c : TesseraVersion()) {
    dots += c == '.';
    EXPECT_TRUE(c == '.' || (c >= '0' && c <= '9')) << c;
  }
  EXPECT_EQ(dots, 2);
}

}  // namespace
}  // namespace xla
