// HloTestBase: a fixture that runs modules as native code and compares with the
// evaluator.
#ifndef COMPAT_XLA_TESTS_HLO_TEST_BASE_H_
#define COMPAT_XLA_TESTS_HLO_TEST_BASE_H_

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "xla/error_spec.h"
#include "xla/stream_executor/platform.h"
#include "xla/test_helpers.h"  // IWYU pragma: export
#include "xla/tests/hlo_pjrt_interpreter_reference_mixin.h"
#include "xla/tests/hlo_pjrt_test_base.h"
#include "xla/tests/hlo_runner.h"
#include "xla/tests/literal_test_util.h"  // IWYU pragma: export
#include "xla/tests/test_utils.h"         // IWYU pragma: export
#include "xla/tsl/platform/env.h"
#include "xla/types.h"
#include "xla/util.h"

namespace xla {

class HloTestBase : public HloPjRtInterpreterReferenceMixin<HloPjRtTestBase> {
 public:
  using Base = HloPjRtInterpreterReferenceMixin<HloPjRtTestBase>;

  explicit HloTestBase(bool verifier_layout_sensitive = false,
                       bool allow_mixed_precision_in_hlo_verifier = true,
                       HloPredicate instruction_can_change_layout_func = {})
      : Base(verifier_layout_sensitive, allow_mixed_precision_in_hlo_verifier,
             std::move(instruction_can_change_layout_func)) {}
  // There is one platform, and one reference.
  HloTestBase(se::Platform* test_platform, se::Platform* reference_platform,
              bool verifier_layout_sensitive = false,
              bool allow_mixed_precision_in_hlo_verifier = true,
              HloPredicate instruction_can_change_layout_func = {})
      : HloTestBase(verifier_layout_sensitive,
                    allow_mixed_precision_in_hlo_verifier,
                    std::move(instruction_can_change_layout_func)) {}

  static se::Platform* GetTestPlatform() { return se::Platform::Host(); }
  static se::Platform* GetReferencePlatform() { return se::Platform::Host(); }
  HloRunner& test_runner_as_hlo_runner() const {
    return static_cast<HloRunner&>(test_runner());
  }

  // Like RunAndCompare and RunAndCompareNoHloPasses, for a file of HLO text.
  [[nodiscard]] Result RunAndCompareFromFile(
      const std::string& filename, const std::optional<ErrorSpec>& error,
      const Preprocessor& reference_preprocessor = nullptr) {
    std::string text;
    const absl::Status status =
        tsl::ReadFileToString(tsl::Env::Default(), filename, &text);
    if (!status.ok()) return ToResult(status);
    return RunAndCompare(text, error, reference_preprocessor);
  }
  [[nodiscard]] Result RunAndCompareNoHloPassesFromFile(
      const std::string& filename, const std::optional<ErrorSpec>& error,
      const Preprocessor& reference_preprocessor = nullptr) {
    std::string text;
    const absl::Status status =
        tsl::ReadFileToString(tsl::Env::Default(), filename, &text);
    if (!status.ok()) return ToResult(status);
    return RunAndCompareNoHloPasses(text, error, reference_preprocessor);
  }

  ErrorSpec error_spec_{0.0001};
};

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_HLO_TEST_BASE_H_
