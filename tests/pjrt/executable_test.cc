// Properties of executables, their serialization, and compile options.
#include "tests/pjrt/pjrt_fixture.h"
#include "xla/client/executable_serialization.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ExecutableTest : public PjrtTest {};

constexpr char kTwoResults[] = R"(
HloModule two, entry_computation_layout={(f32[2,3]{0,1}, s32[])->(f32[2,3]{1,0}, s32[])}
ENTRY e {
  x = f32[2,3] parameter(0)
  y = s32[] parameter(1)
  e = f32[2,3] exponential(x)
  z = s32[] add(y, y)
  ROOT t = (f32[2,3], s32[]) tuple(e, z)
})";

TEST_F(ExecutableTest, SaysWhatItIs) {
  auto loaded = Compile(kTwoResults);
  const PjRtExecutable& executable = *loaded->GetExecutable();
  EXPECT_EQ(executable.name(), "two");
  EXPECT_EQ(executable.num_outputs(), 2);
  EXPECT_THAT(executable.GetOutputElementTypes().value()[0],
              ElementsAre(F32, S32));
  EXPECT_THAT(executable.GetOutputDimensions().value()[0][0],
              ElementsAre(2, 3));
  EXPECT_THAT(executable.GetOutputMemoryKinds().value()[0],
              ElementsAre("device", "device"));
  EXPECT_EQ(executable.GetParameterLayouts().value()[0]->Serialize(), "{0,1}");
  EXPECT_EQ(executable.GetOutputLayouts().value()[0]->Serialize(), "{1,0}");
  EXPECT_FALSE(executable.GetParameterShardings().has_value());
  EXPECT_THAT(executable.GetHloText(), HasSubstr("exponential"));
  EXPECT_EQ(executable.GetHloModules().value()[0]->name(), "two");
  EXPECT_EQ(loaded->addressable_devices()[0], client_->devices()[0]);
  const CompiledMemoryStats memory =
      executable.GetCompiledMemoryStats().value();
  EXPECT_EQ(memory.argument_size_in_bytes, 28);
  EXPECT_EQ(memory.output_size_in_bytes, 28);
  auto costs = executable.GetCostAnalysis().value();
  EXPECT_EQ(std::get<float>(costs["flops"]), 1);
  EXPECT_EQ(std::get<float>(costs["transcendentals"]), 6);
  EXPECT_EQ(std::get<float>(costs["bytes accessed"]), 24 + 24 + 12);
}

TEST_F(ExecutableTest, LayoutsOfParametersHold) {
  auto loaded = Compile(kTwoResults);
  const float values[] = {0, 1, 2, 3, 4, 5};
  const int32_t number = 4;
  const auto buffer = [&](const void* data, PrimitiveType type,
                          std::vector<int64_t> dims, const Layout* layout) {
    return client_
        ->BufferFromHostBuffer(data, type, dims, std::nullopt,
                               Semantics::kImmutableOnlyDuringCall, nullptr,
                               Space(), layout)
        .value();
  };
  const Layout columns = LayoutUtil::MakeLayout({0, 1});
  auto x = buffer(values, F32, {2, 3}, &columns);
  auto rows = buffer(values, F32, {2, 3}, nullptr);
  auto y = buffer(&number, S32, {}, nullptr);
  auto results = Run(*loaded, {x.get(), y.get()}).value();
  EXPECT_FLOAT_EQ(results[0]->ToLiteralSync().value()->Get<float>({1, 0}),
                  std::exp(3.0f));
  EXPECT_THAT(Run(*loaded, {rows.get(), y.get()}).status().message(),
              HasSubstr("{1,0}"));
}

constexpr char kTiled[] = R"(
HloModule tiled, entry_computation_layout={(f32[3,3]{1,0:T(2,2)})->f32[3,3]{0,1:T(2,2)}}
ENTRY e {
  x = f32[3,3] parameter(0)
  ROOT n = f32[3,3] negate(x)
})";

