// Unary ops, selection and conversions.
#include "xla/hlo/ops/elementwise/elementwise_other.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/builder/implicit_broadcast.h"
#include "xla/hlo/builder/ops/elementwise.h"
#include "xla/hlo/builder/ops/values.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using builder_internal::BroadcastScalars;
using builder_internal::BuilderOf;
using builder_internal::Emit;
using builder_internal::EmitOp;

XlaOp Function(HloOpcode opcode, XlaOp operand,
               const std::optional<ResultAccuracy>& accuracy) {
  return EmitOp(opcode, {operand},
                AccuracyAttrs{accuracy.value_or(ResultAccuracy())});
}

// Returns `operand`'s dimensions with elements of another type.
absl::StatusOr<Shape> WithType(const Shape& operand, PrimitiveType type) {
  // convert_type_c1: conversions are from arrays to a type of arrays.
  if (!operand.IsArray() || !primitive_util::IsArrayType(type)) {
    return RuleError(
        "convert_type_c1",
        absl::StrCat("cannot convert ", ShapeUtil::HumanString(operand),
                     " to type ", PrimitiveType_Name(type)));
  }
  return ShapeWithElementType(operand, type);
}

// Returns the shape of `operand` when its bits are read as `type`.
absl::StatusOr<Shape> BitcastShape(const Shape& operand, PrimitiveType type) {
  TF_ASSIGN_OR_RETURN(Shape shape, WithType(operand, type));
  const int64_t from = primitive_util::BitWidth(operand.element_type());
  const int64_t to = primitive_util::BitWidth(type);
  std::vector<int64_t> sizes(shape.dimensions().begin(),
                             shape.dimensions().end());
  std::vector<bool> dynamic(shape.rank());
  for (int i = 0; i < shape.rank(); ++i) {
    dynamic[i] = shape.is_dynamic_dimension(i);
  }
  if (from > to) {
    sizes.push_back(from / to);
    dynamic.push_back(false);
  } else if (from < to && !sizes.empty()) {
    sizes.pop_back();
    dynamic.pop_back();
  }
  return ShapeUtil::MakeValidatedShape(type, sizes, dynamic);
}

absl::StatusOr<XlaOp> AddSelect(XlaBuilder& b, XlaOp pred, XlaOp on_true,
                                XlaOp on_false, int depth) {
  TF_ASSIGN_OR_RETURN(const Shape* pred_shape, b.GetShapePtr(pred));
  TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(on_true));
  TF_ASSIGN_OR_RETURN(const Shape* other, b.GetShapePtr(on_false));
  // Tuples become a tuple of selects; the rules of select refuse those that do
  // not fit.
  if (shape->IsTuple() && ShapeUtil::Compatible(*shape, *other) &&
      ShapeUtil::IsScalarWithElementType(*pred_shape, PRED) &&
      depth < Shape::kMaxNesting) {
    const int64_t size = shape->tuple_shapes_size();
    std::vector<XlaOp> elements;
    for (int64_t i = 0; i < size; ++i) {
      TF_ASSIGN_OR_RETURN(elements.emplace_back(),
                          AddSelect(b, pred, GetTupleElement(on_true, i),
                                    GetTupleElement(on_false, i), depth + 1));
    }
    return b.AddOp(HloOpcode::kTuple, elements);
  }
  TF_ASSIGN_OR_RETURN(std::vector<XlaOp> operands,
                      BroadcastScalars(b, {pred, on_true, on_false}));
  return b.AddOp(HloOpcode::kSelect, operands);
}

}  // namespace

XlaOp Abs(XlaOp operand) { return EmitOp(HloOpcode::kAbs, {operand}); }
XlaOp Ceil(XlaOp operand) { return EmitOp(HloOpcode::kCeil, {operand}); }
XlaOp Floor(XlaOp operand) { return EmitOp(HloOpcode::kFloor, {operand}); }
XlaOp Round(XlaOp operand) {
  return EmitOp(HloOpcode::kRoundNearestAfz, {operand});
}
XlaOp RoundNearestEven(XlaOp operand) {
  return EmitOp(HloOpcode::kRoundNearestEven, {operand});
}
XlaOp Sign(XlaOp operand) { return EmitOp(HloOpcode::kSign, {operand}); }
XlaOp Neg(XlaOp operand) { return EmitOp(HloOpcode::kNegate, {operand}); }
XlaOp Not(XlaOp operand) { return EmitOp(HloOpcode::kNot, {operand}); }
XlaOp LogicalNot(XlaOp operand) { return Not(operand); }
XlaOp Clz(XlaOp operand) { return EmitOp(HloOpcode::kClz, {operand}); }
XlaOp PopulationCount(XlaOp operand) {
  return EmitOp(HloOpcode::kPopulationCount, {operand});
}
XlaOp IsFinite(XlaOp operand) {
  return EmitOp(HloOpcode::kIsFinite, {operand});
}
XlaOp Real(XlaOp operand) { return EmitOp(HloOpcode::kReal, {operand}); }
XlaOp Imag(XlaOp operand) { return EmitOp(HloOpcode::kImag, {operand}); }
XlaOp Conj(XlaOp operand) { return Complex(Real(operand), Neg(Imag(operand))); }
XlaOp Copy(XlaOp operand) { return EmitOp(HloOpcode::kCopy, {operand}); }

