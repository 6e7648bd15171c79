// LocalClient and LocalExecutable: programs on device memory.
#include "xla/client/local_client.h"

#include <cstdlib>
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

const Shape& VectorShape() {
  static const Shape* const shape = new Shape(ShapeUtil::MakeShape(F32, {2}));
  return *shape;
}

// Allocates memory at addresses to which programs do not write directly.
class OddAllocator : public se::DeviceMemoryAllocator {
 public:
  OddAllocator() : DeviceMemoryAllocator(nullptr) {}
  absl::StatusOr<se::OwningDeviceMemory> Allocate(
      int device_ordinal, uint64_t size, bool retry_on_failure,
      int64_t memory_space) override {
    return se::OwningDeviceMemory(
        se::DeviceMemoryBase(static_cast<char*>(std::malloc(size + 4)) + 4,
                             size),
        device_ordinal, this);
  }
  absl::Status Deallocate(int device_ordinal,
                          se::DeviceMemoryBase memory) override {
    std::free(static_cast<char*>(memory.opaque()) - 4);
    return absl::OkStatus();
  }
};

class LocalClientTest : public testing::Test {
 protected:
  std::unique_ptr<LocalExecutable> Compile(
      const XlaComputation& computation,
      std::vector<const Shape*> layouts = {&VectorShape()},
      const ExecutableBuildOptions& options = ExecutableBuildOptions()) {
    auto executables = client_->Compile(computation, layouts, options);
    CHECK_OK(executables);
    return std::move((*executables)[0]);
  }
  ScopedShapedBuffer Buffer(const Literal& literal, int device = 0) {
    return client_->LiteralToShapedBuffer(literal, device).value();
  }
  XlaComputation Negate() {
    XlaBuilder b("negate");
    Neg(Parameter(&b, 0, VectorShape(), "x"));
    return b.Build().value();
  }
  XlaComputation SumOverReplicas() {
    XlaBuilder b("sum");
    CrossReplicaSum(Parameter(&b, 0, VectorShape(), "x"));
    return b.Build().value();
  }
  LocalClient* client_ = ClientLibrary::LocalClientOrDie();
};

TEST_F(LocalClientTest, TakesMemoryOfAnyAlignment) {
  OddAllocator allocator;
  const auto executable = Compile(Negate());
  const ScopedShapedBuffer x = Buffer(LiteralUtil::CreateR1<float>({1, 2}));
  const ScopedShapedBuffer y =
      executable->Run({&x}, ExecutableRunOptions().set_allocator(&allocator))
          .value();
  EXPECT_EQ(client_->ShapedBufferToLiteral(y).value(),
            LiteralUtil::CreateR1<float>({-1, -2}));
  const ScopedShapedBuffer z =
      executable->Run({&y}, ExecutableRunOptions()).value();
  EXPECT_EQ(client_->ShapedBufferToLiteral(z).value(),
            LiteralUtil::CreateR1<float>({1, 2}));
}

TEST_F(LocalClientTest, TakesEmptyArrays) {
  const Shape empty = ShapeUtil::MakeShape(F32, {0});
  XlaBuilder b("negate");
  Neg(Parameter(&b, 0, empty, "x"));
  const auto executable = Compile(b.Build().value(), {&empty});
  const ScopedShapedBuffer x = Buffer(LiteralUtil::CreateR1<float>({}));
  const ScopedShapedBuffer y =
      executable->Run({&x}, ExecutableRunOptions()).value();
  EXPECT_EQ(client_->ShapedBufferToLiteral(y).value(),
            LiteralUtil::CreateR1<float>({}));
}

TEST_F(LocalClientTest, RunsOnShapedBuffers) {
  const auto executable = Compile(Negate());
  const ScopedShapedBuffer x = Buffer(LiteralUtil::CreateR1<float>({1, 2}));
  const ScopedShapedBuffer y =
      executable->Run({&x}, ExecutableRunOptions()).value();
  EXPECT_EQ(client_->ShapedBufferToLiteral(y).value(),
            LiteralUtil::CreateR1<float>({-1, -2}));
  const ScopedShapedBuffer z =
      executable->RunAsync({&y}, ExecutableRunOptions()).value();
  EXPECT_EQ(client_->ShapedBufferToLiteral(z).value(),
            LiteralUtil::CreateR1<float>({1, 2}));
}

