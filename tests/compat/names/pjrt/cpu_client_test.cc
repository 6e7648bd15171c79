// Uses XLA's client for the CPU as its own tests do: memory kinds, transfers
// that end early, errors that come with buffers, and what the errors say.
#include "xla/pjrt/cpu/cpu_client.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/future.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/literal_util.h"
#include "xla/pjrt/host_memory_spaces.h"
#include "xla/pjrt/host_to_device_transfer_manager.h"
#include "xla/pjrt/proto/compile_options.pb.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CpuClientNamesTest : public testing::Test {
 protected:
  static std::unique_ptr<PjRtClient> Make() {
    CpuClientOptions options;
    options.cpu_device_count = 2;
    return GetPjRtCpuClient(std::move(options)).value();
  }
  std::unique_ptr<PjRtLoadedExecutable> Compile(
      absl::string_view text, const CompileOptions& options = {}) {
    const auto module = ParseAndReturnUnverifiedModule(text, {}).value();
    return client_->CompileAndLoad(XlaComputation(module->ToProto()), options)
        .value();
  }
  std::unique_ptr<PjRtBuffer> Floats(std::vector<float> values,
                                     int device = 0) {
    return client_
        ->BufferFromHostLiteral(
            LiteralUtil::CreateR1<float>(values),
            *client_->addressable_devices()[device]->default_memory_space())
        .value();
  }

  const std::unique_ptr<PjRtClient> client_ = Make();
  PjRtMemorySpace* const space_ = client_->memory_spaces()[0];
  const Shape vector_ = ShapeUtil::MakeShape(F32, {2});
};

TEST_F(CpuClientNamesTest, KindsOfMemory) {
  EXPECT_EQ(client_->memory_spaces().size(), 6);
  for (PjRtDevice* device : client_->devices()) {
    PjRtMemorySpace* space = device->default_memory_space().value();
    EXPECT_EQ(space->kind(), CpuDeviceMemorySpace::kKind);
    EXPECT_EQ(space->kind_id(), CpuDeviceMemorySpace::kKindId);
    EXPECT_EQ(device->memory_space_by_kind(CpuDeviceMemorySpace::kKind).value(),
              space);
    space =
        device->memory_space_by_kind(UnpinnedHostMemorySpace::kKind).value();
    EXPECT_EQ(space->kind_id(), UnpinnedHostMemorySpace::kKindId);
    space = device->memory_space_by_kind(PinnedHostMemorySpace::kKind).value();
    EXPECT_EQ(space->kind_id(), PinnedHostMemorySpace::kKindId);
  }
  EXPECT_EQ(GetPjRtCpuClient(/*asynchronous=*/false).value()->platform_name(),
            "cpu");
}

TEST_F(CpuClientNamesTest, OptionsByTheNewerPathOfTheirMessage) {
  CompileOptions options;
  options.profile_version = 4;
  const CompileOptionsProto proto = options.ToProto().value();
  EXPECT_EQ(proto.profile_version(), 4);
}

TEST_F(CpuClientNamesTest, TransfersGivenUpEarly) {
  auto manager =
      client_->CreateBuffersForAsyncHostToDevice({vector_}, space_).value();
  const auto buffer = manager->RetrieveBuffer(0);
  manager.reset();
  const absl::Status status = buffer->ToLiteral().Await().status();
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  EXPECT_THAT(status.message(), HasSubstr("Async transfer object was deleted "
                                          "before transfers completed."));
}

