// Arithmetic, bit tricks and control flow shared by the maths functions.
#include "xla/backends/cpu/codegen/math/float_lanes.h"

#include <iterator>
#include <limits>

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "xla/backends/cpu/codegen/math/registers_avx512.h"

namespace xla::cpu {

using llvm::Value;

FloatLanes::FloatLanes(llvm::IRBuilderBase& builder, const MathOptions& options,
                       llvm::Type* type)
    : b_(builder),
      flags_(builder),
      options_(options),
      type_(type),
      is_double_(type->getScalarType()->isDoubleTy()) {
  b_.clearFastMathFlags();
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  lanes_ = vector == nullptr ? 0 : vector->getNumElements();
  int_type_ = WithLanes(is_double_ ? b_.getInt64Ty() : b_.getInt32Ty());
}

llvm::Type* FloatLanes::WithLanes(llvm::Type* scalar) const {
  return lanes_ == 0 ? scalar : llvm::FixedVectorType::get(scalar, lanes_);
}

Value* FloatLanes::C(double value) {
  return llvm::ConstantFP::get(type_, value);
}

Value* FloatLanes::I(uint64_t value) {
  if (!is_double_) value &= 0xffffffffu;
  return llvm::ConstantInt::get(int_type_, value);
}

Value* FloatLanes::Inf() { return C(std::numeric_limits<double>::infinity()); }

Value* FloatLanes::NaN() { return llvm::ConstantFP::getNaN(type_); }

Value* FloatLanes::SmallestNormal() { return C(0x1p-126, 0x1p-1022); }

Value* FloatLanes::Sqrt(Value* x) {
  return b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
}

Value* FloatLanes::Fma(Value* x, Value* y, Value* z) {
  if (!options_.has_fma) return Add(Mul(x, y), z);
  return b_.CreateIntrinsic(llvm::Intrinsic::fma, {type_}, {x, y, z});
}

Value* FloatLanes::Polynomial(Value* x, llvm::ArrayRef<double> coefficients) {
  Value* sum = C(coefficients.back());
  for (size_t i = coefficients.size() - 1; i-- > 0;) {
    sum = Fma(sum, x, C(coefficients[i]));
  }
  return sum;
}

Value* FloatLanes::PolynomialByParity(Value* x,
                                      llvm::ArrayRef<double> coefficients) {
  llvm::SmallVector<double> parts[2];
  for (size_t i = 0; i < coefficients.size(); ++i) {
    parts[i % 2].push_back(coefficients[i]);
  }
  Value* square = Mul(x, x);
  return Fma(x, Polynomial(square, parts[1]), Polynomial(square, parts[0]));
}

Value* FloatLanes::PolynomialByHalves(Value* x,
                                      llvm::ArrayRef<double> coefficients) {
  // Sums of neighbours, then of these, with the square of x, and so on.
  std::vector<Value*> sums;
  for (double coefficient : coefficients) sums.push_back(C(coefficient));
  while (sums.size() > 1) {
    std::vector<Value*> next;
    for (size_t i = 0; i + 1 < sums.size(); i += 2) {
      next.push_back(Fma(sums[i + 1], x, sums[i]));
    }
    if (sums.size() % 2 == 1) next.push_back(sums.back());
    sums = std::move(next);
    if (sums.size() > 1) x = Mul(x, x);
  }
  return sums[0];
}

Value* FloatLanes::Reciprocal(Value* x) {
  if (options_.has_avx512 && !is_double_) return ReciprocalByEstimate(*this, x);
  return Div(C(1), x);
}

Value* FloatLanes::Abs(Value* x) {
  return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
}

Value* FloatLanes::SignBit(Value* x) {
  return b_.CreateAnd(Bits(x), I(0x80000000u, uint64_t{1} << 63));
}

Value* FloatLanes::FlipSign(Value* x, Value* sign_bit) {
  return FromBits(b_.CreateXor(Bits(x), sign_bit));
}

Value* FloatLanes::CopySign(Value* magnitude, Value* sign) {
  return b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude, sign);
}

