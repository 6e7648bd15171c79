// The vocabulary of the maths functions: arithmetic, selection and bit tricks
// on lanes of one type, float or double, with broadcast constants. Internal to
// this folder; it contains no function's algorithm.
#ifndef XLA_BACKENDS_CPU_CODEGEN_MATH_FLOAT_LANES_H_
#define XLA_BACKENDS_CPU_CODEGEN_MATH_FLOAT_LANES_H_

#include <cstddef>
#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Constant.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "xla/backends/cpu/codegen/math/math.h"

namespace xla::cpu {

// An unevaluated sum of two values, with |lo| at most half an ulp of hi.
struct HiLo {
  llvm::Value* hi;
  llvm::Value* lo;
};

// Emits operations on values of one type: float, double or a vector of them.
// While it lives, the builder's fast-math flags are cleared.
class FloatLanes {
 public:
  FloatLanes(llvm::IRBuilderBase& builder, const MathOptions& options,
             llvm::Type* type);

  llvm::IRBuilderBase& b() { return b_; }
  const MathOptions& options() const { return options_; }
  llvm::Type* type() const { return type_; }
  llvm::Type* int_type() const { return int_type_; }
  bool is_double() const { return is_double_; }
  // The number of lanes of a vector, 0 for a scalar.
  unsigned lanes() const { return lanes_; }
  int mantissa_bits() const { return is_double_ ? 52 : 23; }
  int exponent_bias() const { return is_double_ ? 1023 : 127; }
  // `type` (a scalar) with as many lanes as type().
  llvm::Type* WithLanes(llvm::Type* scalar) const;

  // A constant in all lanes: `f32` or `f64`, depending on the type.
  llvm::Value* C(double value);
  llvm::Value* C(double f32, double f64) { return C(is_double_ ? f64 : f32); }
  llvm::Value* I(uint64_t value);
  llvm::Value* I(uint64_t i32, uint64_t i64) {
    return I(is_double_ ? i64 : i32);
  }
  llvm::Value* Inf();
  llvm::Value* NaN();
  llvm::Value* SmallestNormal();

  llvm::Value* Add(llvm::Value* x, llvm::Value* y) {
    return b_.CreateFAdd(x, y);
  }
  llvm::Value* Sub(llvm::Value* x, llvm::Value* y) {
    return b_.CreateFSub(x, y);
  }
  llvm::Value* Mul(llvm::Value* x, llvm::Value* y) {
    return b_.CreateFMul(x, y);
  }
  llvm::Value* Div(llvm::Value* x, llvm::Value* y) {
    return b_.CreateFDiv(x, y);
  }
  // 1 / x within 0.6 ulp, for 2^-100 < |x| < 2^100.
  llvm::Value* Reciprocal(llvm::Value* x);
  llvm::Value* Neg(llvm::Value* x) { return b_.CreateFNeg(x); }
  llvm::Value* Sqrt(llvm::Value* x);
  // x * y + z, rounded once when the target has fma, else twice.
  llvm::Value* Fma(llvm::Value* x, llvm::Value* y, llvm::Value* z);
  // coefficients[0] + x * (coefficients[1] + x * ...).
  llvm::Value* Polynomial(llvm::Value* x, llvm::ArrayRef<double> coefficients);
  // The same sum, even and odd powers apart: with the square of x, which is
  // often needed anyway, as many operations in a chain of half the length.
  llvm::Value* PolynomialByParity(llvm::Value* x,
                                  llvm::ArrayRef<double> coefficients);
  // The same sum by halves (Estrin's scheme): a few more operations, of which
  // far fewer depend on each other, and rounding errors that are up to twice as
  // large.
  llvm::Value* PolynomialByHalves(llvm::Value* x,
                                  llvm::ArrayRef<double> coefficients);
  llvm::Value* Polynomial(llvm::Value* x, llvm::ArrayRef<double> f32,
                          llvm::ArrayRef<double> f64) {
    return Polynomial(x, is_double_ ? f64 : f32);
  }

