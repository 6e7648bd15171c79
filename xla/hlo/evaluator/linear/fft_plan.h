// FftPlan: discrete Fourier transforms of one length, in double precision.
#ifndef XLA_HLO_EVALUATOR_LINEAR_FFT_PLAN_H_
#define XLA_HLO_EVALUATOR_LINEAR_FFT_PLAN_H_

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace xla {

// Splits composite lengths into their prime factors (Cooley and Tukey) and
// computes transforms of large prime lengths as convolutions of a power of two
// (Bluestein): O(n log n) for any n. Not thread safe.
class FftPlan {
 public:
  using Complex = std::complex<double>;

  explicit FftPlan(int64_t n);  // n >= 1

  int64_t n() const { return n_; }
  // Sets line[k] to the sum over j of line[j] exp(-2 pi i j k / n), with +2 for
  // the inverse; not scaled.
  void Transform(Complex* line, bool inverse);

 private:
  // The largest prime factor whose transform is computed directly; a
  // convolution is faster for larger ones.
  static constexpr int64_t kMaxDirectFactor = 50;

  // Sets out to the transform of n elements `stride` apart; n divides n_.
  void Split(const Complex* in, int64_t stride, int64_t n, Complex* out);
  void Combine(int64_t factor, int64_t n, Complex* out);
  void Convolve(const Complex* in, int64_t stride, Complex* out);
  void PrepareConvolution(int64_t n);
  // Returns exp(-2 pi i k / n), for n that divides n_.
  Complex Root(int64_t k, int64_t n) const { return roots_[k % n * (n_ / n)]; }

  int64_t n_;
  std::vector<Complex> roots_;  // roots of unity of order n_
  std::vector<Complex> line_, terms_;
  // The one length that is transformed by convolution, 0 if none is.
  int64_t convolution_length_ = 0;
  std::unique_ptr<FftPlan> convolution_;
  std::vector<Complex> chirp_, kernel_, work_;
};

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_LINEAR_FFT_PLAN_H_
