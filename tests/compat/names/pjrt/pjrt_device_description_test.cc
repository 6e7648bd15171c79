// Uses every name of xla/pjrt/pjrt_device_description.h.
#include "xla/pjrt/pjrt_device_description.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/pjrt/plugin/xla_cpu/xla_cpu_pjrt_client.h"

namespace xla {
namespace {

TEST(PjrtDeviceDescriptionNamesTest, OfAClient) {
  CpuClientOptions options;
  options.cpu_device_count = 2;
  const std::unique_ptr<PjRtClient> client =
      GetXlaPjrtCpuClient(options).value();
  const PjRtDeviceDescription& device = client->devices()[1]->description();
  EXPECT_EQ(device.id(), 1);
  EXPECT_EQ(device.process_index(), 0);
  EXPECT_EQ(device.device_kind(), client->platform_name());
  EXPECT_THAT(device.DebugString(), ::testing::HasSubstr("1"));
  EXPECT_THAT(device.ToString(), ::testing::HasSubstr("id=1"));
  const auto& attributes = device.Attributes();
  EXPECT_EQ(attributes.size(), client->devices()[1]->Attributes().size());
  ASSERT_FALSE(device.memory_spaces().empty());
  const PjRtMemorySpaceDescription* space =
      device.default_memory_space().value();
  EXPECT_EQ(space, device.memory_spaces()[0]);
  EXPECT_EQ(space->kind(),
            client->devices()[1]->default_memory_space().value()->kind());
  for (const PjRtMemorySpaceDescription* other : device.memory_spaces()) {
    EXPECT_EQ(other->kind_id() == space->kind_id(),
              other->kind() == space->kind());
  }
}

TEST(PjrtDeviceDescriptionNamesTest, MemorySpace) {
  const PjRtMemorySpaceDescription space("kind", 3);
  EXPECT_EQ(space.kind(), "kind");
  EXPECT_EQ(space.kind_id(), 3);
  const PjRtDeviceAttribute attribute = int64_t{4};
  EXPECT_EQ(std::get<int64_t>(attribute), 4);
}

}  // namespace
}  // namespace xla
