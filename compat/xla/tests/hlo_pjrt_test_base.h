// HloPjRtTestBase: a fixture that runs modules as native code, without a
// reference.
#ifndef COMPAT_XLA_TESTS_HLO_PJRT_TEST_BASE_H_
#define COMPAT_XLA_TESTS_HLO_PJRT_TEST_BASE_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/hlo/testlib/filecheck.h"
#include "xla/tests/hlo_runner.h"
#include "xla/tests/hlo_runner_agnostic_test_base.h"
#include "xla/tsl/platform/statusor.h"
#include "xla/util.h"

namespace xla {

class HloPjRtTestBase : public HloRunnerAgnosticTestBase {
 public:
  explicit HloPjRtTestBase(bool verifier_layout_sensitive = false,
                           bool allow_mixed_precision_in_hlo_verifier = true,
                           HloPredicate instruction_can_change_layout_func = {})
      : HloRunnerAgnosticTestBase(
            std::make_unique<HloRunner>(), verifier_layout_sensitive,
            allow_mixed_precision_in_hlo_verifier,
            std::move(instruction_can_change_layout_func)) {}

  // Return a copy of the module after the passes of the compiler.
  absl::StatusOr<std::unique_ptr<HloModule>> GetOptimizedModule(
      absl::string_view hlo) {
    TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                        ParseAndReturnVerifiedModule(hlo));
    return GetOptimizedModule(std::move(module));
  }
  absl::StatusOr<std::unique_ptr<HloModule>> GetOptimizedModule(
      std::unique_ptr<HloModule> hlo_module) {
    TF_ASSIGN_OR_RETURN(
        const std::unique_ptr<OpaqueExecutable> executable,
        CreateExecutable(std::move(hlo_module), /*run_hlo_passes=*/true));
    return executable->module().Clone(/*suffix=*/"");
  }
  // Expects that its text matches a pattern of FileCheck.
  void MatchOptimizedHlo(
      absl::string_view hlo, absl::string_view pattern,
      bool print_operand_shape = false,
      std::unique_ptr<HloModule>* optimized_module = nullptr) {
    TF_ASSERT_OK_AND_ASSIGN(std::unique_ptr<HloModule> module,
                            GetOptimizedModule(hlo));
    TF_ASSERT_OK_AND_ASSIGN(
        const filecheck_internal::Verdict verdict,
        filecheck_internal::CheckPattern(
            module->ToString(
                HloPrintOptions().set_print_operand_shape(print_operand_shape)),
            pattern));
    EXPECT_TRUE(verdict.matches) << verdict.output;
    if (optimized_module != nullptr) *optimized_module = std::move(module);
  }
  void MatchOptimizedHloWithShapes(absl::string_view hlo,
                                   absl::string_view pattern) {
    MatchOptimizedHlo(hlo, pattern, /*print_operand_shape=*/true);
  }
};

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_HLO_PJRT_TEST_BASE_H_
