// Uses every name of xla/pjrt/pjrt_common.h.
#include "xla/pjrt/pjrt_common.h"

#include "absl/container/flat_hash_set.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(PjrtCommonNamesTest, Ids) {
  const PjRtIdContainer<PjRtProcessId> ids =
      MakeContinuousIds<PjRtProcessId>(2, 3);
  EXPECT_THAT(ids, ::testing::ElementsAre(PjRtProcessId(2), PjRtProcessId(3),
                                          PjRtProcessId(4)));
  EXPECT_TRUE(MakeContinuousIds<PjRtGlobalChipId>(0, 0).empty());
  EXPECT_LT(PjRtGlobalDeviceId(1), PjRtGlobalDeviceId(2));
  EXPECT_EQ(PjRtLocalDeviceId(5).value(), 5);
  EXPECT_EQ(PjRtLocalHardwareId(), PjRtLocalHardwareId(0));
  EXPECT_EQ((absl::flat_hash_set<PjRtGlobalChipId>{PjRtGlobalChipId(1),
                                                   PjRtGlobalChipId(1)}
                 .size()),
            1);
  const PjRtPlatformId platform = 7;
  EXPECT_EQ(platform, 7u);
}

TEST(PjrtCommonNamesTest, Values) {
  PjRtValueType value = std::string("text");
  EXPECT_EQ(std::get<std::string>(value), "text");
  value = int64_t{3};
  EXPECT_EQ(std::get<int64_t>(value), 3);
  value = std::vector<int64_t>{1, 2};
  EXPECT_EQ(std::get<std::vector<int64_t>>(value).size(), 2);
  value = true;
  EXPECT_TRUE(std::get<bool>(value));
  value = 0.5f;
  EXPECT_EQ(std::get<float>(value), 0.5f);
}

}  // namespace
}  // namespace xla
