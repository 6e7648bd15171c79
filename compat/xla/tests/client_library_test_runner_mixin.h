// ClientLibraryTestRunnerMixin: a fixture that runs what XlaBuilder builds.
#ifndef COMPAT_XLA_TESTS_CLIENT_LIBRARY_TEST_RUNNER_MIXIN_H_
#define COMPAT_XLA_TESTS_CLIENT_LIBRARY_TEST_RUNNER_MIXIN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/literal.h"
#include "xla/shape_util.h"
#include "xla/tests/built_program_checks.h"
#include "xla/tests/client_library_test_runner_utils.h"  // IWYU pragma: export
#include "xla/tests/hlo_runner_agnostic_test_base.h"
#include "xla/tsl/platform/statusor.h"

namespace xla {

// Arguments are literals; T has a reference runner.
template <typename T>
class ClientLibraryTestRunnerMixin
    : public T,
      public BuiltProgramChecks<ClientLibraryTestRunnerMixin<T>, const Literal*,
                                Literal> {
  static_assert(std::is_base_of_v<HloRunnerAgnosticTestBase, T> &&
                T::has_reference_runner_mixin::value);

 public:
  using Checks = BuiltProgramChecks<ClientLibraryTestRunnerMixin<T>,
                                    const Literal*, Literal>;
  using typename Checks::Arguments;
  using typename Checks::Error;

  template <typename... BaseArgs>
  explicit ClientLibraryTestRunnerMixin(BaseArgs&&... base_args)
      : T(std::forward<BaseArgs>(base_args)...) {}

  // Run a program on all its devices with the same arguments; return the
  // result of the first.
  absl::StatusOr<Literal> ExecuteAndTransfer(
      const XlaComputation& computation, Arguments arguments,
      const Shape* shape_with_output_layout = nullptr) {
    TF_ASSIGN_OR_RETURN(
        std::unique_ptr<HloModule> module,
        BuildVerified(computation, arguments, shape_with_output_layout));
    return this->RunModule(this->test_runner(), std::move(module), arguments);
  }
  absl::StatusOr<Literal> ExecuteAndTransfer(
      XlaBuilder* builder, Arguments arguments,
      const Shape* shape_with_output_layout = nullptr) {
    TF_ASSIGN_OR_RETURN(const XlaComputation computation, builder->Build());
    return ExecuteAndTransfer(computation, arguments, shape_with_output_layout);
  }

  // Compare with the reference runner, or with the values of an array.
  using Checks::ComputeAndCompare;
  void ComputeAndCompare(XlaBuilder* builder, Arguments arguments,
                         Error error = std::nullopt) {
    TF_ASSERT_OK_AND_ASSIGN(const XlaComputation computation, builder->Build());
    TF_ASSERT_OK_AND_ASSIGN(std::unique_ptr<HloModule> module,
                            BuildVerified(computation, arguments));
    EXPECT_TRUE(this->RunAndCompare(std::move(module), arguments, error));
  }

  // Makes a parameter, and returns its argument.
  Literal CreateParameterAndTransferLiteral(int64_t parameter_number,
                                            const Literal& literal,
                                            const std::string& name,
                                            XlaBuilder* builder,
                                            XlaOp* data_handle) {
    return this->ParameterOf(parameter_number, literal, name, builder,
                             data_handle);
  }
  static Literal HoldArgument(Literal literal) { return literal; }

 private:
  absl::StatusOr<std::unique_ptr<HloModule>> BuildVerified(
      const XlaComputation& computation, Arguments arguments,
      const Shape* shape_with_output_layout = nullptr) {
    TF_ASSIGN_OR_RETURN(
        std::unique_ptr<HloModule> module,
        this->BuildModule(computation, arguments, shape_with_output_layout));
    TF_RETURN_IF_ERROR(this->verifier().Verify(*module));
    return module;
  }
};

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_CLIENT_LIBRARY_TEST_RUNNER_MIXIN_H_
