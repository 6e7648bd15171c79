// Uses every name of xla/client/local_client.h.
#include "xla/client/local_client.h"

#include <thread>

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

class LocalClientNamesTest : public testing::Test {
 protected:
  XlaComputation Negation() {
    XlaBuilder b("negate");
    Neg(Parameter(&b, 0, vector_, "x"));
    return b.Build().value();
  }
  std::unique_ptr<LocalExecutable> CompileNegation() {
    return std::move(client_->Compile(Negation(), {&vector_}, {}).value()[0]);
  }
  std::string Text(const ShapedBuffer& buffer) {
    return client_->ShapedBufferToLiteral(buffer)
        .value()
        .ToStringWithoutShapeOneline();
  }
  ScopedShapedBuffer Buffer() {
    return client_->LiteralToShapedBuffer(value_, 0).value();
  }

  const Shape vector_ = ShapeUtil::MakeShapeWithDenseLayout(F32, {2}, {0});
  const Literal value_ = LiteralUtil::CreateR1<float>({1, 2});
  LocalClient* client_ = ClientLibrary::LocalClientOrDie();
};

TEST_F(LocalClientNamesTest, Executables) {
  const ExecutableBuildOptions options =
      ExecutableBuildOptions().set_device_ordinal(0);
  const auto executables =
      client_->Compile(Negation(), {&vector_}, options).value();
  ASSERT_EQ(executables.size(), 1);
  LocalExecutable& executable = *executables[0];
  EXPECT_EQ(executable.build_options().device_ordinal(), 0);
  EXPECT_EQ(executable.executable()->num_replicas(), 1);
  EXPECT_GT(executable.executable()->SizeOfGeneratedCodeInBytes(), 0);
  EXPECT_TRUE(executable.VerifyRunDeviceCompatible(0).ok());
  EXPECT_FALSE(executable.VerifyRunDeviceCompatible(-1).ok());
  const ScopedShapedBuffer x = Buffer();
  const ExecutableRunOptions run;
  EXPECT_EQ(Text(executable.Run({&x}, run).value()), "{-1, -2}");
  EXPECT_EQ(Text(executable.RunAsync({&x}, run).value()), "{-1, -2}");
  for (bool async : {false, true}) {
    ScopedShapedBuffer owned = Buffer();
    std::vector<ExecutionInput> inputs;
    inputs.emplace_back(vector_);
    inputs[0].SetUnownedBuffer({}, MaybeOwningDeviceMemory(owned.buffer({})));
    const ExecutionOutput output =
        (async ? executable.RunAsync(std::move(inputs), run)
               : executable.Run(std::move(inputs), run))
            .value();
    EXPECT_EQ(Text(output.Result()), "{-1, -2}");
  }
  EXPECT_FALSE(
      executable.Run(absl::Span<const ShapedBuffer* const>(), run).ok());
}

TEST_F(LocalClientNamesTest, MakesExecutablesOfTheBackends) {
  std::unique_ptr<HloModule> module =
      HloModule::CreateFromProto(Negation().proto()).value();
  LocalExecutable executable(
      client_->backend().compiler()->Compile(std::move(module)).value(),
      client_->mutable_backend(), ExecutableBuildOptions());
  const ScopedShapedBuffer x = Buffer();
  EXPECT_EQ(Text(executable.Run({&x}, ExecutableRunOptions()).value()),
            "{-1, -2}");
}

