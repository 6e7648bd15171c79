// Tests and steps on the bits of floats, and functions that are HLO ops without
// a function in xla_builder.h.
#include <cmath>
#include <limits>

#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/special/series.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"

namespace xla {
namespace {

using builder_internal::EmitOp;
using special::ApplyToFloats;

XlaOp Function(HloOpcode opcode, XlaOp x, OptionalAccuracy accuracy) {
  return EmitOp(opcode, {x},
                AccuracyAttrs{accuracy.value_or(ResultAccuracy())});
}

PrimitiveType BitsOf(PrimitiveType type) {
  return primitive_util::UnsignedIntegralTypeForBitWidth(
      primitive_util::BitWidth(type));
}

// Returns whether `x` is the given infinity, which types without infinity do
// not have.
XlaOp IsInfinity(absl::string_view name, XlaOp x, double infinity) {
  return ApplyToFloats(
      name, x, [&](absl::Span<const XlaOp> args) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape shape, x.builder()->GetShape(x));
        if (!primitive_util::HasInfinity(shape.element_type())) {
          return Broadcast(ConstantR0<bool>(x.builder(), false),
                           shape.dimensions());
        }
        return Eq(args[0], ScalarLike(x, infinity));
      });
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Numbers of one sign are ordered like their bits.
absl::StatusOr<XlaOp> NextAfterOf(XlaOp from, XlaOp to, PrimitiveType type) {
  const PrimitiveType bits_type = BitsOf(type);
  const uint64_t sign = uint64_t{1} << (primitive_util::BitWidth(type) - 1);
  XlaOp from_bits = BitcastConvertType(from, bits_type);
  XlaOp to_bits = BitcastConvertType(to, bits_type);
  auto constant = [&](uint64_t value) { return ScalarLike(from_bits, value); };
  XlaOp zero = constant(0);
  XlaOp from_sign = And(from_bits, constant(sign));
  XlaOp to_sign = And(to_bits, constant(sign));
  XlaOp from_size = And(from_bits, constant(sign - 1));
  XlaOp to_size = And(to_bits, constant(sign - 1));
  XlaOp towards_zero = Or(Ne(from_sign, to_sign), Gt(from_size, to_size));
  XlaOp next = Select(towards_zero, Sub(from_bits, constant(1)),
                      Add(from_bits, constant(1)));
  // The next number from zero is the smallest one with the sign of `to`.
  next = Select(Eq(from_size, zero), Or(to_sign, constant(1)), next);
  // Zeros are equal, whatever their signs.
  XlaOp equal =
      Or(Eq(from_bits, to_bits), And(Eq(from_size, zero), Eq(to_size, zero)));
  XlaOp result = BitcastConvertType(Select(equal, to_bits, next), type);
  XlaOp nan = Or(Ne(from, from), Ne(to, to));
  return Select(nan, Add(from, to), result);
}

}  // namespace

XlaOp IsPosInf(XlaOp operand) {
  return IsInfinity("IsPosInf", operand, kInfinity);
}

XlaOp IsNegInf(XlaOp operand) {
  return IsInfinity("IsNegInf", operand, -kInfinity);
}

XlaOp IsInf(XlaOp operand) {
  return ApplyToFloats("IsInf", operand, [](absl::Span<const XlaOp> args) {
    return IsPosInf(Abs(args[0]));
  });
}

XlaOp IsNan(XlaOp operand) {
  return ApplyToFloats("IsNan", operand, [](absl::Span<const XlaOp> args) {
    return Ne(args[0], args[0]);
  });
}

XlaOp IsNegZero(XlaOp operand) {
  return ApplyToFloats(
      "IsNegZero", operand,
      [](absl::Span<const XlaOp> args) -> absl::StatusOr<XlaOp> {
        XlaOp x = args[0];
        TF_ASSIGN_OR_RETURN(const Shape shape, x.builder()->GetShape(x));
        PrimitiveType type = shape.element_type();
        if (!primitive_util::HasNegativeZero(type)) {
          return Broadcast(ConstantR0<bool>(x.builder(), false),
                           shape.dimensions());
        }
        if (BitsOf(type) == PRIMITIVE_TYPE_INVALID) {
          // No integer type has six bits.
          type = F32;
          x = ConvertElementType(x, F32);
        }
        const uint64_t sign = uint64_t{1}
                              << (primitive_util::BitWidth(type) - 1);
        XlaOp bits = BitcastConvertType(x, BitsOf(type));
        return Eq(bits, ScalarLike(bits, sign));
      });
}

XlaOp NextAfter(XlaOp from, XlaOp to) {
  XlaBuilder* builder = from.builder();
  return ApplyToFloats(
      "NextAfter", from, [&](absl::Span<const XlaOp>) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(from));
        const PrimitiveType type = shape.element_type();
        if (type != F16 && type != BF16 && type != F32 && type != F64) {
          return absl::UnimplementedError(
              absl::StrCat("NextAfter of ", ShapeUtil::HumanString(shape)));
        }
        return NextAfterOf(from, to, type);
      });
}

XlaOp Square(XlaOp operand) { return Mul(operand, operand); }

XlaOp Reciprocal(XlaOp operand) { return Div(ScalarLike(operand, 1), operand); }

XlaOp RoundToEven(XlaOp x) {
  return ApplyToFloats("RoundToEven", x, [](absl::Span<const XlaOp> args) {
    return RoundNearestEven(args[0]);
  });
}

XlaOp Acos(XlaOp x, OptionalAccuracy result_accuracy, bool expand) {
  return Function(HloOpcode::kAcos, x, result_accuracy);
}
XlaOp Asin(XlaOp x, OptionalAccuracy result_accuracy, bool expand) {
  return Function(HloOpcode::kAsin, x, result_accuracy);
}
XlaOp Acosh(XlaOp x, OptionalAccuracy result_accuracy, bool expand) {
  return Function(HloOpcode::kAcosh, x, result_accuracy);
}
XlaOp Asinh(XlaOp x, OptionalAccuracy result_accuracy, bool expand) {
  return Function(HloOpcode::kAsinh, x, result_accuracy);
}
XlaOp Atanh(XlaOp x, OptionalAccuracy result_accuracy, bool expand) {
  return Function(HloOpcode::kAtanh, x, result_accuracy);
}
XlaOp Cosh(XlaOp x, OptionalAccuracy result_accuracy, bool expand) {
  return Function(HloOpcode::kCosh, x, result_accuracy);
}
XlaOp Sinh(XlaOp x, OptionalAccuracy result_accuracy, bool expand) {
  return Function(HloOpcode::kSinh, x, result_accuracy);
}

XlaOp Atan(XlaOp x) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(x));
    if (!primitive_util::IsComplexType(shape.element_type())) {
      return Atan2(x, ScalarLike(x, 1));
    }
    // atan(z) = -i atanh(i z). Source: DLMF 4.37(v).
    XlaOp turned = Atanh(Complex(Neg(Imag(x)), Real(x)));
    return Complex(Imag(turned), Neg(Real(turned)));
  });
}

XlaOp MaybeConjugate(XlaOp x, bool conjugate) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(x));
    const bool complex = primitive_util::IsComplexType(shape.element_type());
    return complex && conjugate ? Conj(x) : x;
  });
}

}  // namespace xla
