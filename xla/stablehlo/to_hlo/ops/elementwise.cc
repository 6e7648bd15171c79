// Element-wise ops of StableHLO: an opcode each, some with attributes. chlo.cc
// has those of chlo.
#include "xla/stablehlo/to_hlo/ops/elementwise.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/elementwise/elementwise_other.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"
#include "xla/stablehlo/to_hlo/ops/shapes.h"

namespace xla::stablehlo {
namespace {

template <HloOpcode kOpcode, int kOperands>
absl::Status Plain(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(kOperands));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  return conversion.Emit(kOpcode, conversion.operands());
}

// Converts functions that have a result_accuracy attribute.
template <HloOpcode kOpcode>
absl::Status MathFunction(OpConversion& conversion) {
  return EmitFunction(conversion, kOpcode);
}

absl::Status ConvertCompare(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(CompareAttrs attrs, CompareAttrsOf(conversion));
  return conversion.Emit(HloOpcode::kCompare, conversion.operands(),
                         std::move(attrs));
}

absl::Status ConvertConvert(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_ASSIGN_OR_RETURN(Shape shape, OperandShapeOfResultType(conversion));
  conversion.SetResults(conversion.Add(HloOpcode::kConvert, std::move(shape),
                                       conversion.operands()));
  return absl::OkStatus();
}

// If the widths differ, the last dimension is added or removed.
absl::Status ConvertBitcastConvert(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_ASSIGN_OR_RETURN(Shape shape, OperandShapeOfResultType(conversion));
  if (!conversion.result_type().IsStatic()) {
    const Shape& operand = conversion.operand(0)->shape();
    const int from = primitive_util::BitWidth(operand.element_type());
    const int to = primitive_util::BitWidth(shape.element_type());
    if (from > to) {
      ShapeUtil::AppendMinorDimension(from / to, &shape);
    } else if (from < to && shape.rank() > 0) {
      shape = ShapeUtil::DeleteDimension(shape.rank() - 1, std::move(shape));
    }
  }
  conversion.SetResults(conversion.Add(
      HloOpcode::kBitcastConvert, std::move(shape), conversion.operands()));
  return absl::OkStatus();
}

absl::Status ConvertReducePrecision(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  ReducePrecisionAttrs attrs;
  TF_ASSIGN_OR_RETURN(attrs.exponent_bits, conversion.Integer("exponent_bits"));
  TF_ASSIGN_OR_RETURN(attrs.mantissa_bits, conversion.Integer("mantissa_bits"));
  return conversion.Emit(HloOpcode::kReducePrecision, conversion.operands(),
                         attrs);
}

// Not all backends support imag of real numbers in HLO; both ops are simple.
absl::Status ConvertReal(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_RETURN_IF_ERROR(ExpectArray(conversion, 0));
  if (ShapeUtil::ElementIsComplex(conversion.operand(0)->shape())) {
    return conversion.Emit(HloOpcode::kReal, conversion.operands());
  }
  return conversion.Emit(HloOpcode::kCopy, conversion.operands());
}

absl::Status ConvertImag(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_RETURN_IF_ERROR(ExpectArray(conversion, 0));
  const Shape& shape = conversion.operand(0)->shape();
  if (ShapeUtil::ElementIsComplex(shape)) {
    return conversion.Emit(HloOpcode::kImag, conversion.operands());
  }
  conversion.SetResults(FilledLike(conversion, shape, 0));
  return absl::OkStatus();
}

constexpr Rule kElementwiseRules[] = {
    {"stablehlo.abs", Plain<HloOpcode::kAbs, 1>},
    {"stablehlo.ceil", Plain<HloOpcode::kCeil, 1>},
    {"stablehlo.count_leading_zeros", Plain<HloOpcode::kClz, 1>},
    {"stablehlo.floor", Plain<HloOpcode::kFloor, 1>},
    {"stablehlo.imag", ConvertImag},
    {"stablehlo.is_finite", Plain<HloOpcode::kIsFinite, 1>},
    {"stablehlo.negate", Plain<HloOpcode::kNegate, 1>},
    {"stablehlo.not", Plain<HloOpcode::kNot, 1>},
    {"stablehlo.popcnt", Plain<HloOpcode::kPopulationCount, 1>},
    {"stablehlo.real", ConvertReal},
    {"stablehlo.round_nearest_afz", Plain<HloOpcode::kRoundNearestAfz, 1>},
    {"stablehlo.round_nearest_even", Plain<HloOpcode::kRoundNearestEven, 1>},
    {"stablehlo.sign", Plain<HloOpcode::kSign, 1>},

    {"stablehlo.cbrt", MathFunction<HloOpcode::kCbrt>},
    {"stablehlo.cosine", MathFunction<HloOpcode::kCos>},
    {"stablehlo.exponential", MathFunction<HloOpcode::kExp>},
    {"stablehlo.exponential_minus_one", MathFunction<HloOpcode::kExpm1>},
    {"stablehlo.log", MathFunction<HloOpcode::kLog>},
    {"stablehlo.log_plus_one", MathFunction<HloOpcode::kLog1p>},
    {"stablehlo.logistic", MathFunction<HloOpcode::kLogistic>},
    {"stablehlo.rsqrt", MathFunction<HloOpcode::kRsqrt>},
    {"stablehlo.sine", MathFunction<HloOpcode::kSin>},
    {"stablehlo.sqrt", MathFunction<HloOpcode::kSqrt>},
    {"stablehlo.tan", MathFunction<HloOpcode::kTan>},
    {"stablehlo.tanh", MathFunction<HloOpcode::kTanh>},

    {"stablehlo.add", Plain<HloOpcode::kAdd, 2>},
    {"stablehlo.and", Plain<HloOpcode::kAnd, 2>},
    {"stablehlo.atan2", Plain<HloOpcode::kAtan2, 2>},
    {"stablehlo.complex", Plain<HloOpcode::kComplex, 2>},
    {"stablehlo.divide", Plain<HloOpcode::kDivide, 2>},
    {"stablehlo.maximum", Plain<HloOpcode::kMaximum, 2>},
    {"stablehlo.minimum", Plain<HloOpcode::kMinimum, 2>},
    {"stablehlo.multiply", Plain<HloOpcode::kMultiply, 2>},
    {"stablehlo.or", Plain<HloOpcode::kOr, 2>},
    {"stablehlo.power", Plain<HloOpcode::kPower, 2>},
    {"stablehlo.remainder", Plain<HloOpcode::kRemainder, 2>},
    {"stablehlo.shift_left", Plain<HloOpcode::kShiftLeft, 2>},
    {"stablehlo.shift_right_arithmetic",
     Plain<HloOpcode::kShiftRightArithmetic, 2>},
    {"stablehlo.shift_right_logical", Plain<HloOpcode::kShiftRightLogical, 2>},
    {"stablehlo.subtract", Plain<HloOpcode::kSubtract, 2>},
    {"stablehlo.xor", Plain<HloOpcode::kXor, 2>},

    {"stablehlo.clamp", Plain<HloOpcode::kClamp, 3>},
    {"stablehlo.select", Plain<HloOpcode::kSelect, 3>},
    {"stablehlo.compare", ConvertCompare},
    {"stablehlo.convert", ConvertConvert},
    {"stablehlo.bitcast_convert", ConvertBitcastConvert},
    {"stablehlo.reduce_precision", ConvertReducePrecision},
};

// Reads {atol, rtol, ulps, mode}; the mode decides whether the others matter.
absl::StatusOr<AccuracyAttrs> AccuracyOf(OpConversion& conversion) {
  AccuracyAttrs attrs;
  const Attribute* accuracy = conversion.Find("result_accuracy");
  if (accuracy == nullptr) return attrs;
  if (accuracy->kind != Attribute::Kind::kDictionary) {
    return conversion.Error("result_accuracy must be a #stablehlo attribute");
  }
  const Attribute* mode = accuracy->Field("mode");
  const absl::string_view name = mode == nullptr ? "DEFAULT" : mode->text;
  if (name == "HIGHEST") {
    attrs.result_accuracy.set_mode(ResultAccuracy::HIGHEST);
  } else if (name == "TOLERANCE") {
    ResultAccuracy::Tolerance* to = attrs.result_accuracy.mutable_tolerance();
    if (const Attribute* atol = accuracy->Field("atol")) {
      to->set_atol(atol->real);
    }
    if (const Attribute* rtol = accuracy->Field("rtol")) {
      to->set_rtol(rtol->real);
    }
    if (const Attribute* ulps = accuracy->Field("ulps")) {
      to->set_ulps(ulps->integer);
    }
  } else if (name != "DEFAULT") {
    return conversion.Error(
        absl::StrCat("unknown mode of result_accuracy: ", name));
  }
  return attrs;
}

}  // namespace