TEST_F(LocalClientTest, RunsOnExecutionInputs) {
  const auto executable = Compile(Negate());
  ScopedShapedBuffer owned = Buffer(LiteralUtil::CreateR1<float>({3, 4}));
  ExecutionInput input(owned.on_device_shape());
  input.SetBuffer({}, MaybeOwningDeviceMemory(se::OwningDeviceMemory(
                          owned.release().root_buffer(), 0,
                          client_->backend().memory_allocator())));
  std::vector<ExecutionInput> inputs;
  inputs.push_back(std::move(input));
  ExecutionOutput output =
      executable->Run(std::move(inputs), ExecutableRunOptions()).value();
  EXPECT_EQ(client_->ShapedBufferToLiteral(output.Result()).value(),
            LiteralUtil::CreateR1<float>({-3, -4}));
  // The donated memory is gone.
  EXPECT_THAT(
      executable->Run({&owned}, ExecutableRunOptions()).status().message(),
      HasSubstr("no memory"));
}

TEST_F(LocalClientTest, RunsOnMemoryOfTheCaller) {
  float values[2] = {5, 6};
  ShapedBuffer borrowed(VectorShape(), 0);
  borrowed.set_buffer(se::DeviceMemoryBase(values, sizeof(values)), {});
  const auto executable = Compile(Negate());
  const ScopedShapedBuffer y =
      executable->Run({&borrowed}, ExecutableRunOptions()).value();
  EXPECT_EQ(client_->ShapedBufferToLiteral(y).value(),
            LiteralUtil::CreateR1<float>({-5, -6}));
  borrowed.set_buffer(se::DeviceMemoryBase(values, 4), {});
  EXPECT_THAT(
      executable->Run({&borrowed}, ExecutableRunOptions()).status().message(),
      HasSubstr("has 4 bytes"));
}

TEST_F(LocalClientTest, TuplesAndDynamicSizesKeepTheirValues) {
  Literal dynamic(ShapeUtil::MakeShape(S32, {4}, {true}));
  dynamic.PopulateWithValue<int32_t>(7);
  dynamic.SetDynamicSize(0, 3);
  Literal tuple = LiteralUtil::MakeTupleOwned(
      std::move(dynamic), LiteralUtil::CreateR0<bool>(true),
      LiteralUtil::MakeTupleOwned(LiteralUtil::CreateR1<float>({1, 2})));
  const ScopedShapedBuffer buffer = Buffer(tuple);
  EXPECT_EQ(client_->ShapedBufferToLiteral(buffer).value(), tuple);
  const ShapedBuffer inner = buffer.SubShapedBuffer({2, 0}).value();
  EXPECT_EQ(client_->ShapedBufferToLiteral(inner).value(),
            LiteralUtil::CreateR1<float>({1, 2}));
  EXPECT_FALSE(buffer.SubShapedBuffer({3}).ok());
  ScopedShapedBuffer whole = Buffer(tuple);
  const ScopedShapedBuffer part = whole.TakeSubTree({2});
  EXPECT_TRUE(whole.buffer({2, 0}).is_null());
  EXPECT_FALSE(part.buffer({0}).is_null());
  EXPECT_FALSE(client_->ShapedBufferToLiteral(whole).ok());
}

TEST_F(LocalClientTest, ArgumentsThatDoNotFitAreErrors) {
  const auto executable = Compile(Negate());
  const ScopedShapedBuffer x = Buffer(LiteralUtil::CreateR1<float>({1, 2}));
  const ScopedShapedBuffer three =
      Buffer(LiteralUtil::CreateR1<float>({1, 2, 3}));
  const ExecutableRunOptions options;
  const absl::Span<const ShapedBuffer* const> none;
  EXPECT_THAT(executable->Run(none, options).status().message(),
              HasSubstr("Invalid number of arguments"));
  const std::vector<const ShapedBuffer*> two = {&x, &x};
  EXPECT_FALSE(executable->Run(two, options).ok());
  EXPECT_FALSE(executable->Run({nullptr}, options).ok());
  EXPECT_THAT(executable->Run({&three}, options).status().message(),
              HasSubstr("Invalid argument shape: argument 0 is f32[3]"));
  EXPECT_THAT(
      executable->Run({&x}, ExecutableRunOptions().set_device_ordinal(5000))
          .status()
          .message(),
      HasSubstr("Invalid device ordinal value 5000"));
  EXPECT_FALSE(
      client_->LiteralToShapedBuffer(LiteralUtil::CreateR1<float>({1}), -1)
          .ok());
  EXPECT_FALSE(
      client_->LiteralToShapedBuffer(LiteralUtil::CreateR1<float>({1}), 5000)
          .ok());
  const std::vector<const Shape*> no_layouts;
  EXPECT_THAT(client_->Compile(Negate(), no_layouts, {}).status().message(),
              HasSubstr("Invalid number of arguments"));
  EXPECT_THAT(client_->Compile(Negate(), {&three.on_device_shape()}, {})
                  .status()
                  .message(),
              HasSubstr("Invalid argument shape: argument 0 is f32[3]{0}"));
  EXPECT_FALSE(client_->Compile(Negate(), {nullptr}, {}).ok());
  EXPECT_FALSE(client_
                   ->Compile(Negate(), {&VectorShape()},
                             ExecutableBuildOptions().set_num_replicas(5000))
                   .ok());
  EXPECT_THAT(client_
                  ->Compile(Negate(), {&VectorShape()},
                            ExecutableBuildOptions().set_result_layout(
                                ShapeUtil::MakeShape(F32, {3})))
                  .status()
                  .message(),
              HasSubstr("not compatible with result shape f32[2]"));
}

