// Builds, runs and compares.
#include "tests/hlo/builder/lib/evaluate.h"

#include <memory>
#include <random>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/rule_matcher.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

absl::StatusOr<Literal> RunOp(const Maker& make,
                              absl::Span<const Literal> arguments) {
  XlaBuilder builder("test");
  std::vector<XlaOp> parameters;
  std::vector<const Literal*> pointers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    parameters.push_back(
        Parameter(&builder, i, arguments[i].shape(), absl::StrCat("p", i)));
    pointers.push_back(&arguments[i]);
  }
  XlaOp root = make(&builder, parameters);
  TF_ASSIGN_OR_RETURN(const XlaComputation computation, builder.Build(root));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      HloModule::CreateFromProto(computation.proto()));
  return HloEvaluator().Evaluate(*module, pointers);
}

std::string RunToText(const Maker& make, absl::Span<const Literal> arguments) {
  absl::StatusOr<Literal> result = RunOp(make, arguments);
  return result.ok() ? result->ToStringWithoutShapeOneline()
                     : result.status().ToString();
}

void ExpectNear(const absl::StatusOr<Literal>& actual, const Literal& expected,
                double tolerance) {
  ASSERT_TRUE(actual.ok()) << actual.status();
  const absl::Status near = literal_comparison::Near(
      expected, *actual, ErrorSpec(tolerance, tolerance));
  EXPECT_TRUE(near.ok()) << near.message();
}

void ExpectBreaks(absl::string_view rule, const Maker& make,
                  absl::Span<const Literal> arguments) {
  const absl::StatusOr<Literal> result = RunOp(make, arguments);
  ASSERT_FALSE(result.ok()) << "expected " << rule;
  EXPECT_THAT(result.status().message(), BreaksRule(std::string(rule)));
}

Literal RandomLiteral(PrimitiveType type, absl::Span<const int64_t> dims,
                      int seed) {
  std::minstd_rand engine(seed + 1);
  std::normal_distribution<double> normal;
  Literal literal(ShapeUtil::MakeShape(C128, dims));
  for (complex128& x : literal.data<complex128>()) {
    const double real = normal(engine);
    x = complex128(real, normal(engine));
  }
  if (type == C128) return literal;
  if (type == C64) return literal.Convert(C64).value();
  Literal real(ShapeUtil::MakeShape(F64, dims));
  for (size_t i = 0; i < real.data<double>().size(); ++i) {
    real.data<double>()[i] = literal.data<complex128>()[i].real();
  }
  return real.Convert(type).value();
}

}  // namespace xla
