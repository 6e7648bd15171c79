// Typed custom calls of compiled programs, through the C ABI: stages, state,
// contexts, layouts, aliases, tokens, small elements, LAPACK targets.
#include <atomic>
#include <cstring>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/runtime/ffi/typed_targets.h"
#include "xla/backends/evaluator/evaluator_compiler.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/runtime/ffi/execution_context.h"
#include "xla/runtime/ffi/ffi_api.h"
#include "xla/runtime/ffi/registry.h"
#include "xla/runtime/thread_pool.h"

namespace xla::ffi {
namespace {

using ::testing::HasSubstr;

int64_t Size(const XLA_FFI_Buffer& buffer) {
  int64_t size = 1;
  for (int64_t i = 0; i < buffer.rank; ++i) size *= buffer.dims[i];
  return size;
}

void Register(const char* name, XLA_FFI_Handler_Bundle bundle) {
  absl::Status status = RegisterHandler(name, "Host", bundle);
  ASSERT_TRUE(status.ok()) << status;
}
void Register(const char* name, XLA_FFI_Handler* execute) {
  Register(name, XLA_FFI_Handler_Bundle{nullptr, nullptr, nullptr, execute});
}

absl::StatusOr<std::unique_ptr<Executable>> Compile(const std::string& text) {
  auto module = ParseAndReturnUnverifiedModule(text);
  if (!module.ok()) return module.status();
  return EvaluatorCompiler().Compile(*std::move(module));
}

// Returns the result as text.
std::string ResultOf(const std::string& text,
                     const Executable::RunOptions& options = {}) {
  auto executable = Compile(text);
  if (!executable.ok()) return executable.status().ToString();
  std::vector<std::vector<const Literal*>> arguments(
      (*executable)->num_devices());
  auto results = (*executable)->Execute(arguments, options);
  if (!results.ok()) return results.status().ToString();
  return results->front().ToStringWithoutShapeOneline();
}

// out[i] = in[i] * attribute "factor", in the order of memory.
XLA_FFI_Error* Scale(XLA_FFI_CallFrame* frame) {
  if (AnswersMetadata(frame)) return nullptr;
  EXPECT_EQ(frame->attrs.size, 1);
  EXPECT_EQ(std::string(frame->attrs.names[0]->ptr, frame->attrs.names[0]->len),
            "factor");
  EXPECT_EQ(frame->attrs.types[0], XLA_FFI_AttrType_SCALAR);
  auto* scalar = static_cast<XLA_FFI_Scalar*>(frame->attrs.attrs[0]);
  EXPECT_EQ(scalar->dtype, XLA_FFI_DataType_F32);
  const float factor = *static_cast<float*>(scalar->value);
  const auto* in = static_cast<const float*>(Argument(frame, 0).data);
  auto* out = static_cast<float*>(Result(frame, 0).data);
  for (int64_t i = 0; i < Size(Argument(frame, 0)); ++i) {
    out[i] = in[i] * factor * (i + 1);
  }
  return nullptr;
}

TEST(TypedCallTest, LayoutsAreHonoured) {
  Register("test.scale", Scale);
  EXPECT_EQ(ResultOf(R"(HloModule m
ENTRY e {
  x = f32[2,2] constant({{1, 1}, {1, 1}})
  ROOT r = f32[2,2]{1,0} custom-call(x), custom_call_target="test.scale", operand_layout_constraints={f32[2,2]{1,0}}, api_version=API_VERSION_TYPED_FFI, backend_config="{factor = 2.0 : f32}"
})"),
            "{ { 2, 4 }, { 6, 8 } }");
  EXPECT_EQ(ResultOf(R"(HloModule m
ENTRY e {
  x = f32[2,2] constant({{1, 10}, {100, 1000}})
  c = f32[2,2]{0,1} custom-call(x), custom_call_target="test.scale", operand_layout_constraints={f32[2,2]{0,1}}, api_version=API_VERSION_TYPED_FFI, backend_config="{factor = 1.0 : f32}"
  ROOT r = f32[2,2]{1,0} copy(c)
})"),
            "{ { 1, 30 }, { 200, 4000 } }");
}

TEST(TypedCallTest, AliasesAndTokens) {
  Register("test.increment", IncrementInPlace);
  EXPECT_EQ(ResultOf(R"(HloModule m
ENTRY e {
  t = token[] after-all()
  x = s32[3] constant({1, 2, 3})
  c = (s32[3]{0}, token[]) custom-call(t, x), custom_call_target="test.increment", operand_layout_constraints={token[], s32[3]{0}}, output_to_operand_aliasing={{0}: (1, {})}, api_version=API_VERSION_TYPED_FFI
  y = s32[3] get-tuple-element(c), index=0
  ROOT r = s32[3] add(x, y)
})"),
            "{3, 5, 7}");
}

TEST(TypedCallTest, SmallElementsArePacked) {
  Register("test.nibbles", CopyNibbles);
  EXPECT_EQ(ResultOf(R"(HloModule m
ENTRY e {
  x = s4[3] constant({-1, 2, -8})
  ROOT r = s4[3] custom-call(x), custom_call_target="test.nibbles", api_version=API_VERSION_TYPED_FFI
})"),
            "{-1, 2, -8}");
}

// Counts of calls and live states of the stages.
std::atomic<int> live_states = 0;
std::atomic<int> instantiated = 0, prepared = 0, initialized = 0;
XLA_FFI_TypeId state_type = {0};

XLA_FFI_Error* SetState(XLA_FFI_CallFrame* frame) {
  EXPECT_EQ(frame->args.size, 0);
  XLA_FFI_State_Set_Args args = {};
  args.struct_size = XLA_FFI_State_Set_Args_STRUCT_SIZE;
  args.ctx = frame->ctx;
  args.stage = frame->stage;
  args.type_id = &state_type;
  args.state = new int(static_cast<int>(frame->stage) + 10);
  ++live_states;
  return frame->api->XLA_FFI_State_Set(&args);
}

XLA_FFI_Error* Stage(XLA_FFI_CallFrame* frame) {
  if (AnswersMetadata(frame)) return nullptr;
  switch (frame->stage) {
    case XLA_FFI_ExecutionStage_INSTANTIATE:
      ++instantiated;
      return SetState(frame);
    case XLA_FFI_ExecutionStage_PREPARE:
      ++prepared;
      return SetState(frame);
    case XLA_FFI_ExecutionStage_INITIALIZE:
      ++initialized;
      return SetState(frame);
    case XLA_FFI_ExecutionStage_EXECUTE:
      break;
  }
  auto* out = static_cast<int32_t*>(Result(frame, 0).data);
  for (int stage = 0; stage < 3; ++stage) {
    XLA_FFI_State_Get_Args args = {};
    args.struct_size = XLA_FFI_State_Get_Args_STRUCT_SIZE;
    args.ctx = frame->ctx;
    args.stage = static_cast<XLA_FFI_ExecutionStage>(stage);
    args.type_id = &state_type;
    if (XLA_FFI_Error* error = frame->api->XLA_FFI_State_Get(&args)) {
      return error;
    }
    out[stage] = *static_cast<int*>(args.state);
  }
  return nullptr;
}

TEST(TypedCallTest, StagesAndTheirStates) {
  XLA_FFI_TypeInfo info = {XLA_FFI_TypeInfo_STRUCT_SIZE, nullptr,
                           [](void* state) {
                             delete static_cast<int*>(state);
                             --live_states;
                           }};
  XLA_FFI_Type_Register_Args args = {};
  args.struct_size = XLA_FFI_Type_Register_Args_STRUCT_SIZE;
  args.name = {"test.state", 10};
  args.type_id = &state_type;
  args.type_info = &info;
  ASSERT_EQ(XLA_FFI_GetApi()->XLA_FFI_Type_Register(&args), nullptr);
  Register("test.stage", {Stage, Stage, Stage, Stage});
  {
    auto executable = Compile(R"(HloModule m
body {
  p = (s32[], s32[3]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  c = s32[3] custom-call(), custom_call_target="test.stage", api_version=API_VERSION_TYPED_FFI
  ROOT t = (s32[], s32[3]) tuple(j, c)
}
condition {
  p = (s32[], s32[3]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  five = s32[] constant(5)
  ROOT c = pred[] compare(i, five), direction=LT
}
ENTRY e {
  zero = s32[] constant(0)
  x = s32[3] constant({0, 0, 0})
  t = (s32[], s32[3]) tuple(zero, x)
  w = (s32[], s32[3]) while(t), condition=condition, body=body
  ROOT r = s32[3] get-tuple-element(w), index=1
})");
    ASSERT_TRUE(executable.ok()) << executable.status();
    for (int run = 0; run < 2; ++run) {
      auto results = (*executable)->Execute({{}}, {});
      ASSERT_TRUE(results.ok()) << results.status();
      EXPECT_EQ(results->front().ToStringWithoutShapeOneline(), "{10, 11, 12}");
    }
    EXPECT_EQ(live_states, 1);
  }
  EXPECT_EQ(live_states, 0);
  EXPECT_EQ(instantiated, 1);
  EXPECT_EQ(prepared, 2);
  EXPECT_EQ(initialized, 2);
}

struct UserData {
  int value;
};

// Reads everything that a handler can ask for: user data, run, device, memory,
// threads; then completes asynchronously.
XLA_FFI_Error* Asks(XLA_FFI_CallFrame* frame) {
  if (AnswersMetadata(frame)) return nullptr;
  const XLA_FFI_Api* api = frame->api;
  XLA_FFI_TypeId type = {TypeRegistry::GetTypeId<UserData>().value()};
  XLA_FFI_ExecutionContext_Get_Args user = {};
  user.struct_size = XLA_FFI_ExecutionContext_Get_Args_STRUCT_SIZE;
  user.ctx = frame->ctx;
  user.type_id = &type;
  if (auto* error = api->XLA_FFI_ExecutionContext_Get(&user)) return error;
  XLA_FFI_RunId_Get_Args run = {};
  run.struct_size = XLA_FFI_RunId_Get_Args_STRUCT_SIZE;
  run.ctx = frame->ctx;
  if (auto* error = api->XLA_FFI_RunId_Get(&run)) return error;
  XLA_FFI_DeviceOrdinal_Get_Args device = {};
  device.struct_size = XLA_FFI_DeviceOrdinal_Get_Args_STRUCT_SIZE;
  device.ctx = frame->ctx;
  if (auto* error = api->XLA_FFI_DeviceOrdinal_Get(&device)) return error;
  XLA_FFI_DeviceMemory_Allocate_Args memory = {};
  memory.struct_size = XLA_FFI_DeviceMemory_Allocate_Args_STRUCT_SIZE;
  memory.ctx = frame->ctx;
  memory.size = 1000;
  memory.alignment = 256;
  if (auto* error = api->XLA_FFI_DeviceMemory_Allocate(&memory)) return error;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.data) % 256, 0);
  std::memset(memory.data, 1, memory.size);
  XLA_FFI_DeviceMemory_Free_Args free = {};
  free.struct_size = XLA_FFI_DeviceMemory_Free_Args_STRUCT_SIZE;
  free.ctx = frame->ctx;
  free.size = memory.size;
  free.data = memory.data;
  if (auto* error = api->XLA_FFI_DeviceMemory_Free(&free)) return error;
  XLA_FFI_Stream_Get_Args stream = {};
  stream.struct_size = XLA_FFI_Stream_Get_Args_STRUCT_SIZE;
  stream.ctx = frame->ctx;
  EXPECT_EQ(TakeStatus(api->XLA_FFI_Stream_Get(&stream)).code(),
            absl::StatusCode::kUnimplemented);
  int64_t threads = 0;
  XLA_FFI_ThreadPool_NumThreads_Args count = {};
  count.struct_size = XLA_FFI_ThreadPool_NumThreads_Args_STRUCT_SIZE;
  count.ctx = frame->ctx;
  count.num_threads = &threads;
  if (auto* error = api->XLA_FFI_ThreadPool_NumThreads(&count)) return error;
  XLA_FFI_Future_Create_Args future = {};
  future.struct_size = XLA_FFI_Future_Create_Args_STRUCT_SIZE;
  if (auto* error = api->XLA_FFI_Future_Create(&future)) return error;
  frame->future = future.future;
  auto* out = static_cast<int32_t*>(Result(frame, 0).data);
  out[0] = static_cast<UserData*>(user.data)->value;
  out[1] = static_cast<int32_t>(run.run_id);
  out[2] = device.device_ordinal;
  std::thread([out, threads, api, future = future.future] {
    out[3] = static_cast<int32_t>(threads);
    XLA_FFI_Future_SetAvailable_Args args = {};
    args.struct_size = XLA_FFI_Future_SetAvailable_Args_STRUCT_SIZE;
    args.future = future;
    EXPECT_EQ(api->XLA_FFI_Future_SetAvailable(&args), nullptr);
  }).detach();
  return nullptr;
}

constexpr char kAsks[] = R"(HloModule m
ENTRY e {
  ROOT r = s32[4] custom-call(), custom_call_target="test.asks", api_version=API_VERSION_TYPED_FFI
})";

TEST(TypedCallTest, HandlersAskTheRuntime) {
  Register("test.asks", Asks);
  ExecutionContext context;
  UserData data{42};
  ASSERT_TRUE(context.Insert(&data).ok());
  Executable::RunOptions options;
  options.ffi_context = &context;
  options.run_id = 7;
  const int64_t ids[] = {3};
  options.device_ids = ids;
  EXPECT_EQ(ResultOf(kAsks, options), "{42, 7, 3, 1}");
  EXPECT_THAT(ResultOf(kAsks), HasSubstr("this execution has no context"));
}

XLA_FFI_Error* Fails(XLA_FFI_CallFrame* frame) {
  if (AnswersMetadata(frame)) return nullptr;
  return CreateError(absl::OutOfRangeError("too far"));
}

TEST(TypedCallTest, Errors) {
  Register("test.fails", Fails);
  EXPECT_THAT(ResultOf(R"(HloModule m
ENTRY e {
  ROOT r = s32[] custom-call(), custom_call_target="test.fails", api_version=API_VERSION_TYPED_FFI
})"),
              HasSubstr("OUT_OF_RANGE: custom-call r to test.fails: too far"));
  EXPECT_THAT(ResultOf(R"(HloModule m
ENTRY e {
  ROOT r = s32[] custom-call(), custom_call_target="test.nobody", api_version=API_VERSION_TYPED_FFI
})"),
              HasSubstr("no FFI handler \"test.nobody\" is registered"));
  EXPECT_THAT(ResultOf(R"(HloModule m
ENTRY e {
  ROOT r = s32[] custom-call(), custom_call_target="test.fails", api_version=API_VERSION_TYPED_FFI, backend_config="{a = }"
})"),
              HasSubstr("expected a value at offset"));
}

TEST(TypedCallTest, LapackNeedsNoRegistration) {
  EXPECT_EQ(ResultOf(R"(HloModule m
ENTRY e {
  a = f64[2,2] constant({{4, 2}, {2, 5}})
  c = (f64[2,2]{0,1}, s32[]) custom-call(a), custom_call_target="lapack_dpotrf_ffi", operand_layout_constraints={f64[2,2]{0,1}}, output_to_operand_aliasing={{0}: (0, {})}, api_version=API_VERSION_TYPED_FFI, backend_config="{uplo = 76 : ui8}"
  ROOT r = f64[2,2]{1,0} get-tuple-element(c), index=0
})"),
            "{ { 2, 2 }, { 1, 2 } }");
}

}  // namespace
}  // namespace xla::ffi
