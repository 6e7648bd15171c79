// Client: programs on values by handle.
#include "xla/client/client.h"

#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/client/client_library.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

XlaComputation AddOne(int64_t size = 3) {
  XlaBuilder b("add_one");
  const Shape shape = ShapeUtil::MakeShape(F32, {size});
  Add(Parameter(&b, 0, shape, "x"), ConstantR0<float>(&b, 1));
  return b.Build().value();
}

XlaComputation SumOverReplicas() {
  XlaBuilder b("sum");
  CrossReplicaSum(Parameter(&b, 0, ShapeUtil::MakeShape(F32, {2}), "x"));
  return b.Build().value();
}

class ClientTest : public testing::Test {
 protected:
  std::unique_ptr<GlobalData> Data(const Literal& literal) {
    return client_->TransferToServer(literal).value();
  }
  LocalClient* client_ = ClientLibrary::LocalClientOrDie();
};

TEST_F(ClientTest, TransfersAndExecutes) {
  const auto x = Data(LiteralUtil::CreateR1<float>({1, 2, 3}));
  const absl::StatusOr<Literal> result =
      client_->ExecuteAndTransfer(AddOne(), {x.get()});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result, LiteralUtil::CreateR1<float>({2, 3, 4}));
  EXPECT_EQ(client_->Transfer(*x).value(),
            LiteralUtil::CreateR1<float>({1, 2, 3}));
  EXPECT_EQ(client_->GetShape(*x).value(), ShapeUtil::MakeShape(F32, {3}));
}

TEST_F(ClientTest, CompiledOnceRunsOften) {
  const ExecutionHandle handle =
      client_->Client::Compile(AddOne(), {ShapeUtil::MakeShape(F32, {3})})
          .value();
  auto x = Data(LiteralUtil::CreateR1<float>({0, 1, 2}));
  ExecutionProfile profile;
  for (int i = 0; i < 3; ++i) {
    x = client_->Execute(handle, {x.get()}, &profile).value();
  }
  EXPECT_EQ(client_->Transfer(*x).value(),
            LiteralUtil::CreateR1<float>({3, 4, 5}));
  EXPECT_GT(profile.compute_time_ns(), 0);
  ExecutionHandle unknown;
  unknown.set_handle(1 << 30);
  EXPECT_EQ(client_->Execute(unknown, {x.get()}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ClientTest, ProgramsOfUnknownSizesAreRefused) {
  XlaBuilder b("unknown");
  const Shape vector = ShapeUtil::ParseShapeString("f32[?]").value();
  Neg(Parameter(&b, 0, vector, "x"));
  const XlaComputation computation = b.Build().value();
  const auto x = Data(LiteralUtil::CreateR1<float>({1, 2, 3}));
  for (const absl::Status& status :
       {client_->Client::Compile(computation, {vector}).status(),
        client_->Execute(computation, {x.get()}).status()}) {
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(std::string(status.message()), HasSubstr("f32[?]"));
  }
}

TEST_F(ClientTest, ResultHasTheLayoutThatIsAskedFor) {
  XlaBuilder b("transpose");
  Parameter(&b, 0, ShapeUtil::MakeShape(S32, {2, 3}), "x");
  const XlaComputation computation = b.Build().value();
  const Shape columns =
      ShapeUtil::MakeShapeWithDenseLayout(S32, {2, 3}, {0, 1});
  ExecutionOptions options = CreateDefaultExecutionOptions();
  *options.mutable_shape_with_output_layout() = columns.ToProto();
  const auto x = Data(LiteralUtil::CreateR2<int32_t>({{1, 2, 3}, {4, 5, 6}}));
  const Literal result =
      client_->ExecuteAndTransfer(computation, {x.get()}, &options).value();
  EXPECT_EQ(result.shape(), columns);
  EXPECT_THAT(result.data<int32_t>(), testing::ElementsAre(1, 4, 2, 5, 3, 6));
  const Shape rows = ShapeUtil::MakeShape(S32, {2, 3});
  EXPECT_EQ(client_->Transfer(*x, &columns).value().shape(), columns);
  const Shape other = ShapeUtil::MakeShape(S32, {3, 2});
  EXPECT_FALSE(client_->Transfer(*x, &other).ok());
  *options.mutable_shape_with_output_layout() = other.ToProto();
  EXPECT_THAT(client_->ExecuteAndTransfer(computation, {x.get()}, &options)
                  .status()
                  .message(),
              HasSubstr("the result"));
}

TEST_F(ClientTest, DeallocatedDataIsAnError) {
  const auto x = Data(LiteralUtil::CreateR1<float>({1, 2, 3}));
  ASSERT_TRUE(client_->Unregister(*x).ok());
  for (const absl::Status& status :
       {client_->Transfer(*x).status(), client_->Unregister(*x),
        client_->GetShape(*x).status(),
        client_->Execute(AddOne(), {x.get()}).status(),
        client_->GlobalDataToShapedBuffer(x->handle(), 0).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr("deallocated"));
  }
}

TEST_F(ClientTest, ArgumentsThatDoNotFitAreErrors) {
  const auto x = Data(LiteralUtil::CreateR1<float>({1, 2}));
  EXPECT_FALSE(client_->Execute(AddOne(), {x.get()}).ok());
  EXPECT_FALSE(client_->Execute(AddOne(), {}).ok());
  EXPECT_FALSE(client_->Execute(AddOne(), {nullptr}).ok());
  EXPECT_FALSE(client_->Execute(XlaComputation(), {}).ok());
  EXPECT_FALSE(client_->Client::Compile(AddOne(), {}).ok());
  EXPECT_FALSE(
      client_->Client::Compile(AddOne(), {ShapeUtil::MakeShape(F32, {4})})
          .ok());
}

TEST_F(ClientTest, BrokenProgramsAreErrors) {
  XlaComputation computation = AddOne();
  computation.mutable_proto()->mutable_computations(0)->set_root_id(12345);
  EXPECT_FALSE(client_->Execute(computation, {}).ok());
  EXPECT_FALSE(client_->LoadSnapshot(HloSnapshot()).ok());
}

TEST_F(ClientTest, TuplesComeApart) {
  XlaBuilder b("pair");
  const XlaOp x = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {2}), "x");
  Tuple(&b, {x, Neg(x)});
  const auto data = Data(LiteralUtil::CreateR1<float>({1, 2}));
  const auto pair = client_->Execute(b.Build().value(), {data.get()}).value();
  const auto parts = client_->DeconstructTuple(*pair).value();
  ASSERT_EQ(parts.size(), 2);
  EXPECT_EQ(client_->Transfer(*parts[1]).value(),
            LiteralUtil::CreateR1<float>({-1, -2}));
  EXPECT_FALSE(client_->DeconstructTuple(*parts[0]).ok());
}

