// Compares custom calls of all API versions with the evaluator.
#include "xla/hlo/evaluator/custom_call.h"

#include <atomic>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/thunk_emitter/library_program.h"
#include "tests/runtime/ffi/typed_targets.h"
#include "xla/runtime/ffi/ffi_api.h"
#include "xla/runtime/ffi/registry.h"

namespace xla::cpu {
namespace {

using ::testing::HasSubstr;

// out = (in0 + in1.0, in1.1)
void AddParts(void* out, const void** in) {
  void** results = static_cast<void**>(out);
  const auto* tuple = static_cast<const void* const*>(in[1]);
  for (int i = 0; i < 2; ++i) {
    static_cast<float*>(results[0])[i] = static_cast<const float*>(in[0])[i] +
                                         static_cast<const float*>(tuple[0])[i];
  }
  std::memcpy(results[1], tuple[1], 4);
}
XLA_REGISTER_CUSTOM_CALL_TARGET_WITH_SYM("cpu_test_add_parts", &AddParts,
                                         "Host");

void Fail(void* out, const void** in, const char* opaque, size_t size,
          XlaCustomCallStatus* status) {
  const std::string message = absl::StrCat("no: ", std::string(opaque, size));
  XlaCustomCallStatusSetFailure(status, message.data(), message.size());
}
XLA_REGISTER_CUSTOM_CALL_TARGET_WITH_SYM("cpu_test_fail", &Fail, "Host");

// Copies four floats in memory order.
void CopyMemory(void* out, const void** in) { std::memcpy(out, in[0], 16); }
XLA_REGISTER_CUSTOM_CALL_TARGET_WITH_SYM("cpu_test_copy_memory", &CopyMemory,
                                         "Host");

TEST(UntypedCallTest, TuplesAndErrors) {
  EXPECT_EQ(RunBothAlone(R"(HloModule m
ENTRY e {
  a = f32[2] constant({1, 2})
  b = f32[2] constant({10, 20})
  c = s32[] constant(7)
  t = (f32[2], s32[]) tuple(b, c)
  ROOT r = (f32[2], s32[]) custom-call(a, t), custom_call_target="cpu_test_add_parts"
})"),
            "( f32[2] {11, 22}, s32[] 7 )");
  EXPECT_EQ(RunBothAlone(R"(HloModule m
ENTRY e {
  ROOT r = f32[] custom-call(), custom_call_target="cpu_test_fail", api_version=API_VERSION_STATUS_RETURNING_UNIFIED, backend_config="why"
})"),
            "custom-call to cpu_test_fail failed: no: why");
  EXPECT_THAT(RunBothAlone(R"(HloModule m
ENTRY e {
  ROOT r = f32[] custom-call(), custom_call_target="nobody_registered_this"
})"),
              HasSubstr("nobody_registered_this"));
}

TEST(UntypedCallTest, Layouts) {
  // The target sees columns, the program rows.
  EXPECT_EQ(RunBothAlone(R"(HloModule m
ENTRY e {
  a = f32[2,2] constant({{1, 2}, {3, 4}})
  ROOT r = f32[4] custom-call(a), custom_call_target="cpu_test_copy_memory", operand_layout_constraints={f32[2,2]{0,1}}
})"),
            "f32[4] {1, 3, 2, 4}");
}

// Counts the runs that it prepares, their states, and the calls.
std::atomic<int> prepared = 0, executed = 0, live_states = 0;
XLA_FFI_TypeId state_type = {0};
XLA_FFI_Error* Count(XLA_FFI_CallFrame* frame) {
  if (ffi::AnswersMetadata(frame)) return nullptr;
  if (frame->stage == XLA_FFI_ExecutionStage_PREPARE) {
    ++prepared;
    ++live_states;
    XLA_FFI_State_Set_Args args = {};
    args.struct_size = XLA_FFI_State_Set_Args_STRUCT_SIZE;
    args.ctx = frame->ctx;
    args.stage = frame->stage;
    args.type_id = &state_type;
    args.state = &live_states;
    return frame->api->XLA_FFI_State_Set(&args);
  } else {
    ++executed;
    static_cast<int32_t*>(ffi::Result(frame, 0).data)[0] = 1;
  }
  return nullptr;
}

void Register(const char* name, XLA_FFI_Handler* execute,
              XLA_FFI_Handler* prepare = nullptr) {
  const absl::Status status = ffi::RegisterHandler(
      name, "Host", XLA_FFI_Handler_Bundle{nullptr, prepare, nullptr, execute});
  ASSERT_TRUE(status.ok()) << status;
}

TEST(TypedCallTest, SmallElementsArePacked) {
  Register("cpu.nibbles", ffi::CopyNibbles);
  EXPECT_EQ(RunBothAlone(R"(HloModule m
ENTRY e {
  x = s4[3] constant({-1, 2, -8})
  ROOT r = s4[3] custom-call(x), custom_call_target="cpu.nibbles", api_version=API_VERSION_TYPED_FFI
})"),
            "s4[3] {-1, 2, -8}");
}

TEST(TypedCallTest, AliasesAndTokens) {
  Register("cpu.increment", ffi::IncrementInPlace);
  EXPECT_EQ(RunBothAlone(R"(HloModule m
ENTRY e {
  t = token[] after-all()
  x = s32[3] constant({1, 2, 3})
  c = (s32[3]{0}, token[]) custom-call(t, x), custom_call_target="cpu.increment", operand_layout_constraints={token[], s32[3]{0}}, output_to_operand_aliasing={{0}: (1, {})}, api_version=API_VERSION_TYPED_FFI
  y = s32[3] get-tuple-element(c), index=0
  ROOT r = (s32[3], s32[3]) tuple(x, y)
})"),
            "( s32[3] {1, 2, 3}, s32[3] {2, 3, 4} )");
}

TEST(TypedCallTest, PreparedOnceARun) {
  XLA_FFI_TypeInfo info = {XLA_FFI_TypeInfo_STRUCT_SIZE, nullptr,
                           [](void*) { --live_states; }};
  XLA_FFI_Type_Register_Args args = {};
  args.struct_size = XLA_FFI_Type_Register_Args_STRUCT_SIZE;
  args.name = {"cpu.state", 9};
  args.type_id = &state_type;
  args.type_info = &info;
  ASSERT_EQ(XLA_FFI_GetApi()->XLA_FFI_Type_Register(&args), nullptr);
  Register("cpu.count", Count, Count);
  const auto executable = CompileLibraryProgram(R"(HloModule m
ENTRY e {
  a = s32[] custom-call(), custom_call_target="cpu.count", api_version=API_VERSION_TYPED_FFI
  b = s32[] custom-call(), custom_call_target="cpu.count", api_version=API_VERSION_TYPED_FFI
  ROOT r = (s32[], s32[]) tuple(a, b)
})",
                                                {});
  ASSERT_TRUE(executable.ok()) << executable.status();
  for (int i = 1; i <= 3; ++i) {
    const std::vector<const Literal*> none[1];
    ASSERT_TRUE((*executable)->Execute(none, {}).ok());
    EXPECT_EQ(prepared, 2 * i);  // call sites
    EXPECT_EQ(executed, 2 * i);
    EXPECT_EQ(live_states, 0);  // none outlives the run
  }
}

TEST(TypedCallTest, LapackInColumnOrder) {
  RunBothAlone(R"(HloModule m
ENTRY e {
  a = f32[2,2] constant({{4, 2}, {2, 5}})
  ROOT r = (f32[2,2]{0,1}, s32[]) custom-call(a), custom_call_target="lapack_spotrf_ffi", api_version=API_VERSION_TYPED_FFI, operand_layout_constraints={f32[2,2]{0,1}}, output_to_operand_aliasing={{0}: (0, {})}, backend_config="{uplo = 76 : ui8}"
})");
  EXPECT_THAT(RunBothAlone(R"(HloModule m
ENTRY e {
  ROOT r = f32[] custom-call(), custom_call_target="nobody_registered_this", api_version=API_VERSION_TYPED_FFI
})"),
              HasSubstr("nobody_registered_this"));
}

}  // namespace
}  // namespace xla::cpu
