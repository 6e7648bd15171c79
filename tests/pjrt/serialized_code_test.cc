// Native code in serialized executables: loaded without compiling, rejected if
// it does not fit.
#include "tests/pjrt/pjrt_fixture.h"
#include "tests/pjrt/whole_programs.h"
#include "xla/backends/cpu/native_code.h"
#include "xla/client/executable_serialization.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr LoadOptions kCodeOnly = {.may_compile = false};

constexpr char kLoop[] = R"(
HloModule loop
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
body {
  p = (s32[], f32[3]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[3] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[3] add(x, x)
  ROOT t = (s32[], f32[3]) tuple(j, y)
}
condition {
  p = (s32[], f32[3]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(4)
  ROOT less = pred[] compare(i, n), direction=LT
}
ENTRY e {
  x = f32[3] parameter(0)
  zero = s32[] constant(0)
  start = (s32[], f32[3]) tuple(zero, x)
  loop = (s32[], f32[3]) while(start), condition=condition, body=body
  y = f32[3] get-tuple-element(loop), index=1
  fzero = f32[] constant(0)
  s = f32[] reduce(y, fzero), dimensions={0}, to_apply=sum
  splat = f32[3] broadcast(s), dimensions={}
  ROOT r = f32[3] add(y, splat)
})";

bool RanPasses(const PjRtExecutable& executable) {
  for (const auto& phase : executable.executable().compile_report()->phases) {
    if (phase.name == "passes") return true;
  }
  return false;
}

class SerializedCodeTest : public PjrtTest {
 protected:
  // The bytes of kLoop with `change` made to its code.
  template <typename F>
  std::string Changed(const F& change) {
    const std::string bytes = Compile(kLoop)->SerializeExecutable().value();
    const PackedExecutable packed = UnpackExecutable(bytes).value();
    cpu::NativeCode code = cpu::UnpackNativeCode(packed.code).value();
    change(code);
    return PackExecutable(packed.payload, cpu::PackNativeCode(code));
  }
  // Without permission to compile, the code is rejected with the message;
  // otherwise the program is compiled.
  void ExpectCompiledAgain(const std::string& bytes, const char* message,
                           std::optional<CompileOptions> options = {}) {
    const absl::Status refusal =
        client_->DeserializeExecutable(bytes, options, kCodeOnly).status();
    EXPECT_EQ(refusal.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(refusal.message()), HasSubstr(message));
    auto again = client_->LoadSerializedExecutable(bytes, options);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_TRUE(RanPasses(*(*again)->GetExecutable()));
    ExpectRuns(**again);
  }
  void ExpectRuns(const PjRtLoadedExecutable& executable) {
    auto x = Vector({1, 2, 3});
    auto results = Run(executable, {x.get()});
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_THAT(Floats(*(*results)[0]), ElementsAre(112, 128, 144));
  }
};

TEST_F(SerializedCodeTest, LoadsWithoutCompiling) {
  auto first = Compile(kLoop);
  EXPECT_TRUE(RanPasses(*first->GetExecutable()));
  const std::string bytes = first->SerializeExecutable().value();
  auto again =
      client_->LoadSerializedExecutable(bytes, std::nullopt, kCodeOnly);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_FALSE(RanPasses(*(*again)->GetExecutable()));
  ExpectRuns(**again);
  EXPECT_EQ((*again)->SerializeExecutable().value(), bytes);
  EXPECT_EQ((*again)->FingerprintExecutable().value(),
            first->FingerprintExecutable().value());
  EXPECT_EQ((*again)->GetExecutable()->GetHloText(),
            first->GetExecutable()->GetHloText());
}

TEST_F(SerializedCodeTest, WholeProgramsComeBackAsTheyWere) {
  for (const WholeProgram& program : WholePrograms()) {
    const std::string bytes =
        Compile(program.text)->SerializeExecutable().value();
    auto again =
        client_->LoadSerializedExecutable(bytes, std::nullopt, kCodeOnly);
    ASSERT_TRUE(again.ok()) << program.name << ": " << again.status();
    EXPECT_TRUE((*again)->SerializeExecutable().value() == bytes)
        << program.name;
  }
}

TEST_F(SerializedCodeTest, ForSeveralDevices) {
  client_ = MakeClient(2);
  const std::string bytes =
      Compile(kLoop, OptionsFor(2, 1))->SerializeExecutable().value();
  auto again =
      client_->LoadSerializedExecutable(bytes, std::nullopt, kCodeOnly);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((*again)->GetExecutable()->num_replicas(), 2);
}

TEST_F(SerializedCodeTest, OfAnotherProcessorOrBuild) {
  ExpectCompiledAgain(Changed([](cpu::NativeCode& code) {
                        code.objects.fingerprint += ",quaternions";
                      }),
                      "quaternions");
  ExpectCompiledAgain(
      Changed([](cpu::NativeCode& code) { code.build = "0.0.1 12"; }),
      "another build of the compiler, 0.0.1 12");
  ExpectCompiledAgain(Changed([](cpu::NativeCode& code) { ++code.plan_hash; }),
                      "other thunks");
}

TEST_F(SerializedCodeTest, OtherOptions) {
  const std::string bytes = Compile(kLoop)->SerializeExecutable().value();
  CompileOptions options;
  options.executable_build_options.set_device_ordinal(0);
  auto again = client_->LoadSerializedExecutable(bytes, options, kCodeOnly);
  EXPECT_TRUE(again.ok()) << again.status();
  options.env_option_overrides = {{"xla_cpu_enable_fast_math", true}};
  ExpectCompiledAgain(bytes, "other options", options);
}

// The fingerprint is that of the level, and loading computes the same plan.
TEST_F(SerializedCodeTest, AtALevelOfInstructionSets) {
  const std::string lowest(CpuIsaName(CpuIsasOfHost().front()));
  CompileOptions options;
  options.executable_build_options.mutable_debug_options()->set_xla_cpu_max_isa(
      lowest);
  const std::string bytes =
      Compile(kLoop, options)->SerializeExecutable().value();
  const PackedExecutable packed = UnpackExecutable(bytes).value();
  const cpu::NativeCode code = cpu::UnpackNativeCode(packed.code).value();
  const auto limited =
      cpu::LimitIsa(cpu::ProcessorTarget(), CpuIsasOfHost().front());
  ASSERT_TRUE(limited.ok()) << limited.status();
  EXPECT_EQ(code.objects.fingerprint, cpu::TargetFingerprint(*limited));
  auto again =
      client_->LoadSerializedExecutable(bytes, std::nullopt, kCodeOnly);
  ASSERT_TRUE(again.ok()) << again.status();
  ExpectRuns(**again);
  options.executable_build_options.mutable_debug_options()->set_xla_cpu_max_isa(
      "AVX1024");
  const absl::Status refusal = TryCompile(kLoop, options).status();
  EXPECT_EQ(refusal.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refusal.message()),
              HasSubstr("\"AVX1024\" is no instruction set"));
}

