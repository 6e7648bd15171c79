// Coefficients, lowest power first, of the polynomials of erf.cc.
// Made by fit_polynomials.py, which says how; do not edit.
#ifndef XLA_BACKENDS_CPU_CODEGEN_MATH_ERF_TABLE_H_
#define XLA_BACKENDS_CPU_CODEGEN_MATH_ERF_TABLE_H_

namespace xla::cpu {

// (erf(x) - x) / x in x^2, |x| <= 1. Degree 6, relative error 2^-29.4.
inline constexpr double kErfSmallF32[] = {
    0x1.06eba8p-3, -0x1.81273ep-2,  0x1.ce2ce6p-4, -0x1.b7f71ap-6,
    0x1.53f224p-8, -0x1.a3516ap-11, 0x1.477278p-14};

// (erf(x) - x) / x in x^2, |x| <= 1. Degree 11, relative error 2^-55.6.
inline constexpr double kErfSmallF64[] = {
    0x1.06eba8214db68p-3,  -0x1.812746b03799dp-2,  0x1.ce2f21a03f8bap-4,
    -0x1.b82ce311a8f35p-6, 0x1.565bcceeb4dbap-8,   -0x1.c02daeae96898p-11,
    0x1.f9a295a5d1927p-14, -0x1.f4c81a348bfdep-17, 0x1.b96a57389e75dp-20,
    -0x1.5b84ed5358c3p-23, 0x1.d39f6707dad52p-27,  -0x1.a162e050c9591p-31};

// log(1 - erf(x)) in x - 2, 1 <= x <= 3.95, for the error of erf. Degree 6,
// relative error 2^-29.5.
inline constexpr double kErfLargeF32[] = {
    -0x1.575b32p+2, -0x1.1ac324p+2,  -0x1.d8f67ep-1, -0x1.0e1dccp-6,
    0x1.d16d06p-9,  -0x1.71d07ep-11, 0x1.89fef8p-13};

// log(1 - erf(x)) in x - 2.5, 1 <= x <= 6, for the error of erf. Degree 18,
// relative error 2^-57.6.
inline constexpr double kErfLargeF64[] = {
    -0x1.f3a2dc8691b93p+2,  -0x1.56925248da96cp+2,  -0x1.e3460a18c5795p-1,
    -0x1.63cc1da6dfd12p-7,  0x1.1bd558f4ec6d8p-9,   -0x1.b96139b62a31bp-12,
    0x1.43172a435a4eap-14,  -0x1.ac03fb4e92192p-17, 0x1.dadfacb5372c5p-20,
    -0x1.4ec0276a3a6a7p-23, -0x1.b1d5f29b467ffp-27, 0x1.741a730be077cp-27,
    -0x1.e8474f31c3bfdp-29, 0x1.e55ddd94a139ep-31,  -0x1.1ebbb29d099cbp-33,
    0x1.55f8dc5192efcp-36,  -0x1.51e593d977f08p-37, -0x1.45a093c211599p-40,
    0x1.1629238646bf4p-40};

// exp(t^2) erfc(t) / w in w, w = 1 / (t + 2), 0 <= t <= 10.24. Degree 10,
// relative error 2^-27.4.
inline constexpr double kErfcF32[] = {
    0x1.20dbd6p-1, 0x1.21064p+0,   0x1.f62ad6p+0,  0x1.7bdf0ep+1,
    0x1.c4c7b8p+0, 0x1.1a81b2p+1,  -0x1.501f62p+1, -0x1.2a15b8p+6,
    0x1.879926p+7, -0x1.880558p+7, 0x1.2587fap+6};

// exp(t^2) erfc(t) / w in 1 - 6 w, w = 1 / (t + 3), 0 <= t <= 27.31. Degree 22,
// relative error 2^-53.2.
inline constexpr double kErfcF64[] = {
    0x1.12f21ddd9f5e2p+0,   -0x1.c44c471baa37fp-1,  0x1.2e326945de1dap-1,
    -0x1.3deb21415d54ep-2,  0x1.e995f11b2b114p-4,   -0x1.b78993d78c4c7p-6,
    -0x1.3dd3e76c42b2fp-10, 0x1.8dae3a7ef7e67p-9,   -0x1.1f78da66c3b98p-11,
    -0x1.2239108491cdp-12,  0x1.c323fdff1075p-14,   0x1.fe040093926b4p-16,
    -0x1.25093032081d1p-16, -0x1.3ee4293b6eff7p-18, 0x1.71d61fcccb858p-19,
    0x1.0d04aa4e02921p-20,  -0x1.a644723a031aep-22, -0x1.f8610a0ffac5dp-23,
    0x1.1910ea2a3a34cp-25,  0x1.a4f591dbe654cp-25,  0x1.7bd61cd8b8d08p-28,
    -0x1.a98bf0033698bp-28, -0x1.1972dcfbd1317p-29};

// erfinv(x) / x in w - 2.5, w = -log(1 - x^2) <= 5. Degree 9, relative error
// 2^-23.6.
inline constexpr double kErfInvSmallF32[] = {
    0x1.805c5ep+0,  0x1.f91e8ap-3,   -0x1.11c4ecp-8,  -0x1.486618p-10,
    0x1.c9e6c4p-13, -0x1.4d13f2p-18, -0x1.d0c184p-19, 0x1.f4864p-22,
    0x1.8f213cp-26, -0x1.2e022p-27};

// erfinv(x) / x in sqrt(w) - 3, 5 <= w <= 17. Degree 9, relative error 2^-25.7.
inline constexpr double kErfInvLargeF32[] = {
    0x1.6a9efcp+1,   0x1.006dc6p+0, 0x1.357d4ep-7,  -0x1.f481e8p-8,
    0x1.74e64p-8,    -0x1.d7ce2p-9, 0x1.837c66p-10, -0x1.ab730ap-15,
    -0x1.3f57eep-12, 0x1.d27148p-14};

// erfinv(x) / x in w - 3.125, w = -log(1 - x^2) <= 6.25. Degree 24, relative
// error 2^-55.3.
inline constexpr double kErfInvSmallF64[] = {
    0x1.a755e7c99ae86p+0,   0x1.ebd80d9b13dfap-3,  -0x1.8b6c33114ead6p-8,
    -0x1.84576948356ap-11,  0x1.879c2a20b52d2p-13, -0x1.d1d1f7ca22852p-17,
    -0x1.6e8a53cded534p-20, 0x1.c6b4f88bf84f5p-22, -0x1.f36ced458d945p-26,
    -0x1.1a9eb0f1ac6edp-28, 0x1.20f53635c6464p-30, -0x1.dc3f134c3cb0dp-35,
    -0x1.c8a3f7a90a296p-37, 0x1.7235df29731cbp-39, -0x1.6bdc0e8a10bbep-44,
    -0x1.686e58b0320ddp-45, 0x1.d6c7483fe1216p-48, -0x1.6fd2774384c7cp-55,
    -0x1.1ca88391970c1p-53, 0x1.1ec2890780974p-56, 0x1.9ab9c634ed411p-61,
    -0x1.9bc0aaf7172f4p-62, 0x1.3854306f3c1d1p-66, 0x1.e6814b33d1283p-69,
    -0x1.6ac7feda7c1d8p-72};

// erfinv(x) / x in sqrt(w) - 3.25, 6.25 <= w <= 16. Degree 20, relative error
// 2^-54.5.
inline constexpr double kErfInvMidF64[] = {
    0x1.8abcc380d5a48p+1,   0x1.0158a6d641d55p+0,   0x1.5ffcfe5b6cd7cp-8,
    -0x1.ebadabba0238ap-9,  0x1.468eeca942bdep-9,   -0x1.ba9240d897559p-10,
    0x1.f3cc545e5bc41p-11,  -0x1.7448bcc199243p-12, 0x1.932e8eb788807p-16,
    0x1.1e6abb043093dp-14,  -0x1.8cf45f86118fdp-15, 0x1.a241e70c2a75cp-17,
    0x1.8999a63c75ebdp-19,  -0x1.0b7a98439d9a4p-18, 0x1.8dbb9ee8c871p-20,
    -0x1.d9567b784de0ap-26, -0x1.07b8c4044b89dp-22, 0x1.1a748a807458fp-23,
    -0x1.65ad26c59bf2p-26,  -0x1.0691e3cbb6dc5p-26, 0x1.06b65e6e60f49p-27};

// erfinv(x) / x in sqrt(w) - 5, 16 <= w <= 38. Degree 18, relative error
// 2^-53.6.
inline constexpr double kErfInvLargeF64[] = {
    0x1.3664ddd1ad7fbp+2,   0x1.02a30d1fba10ep+0,   -0x1.22ea5df169f1dp-13,
    -0x1.c2f36aa29a09dp-13, 0x1.3ebf4ee75779ap-14,  -0x1.4a348faaa3a2cp-16,
    0x1.2fbd09bdc20a7p-18,  -0x1.0a90792e0bb0dp-20, 0x1.ebdb91e1d812bp-23,
    -0x1.2226c53b098efp-24, 0x1.f330cece006ap-26,   -0x1.0610b14f28795p-26,
    0x1.0a9c858831d2ep-27,  -0x1.dd573c5d5a5b9p-29, 0x1.79f1befbaecap-30,
    -0x1.df8a85fa30611p-32, 0x1.598c7ced4a357p-35,  0x1.756f39b5798f2p-35,
    -0x1.e8e21852caca4p-37};

// Numbers near multiples of 0.265625 whose erf is nearly a float.
inline constexpr double kErfMiddlesF32[16] = {
    0x0p+0,        0x1.115c4p-2,  0x1.0f9aap-1,  0x1.97248p-1,
    0x1.1077ap+0,  0x1.543cdp+0,  0x1.97b2cp+0,  0x1.dc0eep+0,
    0x1.0ffaa8p+1, 0x1.3235f8p+1, 0x1.53e18p+1,  0x1.75dc38p+1,
    0x1.98282p+1,  0x1.ba3e78p+1, 0x1.dc3e78p+1, 0x1.fe3e78p+1};

// erf(x) in t = x - middle, x within 0.1328125 of that multiple; erf(x) - x of
// the first piece. Row k has the coefficients of t^k. Degree 6, relative error
// 2^-25.3.
inline constexpr double kErfPiecesF32[7][16] = {
    {0x0p+0, 0x1.2d47eap-2, 0x1.17ff5ap-1, 0x1.7a7ceap-1, 0x1.bc4632p-1,
     0x1.e131bcp-1, 0x1.f38dfcp-1, 0x1.fba06ep-1, 0x1.fea3dep-1, 0x1.ffa216p-1,
     0x1.ffe94cp-1, 0x1.fffb42p-1, 0x1.ffff26p-1, 0x1.ffffdep-1, 0x1.fffffcp-1,
     0x1p+0},
    {0x1.06eba8p-3, 0x1.0cfee8p+0, 0x1.b4069cp-1, 0x1.32f95cp-1, 0x1.743678p-2,
     0x1.8b0d88p-3, 0x1.6ddd82p-4, 0x1.2312d4p-5, 0x1.94aa12p-7, 0x1.e3a126p-9,
     0x1.0064a4p-10, 0x1.d2cce6p-13, 0x1.6b4ad2p-15, 0x1.ef6754p-18,
     0x1.269a74p-20, 0x1.3045b8p-23},
    {0x1.6f6952p-22, -0x1.1f3cccp-2, -0x1.ce9a5ep-2, -0x1.e83636p-2,
     -0x1.8c27cep-2, -0x1.0685e8p-2, -0x1.235552p-3, -0x1.0ea3f8p-4,
     -0x1.adec42p-6, -0x1.213e06p-7, -0x1.546756p-9, -0x1.54dd4p-11,
     -0x1.219f46p-13, -0x1.abe8dep-16, -0x1.1207ccp-18, -0x1.2f3b0ep-21},
    {-0x1.812c4cp-2, -0x1.33881cp-2, -0x1.fc54a8p-4, 0x1.b1569cp-5,
     0x1.3a092ep-3, 0x1.4d85f4p-3, 0x1.f0ad8p-4, 0x1.1f043ap-4, 0x1.0ec98ap-5,
     0x1.a4fe4ap-7, 0x1.17e99ap-8, 0x1.385b2ap-10, 0x1.249d9p-12,
     0x1.d800fcp-15, 0x1.4766fap-17, 0x1.85eda6p-20},
    {0x1.7a002ap-12, 0x1.11a458p-3, 0x1.77d44ap-3, 0x1.1a659p-3, 0x1.83f83cp-5,
     -0x1.74fbdp-6, -0x1.9282e4p-5, -0x1.614d86p-5, -0x1.b0119p-6,
     -0x1.97502p-7, -0x1.3ad5ecp-8, -0x1.8eb1bap-10, -0x1.a14bbep-12,
     -0x1.7400ccp-14, -0x1.19a8ccp-16, -0x1.6b3db6p-19},
    {0x1.c4468ap-4, 0x1.33ac9ep-4, -0x1.a39bb6p-10, -0x1.e5fd36p-5,
     -0x1.0d7434p-4, -0x1.2cbe02p-5, -0x1.593a62p-8, 0x1.64ed4p-7, 0x1.97a51p-7,
     0x1.079752p-7, 0x1.f7e722p-9, 0x1.797cb6p-10, 0x1.c55804p-12, 0x1.c4d8p-14,
     0x1.7c4bf4p-16, 0x1.0d446cp-18},
    {0x1.604dccp-10, -0x1.63af46p-5, -0x1.8f72e6p-5, -0x1.55bc3p-6,
     0x1.57a35cp-7, 0x1.6e2bbap-6, 0x1.fef3cap-7, 0x1.34c15ep-8,
     -0x1.d25284p-10, -0x1.7c0ecp-9, -0x1.1924bcp-9, -0x1.1d337ep-10,
     -0x1.96979p-12, -0x1.a67782p-14, -0x1.8d22aap-16, -0x1.362852p-18},
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_MATH_ERF_TABLE_H_
