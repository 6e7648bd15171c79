// BuiltProgramChecks: what the fixtures that run XlaBuilder's programs share,
// whatever holds their arguments.
#ifndef COMPAT_XLA_TESTS_BUILT_PROGRAM_CHECKS_H_
#define COMPAT_XLA_TESTS_BUILT_PROGRAM_CHECKS_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "xla/array.h"
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
#include "xla/tests/literal_test_util.h"
#include "xla/tsl/lib/core/bitmap.h"
#include "xla/tsl/platform/statusor.h"
#include "xla/xla.pb.h"
#include "xla/xla_data.pb.h"

namespace xla {

// `Fixture` derives from this class. Its programs take values of type
// `Argument`, which are borrowed; CreateR*Parameter return them as `Owned`. It
// has
//   ExecuteAndTransfer(builder, arguments, shape_with_output_layout), and
//   HoldArgument(literal), which returns an Owned.
//
// Comparisons are within the error, or exact without one. Floats of parameters
// and of expected values become FloatType(), F32 by default.
template <typename Fixture, typename Argument, typename Owned>
class BuiltProgramChecks {
 public:
  using Arguments = absl::Span<Argument const>;
  using Error = std::optional<ErrorSpec>;

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

  // Runs the program; returns text, also of errors.
  std::string ExecuteToString(XlaBuilder* builder, Arguments arguments) {
    const absl::StatusOr<Literal> result = Run(builder, arguments);
    return result.ok() ? result->ToString() : result.status().ToString();
  }

  // Compare with expected values. The result has the layout of the shape.
  void ComputeAndCompareLiteral(XlaBuilder* builder, const Literal& expected,
                                Arguments arguments, Error error = std::nullopt,
                                const Shape* shape_with_layout = nullptr) {
    TF_ASSERT_OK_AND_ASSIGN(
        const Literal actual,
        RunWithLayout(builder, arguments, shape_with_layout));
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
    ComputeAndCompare<NativeT>(builder, expected, arguments, error);
  }
  template <typename NativeT>
  void ComputeAndCompareR3(XlaBuilder* builder,
                           const Array3D<NativeT>& expected,
                           Arguments arguments, Error error = std::nullopt) {
    ComputeAndCompare<NativeT>(builder, expected, arguments, error);
  }
  template <typename NativeT>
  void ComputeAndCompareR4(XlaBuilder* builder,
                           const Array4D<NativeT>& expected,
                           Arguments arguments, Error error = std::nullopt) {
    ComputeAndCompare<NativeT>(builder, expected, arguments, error);
  }
  template <typename NativeT>
  void ComputeAndCompare(XlaBuilder* builder, const Array<NativeT>& expected,
                         Arguments arguments, Error error = std::nullopt) {
    ComputeAndCompareLiteral(builder, LiteralUtil::CreateFromArray(expected),
                             arguments, error);
  }
  void ComputeAndCompareR1U8(XlaBuilder* builder, absl::string_view expected,
                             Arguments arguments) {
    TF_ASSERT_OK_AND_ASSIGN(const Literal actual, Run(builder, arguments));
    EXPECT_EQ(actual.GetR1U8AsString(), expected);
  }

