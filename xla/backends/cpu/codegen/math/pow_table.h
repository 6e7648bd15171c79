// Coefficients, lowest power first, of the polynomials of pow.cc.
// Made by fit_polynomials.py, which says how; do not edit.
#ifndef XLA_BACKENDS_CPU_CODEGEN_MATH_POW_TABLE_H_
#define XLA_BACKENDS_CPU_CODEGEN_MATH_POW_TABLE_H_

namespace xla::cpu {

// (2 atanh(s) - 2s - 2s^3/3) / s^5 in s^2, |s| <= 3 - sqrt(8). Degree 7,
// relative error 2^-73.3.
inline constexpr double kPowLog[] = {
    0x1.9999999999995p-2, 0x1.2492492493193p-2, 0x1.c71c71c5570ap-3,
    0x1.745d18460d024p-3, 0x1.3b135d7b1c58bp-3, 0x1.11217dccc7587p-3,
    0x1.de13dcfe67e5ap-4, 0x1.ec16b58614371p-4};

// (log(1+r) - r + r^2/2) / r^3, |r| <= 0.029792. Degree 8, relative error
// 2^-68.3.
inline constexpr double kPowLogPiece[] = {
    0x1.5555555555555p-2,  -0x1.fffffffffff0bp-3, 0x1.999999999be3fp-3,
    -0x1.555555575aea2p-3, 0x1.24924901ac4c9p-3,  -0x1.ffffd2744872ep-4,
    0x1.c71df753ba941p-4,  -0x1.9a6b8c9d4d949p-4, 0x1.71ce968b3d459p-4};

// For f32 in f64: log2(1+f) / f, sqrt(1/2) <= 1+f <= sqrt(2). Degree 11,
// relative error 2^-33.2.
inline constexpr double kPowFloatLog2[] = {
    0x1.71547652ef9b7p+0,  -0x1.7154767baeac1p-1, 0x1.ec709c00e39c1p-2,
    -0x1.715435ebcd79bp-2, 0x1.277732d0feb4bp-2,  -0x1.ec8d73c0e39e9p-3,
    0x1.a615cadfa1ff7p-3,  -0x1.6eb02c3bf9202p-3, 0x1.45a29773e471p-3,
    -0x1.417fe5286422p-3,  0x1.3d25e38e300e8p-3,  -0x1.61ac58243d247p-4};

// For f32 in f64: 2^f, |f| <= 1/2. Degree 6, relative error 2^-29.0.
inline constexpr double kPowFloatExp2[] = {
    0x1.0000000260778p+0, 0x1.62e430c7f2cp-1,   0x1.ebfbdadd4e89ep-3,
    0x1.c6aed4b2605f7p-5, 0x1.3b2dbb772b1f2p-7, 0x1.5f456cd482f9cp-10,
    0x1.41d35cd348ceep-13};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_POW_TABLE_H_
