// HloRunnerAgnosticTestBase: a fixture that also runs modules, with a runner.
#ifndef COMPAT_XLA_TESTS_HLO_RUNNER_AGNOSTIC_TEST_BASE_H_
#define COMPAT_XLA_TESTS_HLO_RUNNER_AGNOSTIC_TEST_BASE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/error_spec.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_module_config.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/service/computation_placer.h"
#include "xla/tests/fake_arguments.h"
#include "xla/tests/hlo_runner.h"
#include "xla/tests/literal_test_util.h"
#include "xla/tsl/platform/protobuf.h"
#include "xla/util.h"

namespace xla {

// Members that return AssertionResult fail with the text of an error. Fake
// arguments are those of MakeFakeArguments.
class HloRunnerAgnosticTestBase : public HloHardwareIndependentTestBase {
 public:
  using Arguments = absl::Span<const Literal* const>;
  using Preprocessor = std::function<void(HloModule*)>;
  using Result = ::testing::AssertionResult;

  static constexpr ErrorSpec kDefaultErrorSpec{0.0001};

  explicit HloRunnerAgnosticTestBase(
      std::unique_ptr<HloRunnerInterface> test_runner,
      bool verifier_layout_sensitive = false,
      bool allow_mixed_precision_in_hlo_verifier = true,
      HloPredicate instruction_can_change_layout_func = {})
      : HloHardwareIndependentTestBase(
            verifier_layout_sensitive, allow_mixed_precision_in_hlo_verifier,
            std::move(instruction_can_change_layout_func)),
        test_runner_(std::move(test_runner)) {}

  HloRunnerInterface& test_runner() const { return *test_runner_; }
  // Changes a module before the test runner gets it.
  virtual absl::Status PreprocessModuleForTestRunner(HloModule* module) const {
    return absl::OkStatus();
  }
  HloComputation* AddEntryComputationAndUpdateEntryComputationLayout(
      HloModule* module, std::unique_ptr<HloComputation> computation) {
    HloComputation* entry = module->AddEntryComputation(std::move(computation));
    CHECK_OK(UpdateEntryComputationLayoutToMatchProgramLayout(module));
    return entry;
  }

  // Compile and run the module; the last two end the process with an error.
  absl::StatusOr<std::unique_ptr<OpaqueExecutable>> CreateExecutable(
      std::unique_ptr<HloModule> module, bool run_hlo_passes) {
    TF_RETURN_IF_ERROR(PreprocessModuleForTestRunner(module.get()));
    return test_runner_->CreateExecutable(std::move(module), run_hlo_passes);
  }
  absl::StatusOr<Literal> Execute(std::unique_ptr<HloModule> module,
                                  Arguments arguments,
                                  bool run_hlo_passes = true) {
    TF_RETURN_IF_ERROR(PreprocessModuleForTestRunner(module.get()));
    return test_runner_->Execute(std::move(module), arguments, run_hlo_passes);
  }
  Literal ExecuteNoHloPasses(std::unique_ptr<HloModule> module,
                             Arguments arguments) {
    return Execute(std::move(module), arguments, /*run_hlo_passes=*/false)
        .value();
  }
  Literal ExecuteAndTransfer(std::unique_ptr<HloModule> module,
                             Arguments arguments) {
    return Execute(std::move(module), arguments).value();
  }

  // Run on several devices, with the same arguments for all, or with each
  // one's, on the devices of the assignment, or on 0, 1, ...
  absl::StatusOr<std::vector<Literal>> ExecuteReplicated(
      std::unique_ptr<HloModule> module, Arguments arguments,
      int64_t num_devices, bool use_threads, bool run_hlo_passes = false) {
    return ExecuteReplicated(std::move(module), arguments, num_devices,
                             /*device_assignment=*/nullptr, run_hlo_passes,
                             use_threads);
  }
  absl::StatusOr<std::vector<Literal>> ExecuteReplicated(
      std::unique_ptr<HloModule> module, Arguments arguments,
      int64_t num_devices, const DeviceAssignment* device_assignment,
      bool run_hlo_passes, bool use_threads) {
    TF_RETURN_IF_ERROR(PreprocessModuleForTestRunner(module.get()));
    HloRunnerInterface::ReplicatedExecuteOptions options;
    options.num_devices = num_devices;
    options.arguments.assign(arguments.begin(), arguments.end());
    options.run_hlo_passes = run_hlo_passes;
    return test_runner_->ExecuteReplicated(std::move(module), options,
                                           device_assignment);
  }
  absl::StatusOr<std::vector<Literal>> ExecuteReplicated(
      std::unique_ptr<HloModule> module,
      const std::vector<std::vector<Literal*>>& arguments, int64_t num_devices,
      bool run_hlo_passes,
      const DeviceAssignment* device_assignment = nullptr) {
    HloRunnerInterface::SetDevices(*module, num_devices);
    const int64_t seed = module->config().seed();
    TF_ASSIGN_OR_RETURN(const std::unique_ptr<OpaqueExecutable> executable,
                        CreateExecutable(std::move(module), run_hlo_passes));
    std::vector<std::vector<const Literal*>> of_devices;
    for (const std::vector<Literal*>& each : arguments) {
      of_devices.emplace_back(each.begin(), each.end());
    }
    return test_runner_->ExecuteAssigned(executable.get(), of_devices, seed,
                                         device_assignment);
  }

