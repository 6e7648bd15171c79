// Coefficients, lowest power first, of the polynomials of exp.cc.
// Made by fit_polynomials.py, which says how; do not edit.
#ifndef XLA_BACKENDS_CPU_CODEGEN_MATH_EXP_TABLE_H_
#define XLA_BACKENDS_CPU_CODEGEN_MATH_EXP_TABLE_H_

namespace xla::cpu {

// For exp: (exp(r) - 1 - r) / r^2, |r| <= 1.003 ln(2)/2. Degree 4, relative
// error 2^-28.2.
inline constexpr double kExpF32[] = {
    0x1.fffffcp-2, 0x1.555488p-3, 0x1.55584cp-5, 0x1.12409ep-7, 0x1.6ad8e2p-10};

// For exp: (exp(r) - 1 - r) / r^2, |r| <= 1.003 ln(2)/2. Degree 9, relative
// error 2^-57.6.
inline constexpr double kExpF64[] = {
    0x1.000000000000ap-1,  0x1.55555555554ap-3,   0x1.5555555550446p-5,
    0x1.11111111401e1p-7,  0x1.6c16c1854decfp-10, 0x1.a01a009dea62ep-13,
    0x1.a0199690ceacap-16, 0x1.71e06eb931a29p-19, 0x1.28b0ebfa423e2p-22,
    0x1.ab60ddac92cccp-26};

// For expm1: (exp(r) - 1 - r) / r^2, |r| <= 1.003 ln(2)/2. Degree 4, relative
// error 2^-26.1.
inline constexpr double kExpm1F32[] = {
    0x1.fffffep-2, 0x1.5554a8p-3, 0x1.55579ap-5, 0x1.122e2ap-7, 0x1.6ab954p-10};

// For expm1: (exp(r) - 1 - r) / r^2, |r| <= 1.003 ln(2)/2. Degree 10, relative
// error 2^-61.3.
inline constexpr double kExpm1F64[] = {0x1p-1,
                                       0x1.555555555555ap-3,
                                       0x1.555555555555dp-5,
                                       0x1.111111110f0a5p-7,
                                       0x1.6c16c16c11826p-10,
                                       0x1.a01a01b26c45dp-13,
                                       0x1.a01a01c3a30fap-16,
                                       0x1.71ddf1cacd646p-19,
                                       0x1.27e497da84bbp-22,
                                       0x1.af6a3f0b45658p-26,
                                       0x1.1fdd87e8021bp-29};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_EXP_TABLE_H_
