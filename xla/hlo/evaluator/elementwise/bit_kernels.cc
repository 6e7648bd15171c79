// Element-wise ops that select or round bit patterns.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "xla/base/types.h"
#include "xla/hlo/evaluator/elementwise/kernels.h"

namespace xla {
namespace {

template <typename T>
void Select(const void* const* inputs, void* output, size_t n,
            const KernelParams&) {
  const bool* pred = static_cast<const bool*>(inputs[0]);
  const T* on_true = static_cast<const T*>(inputs[1]);
  const T* on_false = static_cast<const T*>(inputs[2]);
  T* out = static_cast<T*>(output);
  for (size_t i = 0; i < n; ++i) out[i] = pred[i] ? on_true[i] : on_false[i];
}

// Rounds the mantissa to nearest even; exponents above the range become
// infinity, below it zero, since the lower precision has no subnormal numbers.
uint64_t ReducePrecision(uint64_t bits, int width, const KernelParams& p) {
  const uint64_t sign = bits & (uint64_t{1} << (width - 1));
  uint64_t magnitude = bits & ~(uint64_t{1} << (width - 1));
  const uint64_t infinity = ((uint64_t{1} << p.source_exponent_bits) - 1)
                            << p.source_mantissa_bits;
  if (magnitude > infinity) {
    // Only mantissa bits distinguish NaN from infinity.
    if (p.mantissa_bits == 0) return infinity;
    // A NaN keeps its top mantissa bits. Making it quiet ensures that these
    // distinguish it from infinity.
    return bits | (uint64_t{1} << (p.source_mantissa_bits - 1));
  }
  if (p.mantissa_bits < p.source_mantissa_bits) {
    const int drop = p.source_mantissa_bits - p.mantissa_bits;
    const uint64_t last_bit = (magnitude >> drop) & 1;
    const uint64_t half = uint64_t{1} << (drop - 1);
    magnitude = (magnitude + half - 1 + last_bit) >> drop << drop;
  }
  if (p.exponent_bits < p.source_exponent_bits) {
    const int64_t bias = (int64_t{1} << (p.source_exponent_bits - 1)) - 1;
    const int64_t reduced_bias = (int64_t{1} << (p.exponent_bits - 1)) - 1;
    const int64_t exponent =
        static_cast<int64_t>(magnitude >> p.source_mantissa_bits) - bias;
    if (exponent > reduced_bias) magnitude = infinity;
    if (exponent <= -reduced_bias) magnitude = 0;
  }
  return sign | std::min(magnitude, infinity);
}

template <typename T>
void ReducePrecisions(const void* const* inputs, void* output, size_t n,
                      const KernelParams& params) {
  const T* in = static_cast<const T*>(inputs[0]);
  T* out = static_cast<T*>(output);
  for (size_t i = 0; i < n; ++i) {
    out[i] = static_cast<T>(ReducePrecision(in[i], sizeof(T) * 8, params));
  }
}

// Rounds x to a neighbour in the target format: the one away from zero with the
// probability by which x is nearer to it, else the one towards zero.
double StochasticRound(double x, uint64_t random, const KernelParams& p) {
  if (!std::isfinite(x) || x == 0) return x;
  const double magnitude = std::fabs(x);
  int unit = 0;  // exponent of the distance between neighbours
  if (!p.is_integer) {
    unit = std::max(std::ilogb(magnitude), p.exponent_bits) - p.mantissa_bits;
  }
  const double scaled = std::ldexp(magnitude, -unit);
  double whole = std::floor(scaled);
  const double threshold = std::ldexp(scaled - whole, p.width);
  if (random < static_cast<uint64_t>(threshold)) ++whole;
  return std::copysign(std::ldexp(whole, unit), x);
}

void StochasticRounds(const void* const* inputs, void* output, size_t n,
                      const KernelParams& params) {
  const double* x = static_cast<const double*>(inputs[0]);
  const uint64_t* random = static_cast<const uint64_t*>(inputs[1]);
  double* out = static_cast<double*>(output);
  for (size_t i = 0; i < n; ++i) {
    out[i] = StochasticRound(x[i], random[i], params);
  }
}

}  // namespace

KernelFn SelectKernel(int byte_width) {
  switch (byte_width) {
    case 1:
      return Select<uint8_t>;
    case 2:
      return Select<uint16_t>;
    case 4:
      return Select<uint32_t>;
    case 8:
      return Select<uint64_t>;
    case 16:
      return Select<complex128>;
    default:
      return nullptr;
  }
}

KernelFn ReducePrecisionKernel(int byte_width) {
  switch (byte_width) {
    case 2:
      return ReducePrecisions<uint16_t>;
    case 4:
      return ReducePrecisions<uint32_t>;
    case 8:
      return ReducePrecisions<uint64_t>;
    default:
      return nullptr;
  }
}

KernelFn StochasticRoundKernel() { return StochasticRounds; }

}  // namespace xla
