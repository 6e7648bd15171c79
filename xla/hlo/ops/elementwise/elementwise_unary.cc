// Shape rules of element-wise ops on one array.
#include "xla/hlo/ops/elementwise/elementwise_unary.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

bool Takes(OperandTypes types, PrimitiveType type) {
  using namespace primitive_util;  // NOLINT(build/namespaces)
  switch (types) {
    case OperandTypes::kFloat:
      return IsFloatingPointType(type);
    case OperandTypes::kFloatOrComplex:
      return IsFloatingPointType(type) || IsComplexType(type);
    case OperandTypes::kInteger:
      return IsIntegralType(type);
    case OperandTypes::kIntegerOrPred:
      return IsIntegralType(type) || type == PRED;
    case OperandTypes::kSigned:
      return IsFloatingPointType(type) || IsComplexType(type) ||
             IsSignedIntegralType(type);
    case OperandTypes::kNumber:
      return type != PRED;
  }
  return false;
}

absl::string_view NameOf(OperandTypes types) {
  switch (types) {
    case OperandTypes::kFloat:
      return "floating-point";
    case OperandTypes::kFloatOrComplex:
      return "floating-point or complex";
    case OperandTypes::kInteger:
      return "integer";
    case OperandTypes::kIntegerOrPred:
      return "integer or pred";
    case OperandTypes::kSigned:
      return "signed integer, floating-point or complex";
    case OperandTypes::kNumber:
      return "integer, floating-point or complex";
  }
  return "";
}

PrimitiveType ResultType(HloOpcode opcode, PrimitiveType type) {
  if (opcode == HloOpcode::kIsFinite) return PRED;
  const bool to_real = opcode == HloOpcode::kAbs ||
                       opcode == HloOpcode::kReal || opcode == HloOpcode::kImag;
  return to_real && primitive_util::IsComplexType(type)
             ? primitive_util::ComplexComponentType(type)
             : type;
}

}  // namespace

absl::StatusOr<Shape> InferElementwiseUnary(HloOpcode opcode,
                                            OperandTypes types,
                                            const InferArgs& args) {
  const Shape& operand = args.operand(0);
  // elementwise_unary_c1: the operand is an array
  if (!operand.IsArray()) {
    return RuleError(
        "elementwise_unary_c1",
        absl::StrCat(HloOpcodeString(opcode), " takes an array, got ",
                     ShapeUtil::HumanString(operand)));
  }
  // elementwise_unary_c2: the op takes the operand's element type
  if (!Takes(types, operand.element_type())) {
    return RuleError(
        "elementwise_unary_c2",
        absl::StrCat(HloOpcodeString(opcode), " takes ", NameOf(types),
                     " elements, got ", ShapeUtil::HumanString(operand)));
  }
  return ShapeWithElementType(operand,
                              ResultType(opcode, operand.element_type()));
}

absl::StatusOr<Shape> InferCopy(const InferArgs& args) {
  Shape result = args.operand(0);
  if (result.IsArray() || result.IsTuple()) {
    LayoutUtil::SetToDefaultLayout(&result);
  }
  return result;
}

}  // namespace xla
