// Selects the loop of an element-wise op for given element types, and the
// conversions around it.
#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/evaluator/elementwise/elementwise.h"
#include "xla/hlo/evaluator/elementwise/kernels.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/elementwise/elementwise_other.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

// Returns the type in which elements of `type` are computed. Small floats are
// computed in F32 and rounded once more.
PrimitiveType ComputeType(PrimitiveType type) {
  if (primitive_util::IsSignedIntegralType(type)) return S64;
  if (primitive_util::IsUnsignedIntegralType(type)) return U64;
  if (primitive_util::IsFloatingPointType(type) && type != F64) return F32;
  return type;
}

PrimitiveType UnsignedOfWidth(PrimitiveType type) {
  return primitive_util::UnsignedIntegralTypeForBitWidth(
      primitive_util::BitWidth(type));
}

// Returns the type as which integers are read to be zero-extended.
PrimitiveType ZeroExtended(PrimitiveType type) {
  return primitive_util::IsSignedIntegralType(type) ? UnsignedOfWidth(type)
                                                    : type;
}

PrimitiveType SignExtended(PrimitiveType type) {
  return primitive_util::IsUnsignedIntegralType(type)
             ? primitive_util::SignedIntegralTypeForBitWidth(
                   primitive_util::BitWidth(type))
             : type;
}

bool IsShift(HloOpcode opcode) {
  return opcode == HloOpcode::kShiftLeft ||
         opcode == HloOpcode::kShiftRightArithmetic ||
         opcode == HloOpcode::kShiftRightLogical;
}

// Returns whether the bits above the first operand's width must be zero.
bool ReadsBits(HloOpcode opcode) {
  return opcode == HloOpcode::kClz || opcode == HloOpcode::kPopulationCount ||
         opcode == HloOpcode::kShiftRightLogical;
}

// Returns the result type of a kernel that computes in `type`.
PrimitiveType KernelResultType(HloOpcode opcode, PrimitiveType type) {
  switch (opcode) {
    case HloOpcode::kIsFinite:
    case HloOpcode::kCompare:
      return PRED;
    case HloOpcode::kComplex:
      return primitive_util::ComplexType(type);
    case HloOpcode::kAbs:
    case HloOpcode::kImag:
    case HloOpcode::kReal:
      return primitive_util::IsComplexType(type)
                 ? primitive_util::ComplexComponentType(type)
                 : type;
    default:
      return type;
  }
}

KernelFn ArithmeticKernel(const HloInstruction& hlo, PrimitiveType type) {
  if (hlo.opcode() == HloOpcode::kCompare) {
    const auto& attrs = hlo.attrs<CompareAttrs>();
    return CompareKernel(attrs.direction, type,
                         attrs.type == Comparison::Type::kFloatTotalOrder &&
                             primitive_util::IsFloatingPointType(type));
  }
  switch (type) {
    case PRED:
      return PredKernel(hlo.opcode());
    case S64:
    case U64:
      return IntegerKernel(hlo.opcode(), type);
    case F32:
    case F64:
      return FloatKernel(hlo.opcode(), type);
    case C64:
    case C128:
      return ComplexKernel(hlo.opcode(), type);
    default:
      return nullptr;
  }
}

std::string TypeName(PrimitiveType type) {
  return primitive_util::LowercasePrimitiveTypeName(type);
}

}  // namespace

bool ElementwiseKernel::SetConversion(Types types) {
  operands_[0] = {types[0], result_stored_};
  result_computed_ = result_stored_;
  return true;
}

bool ElementwiseKernel::SetSelect(Types types) {
  if (types.size() != 3 || types[0] != PRED) return false;
  const PrimitiveType type = result_stored_;
  operands_ = {Operand{PRED, PRED}, Operand{types[1], type},
               Operand{types[2], type}};
  result_computed_ = type;
  fn_ = SelectKernel(primitive_util::ByteWidth(type));
  return true;
}

bool ElementwiseKernel::SetReducePrecision(const HloInstruction& hlo,
                                           Types types) {
  PrimitiveType type = types[0];
  if (!primitive_util::IsFloatingPointType(type)) return false;
  if (type == F16 || type == BF16 || type == F32 || type == F64) {
    // The kernel works on the bits directly.
    operands_[0] = {UnsignedOfWidth(type), UnsignedOfWidth(type)};
    result_computed_ = result_stored_ = UnsignedOfWidth(type);
  } else {
    operands_[0] = {type, F32};
    result_computed_ = type = F32;
  }
  const auto& attrs = hlo.attrs<ReducePrecisionAttrs>();
  params_.exponent_bits =
      static_cast<int>(std::min<int64_t>(attrs.exponent_bits, 64));
  params_.mantissa_bits =
      static_cast<int>(std::min<int64_t>(attrs.mantissa_bits, 64));
  params_.source_exponent_bits = primitive_util::ExponentWidth(type);
  params_.source_mantissa_bits = primitive_util::SignificandWidth(type) - 1;
  fn_ = ReducePrecisionKernel(primitive_util::ByteWidth(type));
  return true;
}

