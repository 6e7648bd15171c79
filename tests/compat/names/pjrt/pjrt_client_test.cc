// Uses every name of xla/pjrt/pjrt_client.h but those of executables, which
// pjrt_loaded_executable_test.cc has.
#include "xla/pjrt/pjrt_client.h"

#include <cstring>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"
#include "xla/pjrt/plugin/xla_cpu/xla_cpu_pjrt_client.h"
#include "xla/service/hlo_cost_analysis.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Semantics = PjRtClient::HostBufferSemantics;

class PjrtClientNamesTest : public testing::Test {
 protected:
  static std::unique_ptr<PjRtClient> Make() {
    CpuClientOptions options;
    options.cpu_device_count = 2;
    return GetXlaPjrtCpuClient(options).value();
  }
  std::unique_ptr<PjRtBuffer> Buffer() {
    return client_->BufferFromHostLiteral(value_, space_).value();
  }
  static std::string Text(PjRtBuffer& buffer) {
    return buffer.ToLiteralSync().value()->ToStringWithoutShapeOneline();
  }

  const std::unique_ptr<PjRtClient> client_ = Make();
  PjRtDevice* const device_ = client_->addressable_devices()[0];
  PjRtMemorySpace* const space_ = device_->default_memory_space().value();
  const Shape vector_ = ShapeUtil::MakeShape(F32, {2});
  const Literal value_ = LiteralUtil::CreateR1<float>({1, 2});
};

TEST_F(PjrtClientNamesTest, Client) {
  EXPECT_EQ(client_->process_index(), 0);
  EXPECT_EQ(client_->device_count(), 2);
  EXPECT_EQ(client_->addressable_device_count(), 2);
  EXPECT_EQ(client_->devices().size(), 2);
  EXPECT_EQ(client_->addressable_devices().size(), 2);
  EXPECT_EQ(client_->LookupDevice(PjRtGlobalDeviceId(0)).value(), device_);
  EXPECT_EQ(client_->LookupAddressableDevice(PjRtLocalDeviceId(0)).value(),
            device_);
  EXPECT_FALSE(client_->LookupDevice(PjRtGlobalDeviceId(9)).ok());
  EXPECT_THAT(client_->memory_spaces(), ::testing::Contains(space_));
  EXPECT_EQ(client_->platform_name(), "cpu");
  EXPECT_EQ(client_->platform_id(),
            client_->GetTopologyDescription().value()->platform_id());
  EXPECT_THAT(client_->platform_version(), HasSubstr("tessera"));
  // Of clients that are plugins.
  EXPECT_FALSE(client_->plugin_attributes().has_value());
  const PjRtPluginAttributes plugin = {.pjrt_c_api_major_version = 0,
                                       .pjrt_c_api_minor_version = 90,
                                       .attributes = {{"key", true}}};
  EXPECT_LT(plugin.pjrt_c_api_major_version, plugin.pjrt_c_api_minor_version);
  EXPECT_TRUE(std::get<bool>(plugin.attributes.at("key")));
  EXPECT_EQ(client_->GetDefaultDeviceAssignment(2, 1).value()(1, 0), 1);
  EXPECT_THAT(client_->GetDefaultLayout(F32, {2, 3}).value().minor_to_major(),
              ElementsAre(1, 0));
  EXPECT_NE(client_->GetHloCostAnalysis().value(), nullptr);
  EXPECT_NE(Make()->platform_name(), "");
}

TEST_F(PjrtClientNamesTest, HostMemory) {
  PjRtClient::HostAllocator* allocator = client_->GetHostAllocator().value();
  const size_t alignment = allocator->GetPreferredAlignment();
  void* memory = allocator->Allocate(100, alignment);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % alignment, 0);
  ASSERT_TRUE(client_->DmaMap(memory, 100).ok());
  EXPECT_TRUE(client_->DmaUnmap(memory).ok());
  EXPECT_FALSE(client_->DmaUnmap(memory).ok());
  allocator->Free(memory);
  EXPECT_EQ(allocator->Allocate(8, 24), nullptr);
}

