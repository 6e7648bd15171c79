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

// (log(1+r) - r + r^2/2) / r^3, |r| <= 0.029792. Degree 7, relative error
// 2^-62.8.
inline constexpr double kLogPieceF64[] = {
    0x1.555555555550fp-2,  -0x1.fffffffffff17p-3, 0x1.9999999b14494p-3,
    -0x1.555555573d8a3p-3, 0x1.24923574f28e3p-3,  -0x1.ffffd48646d22p-4,
    0x1.c7eac8ddfe672p-4,  -0x1.9a66451c6b7a9p-4};

// About the inverse of the middle of each piece.
inline constexpr double kLogPieceInverses[16] = {
    0x1.66c617ec77f0cp+0, 0x1.57b8690f1c529p+0,
    0x1.49e11753c5e5ap+0, 0x1.3d1c17e93d6b1p+0,
    0x1.314abf6b7673dp+0, 0x1.2652cace679a4p+0,
    0x1.1c1d9bb364f1dp+0, 0x1.12979c18939fp+0,
    0x1.09afc0735ecb4p+0, 0x1p+0,
    0x1.e6a75324438c2p-1, 0x1.cb5d578a1e58bp-1,
    0x1.b2f93bce0a1edp-1, 0x1.9d0ac88e2a17ep-1,
    0x1.8937521144e5ap-1, 0x1.7734c925ef877p-1};

// Minus the logarithms of these, rounded to 42 bits behind the point,
inline constexpr double kLogPieceHighs[16] = {
    -0x1.599d720457p-2, -0x1.2db8fae0e4p-2,
    -0x1.03a26b89bbp-2, -0x1.b66a91b2e8p-3,
    -0x1.68a28053dcp-3, -0x1.1db316e91p-3,
    -0x1.aad1c3e40cp-4, -0x1.1f2b63228p-4,
    -0x1.303f9f011p-5,  0x0p+0,
    0x1.9feca668e8p-5,  0x1.bc55e64efcp-4,
    0x1.4de794184ep-3,  0x1.b7dbfa98d2p-3,
    0x1.0e4ceb8837p-2,  0x1.3e4f2c78fp-2};

// and the rests.
inline constexpr double kLogPieceLows[16] = {
    -0x1.38d95d84bc997p-45, -0x1.01bd521c7e1ebp-48,
    -0x1.fd0327da0d27bp-45, -0x1.2bb34adb8ad1bp-45,
    -0x1.c3757e9a73d68p-45, 0x1.d6045c8c712dbp-46,
    0x1.d4536c13de489p-45,  0x1.7076e416c8201p-44,
    -0x1.5531ce99e34e5p-44, 0x0p+0,
    -0x1.80c6f2339e946p-44, -0x1.49d46b3db5e9dp-46,
    -0x1.1a4fb1ef4914bp-44, 0x1.235538e7a2998p-45,
    -0x1.811b4e62021bp-48,  0x1.f20bbd124b395p-44};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_LOG_TABLE_H_