bool ElementwiseKernel::SetStochasticConvert(Types types) {
  const PrimitiveType type = result_stored_;
  if (types.size() != 2 || type == PRED ||
      primitive_util::IsComplexType(type) ||
      !primitive_util::IsFloatingPointType(types[0]) ||
      !primitive_util::IsUnsignedIntegralType(types[1])) {
    return false;
  }
  operands_[0] = {types[0], F64};
  operands_[1] = {types[1], U64};
  result_computed_ = F64;
  if (primitive_util::IsFloatingPointType(type)) {
    params_.is_integer = false;
    params_.exponent_bits = primitive_util::UnderflowExponent(type) - 1;
    params_.mantissa_bits = primitive_util::SignificandWidth(type) - 1;
  } else {
    params_.is_integer = true;
  }
  fn_ = StochasticRoundKernel();
  return true;
}

bool ElementwiseKernel::SetArithmetic(const HloInstruction& hlo, Types types) {
  const HloOpcode opcode = hlo.opcode();
  PrimitiveType widest = types[0];
  for (PrimitiveType type : types) {
    if (type == widest) continue;
    if (!primitive_util::IsFloatingPointType(type) ||
        !primitive_util::IsFloatingPointType(widest)) {
      return false;
    }
    widest = primitive_util::HigherPrecisionType(widest, type);
  }
  const bool reads_bits = ReadsBits(opcode);
  const PrimitiveType type =
      ComputeType(reads_bits ? ZeroExtended(widest) : widest);
  for (size_t i = 0; i < types.size(); ++i) {
    operands_[i] = {types[i], type};
    if (opcode == HloOpcode::kShiftRightArithmetic && i == 0) {
      // The top bit is the sign bit, even of unsigned numbers.
      operands_[i].stored = SignExtended(types[i]);
      operands_[i].computed = ComputeType(operands_[i].stored);
    }
    if (reads_bits || (IsShift(opcode) && i == 1)) {
      operands_[i].stored = ZeroExtended(types[i]);
      operands_[i].computed = ComputeType(operands_[i].stored);
    }
  }
  if (opcode == HloOpcode::kCompare && types[0] == types[1] &&
      primitive_util::HasNegativeZero(widest) &&
      (params_.width == 8 || params_.width == 16)) {
    const auto& attrs = hlo.attrs<CompareAttrs>();
    if (attrs.type == Comparison::Type::kFloatTotalOrder) {
      // Move them as bits, since conversion would make all NaNs quiet.
      const PrimitiveType bits =
          primitive_util::SignedIntegralTypeForBitWidth(params_.width);
      operands_[0] = operands_[1] = {bits, S64};
      result_computed_ = PRED;
      fn_ = CompareKernel(attrs.direction, S64, /*total=*/true);
      return fn_ != nullptr;
    }
  }
  if (opcode == HloOpcode::kReal && !primitive_util::IsComplexType(type)) {
    return SetConversion(types);
  }
  result_computed_ = KernelResultType(opcode, type);
  fn_ = ArithmeticKernel(hlo, type);
  return fn_ != nullptr;
}

bool ElementwiseKernel::Set(const HloInstruction& hlo, Types types) {
  if (types.empty() || types.size() > operands_.size() ||
      types.size() != static_cast<size_t>(hlo.operand_count()) ||
      !primitive_util::IsArrayType(result_stored_) ||
      !std::all_of(types.begin(), types.end(), primitive_util::IsArrayType)) {
    return false;
  }
  operand_count_ = static_cast<int>(types.size());
  params_.width = primitive_util::BitWidth(types[0]);
  switch (hlo.opcode()) {
    case HloOpcode::kCopy:
    case HloOpcode::kConvert:
      return SetConversion(types);
    case HloOpcode::kSelect:
      return SetSelect(types);
    case HloOpcode::kReducePrecision:
      return SetReducePrecision(hlo, types);
    case HloOpcode::kStochasticConvert:
      return SetStochasticConvert(types);
    default:
      return SetArithmetic(hlo, types);
  }
}

absl::StatusOr<ElementwiseKernel> ElementwiseKernel::Create(
    const HloInstruction& hlo, PrimitiveType result_type,
    absl::Span<const PrimitiveType> operand_types) {
  ElementwiseKernel kernel;
  kernel.result_stored_ = result_type;
  if (IsBatchableElementwise(hlo.opcode()) && kernel.Set(hlo, operand_types)) {
    return kernel;
  }
  return absl::UnimplementedError(absl::StrCat(
      HloOpcodeString(hlo.opcode()), ": ", hlo.name(), " is not defined from ",
      absl::StrJoin(operand_types, ", ",
                    [](std::string* out, PrimitiveType type) {
                      out->append(TypeName(type));
                    }),
      " to ", TypeName(result_type)));
}

}  // namespace xla
