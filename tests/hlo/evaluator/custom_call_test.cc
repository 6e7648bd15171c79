// Calls functions of the host program.
#include "xla/hlo/evaluator/custom_call.h"

#include <cstring>

#include "gmock/gmock.h"
#include "tests/hlo/evaluator/evaluator_test_base.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The document's example, with z completed.
void MyFunc(void* out, void** in) {
  float(&x)[2] = *static_cast<float(*)[2]>(in[0]);
  float(&y)[2][3] = *static_cast<float(*)[2][3]>(in[1]);
  EXPECT_EQ(1, x[0]);
  EXPECT_EQ(2, x[1]);
  EXPECT_EQ(10, y[0][0]);
  EXPECT_EQ(60, y[1][2]);
  float(&z)[3][3] = *static_cast<float(*)[3][3]>(out);
  std::memset(z, 0, sizeof(z));
  z[0][0] = x[1] + y[1][0];
}
XLA_CPU_REGISTER_CUSTOM_CALL_TARGET_WITH_SYM("myfunc", MyFunc);

// (f32[2], (s32[])) -> (s32[], f32[2]): tuples are arrays of pointers.
void Swap(void* out, const void** in) {
  void** results = static_cast<void**>(out);
  const void* const* tuple = static_cast<const void* const*>(in[1]);
  std::memcpy(results[0], tuple[0], 4);
  std::memcpy(results[1], in[0], 8);
}
XLA_CPU_REGISTER_CUSTOM_CALL_TARGET(Swap);

void Fails(void* out, const void** in, const char* opaque, size_t opaque_len,
           XlaCustomCallStatus* status) {
  XlaCustomCallStatusSetFailure(status, opaque, opaque_len);
}
XLA_REGISTER_CUSTOM_CALL_TARGET(Fails, "Host");

void FirstOfMemory(void* out, const void** in) {
  std::memcpy(out, static_cast<const char*>(in[0]) + 4, 4);
}
XLA_CPU_REGISTER_CUSTOM_CALL_TARGET(FirstOfMemory);

void OneToFour(void* out, const void** in) {
  for (int i = 0; i < 4; ++i) static_cast<float*>(out)[i] = i + 1;
}
XLA_CPU_REGISTER_CUSTOM_CALL_TARGET(OneToFour);

TEST(CustomCallTest, ExampleOfTheDocument) {
  EXPECT_THAT(
      RunDevices(R"(HloModule m
ENTRY e {
  x = f32[2]{0} constant({1, 2})
  y = f32[2,3]{1,0} constant({{10, 20, 30}, {40, 50, 60}})
  ROOT r = f32[3,3]{1,0} custom-call(x, y), custom_call_target="myfunc"
})",
                 Devices(1)),
      ElementsAre("f32[3,3] { { 42, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }"));
}

TEST(CustomCallTest, Tuples) {
  EXPECT_THAT(RunDevices(R"(HloModule m
ENTRY e {
  x = f32[2]{0} constant({1, 2})
  s = s32[] constant(7)
  t = (s32[]) tuple(s)
  ROOT r = (s32[], f32[2]{0}) custom-call(x, t), custom_call_target="Swap"
})",
                         Devices(1)),
              ElementsAre("( s32[] 7, f32[2] {1, 2} )"));
}

TEST(CustomCallTest, TheTargetMayFail) {
  EXPECT_THAT(RunDevices(R"(HloModule m
ENTRY e {
  ROOT r = s32[] custom-call(), custom_call_target="Fails", api_version=API_VERSION_STATUS_RETURNING_UNIFIED, backend_config="no luck"
})",
                         Devices(1)),
              ElementsAre(HasSubstr("failed: no luck")));
}

TEST(CustomCallTest, LayoutConstraintsOrderTheOperands) {
  constexpr absl::string_view kText = R"(HloModule m
ENTRY e {
  x = f32[2,2]{1,0} constant({{1, 2}, {3, 4}})
  a = f32[] custom-call(x), custom_call_target="FirstOfMemory"
  b = f32[] custom-call(x), custom_call_target="FirstOfMemory", operand_layout_constraints={f32[2,2]{0,1}}
  ROOT r = (f32[], f32[]) tuple(a, b)
})";
  EXPECT_THAT(RunDevices(kText, Devices(1)),
              ElementsAre("( f32[] 2, f32[] 3 )"));
}

TEST(CustomCallTest, NoConstraintsOfNoOperandsConstrainTheResult) {
  constexpr absl::string_view kText = R"(HloModule m
ENTRY e {
  a = f32[2,2]{0,1} custom-call(), custom_call_target="OneToFour"
  b = f32[2,2]{0,1} custom-call(), custom_call_target="OneToFour", operand_layout_constraints={}
  ROOT r = (f32[2,2], f32[2,2]) tuple(a, b)
})";
  EXPECT_THAT(RunDevices(kText, Devices(1)),
              ElementsAre("( f32[2,2] { { 1, 2 }, { 3, 4 } }, f32[2,2] { { 1, "
                          "3 }, { 2, 4 } } )"));
}

TEST(CustomCallTest, TypedFfiNeedsACompiledProgram) {
  EXPECT_THAT(RunDevices(R"(HloModule m
ENTRY e {
  ROOT r = s32[] custom-call(), custom_call_target="Fails", api_version=API_VERSION_TYPED_FFI
})",
                         Devices(1)),
              ElementsAre(HasSubstr("run in compiled executables")));
}

TEST(CustomCallTest, RuntimeLibrariesAreOutOfReach) {
  EXPECT_EQ(FindCustomCallTarget("abort").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(FindCustomCallTarget("").status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace xla
