// Chooses what an element-wise op computes for its element types, and emits the
// conversions around it. The other files of the folder emit the ops.
#include "xla/backends/cpu/codegen/elementwise/elementwise.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/backends/cpu/codegen/elementwise/convert.h"
#include "xla/backends/cpu/codegen/elementwise/families.h"
#include "xla/backends/cpu/codegen/elementwise/out_of_line.h"
#include "xla/backends/cpu/codegen/elementwise/small_float.h"
#include "xla/backends/cpu/codegen/elementwise/values.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/elementwise/elementwise_other.h"

namespace xla::cpu {
namespace {

using primitive_util::BitWidth;
using primitive_util::IsComplexType;
using primitive_util::IsFloatingPointType;
using primitive_util::IsIntegralType;
using primitive_util::IsSignedIntegralType;

using Operands = absl::Span<const Element>;
using Types = absl::Span<const PrimitiveType>;
using Values = absl::InlinedVector<llvm::Value*, 3>;

std::string TypeName(PrimitiveType type) {
  return primitive_util::LowercasePrimitiveTypeName(type);
}

absl::Status NotDefined(const HloInstruction& hlo, Types types) {
  return absl::UnimplementedError(absl::StrCat(
      HloOpcodeString(hlo.opcode()), ": ", hlo.name(), " has no code from ",
      absl::StrJoin(types, ", ",
                    [](std::string* out, PrimitiveType type) {
                      out->append(TypeName(type));
                    }),
      " to ", TypeName(hlo.shape().element_type())));
}

// The type that holds the values of all operands; PRIMITIVE_TYPE_INVALID unless
// they have one type or are all floats.
PrimitiveType WidestType(Types types) {
  PrimitiveType widest = types[0];
  for (PrimitiveType type : types) {
    if (type == widest) continue;
    if (!IsFloatingPointType(type) || !IsFloatingPointType(widest)) {
      return PRIMITIVE_TYPE_INVALID;
    }
    widest = primitive_util::HigherPrecisionType(widest, type);
  }
  return widest;
}

// Computes ops on integers of less than a byte in bytes.
llvm::Value* EmitIntegers(EmitContext& context, HloOpcode opcode,
                          PrimitiveType type, Operands operands) {
  llvm::IRBuilder<>& b = context.b;
  const int width = BitWidth(type);
  const bool is_signed = IsSignedIntegralType(type);
  const bool reads_bits = opcode == HloOpcode::kClz ||
                          opcode == HloOpcode::kPopulationCount ||
                          opcode == HloOpcode::kShiftRightLogical;
  const bool is_shift = opcode == HloOpcode::kShiftLeft ||
                        opcode == HloOpcode::kShiftRightArithmetic ||
                        opcode == HloOpcode::kShiftRightLogical;
  Values x;
  for (const Element& operand : operands) x.push_back(operand.value);
  if (width >= 8 || opcode == HloOpcode::kMulhi) {
    return EmitIntegerOp(context, opcode, is_signed, x);
  }
  for (size_t i = 0; i < x.size(); ++i) {
    bool extend_sign = is_signed;
    // The top bit is a sign bit even for unsigned numbers.
    if (opcode == HloOpcode::kShiftRightArithmetic) extend_sign = true;
    if (reads_bits || (is_shift && i == 1)) extend_sign = false;
    x[i] = ResizeInt(b, x[i], 8, extend_sign);
  }
  llvm::Value* result = EmitIntegerOp(context, opcode, is_signed, x);
  if (result == nullptr) return nullptr;
  if (opcode == HloOpcode::kClz) {
    result = b.CreateSub(result, Const(result, 8 - width));
  }
  return ResizeInt(b, result, width, false);
}

// True if the op on numbers of a type gives numbers of that type, without
// rounding.
bool IsExact(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAbs:
    case HloOpcode::kCeil:
    case HloOpcode::kClamp:
    case HloOpcode::kFloor:
    case HloOpcode::kMaximum:
    case HloOpcode::kMinimum:
    case HloOpcode::kNegate:
    case HloOpcode::kRoundNearestAfz:
    case HloOpcode::kRoundNearestEven:
    case HloOpcode::kSign:
      return true;
    default:
      return false;
  }
}

// True if the code of the op on floats makes no NaN of its own but by
// arithmetic.
bool IsPlainArithmetic(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAdd:
    case HloOpcode::kDivide:
    case HloOpcode::kExp:
    case HloOpcode::kMultiply:
    case HloOpcode::kSqrt:
    case HloOpcode::kSubtract:
      return true;
    default:
      return false;
  }
}

