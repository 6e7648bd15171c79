// Real and complex numbers as values with operators, so that formulas on them
// read as formulas. Each operator is one instruction, rounded by itself.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_COMPLEX_VALUES_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_COMPLEX_VALUES_H_

#include <limits>

#include "xla/backends/cpu/codegen/elementwise/values.h"

namespace xla::cpu {

// An i1 in each lane.
struct Truth {
  llvm::IRBuilder<>* b;
  llvm::Value* v;
};
inline Truth operator&(Truth x, Truth y) {
  return {x.b, x.b->CreateAnd(x.v, y.v)};
}
inline Truth operator|(Truth x, Truth y) {
  return {x.b, x.b->CreateOr(x.v, y.v)};
}
inline Truth operator!(Truth x) { return {x.b, x.b->CreateNot(x.v)}; }

// A double in each lane.
struct Real {
  llvm::IRBuilder<>* b;
  llvm::Value* v;

  Real Number(double number) const { return {b, FloatConst(v, number)}; }
  Real Infinity() const {
    return Number(std::numeric_limits<double>::infinity());
  }
  Real Nan() const { return Number(std::numeric_limits<double>::quiet_NaN()); }
};

inline Real operator-(Real x) { return {x.b, x.b->CreateFNeg(x.v)}; }
inline Real operator+(Real x, Real y) {
  return {x.b, x.b->CreateFAdd(x.v, y.v)};
}
inline Real operator-(Real x, Real y) {
  return {x.b, x.b->CreateFSub(x.v, y.v)};
}
inline Real operator*(Real x, Real y) {
  return {x.b, x.b->CreateFMul(x.v, y.v)};
}
inline Real operator/(Real x, Real y) {
  return {x.b, x.b->CreateFDiv(x.v, y.v)};
}
inline Real operator+(Real x, double y) { return x + x.Number(y); }
inline Real operator-(Real x, double y) { return x - x.Number(y); }
inline Real operator*(Real x, double y) { return x * x.Number(y); }
inline Real operator+(double x, Real y) { return y.Number(x) + y; }
inline Real operator-(double x, Real y) { return y.Number(x) - y; }
inline Real operator*(double x, Real y) { return y.Number(x) * y; }
inline Real operator/(double x, Real y) { return y.Number(x) / y; }

// Comparisons are false if either operand is NaN.
inline Truth operator<(Real x, Real y) {
  return {x.b, x.b->CreateFCmpOLT(x.v, y.v)};
}
inline Truth operator==(Real x, Real y) {
  return {x.b, x.b->CreateFCmpOEQ(x.v, y.v)};
}
inline Truth operator<(Real x, double y) { return x < x.Number(y); }
inline Truth operator>(Real x, double y) { return x.Number(y) < x; }
inline Truth operator==(Real x, double y) { return x == x.Number(y); }

inline Real Abs(Real x) {
  return {x.b, x.b->CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x.v)};
}
inline Real SquareRoot(Real x) {
  return {x.b, x.b->CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x.v)};
}
// `size` with the sign of `sign`.
inline Real CopySign(Real size, Real sign) {
  return {size.b, size.b->CreateBinaryIntrinsic(llvm::Intrinsic::copysign,
                                                size.v, sign.v)};
}
inline Real Select(Truth pred, Real x, Real y) {
  return {x.b, x.b->CreateSelect(pred.v, x.v, y.v)};
}
inline Truth IsNan(Real x) { return {x.b, x.b->CreateFCmpUNO(x.v, x.v)}; }
inline Truth IsInfinite(Real x) { return Abs(x) == x.Infinity(); }
inline Truth IsFinite(Real x) { return Abs(x) < x.Infinity(); }

struct Complex {
  Real re;
  Real im;
};
inline Complex operator-(Complex z) { return {-z.re, -z.im}; }
inline Complex operator+(Complex x, Complex y) {
  return {x.re + y.re, x.im + y.im};
}
// The textbook product, without C's recovery of infinities.
inline Complex operator*(Complex x, Complex y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
inline Complex Select(Truth pred, Complex x, Complex y) {
  return {Select(pred, x.re, y.re), Select(pred, x.im, y.im)};
}

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTWISE_COMPLEX_VALUES_H_