TEST_F(ClientTest, ComputesConstants) {
  XlaBuilder b("constant");
  Mul(ConstantR0<int32_t>(&b, 6), ConstantR0<int32_t>(&b, 7));
  EXPECT_EQ(client_->ComputeConstant(b.Build().value()).value(),
            LiteralUtil::CreateR0<int32_t>(42));
  EXPECT_THAT(client_->ComputeConstant(AddOne()).status().message(),
              HasSubstr("not constant"));
}

TEST_F(ClientTest, DescribesComputationsAndMakesChannels) {
  EXPECT_EQ(client_->GetComputationShape(AddOne()).value()->ToString(),
            "(x: f32[3]) -> f32[3]");
  const ChannelHandle a = client_->CreateChannelHandle().value();
  const ChannelHandle b = client_->CreateHostToDeviceChannelHandle().value();
  EXPECT_NE(a.handle(), b.handle());
  EXPECT_EQ(a.type(), ChannelHandle::DEVICE_TO_DEVICE);
  EXPECT_EQ(b.type(), ChannelHandle::HOST_TO_DEVICE);
}

TEST_F(ClientTest, ReplicasRunTogether) {
  ExecutionOptions options = CreateDefaultExecutionOptions();
  options.set_num_replicas(3);
  const auto x = Data(LiteralUtil::CreateR1<float>({1, 10}));
  const auto sum =
      client_->Execute(SumOverReplicas(), {x.get()}, &options).value();
  EXPECT_EQ(client_->Transfer(*sum).value(),
            LiteralUtil::CreateR1<float>({3, 30}));
  // One value for each replica can be passed to the same replicas, and to no
  // others.
  const auto again =
      client_->Execute(SumOverReplicas(), {sum.get()}, &options).value();
  EXPECT_EQ(client_->Transfer(*again).value(),
            LiteralUtil::CreateR1<float>({9, 90}));
  options.set_num_replicas(2);
  EXPECT_FALSE(client_->Execute(SumOverReplicas(), {sum.get()}, &options).ok());
  options.set_num_replicas(1 << 20);
  EXPECT_FALSE(client_->Execute(SumOverReplicas(), {x.get()}, &options).ok());
  options.set_num_replicas(-1);
  EXPECT_FALSE(client_->Execute(SumOverReplicas(), {x.get()}, &options).ok());
}

