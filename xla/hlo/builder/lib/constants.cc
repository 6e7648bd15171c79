// Makes scalars of a type known at run time, from literals.
#include "xla/hlo/builder/lib/constants.h"

#include <limits>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/implicit_broadcast.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

std::string NameOf(PrimitiveType type) {
  return primitive_util::LowercasePrimitiveTypeName(type);
}

XlaOp NotAnArrayType(XlaBuilder* builder, PrimitiveType type) {
  // constant_r0_c1: the type is that of array elements.
  return builder->ReportError(RuleError(
      "constant_r0_c1",
      absl::StrCat("a constant cannot have type ", PrimitiveType_Name(type))));
}

XlaOp Narrowing(XlaBuilder* builder, const char* from, PrimitiveType type) {
  // constant_r0_c2: reals become reals or complex, complex stay complex.
  return builder->ReportError(RuleError(
      "constant_r0_c2", absl::StrCat("Invalid cast: a ", from,
                                     " number cannot become ", NameOf(type))));
}

// Returns the low bits of `value` that `type`, an integer type, keeps.
uint64_t Wrapped(uint64_t value, PrimitiveType type) {
  const int width = primitive_util::BitWidth(type);
  if (width >= 64) return value;
  const uint64_t low = value & ((uint64_t{1} << width) - 1);
  const bool negative =
      primitive_util::IsSignedIntegralType(type) && (low >> (width - 1)) != 0;
  return negative ? low | ~((uint64_t{1} << width) - 1) : low;
}

// Returns the constant for an integer type or PRED; nullopt for other types.
std::optional<XlaOp> OfBits(XlaBuilder* builder, PrimitiveType type,
                            uint64_t bits) {
  if (type == PRED) return ConstantR0<bool>(builder, bits != 0);
  if (!primitive_util::IsIntegralType(type)) return std::nullopt;
  const uint64_t wrapped = Wrapped(bits, type);
  if (primitive_util::IsUnsignedIntegralType(type)) {
    return ConstantLiteral(builder,
                           LiteralUtil::CreateR0<uint64_t>(type, wrapped));
  }
  return ConstantLiteral(builder, LiteralUtil::CreateR0<int64_t>(
                                      type, static_cast<int64_t>(wrapped)));
}

// Returns the double that `limit` finds for a floating-point type.
template <typename Limit>
XlaOp OfLimits(XlaBuilder* builder, PrimitiveType type, const char* what,
               Limit limit) {
  if (!primitive_util::IsFloatingPointType(type)) {
    // limit_c1: the type has that limit.
    return builder->ReportError(RuleError(
        "limit_c1",
        absl::StrCat("type ", PrimitiveType_Name(type), " has no ", what)));
  }
  const double value = primitive_util::FloatingPointTypeSwitch<double>(
      [&](auto constant) {
        using T = primitive_util::NativeTypeOf<decltype(constant)::value>;
        return static_cast<double>(limit(std::numeric_limits<T>()));
      },
      type);
  return constants_internal::OfReal(builder, type, value);
}

XlaOp OfLiteral(XlaBuilder* builder, PrimitiveType type, const char* what,
                absl::FunctionRef<Literal()> make) {
  if (!primitive_util::IsArrayType(type) ||
      primitive_util::IsComplexType(type)) {
    return builder->ReportError(RuleError(
        "limit_c1",
        absl::StrCat("type ", PrimitiveType_Name(type), " has no ", what)));
  }
  return ConstantLiteral(builder, make());
}

// Dimension i of the operand becomes dimension mapping[i] of those of the
// prototype, whose sizes are read when the program runs.
absl::StatusOr<XlaOp> BroadcastLike(XlaOp prototype, const Shape& shape,
                                    XlaOp operand,
                                    absl::Span<const int64_t> mapping) {
  return builder_internal::BroadcastTo(
      *prototype.builder(), operand, shape, mapping,
      {prototype, builder_internal::AllDimensions(shape.rank())});
}

}  // namespace