TEST_F(LocalClientNamesTest, AheadOfTime) {
  auto modules =
      client_->CompileAheadOfTime(Negation(), {&vector_}, {}).value();
  ASSERT_EQ(modules.size(), 1);
  EXPECT_EQ(
      modules[0]->optimized_module()->entry_computation()->num_parameters(), 1);
  const absl::StatusOr<std::string> bytes = modules[0]->SerializeAsString();
  const ScopedShapedBuffer x = Buffer();
  auto run = [&](absl::StatusOr<std::unique_ptr<LocalExecutable>> loaded) {
    return Text((*loaded.value()).Run({&x}, ExecutableRunOptions()).value());
  };
  EXPECT_EQ(run(client_->Load(std::move(modules[0]), {})), "{-1, -2}");
  EXPECT_FALSE(client_->Load(std::unique_ptr<CompiledModule>(), {}).ok());
  if (absl::IsUnimplemented(bytes.status())) return;  // not all backends do
  EXPECT_EQ(run(client_->Load(bytes.value(), {})), "{-1, -2}");
  std::string damaged = *bytes;
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_EQ(client_->Load(damaged, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(LocalClientNamesTest, Buffers) {
  se::DeviceAddressAllocator* allocator = client_->backend().memory_allocator();
  const ScopedShapedBuffer x =
      client_->LiteralToShapedBuffer(value_, 0, allocator).value();
  EXPECT_EQ(Text(x), "{1, 2}");
  EXPECT_FALSE(client_->LiteralToShapedBuffer(value_, -1).ok());
  const BorrowingLiteral borrowed(
      reinterpret_cast<const char*>(value_.untyped_data()), vector_);
  const GlobalDataHandle handle =
      client_->TransferToLocalServer(borrowed, 0).value();
  EXPECT_EQ(Text(*client_->GlobalDataToShapedBuffer(handle, 0).value()),
            "{1, 2}");
  EXPECT_FALSE(client_->TransferToLocalServer(borrowed, -1).ok());
}

TEST_F(LocalClientNamesTest, Feeds) {
  XlaBuilder b("feeds");
  Outfeed(Infeed(&b, vector_), vector_, "");
  const auto executables = client_->Compile(b.Build().value(), {}, {}).value();
  ASSERT_TRUE(client_->TransferToInfeedLocal(value_, 0).ok());
  ASSERT_TRUE(
      executables[0]
          ->Run(absl::Span<const ShapedBuffer* const>(), ExecutableRunOptions())
          .ok());
  Literal received(vector_);
  ASSERT_TRUE(
      client_->TransferFromOutfeedLocal(0, MutableBorrowingLiteral(&received))
          .ok());
  EXPECT_EQ(received, value_);
}

TEST_F(LocalClientNamesTest, Devices) {
  EXPECT_EQ(client_->ReplicaNumberToDeviceOrdinal(0).value(), 0);
  EXPECT_EQ(client_->platform()->Name(), "Host");
  EXPECT_GE(client_->device_count(), 1);
  EXPECT_EQ(client_->default_device_ordinal(), 0);
  EXPECT_TRUE(client_->device_ordinal_supported(0));
  EXPECT_FALSE(client_->device_ordinal_supported(-1));
  EXPECT_EQ(&client_->backend(), client_->mutable_backend());
  LocalService* service = client_->local_service();
  const LocalClient other(service);
  EXPECT_EQ(&other.backend(), &client_->backend());
}

// Calls for the replicas of one run belong together without a run id.
TEST_F(LocalClientNamesTest, Replicas) {
  XlaBuilder b("sum");
  CrossReplicaSum(Parameter(&b, 0, vector_, "x"));
  const auto executables =
      client_
          ->Compile(b.Build().value(), {&vector_},
                    ExecutableBuildOptions().set_num_replicas(2))
          .value();
  std::vector<std::string> results(2);
  std::vector<std::thread> threads;
  for (int device = 0; device < 2; ++device) {
    threads.emplace_back([&, device] {
      const ScopedShapedBuffer x =
          client_->LiteralToShapedBuffer(value_, device).value();
      ExecutableRunOptions options;
      options.set_device_ordinal(device);
      results[device] = Text(executables[0]->Run({&x}, options).value());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(results, (std::vector<std::string>{"{2, 4}", "{2, 4}"}));
}

}  // namespace
}  // namespace xla
