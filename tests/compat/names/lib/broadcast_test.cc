// Uses every name of xla/hlo/builder/lib/broadcast.h.
#include "xla/hlo/builder/lib/broadcast.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

TEST(LibBroadcastNamesTest, BroadcastTo) {
  EXPECT_EQ(
      names_testing::ValueOf([](XlaBuilder* b) {
        return BroadcastTo(names_testing::Ints(b, {1, 2}), {2, 2}).value();
      }),
      "{ { 1, 2 }, { 1, 2 } }");
  XlaBuilder b("b");
  EXPECT_FALSE(BroadcastTo(names_testing::Ints(&b, {1, 2}), {3}).ok());
}

}  // namespace
}  // namespace xla