TEST_F(LocalClientTest, ProfilesHaveBothTimes) {
  const ScopedShapedBuffer x = Buffer(LiteralUtil::CreateR1<float>({1, 2}));
  const auto executable = Compile(Negate());
  OddAllocator odd;  // the run goes through literals
  for (se::DeviceMemoryAllocator* allocator :
       {client_->backend().memory_allocator(),
        static_cast<se::DeviceMemoryAllocator*>(&odd)}) {
    ExecutionProfile profile;
    ASSERT_TRUE(executable
                    ->Run({&x}, ExecutableRunOptions()
                                    .set_allocator(allocator)
                                    .set_execution_profile(&profile))
                    .ok());
    EXPECT_GT(profile.compute_time_ns(), 0);
    EXPECT_EQ(profile.compute_and_transfer_time_ns(),
              profile.compute_time_ns());
  }
}

TEST_F(LocalClientTest, LayoutsOfArgumentsAndResult) {
  XlaBuilder b("same");
  Parameter(&b, 0, ShapeUtil::MakeShape(S32, {2, 2}), "x");
  const Shape columns =
      ShapeUtil::MakeShapeWithDenseLayout(S32, {2, 2}, {0, 1});
  const auto executable =
      Compile(b.Build().value(), {&columns},
              ExecutableBuildOptions().set_result_layout(columns));
  const Literal rows = LiteralUtil::CreateR2<int32_t>({{1, 2}, {3, 4}});
  const ScopedShapedBuffer x = Buffer(rows.Relayout(columns));
  const ScopedShapedBuffer y =
      executable->Run({&x}, ExecutableRunOptions()).value();
  EXPECT_EQ(y.on_device_shape(), columns);
  EXPECT_EQ(client_->ShapedBufferToLiteral(y).value(), rows);
  const ScopedShapedBuffer other = Buffer(rows);
  EXPECT_FALSE(executable->Run({&other}, ExecutableRunOptions()).ok());
}