TEST_F(PjrtClientNamesTest, Devices) {
  EXPECT_EQ(device_->client(), client_.get());
  EXPECT_TRUE(device_->IsAddressable());
  EXPECT_EQ(device_->description().id(), 0);
  EXPECT_EQ(device_->id(), 0);
  EXPECT_EQ(device_->global_device_id(), PjRtGlobalDeviceId(0));
  EXPECT_EQ(device_->local_device_id(), PjRtLocalDeviceId(0));
  EXPECT_EQ(device_->local_hardware_id(), PjRtLocalHardwareId(0));
  EXPECT_EQ(device_->process_index(), 0);
  EXPECT_EQ(device_->device_kind(), "cpu");
  EXPECT_FALSE(device_->DebugString().empty());
  EXPECT_FALSE(device_->ToString().empty());
  EXPECT_EQ(&device_->Attributes(), &device_->description().Attributes());
  const auto held = Buffer();
  EXPECT_GT(device_->GetAllocatorStats().value().bytes_in_use, 0);
  EXPECT_THAT(device_->memory_spaces(), ::testing::Contains(space_));
  EXPECT_EQ(device_->memory_space_by_kind(space_->kind()).value(), space_);
  EXPECT_FALSE(device_->memory_space_by_kind("unknown").ok());
  EXPECT_TRUE(absl::IsUnimplemented(
      device_->GetStreamForExternalReadyEvents().status()));
  EXPECT_EQ(device_->PoisonExecution(1, absl::InternalError("x")).value(),
            false);

  EXPECT_EQ(space_->client(), client_.get());
  EXPECT_THAT(space_->devices(), ElementsAre(device_));
  EXPECT_GE(space_->id(), 0);
  EXPECT_EQ(space_->kind(), "device");
  EXPECT_EQ(space_->kind_id(), 0);
  EXPECT_THAT(space_->DebugString(), HasSubstr("device"));
  EXPECT_FALSE(space_->ToString().empty());
}

TEST_F(PjrtClientNamesTest, Feeds) {
  XlaBuilder b("feeds");
  Outfeed(Infeed(&b, vector_), vector_, "");
  const auto program =
      client_->CompileAndLoad(b.Build().value(), CompileOptions()).value();
  ASSERT_TRUE(device_->TransferToInfeed(value_).ok());
  const std::vector<std::vector<PjRtBuffer*>> no_arguments(1);
  ASSERT_TRUE(program->Execute(no_arguments, ExecuteOptions()).ok());
  Literal received(vector_);
  ASSERT_TRUE(
      device_->TransferFromOutfeed(MutableBorrowingLiteral(&received)).ok());
  EXPECT_EQ(received, value_);
}

TEST_F(PjrtClientNamesTest, BuffersFromTheHost) {
  const float numbers[] = {1, 3, 2, 4};
  bool done = false;
  const auto columns =
      client_
          ->BufferFromHostBuffer(
              numbers, F32, {2, 2}, absl::Span<const int64_t>{4, 8},
              Semantics::kImmutableOnlyDuringCall, [&] { done = true; }, space_,
              /*device_layout=*/nullptr)
          .value();
  EXPECT_TRUE(done);
  EXPECT_EQ(Text(*columns), "{ { 1, 2 }, { 3, 4 } }");
  for (Semantics semantics :
       {Semantics::kImmutableUntilTransferCompletes,
        Semantics::kImmutableZeroCopy, Semantics::kMutableZeroCopy}) {
    const auto buffer =
        client_
            ->BufferFromHostBuffer(numbers, F32, {4}, std::nullopt, semantics,
                                   nullptr, columns.get(), nullptr)
            .value();
    EXPECT_EQ(buffer->memory_space(), columns->memory_space());
    EXPECT_EQ(Text(*buffer), "{1, 3, 2, 4}");
  }
  const Layout layout = LayoutUtil::MakeLayout({0});
  EXPECT_EQ(
      Text(*client_->BufferFromHostLiteral(value_, space_, &layout).value()),
      "{1, 2}");
  EXPECT_EQ(client_->CreateUninitializedBuffer(vector_, space_)
                .value()
                ->on_device_shape()
                .dimensions(0),
            2);
  EXPECT_EQ(
      client_->CreateErrorBuffer(absl::InternalError("lost"), vector_, space_)
          .value()
          ->GetReadyFuture()
          .Await()
          .message(),
      "lost");
  alignas(64) float view[] = {5, 6};
  bool deleted = false;
  auto viewing = client_
                     ->CreateViewOfDeviceBuffer(view, vector_, space_,
                                                [&] { deleted = true; })
                     .value();
  EXPECT_EQ(Text(*viewing), "{5, 6}");
  EXPECT_EQ(client_->UnsafeBufferPointer(viewing.get()).value(),
            reinterpret_cast<uintptr_t>(view));
  viewing.reset();
  EXPECT_TRUE(deleted);
  auto [alias, fulfill] = client_->CreateAliasBuffer(vector_, space_).value();
  PjRtFulfillAliasBufferCallback callback = std::move(fulfill);
  const auto source = Buffer();
  ASSERT_TRUE(std::move(callback)(source.get()).ok());
  EXPECT_EQ(Text(*alias), "{1, 2}");
}

