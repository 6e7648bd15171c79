// Uses every name of xla/pjrt/pjrt_executable.h.
#include "xla/pjrt/pjrt_executable.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/pjrt/plugin/xla_cpu/xla_cpu_pjrt_client.h"
#include "xla/service/hlo_cost_analysis.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(PjrtExecutableNamesTest, CompileOptionsAsProto) {
  CompileOptions options;
  EXPECT_FALSE(options.argument_layouts.has_value());
  options.argument_layouts = {
      ShapeUtil::MakeShapeWithDenseLayout(F32, {2, 2}, {0, 1})};
  options.parameter_is_tupled_arguments = true;
  options.executable_build_options.set_num_replicas(2);
  options.compile_portable_executable = true;
  options.profile_version = 3;
  options.allow_in_place_mlir_modification = true;
  options.matrix_unit_operand_precision = PrecisionConfig::HIGHEST;
  options.compiler_variant = "variant";
  const CompileOptions::EnvironmentOptionOverrides overrides = {
      {"xla_dump_to", std::string("/nowhere")}};
  options.env_option_overrides = overrides;
  const CompileOptionsProto proto = options.ToProto().value();
  const CompileOptions again = CompileOptions::FromProto(proto).value();
  EXPECT_THAT((*again.argument_layouts)[0].layout().minor_to_major(),
              ElementsAre(0, 1));
  EXPECT_TRUE(again.parameter_is_tupled_arguments);
  EXPECT_EQ(again.executable_build_options.num_replicas(), 2);
  EXPECT_TRUE(again.compile_portable_executable);
  EXPECT_EQ(again.profile_version, 3);
  EXPECT_TRUE(again.allow_in_place_mlir_modification);
  EXPECT_EQ(again.matrix_unit_operand_precision, PrecisionConfig::HIGHEST);
  EXPECT_EQ(again.compiler_variant, "variant");
  EXPECT_EQ(again.env_option_overrides, overrides);
  EXPECT_EQ(CompileOptions::LoadEnvOptionOverrides(proto.env_option_overrides())
                .value(),
            overrides);
}

TEST(PjrtExecutableNamesTest, OptionOverrides) {
  CompileOptions options;
  const CompileOptions::OptionOverride directory = std::string("/nowhere");
  ASSERT_TRUE(options.ApplyOption("xla_dump_to", directory).ok());
  EXPECT_EQ(options.executable_build_options.debug_options().xla_dump_to(),
            "/nowhere");
  EXPECT_THAT(options.ApplyOption("no_such_option", true).message(),
              HasSubstr("No such compile option: 'no_such_option'"));
  const auto* field =
      DebugOptions::descriptor()->FindFieldByName("xla_dump_to");
  ASSERT_TRUE(options.ApplyOptionFromString(field, "/there").ok());
  EXPECT_EQ(options.executable_build_options.debug_options().xla_dump_to(),
            "/there");
  EXPECT_FALSE(options.ApplyOptionFromString(nullptr, "x").ok());
  options.env_option_overrides = {{"xla_dump_to", std::string("/last")}};
  ASSERT_TRUE(options.ApplyAllOptionOverrides().ok());
  const DebugOptions& debug = options.executable_build_options.debug_options();
  EXPECT_EQ(debug.xla_dump_to(), "/last");
  // The last one counts; parts between commas may be empty.
  options.env_option_overrides = {
      {"xla_disable_hlo_passes", std::string("one, two")},
      {"xla_disable_hlo_passes", std::string(",,second, , third,")}};
  ASSERT_TRUE(options.ApplyAllOptionOverrides().ok());
  EXPECT_THAT(debug.xla_disable_hlo_passes(),
              ElementsAre("", "", "second", " ", " third", ""));
  ASSERT_TRUE(
      options.ApplyOption("xla_disable_hlo_passes", std::string()).ok());
  EXPECT_THAT(debug.xla_disable_hlo_passes(), ElementsAre());
}