TEST_F(ClientTest, ClientOfSeveralReplicas) {
  LocalClientOptions options;
  options.set_number_of_replicas(2);
  LocalClient* client = ClientLibrary::GetOrCreateLocalClient(options).value();
  EXPECT_GE(client->device_count(), 2);
  EXPECT_EQ(ClientLibrary::GetOrCreateLocalClient(options).value(), client);
  XlaBuilder b("id");
  ConvertElementType(ReplicaId(&b), S32);
  XlaComputation id = b.Build().value();
  const auto data = client->Execute(id, {}).value();
  for (int replica = 0; replica < 2; ++replica) {
    const ShapedBuffer* buffer =
        client->GlobalDataToShapedBuffer(data->handle(), replica).value();
    EXPECT_EQ(client->ShapedBufferToLiteral(*buffer).value(),
              LiteralUtil::CreateR0<int32_t>(replica));
  }
  EXPECT_FALSE(client->GlobalDataToShapedBuffer(data->handle(), 2).ok());
  options.set_number_of_replicas(0);
  EXPECT_FALSE(ClientLibrary::GetOrCreateLocalClient(options).ok());
}

TEST_F(ClientTest, InfeedAndOutfeedWhileRunning) {
  XlaBuilder b("echo");
  const Shape shape = ShapeUtil::MakeShape(F32, {2});
  const XlaOp in = InfeedWithToken(CreateToken(&b), shape);
  const XlaOp doubled = Mul(GetTupleElement(in, 0), ConstantR0<float>(&b, 2));
  OutfeedWithToken(doubled, GetTupleElement(in, 1), shape, "");
  Tuple(&b, {});
  const XlaComputation echo = b.Build().value();
  absl::Status ran;
  std::thread runner([&] { ran = client_->Execute(echo, {}).status(); });
  EXPECT_TRUE(
      client_->TransferToInfeed(LiteralUtil::CreateR1<float>({3, 4})).ok());
  const absl::StatusOr<Literal> out = client_->TransferFromOutfeed(&shape);
  runner.join();
  EXPECT_TRUE(ran.ok()) << ran;
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(*out, LiteralUtil::CreateR1<float>({6, 8}));
  EXPECT_FALSE(
      client_->TransferToInfeed(LiteralUtil::CreateR1<float>({1}), -1).ok());
  EXPECT_FALSE(
      client_->TransferToInfeed(LiteralUtil::CreateR1<float>({1}), 1 << 20)
          .ok());
}

TEST_F(ClientTest, ExecutesInParallelOnDeviceHandles) {
  const std::vector<DeviceHandle> handles =
      client_->GetDeviceHandles(2).value();
  const XlaComputation computation = AddOne();
  std::vector<std::unique_ptr<GlobalData>> inputs;
  std::vector<Client::XlaComputationInstance> instances;
  for (int i = 0; i < 2; ++i) {
    inputs.push_back(Data(LiteralUtil::CreateR1<float>({1.0f * i, 2, 3})));
    ExecutionOptions options = CreateDefaultExecutionOptions();
    *options.add_device_handles() = handles[i];
    instances.emplace_back(computation,
                           std::vector<GlobalData*>{inputs[i].get()}, options,
                           nullptr);
  }
  const auto results = client_->ExecuteParallel(instances).value();
  EXPECT_EQ(client_->Transfer(*results[0]).value(),
            LiteralUtil::CreateR1<float>({1, 3, 4}));
  EXPECT_EQ(client_->Transfer(*results[1]).value(),
            LiteralUtil::CreateR1<float>({2, 3, 4}));
  EXPECT_FALSE(client_->GetDeviceHandles(0).ok());
}

TEST_F(ClientTest, ManyThreads) {
  const XlaComputation computation = AddOne();
  const auto x = Data(LiteralUtil::CreateR1<float>({1, 2, 3}));
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        const auto y = client_->Execute(computation, {x.get()});
        if (y.ok() && client_->Transfer(**y).value() ==
                          LiteralUtil::CreateR1<float>({2, 3, 4})) {
          ++right;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 80);
}

TEST(ClientLibraryTest, DataMayOutliveItsClient) {
  LocalClientOptions options;
  options.set_number_of_replicas(5);
  LocalClient* client = ClientLibrary::GetOrCreateLocalClient(options).value();
  auto data =
      client->TransferToServer(LiteralUtil::CreateR1<float>({1})).value();
  ClientLibrary::DestroyLocalInstances();
  data.reset();
}

}  // namespace
}  // namespace xla