  // Run with fake arguments and expect no error. The message, if any, is the
  // backend config of the entry's root.
  [[nodiscard]] Result Run(std::unique_ptr<HloModule> module,
                           bool run_hlo_passes,
                           const Preprocessor& test_preprocessor = nullptr) {
    return ToResult(RunFake(std::move(module), run_hlo_passes,
                            /*profile=*/nullptr, /*use_random_data=*/true,
                            test_preprocessor)
                        .status());
  }
  [[nodiscard]] Result Run(
      absl::string_view hlo_string, bool run_hlo_passes = true,
      ExecutionProfile* profile = nullptr,
      const tsl::protobuf::Message* backend_config = nullptr,
      bool use_random_data = true) {
    return ToResult(RunFake(ParseWithConfig(hlo_string, backend_config),
                            run_hlo_passes, profile, use_random_data)
                        .status());
  }
  [[nodiscard]] Result RunReplicated(
      absl::string_view hlo_string, bool run_hlo_passes = true,
      int64_t num_devices = 1,
      const tsl::protobuf::Message* backend_config = nullptr) {
    auto module = ParseWithConfig(hlo_string, backend_config);
    if (!module.ok()) return ToResult(module.status());
    const auto arguments = MakeFakeArguments(module->get());
    if (!arguments.ok()) return ToResult(arguments.status());
    return ToResult(ExecuteReplicated(*std::move(module),
                                      LiteralUtil::MakePointers(*arguments),
                                      num_devices, /*use_threads=*/true,
                                      run_hlo_passes)
                        .status());
  }
  // Once for each profile; with `assert_determinism`, the results are the same.
  [[nodiscard]] Result RunMultipleTimes(
      absl::string_view hlo_string, bool run_hlo_passes,
      std::vector<ExecutionProfile>* profiles,
      const tsl::protobuf::Message* backend_config = nullptr,
      bool assert_determinism = false) {
    std::optional<Literal> first;
    for (ExecutionProfile& profile : *profiles) {
      absl::StatusOr<Literal> result =
          RunFake(ParseWithConfig(hlo_string, backend_config), run_hlo_passes,
                  &profile);
      if (!result.ok()) return ToResult(result.status());
      if (assert_determinism && first.has_value()) {
        const Result same = LiteralTestUtil::Equal(*first, *result);
        if (!same) return same;
      }
      if (!first.has_value()) first = *std::move(result);
    }
    return ::testing::AssertionSuccess();
  }

