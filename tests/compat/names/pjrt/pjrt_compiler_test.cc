// Uses every name of xla/pjrt/pjrt_compiler.h.
#include "xla/pjrt/pjrt_compiler.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/pjrt/plugin/xla_cpu/xla_cpu_pjrt_client.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

std::unique_ptr<PjRtClient> ClientOf(int devices) {
  CpuClientOptions options;
  options.cpu_device_count = devices;
  return GetXlaPjrtCpuClient(options).value();
}

XlaComputation SevenProgram() {
  XlaBuilder b("seven");
  names_testing::Scalar(&b, 7);
  return b.Build().value();
}

TEST(PjrtCompilerNamesTest, Platforms) {
  EXPECT_STREQ(CpuName(), "cpu");
  EXPECT_STREQ(CudaName(), "cuda");
  EXPECT_STREQ(RocmName(), "rocm");
  EXPECT_STREQ(SyclName(), "sycl");
  EXPECT_STREQ(TpuName(), "tpu");
  EXPECT_TRUE(IsCpuId(CpuId()));
  EXPECT_FALSE(IsCpuId(CudaId()));
  EXPECT_TRUE(IsGpuId(CudaId()) && IsGpuId(RocmId()));
  EXPECT_FALSE(IsGpuId(CpuId()));
  EXPECT_TRUE(IsTpuId(TpuId()));
  EXPECT_NE(SyclId(), CudaId());
}

TEST(PjrtCompilerNamesTest, Topology) {
  const std::unique_ptr<PjRtClient> client = ClientOf(3);
  const PjRtTopologyDescription& topology =
      *client->GetTopologyDescription().value();
  EXPECT_EQ(topology.platform_id(), client->platform_id());
  EXPECT_EQ(topology.platform_name(), client->platform_name());
  EXPECT_FALSE(topology.platform_version().empty());
  EXPECT_EQ(topology.compiler(), std::nullopt);
  const std::vector<std::unique_ptr<const PjRtDeviceDescription>> devices =
      topology.DeviceDescriptions();
  ASSERT_EQ(devices.size(), 3);
  EXPECT_EQ(devices[2]->id(), 2);
  EXPECT_FALSE(topology.is_subslice_topology());
  EXPECT_EQ(topology.ProcessCount().value(), 1);
  EXPECT_EQ(topology.ChipsPerProcess().value(), 3);
  EXPECT_EQ(topology.ChipCount().value(), 3);
  EXPECT_EQ(topology.CoreCountOfDefaultType().value(), 3);
  EXPECT_EQ(topology.CoreCountOfDefaultTypePerProcess().value(), 3);
  EXPECT_EQ(topology.CoreCountOfDefaultTypePerChip().value(), 1);
  EXPECT_EQ(topology.LogicalDeviceCountOfDefaultType().value(), 3);
  EXPECT_EQ(topology.LogicalDeviceCountOfDefaultTypePerProcess().value(), 3);
  EXPECT_EQ(topology.LogicalDeviceCountOfDefaultTypePerChip().value(), 1);
  EXPECT_THAT(topology.ProcessIds().value(), ElementsAre(PjRtProcessId(0)));
  EXPECT_THAT(
      topology.LogicalDeviceOfDefaultTypeIdsOnProcess(PjRtProcessId(0)).value(),
      ElementsAre(PjRtGlobalDeviceId(0), PjRtGlobalDeviceId(1),
                  PjRtGlobalDeviceId(2)));
  EXPECT_FALSE(
      topology.LogicalDeviceOfDefaultTypeIdsOnProcess(PjRtProcessId(1)).ok());
  EXPECT_EQ(
      topology.ProcessIdAndIndexOnProcessForChip(PjRtGlobalChipId(2)).value(),
      std::make_pair(PjRtProcessId(0), 2));
  EXPECT_FALSE(topology
                   .ProcessIdAndIndexOnProcessForLogicalDeviceOfDefaultType(
                       PjRtGlobalDeviceId(3))
                   .ok());
  EXPECT_TRUE(topology.Attributes().empty());
  EXPECT_THAT(topology.GetDefaultLayout(F32, {2, 3}).value().minor_to_major(),
              ElementsAre(1, 0));
  PjRtCompiler* compiler =
      GetDefaultPjRtCompiler(client->platform_name()).value();
  EXPECT_EQ(
      compiler->DeserializePjRtTopologyDescription(topology.Serialize().value())
          .value()
          ->ChipCount()
          .value(),
      3);
}

TEST(PjrtCompilerNamesTest, CompilesForTopologies) {
  const std::unique_ptr<PjRtClient> client = ClientOf(1);
  const PjRtTopologyDescription& topology =
      *client->GetTopologyDescription().value();
  for (PjRtClient* with : {client.get(), static_cast<PjRtClient*>(nullptr)}) {
    const std::unique_ptr<PjRtExecutable> executable =
        PjRtCompile(CompileOptions(), SevenProgram(), topology, with).value();
    const std::string bytes = executable->SerializeExecutable().value();
    const std::unique_ptr<PjRtLoadedExecutable> loaded =
        client->LoadSerializedExecutable(bytes, std::nullopt, LoadOptions())
            .value();
    const std::vector<std::vector<PjRtBuffer*>> no_arguments(1);
    const auto results =
        loaded->Execute(no_arguments, ExecuteOptions()).value();
    EXPECT_EQ(results[0][0]->ToLiteralSync().value()->Get<float>({}), 7);
  }
  EXPECT_FALSE(PjRtCompile(CompileOptions(), XlaComputation(), topology).ok());
}

// Says what it was asked.
class RefusingCompiler : public PjRtCompiler {
 public:
  explicit RefusingCompiler(std::string name) : name_(std::move(name)) {}
  absl::StatusOr<std::unique_ptr<PjRtExecutable>> Compile(
      CompileOptions options, const XlaComputation& computation,
      const PjRtTopologyDescription& topology, PjRtClient* client) override {
    return absl::UnavailableError(name_);
  }
  absl::StatusOr<std::unique_ptr<PjRtExecutable>> Compile(
      CompileOptions options, std::unique_ptr<HloModule> module,
      const PjRtTopologyDescription& topology, PjRtClient* client) override {
    return absl::UnavailableError(name_);
  }

 private:
  const std::string name_;
};

TEST(PjrtCompilerNamesTest, Registration) {
  EXPECT_FALSE(GetDefaultPjRtCompiler("moon").ok());
  PjRtRegisterDefaultCompiler("moon",
                              std::make_unique<RefusingCompiler>("plain"));
  PjRtCompiler* plain = GetDefaultPjRtCompiler("moon").value();
  const auto some = PjRtTopologyDescription::Create("moon", 1).value();
  EXPECT_FALSE(
      plain->Compile(CompileOptions(), SevenProgram(), *some, nullptr).ok());
  PjRtRegisterCompiler("moon", "full",
                       std::make_unique<RefusingCompiler>("of full moon"));
  EXPECT_NE(GetDefaultPjRtCompiler("moon").value(),
            GetPjRtCompiler("moon", "full").value());
  EXPECT_FALSE(GetPjRtCompiler("moon", "new").ok());
  const auto topology = PjRtTopologyDescription::Create("moon", 1).value();
  EXPECT_EQ(PjRtCompile(CompileOptions(), SevenProgram(), *topology)
                .status()
                .message(),
            "plain");
  CompileOptions options;
  options.compiler_variant = "full";
  EXPECT_EQ(PjRtCompile(options, SevenProgram(), *topology).status().message(),
            "of full moon");
}

}  // namespace
}  // namespace xla
