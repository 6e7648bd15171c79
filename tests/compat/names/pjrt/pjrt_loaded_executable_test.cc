// Uses the names of executables in xla/pjrt/pjrt_client.h.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/pjrt/plugin/xla_cpu/xla_cpu_pjrt_client.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

class PjrtLoadedExecutableNamesTest : public testing::Test {
 protected:
  static std::unique_ptr<PjRtClient> Make() {
    CpuClientOptions options;
    options.cpu_device_count = 2;
    return GetXlaPjrtCpuClient(options).value();
  }
  // f32[2] -> (f32[2], f32[]).
  static XlaComputation NegateAndCount() {
    XlaBuilder b("negate_and_count");
    XlaOp x = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {2}), "x");
    Tuple(&b, {Neg(x), names_testing::Scalar(&b, 2)});
    return b.Build().value();
  }
  std::unique_ptr<PjRtBuffer> Argument(PjRtDevice* device) {
    return client_
        ->BufferFromHostLiteral(LiteralUtil::CreateR1<float>({1, 2}),
                                device->default_memory_space().value())
        .value();
  }
  using Results = std::vector<std::unique_ptr<PjRtBuffer>>;
  static void ExpectNegated(const Results& results) {
    ASSERT_EQ(results.size(), 2);
    EXPECT_EQ(
        results[0]->ToLiteralSync().value()->ToStringWithoutShapeOneline(),
        "{-1, -2}");
  }

  const std::unique_ptr<PjRtClient> client_ = Make();
};

TEST_F(PjrtLoadedExecutableNamesTest, Properties) {
  const std::unique_ptr<PjRtExecutable> compiled =
      client_->Compile(NegateAndCount(), CompileOptions()).value();
  const std::string bytes = compiled->SerializeExecutable().value();
  EXPECT_EQ(client_->DeserializeExecutable(bytes, std::nullopt)
                .value()
                ->FingerprintExecutable()
                .value(),
            compiled->FingerprintExecutable().value());
  const std::unique_ptr<PjRtLoadedExecutable> loaded =
      client_
          ->Load(
              client_->DeserializeExecutable(bytes, CompileOptions()).value(),
              LoadOptions())
          .value();
  EXPECT_EQ(
      client_->LoadSerializedExecutable(bytes, std::nullopt, LoadOptions())
          .value()
          ->name(),
      loaded->name());
  EXPECT_EQ(loaded->client(), client_.get());
  EXPECT_EQ(loaded->device_assignment()(0, 0), 0);
  PjRtExecutable* executable = loaded->GetExecutable();
  EXPECT_EQ(loaded->name(), executable->name());
  EXPECT_EQ(loaded->num_replicas(), 1);
  EXPECT_EQ(loaded->num_partitions(), 1);
  EXPECT_GE(loaded->SizeOfGeneratedCodeInBytes(), 0);
  EXPECT_EQ(loaded->GetHloModules().value().size(), 1);
  EXPECT_EQ(ShapeUtil::HumanString(loaded->GetOutputShapes().value()[0]),
            "(f32[2], f32[])");
  EXPECT_THAT(loaded->GetOutputElementTypes().value(),
              ElementsAre(ElementsAre(F32, F32)));
  EXPECT_THAT(loaded->GetOutputDimensions().value()[0],
              ElementsAre(ElementsAre(2), ElementsAre()));
  EXPECT_EQ(loaded->GetParameterLayouts().value().size(), 1);
  EXPECT_EQ(loaded->GetOutputLayouts().value().size(), 2);
  EXPECT_THAT(loaded->GetOutputMemoryKinds().value()[0],
              ElementsAre("device", "device"));
  EXPECT_EQ(loaded->GetParameterShardings(), std::nullopt);
  EXPECT_EQ(loaded->GetOutputShardings(), std::nullopt);
  EXPECT_EQ(loaded->GetCompiledMemoryStats().value().argument_size_in_bytes, 8);
  EXPECT_TRUE(loaded->GetCostAnalysis().value().contains("flops"));
  EXPECT_EQ(loaded->GetCompileOptions()
                .value()
                .executable_build_options.num_replicas(),
            1);
  EXPECT_EQ(loaded->FingerprintExecutable().value(),
            executable->FingerprintExecutable().value());
  EXPECT_FALSE(loaded->SerializeExecutable().value().empty());
  ASSERT_EQ(loaded->addressable_devices().size(), 1);
  const PjRtLoadedExecutable::LogicalDeviceIds ids =
      loaded->addressable_device_logical_ids()[0];
  EXPECT_EQ(ids.replica, 0);
  EXPECT_EQ(ids.partition, 0);
}

TEST_F(PjrtLoadedExecutableNamesTest, Runs) {
  const auto loaded =
      client_->CompileAndLoad(NegateAndCount(), CompileOptions()).value();
  PjRtDevice* device = loaded->addressable_devices()[0];
  const auto x = Argument(device);
  PjRtBuffer* const arguments[] = {x.get()};
  const std::vector<std::vector<PjRtBuffer*>> by_device = {{x.get()}};
  const ExecuteOptions options;
  ExpectNegated(loaded->Execute(by_device, options).value()[0]);
  std::optional<std::vector<Future<>>> futures;
  ExpectNegated(loaded->Execute(by_device, options, futures).value()[0]);
  futures.emplace();
  ExpectNegated(loaded->Execute(by_device, options, futures).value()[0]);
  ASSERT_EQ(futures->size(), 1);
  EXPECT_TRUE((*futures)[0].Await().ok());
  ExpectNegated(loaded->ExecuteSharded(arguments, device, options).value());
  std::optional<Future<>> future;
  ExpectNegated(
      loaded->ExecuteSharded(arguments, device, options, future, false)
          .value());
  EXPECT_FALSE(future.has_value());
  ExpectNegated(
      loaded->ExecuteSharded(arguments, device, options, future).value());
  ASSERT_TRUE(future.has_value());
  EXPECT_TRUE(future->Await().ok());
  EXPECT_FALSE(loaded->IsDeleted());
  loaded->Delete();
  EXPECT_TRUE(loaded->IsDeleted());
  EXPECT_FALSE(loaded->Execute(by_device, options).ok());
}

TEST_F(PjrtLoadedExecutableNamesTest, RunsAnywhere) {
  CompileOptions compile;
  compile.compile_portable_executable = true;
  const auto loaded =
      client_->CompileAndLoad(NegateAndCount(), compile).value();
  for (PjRtDevice* device : client_->addressable_devices()) {
    const auto x = Argument(device);
    PjRtBuffer* const arguments[] = {x.get()};
    const ExecuteOptions options;
    ExpectNegated(loaded->ExecutePortable(arguments, device, options).value());
    std::optional<Future<>> future;
    ExpectNegated(
        loaded->ExecutePortable(arguments, device, options, future).value());
    EXPECT_TRUE(future.value().Await().ok());
    future.reset();
    ExpectNegated(
        loaded->ExecutePortable(arguments, device, options, future, false)
            .value());
    EXPECT_FALSE(future.has_value());
  }
}

}  // namespace
}  // namespace xla