XlaOp Erf(XlaOp operand, OptionalAccuracy result_accuracy) {
  return Function(HloOpcode::kErf, operand, result_accuracy);
}
XlaOp Exp(XlaOp operand, OptionalAccuracy result_accuracy) {
  return Function(HloOpcode::kExp, operand, result_accuracy);
}
XlaOp Expm1(XlaOp operand, OptionalAccuracy result_accuracy) {
  return Function(HloOpcode::kExpm1, operand, result_accuracy);
}
XlaOp Log(XlaOp operand, OptionalAccuracy result_accuracy) {
  return Function(HloOpcode::kLog, operand, result_accuracy);
}
XlaOp Log1p(XlaOp operand, OptionalAccuracy result_accuracy) {
  return Function(HloOpcode::kLog1p, operand, result_accuracy);
}
XlaOp Logistic(XlaOp operand, OptionalAccuracy result_accuracy) {
  return Function(HloOpcode::kLogistic, operand, result_accuracy);
}
XlaOp Cos(XlaOp operand, OptionalAccuracy result_accuracy) {
  return Function(HloOpcode::kCos, operand, result_accuracy);
}
XlaOp Sin(XlaOp operand, OptionalAccuracy result_accuracy) {
  return Function(HloOpcode::kSin, operand, result_accuracy);
}
XlaOp Tan(XlaOp operand, OptionalAccuracy result_accuracy) {
  return Function(HloOpcode::kTan, operand, result_accuracy);
}
XlaOp Tanh(XlaOp operand, OptionalAccuracy result_accuracy) {
  return Function(HloOpcode::kTanh, operand, result_accuracy);
}
XlaOp Sqrt(XlaOp operand, OptionalAccuracy result_accuracy) {
  return Function(HloOpcode::kSqrt, operand, result_accuracy);
}
XlaOp Rsqrt(XlaOp operand, OptionalAccuracy result_accuracy) {
  return Function(HloOpcode::kRsqrt, operand, result_accuracy);
}
XlaOp Cbrt(XlaOp operand, OptionalAccuracy result_accuracy) {
  return Function(HloOpcode::kCbrt, operand, result_accuracy);
}

XlaOp Select(XlaOp pred, XlaOp on_true, XlaOp on_false) {
  return Emit(BuilderOf({pred, on_true, on_false}), [&](XlaBuilder& b) {
    return AddSelect(b, pred, on_true, on_false, 0);
  });
}

XlaOp Clamp(XlaOp min, XlaOp operand, XlaOp max) {
  return Emit(BuilderOf({min, operand, max}),
              [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
                TF_ASSIGN_OR_RETURN(std::vector<XlaOp> operands,
                                    BroadcastScalars(b, {min, operand, max}));
                return b.AddOp(HloOpcode::kClamp, operands);
              });
}

XlaOp ConvertElementType(XlaOp operand, PrimitiveType new_element_type) {
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* from, b.GetShapePtr(operand));
        TF_ASSIGN_OR_RETURN(const Shape to, WithType(*from, new_element_type));
        XlaOp source = operand;
        if (ShapeUtil::ElementIsComplex(*from) &&
            !ShapeUtil::ElementIsComplex(to)) {
          source = Real(operand);
        }
        return b.AddOp(HloOpcode::kConvert, {source}, {}, {}, &to);
      });
}

XlaOp BitcastConvertType(XlaOp operand, PrimitiveType new_element_type) {
  return Emit(
      BuilderOf({operand}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* from, b.GetShapePtr(operand));
        TF_ASSIGN_OR_RETURN(const Shape to,
                            BitcastShape(*from, new_element_type));
        return b.AddOp(HloOpcode::kBitcastConvert, {operand}, {}, {}, &to);
      });
}

XlaOp StochasticConvertType(XlaOp operand, XlaOp random,
                            PrimitiveType new_element_type) {
  return Emit(BuilderOf({operand, random}),
              [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
                TF_ASSIGN_OR_RETURN(const Shape* from, b.GetShapePtr(operand));
                TF_ASSIGN_OR_RETURN(const Shape to,
                                    WithType(*from, new_element_type));
                return b.AddOp(HloOpcode::kStochasticConvert, {operand, random},
                               {}, {}, &to);
              });
}

XlaOp ReducePrecision(XlaOp operand, int exponent_bits, int mantissa_bits) {
  return EmitOp(HloOpcode::kReducePrecision, {operand},
                ReducePrecisionAttrs{exponent_bits, mantissa_bits});
}

}  // namespace xla