TEST_F(PjrtClientNamesTest, AsynchronousTransfers) {
  using Manager = PjRtClient::AsyncHostToDeviceTransferManager;
  const PjRtClient::ShapeSpec spec = {.element_type = F32, .dims = {2}};
  const std::unique_ptr<Manager> manager =
      client_
          ->CreateBuffersForAsyncHostToDevice({spec, spec, spec, spec},
                                              std::nullopt, space_)
          .value();
  EXPECT_EQ(manager->buffer_count(), 4);
  EXPECT_EQ(manager->buffer_size(0), 8);
  EXPECT_EQ(manager->device(), device_);
  std::vector<std::unique_ptr<PjRtBuffer>> buffers;
  for (int i = 0; i < 4; ++i) buffers.push_back(manager->RetrieveBuffer(i));
  EXPECT_FALSE(buffers[0]->GetReadyFuture().IsReady());
  manager->AddTransferMetadata({{"key", "value"}});
  int done = 0;
  auto on_done = [&] { ++done; };
  ASSERT_TRUE(manager->TransferLiteralToBuffer(0, value_, on_done).ok());
  const char* bytes = static_cast<const char*>(value_.untyped_data());
  ASSERT_TRUE(
      manager->TransferRawDataToBuffer(1, absl::string_view(bytes, 8), on_done)
          .ok());
  ASSERT_TRUE(manager
                  ->TransferRawDataToSubBuffer(2, bytes + 4, 4, 4,
                                               /*is_last_transfer=*/false,
                                               on_done)
                  .ok());
  ASSERT_TRUE(
      manager->TransferRawDataToSubBuffer(2, bytes, 0, 4, true, on_done).ok());
  manager->SetBufferError(3, absl::InternalError("lost"));
  EXPECT_EQ(done, 4);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Text(*buffers[i]), "{1, 2}");
  EXPECT_EQ(buffers[3]->GetReadyFuture().Await().message(), "lost");
  EXPECT_EQ(client_->CreateBuffersForAsyncHostToDevice({vector_}, space_)
                .value()
                ->buffer_count(),
            1);
}

TEST_F(PjrtClientNamesTest, BufferProperties) {
  const auto buffer = Buffer();
  EXPECT_EQ(buffer->element_type(), F32);
  EXPECT_THAT(buffer->dimensions(), ElementsAre(2));
  EXPECT_THAT(buffer->layout()->xla_layout().minor_to_major(), ElementsAre(0));
  EXPECT_FALSE(buffer->IsTuple());
  EXPECT_EQ(ShapeUtil::HumanString(buffer->on_device_shape()), "f32[2]");
  EXPECT_FALSE(buffer->has_dynamic_dimensions());
  EXPECT_THAT(buffer->is_dynamic_dimension(), ElementsAre(false));
  EXPECT_THAT(buffer->logical_dimensions().value(), ElementsAre(2));
  EXPECT_EQ(buffer->logical_on_device_shape().value(),
            buffer->on_device_shape());
  EXPECT_EQ(buffer->HostShape().value().ToString(), "f32[2]");
  EXPECT_EQ(buffer->memory_space(), space_);
  EXPECT_EQ(buffer->device(), device_);
  EXPECT_EQ(buffer->client(), client_.get());
  EXPECT_TRUE(buffer->IsOnCpu());
  EXPECT_EQ(buffer->GetOnDeviceSizeInBytes().value(), 8);
}

TEST_F(PjrtClientNamesTest, BuffersToTheHost) {
  const auto buffer = Buffer();
  Literal literal(vector_);
  ASSERT_TRUE(buffer->ToLiteral(&literal).Await().ok());
  EXPECT_EQ(literal, value_);
  ASSERT_TRUE(buffer->ToLiteralSync(&literal).ok());
  const Future<std::shared_ptr<Literal>> future = buffer->ToLiteral();
  EXPECT_EQ(*future.Await().value(), value_);
  auto [promise, lazy] = MakePromise<MutableLiteralBase*>();
  Literal later(vector_);
  const Future<> copied =
      buffer->LazyToLiteral([&, lazy = lazy] { return lazy; });
  EXPECT_FALSE(copied.IsReady());
  promise.Set(static_cast<MutableLiteralBase*>(&later));
  ASSERT_TRUE(copied.Await().ok());
  EXPECT_EQ(later, value_);

  float second = 0;
  ASSERT_TRUE(buffer->CopyRawToHost(&second, 4, 4).Await().ok());
  EXPECT_EQ(second, 2);
  EXPECT_FALSE(buffer->CopyRawToHost(&second, 8, 4).Await().ok());
  auto [pointer_promise, pointer] = MakePromise<void*>();
  float first = 0;
  const Future<> raw = buffer->CopyRawToHostFuture(pointer, 0, 4);
  EXPECT_FALSE(raw.IsReady());
  buffer->Delete();  // the copy keeps the memory
  EXPECT_TRUE(buffer->IsDeleted());
  pointer_promise.Set(static_cast<void*>(&first));
  ASSERT_TRUE(raw.Await().ok());
  EXPECT_EQ(first, 1);
  const auto other = Buffer();
  EXPECT_EQ(
      other
          ->CopyRawToHostFuture(
              absl::StatusOr<void*>(absl::InternalError("no place")), 0, 4)
          .Await()
          .message(),
      "no place");
  EXPECT_FALSE(other->CopyRawToHostFuture(static_cast<void*>(&first), 0, 9)
                   .Await()
                   .ok());
}

