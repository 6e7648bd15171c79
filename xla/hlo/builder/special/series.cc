// Promotes arguments and evaluates series.
#include "xla/hlo/builder/special/series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/ops/op_def.h"

namespace xla::special {
namespace {

// math_c1: the argument has floating-point elements.
absl::Status CheckFloat(absl::string_view name, const Shape& shape) {
  if (shape.IsArray() &&
      primitive_util::IsFloatingPointType(shape.element_type())) {
    return absl::OkStatus();
  }
  return RuleError("math_c1",
                   absl::StrCat(name, " of ", ShapeUtil::HumanString(shape),
                                ": elements must be floating point"));
}

}  // namespace

XlaOp Apply(absl::string_view name, absl::Span<const XlaOp> arguments,
            Function function) {
  XlaBuilder* builder = arguments[0].builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const std::vector<Shape> shapes,
                        builder->GetOperandShapes(arguments));
    Shape whole = shapes[0];
    for (const Shape& shape : shapes) {
      TF_RETURN_IF_ERROR(CheckFloat(name, shape));
      if (whole.rank() == 0) whole = shape;
    }
    const PrimitiveType type = whole.element_type();
    const PrimitiveType wide = type == F64 ? F64 : F32;
    std::vector<XlaOp> wide_arguments;
    for (size_t i = 0; i < shapes.size(); ++i) {
      if (shapes[i].element_type() != type ||
          (shapes[i].rank() != 0 && !ShapeUtil::Compatible(shapes[i], whole))) {
        // math_c2: the arguments have one type, and one shape or none.
        return RuleError(
            "math_c2",
            absl::StrCat(name, " of ", ShapeUtil::HumanString(whole), " and ",
                         ShapeUtil::HumanString(shapes[i])));
      }
      XlaOp argument = ConvertElementType(arguments[i], wide);
      if (shapes[i].rank() != whole.rank()) {
        argument = Broadcast(argument, whole.dimensions());
      }
      wide_arguments.push_back(argument);
    }
    TF_ASSIGN_OR_RETURN(XlaOp result, function(wide_arguments));
    return ConvertElementType(result, type);
  });
}

XlaOp ApplyToFloats(absl::string_view name, XlaOp x, Function function) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(x));
    TF_RETURN_IF_ERROR(CheckFloat(name, shape));
    return function({x});
  });
}

XlaOp Real(XlaOp like, double value) { return ScalarLike(like, value); }

XlaOp NanLike(XlaOp x) {
  return FullLike(x, std::numeric_limits<double>::quiet_NaN());
}

XlaOp InfinityLike(XlaOp x) {
  return FullLike(x, std::numeric_limits<double>::infinity());
}

double EpsilonLike(XlaOp x) {
  return constants_internal::TypeLike(x) == F64 ? 0x1p-52 : 0x1p-23;
}

XlaOp Polynomial(XlaOp x, absl::Span<const double> c) {
  XlaOp sum = FullLike(x, c.back());
  for (size_t i = c.size() - 1; i > 0; --i) {
    sum = Add(Mul(sum, x), Real(x, c[i - 1]));
  }
  return sum;
}

XlaOp Chebyshev(XlaOp x, absl::Span<const double> c) {
  const double least = std::abs(c[0]) * EpsilonLike(x) / 16;
  size_t count = c.size();
  while (count > 2 && std::abs(c[count - 1]) < least) --count;
  XlaOp twice = Add(x, x);
  XlaOp next = ZerosLike(x);
  XlaOp sum = FullLike(x, c[count - 1]);
  for (size_t i = count - 2; i > 0; --i) {
    XlaOp before = Add(Sub(Mul(twice, sum), next), Real(x, c[i]));
    next = sum;
    sum = before;
  }
  return Add(Sub(Mul(x, sum), next), Real(x, c[0]));
}

XlaOp SinPi(XlaOp x) {
  // sin(pi (k + r)) = (-1)^k sin(pi r).
  XlaOp nearest = RoundNearestEven(x);
  XlaOp sine = Sin(Mul(Real(x, std::numbers::pi), Sub(x, nearest)));
  XlaOp half = Mul(nearest, Real(x, 0.5));
  return Select(Eq(half, Floor(half)), sine, Neg(sine));
}

XlaOp IsPole(XlaOp x) { return And(Le(x, Real(x, 0)), Eq(x, Floor(x))); }

}  // namespace xla::special
