// Uses every name of xla/executable_run_options.h.
#include "xla/executable_run_options.h"

#include "absl/container/flat_hash_set.h"
#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"
#include "xla/ffi/execution_context.h"
#include "xla/ffi/ffi_api.h"
#include "xla/ffi/ffi_registry.h"
#include "xla/service/computation_placer.h"

namespace xla {
namespace {

TEST(ExecutableRunOptionsNamesTest, RunIds) {
  const RunId seven(7);
  EXPECT_EQ(seven.ToInt(), 7);
  EXPECT_EQ(seven.ToString(), "RunId: 7");
  RunId copy(seven);
  EXPECT_TRUE(copy == seven);
  copy = RunId::CreateUniqueId();
  EXPECT_FALSE(copy == RunId::CreateUniqueId());
  EXPECT_EQ((absl::flat_hash_set<RunId>{seven, RunId(7), RunId(8)}.size()), 2);
}

TEST(ExecutableRunOptionsNamesTest, Defaults) {
  const ExecutableRunOptions options;
  EXPECT_EQ(options.device_ordinal(), -1);
  EXPECT_EQ(options.physical_device_ordinal(), -1);
  EXPECT_EQ(options.local_device_count(), 0);
  EXPECT_EQ(options.allocator(), nullptr);
  EXPECT_EQ(options.device_assignment(), nullptr);
  EXPECT_EQ(options.execution_profile(), nullptr);
  EXPECT_EQ(options.rng_seed(), 0);
  EXPECT_EQ(options.launch_id(), 0);
  EXPECT_EQ(options.run_id().ToInt(), 0);
  EXPECT_EQ(options.stream(), nullptr);
  EXPECT_EQ(options.host_to_device_stream(), nullptr);
  EXPECT_EQ(options.device_to_host_stream(), nullptr);
  EXPECT_EQ(options.intra_op_thread_pool(), nullptr);
  EXPECT_EQ(options.then_execute_function(), nullptr);
  EXPECT_EQ(options.ffi_execution_context(), nullptr);
}

TEST(ExecutableRunOptionsNamesTest, Setters) {
  LocalClient* client = ClientLibrary::LocalClientOrDie();
  DeviceAssignment assignment(1, 1);
  ExecutionProfile profile;
  ffi::ExecutionContext context;
  int calls = 0;
  ThenExecuteFunction then = [&](stream_executor::Stream*,
                                 std::function<void()> work) {
    ++calls;
    work();
  };
  ExecutableRunOptions options;
  options.set_allocator(client->backend().memory_allocator())
      .set_device_ordinal(0)
      .set_physical_device_ordinal(0)
      .set_device_assignment(&assignment)
      .set_execution_profile(&profile)
      .set_rng_seed(42)
      .set_launch_id(3)
      .set_run_id(RunId(9))
      .set_stream(nullptr)
      .set_host_to_device_stream(nullptr)
      .set_device_to_host_stream(nullptr)
      .set_intra_op_thread_pool(nullptr)
      .set_then_execute_function(&then)
      .set_ffi_execution_context(&context)
      .set_local_device_count(1);
  EXPECT_EQ(options.allocator(), client->backend().memory_allocator());
  EXPECT_EQ(options.device_assignment(), &assignment);
  EXPECT_EQ(options.launch_id(), 3);
  EXPECT_EQ(options.run_id(), RunId(9));
  EXPECT_EQ(options.rng_seed(), 42);
  EXPECT_EQ(options.local_device_count(), 1);
  EXPECT_EQ(options.ffi_execution_context(), &context);
  (*options.then_execute_function())(nullptr, [&] { ++calls; });
  EXPECT_EQ(calls, 2);

  // Equal seeds give equal numbers.
  XlaBuilder b("random");
  RngUniform(names_testing::Scalar(&b, 0), names_testing::Scalar(&b, 1),
             ShapeUtil::MakeShape(F32, {4}));
  const auto executables = client->Compile(b.Build().value(), {}, {}).value();
  auto run = [&] {
    return client
        ->ShapedBufferToLiteral(
            executables[0]
                ->Run(absl::Span<const ShapedBuffer* const>(), options)
                .value())
        .value();
  };
  const Literal first = run();
  EXPECT_EQ(first, run());
  EXPECT_GT(profile.compute_time_ns(), 0);
  options.set_rng_seed(43);
  EXPECT_FALSE(first == run());
}

struct UserNumber {
  float value;
};

// () -> f32[]: the number in the context of the run.
XLA_FFI_Error* ReturnUserNumber(XLA_FFI_CallFrame* frame) {
  if (frame->extension_start != nullptr) {  // asks for the version
    auto* metadata =
        reinterpret_cast<XLA_FFI_Metadata_Extension*>(frame->extension_start)
            ->metadata;
    metadata->api_version.major_version = XLA_FFI_API_MAJOR;
    metadata->api_version.minor_version = XLA_FFI_API_MINOR;
    return nullptr;
  }
  XLA_FFI_TypeId type = {ffi::TypeRegistry::GetTypeId<UserNumber>().value()};
  XLA_FFI_ExecutionContext_Get_Args args = {};
  args.struct_size = XLA_FFI_ExecutionContext_Get_Args_STRUCT_SIZE;
  args.ctx = frame->ctx;
  args.type_id = &type;
  if (auto* error = frame->api->XLA_FFI_ExecutionContext_Get(&args)) {
    return error;
  }
  auto* result = static_cast<XLA_FFI_Buffer*>(frame->rets.rets[0]);
  *static_cast<float*>(result->data) =
      static_cast<const UserNumber*>(args.data)->value;
  return nullptr;
}

TEST(ExecutableRunOptionsNamesTest, HandlersGetTheContext) {
  ASSERT_TRUE(
      ffi::RegisterHandler("names.user_number", "Host",
                           {nullptr, nullptr, nullptr, ReturnUserNumber})
          .ok());
  XlaBuilder b("ffi");
  CustomCall(&b, "names.user_number", {},
             ShapeUtil::MakeShapeWithDenseLayout(F32, {}, {}), "", false, {},
             nullptr, CustomCallSchedule::SCHEDULE_NONE,
             CustomCallApiVersion::API_VERSION_TYPED_FFI);
  LocalClient* client = ClientLibrary::LocalClientOrDie();
  const auto executables = client->Compile(b.Build().value(), {}, {}).value();
  UserNumber number = {2.5f};
  ffi::ExecutionContext context;
  ASSERT_TRUE(context.Insert(&number).ok());
  ExecutableRunOptions options;
  auto run = [&] {
    return executables[0]->Run(absl::Span<const ShapedBuffer* const>(),
                               options);
  };
  EXPECT_FALSE(run().ok());
  options.set_ffi_execution_context(&context);
  EXPECT_EQ(client->ShapedBufferToLiteral(run().value()).value().Get<float>({}),
            2.5f);
}

}  // namespace
}  // namespace xla
