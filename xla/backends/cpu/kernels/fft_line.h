// FftLine: transforms of one length along one dimension, several at once.
// fft.cc copies lines from and to arrays.
#ifndef XLA_BACKENDS_CPU_KERNELS_FFT_LINE_H_
#define XLA_BACKENDS_CPU_KERNELS_FFT_LINE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "xla/backends/cpu/kernels/fft_stages.h"

namespace xla::cpu {

// Returns exp(-2 pi i k / n), each part within one unit in the last place, for
// 0 <= k < n.
template <typename T>
void UnitRoot(int64_t k, int64_t n, T* re, T* im);

// Source: for lengths whose prime factors are all in kFftRadices, Stockham's
// autosort (Van Loan, "Computational frameworks for the fast Fourier
// transform", 1.7); for others Bluestein, "A linear filtering approach to the
// computation of discrete Fourier transform", 1970.
template <typename T>
class FftLine {
 public:
  // Takes the stages of the current VectorLevel.
  explicit FftLine(int64_t length);

  int64_t length() const { return length_; }
  // Returns the complex numbers per line for which each of Run's buffers has
  // room.
  int64_t buffer_length() const;

  // Transforms `lines` lines side by side: element j of line l is at
  // j * lines + l of `data`. The result is in `data` or in `other`; returns the
  // one that has it.
  SplitComplex<T> Run(SplitComplex<T> data, SplitComplex<T> other,
                      int64_t lines) const;

 private:
  struct Step {
    int radix;  // index into kFftRadices
    int64_t m;
    std::vector<T> roots_re, roots_im;
  };

  void PrepareConvolution();
  SplitComplex<T> Convolve(SplitComplex<T> data, SplitComplex<T> other,
                           int64_t lines) const;

  const int64_t length_;
  const FftStages<T>& stages_;
  std::vector<Step> steps_;
  // For Bluestein's algorithm: the chirp, the transform of its conjugate, and
  // the transform of a length of at least 2 length - 1.
  std::vector<T> chirp_re_, chirp_im_, filter_re_, filter_im_;
  std::unique_ptr<FftLine> longer_;
};

extern template class FftLine<float>;
extern template class FftLine<double>;

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_FFT_LINE_H_