// Buffers have the bytes that the tiled layout document defines; literals and
// the host see no tiles.
TEST_F(ExecutableTest, TiledLayoutsHold) {
  auto loaded = Compile(kTiled);
  EXPECT_EQ(loaded->GetParameterLayouts().value()[0]->Serialize(),
            "{1,0:T(2,2)}");
  const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const Layout tiled = loaded->GetParameterLayouts().value()[0]->xla_layout();
  auto x = client_
               ->BufferFromHostBuffer(values.data(), F32, {3, 3}, std::nullopt,
                                      Semantics::kImmutableOnlyDuringCall,
                                      nullptr, Space(), &tiled)
               .value();
  ASSERT_EQ(x->GetOnDeviceSizeInBytes().value(), 16 * sizeof(float));
  std::vector<float> raw(16, -1);
  const auto read = [&](PjRtBuffer& buffer) {
    ASSERT_TRUE(
        buffer.CopyRawToHost(raw.data(), 0, 16 * sizeof(float)).Await().ok());
  };
  read(*x);
  EXPECT_THAT(raw, testing::ElementsAre(1, 2, 4, 5, 3, 0, 6, 0, 7, 8, 0, 0, 9,
                                        0, 0, 0));
  auto results = Run(*loaded, {x.get()}).value();
  EXPECT_EQ(results[0]->layout()->Serialize(), "{0,1:T(2,2)}");
  read(*results[0]);
  EXPECT_THAT(raw, testing::ElementsAre(-1, -4, -2, -5, -7, 0, -8, 0, -3, -6, 0,
                                        0, -9, 0, 0, 0));
  EXPECT_THAT(Floats(*results[0])[1], -4);  // literals keep the order, {0,1}
  std::vector<float> host(9);
  const Layout rows = LayoutUtil::MakeLayout({1, 0});
  ASSERT_TRUE(results[0]
                  ->ToHostMemory(host.data(), 9 * sizeof(float), &rows)
                  .Await()
                  .ok());
  EXPECT_THAT(host, testing::ElementsAre(-1, -2, -3, -4, -5, -6, -7, -8, -9));
  // The same with native code from a file.
  auto again =
      client_->LoadSerializedExecutable(loaded->SerializeExecutable().value());
  ASSERT_TRUE(again.ok()) << again.status();
  read(*Run(**again, {x.get()}).value()[0]);
  EXPECT_EQ(raw[9], -6);
  // A dense buffer does not have this layout.
  auto dense =
      client_
          ->BufferFromHostBuffer(values.data(), F32, {3, 3}, std::nullopt,
                                 Semantics::kImmutableOnlyDuringCall, nullptr,
                                 Space(), nullptr)
          .value();
  EXPECT_THAT(Run(*loaded, {dense.get()}).status().message(),
              HasSubstr("{1,0:T(2,2)}"));
}

TEST_F(ExecutableTest, SerializesAndLoads) {
  auto loaded = Compile(kTwoResults);
  const std::string bytes = loaded->SerializeExecutable().value();
  auto again = client_->LoadSerializedExecutable(bytes);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((*again)->FingerprintExecutable().value(),
            loaded->FingerprintExecutable().value());
  EXPECT_EQ((*again)->GetParameterLayouts().value()[0]->Serialize(), "{0,1}");
  EXPECT_EQ((*again)->SerializeExecutable().value(), bytes);
  EXPECT_NE(Compile(kNegateProgram)->FingerprintExecutable().value(),
            loaded->FingerprintExecutable().value());
}

TEST_F(ExecutableTest, RefusesBrokenBytes) {
  const std::string bytes =
      Compile(kNegateProgram)->SerializeExecutable().value();
  const auto message = [&](const std::string& broken) {
    const absl::Status status = client_->DeserializeExecutable(broken).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    return std::string(status.message());
  };
  EXPECT_THAT(message(""), HasSubstr("not written by Tessera"));
  EXPECT_THAT(message("something else"), HasSubstr("not written by Tessera"));
  for (size_t size : {9, 14, 18, 30, 40}) {
    EXPECT_THAT(message(bytes.substr(0, size)), HasSubstr("cut off"));
  }
  EXPECT_THAT(message(bytes.substr(0, bytes.size() - 1)), HasSubstr("cut off"));
  EXPECT_THAT(message(bytes + "x"), HasSubstr("too many"));
  std::string damaged = bytes;
  damaged[damaged.size() / 2 + 20] ^= 1;
  EXPECT_THAT(message(damaged), HasSubstr("damaged"));
  std::string other = bytes;
  for (const char format : {2, 9}) {  // an old one, and one to come
    other[8] = format;
    EXPECT_THAT(message(other), HasSubstr("format"));
  }
  other = bytes;
  other[16] = '7';  // the first digit of the version
  EXPECT_THAT(message(other), HasSubstr("another version"));
}