TEST(PjrtExecutableNamesTest, ExecuteOptions) {
  ExecuteContext context;
  int number = 3;
  ASSERT_TRUE(context.ffi_context().Insert(&number).ok());
  const ExecuteContext& same = context;
  EXPECT_EQ(*same.ffi_context().Lookup<int>(), &number);
  ExecuteOptions options;
  EXPECT_TRUE(options.strict_shape_checking);
  EXPECT_EQ(options.execution_mode, ExecuteOptions::ExecutionMode::kDefault);
  options.launch_id = 1;
  options.context = &context;
  options.execution_mode = ExecuteOptions::ExecutionMode::kSynchronous;
  options.use_major_to_minor_data_layout_for_callbacks = true;
  options.non_donatable_input_indices = {0};
  options.call_location = "here";
  const std::vector<std::vector<SendCallback>> sends(1);
  const std::vector<std::vector<RecvCallback>> receives(1);
  options.send_callbacks = sends;
  options.recv_callbacks = receives;
  const LoadOptions load;

  CpuClientOptions client_options;
  client_options.cpu_device_count = 1;
  const auto client = GetXlaPjrtCpuClient(client_options).value();
  XlaBuilder b("seven");
  names_testing::Scalar(&b, 7);
  const auto loaded =
      client
          ->Load(client->Compile(b.Build().value(), CompileOptions()).value(),
                 load)
          .value();
  const std::vector<std::vector<PjRtBuffer*>> no_arguments(1);
  for (auto mode : {ExecuteOptions::ExecutionMode::kSynchronous,
                    ExecuteOptions::ExecutionMode::kAsynchronous}) {
    options.execution_mode = mode;
    ExecutionProfile profile;
    options.execution_profile = &profile;
    EXPECT_EQ(loaded->Execute(no_arguments, options)
                  .value()[0][0]
                  ->ToLiteralSync()
                  .value()
                  ->Get<float>({}),
              7);
    EXPECT_GT(profile.compute_time_ns(), 0);
  }
}

// A program sends to its host, and receives what the host computes.
TEST(PjrtExecutableNamesTest, HostCallbacks) {
  CpuClientOptions client_options;
  client_options.cpu_device_count = 1;
  const auto client = GetXlaPjrtCpuClient(client_options).value();
  const Shape shape = ShapeUtil::MakeShapeWithDenseLayout(F32, {2}, {0});
  ChannelHandle to_host, from_host;
  to_host.set_handle(1);
  to_host.set_type(ChannelHandle::DEVICE_TO_HOST);
  from_host.set_handle(2);
  from_host.set_type(ChannelHandle::HOST_TO_DEVICE);
  XlaBuilder b("callbacks");
  XlaOp sent = SendToHost(names_testing::Floats(&b, {1, 2}), CreateToken(&b),
                          shape, to_host);
  Neg(GetTupleElement(RecvFromHost(sent, shape, from_host), 0));
  CompileOptions compile;
  const auto loaded =
      client->CompileAndLoad(b.Build().value(), compile).value();
  float seen[2] = {};
  const SendCallback send = {
      .channel_id = 1,
      .callback = [&](const PjRtTransferMetadata& metadata, PjRtChunk chunk,
                      size_t total_size_in_bytes, bool done) {
        EXPECT_EQ(metadata.device_shape.dimensions(0), 2);
        std::memcpy(seen, chunk.data(), total_size_in_bytes);
        return absl::OkStatus();
      }};
  const RecvCallback receive = {
      .channel_id = 2,
      .callback = [&](const PjRtTransferMetadata& metadata,
                      std::unique_ptr<CopyToDeviceStream> stream) {
        PjRtChunk chunk = PjRtChunk::AllocateDefault(stream->total_bytes());
        const float values[] = {5, 6};
        std::memcpy(chunk.data(), values, sizeof(values));
        stream->AddChunk(std::move(chunk)).Await().IgnoreError();
      }};
  const std::vector<std::vector<SendCallback>> sends = {{send}};
  const std::vector<std::vector<RecvCallback>> receives = {{receive}};
  ExecuteOptions options;
  options.send_callbacks = sends;
  options.recv_callbacks = receives;
  const std::vector<std::vector<PjRtBuffer*>> no_arguments(1);
  const auto results = loaded->Execute(no_arguments, options).value();
  EXPECT_EQ(
      results[0][0]->ToLiteralSync().value()->ToStringWithoutShapeOneline(),
      "{-5, -6}");
  EXPECT_EQ(seen[1], 2);
}

