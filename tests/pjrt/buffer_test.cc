// Buffers from host memory and back.
#include <cstring>
#include <thread>

#include "tests/pjrt/pjrt_fixture.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BufferTest : public PjrtTest {};

TEST_F(BufferTest, CopiesOnlyDuringTheCall) {
  std::vector<float> values = {1, 2, 3};
  int done = 0;
  auto buffer = client_->BufferFromHostBuffer(
      values.data(), F32, {3}, std::nullopt,
      Semantics::kImmutableOnlyDuringCall, [&] { ++done; }, Space(), nullptr);
  EXPECT_EQ(done, 1);
  values.assign(3, 0);
  EXPECT_THAT(Floats(**buffer), ElementsAre(1, 2, 3));
  EXPECT_EQ((*buffer)->GetOnDeviceSizeInBytes().value(), 12);
}

TEST_F(BufferTest, StridesOfAnySign) {
  const float values[] = {1, 2, 3, 4, 5, 6};
  const auto make = [&](const float* data, std::vector<int64_t> dims,
                        std::vector<int64_t> strides) {
    auto buffer = client_->BufferFromHostBuffer(
        data, F32, dims, strides, Semantics::kImmutableOnlyDuringCall, nullptr,
        Space(), nullptr);
    return Floats(*buffer.value());
  };
  EXPECT_THAT(make(values, {2, 3}, {12, 4}), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(make(values, {3, 2}, {4, 12}), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(make(values + 5, {3}, {-8}), ElementsAre(6, 4, 2));
  EXPECT_THAT(make(values, {2, 2}, {0, 4}), ElementsAre(1, 2, 1, 2));
  // Fields of packed records: strides that are not multiples of the element
  // size.
  char records[2 * 5 + 4];
  for (int i = 0; i < 2; ++i) std::memcpy(records + 5 * i, values + i, 4);
  std::vector<int64_t> stride = {5};
  auto packed = client_->BufferFromHostBuffer(
      records, F32, {2}, stride, Semantics::kImmutableOnlyDuringCall, nullptr,
      Space(), nullptr);
  EXPECT_THAT(Floats(**packed), ElementsAre(1, 2));
}

TEST_F(BufferTest, ZeroCopyWhereAligned) {
  alignas(64) float values[17] = {1, 2, 3};
  int done = 0;
  auto buffer = client_->BufferFromHostBuffer(
      values, F32, {16}, std::nullopt, Semantics::kImmutableZeroCopy,
      [&] { ++done; }, Space(), nullptr);
  EXPECT_EQ((*buffer)->OpaqueDeviceMemoryDataPointer().value(), values);
  EXPECT_EQ(done, 0);
  buffer->reset();
  EXPECT_EQ(done, 1);
  auto copied = client_->BufferFromHostBuffer(
      values + 1, F32, {16}, std::nullopt, Semantics::kImmutableZeroCopy,
      [&] { ++done; }, Space(), nullptr);
  EXPECT_NE((*copied)->OpaqueDeviceMemoryDataPointer().value(), values + 1);
  EXPECT_EQ(done, 2);
}

TEST_F(BufferTest, DeviceLayout) {
  const float values[] = {1, 2, 3, 4, 5, 6};
  const Layout columns = LayoutUtil::MakeLayout({0, 1});
  auto buffer = client_->BufferFromHostBuffer(
      values, F32, {2, 3}, std::nullopt, Semantics::kImmutableOnlyDuringCall,
      nullptr, Space(), &columns);
  EXPECT_EQ((*buffer)->layout()->Serialize(), "{0,1}");
  float raw[6], rows[6];
  EXPECT_TRUE((*buffer)->CopyRawToHost(raw, 0, sizeof(raw)).Await().ok());
  EXPECT_THAT(raw, ElementsAre(1, 4, 2, 5, 3, 6));
  const Layout row_major = LayoutUtil::MakeLayout({1, 0});
  EXPECT_TRUE(
      (*buffer)->ToHostMemory(rows, sizeof(rows), &row_major).Await().ok());
  EXPECT_THAT(rows, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ((*buffer)->ToHostMemory(rows, 20, nullptr).Await().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ((*buffer)->CopyRawToHost(raw, 20, 8).Await().code(),
            absl::StatusCode::kInvalidArgument);
}

// Memory holds two elements of 4 bits in a byte; hosts have a byte for each.
TEST_F(BufferTest, PackedBits) {
  const std::vector<uint8_t> values = {1, 15, 8, 7, 3};
  const auto make = [&](const uint8_t* data, std::vector<int64_t> dims,
                        std::optional<std::vector<int64_t>> strides) {
    return client_
        ->BufferFromHostBuffer(data, S4, dims, strides,
                               Semantics::kImmutableZeroCopy, nullptr, Space(),
                               nullptr)
        .value();
  };
  const auto bytes = [](PjRtBuffer& buffer) {
    std::vector<uint8_t> raw(buffer.GetOnDeviceSizeInBytes().value());
    EXPECT_TRUE(buffer.CopyRawToHost(raw.data(), 0, raw.size()).Await().ok());
    return raw;
  };
  const auto row = make(values.data(), {5}, std::nullopt);
  EXPECT_THAT(bytes(*row), ElementsAre(0xf1, 0x78, 0x03));
  std::vector<uint8_t> host(5);
  EXPECT_TRUE(row->ToHostMemory(host.data(), 5, nullptr).Await().ok());
  EXPECT_EQ(host, values);
  EXPECT_FALSE(row->ToHostMemory(host.data(), 3, nullptr).Await().ok());
  const auto literal = row->ToLiteralSync().value();
  EXPECT_EQ(literal->Get<s4>({1}), s4(-1));
  EXPECT_EQ(literal->Get<s4>({2}), s4(-8));
  const auto again =
      client_->BufferFromHostLiteral(*literal, Space(), nullptr).value();
  EXPECT_THAT(bytes(*again), ElementsAre(0xf1, 0x78, 0x03));
  // Columns of the host, and the last element first.
  const auto turned = make(values.data(), {2, 2}, {{1, 2}});
  EXPECT_THAT(bytes(*turned), ElementsAre(0x81, 0x7f));
  const auto back = make(values.data() + 4, {4}, {{-1}});
  EXPECT_THAT(bytes(*back), ElementsAre(0x73, 0xf8));
}

TEST_F(BufferTest, RefusesWhatCannotBe) {
  const auto code = [&](PrimitiveType type, std::vector<int64_t> dims,
                        const void* data) {
    return client_
        ->BufferFromHostBuffer(data, type, dims, std::nullopt,
                               Semantics::kImmutableOnlyDuringCall, nullptr,
                               Space(), nullptr)
        .status()
        .code();
  };
  const float value = 0;
  EXPECT_EQ(code(F32, {-1}, &value), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(TUPLE, {1}, &value), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(F32, {1}, nullptr), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(F32, {1 << 30, 1 << 30}, &value),
            absl::StatusCode::kResourceExhausted);
  EXPECT_NE(code(F32, {INT64_MAX, INT64_MAX}, &value), absl::StatusCode::kOk);
  EXPECT_EQ(code(F32, {0, 5}, nullptr), absl::StatusCode::kOk);
}

TEST_F(BufferTest, MemoryLimit) {
  PjRtClientOptions options;
  options.memory_limit_bytes = 1000;
  auto client = GetTesseraClient(std::move(options)).value();
  PjRtMemorySpace* space = client->devices()[0]->memory_spaces()[0];
  const Shape small = ShapeUtil::MakeShape(F32, {200});
  auto first = client->CreateUninitializedBuffer(small, space);
  EXPECT_TRUE(first.ok());
  EXPECT_EQ(client->CreateUninitializedBuffer(small, space).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(client->devices()[0]->GetAllocatorStats()->bytes_in_use, 800);
  first->reset();
  EXPECT_TRUE(client->CreateUninitializedBuffer(small, space).ok());
}

TEST_F(BufferTest, DeletedSaysSo) {
  auto buffer = Vector({1, 2});
  buffer->Delete();
  EXPECT_TRUE(buffer->IsDeleted());
  const absl::Status status = buffer->ToLiteralSync().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("deleted"));
  EXPECT_FALSE(buffer->GetReadyFuture().Await().ok());
  EXPECT_EQ(buffer->dimensions()[0], 2);
}

TEST_F(BufferTest, ExternalReferencesOutliveTheBuffer) {
  auto buffer = Vector({1, 2});
  auto reference = buffer->AcquireExternalReference().value();
  buffer.reset();
  EXPECT_EQ(static_cast<float*>(reference->OpaqueDeviceMemoryDataPointer())[1],
            2);
  auto other = Vector({3});
  EXPECT_FALSE(other->DecreaseExternalReferenceCount().ok());
  EXPECT_TRUE(other->IncreaseExternalReferenceCount().ok());
  void* data = other->OpaqueDeviceMemoryDataPointer().value();
  other->Delete();
  EXPECT_EQ(other->OpaqueDeviceMemoryDataPointer().value(), data);
  EXPECT_TRUE(other->DecreaseExternalReferenceCount().ok());
  EXPECT_FALSE(other->OpaqueDeviceMemoryDataPointer().ok());
}

TEST_F(BufferTest, ReferencesToTokensAndErrors) {
  const auto program =
      Compile("HloModule m\nENTRY e {\n  ROOT t = token[] after-all()\n}");
  const Buffers tokens = Run(*program, {}).value();
  PjRtBuffer& token = *tokens[0];
  EXPECT_TRUE(token.AcquireExternalReference().ok());
  EXPECT_TRUE(token.IncreaseExternalReferenceCount().ok());
  EXPECT_TRUE(token.DecreaseExternalReferenceCount().ok());
  EXPECT_TRUE(token.OpaqueDeviceMemoryDataPointer().ok());
  const auto failed = client_->CreateErrorBuffer(
      absl::AbortedError("it broke"), ShapeUtil::MakeShape(F32, {2}), Space());
  EXPECT_THAT((*failed)->AcquireExternalReference().status().message(),
              HasSubstr("it broke"));
  EXPECT_EQ((*failed)->IncreaseExternalReferenceCount().code(),
            absl::StatusCode::kAborted);
}

TEST_F(BufferTest, MemorySpacesAndDevices) {
  client_ = MakeClient(/*num_devices=*/2);
  auto buffer = Vector({1, 2});
  PjRtDevice* other = client_->devices()[1];
  PjRtMemorySpace* pinned = other->memory_space_by_kind("pinned_host").value();
  auto copy = buffer->CopyToMemorySpace(pinned).value();
  EXPECT_EQ(copy->device(), other);
  EXPECT_EQ(copy->memory_space()->kind(), "pinned_host");
  EXPECT_THAT(Floats(*copy), ElementsAre(1, 2));
  EXPECT_THAT(other->memory_space_by_kind("magic").status().message(),
              HasSubstr("unpinned_host"));
  EXPECT_EQ(client_->memory_spaces().size(), 6);
  EXPECT_FALSE(client_->LookupDevice(PjRtGlobalDeviceId(2)).ok());
}

TEST_F(BufferTest, DynamicDimensions) {
  Shape shape = ShapeUtil::MakeShape(F32, {4});
  shape.set_dynamic_dimension(0, true);
  Literal literal(shape);
  literal.SetDynamicSize(0, 3);
  for (int i = 0; i < 3; ++i) literal.Set<float>({i}, i + 1);
  auto buffer = client_->BufferFromHostLiteral(literal, Space()).value();
  EXPECT_THAT(buffer->logical_dimensions().value(), ElementsAre(3));
  EXPECT_THAT(buffer->dimensions(), ElementsAre(4));
  EXPECT_THAT(Floats(*buffer), ElementsAre(1, 2, 3));
}

TEST_F(BufferTest, DynamicDimensionsInTiles) {
  Literal literal(ShapeUtil::MakeShape(F32, {3, 2}, {true, false}));
  literal.SetDynamicSize(0, 2);
  for (int i = 0; i < 6; ++i) literal.Set<float>({i / 2, i % 2}, i + 1);
  const Layout tiled({1, 0}, {Tile({2, 4})});
  auto buffer =
      client_->BufferFromHostLiteral(literal, Space(), &tiled).value();
  EXPECT_EQ((*buffer).GetOnDeviceSizeInBytes().value(), 16 * 4 + 2 * 4);
  EXPECT_THAT(buffer->logical_dimensions().value(), ElementsAre(2, 2));
  EXPECT_THAT(Floats(*buffer), ElementsAre(1, 2, 3, 4));
}

TEST_F(BufferTest, BitcastSharesMemory) {
  auto buffer = Vector({1, 2, 3, 4});
  auto cast = buffer->Bitcast(U32, {2, 2}, nullptr).value();
  EXPECT_EQ(cast->OpaqueDeviceMemoryDataPointer().value(),
            buffer->OpaqueDeviceMemoryDataPointer().value());
  EXPECT_EQ(cast->ToLiteralSync().value()->Get<uint32_t>({0, 0}), 0x3f800000);
  EXPECT_FALSE(buffer->Bitcast(U32, {3}, nullptr).ok());
}

TEST_F(BufferTest, ErrorAndAliasBuffers) {
  const Shape shape = ShapeUtil::MakeShape(F32, {2});
  auto failed =
      client_->CreateErrorBuffer(absl::DataLossError("gone"), shape, Space());
  EXPECT_EQ((*failed)->ToLiteralSync().status().message(), "gone");
  auto alias = client_->CreateAliasBuffer(shape, Space()).value();
  EXPECT_FALSE(alias.first->GetReadyFuture().IsReady());
  auto source = Vector({5, 6});
  EXPECT_TRUE(std::move(alias.second)(source.get()).ok());
  EXPECT_THAT(Floats(*alias.first), ElementsAre(5, 6));
}

TEST_F(BufferTest, AsyncTransfers) {
  const std::vector<Shape> shapes = {ShapeUtil::MakeShape(F32, {4}),
                                     ShapeUtil::MakeShape(F32, {2}),
                                     ShapeUtil::MakeShape(F32, {1})};
  auto manager =
      client_->CreateBuffersForAsyncHostToDevice(shapes, Space()).value();
  EXPECT_EQ(manager->buffer_size(0), 16);
  auto pieces = manager->RetrieveBuffer(0);
  auto literal = manager->RetrieveBuffer(1);
  auto abandoned = manager->RetrieveBuffer(2);
  const float values[] = {1, 2, 3, 4};
  int done = 0;
  // The second half is sent first.
  EXPECT_TRUE(manager
                  ->TransferRawDataToSubBuffer(0, values + 2, 8, 8, false,
                                               [&] { ++done; })
                  .ok());
  EXPECT_FALSE(pieces->GetReadyFuture().IsReady());
  EXPECT_FALSE(
      manager->TransferRawDataToSubBuffer(0, values, 12, 8, true, nullptr)
          .ok());
  std::thread sender([&] {
    EXPECT_TRUE(
        manager->TransferRawDataToSubBuffer(0, values, 0, 8, true, nullptr)
            .ok());
  });
  EXPECT_THAT(Floats(*pieces), ElementsAre(1, 2, 3, 4));
  sender.join();
  EXPECT_EQ(done, 1);
  EXPECT_FALSE(manager->FailBuffer(0, absl::InternalError("late")).ok());
  EXPECT_TRUE(manager->FailBuffer(1, absl::InternalError("lost")).ok());
  EXPECT_EQ(literal->ToLiteralSync().status().message(), "lost");
  manager.reset();
  EXPECT_EQ(abandoned->GetReadyFuture().Await().code(),
            absl::StatusCode::kInternal);
}

}  // namespace
}  // namespace xla