// Runs one call for each of `devices`, each on a thread of its own.
std::vector<absl::StatusOr<ScopedShapedBuffer>> RunTogether(
    LocalExecutable& executable, const std::vector<ScopedShapedBuffer>& args,
    const ExecutableRunOptions& options) {
  std::vector<absl::StatusOr<ScopedShapedBuffer>> results;
  for (size_t i = 0; i < args.size(); ++i) {
    results.push_back(absl::UnknownError("did not run"));
  }
  std::vector<std::thread> threads;
  for (size_t i = 0; i < args.size(); ++i) {
    threads.emplace_back([&, i] {
      ExecutableRunOptions mine = options;
      results[i] = executable.Run(
          {&args[i]}, mine.set_device_ordinal(args[i].device_ordinal()));
    });
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

TEST_F(LocalClientTest, ReplicasMeet) {
  const auto executable = Compile(SumOverReplicas(), {&VectorShape()},
                                  ExecutableBuildOptions().set_num_replicas(3));
  std::vector<ScopedShapedBuffer> arguments;
  for (int r = 0; r < 3; ++r) {
    arguments.push_back(Buffer(LiteralUtil::CreateR1<float>({1.0f * r, 1}), r));
  }
  const ExecutableRunOptions options;
  for (int run = 0; run < 2; ++run) {  // the run id may be used again
    for (const auto& result : RunTogether(*executable, arguments, options)) {
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_EQ(client_->ShapedBufferToLiteral(*result).value(),
                LiteralUtil::CreateR1<float>({3, 3}));
    }
  }
}

// The client that loads has only one device before.
TEST_F(LocalClientTest, ReplicasOfAModuleCompiledAheadOfTimeMeet) {
  const ExecutableBuildOptions build =
      ExecutableBuildOptions().set_num_replicas(2);
  const auto compile = [&] {
    return std::move(
        client_->CompileAheadOfTime(SumOverReplicas(), {&VectorShape()}, build)
            .value()[0]);
  };
  LocalClientOptions options;
  for (const bool as_bytes : {false, true}) {
    LocalClient* loader =
        ClientLibrary::GetOrCreateLocalClient(
            options.set_intra_op_parallelism_threads(as_bytes ? 5 : 6))
            .value();
    ASSERT_EQ(loader->device_count(), 1);
    auto loaded =
        as_bytes ? loader->Load(compile()->SerializeAsString().value(), build)
                 : loader->Load(compile(), build);
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    EXPECT_EQ(loader->device_count(), 2);
    std::vector<ScopedShapedBuffer> arguments;
    for (int r = 0; r < 2; ++r) {
      arguments.push_back(
          loader
              ->LiteralToShapedBuffer(
                  LiteralUtil::CreateR1<float>({1.0f + r, 10}), r)
              .value());
    }
    for (const auto& result :
         RunTogether(**loaded, arguments, ExecutableRunOptions())) {
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_EQ(loader->ShapedBufferToLiteral(*result).value(),
                LiteralUtil::CreateR1<float>({3, 20}));
    }
  }
}

TEST_F(LocalClientTest, DeviceAssignmentSaysWhoIsWho) {
  XlaBuilder b("id");
  Add(Parameter(&b, 0, VectorShape(), "x"),
      ConvertElementType(ReplicaId(&b), F32));
  DeviceAssignment assignment(2, 1);
  assignment(0, 0) = 1;
  assignment(1, 0) = 0;
  const auto executable = Compile(
      b.Build().value(), {&VectorShape()},
      ExecutableBuildOptions().set_num_replicas(2).set_device_assignment(
          assignment));
  std::vector<ScopedShapedBuffer> arguments;
  for (int d = 0; d < 2; ++d)
    arguments.push_back(Buffer(LiteralUtil::CreateR1<float>({0, 0}), d));
  const auto results =
      RunTogether(*executable, arguments, ExecutableRunOptions());
  EXPECT_EQ(client_->ShapedBufferToLiteral(*results[0]).value(),
            LiteralUtil::CreateR1<float>({1, 1}));
  EXPECT_EQ(client_->ShapedBufferToLiteral(*results[1]).value(),
            LiteralUtil::CreateR1<float>({0, 0}));
  DeviceAssignment twice(2, 1);
  twice(0, 0) = twice(1, 0) = 0;
  EXPECT_FALSE(client_
                   ->Compile(Negate(), {&VectorShape()},
                             ExecutableBuildOptions()
                                 .set_num_replicas(2)
                                 .set_device_assignment(twice))
                   .ok());
  EXPECT_FALSE(client_
                   ->Compile(Negate(), {&VectorShape()},
                             ExecutableBuildOptions()
                                 .set_num_replicas(3)
                                 .set_device_assignment(assignment))
                   .ok());
}

TEST_F(LocalClientTest, DescribesItself) {
  EXPECT_EQ(client_->platform()->Name(), "Host");
  EXPECT_EQ(client_->default_device_ordinal(), 0);
  EXPECT_TRUE(client_->device_ordinal_supported(0));
  EXPECT_FALSE(client_->device_ordinal_supported(-1));
  EXPECT_FALSE(client_->device_ordinal_supported(client_->device_count()));
  EXPECT_EQ(client_->backend().device_name(0), "Host:0");
  EXPECT_EQ(client_->ReplicaNumberToDeviceOrdinal(0).value(), 0);
  EXPECT_TRUE(PlatformUtil::GetPlatform("cpu").ok());
  EXPECT_FALSE(PlatformUtil::GetPlatform("tpu").ok());
}

TEST_F(LocalClientTest, AllowedDevices) {
  LocalClientOptions options;
  options.set_allowed_devices(std::set<int>{2});
  LocalClient* client = ClientLibrary::GetOrCreateLocalClient(options).value();
  EXPECT_FALSE(client->device_ordinal_supported(0));
  EXPECT_TRUE(client->device_ordinal_supported(2));
  EXPECT_THAT(
      client->LiteralToShapedBuffer(LiteralUtil::CreateR1<float>({1}), 0)
          .status()
          .message(),
      HasSubstr("device 0 is not supported"));
  const auto x =
      client->TransferToServer(LiteralUtil::CreateR1<float>({1, 2})).value();
  EXPECT_EQ(client->ExecuteAndTransfer(Negate(), {x.get()}).value(),
            LiteralUtil::CreateR1<float>({-1, -2}));
}

}  // namespace
}  // namespace xla