// Emits abs and negate as operations on the sign bit; returns null for other
// ops and types.
llvm::Value* EmitOnSignBit(llvm::IRBuilder<>& b, HloOpcode opcode,
                           PrimitiveType type, llvm::Value* bits) {
  if (!IsSmallFloat(type) || !primitive_util::HasNegativeZero(type)) {
    return nullptr;
  }
  const uint64_t sign = uint64_t{1} << (BitWidth(type) - 1);
  if (opcode == HloOpcode::kAbs) {
    return b.CreateAnd(bits, Const(bits, sign - 1));
  }
  if (opcode == HloOpcode::kNegate) return b.CreateXor(bits, Const(bits, sign));
  return nullptr;
}

llvm::Value* EmitFloats(EmitContext& context, HloOpcode opcode, Types types,
                        PrimitiveType widest, PrimitiveType result_type,
                        Operands operands) {
  llvm::IRBuilder<>& b = context.b;
  if (widest == result_type) {
    llvm::Value* result = EmitOnSignBit(b, opcode, widest, operands[0].value);
    if (result != nullptr) return result;
  }
  const PrimitiveType compute = ComputeType(widest);
  Values x;
  bool same_type = true;
  for (size_t i = 0; i < operands.size(); ++i) {
    x.push_back(ConvertReal(context, types[i], compute, operands[i].value));
    same_type = same_type && types[i] == result_type;
  }
  if (opcode == HloOpcode::kReal) {
    return ConvertReal(context, compute, result_type, x[0]);
  }
  llvm::Value* result = EmitFloatOp(context, opcode, x);
  if (result == nullptr) return nullptr;
  if (opcode == HloOpcode::kIsFinite) {
    return ConvertReal(context, PRED, result_type, result);
  }
  if (result_type == BF16 && same_type && IsExact(opcode)) {
    llvm::Value* bits = b.CreateBitCast(result, IntLike(b, result, 32));
    return b.CreateTrunc(b.CreateLShr(bits, 16), IntLike(b, result, 16));
  }
  if (result_type == BF16 && same_type && IsPlainArithmetic(opcode)) {
    return RoundBfloat16Arithmetic(b, result);
  }
  return ConvertReal(context, compute, result_type, result);
}

llvm::Value* EmitCompareOp(EmitContext& context, const HloInstruction& hlo,
                           Types types, PrimitiveType widest,
                           Operands operands) {
  const auto& attrs = hlo.attrs<CompareAttrs>();
  Element x = operands[0];
  Element y = operands[1];
  const bool total = attrs.type == Comparison::Type::kFloatTotalOrder &&
                     IsFloatingPointType(widest);
  // The total order is an order of bits; a conversion would make all NaNs
  // quiet.
  const bool by_bits = total && types[0] == types[1] && IsSmallFloat(widest) &&
                       primitive_util::HasNegativeZero(widest);
  if (IsFloatingPointType(widest) && !by_bits) {
    const PrimitiveType compute = ComputeType(widest);
    x.value = ConvertReal(context, types[0], compute, x.value);
    y.value = ConvertReal(context, types[1], compute, y.value);
  }
  return EmitCompare(context.b, attrs.direction, IsSignedIntegralType(widest),
                     total, x, y);
}

