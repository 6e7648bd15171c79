// Coefficients, lowest power first, of the polynomials of trig.cc.
// Made by fit_polynomials.py, which says how; do not edit.
#ifndef XLA_BACKENDS_CPU_CODEGEN_MATH_TRIG_TABLE_H_
#define XLA_BACKENDS_CPU_CODEGEN_MATH_TRIG_TABLE_H_

namespace xla::cpu {

// (sin(r) - r) / r^3 in r^2, |r| <= 1.003 pi/2. Degree 7, relative error
// 2^-61.4.
inline constexpr double kSinF64[] = {
    -0x1.5555555555555p-3,  0x1.11111111110c7p-7,   -0x1.a01a01a014c2p-13,
    0x1.71de3a5296782p-19,  -0x1.ae6454cf7f57ep-26, 0x1.6123cbbe19ad3p-33,
    -0x1.ae432ccac45d4p-41, 0x1.88293b04148d1p-49};

// For f32 in f64: sin(r) / r in r^2, |r| <= (1 + 2^-20) pi/2. Degree 4,
// relative error 2^-27.5.
inline constexpr double kSinFloat[] = {
    0x1.ffffffd25a9f9p-1, -0x1.555547ef5aed4p-3, 0x1.110e7b3a42ef1p-7,
    -0x1.9f64451d7020dp-13, 0x1.5d38b69912267p-19};

// (tan(r) - r) / r^3 in r^2, |r| <= 1.003 pi/4. Degree 5, relative error
// 2^-25.7.
inline constexpr double kTanF32[] = {0x1.5554dap-2, 0x1.112ec2p-3,
                                     0x1.b5681p-5,  0x1.9148f8p-6,
                                     0x1.8b7ad4p-9, 0x1.35932cp-7};

// (tan(r) - r) / r^3 in r^2, |r| <= 1.003 pi/4. Degree 13, relative error
// 2^-55.7.
inline constexpr double kTanF64[] = {
    0x1.55555555554e8p-2,  0x1.1111111118d66p-3,   0x1.ba1ba1b3ed4cp-5,
    0x1.664f49c011c79p-6,  0x1.226e0fc03861ap-7,   0x1.d6d9918e1af11p-9,
    0x1.7d56ea5592997p-10, 0x1.381fe0d6ddc17p-11,  0x1.d0b970000444fp-13,
    0x1.21b02459b36f5p-13, -0x1.e0aaa50f1f9b4p-16, 0x1.7fe7419f60e2cp-14,
    -0x1.81d8679baa3ep-15, 0x1.628a24f4e2de9p-16};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_TRIG_TABLE_H_