absl::Span<const Rule> ElementwiseRules() { return kElementwiseRules; }

absl::Status EmitFunction(OpConversion& conversion, HloOpcode opcode) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(AccuracyAttrs attrs, AccuracyOf(conversion));
  return conversion.Emit(opcode, conversion.operands(), std::move(attrs));
}

absl::StatusOr<CompareAttrs> CompareAttrsOf(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(ExpectArray(conversion, 0));
  CompareAttrs attrs;
  TF_ASSIGN_OR_RETURN(absl::string_view direction,
                      conversion.EnumOr("comparison_direction", ""));
  absl::StatusOr<ComparisonDirection> parsed =
      StringToComparisonDirection(direction);
  if (!parsed.ok()) return conversion.Annotate(parsed.status());
  attrs.direction = *parsed;
  TF_ASSIGN_OR_RETURN(absl::string_view name,
                      conversion.EnumOr("compare_type", "NOTYPE"));
  if (name == "NOTYPE") return attrs;
  absl::StatusOr<Comparison::Type> type = StringToComparisonType(name);
  if (!type.ok()) return conversion.Annotate(type.status());
  const PrimitiveType element = conversion.operand(0)->shape().element_type();
  if (*type != DefaultComparisonType(element)) attrs.type = *type;
  return attrs;
}

}  // namespace xla::stablehlo
