// Registration of handlers and types, and contexts that carry data.
#include "xla/runtime/ffi/registry.h"

#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/runtime/ffi/execution_context.h"
#include "xla/runtime/ffi/ffi_api.h"
#include "xla/runtime/ffi/handler_state.h"
#include "xla/runtime/ffi/type_registry.h"

namespace xla::ffi {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// Reports the versions that it was compiled with.
template <int kMajor, int kMinor>
XLA_FFI_Error* Handler(XLA_FFI_CallFrame* frame) {
  auto* extension =
      reinterpret_cast<XLA_FFI_Metadata_Extension*>(frame->extension_start);
  if (extension == nullptr) return nullptr;
  extension->metadata->api_version.major_version = kMajor;
  extension->metadata->api_version.minor_version = kMinor;
  extension->metadata->traits = 1;
  return nullptr;
}

XLA_FFI_Error* Broken(XLA_FFI_CallFrame*) {
  return CreateError(absl::DataLossError("oh no"));
}

constexpr XLA_FFI_Handler_Bundle kGood = {nullptr, nullptr, nullptr,
                                          Handler<0, 1>};

TEST(RegistryTest, RegisterAndFind) {
  ASSERT_TRUE(RegisterHandler("good", "Host", kGood).ok());
  ASSERT_TRUE(RegisterHandler("good", "CPU", kGood).ok());  // registered again
  auto found = FindHandler("good", "tessera");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->bundle.execute, kGood.execute);
  EXPECT_EQ(found->api_minor_version, 1);
  EXPECT_EQ(found->traits, 1);
  EXPECT_THAT(RegisteredHandlerNames("host"), Contains("good"));
}

TEST(RegistryTest, Errors) {
  ASSERT_TRUE(RegisterHandler("taken", "Host", kGood).ok());
  absl::Status again = RegisterHandler(
      "taken", "Host", {nullptr, nullptr, nullptr, Handler<0, 2>});
  EXPECT_EQ(again.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(RegisterHandler("", "Host", kGood).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(RegisterHandler("empty", "Host", {}).code(),
            absl::StatusCode::kInvalidArgument);
  absl::Status major = RegisterHandler(
      "newer", "Host", {nullptr, nullptr, nullptr, Handler<1, 0>});
  EXPECT_THAT(std::string(major.message()),
              HasSubstr("was compiled for XLA FFI 1.0"));
  absl::Status broken =
      RegisterHandler("broken", "Host", {nullptr, nullptr, nullptr, Broken});
  EXPECT_EQ(broken.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(broken.message()), HasSubstr("oh no"));
}

TEST(RegistryTest, UnknownNamesSayWhatToDo) {
  absl::Status unknown = FindHandler("nobody").status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(unknown.message()),
              HasSubstr("jax.ffi.register_ffi_target(\"nobody\""));
  ASSERT_TRUE(RegisterHandler("gpu only", "CUDA", kGood).ok());
  EXPECT_THAT(std::string(FindHandler("gpu only").status().message()),
              HasSubstr("is registered for cuda but not for platform host"));
}

TEST(RegistryTest, ThroughTheTableOfFunctions) {
  XLA_FFI_Handler_Register_Args args = {};
  args.struct_size = XLA_FFI_Handler_Register_Args_STRUCT_SIZE;
  args.name = {"by table", 8};
  args.platform = {"Host", 4};
  args.bundle = kGood;
  EXPECT_EQ(XLA_FFI_GetApi()->XLA_FFI_Handler_Register(&args), nullptr);
  EXPECT_TRUE(FindHandler("by table").ok());
  args.struct_size = 8;
  EXPECT_EQ(
      TakeStatus(XLA_FFI_GetApi()->XLA_FFI_Handler_Register(&args)).code(),
      absl::StatusCode::kInvalidArgument);
}

TEST(RegistryTest, ManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 100; ++i) {
        const std::string name = "n" + std::to_string(i % 10);
        EXPECT_TRUE(RegisterHandler(name, "Host", kGood).ok());
        EXPECT_TRUE(FindHandler(name).ok());
        EXPECT_TRUE(
            TypeRegistry::AssignTypeId("t" + std::to_string(t), {}).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(TypeRegistryTest, Numbers) {
  auto id = TypeRegistry::AssignTypeId("type a", {});
  ASSERT_TRUE(id.ok());
  EXPECT_EQ(*TypeRegistry::AssignTypeId("type a", {}), *id);
  EXPECT_EQ(*TypeRegistry::GetTypeId("type a"), *id);
  EXPECT_EQ(
      TypeRegistry::AssignTypeId("type a", {[](void*) {}}).status().code(),
      absl::StatusCode::kAlreadyExists);
  EXPECT_TRUE(
      TypeRegistry::RegisterTypeId("type b", TypeRegistry::TypeId(3), {}).ok());
  EXPECT_TRUE(
      TypeRegistry::RegisterTypeId("type b", TypeRegistry::TypeId(3), {}).ok());
  EXPECT_FALSE(
      TypeRegistry::RegisterTypeId("type b", TypeRegistry::TypeId(4), {}).ok());
  EXPECT_FALSE(
      TypeRegistry::RegisterTypeId("type c", TypeRegistry::TypeId(3), {}).ok());
  EXPECT_FALSE(
      TypeRegistry::RegisterTypeId("type d", TypeRegistry::TypeId(0), {}).ok());
  EXPECT_FALSE(TypeRegistry::GetTypeId("type e").ok());
}

TEST(ExecutionContextTest, OwnsAndBorrows) {
  struct Counter {
    explicit Counter(int* count) : deleted(count) {}
    ~Counter() { ++*deleted; }
    int* deleted;
  };
  int deleted = 0;
  int borrowed = 7;
  {
    ExecutionContext context;
    ASSERT_TRUE(context.Emplace<Counter>(&deleted).ok());
    ASSERT_TRUE(context.Insert(&borrowed).ok());
    EXPECT_EQ(context.Insert(&borrowed).code(),
              absl::StatusCode::kAlreadyExists);
    EXPECT_EQ(**context.Lookup<int>(), 7);
    EXPECT_EQ((*context.Lookup<Counter>())->deleted, &deleted);
    EXPECT_EQ(context.Lookup<double>().status().code(),
              absl::StatusCode::kNotFound);
    EXPECT_FALSE(context.Insert(TypeRegistry::TypeId(0), &borrowed).ok());
  }
  EXPECT_EQ(deleted, 1);
}

TEST(HandlerStateTest, SetOnceAndDestroyed) {
  static int deleted = 0;
  auto id = *TypeRegistry::AssignTypeId("counted", {[](void*) { ++deleted; }});
  int value = 0;
  {
    HandlerState state;
    EXPECT_EQ(state.Get(id).status().code(), absl::StatusCode::kNotFound);
    ASSERT_TRUE(state.Set(id, &value).ok());
    EXPECT_EQ(state.Set(id, &value).code(),
              absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(*state.Get(id), &value);
    EXPECT_FALSE(state.Get(TypeRegistry::TypeId(1)).ok());
  }
  EXPECT_EQ(deleted, 1);
}

}  // namespace
}  // namespace xla::ffi