  // Comparisons, false when either side is NaN.
  llvm::Value* Lt(llvm::Value* x, llvm::Value* y) {
    return b_.CreateFCmpOLT(x, y);
  }
  llvm::Value* Gt(llvm::Value* x, llvm::Value* y) {
    return b_.CreateFCmpOGT(x, y);
  }
  llvm::Value* Ge(llvm::Value* x, llvm::Value* y) {
    return b_.CreateFCmpOGE(x, y);
  }
  llvm::Value* Eq(llvm::Value* x, llvm::Value* y) {
    return b_.CreateFCmpOEQ(x, y);
  }
  llvm::Value* Select(llvm::Value* mask, llvm::Value* x, llvm::Value* y) {
    return b_.CreateSelect(mask, x, y);
  }
  // x limited by a constant; a NaN in x stays NaN.
  llvm::Value* AtMost(llvm::Value* x, llvm::Value* high) {
    return Select(Lt(high, x), high, x);
  }
  llvm::Value* AtLeast(llvm::Value* x, llvm::Value* low) {
    return Select(Gt(low, x), low, x);
  }

  // Bit operations. Shift amounts are constants.
  llvm::Value* Bits(llvm::Value* x) { return b_.CreateBitCast(x, int_type_); }
  llvm::Value* FromBits(llvm::Value* bits) {
    return b_.CreateBitCast(bits, type_);
  }
  llvm::Value* Abs(llvm::Value* x);
  llvm::Value* SignBit(llvm::Value* x);  // the top bit, or 0, as an integer
  // x with the sign flipped where `sign_bit` (integer lanes) has its top bit.
  llvm::Value* FlipSign(llvm::Value* x, llvm::Value* sign_bit);
  llvm::Value* CopySign(llvm::Value* magnitude, llvm::Value* sign);
  // Moves the lowest bit of `bits` to the position of the sign bit.
  llvm::Value* LowBitAsSign(llvm::Value* bits);

  // 1.5 * 2^mantissa_bits. Adding it rounds x to the nearest integer (ties to
  // even), which then stands in the low bits, for |x| < 2^(mantissa_bits - 1).
  double Magic() const { return is_double_ ? 0x1.8p52 : 0x1.8p23; }
  // 2^(n + offset), where the low bits of `bits` hold n; the range is not
  // checked.
  llvm::Value* PowerOfTwo(llvm::Value* bits, int offset);

  // Exact sums and products as hi + lo (Knuth, Dekker; see Muller et al.,
  // Handbook of Floating-Point Arithmetic, chapter 4). Without FMA, operands of
  // a product must be below 2^996 (f32: 2^115): of larger ones `lo` is NaN.
  HiLo TwoSum(llvm::Value* x, llvm::Value* y);
  HiLo FastTwoSum(llvm::Value* big, llvm::Value* small);
  HiLo TwoProduct(llvm::Value* x, llvm::Value* y);

  // The same lanes in the other width.
  llvm::Value* ToDouble(llvm::Value* x);
  llvm::Value* ToFloat(llvm::Value* x);

  // One bit: true if any lane of `mask` is set.
  llvm::Value* Any(llvm::Value* mask);

 private:
  llvm::IRBuilderBase& b_;
  llvm::IRBuilderBase::FastMathFlagGuard flags_;
  const MathOptions options_;
  llvm::Type* type_;
  llvm::Type* int_type_;
  bool is_double_;
  unsigned lanes_;
};

// A constant of the module into which `b` inserts, with the elements of `data`;
// one for all callers with equal data.
llvm::GlobalVariable* ConstantTable(llvm::IRBuilderBase& b,
                                    llvm::Constant* data);

// Splits the block at the insertion point: code emitted in `then` runs only
// where `condition` (one bit) holds. After Finish the insertion point is in
// the joining block.
class RareBranch {
 public:
  // Moves the insertion point to the start of the rare block. `condition` is
  // marked as unlikely.
  RareBranch(llvm::IRBuilderBase& builder, llvm::Value* condition);
  // Joins the two paths: creates one phi per pair (the common path's value, the
  // rare path's value).
  llvm::Value* Join(llvm::Value* common, llvm::Value* rare);
  void Finish();

 private:
  llvm::IRBuilderBase& b_;
  llvm::BasicBlock* before_;
  llvm::BasicBlock* rare_end_ = nullptr;
  llvm::BasicBlock* after_;
};

// Returns `common` unless `condition` (one bit) holds, else rare(), whose code
// runs only then.
template <typename Function>
llvm::Value* Unless(llvm::IRBuilderBase& b, llvm::Value* condition,
                    llvm::Value* common, Function rare) {
  RareBranch branch(b, condition);
  llvm::Value* result = branch.Join(common, rare());
  branch.Finish();
  return result;
}

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_FLOAT_LANES_H_