TEST(PjrtExecutableNamesTest, Executables) {
  CpuClientOptions client_options;
  client_options.cpu_device_count = 1;
  const auto client = GetXlaPjrtCpuClient(client_options).value();
  XlaBuilder b("product");
  const Shape matrix = ShapeUtil::MakeShape(F32, {4, 4});
  XlaOp x = Parameter(&b, 0, matrix, "x");
  Dot(x, x);
  const std::unique_ptr<PjRtExecutable> executable =
      client->Compile(b.Build().value(), CompileOptions()).value();
  EXPECT_EQ(executable->num_replicas(), 1);
  EXPECT_EQ(executable->num_partitions(), 1);
  EXPECT_GE(executable->SizeOfGeneratedCodeInBytes(), 0);
  EXPECT_THAT(executable->name(), HasSubstr("product"));
  EXPECT_EQ(executable->GetHloModules().value().size(), 1);
  EXPECT_EQ(ShapeUtil::HumanString(executable->GetOutputShapes().value()[0]),
            "f32[4,4]");
  EXPECT_THAT(executable->GetOutputElementTypes().value(),
              ElementsAre(ElementsAre(F32)));
  EXPECT_THAT(executable->GetOutputDimensions().value()[0],
              ElementsAre(ElementsAre(4, 4)));
  EXPECT_EQ(executable->GetParameterLayouts().value().size(), 1);
  EXPECT_EQ(executable->GetOutputLayouts().value().size(), 1);
  EXPECT_THAT(executable->GetOutputMemoryKinds().value(),
              ElementsAre(ElementsAre("device")));
  EXPECT_EQ(executable->GetParameterShardings(), std::nullopt);
  EXPECT_EQ(executable->GetOutputShardings(), std::nullopt);
  EXPECT_TRUE(executable->GetCompileOptions().ok());
  EXPECT_EQ(executable->GetCompiledMemoryStats().value().output_size_in_bytes,
            64);
  EXPECT_FALSE(executable->FingerprintExecutable().value().empty());
  EXPECT_FALSE(executable->SerializeExecutable().value().empty());
  EXPECT_EQ(std::get<float>(executable->GetCostAnalysis().value().at("flops")),
            128);
  const auto analysis = client->GetHloCostAnalysis().value();
  EXPECT_EQ(std::get<float>(PjRtExecutableUtil::RunHloCostAnalysis(
                                *executable, analysis.get())
                                .value()
                                .at("flops")),
            128);
  EXPECT_TRUE(absl::IsNotFound(
      PjRtExecutableUtil::RunHloCostAnalysis(
          std::vector<std::shared_ptr<HloModule>>(), analysis.get())
          .status()));
}

TEST(PjrtExecutableNamesTest, MemoryStats) {
  CompiledMemoryStats stats;
  EXPECT_EQ(
      stats.generated_code_size_in_bytes + stats.argument_size_in_bytes +
          stats.output_size_in_bytes + stats.peak_memory_in_bytes +
          stats.alias_size_in_bytes + stats.temp_size_in_bytes +
          stats.total_size_in_bytes + stats.host_generated_code_size_in_bytes +
          stats.host_argument_size_in_bytes + stats.host_output_size_in_bytes +
          stats.host_alias_size_in_bytes + stats.host_temp_size_in_bytes,
      0);
  EXPECT_EQ(stats.serialized_buffer_assignment, "");
  stats.temp_size_in_bytes = 77;
  EXPECT_THAT(stats.DebugString(), HasSubstr("77"));
}

}  // namespace
}  // namespace xla