namespace constants_internal {

XlaOp OfInteger(XlaBuilder* builder, PrimitiveType type, int64_t value) {
  if (!primitive_util::IsArrayType(type)) return NotAnArrayType(builder, type);
  if (auto op = OfBits(builder, type, static_cast<uint64_t>(value))) return *op;
  return ConstantLiteral(builder, LiteralUtil::CreateR0<int64_t>(type, value));
}

XlaOp OfUnsigned(XlaBuilder* builder, PrimitiveType type, uint64_t value) {
  if (!primitive_util::IsArrayType(type)) return NotAnArrayType(builder, type);
  if (auto op = OfBits(builder, type, value)) return *op;
  return ConstantLiteral(builder, LiteralUtil::CreateR0<uint64_t>(type, value));
}

XlaOp OfReal(XlaBuilder* builder, PrimitiveType type, double value) {
  if (!primitive_util::IsArrayType(type)) return NotAnArrayType(builder, type);
  if (!primitive_util::IsFloatingPointType(type) &&
      !primitive_util::IsComplexType(type)) {
    return Narrowing(builder, "real", type);
  }
  return ConstantLiteral(builder, LiteralUtil::CreateR0<double>(type, value));
}

XlaOp OfComplex(XlaBuilder* builder, PrimitiveType type, complex128 value) {
  if (!primitive_util::IsArrayType(type)) return NotAnArrayType(builder, type);
  if (!primitive_util::IsComplexType(type)) {
    return Narrowing(builder, "complex", type);
  }
  return ConstantLiteral(builder,
                         LiteralUtil::CreateR0<complex128>(type, value));
}

PrimitiveType TypeLike(XlaOp prototype) {
  absl::StatusOr<const Shape*> shape =
      prototype.builder()->GetShapePtr(prototype);
  // With the invalid type, ops that use it report an error, but only after the
  // builder's first, which says more.
  if (!shape.ok()) {
    prototype.builder()->ReportError(shape.status());
    return PRIMITIVE_TYPE_INVALID;
  }
  return (*shape)->element_type();
}

XlaOp Fill(XlaOp prototype, XlaOp scalar) {
  XlaBuilder* builder = prototype.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(prototype));
    if (!shape.IsArray()) {
      // full_like_c1: the prototype is an array.
      return RuleError("full_like_c1",
                       absl::StrCat("the prototype must be an array, got ",
                                    ShapeUtil::HumanString(shape)));
    }
    if (shape.is_unbounded_dynamic()) {
      return BroadcastLike(prototype, shape, scalar, {});
    }
    return Broadcast(scalar, shape.dimensions());
  });
}

XlaOp IotaLike(XlaOp prototype, PrimitiveType type, int64_t dimension) {
  XlaBuilder* builder = prototype.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(prototype));
    if (!shape.is_unbounded_dynamic() ||
        shape.is_unbounded_dynamic_dimension(dimension)) {
      return Iota(builder, ShapeUtil::MakeShape(type, shape.dimensions()),
                  dimension);
    }
    return BroadcastLike(prototype, shape,
                         Iota(builder, type, shape.dimensions(dimension)),
                         {dimension});
  });
}

}  // namespace constants_internal

XlaOp Zero(XlaBuilder* builder, PrimitiveType type) {
  return constants_internal::OfInteger(builder, type, 0);
}

XlaOp One(XlaBuilder* builder, PrimitiveType type) {
  return constants_internal::OfInteger(builder, type, 1);
}

XlaOp Zeros(XlaBuilder* builder, const Shape& shape) {
  return Broadcast(Zero(builder, shape.element_type()), shape.dimensions());
}

XlaOp ZerosLike(XlaOp prototype) { return FullLike(prototype, 0); }

XlaOp Epsilon(XlaBuilder* builder, PrimitiveType type) {
  return OfLimits(builder, type, "epsilon",
                  [](auto limits) { return limits.epsilon(); });
}

XlaOp MinPositiveNormalValue(XlaBuilder* builder, PrimitiveType type) {
  return OfLimits(builder, type, "smallest normal number",
                  [](auto limits) { return (limits.min)(); });
}

XlaOp MinValue(XlaBuilder* builder, PrimitiveType type) {
  return OfLiteral(builder, type, "least value",
                   [&] { return LiteralUtil::MinValue(type); });
}

XlaOp MaxValue(XlaBuilder* builder, PrimitiveType type) {
  return OfLiteral(builder, type, "greatest value",
                   [&] { return LiteralUtil::MaxValue(type); });
}

XlaOp MinFiniteValue(XlaBuilder* builder, PrimitiveType type) {
  if (!primitive_util::IsFloatingPointType(type)) {
    return MinValue(builder, type);
  }
  return OfLimits(builder, type, "least value",
                  [](auto limits) { return limits.lowest(); });
}

XlaOp MaxFiniteValue(XlaBuilder* builder, PrimitiveType type) {
  if (!primitive_util::IsFloatingPointType(type)) {
    return MaxValue(builder, type);
  }
  return OfLimits(builder, type, "greatest value",
                  [](auto limits) { return (limits.max)(); });
}

XlaOp NanValue(XlaBuilder* builder, PrimitiveType type) {
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    if (!primitive_util::IsFloatingPointType(type)) {
      return RuleError(
          "limit_c1",
          absl::StrCat("type ", PrimitiveType_Name(type), " has no NaN"));
    }
    TF_ASSIGN_OR_RETURN(const Literal nan, LiteralUtil::NanValue(type));
    return ConstantLiteral(builder, nan);
  });
}

}  // namespace xla
