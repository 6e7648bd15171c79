// Transforms of any length.
#include "xla/hlo/evaluator/linear/fft_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace xla {
namespace {

using Complex = FftPlan::Complex;

// Multiplies without C99's special cases for infinities, which take time.
Complex Times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

int64_t SmallestFactor(int64_t n) {
  for (int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

Complex UnitRoot(int64_t k, int64_t n) {
  const double angle =
      -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

FftPlan::FftPlan(int64_t n) : n_(n), roots_(n), line_(n) {
  for (int64_t k = 0; k < n; ++k) roots_[k] = UnitRoot(k, n);
  // The factor that remains without the small prime factors.
  int64_t rest = n;
  while (rest > 1) {
    const int64_t p = SmallestFactor(rest);
    if (p > kMaxDirectFactor) break;
    rest /= p;
  }
  if (rest > 1) PrepareConvolution(rest);
}

void FftPlan::Transform(Complex* line, bool inverse) {
  // The inverse is the conjugate of the transform of the conjugate.
  if (inverse) {
    for (int64_t i = 0; i < n_; ++i) line[i] = std::conj(line[i]);
  }
  std::copy(line, line + n_, line_.begin());
  Split(line_.data(), 1, n_, line);
  if (inverse) {
    for (int64_t i = 0; i < n_; ++i) line[i] = std::conj(line[i]);
  }
}

void FftPlan::Split(const Complex* in, int64_t stride, int64_t n,
                    Complex* out) {
  if (n == 1) {
    *out = *in;
    return;
  }
  if (n == convolution_length_) return Convolve(in, stride, out);
  // All factors of n are small, except at convolution_length_.
  const int64_t factor = SmallestFactor(n);
  const int64_t m = n / factor;
  for (int64_t r = 0; r < factor; ++r) {
    Split(in + r * stride, stride * factor, m, out + r * m);
  }
  Combine(factor, n, out);
}

void FftPlan::Combine(int64_t factor, int64_t n, Complex* out) {
  const int64_t m = n / factor;
  std::vector<Complex>& terms = terms_;
  terms.resize(factor);
  for (int64_t k = 0; k < m; ++k) {
    for (int64_t r = 0; r < factor; ++r) {
      terms[r] = Times(out[r * m + k], Root(r * k, n));
    }
    for (int64_t q = 0; q < factor; ++q) {
      Complex sum = terms[0];
      for (int64_t r = 1; r < factor; ++r) {
        sum += Times(terms[r], Root(r * q, factor));
      }
      out[q * m + k] = sum;
    }
  }
}

// With j k = (j^2 + k^2 - (k - j)^2) / 2, a transform is a convolution with
// exp(pi i j^2 / n) between two products with its conjugate. Source: Bluestein,
// "A linear filtering approach to the computation of discrete Fourier
// transform", 1970.
void FftPlan::PrepareConvolution(int64_t n) {
  convolution_length_ = n;
  const int64_t size = std::bit_ceil(static_cast<uint64_t>(2 * n - 1));
  convolution_ = std::make_unique<FftPlan>(size);
  chirp_.resize(n);
  int64_t square = 0;  // k * k modulo 2 n
  for (int64_t k = 0; k < n; ++k) {
    chirp_[k] = UnitRoot(square, 2 * n);
    square = (square + 2 * k + 1) % (2 * n);
  }
  kernel_.assign(size, 0);
  kernel_[0] = 1;
  for (int64_t k = 1; k < n; ++k) {
    kernel_[k] = kernel_[size - k] = std::conj(chirp_[k]);
  }
  convolution_->Transform(kernel_.data(), /*inverse=*/false);
  work_.resize(size);
}

void FftPlan::Convolve(const Complex* in, int64_t stride, Complex* out) {
  std::fill(work_.begin(), work_.end(), 0);
  for (int64_t k = 0; k < convolution_length_; ++k) {
    work_[k] = Times(in[k * stride], chirp_[k]);
  }
  convolution_->Transform(work_.data(), /*inverse=*/false);
  for (size_t k = 0; k < work_.size(); ++k) {
    work_[k] = Times(work_[k], kernel_[k]);
  }
  convolution_->Transform(work_.data(), /*inverse=*/true);
  const double scale = 1.0 / static_cast<double>(work_.size());
  for (int64_t k = 0; k < convolution_length_; ++k) {
    out[k] = Times(work_[k], chirp_[k]) * scale;
  }
}

}  // namespace xla