TEST_F(CpuClientNamesTest, TransfersOfTokens) {
  const auto manager = client_
                           ->CreateBuffersForAsyncHostToDevice(
                               {ShapeUtil::MakeTokenShape()}, space_)
                           .value();
  const auto buffer = manager->RetrieveBuffer(0);
  EXPECT_FALSE(buffer->GetReadyFuture().IsReady());
  ASSERT_TRUE(
      manager->TransferRawDataToBuffer(0, absl::string_view(), [] {}).ok());
  EXPECT_TRUE(buffer->ToLiteral().Await().value()->shape().IsToken());
  const auto token =
      client_->BufferFromHostLiteral(LiteralUtil::CreateToken(), space_)
          .value();
  const auto copy = token->CopyToMemorySpace(token->memory_space()).value();
  Literal received = LiteralUtil::CreateToken();
  EXPECT_TRUE(copy->ToLiteral(&received).Await().ok());
  const auto failed =
      client_
          ->CreateErrorBuffer(absl::InternalError("lost"),
                              ShapeUtil::MakeTokenShape(), space_)
          .value();
  const auto failed_copy =
      failed->CopyToMemorySpace(failed->memory_space()).value();
  EXPECT_EQ(failed_copy->ToLiteral().Await().status(),
            absl::InternalError("lost"));
}

TEST_F(CpuClientNamesTest, PackedAndDynamicArraysKeepTheirValues) {
  const Literal packed =
      LiteralUtil::CreateR2<s4>({{s4(1), s4(2)}, {s4(3), s4(-8)}});
  const auto buffer = client_->BufferFromHostLiteral(packed, space_).value();
  EXPECT_EQ(buffer->GetOnDeviceSizeInBytes().value(), 2);
  Literal columns(ShapeUtil::MakeShapeWithDenseLayout(S4, {2, 2}, {0, 1}));
  ASSERT_TRUE(buffer->ToLiteral(&columns).Await().ok());
  EXPECT_THAT(columns.data<s4>(), ElementsAre(s4(1), s4(3), s4(2), s4(-8)));

  Literal dynamic(ShapeUtil::MakeShape(F32, {2, 3}, {false, true}));
  for (int i = 0; i < 6; ++i) dynamic.data<float>()[i] = i;
  dynamic.SetDynamicSize(1, 2);
  const auto received = client_->BufferFromHostLiteral(dynamic, space_)
                            .value()
                            ->ToLiteral()
                            .Await()
                            .value();
  EXPECT_EQ(received->shape().dimensions(1), 2);
  EXPECT_THAT(received->data<float>(), ElementsAre(0, 1, 3, 4));
}

TEST_F(CpuClientNamesTest, CopiesKeepTheLayout) {
  const Literal literal = LiteralUtil::CreateR2<float>({{1, 2, 3}, {4, 5, 6}});
  const Layout layout = LayoutUtil::MakeAscendingLayout(2);
  for (PjRtMemorySpace* space : client_->memory_spaces()) {
    auto buffer =
        client_->BufferFromHostLiteral(literal, space, &layout).value();
    buffer = buffer->CopyToMemorySpace(buffer->memory_space()).value();
    EXPECT_EQ(buffer->layout()->xla_layout(), layout);
    EXPECT_EQ(*buffer->ToLiteral().Await().value(), literal);
  }
}

TEST_F(CpuClientNamesTest, ErrorsOfLeavesOfATuple) {
  CompileOptions options;
  options.parameter_is_tupled_arguments = true;
  const auto sum = Compile(R"(
HloModule sum
ENTRY e {
  t = (f32[2], f32[2]) parameter(0)
  x = f32[2] get-tuple-element(t), index=0
  y = f32[2] get-tuple-element(t), index=1
  ROOT s = f32[2] add(x, y)
})",
                           options);
  const auto x = Floats({1, 2});
  const auto y =
      client_->CreateErrorBuffer(absl::InternalError("lost"), vector_, space_)
          .value();
  const auto results = sum->Execute({{x.get(), y.get()}}, {});
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ((*results)[0].size(), 1);
  EXPECT_EQ((*results)[0][0]->ToLiteral().Await().status(),
            absl::InternalError("lost"));
}