TEST_F(PjrtClientNamesTest, BufferMemory) {
  auto buffer = Buffer();
  const std::unique_ptr<PjRtBuffer::ExternalReference> reference =
      buffer->AcquireExternalReference().value();
  EXPECT_EQ(static_cast<float*>(reference->OpaqueDeviceMemoryDataPointer())[1],
            2);
  EXPECT_TRUE(
      absl::IsUnimplemented(reference->WaitUntilBufferReadyOnStream(0)));
  PjRtMemorySpace* other =
      client_->addressable_devices()[1]->default_memory_space().value();
  const auto copy = buffer->CopyToMemorySpace(other).value();
  EXPECT_EQ(copy->memory_space(), other);
  EXPECT_EQ(copy->CopyToMemorySpace(buffer.get()).value()->memory_space(),
            space_);
  EXPECT_TRUE(copy->GetReadyFuture().Await().ok());
  const auto donated =
      copy->DonateWithControlDependency(absl::OkStatus()).value();
  EXPECT_EQ(Text(*donated), "{1, 2}");
  EXPECT_FALSE(copy->GetReadyFuture().Await().ok());
  const auto released = buffer
                            ->ReleaseDeviceMemoryOwnership(
                                /*wait_for_operations_to_complete=*/true)
                            .value();
  EXPECT_TRUE(buffer->IsDeleted());
  EXPECT_EQ(static_cast<float*>(released->OpaqueDeviceMemoryDataPointer())[0],
            1);
}

// Collects the bytes that a program receives.
class ByteStream : public CopyToDeviceStream {
 public:
  using CopyToDeviceStream::CopyToDeviceStream;
  Future<> AddChunk(PjRtChunk chunk) override {
    bytes_ += chunk.size();
    return absl::OkStatus();
  }
  int64_t current_bytes() const override { return bytes_; }

 private:
  int64_t bytes_ = 0;
};

TEST(PjrtChunkNamesTest, ChunksAndStreams) {
  PjRtChunk chunk = PjRtChunk::AllocateDefault(4);
  EXPECT_EQ(chunk.size(), 4);
  std::memcpy(chunk.data(), "abc", 4);
  int freed = 0;
  char bytes[2] = {};
  {
    PjRtChunk own(bytes, 2, [&](void*) { ++freed; });
    PjRtChunk moved(std::move(own));
    own = std::move(moved);
    EXPECT_EQ(freed, 0);
  }
  EXPECT_EQ(freed, 1);
  PjRtChunk released(bytes, 2, [&](void*) { ++freed; });
  const auto deleter = released.deleter();
  released.release();
  EXPECT_EQ(released.data(), nullptr);
  EXPECT_EQ(freed, 1);
  deleter(bytes);
  EXPECT_EQ(freed, 2);
  ByteStream stream(/*total_bytes=*/4, /*granule_bytes=*/1);
  EXPECT_TRUE(stream.empty());
  EXPECT_EQ(stream.total_bytes(), 4);
  EXPECT_EQ(stream.granule_size_in_bytes(), 1);
  ASSERT_TRUE(stream.AddChunk(std::move(chunk)).Await().ok());
  EXPECT_EQ(stream.current_bytes(), 4);
  EXPECT_TRUE(stream.IsComplete());
}

// One process has no other to exchange arrays with.
TEST_F(PjrtClientNamesTest, OtherProcesses) {
  const auto buffer = Buffer();
  PjRtBuffer* const buffers[] = {buffer.get()};
  const PjRtGlobalDeviceId ids[] = {PjRtGlobalDeviceId(1)};
  const std::vector<CrossHostTransferKey> keys = {CrossHostTransferKey(5)};
  EXPECT_TRUE(absl::IsFailedPrecondition(
      client_->CrossHostSendBuffers(buffers, ids, keys).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(
      client_->CrossHostReceiveBuffers(device_, {vector_}, ids, keys)
          .status()));
}

}  // namespace
}  // namespace xla
