// UlpError without branches, in vectors of any width.
#include "tests/backends/cpu/codegen/math_errors.h"

#include <cstring>
#include <limits>

// Clang would require the attribute on each declaration, too.
#if defined(__x86_64__) && defined(__has_attribute) && !defined(__clang__)
#if __has_attribute(target_clones)
#define FOR_EACH_TARGET \
  __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#endif
#ifndef FOR_EACH_TARGET
#define FOR_EACH_TARGET
#endif

namespace xla::cpu {
namespace {

typedef float Floats __attribute__((vector_size(4 * kErrorLanes)));
typedef double Doubles __attribute__((vector_size(8 * kErrorLanes)));
typedef int64_t Ints __attribute__((vector_size(8 * kErrorLanes)));

}  // namespace

FOR_EACH_TARGET double UlpErrors(const float* got, const double* want,
                                 int64_t count, double* errors) {
  const Doubles zero = {};
  const Ints infinite = (Ints)(zero + std::numeric_limits<double>::infinity());
  // Where exponents of floats end; infinity is the next number.
  const Doubles beyond = zero + 0x1p128;
  Doubles largest = zero;
  for (int64_t i = 0; i < count; i += kErrorLanes) {
    Floats narrow;
    Doubles w;
    std::memcpy(&narrow, got + i, sizeof(narrow));
    std::memcpy(&w, want + i, sizeof(w));
    Doubles g = __builtin_convertvector(narrow, Doubles);
    // NaN stays NaN.
    g = g > beyond ? beyond : g;
    g = g < -beyond ? -beyond : g;
    w = w > beyond ? beyond : w;
    w = w < -beyond ? -beyond : w;
    const Ints w_bits = (Ints)w;
    Ints exponent = (w_bits >> 52) & 0x7ff;
    exponent = exponent < 897 ? (Ints{} + 897) : exponent;
    exponent = exponent > 1150 ? (Ints{} + 1150) : exponent;
    const Doubles per_ulp = (Doubles)((2069 - exponent) << 52);
    const Doubles difference = g - w;
    Doubles error = (Doubles)((Ints)(difference * per_ulp) & INT64_MAX);
    // NaN for NaN is right, a zero of the other sign is wrong. Masks are copies
    // of the sign of a difference: GCC 12 compares lane by lane here.
    const Ints g_size = (Ints)g & INT64_MAX;
    const Ints w_size = w_bits & INT64_MAX;
    const Ints both_nan = ((infinite - g_size) & (infinite - w_size)) >> 63;
    const Ints signs_differ = ((Ints)g ^ w_bits) >> 63;
    const Ints wrong_zero = (((g_size | w_size) - 1) >> 63) & signs_differ;
    const Ints bits = (Ints)error & ~both_nan;
    const Ints wrong = wrong_zero | ((infinite - bits) >> 63);
    error = (Doubles)((bits & ~wrong) | (infinite & wrong));
    largest = error > largest ? error : largest;
    std::memcpy(errors + i, &error, sizeof(error));
  }
  double result = 0;
  for (int64_t lane = 0; lane < kErrorLanes; ++lane) {
    result = largest[lane] > result ? largest[lane] : result;
  }
  return result;
}

FOR_EACH_TARGET void Widen(const float* x, int64_t count, double* wide) {
  for (int64_t i = 0; i < count; i += kErrorLanes) {
    Floats narrow;
    std::memcpy(&narrow, x + i, sizeof(narrow));
    const Doubles w = __builtin_convertvector(narrow, Doubles);
    std::memcpy(wide + i, &w, sizeof(w));
  }
}

}  // namespace xla::cpu
