// HloHardwareIndependentTestBase: a GoogleTest fixture for tests of passes.
#ifndef COMPAT_XLA_HLO_TESTLIB_HLO_HARDWARE_INDEPENDENT_TEST_BASE_H_
#define COMPAT_XLA_HLO_TESTLIB_HLO_HARDWARE_INDEPENDENT_TEST_BASE_H_

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/debug_options_flags.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_module_config.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/pass/hlo_pass_interface.h"
#include "xla/hlo/testlib/filecheck.h"
#include "xla/hlo/testlib/module_test_helpers.h"
#include "xla/hlo/testlib/verified_hlo_module.h"
#include "xla/service/computation_placer.h"
#include "xla/service/hlo_verifier.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"
#include "xla/tsl/platform/test.h"
#include "xla/util.h"
#include "xla/xla_data.pb.h"

namespace xla {

// All members are public; in XLA most are protected. A config has no device
// assignment of its own: replica r's partition p runs on device
// r * num_partitions + p, and members refuse other assignments.
class HloHardwareIndependentTestBase : public ::testing::Test,
                                       public ModuleTestHelpers {
 public:
  explicit HloHardwareIndependentTestBase(
      bool verifier_layout_sensitive = false,
      bool allow_mixed_precision_in_hlo_verifier = true,
      HloPredicate instruction_can_change_layout_func = {})
      : verifier_layout_sensitive_(verifier_layout_sensitive),
        allow_mixed_precision_in_hlo_verifier_(
            allow_mixed_precision_in_hlo_verifier),
        instruction_can_change_layout_func_(
            std::move(instruction_can_change_layout_func)),
        hlo_verifier_(std::make_unique<HloVerifier>(
            verifier_layout_sensitive, allow_mixed_precision_in_hlo_verifier,
            instruction_can_change_layout_func_,
            ShapeUtil::ByteSizeOfElements)) {}

  // Of the test that runs.
  static std::string TestName() {
    return ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  // Those of XLA_FLAGS, without the folding of constants, which tests take
  // their inputs from.
  virtual DebugOptions GetDebugOptionsForTest() const {
    DebugOptions options = GetDebugOptionsFromFlags();
    options.add_xla_disable_hlo_passes("constant-folding");
    return options;
  }
  HloModuleConfig GetModuleConfigForTest(
      int64_t replica_count = 1, int64_t num_partitions = 1,
      const std::optional<DeviceAssignment>& device_assignment =
          std::nullopt) const {
    HloModuleConfig config;
    config.set_debug_options(GetDebugOptionsForTest());
    config.set_replica_count(replica_count);
    config.set_num_partitions(num_partitions);
    if (device_assignment.has_value()) {
      config.set_static_device_assignment(*device_assignment);
    }
    return config;
  }
  DeviceAssignment GetDefaultDeviceAssignment(int64_t replica_count,
                                              int64_t num_partitions) const {
    DeviceAssignment assignment(static_cast<int>(replica_count),
                                static_cast<int>(num_partitions));
    assignment.FillIota(0);
    return assignment;
  }
  // Lets the compiler's floating point be as inexact as it may be.
  static void SetAotFastMathDebugOptions(DebugOptions* options) {
    options->set_xla_cpu_enable_fast_math(true);
    options->set_xla_cpu_enable_fast_min_max(true);
    options->set_xla_cpu_fast_math_honor_nans(false);
    options->set_xla_cpu_fast_math_honor_infs(false);
    options->set_xla_cpu_fast_math_honor_functions(false);
    options->set_xla_cpu_fast_math_honor_division(false);
  }
  static PrecisionConfig DefaultPrecisionConfig(int operands) {
    PrecisionConfig config;
    config.mutable_operand_precision()->Resize(operands,
                                               PrecisionConfig::DEFAULT);
    return config;
  }

  std::unique_ptr<HloModule> CreateNewUnverifiedModule(
      const std::string& name = TestName()) const {
    return std::make_unique<HloModule>(name, GetModuleConfigForTest());
  }
  std::unique_ptr<VerifiedHloModule> CreateNewVerifiedModule(
      const std::string& name = TestName(), int64_t replica_count = 1) const {
    return NewModule(name, GetModuleConfigForTest(replica_count));
  }

  // Errors: those of the parser and of the verifier.
  virtual absl::StatusOr<std::unique_ptr<VerifiedHloModule>>
  ParseAndReturnVerifiedModule(
      absl::string_view hlo_text, int64_t replica_count = 1,
      int64_t num_partitions = 1,
      std::optional<DeviceAssignment> device_assignment = std::nullopt) const {
    return ParseAndReturnVerifiedModule(
        hlo_text, GetModuleConfigForTest(replica_count, num_partitions,
                                         device_assignment));
  }
  virtual absl::StatusOr<std::unique_ptr<VerifiedHloModule>>
  ParseAndReturnVerifiedModule(
      absl::string_view hlo_text, const HloModuleConfig& config,
      const HloParserOptions& parser_options = HloParserOptions()) const {
    return ParseAndReturnVerifiedModule(hlo_text, config, parser_options,
                                        ShapeUtil::ByteSizeOfElements);
  }
  // The verifier takes the bytes of shapes from the function.
  absl::StatusOr<std::unique_ptr<VerifiedHloModule>>
  ParseAndReturnVerifiedModule(
      absl::string_view hlo_text, const HloModuleConfig& config,
      const HloParserOptions& parser_options,
      const std::function<int64_t(const Shape&)>& shape_size_fn) const {
    std::unique_ptr<VerifiedHloModule> module =
        NewModule(TestName(), config, shape_size_fn);
    TF_RETURN_IF_ERROR(
        module->ParseHloStringAndVerifyModule(hlo_text, parser_options));
    return module;
  }

  // Fails the test unless what the pass returns is true just if it changed the
  // module. Errors: those of the pass.
  static absl::StatusOr<bool> RunHloPass(HloPassInterface* hlo_pass,
                                         HloModule* module) {
    const std::string before = module->ToProto().ShortDebugString();
    TF_ASSIGN_OR_RETURN(const bool changed, hlo_pass->Run(module));
    EXPECT_EQ(changed, module->ToProto().ShortDebugString() != before)
        << "the pass " << hlo_pass->name() << " returned whether it changed "
        << module->name() << ", which is not so:\n"
        << module->ToString();
    return changed;
  }
  static absl::StatusOr<bool> RunHloPass(HloPassInterface& hlo_pass,
                                         HloModule* module) {
    return RunHloPass(&hlo_pass, module);
  }
  static absl::StatusOr<bool> RunHloPass(HloPassInterface&& hlo_pass,
                                         HloModule* module) {
    return RunHloPass(&hlo_pass, module);
  }

  // Runs the pass on the module, which it must change, such that its text
  // matches `expected`, a pattern of FileCheck; without one, it must not. A
  // module that was changed is given to `after_pass_checks`.
  void RunAndFilecheckHloRewrite(
      absl::string_view hlo, HloPassInterface&& hlo_pass,
      std::optional<absl::string_view> expected,
      std::function<void(HloModule*)> after_pass_checks = nullptr,
      const HloModuleConfig* config = nullptr) const {
    TF_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<VerifiedHloModule> module,
                            config != nullptr
                                ? ParseAndReturnVerifiedModule(hlo, *config)
                                : ParseAndReturnVerifiedModule(hlo));
    TF_ASSERT_OK_AND_ASSIGN(const bool changed,
                            RunHloPass(&hlo_pass, module.get()));
    EXPECT_EQ(changed, expected.has_value()) << module->ToString();
    if (!changed) return;
    if (expected.has_value()) {
      TF_ASSERT_OK_AND_ASSIGN(
          const filecheck_internal::Verdict verdict,
          filecheck_internal::CheckPattern(
              module->ToString(
                  HloPrintOptions().set_print_operand_shape(false)),
              *expected));
      EXPECT_TRUE(verdict.matches) << verdict.output;
    }
    if (after_pass_checks) after_pass_checks(module.get());
  }
  // The pattern is in comments of the module.
  void RunAndFilecheckHloRewrite(
      absl::string_view hlo_with_checks, HloPassInterface&& hlo_pass,
      std::function<void(HloModule*)> after_pass_checks = nullptr,
      const HloModuleConfig* config = nullptr) const {
    RunAndFilecheckHloRewrite(hlo_with_checks, std::move(hlo_pass),
                              std::make_optional(hlo_with_checks),
                              std::move(after_pass_checks), config);
  }

  // Runs the pass on a text in which each first part of `params` is replaced by
  // the second, and fails the test if it changes the module against what is
  // expected. Errors: those of the parser, the verifier and the pass.
  using FixedMapping =
      std::initializer_list<std::pair<absl::string_view, absl::string_view>>;
  absl::StatusOr<std::unique_ptr<HloModule>> RunAndCheckHloRewrite(
      absl::string_view hlo_template, HloPassInterface* hlo_pass,
      bool expect_change = true, FixedMapping params = {}) const {
    const std::string text = absl::StrReplaceAll(hlo_template, params);
    SCOPED_TRACE(absl::StrCat("the module before the pass: ", text));
    TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                        ParseAndReturnVerifiedModule(text));
    TF_ASSIGN_OR_RETURN(const bool changed, RunHloPass(hlo_pass, module.get()));
    EXPECT_EQ(changed, expect_change) << module->ToString();
    return module;
  }
  absl::StatusOr<std::unique_ptr<HloModule>> RunAndCheckHloRewrite(
      absl::string_view hlo_template, HloPassInterface&& hlo_pass,
      bool expect_change = true, FixedMapping params = {}) const {
    return RunAndCheckHloRewrite(hlo_template, &hlo_pass, expect_change,
                                 params);
  }

