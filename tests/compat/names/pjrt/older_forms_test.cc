// Uses PjRt, and what XLA's headers bring with them, as programs do that were
// written before memory spaces.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/client/xla_builder.h"
#include "xla/literal_util.h"
#include "xla/pjrt/tfrt_cpu_pjrt_client.h"

// A macro of the program's own, with a name from the headers.
#define VALUE_OR_RETURN(lhs, expression)                                   \
  VALUE_OR_RETURN_AS(TF_STATUS_MACROS_CONCAT_NAME(value_or_, __COUNTER__), \
                     lhs, expression)
#define VALUE_OR_RETURN_AS(name, lhs, expression) \
  auto name = (expression);                       \
  if (!name.ok()) return name.status();           \
  lhs = std::move(name).value()

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class OlderFormsTest : public testing::Test {
 protected:
  std::unique_ptr<PjRtBuffer> Buffer(
      const std::vector<float>& values, PjRtDevice* device,
      PjRtClient::HostBufferSemantics semantics =
          PjRtClient::HostBufferSemantics::kImmutableOnlyDuringCall) {
    return client_
        ->BufferFromHostBuffer(values.data(), F32, {2, 3}, std::nullopt,
                               semantics, /*on_done=*/nullptr, device)
        .value();
  }

  const std::unique_ptr<PjRtClient> client_ =
      GetTfrtCpuClient(/*asynchronous=*/false, /*cpu_device_count=*/2).value();
  PjRtDevice* const second_ = client_->devices()[1];
};

TEST_F(OlderFormsTest, Clients) {
  EXPECT_EQ(client_->device_count(), 2);
  EXPECT_EQ(GetTfrtCpuClient(/*asynchronous=*/true).value()->platform_name(),
            client_->platform_name());
  CpuClientOptions options;
  options.cpu_device_count = 3;
  EXPECT_EQ(GetTfrtCpuClient(options).value()->device_count(), 3);
}

TEST_F(OlderFormsTest, DevicesByNumber) {
  const int id = second_->id();
  EXPECT_EQ(client_->LookupDevice(id).value(), second_);
  EXPECT_TRUE(absl::IsInvalidArgument(client_->LookupDevice(7).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(client_->LookupDevice(-1).status()));
}

TEST_F(OlderFormsTest, BuffersOnADevice) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const auto buffer = Buffer(values, second_);
  EXPECT_EQ(buffer->device(), second_);
  EXPECT_EQ(buffer->memory_space(), second_->default_memory_space().value());
  EXPECT_THAT(buffer->ToLiteralSync().value()->data<float>(),
              ElementsAre(1, 2, 3, 4, 5, 6));
  const Layout columns = LayoutUtil::MakeLayout({0, 1});
  const auto from_literal =
      client_
          ->BufferFromHostLiteral(*buffer->ToLiteralSync().value(), second_,
                                  &columns)
          .value();
  EXPECT_EQ(from_literal->device(), second_);
  EXPECT_EQ(from_literal->on_device_shape().layout(), columns);
  EXPECT_EQ(from_literal->ToLiteralSync().value()->Get<float>({1, 0}), 4);
}

TEST_F(OlderFormsTest, ZeroCopiesByTheirOlderName) {
  alignas(64) static const float kValues[6] = {1, 2, 3, 4, 5, 6};
  bool done = false;
  auto buffer = client_
                    ->BufferFromHostBuffer(
                        kValues, F32, {6}, std::nullopt,
                        PjRtClient::HostBufferSemantics::kZeroCopy,
                        std::function<void()>([&] { done = true; }), second_)
                    .value();
  EXPECT_EQ(buffer->UnsafeBufferPointer().value(),
            reinterpret_cast<std::uintptr_t>(kValues));
  EXPECT_FALSE(done);
  buffer.reset();
  EXPECT_TRUE(done);
}

TEST_F(OlderFormsTest, CopiesToADevice) {
  const auto first = Buffer({1, 2, 3, 4, 5, 6}, client_->devices()[0]);
  const auto copy = first->CopyToDevice(second_).value();
  EXPECT_EQ(copy->device(), second_);
  EXPECT_THAT(copy->ToLiteralSync().value()->data<float>(),
              ElementsAre(1, 2, 3, 4, 5, 6));
  const auto others = GetTfrtCpuClient(/*asynchronous=*/false).value();
  EXPECT_TRUE(absl::IsInvalidArgument(
      first->CopyToDevice(others->devices()[0]).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      others->BufferFromHostLiteral(LiteralUtil::CreateR0<float>(1), second_)
          .status()));
}

StatusOr<Shape> ShapeOfSum(XlaBuilder* builder, int size) {
  if (size < 0) return tsl::errors::InvalidArgument("size is ", size);
  const XlaOp sum =
      ConstantR1<float>(builder, size, 1) + ConstantR0<float>(builder, 2);
  VALUE_OR_RETURN(const Shape shape, builder->GetShape(sum));
  return shape;
}

TEST_F(OlderFormsTest, NamesThatComeWithTheBuilder) {
  XlaBuilder builder("sum");
  EXPECT_EQ(ShapeOfSum(&builder, 3).value(), ShapeUtil::MakeShape(F32, {3}));
  EXPECT_THAT(ShapeOfSum(&builder, -3).status().message(),
              HasSubstr("size is -3"));
  HloModuleProto proto;
  EXPECT_TRUE(tsl::protobuf::TextFormat::ParseFromString("name: 'm'", &proto));
  EXPECT_EQ(proto.name(), "m");
  const tsl::StatusOr<tsl::int64> number = 3;
  EXPECT_EQ(*number, 3);
}

}  // namespace
}  // namespace xla
