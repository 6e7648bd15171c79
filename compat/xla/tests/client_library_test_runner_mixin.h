// ClientLibraryTestRunnerMixin: a fixture that runs what XlaBuilder builds.
#ifndef COMPAT_XLA_TESTS_CLIENT_LIBRARY_TEST_RUNNER_MIXIN_H_
#define COMPAT_XLA_TESTS_CLIENT_LIBRARY_TEST_RUNNER_MIXIN_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "xla/array2d.h"
#include "xla/array3d.h"
#include "xla/array4d.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/error_spec.h"
#include "xla/execution_options_util.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_module_config.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"
#include "xla/tests/client_library_test_runner_utils.h"
#include "xla/tests/hlo_runner.h"
#include "xla/tests/hlo_runner_agnostic_test_base.h"
#include "xla/tests/literal_test_util.h"
#include "xla/tsl/lib/core/bitmap.h"
#include "xla/tsl/platform/statusor.h"
#include "xla/xla.pb.h"
#include "xla/xla_data.pb.h"

namespace xla {

// Comparisons are within the error, or exact without one. Floats of parameters
// and of expected values become FloatType(), F32 by default. T has a reference
// runner.
template <typename T>
class ClientLibraryTestRunnerMixin : public T {
  static_assert(std::is_base_of_v<HloRunnerAgnosticTestBase, T> &&
                T::has_reference_runner_mixin::value);

 public:
  using Arguments = absl::Span<const Literal* const>;
  using Error = std::optional<ErrorSpec>;

  template <typename... BaseArgs>
  explicit ClientLibraryTestRunnerMixin(BaseArgs&&... base_args)
      : T(std::forward<BaseArgs>(base_args)...) {}

  PrimitiveType FloatType() const { return test_type_; }
  void set_float_type(PrimitiveType type) { test_type_ = type; }
  DebugOptions* mutable_debug_options() {
    return execution_options_.mutable_debug_options();
  }
  const ExecutionOptions& execution_options() const {
    return execution_options_;
  }
  ExecutionOptions* mutable_execution_options() { return &execution_options_; }
  void SetFastMathDisabled(bool disabled) {
    mutable_debug_options()->set_xla_cpu_enable_fast_math(!disabled);
    mutable_debug_options()->set_xla_cpu_enable_fast_min_max(!disabled);
  }
  void SetSeed(uint64_t seed) { execution_options_.set_seed(seed); }
  void ClearSeed() { execution_options_.clear_seed(); }

  // Run a program on all its devices with the same arguments; return the
  // result of the first. The last returns text, also of errors.
  absl::StatusOr<Literal> ExecuteAndTransfer(
      const XlaComputation& computation, Arguments arguments,
      const Shape* shape_with_output_layout = nullptr) {
    TF_ASSIGN_OR_RETURN(
        std::unique_ptr<HloModule> module,
        BuildModule(computation, arguments, shape_with_output_layout));
    HloRunnerInterface::ReplicatedExecuteOptions options;
    options.num_devices =
        module->config().replica_count() * module->config().num_partitions();
    options.arguments.assign(arguments.begin(), arguments.end());
    options.run_hlo_passes = true;
    options.seed = static_cast<int64_t>(execution_options_.seed());
    TF_ASSIGN_OR_RETURN(
        std::vector<Literal> results,
        this->test_runner().ExecuteReplicated(std::move(module), options));
    return std::move(results.front());
  }
  absl::StatusOr<Literal> ExecuteAndTransfer(
      XlaBuilder* builder, Arguments arguments,
      const Shape* shape_with_output_layout = nullptr) {
    TF_ASSIGN_OR_RETURN(const XlaComputation computation, builder->Build());
    return ExecuteAndTransfer(computation, arguments, shape_with_output_layout);
  }
  std::string ExecuteToString(XlaBuilder* builder, Arguments arguments) {
    const absl::StatusOr<Literal> result =
        ExecuteAndTransfer(builder, arguments);
    return result.ok() ? result->ToString() : result.status().ToString();
  }

  // Compare with the reference runner.
  void ComputeAndCompare(XlaBuilder* builder, Arguments arguments,
                         Error error = std::nullopt) {
    TF_ASSERT_OK_AND_ASSIGN(const XlaComputation computation, builder->Build());
    TF_ASSERT_OK_AND_ASSIGN(std::unique_ptr<HloModule> module,
                            BuildModule(computation, arguments));
    EXPECT_TRUE(this->RunAndCompare(std::move(module), arguments, error));
  }

