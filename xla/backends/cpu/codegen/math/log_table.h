// Coefficients, lowest power first, of the polynomials of log.cc.
// Made by fit_polynomials.py, which says how; do not edit.
#ifndef XLA_BACKENDS_CPU_CODEGEN_MATH_LOG_TABLE_H_
#define XLA_BACKENDS_CPU_CODEGEN_MATH_LOG_TABLE_H_

namespace xla::cpu {

// (log(1+f) - f + f^2/2) / f^3, sqrt(1/2) <= 1+f <= sqrt(2). Degree 7, relative
// error 2^-27.3.
inline constexpr double kLogF32[] = {
    0x1.555554p-2, -0x1.000228p-2, 0x1.99a02p-3,  -0x1.547218p-3,
    0x1.22d94p-3,  -0x1.0d86fcp-3, 0x1.055bdap-3, -0x1.38a04cp-4};

// (2 atanh(s) - 2s) / s^3 in s^2, |s| <= 3 - sqrt(8). Degree 6, relative error
// 2^-59.4.
inline constexpr double kLogF64[] = {0x1.5555555555595p-1, 0x1.999999997ee42p-2,
                                     0x1.24924942de31fp-2, 0x1.c71c513ad847fp-3,
                                     0x1.74666beba00adp-3, 0x1.399cf1f452bfep-3,
                                     0x1.2f37ec7afb9fcp-3};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_LOG_TABLE_H_
