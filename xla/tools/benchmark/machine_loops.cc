// Loops written in intrinsics, since a compiler's code for plain loops depends
// on its flags.
#include "xla/tools/benchmark/machine_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace xla::tools {
namespace {

// Enough chains to hide the latency of a multiply-add (4 to 5 cycles) on two
// units.
constexpr int kChains = 12;

// Defines a function that runs kChains chains x = x * 0.5 + 0.25 in vectors.
// The chains start with different values, so that they are not merged. A macro,
// since template parameters cannot carry the target that intrinsics need.
#define TESSERA_FMA_LOOP(name, target, Vector, Set, Fma)                    \
  target double name(int64_t turns) {                                       \
    const Vector a = Set(0.5), b = Set(0.25);                               \
    Vector x0 = Set(0), x1 = Set(1), x2 = Set(2), x3 = Set(3), x4 = Set(4), \
           x5 = Set(5), x6 = Set(6), x7 = Set(7), x8 = Set(8), x9 = Set(9), \
           x10 = Set(10), x11 = Set(11);                                    \
    for (int64_t i = 0; i < turns; ++i) {                                   \
      x0 = Fma(x0, a, b), x1 = Fma(x1, a, b), x2 = Fma(x2, a, b);           \
      x3 = Fma(x3, a, b), x4 = Fma(x4, a, b), x5 = Fma(x5, a, b);           \
      x6 = Fma(x6, a, b), x7 = Fma(x7, a, b), x8 = Fma(x8, a, b);           \
      x9 = Fma(x9, a, b), x10 = Fma(x10, a, b), x11 = Fma(x11, a, b);       \
    }                                                                       \
    x0 = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10 + x11;       \
    return x0[0];                                                           \
  }

// The number of operations per turn on vectors of `bytes` bytes.
constexpr double FlopsPerTurn(int bytes, int element_bytes) {
  return 2.0 * kChains * bytes / element_bytes;
}

#if defined(__x86_64__)

#define TESSERA_AVX512 __attribute__((target("avx512f")))
#define TESSERA_AVX2 __attribute__((target("avx2,fma")))

TESSERA_FMA_LOOP(F32Avx512, TESSERA_AVX512, __m512, _mm512_set1_ps,
                 _mm512_fmadd_ps)
TESSERA_FMA_LOOP(F64Avx512, TESSERA_AVX512, __m512d, _mm512_set1_pd,
                 _mm512_fmadd_pd)
TESSERA_FMA_LOOP(F32Avx2, TESSERA_AVX2, __m256, _mm256_set1_ps, _mm256_fmadd_ps)
TESSERA_FMA_LOOP(F64Avx2, TESSERA_AVX2, __m256d, _mm256_set1_pd,
                 _mm256_fmadd_pd)

inline __m128 MulAdd(__m128 x, __m128 a, __m128 b) { return x * a + b; }
inline __m128d MulAdd(__m128d x, __m128d a, __m128d b) { return x * a + b; }
TESSERA_FMA_LOOP(F32Sse, , __m128, _mm_set1_ps, MulAdd)
TESSERA_FMA_LOOP(F64Sse, , __m128d, _mm_set1_pd, MulAdd)

bool HasAvx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#elif defined(__aarch64__)

// x * a + b, with its operands in the order of the other Fma functions.
inline float32x4_t MulAdd(float32x4_t x, float32x4_t a, float32x4_t b) {
  return vfmaq_f32(b, x, a);
}
inline float64x2_t MulAdd(float64x2_t x, float64x2_t a, float64x2_t b) {
  return vfmaq_f64(b, x, a);
}
TESSERA_FMA_LOOP(F32Neon, , float32x4_t, vdupq_n_f32, MulAdd)
TESSERA_FMA_LOOP(F64Neon, , float64x2_t, vdupq_n_f64, MulAdd)

#endif

}  // namespace

#if defined(__x86_64__)

FmaLoop F32FmaLoop() {
  if (__builtin_cpu_supports("avx512f"))
    return {F32Avx512, FlopsPerTurn(64, 4)};
  if (HasAvx2()) return {F32Avx2, FlopsPerTurn(32, 4)};
  return {F32Sse, FlopsPerTurn(16, 4)};
}

FmaLoop F64FmaLoop() {
  if (__builtin_cpu_supports("avx512f"))
    return {F64Avx512, FlopsPerTurn(64, 8)};
  if (HasAvx2()) return {F64Avx2, FlopsPerTurn(32, 8)};
  return {F64Sse, FlopsPerTurn(16, 8)};
}

void Triad(double* a, const double* b, const double* c, int64_t count) {
  const __m128d scale = _mm_set1_pd(3);
  for (int64_t i = 0; i < count; i += 4) {
    _mm_store_pd(a + i, _mm_load_pd(b + i) + scale * _mm_load_pd(c + i));
    _mm_store_pd(a + i + 2,
                 _mm_load_pd(b + i + 2) + scale * _mm_load_pd(c + i + 2));
  }
}

void TriadStreaming(double* a, const double* b, const double* c,
                    int64_t count) {
  const __m128d scale = _mm_set1_pd(3);
  for (int64_t i = 0; i < count; i += 8) {
    for (int64_t j = i; j < i + 8; j += 2) {
      _mm_stream_pd(a + j, _mm_load_pd(b + j) + scale * _mm_load_pd(c + j));
    }
  }
  _mm_sfence();
}

#elif defined(__aarch64__)

FmaLoop F32FmaLoop() { return {F32Neon, FlopsPerTurn(16, 4)}; }
FmaLoop F64FmaLoop() { return {F64Neon, FlopsPerTurn(16, 8)}; }

void Triad(double* a, const double* b, const double* c, int64_t count) {
  const float64x2_t scale = vdupq_n_f64(3);
  for (int64_t i = 0; i < count; i += 2) {
    vst1q_f64(a + i, vfmaq_f64(vld1q_f64(b + i), scale, vld1q_f64(c + i)));
  }
}

// On aarch64 ordinary stores that miss the cache go to memory without a read.
void TriadStreaming(double* a, const double* b, const double* c,
                    int64_t count) {
  Triad(a, b, c, count);
}

#endif

#undef TESSERA_FMA_LOOP

}  // namespace xla::tools