// Emits ops that compute on numbers of one kind.
absl::StatusOr<Element> EmitArithmetic(EmitContext& context,
                                       const HloInstruction& hlo, Types types,
                                       Operands operands) {
  const HloOpcode opcode = hlo.opcode();
  const PrimitiveType result_type = hlo.shape().element_type();
  const PrimitiveType widest = WidestType(types);
  if (widest == PRIMITIVE_TYPE_INVALID) return NotDefined(hlo, types);
  Element result;
  PrimitiveType computed = result_type;
  if (opcode == HloOpcode::kCompare) {
    result.value = EmitCompareOp(context, hlo, types, widest, operands);
    computed = PRED;
  } else if (opcode == HloOpcode::kComplex) {
    computed = primitive_util::ComplexType(widest);
    if (computed == PRIMITIVE_TYPE_INVALID) return NotDefined(hlo, types);
    result = {operands[0].value, operands[1].value};
  } else if (IsComplexType(widest)) {
    result = EmitComplexOp(context, opcode, operands);
    computed = result.imag != nullptr
                   ? widest
                   : primitive_util::ComplexComponentType(widest);
  } else if (IsFloatingPointType(widest)) {
    result.value =
        EmitFloats(context, opcode, types, widest, result_type, operands);
  } else if (IsIntegralType(widest)) {
    result.value = EmitIntegers(context, opcode, widest, operands);
    computed = widest;
  } else {
    Values x;
    for (const Element& operand : operands) x.push_back(operand.value);
    result.value = EmitPredOp(context.b, opcode, x);
    computed = PRED;
  }
  if (result.value == nullptr) return NotDefined(hlo, types);
  return EmitConvert(context, computed, result_type, result);
}

// Emits the same as EmitArithmetic, out of line if the function has many of
// them.
absl::StatusOr<Element> EmitLongArithmetic(EmitContext& context,
                                           const HloInstruction& hlo,
                                           Types types, Operands operands) {
  const PrimitiveType type = hlo.shape().element_type();
  std::string name = absl::StrCat("op.", HloOpcodeString(hlo.opcode()));
  for (PrimitiveType operand : types) {
    absl::StrAppend(&name, ".", TypeName(operand));
  }
  absl::StrAppend(&name, ".", TypeName(type));
  return EmitOrCall(context, name, type, operands,
                    [&](EmitContext& where, Operands values) {
                      return EmitArithmetic(where, hlo, types, values);
                    });
}

absl::StatusOr<Element> EmitSelect(EmitContext& context,
                                   const HloInstruction& hlo, Types types,
                                   Operands operands) {
  if (types[0] != PRED) return NotDefined(hlo, types);
  const PrimitiveType type = hlo.shape().element_type();
  TF_ASSIGN_OR_RETURN(Element on_true,
                      EmitConvert(context, types[1], type, operands[1]));
  TF_ASSIGN_OR_RETURN(Element on_false,
                      EmitConvert(context, types[2], type, operands[2]));
  llvm::IRBuilder<>& b = context.b;
  llvm::Value* pred = operands[0].value;
  Element result{b.CreateSelect(pred, on_true.value, on_false.value)};
  if (on_true.imag != nullptr && on_false.imag != nullptr) {
    result.imag = b.CreateSelect(pred, on_true.imag, on_false.imag);
  }
  return result;
}

absl::StatusOr<Element> EmitReducePrecisionOp(EmitContext& context,
                                              const HloInstruction& hlo,
                                              Types types, Operands operands) {
  const PrimitiveType type = types[0];
  if (!IsFloatingPointType(type)) return NotDefined(hlo, types);
  // IEEE formats are rounded by their own bits, other formats by those of a
  // float.
  const PrimitiveType computed =
      type == F16 || type == BF16 || type == F64 ? type : F32;
  llvm::IRBuilder<>& b = context.b;
  llvm::Value* x = ConvertReal(context, type, computed, operands[0].value);
  llvm::Type* register_type = x->getType();
  const auto& attrs = hlo.attrs<ReducePrecisionAttrs>();
  llvm::Value* bits = EmitReducePrecision(
      b, b.CreateBitCast(x, IntLike(b, x, BitsOf(x))),
      primitive_util::ExponentWidth(computed),
      primitive_util::SignificandWidth(computed) - 1,
      static_cast<int>(std::clamp<int64_t>(attrs.exponent_bits, 1, 64)),
      static_cast<int>(std::clamp<int64_t>(attrs.mantissa_bits, 0, 64)));
  return EmitConvert(context, computed, hlo.shape().element_type(),
                     Element{b.CreateBitCast(bits, register_type)});
}