TEST_F(ExecutableTest, CompileOptionsSurviveTheirMessage) {
  CompileOptionsProto proto;
  auto& build = *proto.mutable_executable_build_options();
  build.set_device_ordinal(-1);
  build.set_num_replicas(1);
  build.set_num_partitions(1);
  build.set_memory_fitting_effort(0.5);
  build.set_optimization_level(ExecutionOptions::EFFORT_O1);
  build.set_process_count(1);
  auto& overrides = *proto.mutable_env_option_overrides();
  overrides["xla_cpu_enable_fast_math"].set_bool_field(true);
  overrides["xla_backend_optimization_level"].set_string_field("2");
  overrides["xla_gpu_something"].set_int_field(3);
  CompileOptions options = CompileOptions::FromProto(proto).value();
  EXPECT_EQ(options.ToProto().value().SerializeAsString().size(),
            proto.SerializeAsString().size());
  EXPECT_TRUE(options.ApplyAllOptionOverrides().ok());
  const DebugOptions& debug = options.executable_build_options.debug_options();
  EXPECT_TRUE(debug.xla_cpu_enable_fast_math());
  EXPECT_EQ(debug.xla_backend_optimization_level(), 2);
  overrides["xla_backend_optimization_level"].set_string_field("much");
  options = CompileOptions::FromProto(proto).value();
  EXPECT_FALSE(options.ApplyAllOptionOverrides().ok());
  build.set_num_replicas(-3);
  EXPECT_FALSE(CompileOptions::FromProto(proto).ok());
}

TEST_F(ExecutableTest, OptionsThatDoNotFit) {
  EXPECT_THAT(TryCompile(kNegateProgram, OptionsFor(2, 1)).status().message(),
              HasSubstr("do not fit on 1 devices"));
  EXPECT_FALSE(TryCompile(kNegateProgram, OptionsFor(1 << 19, 1 << 19)).ok());
  CompileOptions options;
  options.argument_layouts = {ShapeUtil::MakeShape(F32, {5})};
  EXPECT_THAT(TryCompile(kNegateProgram, options).status().message(),
              HasSubstr("argument 0"));
  options.argument_layouts->clear();
  EXPECT_FALSE(TryCompile(kNegateProgram, options).ok());
  options = CompileOptions();
  options.executable_build_options.set_device_ordinal(5);
  EXPECT_FALSE(TryCompile(kNegateProgram, options).ok());
}

TEST_F(ExecutableTest, CompilesComputations) {
  XlaBuilder b("triple");
  const XlaOp x = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {2}), "x");
  Add(Add(x, x), x);
  auto executable =
      client_->CompileAndLoad(b.Build().value(), CompileOptions()).value();
  auto argument = Vector({1, 2});
  EXPECT_THAT(Floats(*Run(*executable, {argument.get()}).value()[0]),
              ElementsAre(3, 6));
  EXPECT_FALSE(client_->CompileAndLoad(XlaComputation(), {}).ok());
}

TEST_F(ExecutableTest, TupledParametersAreLeaves) {
  auto executable = Compile(R"(
HloModule tupled
ENTRY e {
  p = (f32[1], (f32[1], f32[1])) parameter(0)
  x = f32[1] get-tuple-element(p), index=0
  q = (f32[1], f32[1]) get-tuple-element(p), index=1
  y = f32[1] get-tuple-element(q), index=1
  s = f32[1] subtract(x, y)
  ROOT t = (f32[1], (f32[1])) tuple(s, tuple.1)
  tuple.1 = (f32[1]) tuple(y)
})");
  auto a = Vector({5}), b = Vector({6}), c = Vector({2});
  auto results = Run(*executable, {a.get(), b.get(), c.get()}).value();
  ASSERT_EQ(results.size(), 2);
  EXPECT_THAT(Floats(*results[0]), ElementsAre(3));
  EXPECT_THAT(Floats(*results[1]), ElementsAre(2));
}

TEST_F(ExecutableTest, Topology) {
  client_ = MakeClient(3);
  const PjRtTopologyDescription& topology = **client_->GetTopologyDescription();
  EXPECT_EQ(topology.DeviceDescriptions().size(), 3);
  EXPECT_EQ(topology.platform_name(), "tessera");
  const std::string bytes = topology.Serialize().value();
  auto again = PjRtTopologyDescription::Deserialize(bytes).value();
  EXPECT_EQ(again->Fingerprint().value(), topology.Fingerprint().value());
  EXPECT_FALSE(PjRtTopologyDescription::Deserialize("nonsense").ok());
  EXPECT_FALSE(PjRtTopologyDescription::Create("t", 0).ok());
  PjRtClientOptions options;
  options.num_devices = 5000;
  EXPECT_FALSE(GetTesseraClient(std::move(options)).ok());
}

}  // namespace
}  // namespace xla
