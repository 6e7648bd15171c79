// HloRunnerAgnosticReferenceMixin: a fixture that compares what modules compute
// with what a reference runner computes.
#ifndef COMPAT_XLA_TESTS_HLO_RUNNER_AGNOSTIC_REFERENCE_MIXIN_H_
#define COMPAT_XLA_TESTS_HLO_RUNNER_AGNOSTIC_REFERENCE_MIXIN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/error_spec.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/tests/fake_arguments.h"
#include "xla/tests/hlo_runner.h"
#include "xla/tests/hlo_runner_agnostic_test_base.h"
#include "xla/tests/literal_test_util.h"

namespace xla {

template <typename T>
class HloRunnerAgnosticReferenceMixin : public T {
  static_assert(std::is_base_of_v<HloRunnerAgnosticTestBase, T>);

 public:
  using has_reference_runner_mixin = std::true_type;
  using Arguments = absl::Span<const Literal* const>;
  using Preprocessor = std::function<void(HloModule*)>;
  using Result = ::testing::AssertionResult;

  template <typename... BaseArgs>
  explicit HloRunnerAgnosticReferenceMixin(
      std::unique_ptr<HloRunnerInterface> reference_runner,
      BaseArgs&&... base_args)
      : T(std::forward<BaseArgs>(base_args)...),
        reference_runner_(std::move(reference_runner)) {}

  HloRunnerInterface& reference_runner() const { return *reference_runner_; }

  // Run a module, given or as text, with the test runner and the reference, and
  // compare within the error, or exactly without one. Arguments are given or
  // fake. The preprocessors change what each runner gets, but not the shapes of
  // the program.
  [[nodiscard]] Result RunAndCompare(
      std::unique_ptr<HloModule> module, Arguments arguments,
      const std::optional<ErrorSpec>& error,
      const Preprocessor& reference_preprocessor = nullptr,
      const Preprocessor& test_preprocessor = nullptr) {
    return Compare(std::move(module), arguments, error, /*run_hlo_passes=*/true,
                   reference_preprocessor, test_preprocessor);
  }
  [[nodiscard]] Result RunAndCompare(
      std::unique_ptr<HloModule> module, const std::optional<ErrorSpec>& error,
      const Preprocessor& reference_preprocessor = nullptr,
      const Preprocessor& test_preprocessor = nullptr,
      std::optional<int64_t> args_max_bits_of_precision = std::nullopt) {
    return CompareFake(std::move(module), error, /*run_hlo_passes=*/true,
                       reference_preprocessor, test_preprocessor,
                       args_max_bits_of_precision);
  }
  [[nodiscard]] Result RunAndCompare(
      absl::string_view hlo_string, const std::optional<ErrorSpec>& error,
      const Preprocessor& reference_preprocessor = nullptr,
      const Preprocessor& test_preprocessor = nullptr,
      std::optional<int64_t> args_max_bits_of_precision = std::nullopt) {
    return CompareFake(this->ParseAndReturnVerifiedModule(hlo_string), error,
                       /*run_hlo_passes=*/true, reference_preprocessor,
                       test_preprocessor, args_max_bits_of_precision);
  }
  // The same without the passes that only make programs faster.
  [[nodiscard]] Result RunAndCompareNoHloPasses(
      std::unique_ptr<HloModule> module, Arguments arguments,
      const std::optional<ErrorSpec>& error,
      const Preprocessor& reference_preprocessor = nullptr,
      const Preprocessor& test_preprocessor = nullptr) {
    return Compare(std::move(module), arguments, error,
                   /*run_hlo_passes=*/false, reference_preprocessor,
                   test_preprocessor);
  }
  [[nodiscard]] Result RunAndCompareNoHloPasses(
      std::unique_ptr<HloModule> module, const std::optional<ErrorSpec>& error,
      const Preprocessor& reference_preprocessor = nullptr,
      const Preprocessor& test_preprocessor = nullptr) {
    return CompareFake(std::move(module), error, /*run_hlo_passes=*/false,
                       reference_preprocessor, test_preprocessor);
  }
  [[nodiscard]] Result RunAndCompareNoHloPasses(
      absl::string_view hlo_string, const std::optional<ErrorSpec>& error,
      const Preprocessor& reference_preprocessor = nullptr,
      const Preprocessor& test_preprocessor = nullptr) {
    return CompareFake(this->ParseAndReturnVerifiedModule(hlo_string), error,
                       /*run_hlo_passes=*/false, reference_preprocessor,
                       test_preprocessor);
  }

 private:
  absl::StatusOr<std::unique_ptr<HloModule>> MakeReferenceModule(
      const HloModule& module, const Preprocessor& preprocessor) {
    std::unique_ptr<HloModule> reference = module.Clone();
    if (preprocessor != nullptr) {
      preprocessor(reference.get());
      if (reference->entry_computation_layout() !=
          module.entry_computation_layout()) {
        return InvalidArgument(
            "the preprocessor of the reference changed the shapes of %s",
            module.name());
      }
    }
    TF_RETURN_IF_ERROR(this->verifier().Verify(*reference));
    return reference;
  }
  absl::StatusOr<Result> CompareOrError(
      std::unique_ptr<HloModule> module, Arguments arguments,
      const std::optional<ErrorSpec>& error, bool run_hlo_passes,
      const Preprocessor& reference_preprocessor,
      const Preprocessor& test_preprocessor) {
    TF_RETURN_IF_ERROR(this->verifier().Verify(*module));
    TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> reference_module,
                        MakeReferenceModule(*module, reference_preprocessor));
    TF_RETURN_IF_ERROR(this->PreprocessModuleForTestRunner(module.get()));
    if (test_preprocessor != nullptr) test_preprocessor(module.get());
    TF_ASSIGN_OR_RETURN(const Literal actual,
                        this->test_runner().Execute(std::move(module),
                                                    arguments, run_hlo_passes));
    TF_ASSIGN_OR_RETURN(const Literal expected,
                        reference_runner_->Execute(std::move(reference_module),
                                                   arguments, run_hlo_passes));
    return LiteralTestUtil::NearOrEqual(expected, actual, error);
  }
  Result Compare(std::unique_ptr<HloModule> module, Arguments arguments,
                 const std::optional<ErrorSpec>& error, bool run_hlo_passes,
                 const Preprocessor& reference_preprocessor,
                 const Preprocessor& test_preprocessor) {
    const absl::StatusOr<Result> result =
        CompareOrError(std::move(module), arguments, error, run_hlo_passes,
                       reference_preprocessor, test_preprocessor);
    return result.ok() ? *result : this->ToResult(result.status());
  }
  Result CompareFake(
      absl::StatusOr<std::unique_ptr<HloModule>> module,
      const std::optional<ErrorSpec>& error, bool run_hlo_passes,
      const Preprocessor& reference_preprocessor,
      const Preprocessor& test_preprocessor,
      std::optional<int64_t> args_max_bits_of_precision = std::nullopt) {
    if (!module.ok()) return this->ToResult(module.status());
    const absl::StatusOr<std::vector<Literal>> arguments = MakeFakeArguments(
        module->get(), /*pseudo_random=*/true, /*use_large_range=*/false,
        /*treat_gte_as_data_formatting=*/false, args_max_bits_of_precision);
    if (!arguments.ok()) return this->ToResult(arguments.status());
    return Compare(*std::move(module), LiteralUtil::MakePointers(*arguments),
                   error, run_hlo_passes, reference_preprocessor,
                   test_preprocessor);
  }

  const std::unique_ptr<HloRunnerInterface> reference_runner_;
};

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_HLO_RUNNER_AGNOSTIC_REFERENCE_MIXIN_H_