  // Run two modules with the same arguments, and compare within the error, or
  // exactly without one. Configs are those of the two texts.
  Result RunAndCompareTwoModules(std::unique_ptr<HloModule> module_0,
                                 std::unique_ptr<HloModule> module_1,
                                 Arguments arguments,
                                 const std::optional<ErrorSpec>& error,
                                 bool run_hlo_passes = true) {
    const absl::StatusOr<Literal> result_0 =
        Execute(std::move(module_0), arguments, run_hlo_passes);
    if (!result_0.ok()) return ToResult(result_0.status());
    const absl::StatusOr<Literal> result_1 =
        Execute(std::move(module_1), arguments, run_hlo_passes);
    if (!result_1.ok()) return ToResult(result_1.status());
    return LiteralTestUtil::NearOrEqual(*result_0, *result_1, error);
  }
  Result RunAndCompareTwoModules(
      std::unique_ptr<HloModule> module_0, std::unique_ptr<HloModule> module_1,
      const std::optional<ErrorSpec>& error, bool run_hlo_passes = true,
      std::optional<int64_t> args_max_bits_of_precision = std::nullopt) {
    const std::vector<int> mismatches = CompareInputs(*module_0, *module_1);
    if (!mismatches.empty()) {
      return ToResult(InvalidArgument(
          "the modules have different parameters %d", mismatches.front()));
    }
    const auto arguments = MakeFakeArguments(
        module_0.get(), /*pseudo_random=*/true, /*use_large_range=*/false,
        /*treat_gte_as_data_formatting=*/false, args_max_bits_of_precision);
    if (!arguments.ok()) return ToResult(arguments.status());
    return RunAndCompareTwoModules(std::move(module_0), std::move(module_1),
                                   LiteralUtil::MakePointers(*arguments), error,
                                   run_hlo_passes);
  }
  Result RunAndCompareTwoModules(
      absl::string_view hlo_string_module_0,
      absl::string_view hlo_string_module_1, const HloModuleConfig& config_0,
      const HloModuleConfig& config_1, const std::optional<ErrorSpec>& error,
      bool run_hlo_passes = true,
      std::optional<int64_t> args_max_bits_of_precision = std::nullopt) {
    auto module_0 = ParseAndReturnVerifiedModule(hlo_string_module_0, config_0);
    if (!module_0.ok()) return ToResult(module_0.status());
    auto module_1 = ParseAndReturnVerifiedModule(hlo_string_module_1, config_1);
    if (!module_1.ok()) return ToResult(module_1.status());
    return RunAndCompareTwoModules(*std::move(module_0), *std::move(module_1),
                                   error, run_hlo_passes,
                                   args_max_bits_of_precision);
  }
  Result RunAndCompareTwoModules(
      absl::string_view hlo_string_module_0,
      absl::string_view hlo_string_module_1,
      const std::optional<ErrorSpec>& error, bool run_hlo_passes = true,
      std::optional<int64_t> args_max_bits_of_precision = std::nullopt) {
    const HloModuleConfig config = GetModuleConfigForTest();
    return RunAndCompareTwoModules(hlo_string_module_0, hlo_string_module_1,
                                   config, config, error, run_hlo_passes,
                                   args_max_bits_of_precision);
  }
  Result RunAndCompareTwoModules(absl::string_view hlo_string_module_0,
                                 absl::string_view hlo_string_module_1,
                                 Arguments arguments,
                                 const std::optional<ErrorSpec>& error,
                                 bool run_hlo_passes = true) {
    auto module_0 = ParseAndReturnVerifiedModule(hlo_string_module_0);
    if (!module_0.ok()) return ToResult(module_0.status());
    auto module_1 = ParseAndReturnVerifiedModule(hlo_string_module_1);
    if (!module_1.ok()) return ToResult(module_1.status());
    return RunAndCompareTwoModules(*std::move(module_0), *std::move(module_1),
                                   arguments, error, run_hlo_passes);
  }

 protected:
  static Result ToResult(const absl::Status& status) {
    if (status.ok()) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << status;
  }

 private:
  absl::StatusOr<std::unique_ptr<HloModule>> ParseWithConfig(
      absl::string_view hlo_string,
      const tsl::protobuf::Message* backend_config) const {
    TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                        ParseAndReturnVerifiedModule(hlo_string));
    if (backend_config != nullptr) {
      TF_RETURN_IF_ERROR(
          module->entry_computation()->root_instruction()->set_backend_config(
              *backend_config));
    }
    return module;
  }
  absl::StatusOr<Literal> RunFake(
      absl::StatusOr<std::unique_ptr<HloModule>> module, bool run_hlo_passes,
      ExecutionProfile* profile = nullptr, bool use_random_data = true,
      const Preprocessor& preprocessor = nullptr) {
    TF_RETURN_IF_ERROR(module.status());
    TF_RETURN_IF_ERROR(PreprocessModuleForTestRunner(module->get()));
    if (preprocessor != nullptr) preprocessor(module->get());
    TF_ASSIGN_OR_RETURN(const std::vector<Literal> arguments,
                        MakeFakeArguments(module->get(), use_random_data));
    return test_runner_->Execute(*std::move(module),
                                 LiteralUtil::MakePointers(arguments),
                                 run_hlo_passes, profile);
  }

  const std::unique_ptr<HloRunnerInterface> test_runner_;
};

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_HLO_RUNNER_AGNOSTIC_TEST_BASE_H_