Value* FloatLanes::LowBitAsSign(Value* bits) {
  return b_.CreateShl(bits, I(31, 63));
}

Value* FloatLanes::PowerOfTwo(Value* bits, int offset) {
  Value* exponent = b_.CreateShl(bits, I(mantissa_bits()));
  const uint64_t bias = static_cast<uint64_t>(exponent_bias() + offset);
  return FromBits(b_.CreateAdd(exponent, I(bias << mantissa_bits())));
}

HiLo FloatLanes::TwoSum(Value* x, Value* y) {
  Value* sum = Add(x, y);
  Value* y_part = Sub(sum, x);
  Value* x_error = Sub(x, Sub(sum, y_part));
  return {sum, Add(x_error, Sub(y, y_part))};
}

HiLo FloatLanes::FastTwoSum(Value* big, Value* small) {
  Value* sum = Add(big, small);
  return {sum, Sub(small, Sub(sum, big))};
}

HiLo FloatLanes::TwoProduct(Value* x, Value* y) {
  Value* product = Mul(x, y);
  if (options_.has_fma) return {product, Fma(x, y, Neg(product))};
  auto split = [&](Value* v) -> HiLo {
    Value* scaled = Mul(v, C(0x1.002p12, 0x1.0000002p27));
    Value* hi = Sub(scaled, Sub(scaled, v));
    return {hi, Sub(v, hi)};
  };
  const HiLo a = split(x);
  const HiLo b = split(y);
  Value* error = Sub(Mul(a.hi, b.hi), product);
  error = Add(Add(error, Mul(a.hi, b.lo)), Mul(a.lo, b.hi));
  return {product, Add(error, Mul(a.lo, b.lo))};
}

Value* FloatLanes::ToDouble(Value* x) {
  return b_.CreateFPExt(x, WithLanes(b_.getDoubleTy()));
}

Value* FloatLanes::ToFloat(Value* x) {
  return b_.CreateFPTrunc(x, WithLanes(b_.getFloatTy()));
}

Value* FloatLanes::Any(Value* mask) {
  return lanes_ == 0 ? mask : b_.CreateOrReduce(mask);
}

llvm::GlobalVariable* ConstantTable(llvm::IRBuilderBase& b,
                                    llvm::Constant* data) {
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  for (llvm::GlobalVariable& table : module.globals()) {
    if (table.hasPrivateLinkage() && table.isConstant() &&
        table.getInitializer() == data) {
      return &table;
    }
  }
  auto* table = new llvm::GlobalVariable(
      module, data->getType(), /*isConstant=*/true,
      llvm::GlobalValue::PrivateLinkage, data, "math_table");
  table->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return table;
}

RareBranch::RareBranch(llvm::IRBuilderBase& builder, Value* condition)
    : b_(builder), before_(builder.GetInsertBlock()) {
  llvm::Function* function = before_->getParent();
  llvm::LLVMContext& context = builder.getContext();
  auto* next = before_->getNextNode();
  auto* rare = llvm::BasicBlock::Create(context, "rare", function, next);
  after_ = llvm::BasicBlock::Create(context, "joined", function, next);
  const llvm::BasicBlock::iterator at = builder.GetInsertPoint();
  after_->splice(after_->end(), before_, at, before_->end());
  after_->replaceSuccessorsPhiUsesWith(before_, after_);
  builder.SetInsertPoint(before_);
  builder.CreateCondBr(condition, rare, after_,
                       llvm::MDBuilder(context).createBranchWeights(1, 10000));
  builder.SetInsertPoint(rare);
}

Value* RareBranch::Join(Value* common, Value* rare) {
  if (rare_end_ == nullptr) {
    rare_end_ = b_.GetInsertBlock();
    b_.CreateBr(after_);
    b_.SetInsertPoint(after_, after_->begin());
  }
  llvm::PHINode* phi = b_.CreatePHI(common->getType(), 2);
  phi->addIncoming(common, before_);
  phi->addIncoming(rare, rare_end_);
  return phi;
}

void RareBranch::Finish() {
  b_.SetInsertPoint(after_, after_->getFirstInsertionPt());
}

}  // namespace xla::cpu
