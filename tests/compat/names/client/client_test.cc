// Uses every name of xla/client/client.h.
#include "xla/client/client.h"

#include <thread>

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

class ClientNamesTest : public testing::Test {
 protected:
  // f32[2] -> f32[2].
  XlaComputation PlusOneVector() {
    XlaBuilder b("plus_one");
    Add(Parameter(&b, 0, vector_, "x"), names_testing::Scalar(&b, 1));
    return b.Build().value();
  }
  std::string Text(const GlobalData& data) {
    return client_.Transfer(data).value().ToStringWithoutShapeOneline();
  }

  const Shape vector_ = ShapeUtil::MakeShape(F32, {2});
  Client client_{ClientLibrary::LocalClientOrDie()->stub()};
  const Literal value_ = LiteralUtil::CreateR1<float>({1, 2});
};

TEST_F(ClientNamesTest, Runs) {
  EXPECT_EQ(client_.stub(), ClientLibrary::LocalClientOrDie()->stub());
  const XlaComputation plus = PlusOneVector();
  const std::unique_ptr<GlobalData> x =
      client_.TransferToServer(value_).value();
  const ExecutionHandle handle = client_.Compile(plus, {vector_}).value();
  ExecutionProfile profile;
  EXPECT_EQ(Text(*client_.Execute(handle, {x.get()}).value()), "{2, 3}");
  EXPECT_EQ(Text(*client_.Execute(handle, {x.get()}, &profile).value()),
            "{2, 3}");
  EXPECT_GT(profile.compute_time_ns(), 0);
  EXPECT_EQ(Text(*client_.Execute(plus, {x.get()}).value()), "{2, 3}");
  ExecutionOptions options;
  *options.mutable_shape_with_output_layout() =
      ShapeUtil::MakeShapeWithDenseLayout(F32, {2}, {0}).ToProto();
  EXPECT_EQ(client_.ExecuteAndTransfer(plus, {x.get()}, &options, &profile)
                .value()
                .ToStringWithoutShapeOneline(),
            "{2, 3}");
  EXPECT_FALSE(client_.Execute(plus, absl::Span<GlobalData* const>()).ok());
}

TEST_F(ClientNamesTest, RunsInParallel) {
  const XlaComputation plus = PlusOneVector();
  const std::vector<DeviceHandle> devices = client_.GetDeviceHandles(2).value();
  ASSERT_EQ(devices.size(), 2);
  const std::unique_ptr<GlobalData> x =
      client_.TransferToServer(value_, &devices[0]).value();
  std::vector<Client::XlaComputationInstance> instances;
  for (const DeviceHandle& device : devices) {
    ExecutionOptions options;
    *options.add_device_handles() = device;
    instances.push_back(
        XlaComputationInstance(plus, {x.get()}, options, nullptr));
  }
  const auto results = client_.ExecuteParallel(instances).value();
  ASSERT_EQ(results.size(), 2);
  EXPECT_EQ(Text(*results[1]), "{2, 3}");
}

TEST_F(ClientNamesTest, Values) {
  const std::unique_ptr<GlobalData> x =
      client_
          .TransferToServer(LiteralUtil::MakeTupleOwned(
              value_.Clone(), LiteralUtil::CreateR0<int32_t>(7)))
          .value();
  EXPECT_EQ(ShapeUtil::HumanString(client_.GetShape(*x).value()),
            "(f32[2], s32[])");
  const auto parts = client_.DeconstructTuple(*x).value();
  ASSERT_EQ(parts.size(), 2);
  EXPECT_EQ(Text(*parts[1]), "7");
  EXPECT_EQ(client_.Transfer(*parts[0], &vector_).value(), value_);
  EXPECT_TRUE(client_.Unregister(*x).ok());
  EXPECT_FALSE(client_.Transfer(*x).ok());
  EXPECT_TRUE(client_.ResetDevice().ok());
}

TEST_F(ClientNamesTest, Feeds) {
  XlaBuilder b("feeds");
  Outfeed(Infeed(&b, vector_), vector_, "");
  ASSERT_TRUE(client_.TransferToInfeed(value_).ok());
  ASSERT_TRUE(client_.TransferToInfeed(value_, /*replica_id=*/0, nullptr).ok());
  const XlaComputation program = b.Build().value();
  for (int run = 0; run < 2; ++run) {
    ASSERT_TRUE(client_.Execute(program, absl::Span<GlobalData* const>()).ok());
  }
  EXPECT_EQ(client_.TransferFromOutfeed(&vector_).value(), value_);
  EXPECT_EQ(client_.TransferFromOutfeed(&vector_, 0, nullptr).value(), value_);
}

TEST_F(ClientNamesTest, Programs) {
  XlaBuilder b("constant");
  Neg(names_testing::Floats(&b, {1, 2}));
  const XlaComputation constant = b.Build().value();
  EXPECT_EQ(
      client_.ComputeConstant(constant).value().ToStringWithoutShapeOneline(),
      "{-1, -2}");
  const Layout layout = LayoutUtil::MakeLayout({0});
  EXPECT_EQ(client_.ComputeConstant(constant, &layout).value().shape().layout(),
            layout);
  EXPECT_EQ(client_.GetComputationShape(PlusOneVector()).value()->ToString(),
            "(x: f32[2]) -> f32[2]");
  const HloSnapshot snapshot = *constant.Snapshot().value();
  EXPECT_EQ(client_.LoadSnapshot(snapshot).value().name(), constant.name());
}

TEST_F(ClientNamesTest, Channels) {
  const ChannelHandle a = client_.CreateChannelHandle().value();
  const ChannelHandle b = client_.CreateHostToDeviceChannelHandle().value();
  const ChannelHandle c = client_.CreateDeviceToHostChannelHandle().value();
  EXPECT_EQ(a.type(), ChannelHandle::DEVICE_TO_DEVICE);
  EXPECT_EQ(b.type(), ChannelHandle::HOST_TO_DEVICE);
  EXPECT_EQ(c.type(), ChannelHandle::DEVICE_TO_HOST);
  EXPECT_NE(a.handle(), b.handle());
  EXPECT_NE(b.handle(), c.handle());
}

}  // namespace
}  // namespace xla