  // Compare with expected values. The result has the layout of the shape.
  void ComputeAndCompareLiteral(XlaBuilder* builder, const Literal& expected,
                                Arguments arguments, Error error = std::nullopt,
                                const Shape* shape_with_layout = nullptr) {
    std::optional<Shape> layout;
    if (shape_with_layout != nullptr) {
      layout = *shape_with_layout;
      ShapeUtil::ForEachMutableSubshape(&*layout,
                                        [&](Shape* part, const ShapeIndex&) {
                                          if (part->element_type() == F32)
                                            part->set_element_type(test_type_);
                                        });
    }
    TF_ASSERT_OK_AND_ASSIGN(
        const Literal actual,
        ExecuteAndTransfer(builder, arguments,
                           layout.has_value() ? &*layout : nullptr));
    EXPECT_TRUE(LiteralTestUtil::NearOrEqual(
        MaybeConvertLiteralToTestType(expected), actual, error));
  }
  void ComputeAndCompareLiteral(XlaBuilder* builder, const Literal& expected,
                                Arguments arguments,
                                const Shape* shape_with_layout) {
    ComputeAndCompareLiteral(builder, expected, arguments, std::nullopt,
                             shape_with_layout);
  }
  void ComputeAndCompareTuple(XlaBuilder* builder, const Literal& expected,
                              Arguments arguments, Error error = std::nullopt) {
    ComputeAndCompareLiteral(builder, expected, arguments, error);
  }
  template <typename NativeT>
  void ComputeAndCompareR0(XlaBuilder* builder, NativeT expected,
                           Arguments arguments, Error error = std::nullopt) {
    ComputeAndCompareLiteral(builder, LiteralUtil::CreateR0<NativeT>(expected),
                             arguments, error);
  }
  template <typename NativeT>
  void ComputeAndCompareR1(XlaBuilder* builder,
                           absl::Span<const NativeT> expected,
                           Arguments arguments, Error error = std::nullopt) {
    ComputeAndCompareLiteral(builder, LiteralUtil::CreateR1<NativeT>(expected),
                             arguments, error);
  }
  void ComputeAndCompareR1(XlaBuilder* builder,
                           const tsl::core::Bitmap& expected,
                           Arguments arguments, Error error = std::nullopt) {
    ComputeAndCompareLiteral(builder, LiteralUtil::CreateR1(expected),
                             arguments, error);
  }
  template <typename NativeT>
  void ComputeAndCompareR2(XlaBuilder* builder,
                           const Array2D<NativeT>& expected,
                           Arguments arguments, Error error = std::nullopt) {
    ComputeAndCompareLiteral(builder, LiteralUtil::CreateFromArray(expected),
                             arguments, error);
  }
  template <typename NativeT>
  void ComputeAndCompareR3(XlaBuilder* builder,
                           const Array3D<NativeT>& expected,
                           Arguments arguments, Error error = std::nullopt) {
    ComputeAndCompareLiteral(builder, LiteralUtil::CreateFromArray(expected),
                             arguments, error);
  }
  template <typename NativeT>
  void ComputeAndCompareR4(XlaBuilder* builder,
                           const Array4D<NativeT>& expected,
                           Arguments arguments, Error error = std::nullopt) {
    ComputeAndCompareLiteral(builder, LiteralUtil::CreateFromArray(expected),
                             arguments, error);
  }
  void ComputeAndCompareR1U8(XlaBuilder* builder, absl::string_view expected,
                             Arguments arguments) {
    TF_ASSERT_OK_AND_ASSIGN(const Literal actual,
                            ExecuteAndTransfer(builder, arguments));
    EXPECT_EQ(actual.GetR1U8AsString(), expected);
  }