  // What modules are verified with from now on; what verifier() does.
  bool verifier_layout_sensitive() const { return verifier_layout_sensitive_; }
  void set_verifier_layout_sensitive(bool verifier_layout_sensitive) {
    verifier_layout_sensitive_ = verifier_layout_sensitive;
  }
  bool allow_mixed_precision_in_hlo_verifier() const {
    return allow_mixed_precision_in_hlo_verifier_;
  }
  HloPredicate instruction_can_change_layout_func() const {
    return instruction_can_change_layout_func_;
  }
  void set_instruction_can_change_layout_func(HloPredicate predicate) {
    instruction_can_change_layout_func_ = std::move(predicate);
  }
  HloVerifier& verifier() const { return *hlo_verifier_; }
  void set_hlo_verifier(std::unique_ptr<HloVerifier> hlo_verifier) {
    hlo_verifier_ = std::move(hlo_verifier);
  }

 private:
  std::unique_ptr<VerifiedHloModule> NewModule(
      const std::string& name, const HloModuleConfig& config,
      const std::function<int64_t(const Shape&)>& shape_size_fn =
          ShapeUtil::ByteSizeOfElements) const {
    return std::make_unique<VerifiedHloModule>(
        name, config, verifier_layout_sensitive_,
        allow_mixed_precision_in_hlo_verifier_, shape_size_fn,
        instruction_can_change_layout_func_);
  }

  bool verifier_layout_sensitive_;
  bool allow_mixed_precision_in_hlo_verifier_;
  HloPredicate instruction_can_change_layout_func_;
  std::unique_ptr<HloVerifier> hlo_verifier_;
};

}  // namespace xla

#endif  // COMPAT_XLA_HLO_TESTLIB_HLO_HARDWARE_INDEPENDENT_TEST_BASE_H_