TEST_F(CpuClientNamesTest, ArgumentsOfAnotherSizeOnOneDevice) {
  CompileOptions options;
  options.executable_build_options.set_num_replicas(2);
  const auto same = Compile(R"(
HloModule same
ENTRY e {
  ROOT x = f32[2] parameter(0)
})",
                            options);
  const auto fits = Floats({1, 2});
  const auto too_long = Floats({1, 2, 3}, /*device=*/1);
  const absl::Status status =
      same->Execute({{fits.get()}, {too_long.get()}}, {}).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(status.message(),
              HasSubstr("incompatible size, 12 bytes where it takes 8"));
}

TEST_F(CpuClientNamesTest, DonatedOnceAndDenied) {
  const auto same = Compile(R"(
HloModule same, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY e {
  ROOT x = f32[2] parameter(0)
})");
  const auto x = Floats({1, 2});
  ExecuteOptions keep;
  keep.non_donatable_input_indices.insert(0);
  ASSERT_TRUE(same->Execute({{x.get()}}, keep).ok());
  EXPECT_FALSE(x->IsDeleted());
  ASSERT_TRUE(same->Execute({{x.get()}}, {}).ok());
  EXPECT_TRUE(x->IsDeleted());
  EXPECT_THAT(same->Execute({{x.get()}}, {}).status().message(),
              HasSubstr("Buffer has been deleted or donated."));
  EXPECT_THAT(x->ToLiteral().Await().status().message(),
              HasSubstr("Buffer has been deleted or donated."));
}

TEST_F(CpuClientNamesTest, DonatedWithADependencyThatEndsLater) {
  for (const absl::Status& outcome :
       {absl::OkStatus(), absl::InternalError("dependency failed")}) {
    auto buffer = Floats({1, 2});
    auto [promise, future] = MakePromise<>();
    auto blocked = buffer->DonateWithControlDependency(future).value();
    EXPECT_TRUE(buffer->IsDeleted());
    buffer.reset();
    Literal result(vector_);
    const Future<> copied = blocked->ToLiteral(&result);
    blocked.reset();
    EXPECT_FALSE(copied.IsReady());
    promise.Set(outcome);
    EXPECT_EQ(copied.Await(), outcome);
    if (outcome.ok()) {
      EXPECT_EQ(result, LiteralUtil::CreateR1<float>({1, 2}));
    }
  }
}

TEST_F(CpuClientNamesTest, FailedRunsLeaveOthersAlone) {
  const auto same = Compile(R"(
HloModule same
ENTRY e {
  ROOT x = f32[2] parameter(0)
})");
  const auto x = Floats({1, 2});
  const auto failed =
      client_->CreateErrorBuffer(absl::InternalError("lost"), vector_, space_)
          .value();
  for (int i = 0; i < 6; ++i) {
    const auto results =
        same->Execute({{i % 2 == 0 ? x.get() : failed.get()}}, {}).value();
    EXPECT_EQ(results[0][0]->ToLiteral().Await().status(),
              i % 2 == 0 ? absl::OkStatus() : absl::InternalError("lost"));
  }
}

TEST_F(CpuClientNamesTest, PoisonedExecution) {
  const auto same = Compile(R"(
HloModule same
ENTRY e {
  ROOT x = f32[2] parameter(0)
})");
  const auto manager =
      client_->CreateBuffersForAsyncHostToDevice({vector_}, space_).value();
  const auto x = manager->RetrieveBuffer(0);
  ExecuteOptions options;
  options.launch_id = 123;
  options.execution_mode = ExecuteOptions::ExecutionMode::kAsynchronous;
  const auto results = same->Execute({{x.get()}}, options).value();
  PjRtDevice* const device = client_->addressable_devices()[0];
  EXPECT_EQ(device->PoisonExecution(123, absl::InternalError("poison")).value(),
            true);
  EXPECT_EQ(results[0][0]->ToLiteral().Await().status(),
            absl::InternalError("poison"));
  manager->SetBufferError(0, absl::InternalError("argument"));
  EXPECT_EQ(results[0][0]->ToLiteral().Await().status(),
            absl::InternalError("poison"));
  EXPECT_EQ(device->PoisonExecution(124, absl::InternalError("none")).value(),
            false);
}

}  // namespace
}  // namespace xla
