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

// Which element types an op takes.
enum class Domain {
  kFloat,
  kFloatOrComplex,
  kInteger,
  kIntegerOrPred,
  kSigned,  // floats, complex numbers and integers with a sign
  kNumber,  // all but pred
};

Domain DomainOf(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kCbrt:
    case HloOpcode::kCeil:
    case HloOpcode::kErf:
    case HloOpcode::kFloor:
    case HloOpcode::kIsFinite:
    case HloOpcode::kRoundNearestAfz:
    case HloOpcode::kRoundNearestEven:
      return Domain::kFloat;
    case HloOpcode::kClz:
    case HloOpcode::kPopulationCount:
      return Domain::kInteger;
    case HloOpcode::kNot:
      return Domain::kIntegerOrPred;
    case HloOpcode::kAbs:
    case HloOpcode::kSign:
      return Domain::kSigned;
    case HloOpcode::kNegate:
      return Domain::kNumber;
    default:
      return Domain::kFloatOrComplex;
  }
}

bool IsInDomain(Domain domain, PrimitiveType type) {
  using namespace primitive_util;  // NOLINT(build/namespaces)
  switch (domain) {
    case Domain::kFloat:
      return IsFloatingPointType(type);
    case Domain::kFloatOrComplex:
      return IsFloatingPointType(type) || IsComplexType(type);
    case Domain::kInteger:
      return IsIntegralType(type);
    case Domain::kIntegerOrPred:
      return IsIntegralType(type) || type == PRED;
    case Domain::kSigned:
      return IsFloatingPointType(type) || IsComplexType(type) ||
             IsSignedIntegralType(type);
    case Domain::kNumber:
      return type != PRED;
  }
  return false;
}

absl::string_view DomainName(Domain domain) {
  switch (domain) {
    case Domain::kFloat:
      return "floating-point";
    case Domain::kFloatOrComplex:
      return "floating-point or complex";
    case Domain::kInteger:
      return "integer";
    case Domain::kIntegerOrPred:
      return "integer or pred";
    case Domain::kSigned:
      return "signed integer, floating-point or complex";
    case Domain::kNumber:
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
  const Domain domain = DomainOf(opcode);
  if (!IsInDomain(domain, operand.element_type())) {
    return RuleError(
        "elementwise_unary_c2",
        absl::StrCat(HloOpcodeString(opcode), " takes ", DomainName(domain),
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
