// Ops that map each element of one array: arithmetic, transcendental and bit
// functions. Conversions are in elementwise_other.h.
#ifndef XLA_HLO_OPS_ELEMENTWISE_ELEMENTWISE_UNARY_H_
#define XLA_HLO_OPS_ELEMENTWISE_ELEMENTWISE_UNARY_H_

#include <string_view>
#include <tuple>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/cost_class.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// The attributes of functions that backends approximate.
struct AccuracyAttrs {
  ResultAccuracy result_accuracy;
  static constexpr auto kFields = std::tuple(
      Field{"result_accuracy", &AccuracyAttrs::result_accuracy,
            "how exact the function has to be: a mode or a tolerance"});
};

// Which element types an op takes.
enum class OperandTypes {
  kFloat,
  kFloatOrComplex,
  kInteger,
  kIntegerOrPred,
  kSigned,  // floats, complex numbers and integers with a sign
  kNumber,  // all but pred
};

// T[dims] -> U[dims] for T of `types`; U is T but for is-finite (pred) and for
// abs, real and imag of complex numbers (their component). Errors: rules
// elementwise_unary_c1 and _c2. Source: "Element-wise unary functions".
absl::StatusOr<Shape> InferElementwiseUnary(HloOpcode opcode,
                                            OperandTypes types,
                                            const InferArgs& args);

// Any shape, unchanged but for the layout.
absl::StatusOr<Shape> InferCopy(const InferArgs& args);

namespace elementwise_internal {

inline constexpr std::string_view kUnarySection =
    "Element-wise unary functions";

template <HloOpcode kOpcode, OperandTypes kTypes>
absl::StatusOr<Shape> InferUnary(const InferArgs& args) {
  return InferElementwiseUnary(kOpcode, kTypes, args);
}
template <HloOpcode kOpcode, OperandTypes kTypes>
absl::StatusOr<Shape> InferUnaryFunction(const InferArgs& args,
                                         const AccuracyAttrs&) {
  return InferElementwiseUnary(kOpcode, kTypes, args);
}

// An exact op.
template <HloOpcode kOpcode, OperandTypes kTypes>
constexpr OpDef Unary(std::string_view name, std::string_view summary,
                      std::string_view section = kUnarySection) {
  return {.opcode = kOpcode,
          .name = name,
          .operands = {"operand"},
          .infer = Infer<NoAttrs, InferUnary<kOpcode, kTypes>>(),
          .elementwise = true,
          .cost_class = CostClass::kArithmetic,
          .summary = summary,
          .section = section};
}

// A function with a requested accuracy.
template <HloOpcode kOpcode, CostClass kCost = CostClass::kTranscendental,
          OperandTypes kTypes = OperandTypes::kFloatOrComplex>
constexpr OpDef Function(std::string_view name, std::string_view summary,
                         std::string_view section = "-") {
  return {.opcode = kOpcode,
          .name = name,
          .operands = {"operand"},
          .attrs = AttrsOf<AccuracyAttrs>(),
          .infer = Infer<AccuracyAttrs, InferUnaryFunction<kOpcode, kTypes>>(),
          .elementwise = true,
          .cost_class = kCost,
          .summary = summary,
          .section = section};
}

}  // namespace elementwise_internal

inline constexpr OpDef kAbs =
    elementwise_internal::Unary<HloOpcode::kAbs, OperandTypes::kSigned>(
        "abs", "Absolute value; of complex numbers the real modulus.");
inline constexpr OpDef kCeil =
    elementwise_internal::Unary<HloOpcode::kCeil, OperandTypes::kFloat>(
        "ceil", "Rounds up to an integer.");
inline constexpr OpDef kClz =
    elementwise_internal::Unary<HloOpcode::kClz, OperandTypes::kInteger>(
        "count-leading-zeros",
        "Counts the zero bits above the highest set one.", "-");
inline constexpr OpDef kFloor =
    elementwise_internal::Unary<HloOpcode::kFloor, OperandTypes::kFloat>(
        "floor", "Rounds down to an integer.");
inline constexpr OpDef kImag =
    elementwise_internal::Unary<HloOpcode::kImag,
                                OperandTypes::kFloatOrComplex>(
        "imag", "Imaginary part; 0 of real numbers.");
inline constexpr OpDef kIsFinite =
    elementwise_internal::Unary<HloOpcode::kIsFinite, OperandTypes::kFloat>(
        "is-finite", "True for numbers that are neither infinite nor NaN.");
inline constexpr OpDef kNegate =
    elementwise_internal::Unary<HloOpcode::kNegate, OperandTypes::kNumber>(
        "negate", "-x; integers wrap around.");
inline constexpr OpDef kNot =
    elementwise_internal::Unary<HloOpcode::kNot, OperandTypes::kIntegerOrPred>(
        "not", "Logical negation of pred, bitwise negation of integers.");
inline constexpr OpDef kPopulationCount =
    elementwise_internal::Unary<HloOpcode::kPopulationCount,
                                OperandTypes::kInteger>(
        "popcnt", "Counts the bits that are set.");
inline constexpr OpDef kReal =
    elementwise_internal::Unary<HloOpcode::kReal,
                                OperandTypes::kFloatOrComplex>(
        "real", "Real part; real numbers as they are.");
