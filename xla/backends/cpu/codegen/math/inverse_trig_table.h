// Coefficients, lowest power first, of the polynomials of inverse_trig.cc.
// Made by fit_polynomials.py, which says how; do not edit.
#ifndef XLA_BACKENDS_CPU_CODEGEN_MATH_INVERSE_TRIG_TABLE_H_
#define XLA_BACKENDS_CPU_CODEGEN_MATH_INVERSE_TRIG_TABLE_H_

namespace xla::cpu {

// (atan(z) - z) / z^3 in z^2, |z| <= 1. Degree 7, relative error 2^-25.8.
inline constexpr double kAtanF32[] = {
    -0x1.5554dcp-2, 0x1.9978ecp-3, -0x1.230a98p-3, 0x1.b4df12p-4,
    -0x1.35527cp-4, 0x1.61f4f8p-5, -0x1.0c22f6p-6, 0x1.7ec42p-9};

// (atan(z) - z) / z^3 in z^2, |z| <= 1. Degree 18, relative error 2^-53.9.
inline constexpr double kAtanF64[] = {
    -0x1.555555555544cp-2, 0x1.9999999984138p-3,   -0x1.2492491fa2b1ap-3,
    0x1.c71c709e3fe25p-4,  -0x1.745d02339a355p-4,  0x1.3b12b30593846p-4,
    -0x1.11089ddcf3b9ep-4, 0x1.e178207ac4788p-5,   -0x1.ad32df7efebc3p-5,
    0x1.7ee4666229935p-5,  -0x1.4f46235c84813p-5,  0x1.17179f315179p-5,
    -0x1.a72b65c65a3fcp-6, 0x1.16310d0257cd3p-6,   -0x1.2cfeb03fa7215p-7,
    0x1.f97c986b85141p-9,  -0x1.3135f62437a25p-10, 0x1.d3d03427c5bc3p-13,
    -0x1.53f74e46bf73bp-16};

// (asin(z) - z) / z^3 in z^2, |z| <= 1/2. Degree 4, relative error 2^-27.6.
inline constexpr double kAsinF32[] = {
    0x1.5555c8p-3, 0x1.330204p-4, 0x1.747bb8p-5, 0x1.8c3e68p-6, 0x1.595c2ep-5};

// (asin(z) - z) / z^3 in z^2, |z| <= 1/2. Degree 11, relative error 2^-55.7.
inline constexpr double kAsinF64[] = {
    0x1.555555555539p-3,  0x1.333333336e79ep-4,  0x1.6db6db427e3d4p-5,
    0x1.f1c72c37d5587p-6, 0x1.6e89f459cc5fap-6,  0x1.1c6be036521afp-6,
    0x1.c6fddcf6b403p-7,  0x1.8ec24f30f88fp-7,   0x1.abd51040e0ca4p-8,
    0x1.3ff0daed3e90ap-6, -0x1.09cd4f9463776p-6, 0x1.056b75ac49618p-5};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_INVERSE_TRIG_TABLE_H_
