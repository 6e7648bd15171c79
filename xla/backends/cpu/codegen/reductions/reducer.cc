// Identities of known reducers, and the combination of lanes.
#include "xla/backends/cpu/codegen/reductions/reducer.h"

#include <numeric>

#include "llvm/IR/Constants.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/analysis/reducers.h"

namespace xla::cpu {
namespace {

// The identity of `opcode` on floats of type `type`.
llvm::Constant* FloatIdentity(HloOpcode opcode, llvm::Type* type) {
  switch (opcode) {
    case HloOpcode::kAdd:
      return llvm::ConstantFP::get(type, -0.0);
    case HloOpcode::kMultiply:
      return llvm::ConstantFP::get(type, 1.0);
    case HloOpcode::kMaximum:
      return llvm::ConstantFP::getInfinity(type, true);
    case HloOpcode::kMinimum:
      return llvm::ConstantFP::getInfinity(type, false);
    default:
      return nullptr;
  }
}

llvm::Constant* IntegerIdentity(HloOpcode opcode, llvm::IntegerType* type,
                                bool is_signed) {
  const unsigned bits = type->getBitWidth();
  llvm::APInt value(bits, 0);
  switch (opcode) {
    case HloOpcode::kAdd:
    case HloOpcode::kOr:
    case HloOpcode::kXor:
      break;
    case HloOpcode::kMultiply:
      value = llvm::APInt(bits, 1);
      break;
    case HloOpcode::kAnd:
      value = llvm::APInt::getAllOnes(bits);
      break;
    case HloOpcode::kMaximum:
      value = is_signed ? llvm::APInt::getSignedMinValue(bits)
                        : llvm::APInt::getMinValue(bits);
      break;
    case HloOpcode::kMinimum:
      value = is_signed ? llvm::APInt::getSignedMaxValue(bits)
                        : llvm::APInt::getMaxValue(bits);
      break;
    default:
      return nullptr;
  }
  return llvm::ConstantInt::get(type, value);
}

llvm::Constant* Identity(const HloComputation& reducer,
                         llvm::LLVMContext& context) {
  const std::optional<HloOpcode> op = OneOpOf(reducer);
  if (!op.has_value()) return nullptr;
  const PrimitiveType type = reducer.root_instruction()->shape().element_type();
  if (type == PRED) {
    // On pred, add is or, and multiply is and.
    switch (*op) {
      case HloOpcode::kAnd:
      case HloOpcode::kMinimum:
      case HloOpcode::kMultiply:
        return llvm::ConstantInt::getTrue(context);
      case HloOpcode::kOr:
      case HloOpcode::kMaximum:
      case HloOpcode::kXor:
      case HloOpcode::kAdd:
        return llvm::ConstantInt::getFalse(context);
      default:
        return nullptr;
    }
  }
  llvm::Type* registers = RegisterType(context, type);
  if (type == F32 || type == F64) return FloatIdentity(*op, registers);
  if (!primitive_util::IsIntegralType(type)) return nullptr;
  return IntegerIdentity(*op, llvm::cast<llvm::IntegerType>(registers),
                         primitive_util::IsSignedIntegralType(type));
}

llvm::Value* Lanes(llvm::IRBuilder<>& b, llvm::Value* value, int first,
                   int count) {
  if (value == nullptr) return nullptr;
  if (count == 1) return b.CreateExtractElement(value, first);
  std::vector<int> mask(count);
  std::iota(mask.begin(), mask.end(), first);
  return b.CreateShuffleVector(value, mask);
}

}  // namespace

absl::StatusOr<std::vector<Element>> Reducers::Initial() {
  std::vector<Element> initial;
  for (const HloInstruction* reduction : reductions_) {
    const int64_t k = reduction->operand_count() / 2;
    for (int64_t i = 0; i < k; ++i) {
      TF_ASSIGN_OR_RETURN(Element element,
                          emitter_.EmitScalar(reduction->operand(k + i)));
      initial.push_back(element);
    }
  }
  return initial;
}

std::optional<std::vector<Element>> Reducers::Identities() {
  std::vector<Element> identities;
  for (const HloInstruction* reduction : reductions_) {
    if (reduction->operand_count() != 2) return std::nullopt;
    llvm::Constant* identity =
        Identity(*reduction->to_apply(), emitter_.b().getContext());
    if (identity == nullptr) return std::nullopt;
    identities.push_back({identity});
  }
  return identities;
}

absl::StatusOr<std::vector<Element>> Reducers::Operands(
    const VectorIndex& index) {
  std::vector<Element> values;
  for (const HloInstruction* reduction : reductions_) {
    for (int64_t i = 0; i < reduction->operand_count() / 2; ++i) {
      TF_ASSIGN_OR_RETURN(Element value,
                          emitter_.Emit(reduction->operand(i), index));
      values.push_back(Splat(emitter_.b(), value, index.lanes));
    }
  }
  return values;
}

absl::StatusOr<std::vector<Element>> Reducers::Combine(
    absl::Span<const Element> accumulators, absl::Span<const Element> values) {
  std::vector<Element> results;
  size_t first = 0;
  for (const HloInstruction* reduction : reductions_) {
    const size_t k = reduction->operand_count() / 2;
    std::vector<Element> arguments(accumulators.begin() + first,
                                   accumulators.begin() + first + k);
    arguments.insert(arguments.end(), values.begin() + first,
                     values.begin() + first + k);
    TF_ASSIGN_OR_RETURN(
        std::vector<Element> combined,
        emitter_.EmitComputation(*reduction->to_apply(), arguments));
    const int lanes = LanesOf(arguments[0].value);
    for (const Element& element : combined) {
      results.push_back(Splat(emitter_.b(), element, lanes));
    }
    first += k;
  }
  return results;
}

absl::StatusOr<std::vector<Element>> Reducers::CombineLanes(
    std::vector<Element> accumulators) {
  llvm::IRBuilder<>& b = emitter_.b();
  for (int lanes = LanesOf(accumulators[0].value); lanes > 1; lanes /= 2) {
    std::vector<Element> halves[2];
    for (int h = 0; h < 2; ++h) {
      for (const Element& element : accumulators) {
        halves[h].push_back({Lanes(b, element.value, h * lanes / 2, lanes / 2),
                             Lanes(b, element.imag, h * lanes / 2, lanes / 2)});
      }
    }
    TF_ASSIGN_OR_RETURN(accumulators, Combine(halves[0], halves[1]));
  }
  return accumulators;
}

std::vector<Element> SelectEach(llvm::IRBuilder<>& b, llvm::Value* condition,
                                absl::Span<const Element> x,
                                absl::Span<const Element> y) {
  std::vector<Element> results;
  for (size_t i = 0; i < x.size(); ++i) {
    Element element{b.CreateSelect(condition, x[i].value, y[i].value)};
    if (x[i].imag != nullptr) {
      element.imag = b.CreateSelect(condition, x[i].imag, y[i].imag);
    }
    results.push_back(element);
  }
  return results;
}

std::vector<Element> SplatEach(llvm::IRBuilder<>& b,
                               absl::Span<const Element> x, int lanes) {
  std::vector<Element> results;
  for (const Element& element : x) results.push_back(Splat(b, element, lanes));
  return results;
}

llvm::Value* FirstLanes(llvm::IRBuilder<>& b, int lanes, int64_t count) {
  std::vector<llvm::Constant*> bits;
  for (int l = 0; l < lanes; ++l) bits.push_back(b.getInt1(l < count));
  if (lanes == 1) return bits[0];
  return llvm::ConstantVector::get(bits);
}

}  // namespace xla::cpu
