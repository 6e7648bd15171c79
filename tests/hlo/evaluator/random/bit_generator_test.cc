// Known answers of the generators, from the test vectors of Random123.
#include "xla/hlo/evaluator/random/bit_generator.h"

#include <cstdint>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

constexpr uint64_t kOnes = ~uint64_t{0};

TEST(BitGeneratorTest, Philox4x32) {
  EXPECT_THAT(Philox4x32(0, 0),
              ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  EXPECT_THAT(Philox4x32(absl::MakeUint128(kOnes, kOnes), kOnes),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
}

TEST(BitGeneratorTest, ThreeFry2x32) {
  EXPECT_THAT(ThreeFry2x32(0, 0), ElementsAre(0x6b200159, 0x99ba4efe));
  EXPECT_THAT(ThreeFry2x32(kOnes, kOnes), ElementsAre(0x1cb996fc, 0xbb002be7));
}

}  // namespace
}  // namespace xla
