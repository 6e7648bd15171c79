// Coefficients, lowest power first, of the polynomials of hyperbolic.cc.
// Made by fit_polynomials.py, which says how; do not edit.
#ifndef XLA_BACKENDS_CPU_CODEGEN_MATH_HYPERBOLIC_TABLE_H_
#define XLA_BACKENDS_CPU_CODEGEN_MATH_HYPERBOLIC_TABLE_H_

namespace xla::cpu {

// (sinh(x) - x) / x^3 in x^2, |x| <= 1. Degree 3, relative error 2^-31.6.
inline constexpr double kSinhF32[] = {0x1.555556p-3, 0x1.1110ep-7,
                                      0x1.a022bcp-13, 0x1.756c1ep-19};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_HYPERBOLIC_TABLE_H_
