// Builds, verifies and runs modules; makes values from texts.
#include "tests/hlo/builder/builder_testing.h"

#include <utility>

#include "gtest/gtest.h"
#include "xla/base/status_macros.h"
#include "xla/base/text_scanner.h"
#include "xla/core/literal/literal_text.h"
#include "xla/core/shape_text.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {

absl::StatusOr<std::unique_ptr<HloModule>> ReadAndVerify(
    const XlaComputation& computation) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      HloModule::CreateFromProto(computation.proto()));
  TF_RETURN_IF_ERROR(HloVerifier().Verify(*module));
  return module;
}

Literal BuildAndRun(XlaBuilder& builder) {
  auto run = [&]() -> absl::StatusOr<Literal> {
    TF_ASSIGN_OR_RETURN(XlaComputation computation, builder.Build());
    TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                        ReadAndVerify(computation));
    return HloEvaluator().Evaluate(*module, absl::Span<const Literal* const>());
  };
  absl::StatusOr<Literal> result = run();
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *std::move(result) : LiteralUtil::CreateR0<int32_t>(0);
}

std::string ErrorOf(const XlaBuilder& builder) {
  return std::string(builder.first_error().message());
}

Literal ParseValue(absl::string_view text) {
  auto parse = [&]() -> absl::StatusOr<Literal> {
    // The first blank outside parentheses separates shape and value: scanned
    // together, a value in braces would be read as the layout.
    size_t end = 0;
    for (int depth = 0; end < text.size(); ++end) {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
      if (depth == 0 && text[end] == ' ') break;
    }
    TF_ASSIGN_OR_RETURN(Shape shape, ParseShape(text.substr(0, end)));
    TextScanner scanner(text.substr(end));
    return ScanLiteral(scanner, shape);
  };
  absl::StatusOr<Literal> value = parse();
  EXPECT_TRUE(value.ok()) << text << ": " << value.status();
  return value.ok() ? *std::move(value) : LiteralUtil::CreateR0<int32_t>(0);
}

XlaOp ConstantOf(XlaBuilder* builder, absl::string_view text) {
  return ConstantLiteral(builder, ParseValue(text));
}

namespace {

XlaComputation ScalarComputation(const char* name, PrimitiveType type,
                                 XlaOp (*make)(XlaOp, XlaOp)) {
  XlaBuilder builder(name);
  const Shape scalar = ShapeUtil::MakeShape(type, {});
  make(Parameter(&builder, 0, scalar, "x"),
       Parameter(&builder, 1, scalar, "y"));
  return *builder.Build();
}

}  // namespace

XlaComputation ScalarAdd(PrimitiveType type) {
  return ScalarComputation("add", type,
                           [](XlaOp x, XlaOp y) { return Add(x, y); });
}

XlaComputation ScalarLess(PrimitiveType type) {
  return ScalarComputation("less", type,
                           [](XlaOp x, XlaOp y) { return Lt(x, y); });
}

XlaComputation Identity(const Shape& shape) {
  XlaBuilder builder("identity");
  Parameter(&builder, 0, shape, "x");
  return *builder.Build();
}

}  // namespace xla