TEST_F(SerializedCodeTest, WithoutCode) {
  const std::string bytes = Compile(kLoop)->SerializeExecutable().value();
  const PackedExecutable packed = UnpackExecutable(bytes).value();
  ExpectCompiledAgain(PackExecutable(packed.payload, ""), "no native code");
}

// The checksums are right, but the contents are not.
TEST_F(SerializedCodeTest, RefusesMalformedCode) {
  const auto refuses = [&](const std::string& bytes, const char* message) {
    const absl::Status status = client_->DeserializeExecutable(bytes).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
  };
  const std::string bytes = Compile(kLoop)->SerializeExecutable().value();
  const PackedExecutable packed = UnpackExecutable(bytes).value();
  for (size_t size = 1; size < packed.code.size(); size += 97) {
    refuses(PackExecutable(packed.payload, packed.code.substr(0, size)),
            "native code: the bytes");
  }
  refuses(Changed([](cpu::NativeCode& code) { code.module = "x"; }),
          "not an HloModuleProto");
  refuses(Changed([](cpu::NativeCode& code) {
            for (std::string& object : code.objects.objects) {
              object.resize(object.size() / 2);
            }
          }),
          "");
  refuses(
      Changed([](cpu::NativeCode& code) { code.objects.fingerprint = "any"; }),
      "does not name a processor");
  refuses(Changed([](cpu::NativeCode& code) { code.num_partitions = -1; }), "");
}

TEST_F(SerializedCodeTest, EveryDamagedByteIsFound) {
  const std::string bytes = Compile(kLoop)->SerializeExecutable().value();
  for (size_t at = 0; at < bytes.size(); at += 61) {
    std::string damaged = bytes;
    damaged[at] ^= 0x10;
    EXPECT_FALSE(UnpackExecutable(damaged).ok()) << at;
  }
}

}  // namespace
}  // namespace xla