  // Make a parameter, and return its argument.
  Literal CreateParameterAndTransferLiteral(int64_t parameter_number,
                                            const Literal& literal,
                                            const std::string& name,
                                            XlaBuilder* builder,
                                            XlaOp* data_handle) {
    Literal argument = MaybeConvertLiteralToTestType(literal);
    *data_handle = Parameter(builder, parameter_number, argument.shape(), name);
    return argument;
  }
  template <typename NativeT>
  Literal CreateR0Parameter(NativeT value, int64_t parameter_number,
                            const std::string& name, XlaBuilder* builder,
                            XlaOp* data_handle) {
    return CreateParameterAndTransferLiteral(parameter_number,
                                             LiteralUtil::CreateR0(value), name,
                                             builder, data_handle);
  }
  template <typename NativeT>
  Literal CreateR1Parameter(absl::Span<const NativeT> values,
                            int64_t parameter_number, const std::string& name,
                            XlaBuilder* builder, XlaOp* data_handle) {
    return CreateParameterAndTransferLiteral(parameter_number,
                                             LiteralUtil::CreateR1(values),
                                             name, builder, data_handle);
  }
  template <typename NativeT>
  Literal CreateR2Parameter(const Array2D<NativeT>& values,
                            int64_t parameter_number, const std::string& name,
                            XlaBuilder* builder, XlaOp* data_handle) {
    return CreateParameterAndTransferLiteral(
        parameter_number, LiteralUtil::CreateFromArray(values), name, builder,
        data_handle);
  }
  template <typename NativeT>
  Literal CreateR3Parameter(const Array3D<NativeT>& values,
                            int64_t parameter_number, const std::string& name,
                            XlaBuilder* builder, XlaOp* data_handle) {
    return CreateParameterAndTransferLiteral(
        parameter_number, LiteralUtil::CreateFromArray(values), name, builder,
        data_handle);
  }
  template <typename NativeT>
  Literal CreateR4Parameter(const Array4D<NativeT>& values,
                            int64_t parameter_number, const std::string& name,
                            XlaBuilder* builder, XlaOp* data_handle) {
    return CreateParameterAndTransferLiteral(
        parameter_number, LiteralUtil::CreateFromArray(values), name, builder,
        data_handle);
  }
  XlaComputation CreateScalarMax() { return xla::CreateScalarMax(test_type_); }

  // Converts all arrays of F32.
  Literal MaybeConvertLiteralToTestType(const Literal& literal) const {
    if (literal.shape().IsTuple()) {
      std::vector<Literal> parts = literal.Clone().DecomposeTuple();
      for (Literal& part : parts) part = MaybeConvertLiteralToTestType(part);
      return LiteralUtil::MakeTupleOwned(std::move(parts));
    }
    if (test_type_ == F32 || literal.shape().element_type() != F32) {
      return literal.Clone();
    }
    return literal.Convert(test_type_).value();
  }

 private:
  absl::StatusOr<std::unique_ptr<HloModule>> BuildModule(
      const XlaComputation& computation, Arguments arguments,
      const Shape* shape_with_output_layout = nullptr) {
    TF_ASSIGN_OR_RETURN(
        HloModuleConfig config,
        HloModule::CreateModuleConfigFromProto(
            computation.proto(), execution_options_.debug_options()));
    ComputationLayout& layout = *config.mutable_entry_computation_layout();
    if (layout.parameter_count() != static_cast<int>(arguments.size())) {
      return InvalidArgument("the program has %d parameters, but %d arguments",
                             layout.parameter_count(), arguments.size());
    }
    for (int i = 0; i < layout.parameter_count(); ++i) {
      TF_RETURN_IF_ERROR(
          layout.mutable_parameter_layout(i)->CopyLayoutFromShape(
              arguments[i]->shape()));
    }
    if (shape_with_output_layout != nullptr) {
      TF_RETURN_IF_ERROR(layout.mutable_result_layout()->CopyLayoutFromShape(
          *shape_with_output_layout));
    }
    config.set_seed(execution_options_.seed());
    config.set_replica_count(std::max(execution_options_.num_replicas(), 1));
    config.set_num_partitions(std::max(execution_options_.num_partitions(), 1));
    TF_ASSIGN_OR_RETURN(
        std::unique_ptr<HloModule> module,
        HloModule::CreateFromProto(computation.proto(), config));
    TF_RETURN_IF_ERROR(this->verifier().Verify(*module));
    return module;
  }

  PrimitiveType test_type_ = F32;
  ExecutionOptions execution_options_ = CreateDefaultExecutionOptions();
};

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_CLIENT_LIBRARY_TEST_RUNNER_MIXIN_H_
