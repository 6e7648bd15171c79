// The stages of transforms on split complex numbers, one for each radix.
// fft_line.h puts them together.
#ifndef XLA_BACKENDS_CPU_KERNELS_FFT_STAGES_H_
#define XLA_BACKENDS_CPU_KERNELS_FFT_STAGES_H_

#include <array>
#include <cstdint>

namespace xla::cpu {

// Separate arrays of real and imaginary parts.
template <typename T>
struct SplitComplex {
  T* re;
  T* im;
};

inline constexpr std::array<int, 8> kFftRadices = {8, 4, 2, 3, 5, 7, 11, 13};

template <typename T>
struct FftStages {
  // One stage of Stockham's transform: for p in [0, m), i in [0, s) and q in
  // [0, radix)
  //   to[(p * radix + q) * s + i] =
  //       roots[q - 1, p] * sum over k of from[(k * m + p) * s + i]
  //                         exp(-2 pi i q k / radix)
  // where roots[j, p], at j * m + p, is 1 for j = -1.
  using Stage = void (*)(int64_t m, int64_t s, SplitComplex<T> from,
                         SplitComplex<T> to, const T* roots_re,
                         const T* roots_im);
  Stage stages[kFftRadices.size()];  // for any s
  Stage firsts[kFftRadices.size()];  // for s = 1, vectors over p

  // Convert interleaved numbers into split ones and back. There are `rows` rows
  // of `count` numbers, which are side by side in the split form: split[j *
  // rows + r] is the complex number r * row_stride + j * stride. `join`
  // multiplies by `factor`.
  void (*split)(const T* from, int64_t rows, int64_t row_stride, int64_t count,
                int64_t stride, SplitComplex<T> to);
  void (*join)(SplitComplex<T> from, int64_t rows, int64_t row_stride,
               int64_t count, int64_t stride, T factor, T* to);
  // Compute the transform of 2 half real numbers from that of half complex ones
  // and back, with roots exp(-2 pi i k / (2 half)), k <= half. take_apart reads
  // the transform z of even elements + i odd ones; put_together writes twice
  // the numbers that are to be transformed back.
  void (*take_apart)(SplitComplex<T> z, int64_t half, const T* roots_re,
                     const T* roots_im, T* to);
  void (*put_together)(const T* from, int64_t half, const T* roots_re,
                       const T* roots_im, SplitComplex<T> to);
  // to[j * lines + l] = from[j * lines + l] * by[j] for j in [0, count).
  void (*multiply)(SplitComplex<T> from, int64_t count, int64_t lines,
                   const T* by_re, const T* by_im, SplitComplex<T> to);
};

// The table of the current VectorLevel; T is float or double.
template <typename T>
const FftStages<T>& FftStagesOf();

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_FFT_STAGES_H_
