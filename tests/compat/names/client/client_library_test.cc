// Uses every name of xla/client/client_library.h.
#include "xla/client/client_library.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

TEST(ClientLibraryNamesTest, Options) {
  LocalClientOptions options;
  EXPECT_EQ(options.platform(), nullptr);
  EXPECT_EQ(options.number_of_replicas(), 1);
  EXPECT_EQ(options.intra_op_parallelism_threads(), -1);
  EXPECT_EQ(options.allowed_devices(), std::nullopt);
  se::Platform* platform = ClientLibrary::LocalClientOrDie()->platform();
  const std::set<int> devices = {0, 2};
  options.set_platform(platform)
      .set_number_of_replicas(2)
      .set_intra_op_parallelism_threads(3)
      .set_allowed_devices(devices);
  EXPECT_EQ(options.platform(), platform);
  EXPECT_EQ(options.number_of_replicas(), 2);
  EXPECT_EQ(options.intra_op_parallelism_threads(), 3);
  EXPECT_EQ(options.allowed_devices(), devices);
  const LocalClientOptions same(platform, 2, 3, devices);
  EXPECT_EQ(same.number_of_replicas(), 2);
}

TEST(ClientLibraryNamesTest, Clients) {
  LocalClient* client = ClientLibrary::LocalClientOrDie();
  se::Platform* platform = client->platform();
  EXPECT_EQ(ClientLibrary::GetOrCreateLocalClient().value(), client);
  EXPECT_EQ(ClientLibrary::GetOrCreateLocalClient(platform).value(), client);
  EXPECT_EQ(ClientLibrary::GetXlaService(platform), client->local_service());
  const std::set<int> devices = {1};
  LocalClient* restricted =
      ClientLibrary::GetOrCreateLocalClient(platform, devices).value();
  EXPECT_FALSE(restricted->device_ordinal_supported(0));
  EXPECT_EQ(restricted->default_device_ordinal(), 1);
  LocalClient* with_options =
      ClientLibrary::GetOrCreateLocalClient(
          LocalClientOptions().set_number_of_replicas(2))
          .value();
  EXPECT_GE(with_options->device_count(), 2);
  EXPECT_FALSE(ClientLibrary::GetOrCreateLocalClient(
                   LocalClientOptions().set_number_of_replicas(0))
                   .ok());
  ClientLibrary::DestroyLocalInstances();
  EXPECT_EQ(ClientLibrary::GetXlaService(platform), nullptr);
  EXPECT_EQ(names_testing::ValueOf(
                [](XlaBuilder* b) { return names_testing::Scalar(b, 5); }),
            "5");
}

}  // namespace
}  // namespace xla