inline constexpr OpDef kRoundNearestAfz =
    elementwise_internal::Unary<HloOpcode::kRoundNearestAfz,
                                OperandTypes::kFloat>(
        "round-nearest-afz", "Rounds to an integer, halves away from zero.");
inline constexpr OpDef kRoundNearestEven =
    elementwise_internal::Unary<HloOpcode::kRoundNearestEven,
                                OperandTypes::kFloat>(
        "round-nearest-even", "Rounds to an integer, halves to the even one.");
inline constexpr OpDef kSign =
    elementwise_internal::Unary<HloOpcode::kSign, OperandTypes::kSigned>(
        "sign", "-1, 0 or 1 by sign, keeping NaN and -0; complex x / |x|.");

inline constexpr OpDef kAcos =
    elementwise_internal::Function<HloOpcode::kAcos>("acos", "Arc cosine.");
inline constexpr OpDef kAcosh =
    elementwise_internal::Function<HloOpcode::kAcosh,
                                   CostClass::kLongTranscendental>(
        "acosh", "Inverse hyperbolic cosine.");
inline constexpr OpDef kAsin =
    elementwise_internal::Function<HloOpcode::kAsin>("asin", "Arc sine.");
inline constexpr OpDef kAsinh =
    elementwise_internal::Function<HloOpcode::kAsinh,
                                   CostClass::kLongTranscendental>(
        "asinh", "Inverse hyperbolic sine.");
inline constexpr OpDef kAtanh =
    elementwise_internal::Function<HloOpcode::kAtanh,
                                   CostClass::kLongTranscendental>(
        "atanh", "Inverse hyperbolic tangent.");
inline constexpr OpDef kCbrt = elementwise_internal::Function<
    HloOpcode::kCbrt, CostClass::kLongTranscendental, OperandTypes::kFloat>(
    "cbrt", "Cube root.", elementwise_internal::kUnarySection);
inline constexpr OpDef kCos = elementwise_internal::Function<HloOpcode::kCos>(
    "cosine", "Cosine.", elementwise_internal::kUnarySection);
inline constexpr OpDef kCosh = elementwise_internal::Function<HloOpcode::kCosh>(
    "cosh", "Hyperbolic cosine.");
inline constexpr OpDef kErf = elementwise_internal::Function<
    HloOpcode::kErf, CostClass::kLongTranscendental, OperandTypes::kFloat>(
    "erf", "Error function.");
inline constexpr OpDef kErfc = elementwise_internal::Function<
    HloOpcode::kErfc, CostClass::kLongTranscendental, OperandTypes::kFloat>(
    "erfc",
    "1 - erf(x), accurate for large x. XLA has no such op: a pass makes it of "
    "its expansion (transforms/simplify/erfc_raising.h).");
inline constexpr OpDef kExp = elementwise_internal::Function<HloOpcode::kExp>(
    "exponential", "e^x.", elementwise_internal::kUnarySection);
inline constexpr OpDef kExpm1 =
    elementwise_internal::Function<HloOpcode::kExpm1>("exponential-minus-one",
                                                      "e^x - 1, exact near 0.");
inline constexpr OpDef kLog = elementwise_internal::Function<HloOpcode::kLog>(
    "log", "Natural logarithm.", elementwise_internal::kUnarySection);
inline constexpr OpDef kLog1p =
    elementwise_internal::Function<HloOpcode::kLog1p>(
        "log-plus-one", "log(1 + x), exact near 0.");
inline constexpr OpDef kLogistic =
    elementwise_internal::Function<HloOpcode::kLogistic>(
        "logistic", "1 / (1 + e^-x).", elementwise_internal::kUnarySection);
inline constexpr OpDef kRsqrt =
    elementwise_internal::Function<HloOpcode::kRsqrt, CostClass::kSquareRoot>(
        "rsqrt", "1 / sqrt(x).", elementwise_internal::kUnarySection);
inline constexpr OpDef kSin =
    elementwise_internal::Function<HloOpcode::kSin>("sine", "Sine.");
inline constexpr OpDef kSinh = elementwise_internal::Function<HloOpcode::kSinh>(
    "sinh", "Hyperbolic sine.");
inline constexpr OpDef kSqrt =
    elementwise_internal::Function<HloOpcode::kSqrt, CostClass::kSquareRoot>(
        "sqrt", "Square root.", elementwise_internal::kUnarySection);
inline constexpr OpDef kTan =
    elementwise_internal::Function<HloOpcode::kTan,
                                   CostClass::kLongTranscendental>("tan",
                                                                   "Tangent.");
inline constexpr OpDef kTanh = elementwise_internal::Function<HloOpcode::kTanh>(
    "tanh", "Hyperbolic tangent.", elementwise_internal::kUnarySection);

inline constexpr OpDef kCopy = {
    .opcode = HloOpcode::kCopy,
    .name = "copy",
    .operands = {"operand"},
    .infer = Infer<NoAttrs, InferCopy>(),
    .elementwise = true,
    .cost_class = CostClass::kMovement,
    .summary = "The operand, possibly in another layout.",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_ELEMENTWISE_ELEMENTWISE_UNARY_H_