absl::StatusOr<Element> EmitStochasticConvert(EmitContext& context,
                                              const HloInstruction& hlo,
                                              Types types, Operands operands) {
  const PrimitiveType type = hlo.shape().element_type();
  if (type == PRED || IsComplexType(type) || !IsFloatingPointType(types[0]) ||
      !primitive_util::IsUnsignedIntegralType(types[1]) ||
      BitWidth(types[0]) != BitWidth(types[1])) {
    return NotDefined(hlo, types);
  }
  llvm::Value* x = ConvertReal(context, types[0], F64, operands[0].value);
  llvm::Value* rounded =
      EmitStochasticRound(context, x, operands[1].value, type);
  return Element{ConvertReal(context, F64, type, rounded)};
}

// Emits bitcast-convert between types of the same width; pred, a byte in
// memory, counts as 8 bits wide.
absl::StatusOr<Element> EmitBitcastConvert(EmitContext& context,
                                           const HloInstruction& hlo,
                                           Types types, Operands operands) {
  const PrimitiveType from = types[0];
  const PrimitiveType to = hlo.shape().element_type();
  if (from == to) return operands[0];
  if (IsComplexType(from) || IsComplexType(to) ||
      primitive_util::StorageBitWidth(from) !=
          primitive_util::StorageBitWidth(to)) {
    return NotDefined(hlo, types);
  }
  llvm::IRBuilder<>& b = context.b;
  llvm::Value* value = operands[0].value;
  if (from == PRED) return Element{ResizeInt(b, value, 8, false)};
  if (to == PRED) return Element{b.CreateICmpNE(value, Const(value, 0))};
  return Element{b.CreateBitCast(
      value, LanesLike(value, RegisterType(b.getContext(), to)))};
}

}  // namespace

absl::StatusOr<Element> EmitElementwise(EmitContext& context,
                                        const HloInstruction& hlo,
                                        Operands operands) {
  absl::InlinedVector<PrimitiveType, 3> types;
  for (const HloInstruction* operand : hlo.operands()) {
    types.push_back(operand->shape().element_type());
  }
  bool are_arrays = !types.empty() && types.size() <= 3 &&
                    types.size() == operands.size() &&
                    primitive_util::IsArrayType(hlo.shape().element_type());
  for (PrimitiveType type : types) {
    are_arrays = are_arrays && primitive_util::IsArrayType(type);
  }
  if (!are_arrays) return NotDefined(hlo, types);
  switch (hlo.opcode()) {
    case HloOpcode::kBitcastConvert:
      return EmitBitcastConvert(context, hlo, types, operands);
    case HloOpcode::kConvert:
    case HloOpcode::kCopy:
      return EmitConvert(context, types[0], hlo.shape().element_type(),
                         operands[0]);
    case HloOpcode::kReducePrecision:
      return EmitReducePrecisionOp(context, hlo, types, operands);
    case HloOpcode::kSelect:
      return EmitSelect(context, hlo, types, operands);
    case HloOpcode::kStochasticConvert:
      return EmitStochasticConvert(context, hlo, types, operands);
    default:
      if (!hlo.IsElementwiseOp()) return NotDefined(hlo, types);
      if (IsLongOperation(hlo.opcode(), IsComplexType(types[0]))) {
        return EmitLongArithmetic(context, hlo, types, operands);
      }
      return EmitArithmetic(context, hlo, types, operands);
  }
}

}  // namespace xla::cpu
