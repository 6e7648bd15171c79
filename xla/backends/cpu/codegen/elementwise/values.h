// Constants and types that match a value's lanes, whatever their number.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_VALUES_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_VALUES_H_

#include <cstdint>

#include "xla/backends/cpu/codegen/llvm_ir/element.h"
#include "xla/backends/cpu/codegen/math/math.h"

namespace xla::cpu {

// `scalar` with as many lanes as `value` has.
inline llvm::Type* LanesLike(const llvm::Value* value, llvm::Type* scalar) {
  return WithLanes(scalar, LanesOf(value));
}
inline llvm::Type* IntLike(llvm::IRBuilder<>& b, const llvm::Value* value,
                           int bits) {
  return LanesLike(value, b.getIntNTy(bits));
}

// An integer constant in all lanes of `value`'s type, truncated to its width.
inline llvm::Constant* Const(const llvm::Value* value, uint64_t number) {
  return llvm::ConstantInt::get(value->getType(), number);
}
inline llvm::Constant* FloatConst(const llvm::Value* value, double number) {
  return llvm::ConstantFP::get(value->getType(), number);
}

// The number of bits in a lane.
inline int BitsOf(const llvm::Value* value) {
  return static_cast<int>(value->getType()->getScalarSizeInBits());
}

// max(x, bound), which gives `bound` for NaN; and min(x, bound), which keeps
// NaN. One instruction each on x86.
inline llvm::Value* RaiseTo(llvm::IRBuilder<>& b, llvm::Value* x,
                            double bound) {
  llvm::Constant* limit = FloatConst(x, bound);
  return b.CreateSelect(b.CreateFCmpOGT(x, limit), x, limit);
}
inline llvm::Value* LowerTo(llvm::IRBuilder<>& b, llvm::Value* x,
                            double bound) {
  llvm::Constant* limit = FloatConst(x, bound);
  return b.CreateSelect(b.CreateFCmpOGT(x, limit), limit, x);
}

inline MathBuilder MathFor(EmitContext& context) {
  const TargetInfo& target = context.target;
  return MathBuilder(context.b,
                     {target.has_fma, target.has_round, target.has_avx512,
                      target.is_x86});
}

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_VALUES_H_