  // Make a parameter, and return its argument.
  template <typename NativeT>
  Owned CreateR0Parameter(NativeT value, int64_t parameter_number,
                          const std::string& name, XlaBuilder* builder,
                          XlaOp* data_handle) {
    return Hold(ParameterOf(parameter_number, LiteralUtil::CreateR0(value),
                            name, builder, data_handle));
  }
  template <typename NativeT>
  Owned CreateR1Parameter(absl::Span<const NativeT> values,
                          int64_t parameter_number, const std::string& name,
                          XlaBuilder* builder, XlaOp* data_handle) {
    return Hold(ParameterOf(parameter_number, LiteralUtil::CreateR1(values),
                            name, builder, data_handle));
  }
  template <typename NativeT>
  Owned CreateR2Parameter(const Array2D<NativeT>& values,
                          int64_t parameter_number, const std::string& name,
                          XlaBuilder* builder, XlaOp* data_handle) {
    return CreateParameter<NativeT>(values, parameter_number, name, builder,
                                    data_handle);
  }
  template <typename NativeT>
  Owned CreateR3Parameter(const Array3D<NativeT>& values,
                          int64_t parameter_number, const std::string& name,
                          XlaBuilder* builder, XlaOp* data_handle) {
    return CreateParameter<NativeT>(values, parameter_number, name, builder,
                                    data_handle);
  }
  template <typename NativeT>
  Owned CreateR4Parameter(const Array4D<NativeT>& values,
                          int64_t parameter_number, const std::string& name,
                          XlaBuilder* builder, XlaOp* data_handle) {
    return CreateParameter<NativeT>(values, parameter_number, name, builder,
                                    data_handle);
  }
  template <typename NativeT>
  Owned CreateParameter(const Array<NativeT>& values, int64_t parameter_number,
                        const std::string& name, XlaBuilder* builder,
                        XlaOp* data_handle) {
    return Hold(ParameterOf(parameter_number,
                            LiteralUtil::CreateFromArray(values), name, builder,
                            data_handle));
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
  Shape MaybeConvertShapeToTestType(const Shape& shape) const {
    Shape converted = shape;
    ShapeUtil::ForEachMutableSubshape(&converted,
                                      [&](Shape* part, const ShapeIndex&) {
                                        if (part->element_type() == F32)
                                          part->set_element_type(test_type_);
                                      });
    return converted;
  }

 protected:
  // Runs with a layout whose shape has the types of the program in F32.
  absl::StatusOr<Literal> RunWithLayout(XlaBuilder* builder,
                                        Arguments arguments,
                                        const Shape* shape_with_layout) {
    if (shape_with_layout == nullptr) return Run(builder, arguments);
    const Shape layout = MaybeConvertShapeToTestType(*shape_with_layout);
    return Run(builder, arguments, &layout);
  }
  // Makes the parameter of a literal; returns it in its type.
  Literal ParameterOf(int64_t parameter_number, const Literal& literal,
                      const std::string& name, XlaBuilder* builder,
                      XlaOp* data_handle) {
    Literal argument = MaybeConvertLiteralToTestType(literal);
    *data_handle = Parameter(builder, parameter_number, argument.shape(), name);
    return argument;
  }

  // A module with the execution options, and the layouts of the arguments and
  // of the shape. Errors: InvalidArgument for another number of arguments.
  absl::StatusOr<std::unique_ptr<HloModule>> BuildModule(
      const XlaComputation& computation,
      absl::Span<const Literal* const> arguments,
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
    return HloModule::CreateFromProto(computation.proto(), config);
  }
  // Runs a module on all its devices with the same arguments; returns the
  // result of the first.
  absl::StatusOr<Literal> RunModule(
      HloRunnerInterface& runner, std::unique_ptr<HloModule> module,
      absl::Span<const Literal* const> arguments) {
    HloRunnerInterface::ReplicatedExecuteOptions options;
    options.num_devices =
        module->config().replica_count() * module->config().num_partitions();
    options.arguments.assign(arguments.begin(), arguments.end());
    options.run_hlo_passes = true;
    options.seed = static_cast<int64_t>(execution_options_.seed());
    TF_ASSIGN_OR_RETURN(std::vector<Literal> results,
                        runner.ExecuteReplicated(std::move(module), options));
    return std::move(results.front());
  }

  ExecutionOptions execution_options_ = CreateDefaultExecutionOptions();

 private:
  Fixture& fixture() { return static_cast<Fixture&>(*this); }
  absl::StatusOr<Literal> Run(XlaBuilder* builder, Arguments arguments,
                              const Shape* shape_with_output_layout = nullptr) {
    return fixture().ExecuteAndTransfer(builder, arguments,
                                        shape_with_output_layout);
  }
  Owned Hold(Literal literal) {
    return fixture().HoldArgument(std::move(literal));
  }

  PrimitiveType test_type_ = F32;
};

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_BUILT_PROGRAM_CHECKS_H_
