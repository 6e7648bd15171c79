// ClientLibraryTestBase: a fixture that runs what XlaBuilder builds with a
// LocalClient, whose arguments are values that the client holds. XLA has
// ClientLibraryTestRunnerMixin in its place now.
#ifndef COMPAT_XLA_TESTS_CLIENT_LIBRARY_TEST_BASE_H_
#define COMPAT_XLA_TESTS_CLIENT_LIBRARY_TEST_BASE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "xla/array.h"
#include "xla/array2d.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/client/client_library.h"
#include "xla/client/global_data.h"
#include "xla/client/local_client.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"
#include "xla/stream_executor/platform.h"
#include "xla/tests/built_program_checks.h"
#include "xla/tests/client_library_test_runner_utils.h"  // IWYU pragma: export
#include "xla/tests/hlo_runner.h"
#include "xla/tests/literal_test_util.h"  // IWYU pragma: export
#include "xla/tests/test_utils.h"         // IWYU pragma: export
#include "xla/tsl/platform/statusor.h"
#include "xla/xla.pb.h"
#include "xla/xla_data.pb.h"

namespace xla {

// The reference is the evaluator.
class ClientLibraryTestBase
    : public ::testing::Test,
      public BuiltProgramChecks<ClientLibraryTestBase, GlobalData*,
                                std::unique_ptr<GlobalData>> {
 public:
  explicit ClientLibraryTestBase(se::Platform* platform = nullptr)
      : ClientLibraryTestBase(platform, LocalClientOptions()) {}
  ClientLibraryTestBase(se::Platform* platform,
                        LocalClientOptions client_options)
      : client_(ClientLibrary::GetOrCreateLocalClient(
                    client_options.set_platform(platform))
                    .value()) {}

  static std::string TestName() {
    return ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  // Run a program with the execution options; return its result.
  absl::StatusOr<std::unique_ptr<GlobalData>> Execute(XlaBuilder* builder,
                                                      Arguments arguments) {
    TF_ASSIGN_OR_RETURN(const XlaComputation computation, builder->Build());
    return client_->Execute(computation, arguments, &execution_options_);
  }
  absl::StatusOr<Literal> ExecuteAndTransfer(
      const XlaComputation& computation, Arguments arguments,
      const Shape* shape_with_output_layout = nullptr) {
    ExecutionOptions options = execution_options_;
    if (shape_with_output_layout != nullptr) {
      *options.mutable_shape_with_output_layout() =
          shape_with_output_layout->ToProto();
    }
    return client_->ExecuteAndTransfer(computation, arguments, &options);
  }
  // Takes the values of AddParam, if there are any, instead of `arguments`.
  absl::StatusOr<Literal> ExecuteAndTransfer(
      XlaBuilder* builder, Arguments arguments,
      const Shape* shape_with_output_layout = nullptr) {
    TF_ASSIGN_OR_RETURN(const XlaComputation computation, builder->Build());
    if (added_.empty()) {
      return ExecuteAndTransfer(computation, arguments,
                                shape_with_output_layout);
    }
    TF_RETURN_IF_ERROR(CheckNoneBesideAdded(arguments.size()));
    TF_ASSIGN_OR_RETURN(const Held held, Transferred(added_));
    return ExecuteAndTransfer(computation, Pointers(held),
                              shape_with_output_layout);
  }
  absl::StatusOr<Literal> ComputeAndTransfer(
      XlaBuilder* builder, Arguments arguments,
      const Shape* shape_with_layout = nullptr) {
    return RunWithLayout(builder, arguments, shape_with_layout);
  }
  absl::StatusOr<Literal> ExecuteAndTransferReference(
      const XlaComputation& computation, Arguments arguments,
      const Shape* shape_with_output_layout = nullptr) {
    std::vector<Literal> values;
    for (const GlobalData* argument : arguments) {
      TF_ASSIGN_OR_RETURN(values.emplace_back(), client_->Transfer(*argument));
    }
    return RunReference(computation, values, shape_with_output_layout);
  }
  // Returns the values of the reference and of the client.
  absl::StatusOr<std::pair<Literal, Literal>> ComputeValueAndReference(
      XlaBuilder* builder, absl::Span<const Literal> arguments) {
    if (!added_.empty()) {
      TF_RETURN_IF_ERROR(CheckNoneBesideAdded(arguments.size()));
      arguments = added_;
    }
    TF_ASSIGN_OR_RETURN(const XlaComputation computation, builder->Build());
    TF_ASSIGN_OR_RETURN(const Held held, Transferred(arguments));
    TF_ASSIGN_OR_RETURN(Literal reference,
                        RunReference(computation, arguments, nullptr));
    TF_ASSIGN_OR_RETURN(Literal value,
                        ExecuteAndTransfer(computation, Pointers(held)));
    return std::make_pair(std::move(reference), std::move(value));
  }

  // Compare with the reference, or with the values of an array.
  using BuiltProgramChecks::ComputeAndCompare;
  void ComputeAndCompare(XlaBuilder* builder,
                         absl::Span<const Literal> arguments,
                         Error error = std::nullopt) {
    TF_ASSERT_OK_AND_ASSIGN(const auto values,
                            ComputeValueAndReference(builder, arguments));
    EXPECT_TRUE(
        LiteralTestUtil::NearOrEqual(values.first, values.second, error));
  }
  absl::Status ComputeAndCompareLiteralWithStatus(
      XlaBuilder* builder, const Literal& expected, Arguments arguments,
      const Shape* shape_with_layout = nullptr) {
    return CompareWithStatus(builder, expected, arguments, std::nullopt,
                             shape_with_layout);
  }
  absl::Status ComputeAndCompareLiteralWithStatus(
      XlaBuilder* builder, const Literal& expected, Arguments arguments,
      ErrorSpec error, const Shape* shape_with_layout = nullptr) {
    return CompareWithStatus(builder, expected, arguments, error,
                             shape_with_layout);
  }

  // Makes a parameter, and the value for it.
  absl::StatusOr<std::unique_ptr<GlobalData>> CreateParameterAndTransferLiteral(
      int64_t parameter_number, const Literal& literal, const std::string& name,
      const DeviceHandle* device_handle, XlaBuilder* builder,
      XlaOp* data_handle) {
    return client_->TransferToServer(
        ParameterOf(parameter_number, literal, name, builder, data_handle),
        device_handle);
  }
  absl::StatusOr<std::unique_ptr<GlobalData>> CreateParameterAndTransferLiteral(
      int64_t parameter_number, const Literal& literal, const std::string& name,
      XlaBuilder* builder, XlaOp* data_handle) {
    return CreateParameterAndTransferLiteral(parameter_number, literal, name,
                                             /*device_handle=*/nullptr, builder,
                                             data_handle);
  }
  std::unique_ptr<GlobalData> HoldArgument(const Literal& literal) {
    return client_->TransferToServer(literal).value();
  }
  // Makes the next parameter, whose value programs of a builder run with. The
  // program has no others.
  XlaOp AddParam(const Literal& argument, XlaBuilder* builder) {
    XlaOp parameter;
    added_.push_back(ParameterOf(added_.size(), argument,
                                 /*name=*/"", builder, &parameter));
    return parameter;
  }
  template <class T>
  XlaOp AddParam(const Array<T>& argument, XlaBuilder* builder) {
    return AddParam(LiteralUtil::CreateFromArray(argument), builder);
  }

  // Make constants of FloatType().
  XlaOp CreateConstantFromLiteral(const Literal& literal, XlaBuilder* builder) {
    return ConstantLiteral(builder, MaybeConvertLiteralToTestType(literal));
  }
  template <typename NativeT>
  XlaOp CreateConstantFromArray(const Array<NativeT>& array,
                                XlaBuilder* builder) {
    return CreateConstantFromLiteral(LiteralUtil::CreateFromArray(array),
                                     builder);
  }
  template <typename NativeT>
  XlaOp CreateConstantFromScalar(NativeT value, XlaBuilder* builder) {
    return CreateConstantFromLiteral(LiteralUtil::CreateR0<NativeT>(value),
                                     builder);
  }

  XlaComputation CreateScalarRelu() {
    return xla::CreateScalarRelu(FloatType());
  }
  // Of an activation and a gradient: the gradient where the activation is
  // greater than zero, else zero.
  XlaComputation CreateScalarReluSensitivity() {
    XlaBuilder builder("relu_sensitivity");
    const Shape shape = ShapeUtil::MakeShape(FloatType(), {});
    const XlaOp activation = Parameter(&builder, 0, shape, "activation");
    const XlaOp gradient = Parameter(&builder, 1, shape, "gradient");
    const XlaOp zero =
        ConstantLiteral(&builder, LiteralUtil::Zero(FloatType()));
    Select(Gt(activation, zero), gradient, zero);
    return builder.Build().value();
  }

  bool use_bfloat16() const { return FloatType() == BF16; }
  void set_use_bfloat16(bool value) { set_float_type(value ? BF16 : F32); }
  Literal MaybeConvertLiteralToBfloat16(const Literal& literal) {
    return MaybeConvertLiteralToTestType(literal);
  }

 protected:
  LocalClient* client_;

 private:
  using Held = std::vector<std::unique_ptr<GlobalData>>;

  static absl::Status CheckNoneBesideAdded(size_t arguments) {
    if (arguments == 0) return absl::OkStatus();
    return InvalidArgument(
        "%d arguments were given to a program whose parameters AddParam made",
        arguments);
  }
  absl::StatusOr<Held> Transferred(absl::Span<const Literal> values) {
    Held held;
    for (const Literal& value : values) {
      TF_ASSIGN_OR_RETURN(held.emplace_back(),
                          client_->TransferToServer(value));
    }
    return held;
  }
  static std::vector<GlobalData*> Pointers(const Held& held) {
    std::vector<GlobalData*> pointers;
    for (const auto& data : held) pointers.push_back(data.get());
    return pointers;
  }
  absl::StatusOr<Literal> RunReference(const XlaComputation& computation,
                                       absl::Span<const Literal> arguments,
                                       const Shape* shape_with_output_layout) {
    std::vector<const Literal*> pointers;
    for (const Literal& argument : arguments) pointers.push_back(&argument);
    TF_ASSIGN_OR_RETURN(
        std::unique_ptr<HloModule> module,
        BuildModule(computation, pointers, shape_with_output_layout));
    HloRunner evaluator("evaluator");
    return RunModule(evaluator, std::move(module), pointers);
  }
  absl::Status CompareWithStatus(XlaBuilder* builder, const Literal& expected,
                                 Arguments arguments, const Error& error,
                                 const Shape* shape_with_layout) {
    TF_ASSIGN_OR_RETURN(const Literal actual,
                        RunWithLayout(builder, arguments, shape_with_layout));
    EXPECT_TRUE(LiteralTestUtil::NearOrEqual(
        MaybeConvertLiteralToTestType(expected), actual, error));
    return absl::OkStatus();
  }

  std::vector<Literal> added_;
};

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_CLIENT_LIBRARY_TEST_BASE_H_
